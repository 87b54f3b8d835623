//! `String[min, max]`, and the type of exactly one string, which prints as `String` too.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, KeyError, Keyed, flattened, size_of_keys};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost};
use crate::{Str, Value, format, issues};

/// Strings, by their length or one by its text.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct StringType {
    size: Option<IntegerType>,
    value: Option<Str>,
}

impl StringType {
    /// Makes the type of strings of certain lengths.
    pub fn sized(size: IntegerType) -> Self {
        Self { size: Some(size.as_size()), value: None }
    }

    /// Makes the type of one string.
    pub fn exact(value: Str) -> Self {
        Self { size: None, value: Some(value) }
    }

    /// Returns the one string.
    pub fn value(&self) -> Option<&Str> {
        self.value.as_ref()
    }

    /// Returns the lengths, where they are limited.
    pub fn size(&self) -> Option<IntegerType> {
        self.size
    }

    /// Returns the lengths, of one string its own.
    fn lengths(&self) -> IntegerType {
        match &self.value {
            Some(value) => IntegerType::exactly(value.chars().count()),
            None => self.size.unwrap_or(IntegerType::ANY_SIZE),
        }
    }
}

/// Tells whether a text has one of the lengths, counting characters only if bytes do not tell.
fn fits(size: IntegerType, text: &str) -> bool {
    if text.is_ascii() { size.contains_size(text.len()) } else { size.contains_size(text.chars().count()) }
}

impl Rules for StringType {
    fn name(&self) -> &'static str {
        "String"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "String", parameters: "min[, max]", what: "Texts, by their length" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 2, words: "1 to 2" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.size.map_or_else(Vec::new, IntegerType::bounds)
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        match (value, self.size, &self.value) {
            (Value::String(text), Some(size), _) => fits(size, text),
            (Value::String(text), None, Some(value)) => text == value,
            (Value::String(_), None, None) => true,
            _ => false,
        }
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        match (other.kind(), self.size) {
            (Kind::String(other), Some(size)) => size.covers(other.lengths()),
            (Kind::Enum(other), Some(size)) => match other.values() {
                [] => size.covers(IntegerType::ANY_SIZE),
                values => values.iter().all(|value| fits(size, value)),
            },
            (Kind::Pattern(_), Some(size)) => size.covers(IntegerType::ANY_SIZE),
            (Kind::String(other), None) => {
                self.value.is_none() || (self.value == other.value && other.size.is_none())
            }
            // One string accepts any enum of one string, whichever it is: so does the reference.
            (Kind::Enum(other), None) => {
                self.value.is_none() || (other.values().len() == 1 && !other.ignores_case())
            }
            (Kind::Pattern(_), None) => self.value.is_none(),
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::string())
    }

    fn element(&self) -> Option<Type> {
        Some(Self::sized(IntegerType::exactly(1)).into())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if !(1..=2).contains(&keys.len()) {
            return Err(KeyError::whole(issues::string_slice_arity(keys.len())));
        }
        Ok(Type::from(Self::sized(size_of_keys(0, &keys)?)).into())
    }
}

/// `String.new`: any value as text, under the direction of formats.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_string",
    locals: &[
        ("Format", r"Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]"),
        (
            "ContainerFormat",
            "Struct[{Optional[format] => Format, Optional[separator] => String, Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]",
        ),
        ("TypeMap", "Hash[Type, Variant[Format, ContainerFormat]]"),
        ("Convertible", "Any"),
        ("Formats", "Variant[Default, String[1], TypeMap]"),
    ],
    dispatches: &[(&["Convertible from", "?Formats string_formats"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    let formats = arguments.get(1).unwrap_or(&Value::Default);
    format::converted(&arguments[0], formats, host.largest()).map(Value::from)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn strings_are_measured_in_characters() {
        check_has("String[2, 3]", &["'ab'", "'äöü'"], &["'a'", "'abcd'", "12"]);
        check_accepts("String[1]", &["Enum['a', 'bc']", "String[2, 3]"], &["Enum", "Pattern[/a/]", "String"]);
        check_accepts("String", &["Enum", "Pattern[/a/]", "String[5]"], &["Integer", "Scalar"]);
    }

    #[test]
    fn the_type_of_one_string_prints_without_it() {
        check_prints("type('a')", "String");
        check_prints("String[-2, 3]", "String[0, 3]");
        check_prints(
            "String['abc']",
            "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got a String",
        );
    }

    #[test]
    fn sizes_of_texts() {
        check_facts(&[
            ("String[0]", "String[0]"),
            ("String[1]", "String[1]"),
            ("String[0, 0]", "String[0, 0]"),
            ("String[2, 5]", "String[2, 5]"),
            ("String[default, 5]", "String[0, 5]"),
            ("String[5, default]", "String[5]"),
            ("String[5, 2]", "'from' must be less or equal to 'to'. Got (5, 2"),
            ("String[-1]", "String[0]"),
            (
                "String[a]",
                "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got a String",
            ),
            ("String[Integer[1, 2]]", "String[1, 2]"),
            ("String[1, 2, 3]", "String supports [] with one or two arguments. Got 3"),
            (
                "String[1.5]",
                "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got a Float",
            ),
        ]);
    }
}
