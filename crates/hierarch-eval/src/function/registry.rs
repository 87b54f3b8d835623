//! The built-in functions by name, and their signatures once they were called.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{Function, Kind, Language, Signature};
use hierarch_pcore::Value;
use hierarch_source::Result;

/// All built-in functions of a program.
#[derive(Default)]
pub struct Registry {
    functions: FxHashMap<&'static str, Entry>,
    language: Option<&'static dyn Language>,
}

struct Entry {
    compiled: Arc<CompiledFunction>,
    /// The module it stands in for; it is there only where the module is.
    module: Option<&'static str>,
}

/// A function whose signatures are read at its first call.
pub(crate) struct CompiledFunction {
    pub(crate) function: &'static Function,
    signatures: OnceLock<Vec<Signature>>,
}

impl Registry {
    /// Makes a registry of families of functions.
    pub fn new(families: &[&[&'static Function]]) -> Self {
        let mut registry = Self::default();
        registry.add(families, None);
        registry
    }

    /// Adds functions that stand in for the Ruby functions of a module, wherever that is on the modulepath.
    #[must_use]
    pub fn with_module(mut self, module: &'static str, families: &[&[&'static Function]]) -> Self {
        self.add(families, Some(module));
        self
    }

    /// Adds a language that functions of modules may be written in.
    #[must_use]
    pub fn with_language(mut self, language: &'static dyn Language) -> Self {
        self.language = Some(language);
        self
    }

    pub(crate) fn language(&self) -> Option<&'static dyn Language> {
        self.language
    }

    fn add(&mut self, families: &[&[&'static Function]], module: Option<&'static str>) {
        for function in families.iter().flat_map(|family| family.iter()) {
            let compiled = Arc::new(CompiledFunction { function, signatures: OnceLock::new() });
            self.functions.insert(function.name, Entry { compiled, module });
        }
    }

    /// Finds a function.
    pub fn find(&self, name: &str) -> Option<&'static Function> {
        self.functions.get(name).map(|entry| entry.compiled.function)
    }

    /// Returns all functions, sorted by name.
    pub fn all(&self) -> Vec<&'static Function> {
        let mut all: Vec<_> = self.functions.values().map(|entry| entry.compiled.function).collect();
        all.sort_by_key(|function| function.name);
        all
    }

    /// Returns the module that a function stands in for.
    pub fn module_of(&self, name: &str) -> Option<&'static str> {
        self.functions.get(name).and_then(|entry| entry.module)
    }

    pub(crate) fn compiled(&self, name: &str) -> Option<&Arc<CompiledFunction>> {
        self.functions.get(name).map(|entry| &entry.compiled)
    }
}

impl CompiledFunction {
    /// Tells whether arguments without a block fit one of the signatures.
    pub(crate) fn takes(&self, arguments: &[Value]) -> Result<bool> {
        let count = i32::try_from(arguments.len()).unwrap_or(i32::MAX);
        let mut both = self.function.dispatches.iter().zip(self.signatures()?);
        Ok(both.any(|(dispatch, signature)| match dispatch.kind {
            Kind::Legacy(arity) if arity < 0 => count > -arity - 2,
            Kind::Legacy(arity) => count == arity,
            Kind::Mismatch => false,
            Kind::Typed => {
                signature.takes(arguments) && signature.block.as_ref().is_none_or(|block| block.is_optional)
            }
        }))
    }

    /// Returns the signatures, read now if they were not before.
    pub(crate) fn signatures(&self) -> Result<&[Signature]> {
        if let Some(signatures) = self.signatures.get() {
            return Ok(signatures);
        }
        let read = self.function.dispatches.iter().map(Signature::read).collect::<Result<Vec<_>>>()?;
        Ok(self.signatures.get_or_init(|| read))
    }
}
