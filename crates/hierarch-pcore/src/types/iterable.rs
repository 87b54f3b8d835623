//! `Iterable[T]`: whatever can be walked over.

use super::build::Arity;
use super::build::{Keyed, single_type};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::{Value, infer};

/// Things with elements.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IterableType(Option<Type>);

impl IterableType {
    /// Makes the type; without an element type any elements do.
    pub fn new(element: Option<Type>) -> Self {
        Self(element)
    }

    /// Returns the type of the elements.
    pub fn contained(&self) -> Option<&Type> {
        self.0.as_ref()
    }

    /// Returns the type of elements, unless any will do.
    fn wanted(&self) -> Option<&Type> {
        self.0.as_ref().filter(|element| !element.accepts(&Type::any()))
    }
}

/// Tells whether a value can be walked over.
fn is_iterable(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Array(_) | Value::Hash(_) => true,
        Value::Integer(number) => *number >= 0,
        Value::Foreign(foreign) => foreign.elements().is_some(),
        Value::Type(type_) => match type_.resolved().kind() {
            Kind::Enum(_) => true,
            Kind::Integer(range) => range.is_finite(),
            _ => false,
        },
        _ => false,
    }
}

impl Rules for IterableType {
    fn name(&self) -> &'static str {
        "Iterable"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Iterable",
            parameters: "T",
            what: "What can be walked over: arrays, hashes, texts, numbers, ranges",
        })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn params(&self) -> Vec<Value> {
        self.0.clone().map(Value::from).into_iter().collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        match self.wanted() {
            None => is_iterable(value),
            Some(_) => Type::from(self.clone()).accepts_guarded(&infer::reduced(value), guard),
        }
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        match (self.wanted(), other.element()) {
            (None, element) => element.is_some(),
            (Some(wanted), Some(element)) => !is_untyped(other) && wanted.accepts_guarded(&element, guard),
            (Some(_), None) => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::generalized)).into())
    }

    fn normalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::normalized)).into())
    }

    fn element(&self) -> Option<Type> {
        Some(self.0.clone().unwrap_or_else(Type::any))
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        Ok(Type::from(Self(Some(single_type("Iterable-Type", keys)?))).into())
    }
}

/// Tells whether a type says nothing about its elements, so that no element type is surely met.
fn is_untyped(type_: &Type) -> bool {
    match type_.kind() {
        Kind::Iterable(IterableType(None)) | Kind::Collection(_) => true,
        Kind::Iterator(iterator) => iterator.contained().is_none(),
        _ => type_.element().is_some_and(|element| matches!(element.kind(), Kind::Any(_))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has};

    #[test]
    fn numbers_strings_and_finite_types_can_be_walked_over() {
        check_has(
            "Iterable",
            &["[1]", "{}", "'ab'", "3", "Integer[1, 2]", "Enum['a']"],
            &["-1", "undef", "Integer", "1.5"],
        );
        check_has("Iterable[Integer]", &["[1, 2]", "5", "Integer[1, 2]"], &["['a']", "'ab'", "{a => 1}"]);
        check_accepts(
            "Iterable[String]",
            &["Array[String]", "String", "Type[Enum['a']]"],
            &["Array", "Hash"],
        );
    }

    #[test]
    fn what_can_be_walked_over() {
        check_facts(&[
            ("Iterable[Integer]", "Iterable[Integer]"),
            ("Iterable[1]", "Iterable-Type[] arguments must be types. Got Integer"),
            ("Iterable[Integer, String]", "Iterable-Type[] accepts 1 argument. Got 2"),
            ("Iterable(1)", "1"),
            ("Iterable[Any]", "Iterable[Any]"),
        ]);
    }
}
