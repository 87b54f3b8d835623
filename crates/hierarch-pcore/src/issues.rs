//! All the words a user can read, one small function per issue.

mod formats;
mod labels;
mod objects;
mod types;

use hierarch_source::Error;

pub use formats::*;
pub use labels::*;
pub use objects::*;
pub use types::*;

use crate::Value;

/// The code of errors that the reference raises without one.
pub const RUNTIME_ERROR: &str = "RUNTIME_ERROR";

/// The detail of an error about the number of arguments: how many were given.
pub const ARGUMENT_COUNT: &str = "argument count";

/// The detail of an error about an expression that is not a type: the expression.
pub const TYPE_EXPRESSION: &str = "type expression";

fn runtime(message: impl Into<String>) -> Error {
    Error::new(RUNTIME_ERROR, message)
}

/// The text of a type cannot be read. Where it ends too early there is no place in it to name, and the reference takes the error
/// for one of whoever reads the text.
pub fn of_type_text(error: Error) -> Error {
    if error.place.is_some() {
        return error;
    }
    let diagnostic = error.into_diagnostic();
    let plain = runtime(diagnostic.message);
    diagnostic.notes.into_iter().fold(plain, |error, note| error.note(note.text))
}

// Versions.

/// A text is not a semantic version.
pub fn bad_version(text: &str) -> Error {
    runtime(format!("Unable to parse '{text}' as a semantic version identifier"))
}

/// A number in a prerelease has leading zeros.
pub fn padded_prerelease() -> Error {
    runtime("Numeric pre-release identifiers MUST NOT contain leading zeroes")
}

/// A text is not a range of versions.
pub fn bad_version_range(text: &str) -> Error {
    runtime(format!("Unparsable version range: \"{text}\""))
}

// Time.

/// A zone is unknown.
pub fn bad_timezone(zone: &str) -> Error {
    runtime(format!("Illegal timezone '{zone}'"))
}

/// A text does not have the format.
pub fn bad_time(text: &str, format: &str) -> Error {
    runtime(format!("Unable to parse '{text}' using format '{format}'"))
}

/// A text has none of the formats.
pub fn bad_time_formats(text: &str, formats: &str) -> Error {
    runtime(format!("Unable to parse '{text}' using any of the formats {formats}"))
}

/// A zone is given both in the text and apart.
pub fn zone_given_twice() -> Error {
    runtime(
        "Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
    )
}

/// A part of an address is not what it may be.
pub fn bad_uri_component(what: &str, part: &str) -> Error {
    runtime(format!("bad component(expected {what} component): {part}"))
}

/// An address is given as a whole and in parts.
pub fn opaque_with_parts() -> Error {
    runtime("can not set opaque with host, port, userinfo or path")
}

/// A text names no year.
pub fn time_without_year() -> Error {
    runtime("no implicit conversion of nil into Integer")
}

/// A field of a time is outside of what it can be.
pub fn time_out_of_range() -> Error {
    runtime("argument out of range")
}

/// A format of a span has an unknown directive.
pub fn bad_span_format(expression: &str, format: &str, position: usize) -> Error {
    runtime(format!("Bad format specifier '{expression}' in '{format}', at position {position}"))
}

/// A format has only fractions of a second.
pub fn fraction_without_whole() -> Error {
    runtime(
        "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
    )
}

// Identifiers of resources.

/// A text is not a URI.
pub fn bad_uri(text: &str) -> Error {
    runtime(format!("bad URI(is not URI?): {text:?}"))
}

/// A URI has characters that must be escaped.
pub fn non_ascii_uri(text: &str) -> Error {
    let escaped: String = text
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\u{:04X}", u32::from(c)) })
        .collect();
    runtime(format!("URI must be ascii only \"{escaped}\""))
}

// Order.

/// A string is compared with something else.
pub fn string_order() -> Error {
    runtime("A String is not comparable to a non String")
}

/// A number is compared with something else.
pub fn number_order() -> Error {
    runtime("A Numeric is not comparable to non Numeric")
}

/// A span is compared with neither a span nor a number.
pub fn timespan_order() -> Error {
    runtime("Timespans are only comparable to Timespans, Integers, and Floats")
}

/// A point in time is compared with neither another nor a number.
pub fn timestamp_order() -> Error {
    runtime("Timestamps are only comparable to Timestamps, Integers, and Floats")
}

/// A version is compared with something else.
pub fn version_order() -> Error {
    runtime("Versions not comparable to non Versions")
}

/// A value has no order at all.
pub fn no_order() -> Error {
    runtime("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable")
}

// Making values.

/// The further arguments of an Init type fit no constructor.
pub fn init_arguments(init: &str, type_: &str) -> Error {
    runtime(format!("The type '{init}' does not represent a valid set of parameters for {type_}.new()"))
}

/// A constructor gets fewer values than it has to, in Ruby's words.
pub fn ruby_argument_count(given: usize, least: usize, most: usize) -> Error {
    let expected = if least == most { least.to_string() } else { format!("{least}..{most}") };
    runtime(format!("wrong number of arguments (given {given}, expected {expected})"))
}

/// Types are not made of attributes.
pub fn type_with_brackets(name: &str) -> Error {
    runtime(format!(
        "Types are not made with {name}.new() here; write them with brackets, such as Array[String]"
    ))
}

/// Values of a type are never made.
pub fn not_creatable(type_: &str) -> Error {
    runtime(format!("Creation of new instance of type '{type_}' is not supported"))
}

/// A value is not of the type that was asked for, or arguments fit no constructor.
pub fn converted_mismatch(mismatch: &str) -> Error {
    runtime(mismatch)
}

/// A constructor's own words on arguments it cannot use.
pub fn complaint(name: &str, text: &str) -> Error {
    runtime(format!("'{name}' {text}"))
}

/// A radix that is not supported.
pub fn bad_radix(radix: i64) -> Error {
    runtime(format!("Illegal radix: {radix}, expected 2, 8, 10, 16, or default"))
}

/// A text is not an integer in its radix.
pub fn invalid_integer(text: &str) -> Error {
    runtime(format!("invalid value for Integer(): {text:?}"))
}

/// A text is not a float.
pub fn invalid_float(text: &str) -> Error {
    runtime(format!("invalid value for Float(): {text:?}"))
}

/// A number does not fit 64 bits.
pub fn integer_overflow() -> Error {
    runtime("the number is outside of the range of 64 bit integers")
}

/// A list of keys and values has no value for its last key.
pub fn odd_hash() -> Error {
    runtime("odd number of arguments for Hash")
}

/// A path of a tree leads nowhere.
pub fn bad_tree_path(step: &Value) -> Error {
    runtime(format!("the path of a tree cannot continue with {}", step.program_text()))
}

/// A text or collection is too large.
pub fn too_large(most: usize) -> Error {
    let problem = format!("a text or collection would be larger than {most}");
    Error::new("SIZE_LIMIT", format!("{problem}; --max-size raises the limit"))
}

/// A text is not base 64.
pub fn bad_base64() -> Error {
    runtime("invalid base64")
}
