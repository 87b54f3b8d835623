//! `Integer[min, max]`, which also states the sizes of other types.

use super::build::{KeyError, Keyed};
use super::{Guard, Kind, Rules, Type};
use crate::ruby_class;
use crate::{Value, issues};

/// A range of integers, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegerType {
    /// The least; none: no lower bound.
    pub min: Option<i64>,
    /// The greatest; none: no upper bound.
    pub max: Option<i64>,
}

impl IntegerType {
    /// All integers.
    pub const UNBOUNDED: Self = Self { min: None, max: None };
    /// All sizes.
    pub const ANY_SIZE: Self = Self { min: Some(0), max: None };

    /// Makes a range.
    pub const fn from_to(min: Option<i64>, max: Option<i64>) -> Self {
        Self { min, max }
    }

    /// Makes the range of one number.
    pub fn exactly(number: usize) -> Self {
        let number = i64::try_from(number).ok();
        Self { min: number, max: number }
    }

    /// Makes a range of values such as `1`, `default`; fails if it ends before it starts.
    pub fn of_bounds(min: &Value, max: Option<&Value>) -> hierarch_source::Result<Self> {
        let range = Self { min: min.as_integer(), max: max.and_then(Value::as_integer) };
        match (range.min, range.max) {
            (Some(min), Some(max)) if min > max => {
                Err(issues::range_order(&min.to_string(), &max.to_string()))
            }
            _ => Ok(range),
        }
    }

    /// Tells whether a number is in the range.
    pub fn contains(self, number: i64) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }

    /// Tells whether a count is in the range.
    pub fn contains_size(self, count: usize) -> bool {
        i64::try_from(count).is_ok_and(|count| self.contains(count))
    }

    /// Tells whether another range lies within this one.
    pub fn covers(self, other: Self) -> bool {
        let low = match (self.min, other.min) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a <= b,
        };
        let high = match (self.max, other.max) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a >= b,
        };
        low && high
    }

    /// Returns the range as a size: negative bounds become zero.
    #[must_use]
    pub fn as_size(self) -> Self {
        match self.min {
            Some(min) if min >= 0 => self,
            _ => Self { min: Some(0), max: self.max.map(|max| max.max(0)) },
        }
    }

    /// Tells whether only the empty collection has this size.
    pub fn is_zero(self) -> bool {
        self.min == Some(0) && self.max == Some(0)
    }

    /// Tells whether both ends are bounded.
    pub fn is_finite(self) -> bool {
        self.min.is_some() && self.max.is_some()
    }

    /// Returns the smallest range that covers both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Returns one range for both if they overlap or touch.
    pub fn merge(self, other: Self) -> Option<Self> {
        let before =
            |a: Self, b: Self| a.max.zip(b.min).is_some_and(|(end, start)| end.saturating_add(1) < start);
        (!before(self, other) && !before(other, self)).then(|| self.hull(other))
    }

    /// Returns the bounds as they are printed: nothing for the whole range.
    pub fn bounds(self) -> Vec<Value> {
        match (self.min, self.max) {
            (None, None) => Vec::new(),
            (min, None) => vec![min.map_or(Value::Default, Value::from)],
            (min, Some(max)) => vec![min.map_or(Value::Default, Value::from), Value::from(max)],
        }
    }
}

impl Rules for IntegerType {
    fn name(&self) -> &'static str {
        "Integer"
    }

    fn params(&self) -> Vec<Value> {
        self.bounds()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Integer(number) if self.contains(*number))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Integer(other) if self.covers(*other))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::integer())
    }

    fn element(&self) -> Option<Type> {
        Some(Type::integer())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = super::build::flattened(keys);
        if !(1..=2).contains(&keys.len()) {
            return Err(KeyError::whole(issues::integer_slice_arity("Integer", keys.len())));
        }
        for (index, key) in keys.iter().enumerate() {
            if !matches!(key, Value::Integer(_) | Value::Default) {
                return Err(KeyError::key(index, issues::integer_slice_type(ruby_class(key))));
            }
        }
        Ok(Type::from(Self::of_bounds(&keys[0], keys.get(1))?).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_accepts, check_has, check_prints};

    fn range(min: i64, max: i64) -> IntegerType {
        IntegerType::from_to(Some(min), Some(max))
    }

    #[test]
    fn ranges_merge_when_they_touch() {
        assert_eq!(range(1, 2).merge(range(3, 4)), Some(range(1, 4)));
        assert_eq!(range(1, 2).merge(range(4, 5)), None);
        assert_eq!(range(1, 2).merge(IntegerType::UNBOUNDED), Some(IntegerType::UNBOUNDED));
    }

    #[test]
    fn sizes_are_not_negative() {
        assert_eq!(range(-3, -1).as_size(), range(0, 0));
        assert_eq!(IntegerType::UNBOUNDED.as_size(), IntegerType::ANY_SIZE);
    }

    #[test]
    fn a_range_has_what_lies_within() {
        check_has("Integer[1, 5]", &["1", "5"], &["0", "6", "3.0", "'3'", "undef"]);
        check_accepts(
            "Integer[1, 5]",
            &["Integer[2, 3]", "Integer[1, 5]"],
            &["Integer", "Integer[0, 3]", "Float[1, 5]"],
        );
    }

    #[test]
    fn bounds_print_as_they_are_given() {
        for (text, expected) in [
            ("Integer[default, 5]", "Integer[default, 5]"),
            ("Integer[5]", "Integer[5]"),
            ("Integer[default]", "Integer"),
            ("Integer[5, 1]", "'from' must be less or equal to 'to'. Got (5, 1"),
            ("Integer[a]", "Integer-Type [] requires all arguments to be integers (or default). Got String"),
            ("Integer[1, 2, 3]", "Integer-Type supports [] with one or two arguments (from, to). Got 3"),
        ] {
            check_prints(text, expected);
        }
    }
}
