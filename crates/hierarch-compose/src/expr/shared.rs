//! Long texts of a document as templates hold them: one copy each, however often a template uses it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use hierarch_pcore::Str;
use rustc_hash::FxHashMap;

/// Texts up to this are copied.
const SHORT: usize = 1_024;

/// How many texts are remembered before those that nobody uses are forgotten.
const FEW: usize = 64;

/// Copies of texts, by the address of the text, which is kept so that the address stays its own.
#[derive(Default)]
pub(crate) struct SharedTexts {
    known: Mutex<FxHashMap<usize, (Str, Weak<str>)>>,
}

impl SharedTexts {
    /// Returns the copy of a long text; short ones have none.
    pub(crate) fn copy_of(&self, text: &Str) -> Option<Arc<str>> {
        if text.len() <= SHORT {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let address = text.as_ptr() as usize;
        let found = known.get(&address).filter(|(kept, _)| kept.len() == text.len());
        if let Some(copy) = found.and_then(|(_, copy)| copy.upgrade()) {
            return Some(copy);
        }
        if known.len() >= FEW {
            known.retain(|_, (_, copy)| copy.strong_count() > 0);
        }
        let copy = Arc::<str>::from(text.as_str());
        known.insert(address, (text.clone(), Arc::downgrade(&copy)));
        Some(copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_copied_once() {
        let texts = SharedTexts::default();
        let text = Str::from("x".repeat(2_000));
        let copy = texts.copy_of(&text).expect("a copy");
        assert!(Arc::ptr_eq(&copy, &texts.copy_of(&text.clone()).expect("a copy")));
        let other = Str::from("y".repeat(2_000));
        assert_eq!(&*texts.copy_of(&other).expect("a copy"), other.as_str());
        assert_eq!(texts.copy_of(&Str::from("short")), None);
    }
}
