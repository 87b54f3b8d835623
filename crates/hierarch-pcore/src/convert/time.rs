//! Times from hashes of their fields.

use hierarch_source::Result;

use crate::value::time::{Formats, Timespan, Timestamp};
use crate::{Hash, Value};

/// Makes a span of a hash with `string` and `format`, or with fields such as `days`.
pub(crate) fn timespan_of_hash(hash: &Hash) -> Result<Timespan> {
    if let Some(Value::String(text)) = hash.get_str("string") {
        return Timespan::parse(text, &formats(hash.get_str("format")));
    }
    let field = |name: &str| hash.get_str(name).and_then(Value::as_integer).unwrap_or(0);
    let names = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
    let negative = hash.get_str("negative").and_then(Value::as_boolean).unwrap_or(false);
    Ok(Timespan::from_fields(negative, names.map(field)))
}

/// Makes a point in time of a hash with `string`, `format` and `timezone`.
pub(crate) fn timestamp_of_hash(hash: &Hash) -> Result<Timestamp> {
    let text = |name: &str| hash.get_str(name).and_then(Value::as_str);
    Timestamp::parse(text("string").unwrap_or_default(), &formats(hash.get_str("format")), text("timezone"))
}

/// Reads one format or several.
pub(crate) fn formats(value: Option<&Value>) -> Formats {
    match value {
        Some(Value::String(format)) => Formats::One(format.to_string()),
        Some(Value::Array(formats)) => Formats::Any(formats.iter().map(Value::to_string).collect()),
        _ => Formats::Default,
    }
}
