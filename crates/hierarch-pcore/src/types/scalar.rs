//! `Scalar`: numbers, strings, booleans, regular expressions, versions and times.

use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of all that has no parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScalarType;

impl Rules for ScalarType {
    fn name(&self) -> &'static str {
        "Scalar"
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(
            value,
            Value::String(_)
                | Value::Integer(_)
                | Value::Float(_)
                | Value::Boolean(_)
                | Value::Regexp(_)
                | Value::SemVer(_)
                | Value::SemVerRange(_)
                | Value::Timestamp(_)
                | Value::Timespan(_)
        )
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        super::scalar_data::is_scalar_data(other)
            || matches!(
                other.kind(),
                Kind::Scalar(_)
                    | Kind::Regexp(_)
                    | Kind::SemVer(_)
                    | Kind::SemVerRange(_)
                    | Kind::Timestamp(_)
                    | Kind::Timespan(_)
            )
    }
}
