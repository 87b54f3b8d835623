//! `first`: the value of the highest priority, nothing merged. `default` is the same under another name.

use hierarch_source::Result;

use super::{Code, Definition, Makes, Merge, no_options};
use crate::piece::Piece;

/// What is looked up without a merge, by a name that users know.
pub(super) static FIRST: Definition = Definition {
    name: "first",
    doc: "The value of the highest priority counts.",
    is_public: true,
    makes: Makes::First,
    options: Some(no_options),
    without_options: None,
    undiggable: None,
    code: |_| Code::Fixed(&First),
};

/// The same where nobody has named a strategy.
pub(super) static DEFAULT: Definition = Definition {
    name: "default",
    doc: "The value of the highest priority counts, since nothing else was said.",
    is_public: false,
    makes: Makes::First,
    options: Some(no_options),
    without_options: None,
    undiggable: None,
    code: |_| Code::Fixed(&First),
};

/// The strategy that takes what it finds first. Its stage never looks at a second value.
pub(super) struct First;

impl<P: Piece> Merge<P> for First {
    fn merge(&self, high: P, _: P) -> Result<P> {
        Ok(high)
    }
}
