//! `ScalarData`: the scalars that JSON knows.

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of numbers, strings and booleans.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScalarDataType;

impl Rules for ScalarDataType {
    fn name(&self) -> &'static str {
        "ScalarData"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "ScalarData", parameters: "", what: "Numbers, texts and booleans" })
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        is_scalar_data(other)
    }
}

/// Tells whether a type is one of those whose values are numbers, strings or booleans.
pub(super) fn is_scalar_data(type_: &Type) -> bool {
    matches!(
        type_.kind(),
        Kind::ScalarData(_)
            | Kind::Numeric(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Boolean(_)
            | Kind::String(_)
            | Kind::Enum(_)
            | Kind::Pattern(_)
    )
}
