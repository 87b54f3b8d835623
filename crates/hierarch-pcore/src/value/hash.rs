//! Hashes: any value as key, in the order in which keys were first put in.

mod layered;

use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use self::layered::Below;
pub use self::layered::Iter;
use super::Value;
use super::extent::Extent;

type Entries = IndexMap<Value, Value, RandomState>;

/// An ordered hash. Keys are compared by identity: `1`, `1.0` and `'1'` are three keys.
///
/// A large one that a few entries are added to is not copied: the sum keeps it below its own entries (`layered.rs`).
#[derive(Clone)]
pub struct Hash {
    below: Option<Box<Below>>,
    /// The entries whose keys are not below.
    entries: Entries,
    extent: Extent,
}

/// As many keys are compared one by one.
const FEW: usize = 6;

impl Hash {
    /// Makes an empty hash.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty hash with room for `count` entries.
    pub fn with_capacity(count: usize) -> Self {
        Self::from(IndexMap::with_capacity_and_hasher(count, RandomState::default()))
    }

    /// Returns how large and how deep it is.
    #[inline]
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Tells how many entries there are.
    pub fn len(&self) -> usize {
        self.below_len() + self.entries.len()
    }

    fn below_len(&self) -> usize {
        self.below.as_ref().map_or(0, |below| below.len())
    }

    /// Tells whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.find(key)
    }

    /// Returns the value of a string key, without making a value of the key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        // To compare a few texts takes less time than to sum one up.
        if self.below.is_none() && self.entries.len() <= FEW {
            let is_key = |known: &Value| matches!(known, Value::String(text) if text == key);
            return self.entries.iter().find(|(known, _)| is_key(known)).map(|(_, value)| value);
        }
        self.find(&StrKey(key))
    }

    fn find(&self, key: &(impl std::hash::Hash + indexmap::Equivalent<Value>)) -> Option<&Value> {
        let below = self.below.as_ref().and_then(|below| below.get(key));
        below.or_else(|| self.entries.get(key))
    }

    /// Tells whether there is such a key.
    pub fn contains_key(&self, key: &Value) -> bool {
        self.get(key).is_some()
    }

    /// Tells whether there is such a string key.
    pub fn contains_str(&self, key: &str) -> bool {
        self.get_str(key).is_some()
    }

    /// Sets the value of a key. A key that was there keeps its place.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        self.extent.add(&value);
        let extent_of_key = key.extent();
        let place = self.below.as_mut().and_then(|below| below.place_of(&key));
        let old = match place {
            Some(place) => Some(std::mem::replace(place, value)),
            None => self.entries.insert(key, value),
        };
        match &old {
            Some(old) => self.extent.subtract(old),
            None => self.extent.add_measured(extent_of_key),
        }
        old
    }

    /// Adds the entries of another hash to a hash that others may hold, too: it is changed if nobody does, shared if it
    /// is large and little is added, and copied otherwise.
    #[must_use]
    pub fn sum(left: Arc<Self>, right: &Self) -> Self {
        let mut sum = match Arc::try_unwrap(left) {
            Ok(own) => own,
            Err(shared) => Self::above(&shared, right.len()),
        };
        sum.extend(right.iter().map(|(key, value)| (key.clone(), value.clone())));
        sum
    }

    /// Takes a key out, the order of the others unchanged.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        let (key, value) = self.flat().shift_remove_entry(key)?;
        self.extent.subtract(&key);
        self.extent.subtract(&value);
        Some(value)
    }

    /// Takes the value of a key out to be changed and put back; `undef` stands in its place meanwhile.
    pub fn take(&mut self, key: &Value) -> Option<Value> {
        let value = std::mem::take(self.flat().get_mut(key)?);
        self.extent.subtract(&value);
        self.extent.add(&Value::Undef);
        Some(value)
    }

    /// Returns the entry at a position.
    pub fn at(&self, index: usize) -> Option<(&Value, &Value)> {
        match &self.below {
            Some(below) if index < below.len() => below.at(index),
            below => self.entries.get_index(index - below.as_ref().map_or(0, |below| below.len())),
        }
    }

    /// Walks over keys and values in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter::new(self.below.as_deref(), &self.entries)
    }

    /// Walks over the keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// Walks over the values in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// Keeps the entries for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Value, &Value) -> bool) {
        self.flat().retain(|key, value| keep(key, value));
        self.extent = Extent::of_parts(self.iter().flat_map(|(key, value)| [key, value]));
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Hash {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
        Self::from(entries.collect::<Entries>())
    }
}

impl From<Entries> for Hash {
    fn from(entries: Entries) -> Self {
        let extent = Extent::of_parts(entries.iter().flat_map(|(key, value)| [key, value]));
        Self { below: None, entries, extent }
    }
}

impl Default for Hash {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Self) -> bool {
        if self.below.is_none() && other.below.is_none() {
            return self.entries == other.entries;
        }
        let is_in_other = |(key, value)| other.get(key).is_some_and(|found| found == value);
        self.len() == other.len() && self.iter().all(is_in_other)
    }
}

impl Eq for Hash {}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Into<Value>, V: Into<Value>> Extend<(K, V)> for Hash {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl IntoIterator for Hash {
    type Item = (Value, Value);
    type IntoIter = indexmap::map::IntoIter<Value, Value>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.flat()).into_iter()
    }
}

impl<'a> IntoIterator for &'a Hash {
    type Item = (&'a Value, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A string key on loan. It hashes as the string value of the same text does.
struct StrKey<'a>(&'a str);

impl std::hash::Hash for StrKey<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        super::identity::hash_str(self.0, state);
    }
}

impl indexmap::Equivalent<Value> for StrKey<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        matches!(key, Value::String(text) if text == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_typed_and_case_sensitive() {
        let hash: Hash =
            [(Value::from(1), "i"), (Value::from(1.0), "f"), (Value::from("1"), "s")].into_iter().collect();
        assert_eq!(hash.len(), 3);
        assert_eq!(hash.get_str("1"), Some(&Value::from("s")));
        assert_eq!(hash.get(&Value::from(1)), Some(&Value::from("i")));
        assert!(!hash.contains_str("I"));
    }

    #[test]
    fn string_keys_are_found_in_small_and_in_large_hashes() {
        for count in 0..=2 * FEW {
            let key = |number: usize| format!("k{number}");
            let hash: Hash = (0..count).map(|number| (Value::from(key(number)), number as i64)).collect();
            for number in 0..count {
                assert_eq!(
                    hash.get_str(&key(number)),
                    Some(&Value::from(number as i64)),
                    "{number} of {count}"
                );
            }
            assert!(!hash.contains_str("k") && !hash.contains_str(&key(count)), "of {count}");
        }
    }

    #[test]
    fn replacing_keeps_the_place_and_order_does_not_matter_for_equality() {
        let mut one: Hash = [("a", 1), ("b", 2)].into_iter().collect();
        one.insert("a", 3);
        assert_eq!(one.at(0), Some((&Value::from("a"), &Value::from(3))));
        assert_eq!(one, [("b", 2), ("a", 3)].into_iter().collect());
    }

    #[test]
    fn sums_share_what_is_large_and_nobody_notices() {
        let large: Arc<Hash> = Arc::new((0..1_000).map(|n| (Value::from(n), Value::from(n))).collect());
        let plain = |right: &Hash| {
            let mut copy = (*large).clone();
            copy.extend(right.iter().map(|(key, value)| (key.clone(), value.clone())));
            copy
        };
        let right: Hash = [(5, "five"), (2_000, "new"), (999, "last"), (2_001, "newer")]
            .into_iter()
            .map(|(key, value)| (Value::from(key), Value::from(value)))
            .collect();
        let (sum, copy) = (Hash::sum(Arc::clone(&large), &right), plain(&right));
        assert!(sum.below.is_some() && copy.below.is_none());
        check_equal(&sum, &copy);
        // Sums of sums, and all that changes one.
        let twice =
            Hash::sum(Arc::new(sum.clone()), &[(7, "seven"), (2_000, "newest")].into_iter().collect());
        check_equal(&twice, &{
            let mut copy = copy.clone();
            copy.extend([(7, "seven"), (2_000, "newest")]);
            copy
        });
        let (mut sum, mut copy) = (sum, copy);
        for key in [5, 6, 2_000, 4_000].map(Value::from) {
            assert_eq!(sum.remove(&key), copy.remove(&key));
            check_equal(&sum, &copy);
        }
        assert_eq!(large.len(), 1_000);
        assert_eq!(large.get(&Value::from(5)), Some(&Value::from(5)), "the left side is untouched");
    }

    #[test]
    fn a_sum_that_outgrows_what_is_below_is_copied() {
        let mut sum: Hash = (0..100).map(|n| (Value::from(n), Value::from(n))).collect();
        for n in 100..400 {
            sum = Hash::sum(Arc::new(sum.clone()), &std::iter::once((n, n)).collect());
            assert!(sum.below_len() == 0 || sum.entries.len() <= sum.below_len());
        }
        assert_eq!(sum, (0..400).map(|n| (Value::from(n), Value::from(n))).collect());
    }

    fn check_equal(one: &Hash, other: &Hash) {
        assert_eq!(one, other);
        assert_eq!(other, one);
        assert_eq!(one.extent(), other.extent());
        assert_eq!(one.len(), other.len());
        assert!(one.iter().eq(other.iter()) && one.iter().rev().eq(other.iter().rev()));
        assert!(one.keys().eq(other.keys()) && one.values().rev().eq(other.values().rev()));
        assert_eq!(one.iter().len(), other.iter().len());
        for index in 0..=one.len() {
            assert_eq!(one.at(index), other.at(index));
        }
        for (key, value) in other {
            assert_eq!(one.get(key), Some(value));
        }
        assert!(one.clone().into_iter().eq(other.clone()));
    }
}
