//! `delete_regex`: collections without what matches a pattern as a word.

use crate::prelude::*;
use crate::ruby::as_list;
use issues::stdlib::{bare_count, no_method, wrong_class};

/// The function `delete_regex`.
pub(super) static DELETE_REGEX: Function = Function {
    name: "delete_regex",
    doc: "Returns an Array without the texts, or a Hash without the keys, in which a pattern matches between word boundaries. An Array of patterns removes what any of them matches.",
    dispatches: &[legacy(-1, delete_regex)],
    examples: &[
        Gives("delete_regex(['a', 'b', 'ab'], 'a.*')", "['b']"),
        Gives("delete_regex({a => 1, b => 2}, ['a', 'c'])", "{'b' => 2}"),
        Fails(
            "delete_regex(1, 'a')",
            "delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class Integer.",
        ),
    ],
};

fn delete_regex(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(bare_count("delete_regex", call.count(), "2").into());
    }
    let mut rest = call.take(0);
    for pattern in as_list(call.value(1)) {
        rest = without(call, rest, &ruby_text(&pattern))?;
    }
    Ok(rest)
}

fn without(call: &Call, rest: Value, pattern: &str) -> Result<Value> {
    let pattern = call.pattern(&format!("\\b{pattern}\\b"))?;
    let matches = |value: &Value| value.as_str().map_or(Ok(false), |text| pattern.is_match(text));
    Ok(match rest {
        Value::Array(elements) => {
            let mut kept = Vec::with_capacity(elements.len());
            for element in elements.iter() {
                if !matches(element)? {
                    kept.push(element.clone());
                }
            }
            Value::array(kept)
        }
        Value::Hash(hash) => {
            let mut kept = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                if !matches(key)? {
                    kept.insert(key.clone(), value.clone());
                }
            }
            kept.into()
        }
        Value::String(_) => return Err(no_method("reject!", &rest).into()),
        other => return Err(wrong_class("delete_regex", "First", "an Array, Hash, or String", &other).into()),
    })
}
