//! `shuffle`: elements or characters in a random order.

use rand_core::{OsRng, RngCore};

use crate::prelude::*;
use issues::stdlib::{ARRAY_OR_STRING, count, requires};

/// The function `shuffle`.
pub(super) static SHUFFLE: Function = Function {
    name: "shuffle",
    doc: "Returns the elements of an Array, or the characters of a String, in an order that is different every time.",
    dispatches: &[legacy(-1, shuffle)],
    examples: &[
        Gives("shuffle(['a', 'a'])", "['a', 'a']"),
        Gives("sort(shuffle([3, 1, 2]))", "[1, 2, 3]"),
        Fails("shuffle(1)", "shuffle(): Requires either array or string to work with"),
    ],
};

fn shuffle(call: &mut Call) -> Result<Value> {
    match call.arguments().first() {
        None => Err(count("shuffle", 0, "1").into()),
        Some(Value::Array(elements)) => Ok(Value::array(shuffled(elements.to_vec()))),
        Some(Value::String(text)) => {
            Ok(shuffled(text.chars().collect()).into_iter().collect::<String>().into())
        }
        Some(_) => Err(requires("shuffle", ARRAY_OR_STRING).into()),
    }
}

fn shuffled<T>(mut items: Vec<T>) -> Vec<T> {
    for index in 1..items.len() {
        let other = OsRng.next_u64() % (index as u64 + 1);
        items.swap(index, other as usize);
    }
    items
}
