//! `Sensitive[T]`: values that are never printed.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, Keyed, single_type};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;
use crate::convert::{Constructor, ConversionHost};

/// Wrapped values by what they wrap, which is kept in general form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SensitiveType(Type);

impl SensitiveType {
    /// Makes the type of wrapped values.
    pub fn new(inner: &Type) -> Self {
        Self(inner.generalized())
    }

    /// Returns the type of what is wrapped.
    pub fn contained(&self) -> &Type {
        &self.0
    }
}

impl Rules for SensitiveType {
    fn name(&self) -> &'static str {
        "Sensitive"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Sensitive", parameters: "T", what: "Values that are never printed" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 0, most: 1, words: "0 to 1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        if matches!(self.0.kind(), Kind::Any(_)) { Vec::new() } else { vec![self.0.clone().into()] }
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        matches!(value, Value::Sensitive(inner) if self.0.has_guarded(inner, guard))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Sensitive(other) if self.0.accepts_guarded(&other.0, guard))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self(self.0.generalized()).into())
    }

    fn normalized(&self) -> Option<Type> {
        Some(Self(self.0.normalized()).into())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        visit(&self.0);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        Ok(Type::from(Self::new(&single_type("Sensitive-Type", keys)?)).into())
    }
}

/// `Sensitive.new`.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_Sensitive",
    locals: &[],
    dispatches: &[(&["Sensitive value"], convert), (&["Any value"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Ok(Value::sensitive(arguments[0].clone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_has, check_prints};

    #[test]
    fn what_is_wrapped_is_kept_in_general_form() {
        check_has("Sensitive[String]", &["Sensitive('a')"], &["Sensitive(1)", "'a'"]);
        check_prints("Sensitive[Integer[1, 5]]", "Sensitive[Integer]");
        check_prints("type(Sensitive('secret'))", "Sensitive[String]");
    }

    #[test]
    fn what_is_hidden_stays_hidden() {
        check_facts(&[
            ("Sensitive('x')", "#<Sensitive [value redacted]>"),
            ("Sensitive(Sensitive('x'))", "#<Sensitive [value redacted]>"),
            ("unwrap(Sensitive('x'))", "'x'"),
            ("Sensitive[String]", "Sensitive[String]"),
            ("Sensitive['x']", "Sensitive-Type[] arguments must be types. Got String"),
            ("Sensitive[String, Integer]", "Sensitive-Type[] accepts 1 argument. Got 2"),
            (
                "Sensitive[Integer].new('x')",
                "Converted value from Sensitive[Integer].new() has wrong type, expects a Sensitive[Integer] value, got Sensitive[String]",
            ),
            ("[Sensitive('x')]", "[#<Sensitive [value redacted]>]"),
            ("{a => Sensitive('x')}", "{'a' => #<Sensitive [value redacted]>}"),
            ("Sensitive()", "'new_Sensitive' expects 1 argument, got none"),
            ("String(Sensitive('x'))", "'Sensitive [value redacted]'"),
            ("String([Sensitive('x')], '%p')", "'[#<Sensitive [value redacted]>]'"),
            (
                "Array(Sensitive('x'))",
                "'new_array' Value of type Sensitive[String] cannot be converted to Array",
            ),
            (
                "Integer(Sensitive('1'))",
                "'new' Value of type Sensitive[String] cannot be converted to Integer",
            ),
        ]);
    }
}
