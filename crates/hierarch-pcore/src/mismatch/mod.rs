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
mod signature;

use crate::types::{Element, StructType};
use crate::{Hash, Type, Value, infer};

use describe::describe;
use message::{Mismatch, Part, What};
pub use signature::{Signature, describe_signatures};

/// Describes why a value is no instance of a type. The subject stands before it as it is.
pub fn describe_value(subject: &str, expected: &Type, value: &Value) -> String {
    describe_types(subject, expected, &infer::detailed(value))
}

/// Describes why a type may not be used where another is wanted.
pub fn describe_types(subject: &str, expected: &Type, actual: &Type) -> String {
    let errors = describe(expected, actual, &[Part::Subject(subject.to_owned())]);
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
        .map(|name| Mismatch::new(&[], What::InvalidParameter(name.to_string())))
        .collect();
    for element in expected.elements() {
        errors.extend(parameter(element, given.get_str(element.name()), missing_ok));
    }
    with_subject(subject, &errors)
}

fn parameter(element: &Element, value: Option<&Value>, missing_ok: bool) -> Vec<Mismatch> {
    match value {
        Some(value) if element.value().has(value) => Vec::new(),
        Some(value) => {
            describe(element.value(), &infer::detailed(value), &[Part::Parameter(element.name().to_string())])
        }
        None if missing_ok || element.is_optional() => Vec::new(),
        None => vec![Mismatch::new(&[], What::MissingParameter(element.name().to_string()))],
    }
}

/// Checks the default value of a parameter; returns what is wrong.
pub fn describe_default(subject: &str, name: &str, expected: &Type, value: &Value) -> Option<String> {
    if expected.has(value) {
        return None;
    }
    let actual = infer::detailed(value).generalized();
    with_subject(subject, &describe(expected, &actual, &[Part::Parameter(name.to_owned())]))
}
