//! Where the values of a text stand that has no tree of nodes: JSON, HOCON, and what backends from outside read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Source;

/// The bytes of each value, as a tree of the keys and positions that lead to it.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    own: Option<Mark>,
    below: HashMap<String, Marks>,
}

/// What is known of a value on the way down to it.
#[derive(Clone, Copy)]
pub(crate) struct MarkedPlace<'m> {
    marks: Option<&'m Marks>,
    /// Its bytes, or those of the nearest value around it.
    pub(crate) mark: Option<&'m Mark>,
}

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
        self.put_mark(path.iter().map(text_of), mark);
    }

    /// Notes where a value stands that the texts of keys and positions lead to.
    pub(crate) fn put_mark(&mut self, path: impl IntoIterator<Item = impl Into<String>>, mark: Mark) {
        let place = path.into_iter().fold(self, |marks, key| marks.below.entry(key.into()).or_default());
        place.own = Some(mark);
    }

    /// Returns the top, from which the way leads down to each value.
    pub(crate) fn top(&self) -> MarkedPlace<'_> {
        MarkedPlace { marks: Some(self), mark: self.own.as_ref() }
    }

    /// Returns the bytes of a value, or of the nearest one around it.
    pub(crate) fn at(&self, path: &[Value]) -> Option<&Mark> {
        path.iter().fold(self.top(), |place, key| place.below(key)).mark
    }
}

impl MarkedPlace<'_> {
    /// Goes one step down.
    pub(crate) fn below(self, key: &Value) -> Self {
        let marks = self.marks.and_then(|marks| marks.below.get(&*text_of(key)));
        Self { marks, mark: marks.and_then(|marks| marks.own.as_ref()).or(self.mark) }
    }
}

fn text_of(key: &Value) -> Cow<'_, str> {
    key.as_str().map_or_else(|| Cow::Owned(key.to_string()), Cow::Borrowed)
}
