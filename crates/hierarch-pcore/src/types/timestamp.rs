//! `Timestamp[from, to]`.

use std::sync::Arc;

use hierarch_source::Result;

use super::build::Keyed;
use super::time_range::{TimeRange, seconds};
use super::{Guard, Kind, Rules, Type};
use crate::ruby_class;
use crate::value::time::{Formats, Timestamp};
use crate::{Value, issues};

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
        Value::Hash(hash) => crate::convert::timestamp_of_hash(hash).map(|time| time.0),
        other => seconds(other).ok_or_else(|| issues::bad_time_bound("Timestamp", ruby_class(other))),
    }
}

impl Rules for TimestampType {
    fn name(&self) -> &'static str {
        "Timestamp"
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

#[cfg(test)]
mod tests {
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
}
