//! Hashes: any value as key, in the order in which keys were first put in.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::Value;
use super::extent::Extent;

/// An ordered hash. Keys are compared by identity: `1`, `1.0` and `'1'` are three keys.
#[derive(Clone)]
pub struct Hash {
    entries: IndexMap<Value, Value, RandomState>,
    extent: Extent,
}

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
        self.entries.len()
    }

    /// Tells whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(key)
    }

    /// Returns the value of a string key, without making a value of the key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.entries.get(&StrKey(key))
    }

    /// Tells whether there is such a key.
    pub fn contains_key(&self, key: &Value) -> bool {
        self.entries.contains_key(key)
    }

    /// Tells whether there is such a string key.
    pub fn contains_str(&self, key: &str) -> bool {
        self.entries.contains_key(&StrKey(key))
    }

    /// Sets the value of a key. A key that was there keeps its place.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        self.extent.add(&value);
        let extent_of_key = key.extent();
        let old = self.entries.insert(key, value);
        match &old {
            Some(old) => self.extent.subtract(old),
            None => self.extent.add_measured(extent_of_key),
        }
        old
    }

    /// Takes a key out, the order of the others unchanged.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        let (key, value) = self.entries.shift_remove_entry(key)?;
        self.extent.subtract(&key);
        self.extent.subtract(&value);
        Some(value)
    }

    /// Takes the value of a key out to be changed and put back; `undef` stands in its place meanwhile.
    pub fn take(&mut self, key: &Value) -> Option<Value> {
        let value = std::mem::take(self.entries.get_mut(key)?);
        self.extent.subtract(&value);
        self.extent.add(&Value::Undef);
        Some(value)
    }

    /// Returns the entry at a position.
    pub fn at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries.get_index(index)
    }

    /// Walks over keys and values in order.
    pub fn iter(&self) -> indexmap::map::Iter<'_, Value, Value> {
        self.entries.iter()
    }

    /// Walks over the keys in order.
    pub fn keys(&self) -> indexmap::map::Keys<'_, Value, Value> {
        self.entries.keys()
    }

    /// Walks over the values in order.
    pub fn values(&self) -> indexmap::map::Values<'_, Value, Value> {
        self.entries.values()
    }

    /// Keeps the entries for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Value, &Value) -> bool) {
        self.entries.retain(|key, value| keep(key, value));
        self.extent = Extent::of_parts(self.iter().flat_map(|(key, value)| [key, value]));
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Hash {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
        Self::from(entries.collect::<IndexMap<_, _, _>>())
    }
}

impl From<IndexMap<Value, Value, RandomState>> for Hash {
    fn from(entries: IndexMap<Value, Value, RandomState>) -> Self {
        let extent = Extent::of_parts(entries.iter().flat_map(|(key, value)| [key, value]));
        Self { entries, extent }
    }
}

impl Default for Hash {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Hash {}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.entries.fmt(f)
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

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a> IntoIterator for &'a Hash {
    type Item = (&'a Value, &'a Value);
    type IntoIter = indexmap::map::Iter<'a, Value, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
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
    fn replacing_keeps_the_place_and_order_does_not_matter_for_equality() {
        let mut one: Hash = [("a", 1), ("b", 2)].into_iter().collect();
        one.insert("a", 3);
        assert_eq!(one.at(0), Some((&Value::from("a"), &Value::from(3))));
        assert_eq!(one, [("b", 2), ("a", 3)].into_iter().collect());
    }
}
