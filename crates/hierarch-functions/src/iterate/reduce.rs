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
