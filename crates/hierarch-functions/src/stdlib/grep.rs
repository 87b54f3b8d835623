//! `grep` and `reject`: the texts that match a pattern, and those that do not.

use crate::prelude::*;
use crate::ruby::{as_list, implicit_text};
use issues::stdlib::{bare_count, no_method};

/// The function `grep`.
pub(super) static GREP: Function = Function {
    name: "grep",
    doc: "Returns the texts in an Array that a pattern matches.",
    dispatches: &[legacy(-1, grep)],
    examples: &[
        Gives("grep(['aaa', 'bbb', 'aba'], '^a')", "['aaa', 'aba']"),
        Fails("grep([])", "grep(): Wrong number of arguments given 1 for 2"),
    ],
};

/// The function `reject`.
pub(super) static REJECT: Function = Function {
    name: "reject",
    doc: "Returns the elements of an Array that a pattern does not match.",
    dispatches: &[legacy(-1, reject)],
    examples: &[
        Gives("reject(['aaa', 'bbb', 'aba'], '^a')", "['bbb']"),
        Fails("reject([])", "reject(): Wrong number of arguments given 1 for 2"),
    ],
};

fn grep(call: &mut Call) -> Result<Value> {
    select(call, "grep", true)
}

fn reject(call: &mut Call) -> Result<Value> {
    select(call, "grep_v", false)
}

fn select(call: &mut Call, method: &str, wanted: bool) -> Result<Value> {
    if call.count() != 2 {
        return Err(bare_count(call.name(), call.count(), "2").into());
    }
    let pattern = call.pattern(implicit_text(call.value(1))?)?;
    if !matches!(call.value(0), Value::Array(_) | Value::Hash(_)) {
        return Err(no_method(method, call.value(0)).into());
    }
    let mut kept = Vec::new();
    // Of a hash, these are pairs, which no pattern matches.
    for element in as_list(call.value(0)) {
        let is_match = element.as_str().map_or(Ok(false), |text| pattern.is_match(text))?;
        if is_match == wanted {
            kept.push(element);
        }
    }
    Ok(Value::array(kept))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn lines_that_match() {
        check_calls(&[
            ("grep(['aa', 'bb'], 'a')", "['aa']"),
            ("grep(['aa', 'bb'], '^b')", "['bb']"),
            (
                "grep('a', 'a')",
                "Evaluation Error: Error while evaluating a Function Call, undefined method `grep' for an instance of String (line: 1, column: 1)",
            ),
            (
                "grep(['a'], '[')",
                "Evaluation Error: Error while evaluating a Function Call, premature end of char-class: /[/ (line: 1, column: 1)",
            ),
            ("member(['a', 'b'], 'b')", "true"),
            ("member(['a', 'b'], ['a', 'b'])", "true"),
            ("member(['a'], ['a', 'c'])", "false"),
            (
                "member('a', 'a')",
                "Evaluation Error: Error while evaluating a Function Call, member(): Requires array to work with (line: 1, column: 1)",
            ),
            ("member([1], 1)", "true"),
        ]);
    }
}
