//! `Optional[T]`: a `T` or `undef`.

use super::build::Arity;
use super::build::{KeyError, Keyed, flattened};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::Constructor;
use crate::ruby_class;
use crate::{Value, issues};

/// A type or `undef`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OptionalType(Option<Type>);

impl OptionalType {
    /// Makes the type; bare it has only `undef`, yet accepts every type.
    pub fn new(inner: Option<Type>) -> Self {
        Self(inner)
    }

    /// Returns the parameter.
    pub fn contained(&self) -> Option<&Type> {
        self.0.as_ref()
    }
}

/// Returns a parameter as it is printed: the type of one string as that string.
pub(super) fn printed(inner: &Type) -> Value {
    match inner.kind() {
        Kind::String(string) if string.value().is_some() => string.value().cloned().into(),
        _ => inner.clone().into(),
    }
}

impl Rules for OptionalType {
    fn name(&self) -> &'static str {
        "Optional"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Optional", parameters: "T or 'text'", what: "T or undef" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        self.contained()?.kind().rules().constructor()
    }

    fn params(&self) -> Vec<Value> {
        self.0.iter().map(printed).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        value.is_undef() || self.0.as_ref().is_some_and(|inner| inner.has_guarded(value, guard))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Undef(_))
            || self.0.as_ref().is_none_or(|inner| inner.accepts_guarded(other, guard))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::generalized)).into())
    }

    fn normalized(&self) -> Option<Type> {
        let inner = self.0.as_ref()?.normalized();
        Some(match inner.kind() {
            Kind::NotUndef(not_undef) => Type::from(Self(not_undef.contained().cloned())).normalized(),
            _ if inner.accepts(&Type::undef()) => inner,
            _ => Self(Some(inner)).into(),
        })
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let inner = match &flattened(keys)[..] {
            [Value::String(text)] => Type::exact_string(text.clone()),
            [Value::Type(inner)] => inner.clone(),
            [other] => {
                return Err(KeyError::key(0, issues::type_slice_type("Optional-Type", ruby_class(other))));
            }
            keys => {
                return Err(KeyError::whole(issues::type_slice_arity("Optional-Type", 1, None, keys.len())));
            }
        };
        Ok(Type::from(Self(Some(inner))).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn undef_is_fine() {
        check_has("Optional[Integer]", &["1", "undef"], &["'a'"]);
        check_has("Optional", &["undef"], &["1"]);
        check_accepts(
            "Optional[Integer]",
            &["Undef", "Integer[1]", "Optional[Integer[1]]"],
            &["Optional[String]", "Any"],
        );
        check_prints("Optional['a']", "Optional['a']");
    }

    #[test]
    fn an_optional_text_is_that_text() {
        check_facts(&[
            ("Optional[Integer]", "Optional[Integer]"),
            ("Optional['a']", "Optional['a']"),
            ("Optional[Optional[Integer]]", "Optional[Optional[Integer]]"),
            ("Optional[Undef]", "Optional[Undef]"),
            ("Optional[Any]", "Optional[Any]"),
            ("Optional[1]", "Optional-Type[] arguments must be types. Got Integer"),
            ("Optional[Integer, String]", "Optional-Type[] accepts 1 argument. Got 2"),
            ("Optional[Integer].new('12')", "12"),
            ("Optional[Integer].new(undef)", "undef"),
            ("Optional[Integer].new('x')", "'new' The string 'x' cannot be converted to Integer"),
        ]);
    }
}
