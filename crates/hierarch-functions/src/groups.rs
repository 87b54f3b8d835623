//! Things gathered by keys, in the order in which the keys first came.

use hierarch_pcore::{Hash, Value};

/// Groups by key.
#[derive(Default)]
pub(crate) struct Groups<T> {
    /// The index of each key's group.
    indexes: Hash,
    groups: Vec<T>,
}

impl<T: Default> Groups<T> {
    /// Returns the group of a key, which is made if it is not there yet.
    pub(crate) fn of(&mut self, key: Value) -> &mut T {
        let known = self.indexes.get(&key).and_then(Value::as_integer);
        let index = known.map_or(self.groups.len(), |index| index as usize);
        if known.is_none() {
            self.indexes.insert(key, index);
            self.groups.push(T::default());
        }
        &mut self.groups[index]
    }

    /// Returns the groups without their keys.
    pub(crate) fn into_groups(self) -> Vec<T> {
        self.groups
    }

    /// Returns the keys with their groups.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (Value, T)> {
        self.indexes.into_iter().map(|(key, _)| key).zip(self.groups)
    }
}
