//! What of a value does not fit a type, in the reference's words.
//!
//! ```
//! use hierarch_pcore::{Type, Value, mismatch};
//!
//! let wanted = Type::array_of(Type::integer());
//! let given = Value::from(vec![Value::from(1), Value::from("a")]);
//! let text = mismatch::describe_value("assert_type():", &wanted, &given);
//! assert_eq!(text, "assert_type(): index 1 expects an Integer value, got String");
//! ```

mod describe;
mod message;
mod parts;
mod signature;

use crate::types::{Element, StructType};
use crate::{Hash, Type, Value, infer};

use describe::describe;
use message::{Misfit, Mismatch, PathStep};
pub use parts::{UnfitPart, describe_parts};
pub use signature::{Signature, describe_signatures};

/// Describes why a value is not an instance of a type. The subject stands before it as it is.
pub fn describe_value(subject: &str, expected: &Type, value: &Value) -> String {
    describe_types(subject, expected, &infer::detailed(value))
}

/// Describes why a type may not be used where another is wanted.
pub fn describe_types(subject: &str, expected: &Type, actual: &Type) -> String {
    let errors = describe(expected, actual, &[PathStep::Subject(subject.to_owned())]);
    match &errors[..] {
        [error] => error.text().trim().to_owned(),
        _ => lines(&errors),
    }
}

fn lines(errors: &[Mismatch]) -> String {
    errors.iter().map(Mismatch::text).collect::<Vec<_>>().join("\n ")
}

/// Joins a subject such as `Class[A]` with what is wrong with its parameters; nothing if nothing is.
fn with_subject(subject: &str, errors: &[Mismatch]) -> Option<String> {
    match errors {
        [] => None,
        [error] => Some(format!("{subject}:{}", error.text())),
        errors => Some(format!("{subject}:\n {}", lines(errors))),
    }
}

/// Checks named parameters, as those of classes and defines, against a struct; returns what is wrong.
pub fn describe_parameters(
    subject: &str,
    expected: &StructType,
    given: &Hash,
    missing_ok: bool,
) -> Option<String> {
    let unknown = |name: &&Value| name.as_str().is_none_or(|name| expected.get(name).is_none());
    let mut errors: Vec<Mismatch> = given
        .keys()
        .filter(unknown)
        .map(|name| Mismatch::new(&[], Misfit::InvalidParameter(name.to_string())))
        .collect();
    for element in expected.elements() {
        errors.extend(parameter(element, given.get_str(element.name()), missing_ok));
    }
    with_subject(subject, &errors)
}

fn parameter(element: &Element, value: Option<&Value>, missing_ok: bool) -> Vec<Mismatch> {
    match value {
        Some(value) if element.value().has(value) => Vec::new(),
        Some(value) => describe(
            element.value(),
            &infer::detailed(value),
            &[PathStep::Parameter(element.name().to_string())],
        ),
        None if missing_ok || element.is_optional() => Vec::new(),
        None => vec![Mismatch::new(&[], Misfit::MissingParameter(element.name().to_string()))],
    }
}

/// Checks the default value of a parameter; returns what is wrong.
pub fn describe_default(subject: &str, name: &str, expected: &Type, value: &Value) -> Option<String> {
    if expected.has(value) {
        return None;
    }
    let actual = infer::detailed(value).generalized();
    with_subject(subject, &describe(expected, &actual, &[PathStep::Parameter(name.to_owned())]))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn mismatches_are_described_in_the_words_of_the_reference() {
        for (code, expected) in [
            (
                "assert_type(Integer[1,5], 7)",
                "assert_type(): expects an Integer[1, 5] value, got Integer[7, 7]",
            ),
            ("assert_type(String[1], '')", "assert_type(): expects a String[1] value, got String"),
            (
                "assert_type(String[3,5], 'abcdefg')",
                "assert_type(): expects a String[3, 5] value, got String",
            ),
            (
                "assert_type(Array[Integer], [1,'a'])",
                "assert_type(): index 1 expects an Integer value, got String",
            ),
            ("assert_type(Array[Integer], {})", "assert_type(): expects an Array value, got Hash"),
            ("assert_type(Array[Integer,2], [1])", "assert_type(): expects size to be at least 2, got 1"),
            (
                "assert_type(Hash[String,Integer], {a=>'x'})",
                "assert_type(): entry 'a' expects an Integer value, got String",
            ),
            (
                "assert_type(Hash[String,Integer], {1=>1})",
                "assert_type(): expects a Hash[String, Integer] value, got Hash[Integer[1, 1], Integer[1, 1]]",
            ),
            (
                "assert_type(Hash[String,Integer,2], {a=>1})",
                "assert_type(): expects size to be at least 2, got 1",
            ),
            ("assert_type(Struct[{a=>Integer}], {})", "assert_type(): expects size to be 1, got 0"),
            ("assert_type(Struct[{a=>Integer}], {a=>1,b=>2})", "assert_type(): unrecognized key 'b'"),
            (
                "assert_type(Struct[{a=>Integer}], {a=>'x'})",
                "assert_type(): entry 'a' expects an Integer value, got String",
            ),
            (
                "assert_type(Struct[{a=>Integer,b=>String}], {a=>'x',b=>1})",
                " assert_type(): entry 'a' expects an Integer value, got String\n  assert_type(): entry 'b' expects a String value, got Integer",
            ),
            (
                "assert_type(Struct[{a=>Struct[{b=>Integer}]}], {a=>{b=>'x'}})",
                "assert_type(): entry 'a' entry 'b' expects an Integer value, got String",
            ),
            ("assert_type(Tuple[Integer,String], [1])", "assert_type(): expects size to be 2, got 1"),
            (
                "assert_type(Tuple[Integer,String], [1,2])",
                "assert_type(): index 1 expects a String value, got Integer",
            ),
            ("assert_type(Tuple[Integer,String], [1,'a',3])", "assert_type(): expects size to be 2, got 3"),
            ("assert_type(Enum[a,b], 'c')", "assert_type(): expects a match for Enum['a', 'b'], got 'c'"),
            ("assert_type(Enum[a], 1)", "assert_type(): expects a match for Enum['a'], got Integer"),
            ("assert_type(Pattern[/a/], 'b')", "assert_type(): expects a match for Pattern[/a/], got 'b'"),
            (
                "assert_type(Pattern[/a/,/b/], 'x')",
                "assert_type(): expects a match for Pattern[/a/, /b/], got 'x'",
            ),
            (
                "assert_type(Variant[Integer,Boolean], 'a')",
                "assert_type(): expects a value of type Integer or Boolean, got String",
            ),
            (
                "assert_type(Variant[Array[Integer],Hash[String,Integer]], ['a'])",
                " assert_type(): variant 0 index 0 expects an Integer value, got String\n  assert_type(): variant 1 expects a Hash value, got Tuple",
            ),
            (
                "assert_type(Optional[Integer], 'a')",
                "assert_type(): expects a value of type Undef or Integer, got String",
            ),
            ("assert_type(NotUndef, undef)", "assert_type(): expects a NotUndef value, got Undef"),
            ("assert_type(Boolean, 'true')", "assert_type(): expects a Boolean value, got String"),
            ("assert_type(Float, 1)", "assert_type(): expects a Float value, got Integer"),
            (
                "assert_type(Type[Integer], String)",
                "assert_type(): expects a Type[Integer] value, got Type[String]",
            ),
            ("assert_type(Regexp, 'a')", "assert_type(): expects a Regexp value, got String"),
            ("assert_type(Undef, 1)", "assert_type(): expects an Undef value, got Integer"),
            ("assert_type(Scalar, [1])", "assert_type(): expects a Scalar value, got Tuple"),
            ("assert_type(Data, /a/)", "assert_type(): expects a Data value, got Regexp"),
            ("assert_type(Callable, 1)", "assert_type(): expects a Callable value, got Integer"),
            (
                "assert_type(Sensitive[Integer], Sensitive('a'))",
                "assert_type(): expects a Sensitive[Integer] value, got Sensitive[String]",
            ),
            ("assert_type(Resource, 'a')", "assert_type(): expects a Resource value, got String"),
            ("assert_type(File, Notify['a'])", "assert_type(): expects a Resource value, got Type[Resource]"),
        ] {
            check_prints(code, expected);
        }
    }
}
