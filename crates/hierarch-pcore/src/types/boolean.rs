//! `Boolean`, `Boolean[true]`, `Boolean[false]`.

use super::build::{Keyed, Wanted, check_keys, flattened};
use super::{Guard, Kind, Rules, Type};
use crate::Value;

/// Booleans, or one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BooleanType {
    /// The one value; none: both.
    pub value: Option<bool>,
}

impl Rules for BooleanType {
    fn name(&self) -> &'static str {
        "Boolean"
    }

    fn params(&self) -> Vec<Value> {
        self.value.map(Value::from).into_iter().collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Boolean(truth) if self.value.is_none_or(|value| value == *truth))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Boolean(other) if self.value.is_none() || self.value == other.value)
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::boolean())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        check_keys(self, &keys, 1, Some(1), &[Wanted::True, Wanted::False])?;
        Ok(Type::from(Self { value: keys[0].as_boolean() }).into())
    }
}
