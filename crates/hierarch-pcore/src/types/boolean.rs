//! `Boolean`, `Boolean[true]`, `Boolean[false]`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, KeyKind, Keyed, check_keys, flattened};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::Value;
use crate::convert::{Constructor, ConversionHost, cannot};

/// Booleans, or one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BooleanType {
    /// The one value; none: both.
    pub value: Option<bool>,
}

impl Rules for BooleanType {
    fn name(&self) -> &'static str {
        "Boolean"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Boolean", parameters: "true or false", what: "true and false" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.value.map(Value::from).into_iter().collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Boolean(truth) if self.value.is_none_or(|value| value == *truth))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Boolean(other) if self.value.is_none() || self.value == other.value)
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::boolean())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        check_keys(self, &keys, 1, Some(1), &[KeyKind::True, KeyKind::False])?;
        Ok(Type::from(Self { value: keys[0].as_boolean() }).into())
    }
}

/// `Boolean.new`.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_boolean",
    locals: &[],
    dispatches: &[(
        &["Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]] from"],
        convert,
    )],
    complaints: &[(&["Any from"], complain)],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Ok(match &arguments[0] {
        Value::Integer(number) => *number != 0,
        Value::Float(number) => *number != 0.0,
        Value::Boolean(truth) => *truth,
        Value::String(text) => !matches!(&text.to_lowercase()[..], "false" | "no" | "n"),
        _ => true,
    }
    .into())
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(cannot(&arguments[0], "Boolean"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::check_prints;

    #[test]
    fn words_and_numbers_become_booleans() {
        for (code, expected) in [
            ("Boolean('true')", "true"),
            ("Boolean('TRUE')", "true"),
            ("Boolean('yes')", "true"),
            ("Boolean('y')", "true"),
            ("Boolean('no')", "false"),
            ("Boolean('N')", "false"),
            ("Boolean('false')", "false"),
            ("Boolean('')", "'new_boolean' The string '' cannot be converted to Boolean"),
        ] {
            check_prints(code, expected);
        }
    }

    #[test]
    fn truths_of_texts_and_numbers() {
        check_facts(&[
            ("Boolean[true]", "Boolean[true]"),
            (
                "Boolean['x']",
                "Error creating type specialization of a Boolean-Type, Cannot use String where TrueClass or FalseClass is expected",
            ),
            ("Boolean[true, false]", "A Boolean-Type[] accepts 1 argument. Got 2"),
            ("Boolean(true)", "true"),
            ("Boolean('true')", "true"),
            ("Boolean('YES')", "true"),
            ("Boolean('y')", "true"),
            ("Boolean('N')", "false"),
            ("Boolean('no')", "false"),
            ("Boolean('f')", "'new_boolean' The string 'f' cannot be converted to Boolean"),
            ("Boolean('')", "'new_boolean' The string '' cannot be converted to Boolean"),
            ("Boolean('1')", "'new_boolean' The string '1' cannot be converted to Boolean"),
            ("Boolean(0)", "false"),
            ("Boolean(1)", "true"),
            ("Boolean(-3)", "true"),
            ("Boolean(0.0)", "false"),
            ("Boolean(0.5)", "true"),
            ("Boolean(undef)", "'new_boolean' Value of type Undef cannot be converted to Boolean"),
            ("Boolean([])", "'new_boolean' Value of type Array[Unit] cannot be converted to Boolean"),
            (
                "Boolean[true].new('false')",
                "Converted value from Boolean[true].new() has wrong type, expects a Boolean[true] value, got Boolean[false]",
            ),
        ]);
    }
}
