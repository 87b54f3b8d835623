//! Ranges, and what they cover.

use super::Value;

/// `from..to` or `from...to`; `nil` on a side is not an end.
pub struct Range {
    /// Where it starts.
    pub from: Value,
    /// Where it ends.
    pub to: Value,
    /// Whether the end is left out.
    pub exclusive: bool,
}
