//! `Binary`: bytes.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost};
use crate::value::Binary;
use crate::{Value, issues};

/// The type of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinaryType;

impl Rules for BinaryType {
    fn name(&self) -> &'static str {
        "Binary"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Binary", parameters: "", what: "Bytes; made of base64, text or numbers" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Binary(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Binary(_))
    }
}

/// `Binary.new`: from text in one of several notations, or from bytes.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_Binary",
    locals: &[
        ("ByteInteger", "Integer[0,255]"),
        ("Base64Format", "Enum['%b', '%u', '%B', '%s', '%r']"),
        ("StringHash", "Struct[{value => String, 'format' => Optional[Base64Format]}]"),
        ("ArrayHash", "Struct[{value => Array[ByteInteger]}]"),
        ("BinaryArgsHash", "Variant[StringHash, ArrayHash]"),
    ],
    dispatches: &[
        (&["String str", "?Base64Format format"], from_text),
        (&["Array[ByteInteger] byte_array"], from_bytes),
        (&["BinaryArgsHash hash_args"], from_hash),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn from_text(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let text = arguments[0].as_str().unwrap_or_default();
    let binary = match arguments.get(1).and_then(Value::as_str).unwrap_or("%B") {
        "%b" => Some(Binary::from_base64_lenient(text)),
        "%u" => Binary::from_base64_url(text),
        "%s" | "%r" => Some(Binary::new(text)),
        _ => Binary::from_base64_strict(text),
    };
    binary.map(|binary| Value::Binary(Arc::new(binary))).ok_or_else(issues::bad_base64)
}

fn from_bytes(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let byte = |value: &Value| value.as_integer().and_then(|byte| u8::try_from(byte).ok());
    let bytes: Vec<u8> = arguments[0].as_array().unwrap_or_default().iter().filter_map(byte).collect();
    Ok(Value::Binary(Arc::new(Binary::new(bytes))))
}

fn from_hash(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    let part =
        |name: &str| arguments[0].as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or_default();
    match part("value") {
        bytes @ Value::Array(_) => from_bytes(&[bytes], host),
        text => from_text(&[text, part("format")], host),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::check_prints;

    #[test]
    fn bytes_are_read_in_several_notations() {
        for (code, expected) in [
            ("Binary('YWJj')", "Binary(\"YWJj\")"),
            ("Binary('abc','%s')", "Binary(\"YWJj\")"),
            ("Binary('YWJj','%b')", "Binary(\"YWJj\")"),
            ("Binary('YWJj','%B')", "Binary(\"YWJj\")"),
            ("Binary('YWJj','%u')", "Binary(\"YWJj\")"),
            ("Binary('abc','%r')", "Binary(\"YWJj\")"),
            ("Binary([97,98])", "Binary(\"YWI=\")"),
            ("Binary({value=>'abc',format=>'%s'})", "Binary(\"YWJj\")"),
        ] {
            check_prints(code, expected);
        }
    }

    #[test]
    fn bytes_by_encoding() {
        check_facts(&[
            ("Binary('aGk=')", r#"Binary("aGk=")"#),
            ("Binary('aGk')", "invalid base64"),
            ("Binary('aGk=', '%B')", r#"Binary("aGk=")"#),
            ("Binary('aGk', '%B')", "invalid base64"),
            (r#"Binary("aG\nk=", '%B')"#, "invalid base64"),
            (r#"Binary("aG\nk=", '%b')"#, r#"Binary("aGk=")"#),
            ("Binary('a_-b', '%u')", r#"Binary("a/+b")"#),
            ("Binary('a+/b', '%u')", r#"Binary("a+/b")"#),
            ("Binary('hi', '%s')", r#"Binary("aGk=")"#),
            ("Binary('grüße', '%s')", r#"Binary("Z3LDvMOfZQ==")"#),
            ("Binary('hi', '%r')", r#"Binary("aGk=")"#),
            (
                "Binary('hi', '%q')",
                "The function 'new_Binary' was called with arguments it does not accept. It expects one of:\n  (String str, Base64Format = Enum['%B', '%b', '%r', '%s', '%u'] format?)\n    rejected: parameter 'format' expects a match for Base64Format = Enum['%B', '%b', '%r', '%s', '%u'], got '%q'\n  (Array[ByteInteger] byte_array)\n    rejected: expects 1 argument, got 2\n  (BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] hash_args)\n    rejected: expects 1 argument, got 2",
            ),
            ("Binary('a b', '%B')", "invalid base64"),
            ("Binary('$', '%b')", r#"Binary("")"#),
            ("Binary([104, 105])", r#"Binary("aGk=")"#),
            (
                "Binary([256])",
                "The function 'new_Binary' was called with arguments it does not accept. It expects one of:\n  (String str, Base64Format = Enum['%B', '%b', '%r', '%s', '%u'] format?)\n    rejected: parameter 'str' expects a String value, got Tuple\n  (Array[ByteInteger] byte_array)\n    rejected: parameter 'byte_array' index 0 expects a ByteInteger = Integer[0, 255] value, got Integer[256, 256]\n  (BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] hash_args)\n    rejected: parameter 'hash_args' expects a BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] value, got Tuple",
            ),
            (
                "Binary([-1])",
                "The function 'new_Binary' was called with arguments it does not accept. It expects one of:\n  (String str, Base64Format = Enum['%B', '%b', '%r', '%s', '%u'] format?)\n    rejected: parameter 'str' expects a String value, got Tuple\n  (Array[ByteInteger] byte_array)\n    rejected: parameter 'byte_array' index 0 expects a ByteInteger = Integer[0, 255] value, got Integer[-1, -1]\n  (BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] hash_args)\n    rejected: parameter 'hash_args' expects a BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] value, got Tuple",
            ),
            (
                "Binary(['a'])",
                "The function 'new_Binary' was called with arguments it does not accept. It expects one of:\n  (String str, Base64Format = Enum['%B', '%b', '%r', '%s', '%u'] format?)\n    rejected: parameter 'str' expects a String value, got Tuple\n  (Array[ByteInteger] byte_array)\n    rejected: parameter 'byte_array' index 0 expects a ByteInteger = Integer[0, 255] value, got String\n  (BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] hash_args)\n    rejected: parameter 'hash_args' expects a BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] value, got Tuple",
            ),
            ("Binary({value => 'hi', format => '%s'})", r#"Binary("aGk=")"#),
            ("Binary({value => [1, 2]})", r#"Binary("AQI=")"#),
            (
                "Binary(1)",
                "The function 'new_Binary' was called with arguments it does not accept. It expects one of:\n  (String str, Base64Format = Enum['%B', '%b', '%r', '%s', '%u'] format?)\n    rejected: parameter 'str' expects a String value, got Integer\n  (Array[ByteInteger] byte_array)\n    rejected: parameter 'byte_array' expects an Array value, got Integer\n  (BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] hash_args)\n    rejected: parameter 'hash_args' expects a BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] value, got Integer",
            ),
            (
                "Binary(undef)",
                "The function 'new_Binary' was called with arguments it does not accept. It expects one of:\n  (String str, Base64Format = Enum['%B', '%b', '%r', '%s', '%u'] format?)\n    rejected: parameter 'str' expects a String value, got Undef\n  (Array[ByteInteger] byte_array)\n    rejected: parameter 'byte_array' expects an Array value, got Undef\n  (BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] hash_args)\n    rejected: parameter 'hash_args' expects a BinaryArgsHash = Variant[StringHash = Struct[{'value' => String, 'format' => Optional[Base64Format = Enum['%B', '%b', '%r', '%s', '%u']]}], ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]] value, got Undef",
            ),
        ]);
    }
}
