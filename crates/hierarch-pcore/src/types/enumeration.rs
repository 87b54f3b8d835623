//! `Enum['a', 'b']`, with a last `true` ignoring case.

use super::build::{KeyKind, Keyed, check_keys, flattened};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Rules, StringType, Type};
use crate::{Str, Value};

/// Listed strings. Without any, no string is an instance although every string type is accepted.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct EnumType {
    values: Vec<Str>,
    ignores_case: bool,
}

impl EnumType {
    /// Makes an enum of strings, which are sorted and each kept once.
    pub fn new(values: impl IntoIterator<Item = Str>, ignores_case: bool) -> Self {
        let mut values: Vec<Str> = values.into_iter().collect();
        values.sort();
        values.dedup();
        Self { values, ignores_case }
    }

    /// Returns the strings, sorted.
    pub fn values(&self) -> &[Str] {
        &self.values
    }

    /// Tells whether case is ignored.
    pub fn ignores_case(&self) -> bool {
        self.ignores_case
    }

    fn lists(&self, text: &str) -> bool {
        if self.ignores_case {
            self.values.iter().any(|value| value.eq_ignore_ascii_case(text))
        } else if self.values.len() <= 8 {
            self.values.iter().any(|value| value == text)
        } else {
            self.values.binary_search_by(|value| value.as_str().cmp(text)).is_ok()
        }
    }
}

impl Rules for EnumType {
    fn name(&self) -> &'static str {
        "Enum"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Enum",
            parameters: "'text', …[, true]",
            what: "The listed texts; a last true ignores case",
        })
    }

    fn params(&self) -> Vec<Value> {
        let case = self.ignores_case.then_some(Value::Boolean(true));
        self.values.iter().cloned().map(Value::from).chain(case).collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::String(text) if self.lists(text))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        match other.kind() {
            Kind::String(_) | Kind::Enum(_) | Kind::Pattern(_) if self.values.is_empty() => true,
            Kind::String(other) => other.value().is_some_and(|value| self.lists(value)),
            Kind::Enum(other) if self == other => true,
            Kind::Enum(other) => {
                !other.values.is_empty()
                    && (self.ignores_case || !other.ignores_case)
                    && other.values.iter().all(|value| self.lists(value))
            }
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        let sizes = self.values.iter().map(|value| IntegerType::exactly(value.chars().count()));
        Some(sizes.reduce(IntegerType::hull).map_or_else(Type::string, |size| StringType::sized(size).into()))
    }

    fn element(&self) -> Option<Type> {
        Some(StringType::sized(IntegerType::exactly(1)).into())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let mut keys = flattened(keys);
        let ignores_case = keys.last().and_then(Value::as_boolean);
        if ignores_case.is_some() {
            keys.pop();
        }
        check_keys(self, &keys, 1, None, &[KeyKind::String])?;
        let values = keys.iter().filter_map(|key| key.as_str().map(Str::from));
        Ok(Type::from(Self::new(values, ignores_case.unwrap_or(false))).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn a_last_true_ignores_case() {
        check_has("Enum['a', 'b']", &["'a'"], &["'A'", "'c'", "1"]);
        check_has("Enum['a', true]", &["'a'", "'A'"], &["'b'"]);
        check_accepts(
            "Enum['a', 'b']",
            &["Enum['a']", "Enum['b', 'a']"],
            &["Enum['a', true]", "Enum", "String"],
        );
    }

    #[test]
    fn a_bare_enum_accepts_strings_but_has_none() {
        check_has("Enum", &[], &["'a'"]);
        check_accepts("Enum", &["String", "Enum['a']", "Pattern[/a/]"], &["Integer"]);
        check_prints("Enum[b, a, b]", "Enum['a', 'b']");
    }

    #[test]
    fn words_and_their_case() {
        check_facts(&[
            ("Enum[a, b]", "Enum['a', 'b']"),
            ("Enum[b, a]", "Enum['a', 'b']"),
            ("Enum[a, a]", "Enum['a']"),
            ("Enum[a, false]", "Enum['a']"),
            ("Enum[true]", "An Enum-Type[] accepts 1 or more arguments. Got 0"),
            (
                "Enum[1]",
                "Error creating type specialization of an Enum-Type, Cannot use Integer where String is expected",
            ),
            ("Enum['']", "Enum['']"),
            ("Enum[['a', 'b']]", "Enum['a', 'b']"),
            (
                "Enum[a, 1]",
                "Error creating type specialization of an Enum-Type, Cannot use Integer where String is expected",
            ),
            ("Enum('a')", "Creation of new instance of type 'Enum' is not supported"),
            ("Enum[a, b].new('a')", "'a'"),
            ("Enum[a, b].new('c')", "Creation of new instance of type 'Enum['a', 'b']' is not supported"),
        ]);
    }
}
