//! Everything one evaluation knows: the instances, the host, what was evaluated already and what is under way.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use hierarch_pcore::{Str, Value};
use hierarch_source::Result;
use rustc_hash::FxHashMap;

use super::host::Host;
use super::path::{self, Path};
use super::tree::Tree;
use super::{Limits, issues};
use crate::template::Engines;

/// What all parts of an evaluation share.
pub(crate) struct World {
    pub(crate) tree: Tree,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) limits: Limits,
    /// Neither files nor the environment are reached.
    pub(crate) safe: bool,
    pub(crate) engines: OnceLock<Engines>,
    ready: Mutex<FxHashMap<Place, Value>>,
    under_way: Mutex<Vec<Reference>>,
    paths: Mutex<FxHashMap<Str, Arc<Path>>>,
    steps: AtomicU64,
    depth: AtomicUsize,
}

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
fn address(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

/// What is being evaluated.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reference {
    Attribute(Place),
    /// A variable: its name and the address of the frame it stands in.
    Variable(Str, usize),
}

impl World {
    pub(crate) fn new(tree: Tree, host: Arc<dyn Host>, limits: Limits, safe: bool) -> Self {
        Self {
            tree,
            host,
            limits,
            safe,
            engines: OnceLock::new(),
            ready: Mutex::default(),
            under_way: Mutex::default(),
            paths: Mutex::default(),
            steps: AtomicU64::new(0),
            depth: AtomicUsize::new(0),
        }
    }

    /// Returns a path read from its text, which happens once.
    pub(crate) fn path(&self, text: &Str) -> Result<Arc<Path>> {
        if let Some(known) = locked(&self.paths).get(text) {
            return Ok(Arc::clone(known));
        }
        let path = Arc::new(path::parse(text)?);
        locked(&self.paths).insert(text.clone(), Arc::clone(&path));
        Ok(path)
    }

    /// Evaluates what stands at a place, once.
    pub(crate) fn once(&self, place: Place, evaluate: impl FnOnce() -> Result<Value>) -> Result<Value> {
        if let Some(known) = locked(&self.ready).get(&place) {
            return Ok(known.clone());
        }
        let value = self.guarded(Reference::Attribute(place), evaluate)?;
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

    fn name(&self, reference: &Reference) -> String {
        match reference {
            Reference::Variable(name, _) => format!("${name}"),
            Reference::Attribute(place) => {
                let node = self.tree.node(place.instance);
                let mut attributes = node.attributes.iter();
                let key = attributes.find(|(_, value)| address(value) == place.attribute);
                format!("::{}::{}", node.name, key.map(|(key, _)| key.to_string()).unwrap_or_default())
            }
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
    }
}

/// Locks; a panic elsewhere cannot leave these tables half-written.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
