//! `SemVerRange`: ranges of versions as values.

use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of ranges of versions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SemVerRangeType;

impl Rules for SemVerRangeType {
    fn name(&self) -> &'static str {
        "SemVerRange"
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::SemVerRange(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::SemVerRange(_))
    }
}
