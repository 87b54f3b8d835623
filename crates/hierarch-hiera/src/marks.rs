//! Where the values of a text stand that has no tree of nodes: JSON, HOCON, and what backends from outside read.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Source;

/// The bytes of each value, by the keys and positions that lead to it.
#[derive(Debug, Default)]
pub(crate) struct Marks(HashMap<Vec<String>, Mark>);

/// The bytes of a value.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The file, if it is not the data file itself but one that was included.
    pub(crate) source: Option<Arc<Source>>,
}

impl Marks {
    /// Notes where a value stands. What is written later counts.
    pub(crate) fn put(&mut self, path: &[Value], start: usize, end: usize, source: Option<&Arc<Source>>) {
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mark = Mark { start: number(start), end: number(end), source: source.cloned() };
        self.put_mark(texts(path), mark);
    }

    /// Notes where a value stands that the texts of keys and positions lead to.
    pub(crate) fn put_mark(&mut self, path: Vec<String>, mark: Mark) {
        self.0.insert(path, mark);
    }

    /// Returns the bytes of a value, or of the nearest one around it.
    pub(crate) fn at(&self, path: &[Value]) -> Option<&Mark> {
        let path = texts(path);
        (0..=path.len()).rev().find_map(|length| self.0.get(&path[..length]))
    }
}

fn texts(path: &[Value]) -> Vec<String> {
    path.iter().map(Value::to_string).collect()
}
