//! `NotUndef[T]`: a `T` that is not `undef`.

use super::build::Arity;
use super::build::{KeyError, Keyed, flattened};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::Constructor;
use crate::ruby_class;
use crate::{Value, issues};

/// Values other than `undef`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct NotUndefType(Option<Type>);

impl NotUndefType {
    /// Makes the type; of `Any` it is the bare type.
    pub fn new(inner: Option<Type>) -> Self {
        Self(inner.filter(|inner| !matches!(inner.kind(), Kind::Any(_))))
    }

    /// Returns the parameter.
    pub fn contained(&self) -> Option<&Type> {
        self.0.as_ref()
    }
}

impl Rules for NotUndefType {
    fn name(&self) -> &'static str {
        "NotUndef"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "NotUndef", parameters: "T or 'text'", what: "Everything but undef" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 0, most: 1, words: "0 to 1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        match self.contained() {
            Some(inner) => inner.kind().rules().constructor(),
            None => Some(&super::unit::CONSTRUCTOR),
        }
    }

    fn params(&self) -> Vec<Value> {
        self.0.iter().map(super::optional::printed).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        !value.is_undef() && self.0.as_ref().is_none_or(|inner| inner.has_guarded(value, guard))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        !other.accepts_guarded(&Type::undef(), guard)
            && self.0.as_ref().is_none_or(|inner| inner.accepts_guarded(other, guard))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self::new(self.0.as_ref().map(Type::generalized)).into())
    }

    fn normalized(&self) -> Option<Type> {
        let inner = self.0.as_ref()?.normalized();
        Some(match inner.kind() {
            Kind::Optional(optional) => Type::from(Self::new(optional.contained().cloned())).normalized(),
            _ if !inner.accepts(&Type::undef()) => inner,
            _ => Self::new(Some(inner)).into(),
        })
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let inner = match &flattened(keys)[..] {
            [] => None,
            [Value::String(text)] => Some(Type::exact_string(text.clone())),
            [Value::Type(inner)] => Some(inner.clone()),
            [other] => return Err(KeyError::key(0, issues::not_undef_slice_type(ruby_class(other)))),
            keys => {
                return Err(KeyError::whole(issues::type_slice_arity(
                    "NotUndef-Type",
                    0,
                    Some(1),
                    keys.len(),
                )));
            }
        };
        Ok(Type::from(Self::new(inner)).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn undef_is_not() {
        check_has("NotUndef[Optional[Integer]]", &["1"], &["undef", "'a'"]);
        check_accepts("NotUndef", &["Integer", "NotUndef[Any]"], &["Any", "Optional[Integer]", "Undef"]);
        check_prints("NotUndef[Any]", "NotUndef");
        check_prints("NotUndef[1]", "NotUndef-Type[] argument must be a Type or a String. Got Integer");
    }

    #[test]
    fn all_but_nothing() {
        check_facts(&[
            ("NotUndef[Integer]", "NotUndef[Integer]"),
            ("NotUndef['a']", "NotUndef['a']"),
            ("NotUndef[Optional[Integer]]", "NotUndef[Optional[Integer]]"),
            ("NotUndef[NotUndef[Integer]]", "NotUndef[NotUndef[Integer]]"),
            ("NotUndef[Any]", "NotUndef"),
            ("NotUndef[1]", "NotUndef-Type[] argument must be a Type or a String. Got Integer"),
            ("NotUndef[Integer, String]", "NotUndef-Type[] accepts 0 to 1 arguments. Got 2"),
            ("NotUndef(1)", "1"),
            ("NotUndef[Integer].new('12')", "12"),
            ("NotUndef[Optional[Integer]].new('12')", "12"),
        ]);
    }
}
