//! `has_key`, `hash` and `dig44`: hashes before the language had operators for them.

use crate::collections::flattened;
use crate::prelude::*;
use crate::ruby::{class_name, inspected, read_integer};
use issues::stdlib::{ARRAY, count, lower_count, requires, says};

/// The function `has_key`.
pub(super) static HAS_KEY: Function = Function {
    name: "has_key",
    doc: "Tells whether a Hash has a key; `in` does so too.",
    dispatches: &[legacy(-1, has_key)],
    examples: &[
        Gives("has_key({a => 1}, 'a')", "true"),
        Fails(
            "has_key(1, 'a')",
            "has_key(): expects the first argument to be a hash, got 1 which is of type Integer",
        ),
    ],
};

/// The function `hash`.
pub(super) static HASH: Function = Function {
    name: "hash",
    doc: "Returns a Hash of keys and values that stand in turn in an Array, those inside it included; `Hash.new` does so too.",
    dispatches: &[legacy(-1, hash)],
    examples: &[
        Gives("hash(['a', 1, ['b', 2]])", "{'a' => 1, 'b' => 2}"),
        Fails("hash(['a'])", "hash(): Unable to compute hash from array given"),
    ],
};

/// The function `dig44`.
pub(super) static DIG44: Function = Function {
    name: "dig44",
    doc: "Returns what a path, an Array, leads to in a Hash or Array, or else the third argument; `dig` does so too.",
    dispatches: &[legacy(-2, dig44)],
    examples: &[
        Gives("dig44({a => [1, 2]}, ['a', 1])", "2"),
        Gives("dig44({a => 1}, ['b'], 'none')", "'none'"),
        Fails("dig44({})", "dig44(): Wrong number of arguments given (1 for at least 2)"),
    ],
};

fn has_key(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(lower_count("has_key", call.count(), "2").into());
    }
    let value = call.value(0);
    let hash = value.as_hash().ok_or_else(|| {
        let shown = inspected(value);
        let class = class_name(value);
        says(
            "has_key",
            format!("expects the first argument to be a hash, got {shown} which is of type {class}"),
        )
    })?;
    Ok(hash.contains_key(call.value(1)).into())
}

fn hash(call: &mut Call) -> Result<Value> {
    if call.count() == 0 {
        return Err(count("hash", 0, "1").into());
    }
    let elements = call.value(0).as_array().ok_or_else(|| requires("hash", ARRAY))?;
    let flat = flattened(elements);
    // One hash alone is copied, and an odd number of anything else makes none.
    if let [Value::Hash(hash)] = flat.as_slice() {
        return Ok(Value::Hash(Arc::clone(hash)));
    }
    if flat.len() % 2 == 1 {
        return Err(says("hash", "Unable to compute hash from array given").into());
    }
    Ok(flat.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect::<Hash>().into())
}

fn dig44(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("dig44", call.count(), "at least 2").into());
    }
    let (data, path) = (call.value(0), call.value(1));
    if !matches!(data, Value::Hash(_) | Value::Array(_)) {
        let words = format!("first argument must be a hash or an array, given {}", class_name(data));
        return Err(says("dig44", words).into());
    }
    let path = path.as_array().ok_or_else(|| {
        says("dig44", format!("second argument must be an array, given {}", class_name(path)))
    })?;
    let found = path.iter().try_fold(data, |value, key| step(value, key));
    Ok(found.unwrap_or(call.value(2)).clone())
}

fn step<'v>(value: &'v Value, key: &Value) -> Option<&'v Value> {
    let found = match value {
        Value::Hash(hash) => hash.get(key)?,
        Value::Array(elements) => {
            let index = match key {
                Value::Float(index) => *index as i128,
                other => read_integer(&ruby_text(other))?,
            };
            let index = if index < 0 { index + elements.len() as i128 } else { index };
            elements.get(usize::try_from(index).ok()?)?
        }
        _ => return None,
    };
    (!found.is_undef()).then_some(found)
}
