//! Formats of texts, and what they cannot show.

use hierarch_source::Error;

use super::runtime;

/// A format does not have the form of one.
pub fn bad_format(text: &str) -> Error {
    runtime(format!("The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"))
}

/// A format asks for more characters than are ever made.
pub fn format_too_wide(text: &str) -> Error {
    runtime(format!("The format '{text}' is too wide; the limit is 1000000 characters"))
}

/// A flag stands twice in a format.
pub fn repeated_flag(text: &str) -> Error {
    runtime(format!("The same flag can only be used once, got '{text}'"))
}

/// A format has several delimiters.
pub fn several_delimiters(text: &str) -> Error {
    runtime(format!("Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"))
}

/// The letter of a format means nothing for a type.
pub fn illegal_format(type_: &str, letter: char, letters: &str) -> Error {
    runtime(format!(
        "Illegal format '{letter}' specified for value of {type_} type - expected one of the characters '{letters}'"
    ))
}

/// A format means nothing to Ruby's own formatting.
pub fn malformed_format(at: char) -> Error {
    runtime(format!("malformed format string - %{at}"))
}

/// A format starts a name that does not end.
pub fn unmatched_format_name() -> Error {
    runtime("malformed name - unmatched parenthesis")
}

/// A format of a container has unknown keys.
pub fn bad_container_format(text: &str) -> Error {
    runtime(format!(
        "only 'separator', 'separator2', 'format', 'string_formats' are allowed in a container format, got {text}"
    ))
}

/// Formats are neither one, nor by type.
pub fn bad_formats(actual: &str) -> Error {
    runtime(format!(
        "string conversion expects a Default value or a Hash of type to format mappings, got a '{actual}'"
    ))
}

/// A key of formats by type is not a type.
pub fn bad_format_key(actual: &str) -> Error {
    runtime(format!("top level keys in the format hash must be data types, got instance of '{actual}'"))
}

/// A number is not a character.
pub fn bad_code_point() -> Error {
    runtime("pack(U): value out of range")
}

/// A float is not an integer.
pub fn no_integer(text: &str) -> Error {
    runtime(text)
}

/// Bytes are not a text.
pub fn not_utf8(bytes: &[u8]) -> Error {
    // Ruby names the first byte beyond ASCII, whether or not it starts a character.
    let byte = bytes.iter().find(|byte| !byte.is_ascii()).copied().unwrap_or(0);
    runtime(format!("\"\\x{byte:02X}\" from ASCII-8BIT to UTF-8"))
}

/// A value has no number.
pub fn not_convertible(class: &str, wanted: &str) -> Error {
    runtime(format!("can't convert {class} into {wanted}"))
}

// JSON.

/// JSON ends before this, in the words of Ruby's library.
pub fn unexpected_token(rest: &str) -> String {
    format!("unexpected token at '{rest}'")
}

/// A JSON text has the first half of a character.
pub fn incomplete_surrogate(rest: &str) -> String {
    format!("incomplete surrogate pair at '{rest}'")
}

/// JSON has collections inside each other without end.
pub fn json_too_deep(depth: usize) -> String {
    format!("nesting of {depth} is too deep")
}
