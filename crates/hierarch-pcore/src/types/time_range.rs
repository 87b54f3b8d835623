//! Ranges of time, which `Timespan` and `Timestamp` share.

use hierarch_source::Result;

use super::Rules;
use super::build::{KeyError, flattened};
use crate::value::time::NANOS;
use crate::{Value, issues};

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

    /// Makes the range of a type from at most two keys, each read by `read`.
    pub(super) fn of_keys(
        type_: &dyn Rules,
        keys: &[Value],
        read: impl Fn(&Value) -> Result<i128>,
        text: impl Fn(i128) -> String,
    ) -> std::result::Result<Self, KeyError> {
        let keys = flattened(keys);
        if keys.len() > 2 {
            let label = issues::type_label(type_);
            return Err(KeyError::whole(issues::type_slice_arity(&label, 0, Some(2), keys.len())));
        }
        let bound = |index: usize| match keys.get(index) {
            None | Some(Value::Default | Value::Undef) => Ok(None),
            Some(key) => read(key).map(Some),
        };
        let range = Self { min: bound(0)?, max: bound(1)? };
        match (range.min, range.max) {
            (Some(min), Some(max)) if min > max => Err(issues::range_order(&text(min), &text(max)).into()),
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
