//! `first`: the value of the highest priority, nothing merged. `default` is the same under another name.

use hierarch_source::Result;

use super::Merge;
use crate::piece::Piece;

/// The strategy that takes what it finds first. Its stage never looks at a second value.
pub(super) struct First;

impl<P: Piece> Merge<P> for First {
    fn merge(&self, high: P, _: P) -> Result<P> {
        Ok(high)
    }
}
