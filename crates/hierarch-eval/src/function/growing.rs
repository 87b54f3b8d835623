//! A collection that a function fills, measured while it grows and not only when it is done.

use hierarch_pcore::{Value, issues};

use crate::Result;

/// Values that were collected so far.
pub struct GrowingList {
    values: Vec<Value>,
    size: u64,
    limit: usize,
}

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
        self.size = self.size.saturating_add(value.extent().size);
        if usize::try_from(self.size).is_ok_and(|size| size <= self.limit) {
            return Ok(());
        }
        Err(issues::too_large(self.limit).into())
    }

    /// Returns the values.
    pub fn into_values(self) -> Vec<Value> {
        self.values
    }
}
