//! One rendering: the names that are known, what was printed, and how much may still be done.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Source;
use rustc_hash::FxHashMap;

use super::blocks::Page;
use super::convert;
use super::fault::{Checked, FaultKind};
use super::issues;
use super::library;
use super::output::Output;
use super::parser::ParsedTemplate;
use super::settings::TemplateSettings;
use super::tree::{Body, Expr, Range, Stmt};
use super::value::{Branch, Charge, Dict, Flavor, List, Missing, Pairs, Text, Val};
use crate::expr::budget::Budget;
use crate::expr::functions::{self, Call};
use crate::expr::issues as limits;
use crate::expr::item::Item;
use crate::expr::scope::Scope;

/// How deep blocks, templates and expressions may nest while they run.
const DEEPEST: usize = 600;

/// How deep calls may nest, of which each takes many times the stack of an operator.
const DEEPEST_CALLS: usize = 60;

/// What becomes of a template that prints one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It is that thing.
    Native,
    /// It is its text.
    Text,
}

/// A template that was read.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) name: Option<Str>,
    pub(super) source: Arc<Source>,
    /// Where in that text it begins.
    pub(super) offset: usize,
    pub(super) parsed: ParsedTemplate,
}

/// Names, and the frame around them.
pub(super) struct Frame {
    pub(super) names: Vec<(Str, Val)>,
    pub(super) parent: Option<usize>,
    /// Beyond the outermost frame there are variables; not so for what is imported without context.
    sees_variables: bool,
    /// A macro refers to it, which may outlive it.
    captured: bool,
}

/// How a body ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Break,
    Continue,
}

pub(super) struct Renderer {
    pub(super) scope: Scope,
    pub(super) budget: Arc<Budget>,
    pub(super) form: Form,
    pub(super) settings: Rc<TemplateSettings>,
    /// A secret was used.
    pub(super) tainted: bool,
    pub(super) frames: Vec<Frame>,
    pub(super) here: usize,
    pub(super) page: Rc<Page>,
    pub(super) template: Rc<Template>,
    pub(super) loaded: FxHashMap<String, Rc<Template>>,
    known: FxHashMap<Str, Val>,
    fuel: u64,
    printed: usize,
    depth: usize,
    calls: usize,
}

impl Renderer {
    pub(super) fn new(scope: &Scope, form: Form, settings: TemplateSettings, template: Template) -> Self {
        let template = Rc::new(template);
        Self {
            scope: scope.clone(),
            budget: Arc::clone(&scope.world.budget),
            form,
            settings: Rc::new(settings),
            tainted: false,
            frames: vec![Frame { names: Vec::new(), parent: None, sees_variables: true, captured: true }],
            here: 0,
            page: Rc::new(Page::new(&template, 0)),
            template,
            loaded: FxHashMap::default(),
            known: FxHashMap::default(),
            fuel: scope.world.limits.fuel,
            printed: 0,
            depth: 0,
            calls: 0,
        }
    }

    pub(super) fn strict(&self) -> bool {
        self.scope.strict
    }

    /// Counts a step.
    pub(super) fn step(&mut self) -> Checked<()> {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(limits::too_many_steps(self.scope.world.limits.fuel).into()),
        }
    }

    /// Does something one level deeper.
    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.step()?;
        if self.depth >= DEEPEST {
            return Err(issues::recursion(DEEPEST));
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// Runs a macro, a block or a template inside of what is running.
    pub(super) fn nested<T>(&mut self, work: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        if self.calls >= DEEPEST_CALLS {
            return Err(issues::recursion(DEEPEST_CALLS));
        }
        self.calls += 1;
        let result = self.deeper(work);
        self.calls -= 1;
        result
    }

    /// Counts bytes that are written.
    pub(super) fn write(&mut self, bytes: usize) -> Checked<()> {
        self.printed = self.printed.saturating_add(bytes);
        let most = self.scope.world.limits.size;
        if self.printed > most { Err(limits::too_much_output(most).into()) } else { Ok(()) }
    }

    /// Counts bytes that are worked on.
    pub(super) fn go_through(&self, bytes: usize) -> Checked<()> {
        Ok(self.budget.go_through(bytes)?)
    }

    /// Refuses to make something that is larger than the limit, before it is made.
    pub(super) fn fits(&self, bytes: usize) -> Checked<()> {
        Ok(self.budget.fits(bytes)?)
    }

    // What values are made with.

    pub(super) fn text(&self, text: impl Into<Str>) -> Checked<Val> {
        Ok(Val::Text(Text::new(&self.budget, text.into(), Flavor::Plain)?))
    }

    pub(super) fn flavored(&self, text: impl Into<Str>, flavor: Flavor) -> Checked<Val> {
        Ok(Val::Text(Text::new(&self.budget, text.into(), flavor)?))
    }

    pub(super) fn list(&self, items: Vec<Val>) -> Checked<Val> {
        Ok(Val::List(List::new(&self.budget, items)?))
    }

    pub(super) fn tuple(&self, items: Vec<Val>) -> Checked<Val> {
        Ok(Val::Tuple(List::new(&self.budget, items)?))
    }

    pub(super) fn dict(&self, pairs: Pairs) -> Checked<Val> {
        Ok(Val::Dict(Dict::new(&self.budget, pairs)?))
    }

    /// Makes a map of texts and values.
    pub(super) fn dict_of(&mut self, entries: impl IntoIterator<Item = (Str, Val)>) -> Checked<Val> {
        let mut pairs = Pairs::default();
        for (name, value) in entries {
            pairs.insert(super::value::Key::Text(name.clone()), (Val::text(name), value));
        }
        self.dict(pairs)
    }

    /// Makes a template's value of a finished one that was made for it.
    pub(super) fn made(&mut self, value: Value) -> Checked<Val> {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(_) | Value::Hash(_) => {
                let bytes = self.budget.weighed(&value)?;
                let charge = Charge::new(&self.budget, bytes)?;
                Ok(Val::Branch(Branch::made(value, charge)))
            }
            other => Ok(convert::wrapped(self, Item::Done(other))),
        }
    }

    // Names.

    /// Opens a frame inside of the one that is open.
    pub(super) fn enter(&mut self) -> usize {
        self.enter_below(Some(self.here))
    }

    /// Opens a frame inside of another; without one, only functions are seen beyond it.
    pub(super) fn enter_below(&mut self, parent: Option<usize>) -> usize {
        let before = self.here;
        let sees_variables = parent.is_some();
        self.frames.push(Frame { names: Vec::new(), parent, sees_variables, captured: false });
        self.here = self.frames.len() - 1;
        before
    }

    /// Goes back to the frame that was open before.
    pub(super) fn leave(&mut self, before: usize) -> Checked<()> {
        let left = self.here;
        self.here = before;
        if left + 1 == self.frames.len() && !self.frames[left].captured {
            self.frames.pop();
            return Ok(());
        }
        // It is kept to the end, because a macro may need it.
        Ok(self.budget.take(4 * crate::expr::budget::NODE)?)
    }

    /// Runs something inside of a frame of its own.
    pub(super) fn framed<T>(&mut self, work: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        let before = self.enter();
        let result = work(self);
        self.leave(before)?;
        result
    }

    /// Keeps the frame that is open for a macro.
    pub(super) fn capture(&mut self) -> usize {
        self.frames[self.here].captured = true;
        self.here
    }

    pub(super) fn assign(&mut self, name: &Str, value: Val) {
        let names = &mut self.frames[self.here].names;
        match names.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => names.push((name.clone(), value)),
        }
    }

    pub(super) fn name(&mut self, name: &Str, range: Range) -> Checked<Val> {
        if let Some(found) = self.find(name)? {
            return Ok(found);
        }
        let (kind, message) = (FaultKind::UndefinedVariable, name.clone());
        Ok(Val::Undefined(Rc::new(Missing { kind, message, range: Some(range), own: None })))
    }

    pub(super) fn find(&mut self, name: &Str) -> Checked<Option<Val>> {
        let mut frame = Some(self.here);
        let mut sees_variables = true;
        while let Some(at) = frame {
            let here = &self.frames[at];
            if let Some((_, value)) = here.names.iter().find(|(known, _)| known == name) {
                return Ok(Some(value.clone()));
            }
            sees_variables = here.sees_variables;
            frame = here.parent;
        }
        if sees_variables {
            if let Some(known) = self.known.get(name) {
                return Ok(Some(known.clone()));
            }
            if let Some(found) = self.variable(name)? {
                self.known.insert(name.clone(), found.clone());
                return Ok(Some(found));
            }
        }
        Ok(library::global(name))
    }

    /// Returns a variable of the document; one that cannot be had because it uses what is not there is not there either.
    fn variable(&mut self, name: &Str) -> Checked<Option<Val>> {
        match self.scope.variable(name).and_then(|found| found.map(Item::woken).transpose()) {
            Ok(Some(item)) => return Ok(Some(convert::wrapped(self, item))),
            Ok(None) => {}
            Err(error) if error.code == limits::UNDEFINED => {
                let (kind, message) = (FaultKind::Undefined, Str::from(error.message.as_str()));
                return Ok(Some(Val::Undefined(Rc::new(Missing {
                    kind,
                    message,
                    range: None,
                    own: Some(error),
                }))));
            }
            Err(error) => return Err(error.into()),
        }
        let world = Arc::clone(&self.scope.world);
        Ok(match name.as_str() {
            "__unfurl" => Some(Val::Object(Rc::new(super::unfurl::Bridge))),
            "SELF" => {
                let instance = world.tree.node(self.scope.instance).value.clone();
                Some(convert::wrapped(self, Item::Done(instance)))
            }
            "__now" => world.host.now().map(Val::Float),
            _ => None,
        })
    }

    /// Calls a function of expressions.
    pub(super) fn function(&mut self, name: &str, argument: &Value, named: &Hash) -> Checked<Val> {
        let scope = self.scope.clone();
        let call = Call { scope: &scope, name, argument, named, ready: true, has_secret: Cell::default() };
        let found = functions::call(name, &call)?.one();
        Ok(convert::wrapped(self, Item::Done(found)))
    }

    // Statements.

    /// Runs statements.
    pub(super) fn body(&mut self, body: &Body, out: &mut Output) -> Checked<Flow> {
        for statement in body {
            let flow = self.statement(statement, out)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, statement: &Stmt, out: &mut Output) -> Checked<Flow> {
        match statement {
            Stmt::Data(text) if !out.muted => {
                self.step()?;
                out.data(self, text)?;
            }
            Stmt::Print(expr) if !out.muted => {
                let value = self.eval(expr)?;
                let had_values = out.has_values;
                out.print(self, value).map_err(|fault| fault.at(expr.range))?;
                out.has_values = had_values || (out.has_values && !self.is_constant(expr));
            }
            Stmt::Data(_) | Stmt::Print(_) => {}
            other => return self.deeper(|renderer| super::tags::run(renderer, other, out)),
        }
        Ok(Flow::On)
    }

    fn is_constant(&mut self, expr: &Expr) -> bool {
        expr.is_constant(&mut |part| self.eval(part).and_then(|value| self.truth(&value)).ok())
    }

    /// Runs statements whose output becomes a value.
    pub(super) fn captured(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Output) -> Checked<Flow>,
    ) -> Checked<Val> {
        let mut out = Output::default();
        work(self, &mut out)?;
        out.value(self)
    }

    /// Returns the frame of the names that a template itself sets.
    pub(super) fn exported(&self, frame: usize) -> Vec<(Str, Val)> {
        self.frames[frame].names.iter().filter(|(name, _)| !name.starts_with('_')).cloned().collect()
    }
}
