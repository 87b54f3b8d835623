//! Names as numbers: a name is looked up once, when code is lowered, and is an index from then on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// A name of a top-scope variable or of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NameId(u32);

impl NameId {
    /// Makes the id of an index.
    pub(crate) fn at(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns it as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names known so far. They are shared by everything that runs the same code.
#[derive(Default)]
pub(crate) struct Names(Mutex<KnownNames>);

#[derive(Default)]
struct KnownNames {
    ids: FxHashMap<Arc<str>, NameId>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// Returns the number of a name; a new name gets the next.
    pub(crate) fn id(&self, name: &str) -> NameId {
        let mut known = self.known();
        if let Some(id) = known.ids.get(name) {
            return *id;
        }
        let id = NameId(known.texts.len() as u32);
        let text: Arc<str> = name.into();
        known.texts.push(Arc::clone(&text));
        known.ids.insert(text, id);
        id
    }

    /// Returns the number of a name that is known already.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        self.known().ids.get(name).copied()
    }

    /// Returns the name behind a number.
    pub(crate) fn text(&self, id: NameId) -> Arc<str> {
        Arc::clone(&self.known().texts[id.index()])
    }

    fn known(&self) -> MutexGuard<'_, KnownNames> {
        // Nothing can panic while the lock is held, so what it guards is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let names = Names::default();
        let a = names.id("a");
        assert_ne!(a, names.id("b"));
        assert_eq!(a, names.id("a"));
        assert_eq!(&*names.text(a), "a");
        assert_eq!(names.find("c"), None);
    }
}
