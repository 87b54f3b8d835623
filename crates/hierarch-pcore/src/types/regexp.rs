//! `Regexp[/source/]`: regular expressions as values.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::build::{Arity, KeyError, KeyKind, Keyed, check_keys, flattened};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost};
use crate::regex::Regexp;
use crate::{Value, issues};

/// Regular expressions, all or one.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct RegexpType(Option<Arc<Regexp>>);

impl RegexpType {
    /// Makes the type of one regular expression.
    pub fn new(regexp: Arc<Regexp>) -> Self {
        Self(Some(regexp))
    }

    /// Returns the one regular expression.
    pub fn regexp(&self) -> Option<&Arc<Regexp>> {
        self.0.as_ref()
    }
}

impl Rules for RegexpType {
    fn name(&self) -> &'static str {
        "Regexp"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Regexp", parameters: "/regexp/", what: "Regular expressions" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.0.clone().map(Value::Regexp).into_iter().collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Regexp(regexp) if self.0.as_ref().is_none_or(|wanted| wanted == regexp))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Regexp(other) if self.0.is_none() || self.0 == other.0)
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if keys.len() != 1 {
            let error = issues::type_slice_arity(&issues::type_label(self), 1, Some(1), keys.len());
            return Err(if keys.is_empty() { KeyError::whole(error) } else { KeyError::key(1, error) });
        }
        check_keys(self, &keys, 1, Some(1), &[KeyKind::String, KeyKind::Regexp])?;
        Ok(Type::from(Self(Some(pattern_of(&keys[0])?))).into())
    }
}

/// Returns the regular expression of a value, a string compiled.
pub(super) fn pattern_of(value: &Value) -> hierarch_source::Result<Arc<Regexp>> {
    match value {
        Value::Regexp(regexp) => Ok(Arc::clone(regexp)),
        other => Regexp::new(other.as_str().unwrap_or_default()).map(Arc::new),
    }
}

/// `Regexp.new`.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_float",
    locals: &[],
    dispatches: &[(&["String pattern", "?Boolean escape"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let source = arguments[0].as_str().unwrap_or_default();
    let is_literal = arguments.get(1).and_then(Value::as_boolean) == Some(true);
    Ok(if is_literal { Regexp::escaped(source) } else { Regexp::new(source) }?.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn expressions_of_texts() {
        check_facts(&[
            ("Regexp[/a/]", "Regexp[/a/]"),
            ("Regexp['a']", "Regexp[/a/]"),
            (
                "Regexp[Regexp[/a/]]",
                "Error creating type specialization of a Regexp-Type, Cannot use Type[Regexp[/a/]] where String or Regexp is expected",
            ),
            (
                "Regexp[1]",
                "Error creating type specialization of a Regexp-Type, Cannot use Integer where String or Regexp is expected",
            ),
            ("Regexp[/a/, /b/]", "A Regexp-Type[] accepts 1 argument. Got 2"),
            (
                "Regexp[default]",
                "Error creating type specialization of a Regexp-Type, Cannot use Default where String or Regexp is expected",
            ),
            ("Regexp('a.b')", "/a.b/"),
            ("Regexp('a.b', true)", r"/a\.b/"),
            ("Regexp(/a/)", "/a/"),
            ("Regexp('[')", "premature end of char-class: /[/"),
            ("Regexp(1)", "'new_float' parameter 'pattern' expects a String value, got Integer"),
        ]);
    }
}
