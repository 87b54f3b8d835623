//! `reduce`: one value of many, by a block that takes what was made so far and the next element.

use crate::prelude::*;

/// The function `reduce`.
pub(super) static REDUCE: Function = Function {
    name: "reduce",
    doc: "Calls a block with what it gave the last time (at first the start value, or else the first element) and each element in turn, and returns what it gave at last.",
    dispatches: &[
        on(&["Iterable enumerable", "&Callable[2, 2] block"], without_start),
        on(&["Iterable enumerable", "Any memo", "&Callable[2, 2] block"], with_start),
    ],
    examples: &[
        Gives("[1, 2, 3].reduce |$sum, $x| { $sum + $x }", "6"),
        Gives("[1, 2, 3].reduce(10) |$sum, $x| { $sum + $x }", "16"),
        Gives("[].reduce |$sum, $x| { $sum + $x }", "undef"),
        Fails("reduce(undef) |$a, $b| { }", "'reduce'"),
    ],
};

fn without_start(call: &mut Call) -> Result<Value> {
    let mut items = call.items(0);
    match items.next() {
        Some(first) => reduced(call, items, first),
        None => Ok(Value::Undef),
    }
}

fn with_start(call: &mut Call) -> Result<Value> {
    let items = call.items(0);
    let start = call.take(1);
    reduced(call, items, start)
}

fn reduced(call: &mut Call, items: Items, mut memo: Value) -> Result<Value> {
    if call.block_may_break() {
        return reduced_until_break(call, items, memo);
    }
    // The block gets the only copy, so that it can build on it.
    for item in items {
        memo = call.yield_values([memo, item])?;
    }
    Ok(memo)
}

fn reduced_until_break(call: &mut Call, items: Items, mut memo: Value) -> Result<Value> {
    for item in items {
        memo = match call.yield_values([memo.clone(), item]) {
            Err(Unwind::Break) => return Ok(memo),
            given => given?,
        };
    }
    Ok(memo)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn one_value_of_many() {
        check_calls(&[
            ("[1, 2, 3].reduce |$m, $x| { $m + $x }", "6"),
            ("[1, 2, 3].reduce(10) |$m, $x| { $m + $x }", "16"),
            ("[].reduce |$m, $x| { 1 }", "undef"),
            ("[].reduce(5) |$m, $x| { 1 }", "5"),
            ("[7].reduce |$m, $x| { 1 }", "7"),
            ("{a => 1, b => 2}.reduce |$m, $kv| { $m + $kv }", "['a', 1, 'b', 2]"),
            ("{a => 1, b => 2}.reduce(0) |$m, $kv| { $m + $kv[1] }", "3"),
            ("3.reduce |$m, $x| { $m + $x }", "3"),
            (r#"'abc'.reduce |$m, $x| { "${x}${m}" }"#, "'cba'"),
            (
                "[1].reduce |$x| { 1 }",
                "Evaluation Error: Error while evaluating a Method call, 'reduce' block expects 2 arguments, got 1 (line: 1, column: 4)",
            ),
            (
                "[1, 2].reduce(1, 2) |$m, $x| { 1 }",
                "Evaluation Error: Error while evaluating a Method call, 'reduce' expects between 1 and 2 arguments, got 3 (line: 1, column: 14)",
            ),
            (
                "true.reduce |$m, $x| { 1 }",
                "Evaluation Error: Error while evaluating a Method call, The function 'reduce' was called with arguments it does not accept. It expects one of:\n  (Iterable enumerable, Callable[2, 2] block)\n    rejected: parameter 'enumerable' expects an Iterable value, got Boolean\n  (Iterable enumerable, Any memo, Callable[2, 2] block)\n    rejected: expects 2 arguments, got 1 (line: 1, column: 5)",
            ),
        ]);
    }
}
