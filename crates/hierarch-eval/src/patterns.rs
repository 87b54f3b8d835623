//! Patterns that programs give as texts, compiled once.

use std::cell::RefCell;
use std::sync::Arc;

use hierarch_pcore::Str;
use hierarch_pcore::regex::Regexp;
use hierarch_source::Result;
use rustc_hash::FxHashMap;

/// Programs use few patterns; one that makes new ones all the time is not to keep them.
const MOST: usize = 256;

/// The patterns of a run.
#[derive(Default)]
pub(crate) struct Patterns(RefCell<FxHashMap<Str, Arc<Regexp>>>);

impl Patterns {
    /// Compiles a pattern, or finds it compiled.
    pub(crate) fn get(&self, source: &str) -> Result<Arc<Regexp>> {
        if let Some(known) = self.0.borrow().get(source) {
            return Ok(Arc::clone(known));
        }
        let regexp = Arc::new(Regexp::new(source)?);
        let mut patterns = self.0.borrow_mut();
        if patterns.len() >= MOST {
            patterns.clear();
        }
        patterns.insert(source.into(), Arc::clone(&regexp));
        Ok(regexp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_compiled_once() {
        let patterns = Patterns::default();
        let first = patterns.get("a+").expect("a pattern");
        assert!(Arc::ptr_eq(&first, &patterns.get("a+").expect("a pattern")));
        assert!(patterns.get("(").is_err());
    }

    #[test]
    fn ever_new_patterns_are_not_all_kept() {
        let patterns = Patterns::default();
        for number in 0..MOST * 3 {
            patterns.get(&format!("a{number}")).expect("a pattern");
        }
        assert!(patterns.0.borrow().len() <= MOST);
    }
}
