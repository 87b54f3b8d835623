//! Letting go of values that hold values, without a step of the stack for each level: a script can nest a million.

use std::rc::Rc;

use super::Value;

/// Drops values, and what only they held, one after the other.
pub(super) fn dismantle(values: Vec<Value>) {
    if values.iter().all(is_shallow) {
        return;
    }
    let mut waiting = values;
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(array) => {
                if let Ok(array) = Rc::try_unwrap(array) {
                    waiting.extend(array.take().into_iter().filter(may_hold));
                }
            }
            Value::Hash(hash) => {
                if let Some(hash) = Rc::try_unwrap(hash).ok().filter(|hash| !hash.is_flat()) {
                    waiting.extend(hash.take().into_iter().filter(may_hold));
                }
            }
            Value::Object(object) => {
                if let Ok(object) = Rc::try_unwrap(object) {
                    waiting.extend(object.take());
                }
            }
            Value::Proc(block) => {
                if let Ok(block) = Rc::try_unwrap(block) {
                    waiting.extend(block.take());
                }
            }
            Value::Range(range) => {
                if let Ok(mut range) = Rc::try_unwrap(range) {
                    waiting.extend([std::mem::take(&mut range.from), std::mem::take(&mut range.to)]);
                }
            }
            _ => {}
        }
    }
}

/// Tells whether a value goes without others that hold some themselves.
fn is_shallow(value: &Value) -> bool {
    match value {
        Value::Array(array) => array.is_flat(),
        other => !may_hold(other),
    }
}

/// Tells whether other values may go with a value.
pub(super) fn may_hold(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_) | Value::Proc(_) | Value::Range(_))
}
