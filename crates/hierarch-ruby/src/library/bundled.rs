//! Libraries that are written in Ruby: they run in the interpreter when they are required or first named.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{LIBRARIES, Library};
use crate::run::{Res, Vm};
use crate::syntax::{self, tree::Program};

/// Programs by the first feature of their library, read once in a process.
static PROGRAMS: LazyLock<Mutex<FxHashMap<&'static str, Arc<Program>>>> = LazyLock::new(Mutex::default);

/// What the names of our own files start with: they are not shown in backtraces.
pub(crate) const INTERNAL: &str = "<internal:";

fn program(library: &'static Library, source: &str) -> Option<Arc<Program>> {
    let name = library.features.first()?;
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = programs.get(name) {
        return Some(Arc::clone(program));
    }
    let program = Arc::new(syntax::parse(source, &format!("{INTERNAL}{name}>")).ok()?);
    programs.insert(name, Arc::clone(&program));
    Some(program)
}

impl Vm<'_> {
    /// Runs a library's text, once.
    pub(crate) fn load_library(&mut self, library: &'static Library) -> Res<()> {
        let (Some(source), Some(name)) = (library.source, library.features.first()) else { return Ok(()) };
        let mark = format!("{INTERNAL}{name}>");
        if self.features.iter().any(|known| *known == mark) {
            return Ok(());
        }
        self.features.push(mark.into());
        if let Some(program) = program(library, source) {
            self.run(&program)?;
        }
        Ok(())
    }

    /// Runs the library that brings a constant, if it may be seen.
    pub(crate) fn load_constant(&mut self, name: &str) -> Res<bool> {
        let found =
            LIBRARIES.iter().find(|library| library.source.is_some() && library.constants.contains(&name));
        let Some(library) = found.filter(|library| self.is_seen(library)) else { return Ok(false) };
        let mark = format!("{INTERNAL}{}>", library.features.first().copied().unwrap_or_default());
        if self.features.iter().any(|known| *known == mark) {
            return Ok(false);
        }
        self.load_library(library)?;
        Ok(true)
    }

    /// Tells whether a library may be seen: Puppet has loaded it, or the script.
    pub(crate) fn is_seen(&self, library: &Library) -> bool {
        library.is_loaded
            || library.features.iter().any(|feature| self.features.iter().any(|known| known == feature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_ruby() {
        for library in LIBRARIES {
            if let Some(source) = library.source {
                let read = syntax::parse(source, "x.rb").map(|_| ());
                assert_eq!(read, Ok(()), "{:?}", library.features);
                assert!(!library.constants.is_empty(), "{:?}", library.features);
            }
        }
    }
}
