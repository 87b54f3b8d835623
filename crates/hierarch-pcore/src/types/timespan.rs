//! `Timespan[from, to]`.

use std::sync::Arc;

use hierarch_source::Result;

use super::build::Keyed;
use super::time_range::{TimeRange, seconds};
use super::{Guard, Kind, Rules, Type};
use crate::ruby_class;
use crate::value::time::{Formats, Timespan};
use crate::{Value, issues};

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
        Value::Hash(hash) => crate::convert::timespan_of_hash(hash).map(|span| span.0),
        other => seconds(other).ok_or_else(|| issues::bad_time_bound("Timespan", ruby_class(other))),
    }
}

impl Rules for TimespanType {
    fn name(&self) -> &'static str {
        "Timespan"
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

#[cfg(test)]
mod tests {
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
}
