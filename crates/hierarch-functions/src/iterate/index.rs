//! `index`: where in a value something is found first.

use super::turns::{Shape, turns_without_break};
use crate::prelude::*;

/// The function `index`.
pub(super) static INDEX: Function = Function {
    name: "index",
    doc: "Returns the index (of a Hash, the key) of the first element for which a block gives something true, or that equals a value; in a String, the position of a text or of a match. What is not found gives `undef`.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], elements),
        on(&["String str", "Variant[String, Regexp] match"], in_string),
        on(&["Iterable enumerable", "Any match"], of_value),
    ],
    examples: &[
        Gives("[3, 4].index |$x| { $x > 3 }", "1"),
        Gives("{a => 1, b => 2}.index |$value| { $value == 2 }", "'b'"),
        Gives("index([1, 2], 2.0)", "1"),
        Gives("index('grüße', /e$/)", "4"),
        Gives("index([1], 9)", "undef"),
        Fails("index(undef, 1)", "The function 'index' was called with arguments it does not accept."),
    ],
};

/// Unlike elsewhere, a block with one parameter gets the value of a hash's entry and not the pair.
fn elements(call: &mut Call) -> Result<Value> {
    first(call, Shape::Value)
}

fn pairs(call: &mut Call) -> Result<Value> {
    first(call, Shape::Pair)
}

fn indexed(call: &mut Call) -> Result<Value> {
    first(call, Shape::Indexed)
}

fn first(call: &mut Call, shape: Shape) -> Result<Value> {
    let is_hash = call.value(0).as_hash().is_some();
    let mut count = 0usize;
    let mut found = Value::Undef;
    turns_without_break(call, shape, |item, given| {
        if given.is_truthy() {
            found = place(&item, count, is_hash);
            return Ok(false);
        }
        count += 1;
        Ok(true)
    })?;
    Ok(found)
}

fn place(item: &Value, index: usize, is_hash: bool) -> Value {
    match item.as_array() {
        Some([key, _]) if is_hash => key.clone(),
        _ => index.into(),
    }
}

fn of_value(call: &mut Call) -> Result<Value> {
    let wanted = call.take(1);
    let items = call.items(0);
    let is_hash = items.has_pairs();
    for (index, item) in items.enumerate() {
        call.step()?;
        let is_same = match item.as_array() {
            Some([_, value]) if is_hash => value.is_same_in_ruby(&wanted),
            _ => item.is_same_in_ruby(&wanted),
        };
        if is_same {
            return Ok(place(&item, index, is_hash));
        }
    }
    Ok(Value::Undef)
}

fn in_string(call: &mut Call) -> Result<Value> {
    let text = call.str(0);
    let found = match call.value(1) {
        Value::Regexp(regexp) => {
            regexp.captures(text)?.and_then(|captures| captures.get(0)).map(|range| range.0)
        }
        other => text.find(other.as_str().unwrap_or_default()),
    };
    Ok(found.map(|offset| text[..offset].chars().count()).into())
}
