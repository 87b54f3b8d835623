//! Definitions of modules: `a::b::c` is looked for in `MODULE/manifests/b/c.pp`, in `b.pp` and in `init.pp`.

use std::path::PathBuf;
use std::sync::Arc;

use hierarch_pcore::Str;
use hierarch_source::Result;

use super::{Definition, DefinitionId};
use crate::code::Code;
use crate::evaluator::Evaluator;
use crate::load::Loading;

impl Loading<'_> {
    /// Finds a class by its name in lower case, loading what may define it.
    pub(crate) fn class(&self, name: &str) -> Result<Option<DefinitionId>> {
        self.find_definition(name, true)
    }

    /// Finds a defined type by its name in lower case, loading what may define it.
    pub(crate) fn define(&self, name: &str) -> Result<Option<DefinitionId>> {
        self.find_definition(name, false)
    }

    /// Returns a definition; none for the main program.
    pub(crate) fn definition(&self, id: DefinitionId) -> Option<Arc<Definition>> {
        self.known.borrow().get(id).cloned()
    }

    fn find_definition(&self, name: &str, is_class: bool) -> Result<Option<DefinitionId>> {
        let known = |name: &str| {
            let known = self.known.borrow();
            if is_class { known.class(name) } else { known.define(name) }
        };
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(id) = known(name) {
            return Ok(Some(id));
        }
        let key = (is_class, Str::from(name));
        if self.known.borrow().missing.contains(&key) {
            return Ok(None);
        }
        for (module, files) in self.manifests_for(name) {
            self.load_manifests(&module, files)?;
            if let Some(id) = known(name) {
                return Ok(Some(id));
            }
        }
        self.known.borrow_mut().missing.insert(key);
        Ok(None)
    }

    /// Returns the files that may define a name, in the order in which they are tried. `init.pp` always comes first.
    fn manifests_for(&self, name: &str) -> Vec<(String, Vec<PathBuf>)> {
        let (module, rest) = name.split_once("::").unwrap_or((name, ""));
        let Some(folder) = self.environment.module_folder(module) else { return Vec::new() };
        let folder = folder.join("manifests");
        let mut tries = Vec::new();
        let mut rest = rest;
        loop {
            let mut files = vec![folder.join("init.pp")];
            if !rest.is_empty() {
                files.push(folder.join(format!("{}.pp", rest.replace("::", "/"))));
            }
            tries.push((module.to_owned(), files));
            if rest.is_empty() {
                return tries;
            }
            rest = rest.rsplit_once("::").map_or("", |(front, _)| front);
        }
    }

    fn load_manifests(&self, module: &str, files: Vec<PathBuf>) -> Result<()> {
        let mut loaded: Vec<Arc<Code>> = Vec::new();
        for file in files {
            if self.known.borrow().files.contains(&file) {
                continue;
            }
            if let Some(code) = self.manifest(&file)? {
                loaded.push(code);
            }
            self.known.borrow_mut().files.insert(file);
        }
        for code in loaded {
            self.add_definitions(&code, module)?;
        }
        Ok(())
    }

    /// Reads a manifest of a module, or finds it read.
    fn manifest(&self, file: &PathBuf) -> Result<Option<Arc<Code>>> {
        if let Some(known) = self.environment.loaded().manifests.get(file) {
            return Ok(known.clone());
        }
        let code = match self.load_code(file) {
            Err(_) if !self.environment.files().is_file(file) => None,
            read => Some(read?),
        };
        self.environment.loaded().manifests.insert(file.clone(), code.clone());
        Ok(code)
    }

    /// Makes all definitions of a program known.
    pub(crate) fn add_definitions(&self, code: &Arc<Code>, module: &str) -> Result<()> {
        self.known.borrow_mut().add_all(code, module)?;
        self.add_functions_and_types(code)
    }
}

impl Evaluator<'_> {
    /// Logs what loading found worth a warning, each once.
    pub(crate) fn log_load_warnings(&mut self) {
        let warnings = std::mem::take(&mut self.loading.known.borrow_mut().warnings);
        for message in warnings {
            self.output.warn_once(message);
        }
    }
}
