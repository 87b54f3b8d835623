//! Hashes: any value as key, in the order in which keys were first put in.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::Value;

/// An ordered hash. Keys are compared by identity: `1`, `1.0` and `'1'` are three keys.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Hash(IndexMap<Value, Value, RandomState>);

impl Hash {
    /// Makes an empty hash.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty hash with room for `count` entries.
    pub fn with_capacity(count: usize) -> Self {
        Self(IndexMap::with_capacity_and_hasher(count, RandomState::default()))
    }

    /// Tells how many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.0.get(key)
    }

    /// Returns the value of a string key, without making a value of the key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.0.get(&StrKey(key))
    }

    /// Tells whether there is such a key.
    pub fn contains_key(&self, key: &Value) -> bool {
        self.0.contains_key(key)
    }

    /// Tells whether there is such a string key.
    pub fn contains_str(&self, key: &str) -> bool {
        self.0.contains_key(&StrKey(key))
    }

    /// Sets the value of a key. A key that was there keeps its place.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        self.0.insert(key.into(), value.into())
    }

    /// Takes a key out, the order of the others unchanged.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        self.0.shift_remove(key)
    }

    /// Returns the value of a key for changing it.
    pub fn get_mut(&mut self, key: &Value) -> Option<&mut Value> {
        self.0.get_mut(key)
    }

    /// Returns the entry at a position.
    pub fn at(&self, index: usize) -> Option<(&Value, &Value)> {
        self.0.get_index(index)
    }

    /// Walks over keys and values in order.
    pub fn iter(&self) -> indexmap::map::Iter<'_, Value, Value> {
        self.0.iter()
    }

    /// Walks over the keys in order.
    pub fn keys(&self) -> indexmap::map::Keys<'_, Value, Value> {
        self.0.keys()
    }

    /// Walks over the values in order.
    pub fn values(&self) -> indexmap::map::Values<'_, Value, Value> {
        self.0.values()
    }

    /// Keeps the entries for which `keep` is true.
    pub fn retain(&mut self, keep: impl FnMut(&Value, &mut Value) -> bool) {
        self.0.retain(keep);
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Hash {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl<K: Into<Value>, V: Into<Value>> Extend<(K, V)> for Hash {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.0.extend(entries.into_iter().map(|(key, value)| (key.into(), value.into())));
    }
}

impl IntoIterator for Hash {
    type Item = (Value, Value);
    type IntoIter = indexmap::map::IntoIter<Value, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Hash {
    type Item = (&'a Value, &'a Value);
    type IntoIter = indexmap::map::Iter<'a, Value, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
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
