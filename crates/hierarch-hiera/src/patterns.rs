//! The patterns of `lookup_options`, each compiled once for all nodes and for all states of the data that share them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hierarch_pcore::regex::Regexp;
use hierarch_source::Result;

/// Patterns may be made of facts, and a server asks for many nodes: more than these are forgotten and compiled anew.
const MOST: usize = 10_000;

/// Compiled patterns by their texts.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    known: Mutex<HashMap<String, Arc<Regexp>>>,
    #[cfg(test)]
    compiled: std::sync::atomic::AtomicUsize,
}

impl Patterns {
    /// Returns a pattern, compiled.
    pub(crate) fn get(&self, text: &str) -> Result<Arc<Regexp>> {
        if let Some(known) = self.known().get(text) {
            return Ok(Arc::clone(known));
        }
        let pattern = Arc::new(Regexp::new(text)?);
        #[cfg(test)]
        self.compiled.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut known = self.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text.to_owned(), Arc::clone(&pattern));
        Ok(pattern)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<Regexp>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use hierarch_source::{Files, MemoryFiles};

    use super::*;
    use crate::{Hiera, Query, Scope};

    fn files(text: &str) -> MemoryFiles {
        let options = "lookup_options: {'^k': {merge: deep}, '^l': {merge: unique}}\n";
        MemoryFiles::from([
            ("hiera.yaml", "version: 5\nhierarchy:\n- {name: A, paths: [a.yaml, b.yaml]}\n"),
            ("data/a.yaml", text),
            ("data/b.yaml", options),
        ])
    }

    #[test]
    fn a_pattern_is_compiled_once_for_all_nodes_and_edits() {
        let hiera = Hiera::open(files("k: {a: 1}"), "hiera.yaml");
        let query = Query::new(["k".to_owned()]);
        for number in 2..6 {
            let edited: Arc<dyn Files> = Arc::new(files(&format!("k: {{a: {number}}}")));
            let edited = hiera.edited(edited, |path| path.ends_with("a.yaml"));
            for _ in 0..3 {
                let asked = [&hiera, &edited].map(|hiera| hiera.session(&Scope::new()).lookup(&query, None));
                let told =
                    asked.map(|value| value.map_or_else(|error| error.message.clone(), |v| v.to_json()));
                assert_eq!(told, [r#"{"a":1}"#.to_owned(), format!(r#"{{"a":{number}}}"#)]);
            }
        }
        assert_eq!(hiera.patterns().compiled.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_malformed_pattern_fails_each_time_and_many_are_forgotten() {
        let patterns = Patterns::default();
        assert!(patterns.get("^(").is_err() && patterns.get("^(").is_err());
        for number in 0..=MOST {
            patterns.get(&format!("^{number}")).expect("a pattern");
        }
        assert_eq!(patterns.known().len(), 1);
    }
}
