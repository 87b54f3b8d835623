//! What surveys know about an environment, whichever node they asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use foldhash::fast::RandomState;
use hierarch_pcore::Str;

use super::chain::{Chains, Element, HeldKeys, Link, Root};
use super::{SharedOptions, Survey};

type OptionSurveys = HashMap<Option<Str>, Arc<Survey<SharedOptions>>, RandomState>;

/// Chains of files, keys and lookup options, each known once.
#[derive(Debug, Default)]
pub(crate) struct Fleet {
    chains: Mutex<Chains>,
    roots: RwLock<HashMap<Str, Arc<Root>, RandomState>>,
    options: Mutex<OptionSurveys>,
    numbers: AtomicU32,
}

impl Fleet {
    /// Puts a file on top of a chain.
    pub(crate) fn extend(&self, below: Option<Arc<Link>>, element: Element, held: &HeldKeys) -> Arc<Link> {
        self.chains.lock().unwrap_or_else(PoisonError::into_inner).extend(below, element, held)
    }

    /// Returns a key as surveys know it.
    pub(crate) fn root(&self, name: &Str) -> Arc<Root> {
        if let Some(root) = self.roots.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Arc::clone(root);
        }
        let mut roots = self.roots.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(roots.entry(name.clone()).or_insert_with(|| Arc::new(Root::new(name.clone()))))
    }

    /// Returns the survey of the lookup options for the keys of a module.
    pub(crate) fn options(&self, module: Option<&Str>) -> Arc<Survey<SharedOptions>> {
        let mut surveys = self.options.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(surveys.entry(module.cloned()).or_default())
    }

    /// Returns a number that was not given before.
    pub(crate) fn new_number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }
}
