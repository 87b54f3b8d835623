//! `squeeze`: repeated characters once.

use super::characters::Characters;
use crate::prelude::*;
use crate::ruby::implicit_text;
use issues::stdlib::{bare_count, no_method};

/// The function `squeeze`.
pub(super) static SQUEEZE: Function = Function {
    name: "squeeze",
    doc: "Returns a text, or an Array of them, with characters that are repeated side by side written once. The second argument names the characters for which this is done, such as `a-z` or `^a`.",
    dispatches: &[legacy(-1, squeeze)],
    examples: &[
        Gives("squeeze('aabbcca')", "'abca'"),
        Gives("squeeze(['aabbcc'], 'a-b')", "['abcc']"),
        Fails("squeeze()", "squeeze(): Wrong number of arguments given 0 for 2 or 1"),
    ],
};

fn squeeze(call: &mut Call) -> Result<Value> {
    if !matches!(call.count(), 1 | 2) {
        return Err(bare_count("squeeze", call.count(), "2 or 1").into());
    }
    let set = if call.count() > 1 && call.value(1).is_truthy() {
        Some(Characters::read(implicit_text(call.value(1))?)?)
    } else {
        None
    };
    match call.value(0) {
        Value::Array(elements) => {
            let all = elements.iter().map(|value| squeezed(value, set.as_ref()));
            Ok(Value::array(all.collect::<Result<_>>()?))
        }
        value => squeezed(value, set.as_ref()),
    }
}

fn squeezed(value: &Value, set: Option<&Characters>) -> Result<Value> {
    let text = value.as_str().ok_or_else(|| no_method("squeeze", value))?;
    let mut out = String::with_capacity(text.len());
    let mut last = None;
    for c in text.chars() {
        if last != Some(c) || set.is_some_and(|set| !set.has(c)) {
            out.push(c);
        }
        last = Some(c);
    }
    Ok(out.into())
}
