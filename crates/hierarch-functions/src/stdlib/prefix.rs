//! `prefix` and `suffix`: a text before or after every element or key.

use crate::prelude::*;
use issues::stdlib::{count, expected};

/// The function `prefix`.
pub(super) static PREFIX: Function = Function {
    name: "prefix",
    doc: "Returns the elements of an Array, or a Hash with its keys, as texts with a text before each.",
    dispatches: &[legacy(-1, prefix)],
    examples: &[
        Gives("prefix(['a', 1], 'p')", "['pa', 'p1']"),
        Gives("prefix({a => 1}, 'p')", "{'pa' => 1}"),
        Fails("prefix(1, 'p')", "prefix(): expected first argument to be an Array or a Hash, got 1"),
        Fails("prefix([], 1)", "prefix(): expected second argument to be a String, got 1"),
    ],
};

/// The function `suffix`.
pub(super) static SUFFIX: Function = Function {
    name: "suffix",
    doc: "Returns the elements of an Array, or a Hash with its keys, as texts with a text after each.",
    dispatches: &[legacy(-1, suffix)],
    examples: &[
        Gives("suffix(['a', 1], 's')", "['as', '1s']"),
        Gives("suffix({a => 1}, 's')", "{'as' => 1}"),
        Fails("suffix([], 1)", "suffix(): expected second argument to be a String, got 1"),
    ],
};

fn prefix(call: &mut Call) -> Result<Value> {
    changed(call, |text, prefix| format!("{prefix}{text}"))
}

fn suffix(call: &mut Call) -> Result<Value> {
    changed(call, |text, suffix| format!("{text}{suffix}"))
}

fn changed(call: &Call, change: fn(String, &str) -> String) -> Result<Value> {
    if call.count() == 0 {
        return Err(count(call.name(), 0, "1").into());
    }
    let affix = || match call.value(1) {
        Value::String(text) => Ok(text.as_str()),
        Value::Undef | Value::Boolean(false) => Ok(""),
        other => Err(expected(call.name(), "second", "a String", other)),
    };
    match call.value(0) {
        Value::Array(elements) => {
            let affix = affix()?;
            Ok(Value::array(elements.iter().map(|value| change(ruby_text(value), affix).into()).collect()))
        }
        Value::Hash(hash) => {
            let affix = affix()?;
            let entries = hash.iter().map(|(key, value)| (change(ruby_text(key), affix), value.clone()));
            Ok(entries.collect::<Hash>().into())
        }
        other => Err(expected(call.name(), "first", "an Array or a Hash", other).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn marks_before_and_behind() {
        check_calls(&[
            ("prefix(['a', 'b'], 'p')", "['pa', 'pb']"),
            ("prefix({a => 1}, 'p')", "{'pa' => 1}"),
            ("prefix(['a'])", "['a']"),
            (
                "prefix('a', 'p')",
                r#"Evaluation Error: Error while evaluating a Function Call, prefix(): expected first argument to be an Array or a Hash, got "a" (line: 1, column: 1)"#,
            ),
            (
                "prefix(['a'], 1)",
                "Evaluation Error: Error while evaluating a Function Call, prefix(): expected second argument to be a String, got 1 (line: 1, column: 1)",
            ),
            ("suffix(['a', 'b'], 's')", "['as', 'bs']"),
            ("suffix({a => 1}, 's')", "{'as' => 1}"),
            ("suffix([1], 's')", "['1s']"),
            (
                "suffix('a', 's')",
                r#"Evaluation Error: Error while evaluating a Function Call, suffix(): expected first argument to be an Array or a Hash, got "a" (line: 1, column: 1)"#,
            ),
        ]);
    }
}
