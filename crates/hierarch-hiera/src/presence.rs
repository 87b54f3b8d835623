//! Whether something is there, as it was when that was first asked: a fleet asks about the same few files for every node.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use foldhash::fast::RandomState;
use hierarch_pcore::Str;

/// What was found out, by name.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    known: RwLock<HashMap<Str, bool, RandomState>>,
}

impl Presence {
    /// Tells whether what a name stands for is there, asking at most once.
    pub(crate) fn of(&self, name: &str, ask: impl FnOnce() -> bool) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        known.unwrap_or_else(|| {
            let is_there = ask();
            // Threads that ask at the same time go on with the same answer.
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            *known.entry(name.into()).or_insert(is_there)
        })
    }

    /// Forgets everything, so that it is asked anew.
    pub(crate) fn forget(&self) {
        self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_asked_again_until_it_is_forgotten() {
        let presence = Presence::default();
        assert!(presence.of("a", || true));
        assert!(presence.of("a", || false));
        assert!(!presence.of("b", || false));
        presence.forget();
        assert!(!presence.of("a", || false));
    }
}
