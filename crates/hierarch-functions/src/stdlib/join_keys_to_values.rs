//! `join_keys_to_values`: the entries of a hash as texts.

use crate::prelude::*;
use issues::stdlib::{join_kind, says};

/// The function `join_keys_to_values`.
pub(super) static JOIN_KEYS_TO_VALUES: Function = Function {
    name: "join_keys_to_values",
    doc: "Returns the entries of a Hash as texts, key and value with a separator between them. A value that is an Array gives a text per element.",
    dispatches: &[legacy(-1, join_keys_to_values)],
    examples: &[
        Gives("join_keys_to_values({a => 1, b => [2, 3]}, '=')", "['a=1', 'b=2', 'b=3']"),
        Fails("join_keys_to_values({})", "join_keys_to_values(): Takes exactly two arguments, but 1 given."),
        Fails(
            "join_keys_to_values(1, '')",
            "join_keys_to_values(): The first argument must be a hash, but a Integer was given.",
        ),
    ],
};

fn join_keys_to_values(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        let words = format!("Takes exactly two arguments, but {} given.", call.count());
        return Err(says("join_keys_to_values", words).into());
    }
    let hash = call.value(0).as_hash().ok_or_else(|| join_kind("first", "hash", call.value(0)))?;
    let separator = call.value(1).as_str().ok_or_else(|| join_kind("second", "string", call.value(1)))?;
    let mut texts = Vec::new();
    for (key, value) in hash {
        let key = ruby_text(key);
        let joined = |value: &Value| Value::from(format!("{key}{separator}{}", ruby_text(value)));
        match value {
            Value::Array(elements) => texts.extend(elements.iter().map(joined)),
            Value::String(text) if text == "undef" => texts.push(key.as_str().into()),
            other => texts.push(joined(other)),
        }
    }
    Ok(Value::array(texts))
}
