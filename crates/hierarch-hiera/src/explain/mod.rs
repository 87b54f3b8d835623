//! Explanations: what a lookup did, as a tree that can be printed as text or as data.

mod data;
mod text;

use hierarch_pcore::{Str, Value};

use crate::eyaml::HIDDEN;
use crate::trace::{Event, Listener, LookupStep};

/// Listens to a lookup and remembers everything.
#[derive(Debug, Default)]
pub struct Explainer {
    only_options: bool,
    shows_secrets: bool,
    steps: Vec<Step>,
    /// The steps that are under way, outermost first.
    open: Vec<usize>,
    roots: Vec<usize>,
    texts: Vec<String>,
}

/// One step of the lookup.
#[derive(Debug)]
struct Step {
    kind: Kind,
    branches: Vec<usize>,
    outcome: Option<Outcome>,
    texts: Vec<String>,
    is_secret: bool,
}

#[derive(Debug)]
enum Kind {
    Lookup(LookupStep),
    MergeSource(&'static str),
    ModuleNotFound(Str),
    ModuleWithoutData(Str),
}

#[derive(Debug)]
enum Outcome {
    Found { key: Str, value: Value, place: Place },
    NotFound(Str),
    LocationNotFound,
    Result(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Data,
    Overrides,
    Defaults,
}

impl Explainer {
    /// Makes a listener for a whole lookup.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a listener that is told about the lookup options only.
    pub fn of_options() -> Self {
        Self { only_options: true, ..Self::default() }
    }

    /// Shows secrets as well.
    #[must_use]
    pub fn with_secrets(self, shows_secrets: bool) -> Self {
        Self { shows_secrets, ..self }
    }

    /// Adds a last line.
    pub fn conclude(&mut self, text: &str) {
        self.texts.push(text.to_owned());
    }

    /// Changes all texts, so that secrets can be hidden in them.
    pub fn hide(&mut self, text: impl Fn(&str) -> String) {
        for step in &mut self.steps {
            step.texts.iter_mut().for_each(|line| *line = text(line));
        }
        self.texts.iter_mut().for_each(|line| *line = text(line));
    }

    fn add(&mut self, kind: Kind) -> usize {
        let index = self.steps.len();
        let is_secret =
            !self.shows_secrets && self.open.last().is_some_and(|&around| self.steps[around].is_secret);
        self.steps.push(Step { kind, branches: Vec::new(), outcome: None, texts: Vec::new(), is_secret });
        match self.open.last() {
            Some(&parent) => self.steps[parent].branches.push(index),
            None => self.roots.push(index),
        }
        index
    }

    /// Shows another value wherever the very same one was found.
    fn change(&mut self, before: &Value, after: &Value) {
        for step in &mut self.steps {
            if let Some(Outcome::Found { value, .. } | Outcome::Result(value)) = &mut step.outcome
                && is_same(value, before)
            {
                *value = after.clone();
            }
        }
    }

    fn settle(&mut self, mut outcome: Outcome) {
        if let Some(&current) = self.open.last() {
            if let (true, Outcome::Found { value, .. } | Outcome::Result(value)) =
                (self.steps[current].is_secret, &mut outcome)
            {
                *value = Value::from(HIDDEN);
            }
            self.steps[current].outcome = Some(outcome);
        }
    }
}

/// Tells whether two values are one and the same, not just equal.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => std::sync::Arc::ptr_eq(a, b),
        (Value::Hash(a), Value::Hash(b)) => std::sync::Arc::ptr_eq(a, b),
        _ => false,
    }
}

impl Listener for Explainer {
    fn enter(&mut self, mut node: LookupStep) {
        if let (Some(&around), LookupStep::Interpolation(text)) = (self.open.last(), &mut node)
            && self.steps[around].is_secret
        {
            *text = HIDDEN.into();
        }
        let index = self.add(Kind::Lookup(node));
        self.open.push(index);
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Found(key, value) => self.settle(Outcome::Found { key, value, place: Place::Data }),
            Event::FoundInOverrides(key, value) => {
                self.settle(Outcome::Found { key, value, place: Place::Overrides });
            }
            Event::FoundInDefaults(key, value) => {
                self.settle(Outcome::Found { key, value, place: Place::Defaults });
            }
            Event::NotFound(key) => self.settle(Outcome::NotFound(key)),
            Event::LocationNotFound => self.settle(Outcome::LocationNotFound),
            Event::Result(value) => self.settle(Outcome::Result(value)),
            Event::Changed { before, after } => self.change(&before, &after),
            Event::MergeSource(source) => {
                self.add(Kind::MergeSource(source));
            }
            Event::ModuleNotFound(name) => {
                self.add(Kind::ModuleNotFound(name));
            }
            Event::ModuleWithoutData(name) => {
                self.add(Kind::ModuleWithoutData(name));
            }
            Event::Secret => {
                if let Some(&current) = self.open.last() {
                    self.steps[current].is_secret = !self.shows_secrets;
                }
            }
            Event::Text(text) => match self.open.last() {
                Some(&current) => self.steps[current].texts.push(text),
                None => self.texts.push(text),
            },
        }
    }

    fn shows_secrets(&self) -> bool {
        self.shows_secrets
    }

    fn wants_only_options(&self) -> bool {
        self.only_options
    }
}
