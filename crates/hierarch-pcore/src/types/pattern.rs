//! `Pattern[/a/, …]`: strings that match one of several regular expressions.

use super::guide::Guide;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::build::{KeyKind, Keyed, check_keys, flattened};
use super::regexp::pattern_of;
use super::{Guard, Kind, Rules, Type};
use crate::Value;
use crate::regex::Regexp;

/// Strings by pattern; without patterns all strings.
#[derive(Clone, Default)]
pub struct PatternType(Vec<Arc<Regexp>>);

impl PatternType {
    /// Makes the type of patterns, each kept once.
    pub fn new(patterns: impl IntoIterator<Item = Arc<Regexp>>) -> Self {
        let mut unique: Vec<Arc<Regexp>> = Vec::new();
        for pattern in patterns {
            if !unique.contains(&pattern) {
                unique.push(pattern);
            }
        }
        Self(unique)
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> &[Arc<Regexp>] {
        &self.0
    }

    /// Tells whether a text matches. A match that takes too long counts as none.
    fn matches(&self, text: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.is_match(text).unwrap_or(false))
    }
}

impl PartialEq for PatternType {
    /// The order of patterns does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|pattern| other.0.contains(pattern))
    }
}

impl Eq for PatternType {}

impl Hash for PatternType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
    }
}

impl Rules for PatternType {
    fn name(&self) -> &'static str {
        "Pattern"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Pattern",
            parameters: "/regexp/, …",
            what: "Texts that match one of the patterns",
        })
    }

    fn params(&self) -> Vec<Value> {
        self.0.iter().cloned().map(Value::Regexp).collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::String(text) if self.matches(text))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        match other.kind() {
            Kind::Pattern(other) => self.0.is_empty() || self == other,
            Kind::String(other) => other.value().map_or(self.0.is_empty(), |value| self.matches(value)),
            Kind::Enum(other) => match other.values() {
                [] => self.0.is_empty(),
                values => values.iter().all(|value| self.matches(value)),
            },
            _ => false,
        }
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        check_keys(
            self,
            &keys,
            1,
            None,
            &[KeyKind::String, KeyKind::Regexp, KeyKind::PatternType, KeyKind::RegexpType],
        )?;
        let mut patterns = Vec::new();
        for key in &keys {
            match key.as_type().map(Type::kind) {
                Some(Kind::Pattern(other)) => patterns.extend(other.0.iter().cloned()),
                Some(Kind::Regexp(other)) => patterns.push(match other.regexp() {
                    Some(regexp) => Arc::clone(regexp),
                    None => Arc::new(Regexp::new("")?),
                }),
                _ => patterns.push(pattern_of(key)?),
            }
        }
        Ok(Type::from(Self::new(patterns)).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn one_pattern_is_enough() {
        check_has("Pattern[/^a/, 'b$']", &["'abc'", "'xb'"], &["'cd'", "1"]);
        check_accepts(
            "Pattern[/a/, /b/]",
            &["Enum['a', 'b']", "Pattern[/b/, /a/]"],
            &["Pattern[/a/]", "String", "Enum['c']"],
        );
        check_accepts("Pattern", &["String", "Enum", "Pattern[/a/]"], &["Integer"]);
    }

    #[test]
    fn patterns_of_patterns_are_flat() {
        check_prints("Pattern[/a\\/b/, Pattern[/c/], Regexp[/d/], 'c']", r"Pattern[/a\/b/, /c/, /d/]");
    }

    #[test]
    fn patterns_are_texts_expressions_and_types() {
        check_facts(&[
            ("Pattern[/a/]", "Pattern[/a/]"),
            ("Pattern['a', /b/]", "Pattern[/a/, /b/]"),
            ("Pattern[Regexp[/a/], Pattern[/b/]]", "Pattern[/a/, /b/]"),
            ("Pattern[/a/, /a/]", "Pattern[/a/]"),
            ("Pattern['[']", "premature end of char-class: /[/"),
            (
                "Pattern[1]",
                "Error creating type specialization of a Pattern-Type, Cannot use Integer where String or Regexp or Pattern-Type or Regexp-Type is expected",
            ),
            (
                "Pattern[String]",
                "Error creating type specialization of a Pattern-Type, Cannot use Type[String] where String or Regexp or Pattern-Type or Regexp-Type is expected",
            ),
            ("Pattern(1)", "Creation of new instance of type 'Pattern' is not supported"),
        ]);
    }
}
