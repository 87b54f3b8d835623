//! A collection that a function fills, measured while it grows and not only when it is done.

use hierarch_pcore::{Value, issues};

use crate::Result;

/// Values that were collected so far.
pub struct GrowingList {
    values: Vec<Value>,
    size: u64,
    limit: usize,
}

/// As many elements of a list take the room of an entry of a set.
const SEEN: u64 = 6;

impl GrowingList {
    pub(super) fn new(limit: usize, room: usize) -> Self {
        Self { values: Vec::with_capacity(room.min(limit)), size: 0, limit }
    }

    /// Adds a value; fails if all together are more than the limits allow.
    pub fn push(&mut self, value: Value) -> Result<()> {
        self.count(&value)?;
        self.values.push(value);
        Ok(())
    }

    /// Counts a value that is kept elsewhere.
    pub fn count(&mut self, value: &Value) -> Result<()> {
        self.grow(value.extent().size)
    }

    fn grow(&mut self, size: u64) -> Result<()> {
        self.size = self.size.saturating_add(size);
        if usize::try_from(self.size).is_ok_and(|size| size <= self.limit) {
            return Ok(());
        }
        Err(issues::too_large(self.limit).into())
    }

    /// Counts a value that is kept in a set of what was seen, which takes several times the room of a list.
    pub fn count_seen(&mut self, value: &Value) -> Result<()> {
        self.grow(value.extent().size.saturating_add(SEEN))
    }

    /// Returns the values.
    pub fn into_values(self) -> Vec<Value> {
        self.values
    }
}
