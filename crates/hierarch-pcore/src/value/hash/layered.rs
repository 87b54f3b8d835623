//! Sums of hashes that share their larger part: `$big + { one => more }` copies one entry, not all of them.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::{Entries, Hash, Value};

/// A smaller hash is copied: that is done before the parts of a shared one are made.
const LEAST: usize = 64;

/// An own part up to this share of what is below is kept apart; with more of it, everything costs twice the searches.
const SHARE: usize = 4;

/// A hash below another one's own entries, and what stands in the place of some of its values.
#[derive(Clone)]
pub(super) struct Below {
    /// Has nothing below itself.
    hash: Arc<Hash>,
    replaced: HashMap<usize, Value, RandomState>,
}

impl Below {
    pub(super) fn len(&self) -> usize {
        self.hash.entries.len()
    }

    pub(super) fn get(&self, key: &(impl std::hash::Hash + indexmap::Equivalent<Value>)) -> Option<&Value> {
        let (index, _, value) = self.hash.entries.get_full(key)?;
        Some(self.value_at(index, value))
    }

    pub(super) fn at(&self, index: usize) -> Option<(&Value, &Value)> {
        let (key, value) = self.hash.entries.get_index(index)?;
        Some((key, self.value_at(index, value)))
    }

    fn value_at<'a>(&'a self, index: usize, value: &'a Value) -> &'a Value {
        if self.replaced.is_empty() { value } else { self.replaced.get(&index).unwrap_or(value) }
    }

    /// Returns where the value of a key stands, to be replaced.
    pub(super) fn place_of(&mut self, key: &Value) -> Option<&mut Value> {
        let (index, _, value) = self.hash.entries.get_full(key)?;
        Some(self.replaced.entry(index).or_insert_with(|| value.clone()))
    }

    /// Takes the entries out, those of the hash below copied only if another owner holds it.
    fn into_entries(self) -> Entries {
        let mut entries = Arc::unwrap_or_clone(self.hash).entries;
        for (index, value) in self.replaced {
            if let Some((_, old)) = entries.get_index_mut(index) {
                *old = value;
            }
        }
        entries
    }
}

impl Hash {
    /// Returns a hash with the same entries that `more` can be added to.
    pub(super) fn above(shared: &Arc<Self>, more: usize) -> Self {
        let (below, own) = match &shared.below {
            Some(below) => (below.len(), shared.entries.len() + below.replaced.len()),
            None => (shared.entries.len(), 0),
        };
        if below < LEAST || (own + more) * SHARE > below {
            let mut copy = (**shared).clone();
            copy.flat();
            return copy;
        }
        if shared.below.is_some() {
            return (**shared).clone();
        }
        let below = Below { hash: Arc::clone(shared), replaced: HashMap::default() };
        Self { below: Some(Box::new(below)), entries: Entries::default(), extent: shared.extent }
    }

    /// Returns all entries as one map, to be changed.
    pub(super) fn flat(&mut self) -> &mut Entries {
        if let Some(below) = self.below.take() {
            let own = std::mem::take(&mut self.entries);
            self.entries = below.into_entries();
            self.entries.extend(own);
        }
        &mut self.entries
    }
}

/// A walk over keys and values in order.
#[derive(Clone)]
pub struct Iter<'a> {
    below: Option<WalkBelow<'a>>,
    own: indexmap::map::Iter<'a, Value, Value>,
}

#[derive(Clone)]
struct WalkBelow<'a> {
    below: &'a Below,
    entries: std::iter::Enumerate<indexmap::map::Iter<'a, Value, Value>>,
}

impl<'a> WalkBelow<'a> {
    fn entry(&self, (index, (key, value)): (usize, (&'a Value, &'a Value))) -> (&'a Value, &'a Value) {
        (key, self.below.value_at(index, value))
    }
}

impl<'a> Iter<'a> {
    pub(super) fn new(below: Option<&'a Below>, own: &'a Entries) -> Self {
        let walk = |below: &'a Below| WalkBelow { below, entries: below.hash.entries.iter().enumerate() };
        Self { below: below.map(walk), own: own.iter() }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Value, &'a Value);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(walk) = &mut self.below
            && let Some(entry) = walk.entries.next()
        {
            return Some(walk.entry(entry));
        }
        self.own.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let below = self.below.as_ref().map_or(0, |walk| walk.entries.len());
        let left = below + self.own.len();
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.own.next_back().or_else(|| {
            let walk = self.below.as_mut()?;
            let entry = walk.entries.next_back()?;
            Some(walk.entry(entry))
        })
    }
}

impl ExactSizeIterator for Iter<'_> {}
