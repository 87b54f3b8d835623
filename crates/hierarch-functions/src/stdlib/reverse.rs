//! `reverse`: back to front.

use crate::prelude::*;
use issues::stdlib::{ARRAY_OR_STRING, count, requires};

/// The function `reverse`.
pub(super) static REVERSE: Function = Function {
    name: "reverse",
    doc: "Returns an Array or a String back to front.",
    dispatches: &[legacy(-1, reverse)],
    examples: &[
        Gives("reverse([1, 2, 3])", "[3, 2, 1]"),
        Gives("reverse('abc')", "'cba'"),
        Fails("reverse(1)", "reverse(): Requires either array or string to work with"),
    ],
};

fn reverse(call: &mut Call) -> Result<Value> {
    match call.arguments().first() {
        None => Err(count("reverse", 0, "1").into()),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().rev().cloned().collect())),
        Some(Value::String(text)) => Ok(text.chars().rev().collect::<String>().into()),
        Some(_) => Err(requires("reverse", ARRAY_OR_STRING).into()),
    }
}
