//! `Scalar`: numbers, strings, booleans, regular expressions, versions and times.

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// The type of all that has no parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScalarType;

impl Rules for ScalarType {
    fn name(&self) -> &'static str {
        "Scalar"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Scalar",
            parameters: "",
            what: "Values without parts: numbers, texts, booleans, patterns, times, versions",
        })
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

#[cfg(test)]
mod tests {
    use crate::testing::{check_accepts, check_has};

    #[test]
    fn scalars_have_no_parts() {
        let scalars =
            ["1", "1.5", "'a'", "true", "/a/", "SemVer('1.2.3')", "SemVerRange('1.x')", "Timespan(1)"];
        check_has("Scalar", &scalars, &["undef", "[]", "{}", "default", "Binary('YQ==')", "Integer"]);
        check_has("ScalarData", &scalars[..4], &scalars[4..]);
        check_accepts("Scalar", &["ScalarData", "Regexp", "Enum['a']"], &["Any", "Binary", "Undef"]);
    }
}
