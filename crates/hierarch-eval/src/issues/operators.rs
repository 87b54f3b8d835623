//! What operators, comparisons and access by key say about their operands.

use hierarch_pcore::{Value, issues as words};
use hierarch_source::Error;
use hierarch_syntax::with_article;

use super::{a_value, capital_value, ruby_text, runtime, value_label};

/// An operator has no meaning for its left operand.
pub fn not_applicable(operator: &str, left: &Value) -> Error {
    Error::new(
        "OPERATOR_NOT_APPLICABLE",
        format!("Operator '{operator}' is not applicable to {}.", a_value(left)),
    )
}

/// An operator has no meaning for its two operands together.
pub fn not_applicable_when(operator: &str, left: &Value, right: &Value) -> Error {
    Error::new(
        "OPERATOR_NOT_APPLICABLE_WHEN",
        format!(
            "Operator '{operator}' is not applicable to {} when right side is {}.",
            a_value(left),
            a_value(right)
        ),
    )
}

/// A value is not a number.
pub fn not_numeric(value: &Value) -> Error {
    let shown = ruby_text(value);
    Error::new("NOT_NUMERIC", format!("The value '{shown}' cannot be converted to Numeric."))
}

/// A text stands where a number is wanted, and looks like one.
pub fn coercion(text: &str, number: &str) -> Error {
    Error::new(
        "NUMERIC_COERCION",
        format!("The string '{text}' was automatically coerced to the numerical value {number}"),
    )
}

/// A result does not fit 64 bits.
pub fn out_of_range(label: &str, result: i128) -> Error {
    let magnitude = format!("{:x}", result.unsigned_abs());
    out_of_range_text(label, result > 0, &magnitude)
}

/// A result does not fit 64 bits; its hexadecimal digits are given.
pub fn out_of_range_text(label: &str, is_positive: bool, digits: &str) -> Error {
    let (end, sign) = if is_positive { ("max", '+') } else { ("min", '-') };
    let label = words::capitalized(&with_article(label));
    Error::new(
        "NUMERIC_OVERFLOW",
        format!("{label} resulted in a value outside of Puppet Integer {end} range, got '{sign}0x{digits}'"),
    )
}

/// Returns the hexadecimal digits of a number shifted to the left.
pub(crate) fn shifted_digits(number: i64, count: i128) -> String {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(4_000);
    let head = u128::from(number.unsigned_abs()) << (count % 4);
    format!("{head:x}{}", "0".repeat(count / 4))
}

/// A division by the integer zero.
pub fn division_by_zero() -> Error {
    Error::new("DIV_BY_ZERO", "Division by 0")
}

/// A float became infinite.
pub fn infinite(operator: &str) -> Error {
    Error::new("RESULT_IS_INFINITY", format!("The result of the {operator} expression is Infinity"))
}

/// A float has no whole part, in the words of Ruby.
pub fn no_whole_number(number: f64) -> Error {
    let words = if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    };
    runtime(words)
}

/// Two values have no order.
pub fn not_comparable(operator: &str, left: &Value, right: &Value, detail: &str) -> Error {
    let (left, right) = (value_label(left), value_label(right));
    Error::new(
        "COMPARISON_NOT_POSSIBLE",
        format!("Comparison of: {left} {operator} {right}, is not possible. Caused by '{detail}'."),
    )
}

/// `default` is compared with something else.
pub fn symbol_order() -> Error {
    runtime("Symbol not comparable to non Symbol")
}

/// The right side of a match is not a pattern.
pub fn not_a_regexp(detail: &str) -> Error {
    Error::new(
        "MATCH_NOT_REGEXP",
        format!("Can not convert right match operand to a regular expression. Caused by '{detail}'."),
    )
}

/// The right side of a match is neither a pattern nor a text; the words are Ruby's, with the names of its classes.
pub fn not_convertible_to_regexp(value: &Value) -> Error {
    let class = match value {
        Value::Undef => "nil",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Default => "Symbol",
        Value::SemVer(_) => "SemanticPuppet::Version",
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Value::Uri(_) => hierarch_pcore::ruby_class(value),
        _ => "Object",
    };
    not_a_regexp(&format!("no implicit conversion of {class} into String"))
}

/// The left side of a match is not a text.
pub fn left_not_string(left: &Value) -> Error {
    Error::new(
        "MATCH_NOT_STRING",
        format!("Left match operand must result in a String value. Got {}.", a_value(left)),
    )
}

/// Only some things can be added to a hash.
pub fn only_collections_to_hash() -> Error {
    runtime("Can only append Array or Hash to a Hash")
}

/// Only binaries can be added to a binary.
pub fn only_binary_to_binary() -> Error {
    runtime("Can only append Binary to a Binary")
}

/// Only texts and URIs can be added to a URI.
pub fn only_uri_to_uri() -> Error {
    runtime("An URI can only be merged with an URI or String")
}

/// A flat list of keys and values has a key without a value.
pub fn odd_hash() -> Error {
    runtime("odd number of arguments for Hash")
}

/// An element is not a pair of key and value.
pub fn no_pair(index: usize, length: usize) -> Error {
    runtime(format!("wrong array length at {index} (expected 2, was {length})"))
}

/// Something cannot be added to a time.
pub fn time_sum(value: &Value, time: &str) -> Error {
    runtime(format!("{} cannot be added to a {time}", capital_value(value)))
}

/// Something cannot be subtracted from a time.
pub fn time_difference(value: &Value, time: &str) -> Error {
    runtime(format!("{} cannot be subtracted from a {time}", capital_value(value)))
}

/// A length of time cannot be multiplied by something.
pub fn time_product(value: &Value) -> Error {
    runtime(format!("A Timestamp cannot be multiplied by {}", a_value(value)))
}

/// A length of time cannot be divided by something.
pub fn time_quotient(value: &Value) -> Error {
    runtime(format!("A Timespan cannot be divided by {}", a_value(value)))
}

/// A length of time has no rest of a division by something.
pub fn time_rest(value: &Value) -> Error {
    runtime(format!("Can not do modulus on a Timespan using a {}", a_value(value)))
}

/// A number and something else have no operation in common.
pub fn not_coercible(value: &Value, number: &Value) -> Error {
    let class = match value {
        Value::SemVer(_) => "SemanticPuppet::Version".to_owned(),
        other => value_label(other),
    };
    runtime(format!("{class} can't be coerced into {}", value_label(number)))
}

// Access.

/// A text is asked for by too many keys.
pub fn string_slice_arity(actual: usize) -> Error {
    Error::new(
        "BAD_STRING_SLICE_ARITY",
        format!("String supports [] with one or two arguments. Got {actual}"),
    )
}

/// An array is asked for by too many keys.
pub fn array_slice_arity(actual: usize) -> Error {
    Error::new("BAD_ARRAY_SLICE_ARITY", format!("Array supports [] with one or two arguments. Got {actual}"))
}

/// A position in an array is not an integer.
pub fn array_key(key: &Value) -> Error {
    let actual = words::key_type_name(key);
    Error::new("BAD_SLICE_KEY_TYPE", format!("An Array[] cannot use {actual} where Integer is expected"))
}

/// A position in a text is not an integer.
pub fn substring_key(key: &Value) -> Error {
    let actual = with_article(&words::key_type_name(key));
    Error::new(
        "BAD_STRING_SLICE_KEY_TYPE",
        format!("A substring operation does not accept {actual} as a character index. Expected an Integer"),
    )
}
