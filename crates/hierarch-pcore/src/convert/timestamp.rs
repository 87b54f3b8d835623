//! `Timestamp.new`: now, from seconds, or from text.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use super::timespan::formats;
use crate::value::time::{NANOS, Timestamp};
use crate::{Hash, Value};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_timestamp",
    locals: &[("Formats", "Variant[String[2],Array[String[2], 1]]")],
    dispatches: &[
        (&[], now),
        (&["Variant[Integer,Float] seconds"], from_seconds),
        (&["String[1] string", "?Formats format", "?String[1] timezone"], from_text),
        (
            &[
                "Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}] hash_arg",
            ],
            from_hash,
        ),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn value(time: Timestamp) -> Value {
    Value::Timestamp(Arc::new(time))
}

fn now(_: &[Value], host: &dyn Host) -> Result<Value> {
    Ok(value(host.now()))
}

fn from_seconds(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    Ok(value(match &arguments[0] {
        Value::Integer(seconds) => Timestamp(i128::from(*seconds) * NANOS),
        other => Timestamp::from_seconds(other.as_number().unwrap_or(0.0)).checked()?,
    }))
}

fn from_text(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let zone = arguments.get(2).and_then(Value::as_str);
    Timestamp::parse(arguments[0].as_str().unwrap_or_default(), &formats(arguments.get(1)), zone).map(value)
}

fn from_hash(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    timestamp_of_hash(&arguments[0].as_hash().cloned().unwrap_or_default()).map(value)
}

/// Makes a point in time of a hash with `string`, `format` and `timezone`.
pub(crate) fn timestamp_of_hash(hash: &Hash) -> Result<Timestamp> {
    let text = |name: &str| hash.get_str(name).and_then(Value::as_str);
    Timestamp::parse(text("string").unwrap_or_default(), &formats(hash.get_str("format")), text("timezone"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn points_in_time_are_read() {
        for (code, expected) in [
            ("Timestamp(0)", "Timestamp('1970-01-01T00:00:00.000000000 UTC')"),
            ("Timestamp(1.5)", "Timestamp('1970-01-01T00:00:01.500000000 UTC')"),
            ("Timestamp('2020-02-03')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
            ("Timestamp('2020-02-03T04:05:06')", "Timestamp('2020-02-03T04:05:06.000000000 UTC')"),
            ("Timestamp('2020-02-03T04:05:06.789')", "Timestamp('2020-02-03T04:05:06.789000000 UTC')"),
            ("Timestamp('2020-02-03T04:05:06 UTC')", "Timestamp('2020-02-03T04:05:06.000000000 UTC')"),
            ("Timestamp('2020-02-03T04:05:06-07:00')", "Timestamp('2020-02-03T11:05:06.000000000 UTC')"),
            ("Timestamp('03/02/2020','%d/%m/%Y')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ] {
            check_prints(code, expected);
        }
    }
}
