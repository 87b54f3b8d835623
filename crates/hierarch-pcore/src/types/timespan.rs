//! `Timespan[from, to]`.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::build::{Arity, Keyed};
use super::guide::Guide;
use super::time_range::{TimeRange, seconds};
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost};
use crate::value::time::{Formats, NANOS, Timespan};
use crate::{Hash, Value, issues, ruby_class};

/// Lengths of time in a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimespanType {
    /// The range in nanoseconds.
    pub range: TimeRange,
}

fn read(value: &Value) -> Result<i128> {
    match value {
        Value::Timespan(span) => Ok(span.0),
        Value::String(text) => Timespan::parse(text, &Formats::Default).map(|span| span.0),
        Value::Hash(hash) => timespan_of_hash(hash).map(|span| span.0),
        other => seconds(other).ok_or_else(|| issues::bad_time_bound("Timespan", ruby_class(other))),
    }
}

impl Rules for TimespanType {
    fn name(&self) -> &'static str {
        "Timespan"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Timespan", parameters: "from[, to]", what: "Lengths of time" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 0, most: 2, words: "0 to 2" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.range.bounds(|nanos| Value::Timespan(Arc::new(Timespan(nanos))))
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Timespan(span) if self.range.contains(span.0))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Timespan(other) if self.range.covers(other.range))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::timespan())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let range = TimeRange::of_keys(self, keys, read, |nanos| Timespan(nanos).to_string())?;
        Ok(Type::from(Self { range }).into())
    }
}

/// `Timespan.new`: from seconds, from text, or from fields.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_timespan",
    locals: &[("Formats", "Variant[String[2],Array[String[2], 1]]")],
    dispatches: &[
        (&["Variant[Integer,Float] seconds"], from_seconds),
        (&["String[1] string", "?Formats format"], from_text),
        (
            &[
                "Integer days",
                "Integer hours",
                "Integer minutes",
                "Integer seconds",
                "?Integer milliseconds",
                "?Integer microseconds",
                "?Integer nanoseconds",
            ],
            from_fields,
        ),
        (&["Struct[{string => String[1], Optional[format] => Formats}] hash_arg"], from_hash),
        (
            &[
                "Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] hash_arg",
            ],
            from_hash,
        ),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn value(span: Timespan) -> Value {
    Value::Timespan(Arc::new(span))
}

fn from_seconds(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let span = match &arguments[0] {
        Value::Integer(seconds) => Timespan(i128::from(*seconds) * NANOS),
        other => Timespan::from_seconds(other.as_number().unwrap_or(0.0)).checked()?,
    };
    Ok(value(span))
}

fn from_text(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Timespan::parse(arguments[0].as_str().unwrap_or_default(), &formats(arguments.get(1))).map(value)
}

fn from_fields(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let field = |index: usize| arguments.get(index).and_then(Value::as_integer).unwrap_or(0);
    Ok(value(Timespan::from_fields(false, [0, 1, 2, 3, 4, 5, 6].map(field))))
}

fn from_hash(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    timespan_of_hash(&arguments[0].as_hash().cloned().unwrap_or_default()).map(value)
}

/// Makes a span of a hash with `string` and `format`, or with fields such as `days`.
fn timespan_of_hash(hash: &Hash) -> Result<Timespan> {
    if let Some(Value::String(text)) = hash.get_str("string") {
        return Timespan::parse(text, &formats(hash.get_str("format")));
    }
    let field = |name: &str| hash.get_str(name).and_then(Value::as_integer).unwrap_or(0);
    let names = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
    let negative = hash.get_str("negative").and_then(Value::as_boolean).unwrap_or(false);
    Ok(Timespan::from_fields(negative, names.map(field)))
}

/// Reads one format or several.
pub(super) fn formats(value: Option<&Value>) -> Formats {
    match value {
        Some(Value::String(format)) => Formats::One(format.to_string()),
        Some(Value::Array(formats)) => Formats::Any(formats.iter().map(Value::to_string).collect()),
        _ => Formats::Default,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_has, check_prints};

    #[test]
    fn bounds_are_seconds_or_texts() {
        check_has("Timespan[0, '00:01:00']", &["Timespan(60)", "Timespan(0)"], &["Timespan(61)", "60"]);
        check_prints("Timespan[3600]", "Timespan['0-01:00:00.0']");
        check_prints(
            "Timespan[2, 1]",
            "'from' must be less or equal to 'to'. Got (0-00:00:02.0, 0-00:00:01.0",
        );
    }

    #[test]
    fn lengths_of_time_are_read_or_put_together() {
        for (code, expected) in [
            ("Timespan(90)", "Timespan('0-00:01:30.0')"),
            ("Timespan(1.5)", "Timespan('0-00:00:01.5')"),
            ("Timespan('1-02:03:04.5')", "Timespan('1-02:03:04.5')"),
            (
                "Timespan('02:03')",
                "Unable to parse '02:03' using any of the formats %D-%H:%M:%S.%-N, %H:%M:%S.%-N, %M:%S.%-N, %S.%-N, %D-%H:%M:%S, %H:%M:%S, %D-%H:%M, %S",
            ),
            ("Timespan('03')", "Timespan('0-00:00:03.0')"),
            ("Timespan(1,2,3,4)", "Timespan('1-02:03:04.0')"),
            ("Timespan(1,2,3,4,5,6,7)", "Timespan('1-02:03:04.5006007')"),
            ("Timespan({days=>1,hours=>2})", "Timespan('1-02:00:00.0')"),
        ] {
            check_prints(code, expected);
        }
    }

    #[test]
    fn spans_have_bounds() {
        check_facts(&[
            ("Timespan[1]", "Timespan['0-00:00:01.0']"),
            ("Timespan[1, 2]", "Timespan['0-00:00:01.0', '0-00:00:02.0']"),
            ("Timespan[2, 1]", "'from' must be less or equal to 'to'. Got (0-00:00:02.0, 0-00:00:01.0"),
            ("Timespan['00:01:00']", "Timespan['0-00:01:00.0']"),
            ("Timespan['00:01:00', '00:02:00']", "Timespan['0-00:01:00.0', '0-00:02:00.0']"),
            ("Timespan[default, 5]", "Timespan[default, '0-00:00:05.0']"),
            ("Timespan[Timespan(1), Timespan(2)]", "Timespan['0-00:00:01.0', '0-00:00:02.0']"),
            ("Timespan[{seconds => 5}]", "Timespan['0-00:00:05.0']"),
            ("Timespan[true]", "Unable to create a Puppet::Pops::Time::Timespan from a TrueClass"),
            ("Timespan[1, 2, 3]", "A Timespan-Type[] accepts 0 to 2 arguments. Got 3"),
            (
                "Timespan['x']",
                "Unable to parse 'x' using any of the formats %D-%H:%M:%S.%-N, %H:%M:%S.%-N, %M:%S.%-N, %S.%-N, %D-%H:%M:%S, %H:%M:%S, %D-%H:%M, %S",
            ),
        ]);
    }
}
