//! The built-in functions by name, and their signatures once somebody called them.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{Function, Signature};
use hierarch_source::Result;

/// All built-in functions of a program.
#[derive(Default)]
pub struct Registry {
    functions: FxHashMap<&'static str, Arc<Compiled>>,
}

/// A function whose signatures are read at its first call.
pub(crate) struct Compiled {
    pub(crate) function: &'static Function,
    signatures: OnceLock<Vec<Signature>>,
}

impl Registry {
    /// Makes a registry of families of functions.
    pub fn new(families: &[&[&'static Function]]) -> Self {
        let all = families.iter().flat_map(|family| family.iter());
        let compiled = |function: &&'static Function| {
            (function.name, Arc::new(Compiled { function, signatures: OnceLock::new() }))
        };
        Self { functions: all.map(compiled).collect() }
    }

    /// Finds a function.
    pub fn find(&self, name: &str) -> Option<&'static Function> {
        self.functions.get(name).map(|compiled| compiled.function)
    }

    /// Returns all functions, sorted by name.
    pub fn all(&self) -> Vec<&'static Function> {
        let mut all: Vec<_> = self.functions.values().map(|compiled| compiled.function).collect();
        all.sort_by_key(|function| function.name);
        all
    }

    pub(crate) fn compiled(&self, name: &str) -> Option<&Arc<Compiled>> {
        self.functions.get(name)
    }
}

impl Compiled {
    /// Returns the signatures, read now if they were not before.
    pub(crate) fn signatures(&self) -> Result<&[Signature]> {
        if let Some(signatures) = self.signatures.get() {
            return Ok(signatures);
        }
        let read = self.function.dispatches.iter().map(Signature::read).collect::<Result<Vec<_>>>()?;
        Ok(self.signatures.get_or_init(|| read))
    }
}
