//! Everything one evaluation knows: the instances, the host, what was evaluated already and what is under way.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Error, Place as SourcePlace, Result, Span};
use rustc_hash::FxHashMap;

use super::budget::Budget;
use super::host::ExpressionHost;
use super::path::{self, Path};
use super::tree::Tree;
use super::{ExpressionLimits, Options, issues};
use crate::template::TemplateSettings;

/// What all parts of an evaluation share.
pub(crate) struct World {
    pub(crate) tree: Tree,
    pub(crate) host: Arc<dyn ExpressionHost>,
    pub(crate) limits: ExpressionLimits,
    /// Neither files nor the environment are reached.
    pub(crate) safe: bool,
    /// Errors may tell secrets.
    pub(crate) reveals: bool,
    /// How templates are written.
    pub(crate) settings: TemplateSettings,
    /// Variables that everything in the document sees.
    pub(crate) globals: Hash,
    pub(crate) budget: Arc<Budget>,
    ready: Mutex<FxHashMap<Place, Value>>,
    under_way: Mutex<Vec<Reference>>,
    paths: Mutex<FxHashMap<Str, Arc<Path>>>,
    regexps: Mutex<FxHashMap<String, Arc<Regexp>>>,
    steps: AtomicU64,
    depth: AtomicUsize,
}

/// How many compiled patterns are kept.
const MOST_REGEXPS: usize = 1_000;

/// How long a pattern may be that is kept; compiled, it takes hundreds of times as much.
const KEPT_REGEXP: usize = 1 << 10;

/// How long a pattern may be.
const LONGEST_REGEXP: usize = 1 << 16;

/// Where in the tree a value stands: in which attribute of which instance, and there at which address.
///
/// The tree outlives all evaluation and never changes, so the address of a value names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) instance: u32,
    pub(crate) attribute: usize,
    pub(crate) value: usize,
}

impl Place {
    /// Returns the place of all attributes of an instance together.
    pub(crate) fn of_attributes(instance: u32) -> Self {
        Self { instance, attribute: 0, value: 0 }
    }

    /// Returns the place of a part: of the attributes together, an attribute.
    pub(crate) fn part(self, value: &Value) -> Self {
        let value = address(value);
        Self { value, attribute: if self.attribute == 0 { value } else { self.attribute }, ..self }
    }
}

/// Returns the address of a value in the tree.
pub(crate) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

/// What is being evaluated.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reference {
    Attribute(Place),
    /// A variable: its name, the address of the frame it stands in, and where it is written.
    Variable(Str, usize, Option<Place>),
}

impl World {
    pub(crate) fn new(tree: Tree, options: Options) -> Self {
        let Options { host, limits, safe, reveals, settings, globals, .. } = options;
        Self {
            tree,
            host,
            limits,
            safe,
            reveals,
            settings,
            globals,
            budget: Arc::new(Budget::new(&limits)),
            ready: Mutex::default(),
            under_way: Mutex::default(),
            paths: Mutex::default(),
            regexps: Mutex::default(),
            steps: AtomicU64::new(0),
            depth: AtomicUsize::new(0),
        }
    }

    /// Returns a path read from its text, which happens once.
    pub(crate) fn path(&self, text: &Str) -> Result<Arc<Path>> {
        if let Some(known) = locked(&self.paths).get(text) {
            return Ok(Arc::clone(known));
        }
        let path = Arc::new(path::parse(text, self.limits.path)?);
        locked(&self.paths).insert(text.clone(), Arc::clone(&path));
        Ok(path)
    }

    /// Returns a pattern, compiled once.
    pub(crate) fn regexp(&self, pattern: &str) -> Result<Arc<Regexp>> {
        if let Some(known) = locked(&self.regexps).get(pattern) {
            return Ok(Arc::clone(known));
        }
        let regexp = Arc::new(bounded_regexp(pattern)?);
        if pattern.len() > KEPT_REGEXP {
            return Ok(regexp);
        }
        let mut known = locked(&self.regexps);
        // Patterns may be made by a loop; those are not all worth keeping.
        if known.len() >= MOST_REGEXPS {
            known.clear();
        }
        known.insert(pattern.to_owned(), Arc::clone(&regexp));
        Ok(regexp)
    }

    /// Evaluates what stands at a place, once.
    pub(crate) fn once(&self, place: Place, evaluate: impl FnOnce() -> Result<Value>) -> Result<Value> {
        if let Some(known) = locked(&self.ready).get(&place) {
            return Ok(known.clone());
        }
        let value = self.guarded(Reference::Attribute(place), evaluate)?;
        self.budget.check(&value)?;
        locked(&self.ready).insert(place, value.clone());
        Ok(value)
    }

    /// Evaluates something that must not need itself.
    pub(crate) fn guarded<T>(&self, reference: Reference, evaluate: impl FnOnce() -> Result<T>) -> Result<T> {
        {
            let mut under_way = locked(&self.under_way);
            if let Some(at) = under_way.iter().position(|known| *known == reference) {
                let ring = under_way[at..].iter().chain([&reference]);
                return Err(issues::cycle(&self.chain(ring)));
            }
            under_way.push(reference);
        }
        let result = evaluate();
        locked(&self.under_way).pop();
        result
    }

    fn chain<'r>(&self, ring: impl Iterator<Item = &'r Reference>) -> Vec<String> {
        let mut names: Vec<String> = ring.map(|reference| self.name(reference)).collect();
        names.dedup();
        if names.len() == 1 {
            names.push(names[0].clone());
        }
        names
    }

    /// Names what a reference leads to, and says where that is written.
    fn name(&self, reference: &Reference) -> String {
        let (name, place) = match reference {
            Reference::Variable(name, _, place) => (format!("${name}"), *place),
            Reference::Attribute(place) => {
                let node = self.tree.node(place.instance);
                let mut attributes = node.attributes.iter();
                let key = attributes.find(|(_, value)| address(value) == place.attribute);
                let key = key.map(|(key, _)| key.to_string()).unwrap_or_default();
                (format!("::{}::{key}", node.name), Some(*place))
            }
        };
        match place.and_then(|place| self.written(place)) {
            Some(written) => format!("{name} ({})", issues::position(&written)),
            None => name,
        }
    }

    /// Returns where in a file a value of the tree is written, if the host knows.
    fn written(&self, place: Place) -> Option<SourcePlace> {
        self.host.place(&self.tree.pointer(place)?)
    }

    /// Gives an error the place of the value that failed. One that knows its file keeps it; one that knows only where in
    /// a template it happened gets the file that the template stands in.
    pub(crate) fn located(&self, place: Place, value: &Value, error: Error) -> Error {
        if knows_its_file(&error) {
            return error;
        }
        let Some(written) = self.written(place) else { return error };
        Self::located_at(written, value, error)
    }

    /// Does so for what may be a part of the tree: if it is not, whatever it lies in will be.
    pub(crate) fn located_part(&self, place: Place, value: &Value, error: Error) -> Error {
        if knows_its_file(&error) {
            return error;
        }
        let pointer = self.tree.exact_pointer(place);
        match pointer.and_then(|pointer| self.host.place(&pointer)) {
            Some(written) => Self::located_at(written, value, error),
            None => error,
        }
    }

    /// Returns the folder of the file that a place is written in, if the host knows.
    pub(crate) fn folder(&self, place: Place) -> Option<PathBuf> {
        self.host.folder(&self.tree.pointer(place)?)
    }

    fn located_at(written: SourcePlace, value: &Value, error: Error) -> Error {
        let mut diagnostic = error.into_diagnostic();
        let inner = diagnostic.place.take().filter(|inner| value.as_str() == Some(inner.source.text()));
        diagnostic.place = Some(match &inner {
            Some(inner) => within(&written, inner).unwrap_or(written),
            None => written,
        });
        let error = Error::from(diagnostic);
        match inner {
            Some(inner) => error.note(issues::in_template(&inner)),
            None => error,
        }
    }

    /// Counts a step and a level of nesting around it.
    pub(crate) fn nested<T>(&self, evaluate: impl FnOnce() -> Result<T>) -> Result<T> {
        self.step()?;
        if self.depth.fetch_add(1, Ordering::Relaxed) >= self.limits.depth {
            self.depth.fetch_sub(1, Ordering::Relaxed);
            return Err(issues::too_deep(self.limits.depth));
        }
        let result = evaluate();
        self.depth.fetch_sub(1, Ordering::Relaxed);
        result
    }

    /// Counts a step.
    pub(crate) fn step(&self) -> Result<()> {
        if self.steps.fetch_add(1, Ordering::Relaxed) >= self.limits.steps {
            return Err(issues::too_many_steps(self.limits.steps));
        }
        Ok(())
    }

    /// Forgets the steps counted so far: each question has its own budget.
    pub(crate) fn begin(&self) {
        self.steps.store(0, Ordering::Relaxed);
        self.budget.begin();
    }
}

/// Compiles a pattern, unless it is too long.
pub(crate) fn bounded_regexp(pattern: &str) -> Result<Regexp> {
    if pattern.len() > LONGEST_REGEXP {
        return Err(issues::pattern_too_long(LONGEST_REGEXP));
    }
    Regexp::new(pattern.to_owned())
}

fn knows_its_file(error: &Error) -> bool {
    error.place.as_ref().is_some_and(|place| place.source.name().is_some())
}

/// Finds a place of a template in the file that the template is written in: by its line, if that is there once.
fn within(written: &SourcePlace, inner: &SourcePlace) -> Option<SourcePlace> {
    let text = inner.source.text();
    let at = inner.span.start as usize;
    let start = text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..)?.lines().next()?.trim_end();
    let indent = line.len() - line.trim_start().len();
    let (from, to) = (written.span.start as usize, written.span.end as usize);
    let raw = written.source.text().get(from..to)?;
    let mut found = raw.match_indices(line.trim_start()).map(|(at, _)| at);
    let (first, None) = (found.next()?, found.next()) else { return None };
    let offset = from + first + (at - start).checked_sub(indent)?;
    let length = (inner.span.end - inner.span.start) as usize;
    Some(SourcePlace::new(&written.source, Span::new(offset as u32, (offset + length).min(to) as u32)))
}

/// Locks; a panic elsewhere cannot leave these tables half-written.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
