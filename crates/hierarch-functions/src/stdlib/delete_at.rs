//! `delete_at`: an array without the element at an index.

use crate::prelude::*;
use crate::ruby::leading_integer;
use issues::stdlib::{ARRAY, count, no_method, requires, says};

/// The function `delete_at`.
pub(super) static DELETE_AT: Function = Function {
    name: "delete_at",
    doc: "Returns an Array without the element at an index, which counts from zero.",
    dispatches: &[legacy(-1, delete_at)],
    examples: &[
        Gives("delete_at(['a', 'b', 'c'], 1)", "['a', 'c']"),
        Fails("delete_at([1], 1)", "delete_at(): Given index exceeds size of array given"),
        Fails("delete_at([1], 'x')", "delete_at(): You must provide non-negative numeric index"),
    ],
};

fn delete_at(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("delete_at", call.count(), "2").into());
    }
    let mut elements = call.value(0).as_array().ok_or_else(|| requires("delete_at", ARRAY))?.to_vec();
    let index = match call.value(1) {
        Value::Integer(index) => *index,
        Value::Float(index) => *index as i64,
        Value::String(text) if text.lines().any(is_digits) => leading_integer(text),
        Value::String(_) => {
            return Err(says("delete_at", "You must provide non-negative numeric index").into());
        }
        other => return Err(no_method("to_i", other).into()),
    };
    let size = elements.len() as i64;
    if index > size - 1 {
        return Err(says("delete_at", "Given index exceeds size of array given").into());
    }
    // A negative index counts from the end, and one beyond it removes nothing.
    let index = if index < 0 { index + size } else { index };
    if let Ok(index) = usize::try_from(index) {
        elements.remove(index);
    }
    Ok(Value::array(elements))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
