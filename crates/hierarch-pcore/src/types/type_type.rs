//! `Type[T]`: types as values.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, Keyed, single_type};
use super::guide::Guide;
use super::{Definitions, Guard, Kind, NoDefinitions, Rules, Type};
use crate::Value;
use crate::convert::{Constructor, ConversionHost};

/// Types that are assignable to one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TypeType(Option<Type>);

impl TypeType {
    /// Makes the type; without a parameter it has all types.
    pub fn new(inner: Option<Type>) -> Self {
        Self(inner)
    }

    /// Returns the parameter.
    pub fn contained(&self) -> Option<&Type> {
        self.0.as_ref()
    }
}

impl Rules for TypeType {
    fn name(&self) -> &'static str {
        "Type"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Type", parameters: "T", what: "Types themselves" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.0.clone().map(Value::from).into_iter().collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Type(type_) = value else { return false };
        self.0.as_ref().is_none_or(|wanted| wanted.accepts_guarded(type_, guard))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let Kind::Type(other) = other.kind() else { return false };
        match (&self.0, &other.0) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(wanted), Some(given)) => wanted.accepts_guarded(given, guard),
        }
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::generalized)).into())
    }

    fn normalized(&self) -> Option<Type> {
        Some(Self(self.0.as_ref().map(Type::normalized)).into())
    }

    /// Ranges of integers and enums can be walked over as types.
    fn element(&self) -> Option<Type> {
        let inner = self.0.as_ref()?;
        match inner.kind() {
            Kind::Enum(_) => Some(inner.clone()),
            Kind::Integer(range) if range.is_finite() => Some(inner.clone()),
            _ => None,
        }
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        Ok(Type::from(Self(Some(single_type("Type-Type", keys)?))).into())
    }
}

/// `Type.new`: a type from its text.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_type",
    locals: &[],
    dispatches: &[(&["String[1] type_string"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

/// Hands the definitions of a host on.
struct OfHost<'a>(&'a dyn ConversionHost);

impl Definitions for OfHost<'_> {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        match self.0.type_named(name)? {
            Some(type_) => Ok(Some(type_)),
            None => NoDefinitions.type_named(name),
        }
    }
}

fn convert(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    Type::parse(arguments[0].as_str().unwrap_or_default(), &OfHost(host)).map(Value::from)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn types_have_a_type() {
        check_has("Type[Integer]", &["Integer", "Integer[1]"], &["String", "1", "Any"]);
        check_accepts("Type[Numeric]", &["Type[Integer]"], &["Type", "Type[String]", "Integer"]);
        check_prints("type(Integer)", "Type[Integer]");
    }

    #[test]
    fn types_of_types_and_of_texts() {
        check_facts(&[
            ("Type[Integer]", "Type[Integer]"),
            ("Type[Type[Integer]]", "Type[Type[Integer]]"),
            ("Type[1]", "Type-Type[] arguments must be types. Got Integer"),
            ("Type[Integer, String]", "Type-Type[] accepts 1 argument. Got 2"),
            ("Type['Integer']", "Type-Type[] arguments must be types. Got String"),
            ("Type('Integer')", "Integer"),
            ("Type('Integer[1, 2]')", "Integer[1, 2]"),
            ("Type('integer')", "The expression <integer> is not a valid type specification."),
            ("Type('Integer[')", "Syntax error at end of input"),
            ("Type('Integer[a]')", "The expression <Integer[a]> is not a valid type specification."),
            ("Type('Nope')", "TypeReference['Nope']"),
            ("Type('')", "'new_type' parameter 'type_string' expects a String[1] value, got String"),
            ("Type(Integer)", "Integer"),
            ("Type(1)", "'new_type' parameter 'type_string' expects a String value, got Integer"),
        ]);
    }
}
