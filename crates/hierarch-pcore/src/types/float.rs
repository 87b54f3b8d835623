//! `Float[min, max]`.

use std::hash::{Hash, Hasher};

use super::build::{KeyError, Keyed, flattened};
use super::{Guard, Kind, Rules, Type};
use crate::ruby_class;
use crate::value::number::float_text;
use crate::{Value, issues};

/// A range of floats, both ends included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatType {
    /// The least; minus infinity: no lower bound.
    pub min: f64,
    /// The greatest; infinity: no upper bound.
    pub max: f64,
}

impl FloatType {
    /// All floats.
    pub const UNBOUNDED: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY };

    /// Makes a range.
    pub const fn from_to(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    /// Returns the smallest range that covers both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns one range for both if they overlap.
    pub fn merge(self, other: Self) -> Option<Self> {
        (!(self.max < other.min || other.max < self.min)).then(|| self.hull(other))
    }
}

impl Eq for FloatType {}

impl Hash for FloatType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ((self.min + 0.0).to_bits(), (self.max + 0.0).to_bits()).hash(state);
    }
}

impl Rules for FloatType {
    fn name(&self) -> &'static str {
        "Float"
    }

    fn params(&self) -> Vec<Value> {
        let min = if self.min == f64::NEG_INFINITY { Value::Default } else { Value::from(self.min) };
        match (&min, self.max == f64::INFINITY) {
            (Value::Default, true) => Vec::new(),
            (_, true) => vec![min],
            (_, false) => vec![min, Value::from(self.max)],
        }
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Float(number) if (self.min..=self.max).contains(number))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Float(other) if self.min <= other.min && self.max >= other.max)
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::float())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if !(1..=2).contains(&keys.len()) {
            return Err(KeyError::whole(issues::integer_slice_arity("Float", keys.len())));
        }
        for (index, key) in keys.iter().enumerate() {
            if !matches!(key, Value::Integer(_) | Value::Float(_) | Value::Default) {
                return Err(KeyError::key(index, issues::float_slice_type(ruby_class(key))));
            }
        }
        let min = keys[0].as_number().unwrap_or(f64::NEG_INFINITY);
        let max = keys.get(1).and_then(Value::as_number).unwrap_or(f64::INFINITY);
        if min > max {
            return Err(issues::range_order(&float_text(min), &float_text(max)).into());
        }
        Ok(Type::from(Self { min, max }).into())
    }
}
