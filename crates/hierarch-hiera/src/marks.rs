//! Where the values of a text stand that has no tree of nodes: JSON and HOCON.

use std::collections::HashMap;

use hierarch_pcore::Value;

/// The bytes of each value, by the keys and positions that lead to it.
#[derive(Debug, Default)]
pub(crate) struct Marks(HashMap<Vec<Value>, (u32, u32)>);

impl Marks {
    /// Notes where a value stands. What is written later counts.
    pub(crate) fn put(&mut self, path: &[Value], start: usize, end: usize) {
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.0.insert(path.to_vec(), (number(start), number(end)));
    }

    /// Returns the bytes of a value, or of the nearest one around it.
    pub(crate) fn at(&self, path: &[Value]) -> (u32, u32) {
        let around = (0..=path.len()).rev().find_map(|length| self.0.get(&path[..length]));
        around.copied().unwrap_or_default()
    }
}
