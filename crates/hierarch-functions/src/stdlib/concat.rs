//! `concat`: arrays one after another.

use crate::prelude::*;
use issues::stdlib::{ARRAY, count, requires};

/// The function `concat`.
pub(super) static CONCAT: Function = Function {
    name: "concat",
    doc: "Returns the elements of an Array and those of all further arguments; what is no Array is an element itself.",
    dispatches: &[legacy(-1, concat)],
    examples: &[
        Gives("concat([1], [2, [3]], 'x')", "[1, 2, [3], 'x']"),
        Fails("concat([1])", "concat(): Wrong number of arguments given (1 for < 2)"),
        Fails("concat(1, 2)", "concat(): Requires array to work with"),
    ],
};

fn concat(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("concat", call.count(), "< 2").into());
    }
    let mut elements = call.value(0).as_array().ok_or_else(|| requires("concat", ARRAY))?.to_vec();
    for value in &call.arguments()[1..] {
        match value {
            Value::Array(more) => elements.extend(more.iter().cloned()),
            other => elements.push(other.clone()),
        }
    }
    call.check_size(elements.len())?;
    Ok(Value::array(elements))
}
