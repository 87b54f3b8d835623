//! `Numeric`: integers and floats.

use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumericType;

impl Rules for NumericType {
    fn name(&self) -> &'static str {
        "Numeric"
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Integer(_) | Value::Float(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Numeric(_) | Kind::Integer(_) | Kind::Float(_))
    }
}
