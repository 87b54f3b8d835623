//! `Timestamp[from, to]`.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::build::{Arity, Keyed};
use super::guide::Guide;
use super::time_range::{TimeRange, seconds};
use super::timespan::formats;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost};
use crate::value::time::{Formats, NANOS, Timestamp};
use crate::{Hash, Value, issues, ruby_class};

/// Points in time in a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimestampType {
    /// The range in nanoseconds since 1970.
    pub range: TimeRange,
}

fn read(value: &Value) -> Result<i128> {
    match value {
        Value::Timestamp(time) => Ok(time.0),
        Value::String(text) => Timestamp::parse(text, &Formats::Default, None).map(|time| time.0),
        Value::Hash(hash) => timestamp_of_hash(hash).map(|time| time.0),
        other => seconds(other).ok_or_else(|| issues::bad_time_bound("Timestamp", ruby_class(other))),
    }
}

impl Rules for TimestampType {
    fn name(&self) -> &'static str {
        "Timestamp"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Timestamp", parameters: "from[, to]", what: "Points in time" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 0, most: 2, words: "0 to 2" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.range.bounds(|nanos| Value::Timestamp(Arc::new(Timestamp(nanos))))
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Timestamp(time) if self.range.contains(time.0))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Timestamp(other) if self.range.covers(other.range))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::timestamp())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let range = TimeRange::of_keys(self, keys, read, |nanos| Timestamp(nanos).to_string())?;
        Ok(Type::from(Self { range }).into())
    }
}

/// `Timestamp.new`: now, from seconds, or from text.
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

fn now(_: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    Ok(value(host.now()))
}

fn from_seconds(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Ok(value(match &arguments[0] {
        Value::Integer(seconds) => Timestamp(i128::from(*seconds) * NANOS),
        other => Timestamp::from_seconds(other.as_number().unwrap_or(0.0)).checked()?,
    }))
}

fn from_text(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let zone = arguments.get(2).and_then(Value::as_str);
    Timestamp::parse(arguments[0].as_str().unwrap_or_default(), &formats(arguments.get(1)), zone).map(value)
}

fn from_hash(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    timestamp_of_hash(&arguments[0].as_hash().cloned().unwrap_or_default()).map(value)
}

/// Makes a point in time of a hash with `string`, `format` and `timezone`.
fn timestamp_of_hash(hash: &Hash) -> Result<Timestamp> {
    let text = |name: &str| hash.get_str(name).and_then(Value::as_str);
    Timestamp::parse(text("string").unwrap_or_default(), &formats(hash.get_str("format")), text("timezone"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_has, check_prints};

    #[test]
    fn bounds_are_seconds_or_texts() {
        check_has(
            "Timestamp['2020-01-01', default]",
            &["Timestamp('2020-06-01')"],
            &["Timestamp('2019-12-31')", "0"],
        );
        check_prints("Timestamp[0]", "Timestamp['1970-01-01T00:00:00.000000000 UTC']");
    }

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

    #[test]
    fn moments_have_bounds() {
        check_facts(&[
            ("Timestamp[0]", "Timestamp['1970-01-01T00:00:00.000000000 UTC']"),
            (
                "Timestamp[0, 1]",
                "Timestamp['1970-01-01T00:00:00.000000000 UTC', '1970-01-01T00:00:01.000000000 UTC']",
            ),
            (
                "Timestamp[1, 0]",
                "'from' must be less or equal to 'to'. Got (1970-01-01T00:00:01.000000000 UTC, 1970-01-01T00:00:00.000000000 UTC",
            ),
            ("Timestamp['2020-01-01']", "Timestamp['2020-01-01T00:00:00.000000000 UTC']"),
            ("Timestamp['2020-01-01', default]", "Timestamp['2020-01-01T00:00:00.000000000 UTC']"),
            ("Timestamp[default, '2020-01-01']", "Timestamp[default, '2020-01-01T00:00:00.000000000 UTC']"),
            ("Timestamp[1.5]", "Timestamp['1970-01-01T00:00:01.500000000 UTC']"),
            ("Timestamp[Timestamp(1)]", "Timestamp['1970-01-01T00:00:01.000000000 UTC']"),
            ("Timestamp[true]", "Unable to create a Puppet::Pops::Time::Timestamp from a TrueClass"),
            ("Timestamp[0, 1, 2]", "A Timestamp-Type[] accepts 0 to 2 arguments. Got 3"),
            (
                "Timestamp['x']",
                "Unable to parse 'x' using any of the formats %FT%T.%N %Z, %FT%T %Z, %F %T.%N %Z, %F %T %Z, %F %Z, %FT%T.%N, %FT%T, %F %T.%N, %F %T, %F",
            ),
        ]);
    }
}
