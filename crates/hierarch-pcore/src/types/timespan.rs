//! `Timespan[from, to]`, and the ranges of time that `Timestamp` shares.

use std::sync::Arc;

use hierarch_source::Result;

use super::build::{KeyError, Keyed, flattened, ruby_class};
use super::{Guard, Kind, Rules, Type};
use crate::value::time::{Formats, NANOS, Timespan};
use crate::{Value, issues};

/// Lengths of time in a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimespanType {
    /// The range in nanoseconds.
    pub range: TimeRange,
}

/// A range of nanoseconds, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TimeRange {
    /// The least; none: no lower bound.
    pub min: Option<i128>,
    /// The greatest; none: no upper bound.
    pub max: Option<i128>,
}

impl TimeRange {
    /// Makes the range of one point.
    pub fn exactly(nanos: i128) -> Self {
        Self { min: Some(nanos), max: Some(nanos) }
    }

    pub(super) fn contains(self, nanos: i128) -> bool {
        self.min.is_none_or(|min| min <= nanos) && self.max.is_none_or(|max| nanos <= max)
    }

    pub(super) fn covers(self, other: Self) -> bool {
        self.min.is_none_or(|min| other.min.is_some_and(|other| min <= other))
            && self.max.is_none_or(|max| other.max.is_some_and(|other| max >= other))
    }

    /// Returns one range for both if they overlap.
    pub fn merge(self, other: Self) -> Option<Self> {
        let before = |a: Self, b: Self| a.max.zip(b.min).is_some_and(|(end, start)| end < start);
        (!before(self, other) && !before(other, self)).then(|| Self {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        })
    }

    /// Returns the bounds as they are printed: a range of one point shows it once.
    pub(super) fn bounds(self, value: impl Fn(i128) -> Value) -> Vec<Value> {
        let min = self.min.map_or(Value::Default, &value);
        match self.max {
            None if self.min.is_none() => Vec::new(),
            Some(max) if self.min != Some(max) => vec![min, value(max)],
            _ => vec![min],
        }
    }

    /// Makes a range of one or two keys, each read by `read`.
    pub(super) fn of_keys(
        keys: &[Value],
        read: impl Fn(&Value) -> Result<i128>,
        text: impl Fn(i128) -> String,
    ) -> Result<Self> {
        let bound = |index: usize| match keys.get(index) {
            None | Some(Value::Default | Value::Undef) => Ok(None),
            Some(key) => read(key).map(Some),
        };
        let range = Self { min: bound(0)?, max: bound(1)? };
        match (range.min, range.max) {
            (Some(min), Some(max)) if min > max => Err(issues::range_order(&text(min), &text(max))),
            _ => Ok(range),
        }
    }
}

/// Reads seconds.
pub(super) fn seconds(value: &Value) -> Option<i128> {
    match value {
        Value::Integer(seconds) => Some(i128::from(*seconds) * NANOS),
        Value::Float(seconds) => Some((seconds * NANOS as f64) as i128),
        _ => None,
    }
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
        let keys = flattened(keys);
        if keys.len() > 2 {
            return Err(KeyError::whole(issues::type_slice_arity(
                &issues::type_label(self),
                0,
                Some(2),
                keys.len(),
            )));
        }
        let range = TimeRange::of_keys(&keys, read, |nanos| Timespan(nanos).to_string())?;
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
