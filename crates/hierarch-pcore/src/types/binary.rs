//! `Binary`: bytes.

use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinaryType;

impl Rules for BinaryType {
    fn name(&self) -> &'static str {
        "Binary"
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Binary(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Binary(_))
    }
}
