//! `filter`: the elements for which a block gives something true.

use super::turns::{Shape, turns, turns_without_break};
use crate::prelude::*;

/// The function `filter`.
pub(super) static FILTER: Function = Function {
    name: "filter",
    doc: "Calls a block for each element of an iterable value and returns an Array (of a Hash, a Hash) of those for which it gave something true.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], hash_elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], elements),
    ],
    examples: &[
        Gives("[1, 2, 3].filter |$x| { $x > 1 }", "[2, 3]"),
        Gives("{a => 1, b => 2}.filter |$k, $v| { $v > 1 }", "{'b' => 2}"),
        Fails(
            "filter(undef) |$x| { }",
            "The function 'filter' was called with arguments it does not accept.",
        ),
    ],
};

fn elements(call: &mut Call) -> Result<Value> {
    Ok(Value::array(kept(call, Shape::One)?))
}

fn indexed(call: &mut Call) -> Result<Value> {
    Ok(Value::array(kept(call, Shape::Indexed)?))
}

fn hash_elements(call: &mut Call) -> Result<Value> {
    of_hash(call, Shape::One)
}

fn pairs(call: &mut Call) -> Result<Value> {
    of_hash(call, Shape::Pair)
}

/// Of a hash, `break()` belongs to an iteration around.
fn of_hash(call: &mut Call, shape: Shape) -> Result<Value> {
    let mut kept = Vec::new();
    turns_without_break(call, shape, |item, given| {
        if given.is_truthy() {
            kept.push(item);
        }
        Ok(true)
    })?;
    Ok(of_pairs(&kept))
}

fn kept(call: &mut Call, shape: Shape) -> Result<Vec<Value>> {
    let mut kept = call.growing();
    turns(call, shape, |item, given| {
        if given.is_truthy() {
            kept.push(item)?;
        }
        Ok(true)
    })?;
    Ok(kept.into_values())
}

fn of_pairs(pairs: &[Value]) -> Value {
    let entries = pairs.iter().filter_map(|pair| match pair.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    });
    entries.collect::<Hash>().into()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn what_a_block_keeps() {
        check_calls(&[
            ("[1, 2, 3].filter |$x| { $x > 1 }", "[2, 3]"),
            ("{a => 1, b => 2}.filter |$k, $v| { $v > 1 }", "{'b' => 2}"),
            ("{a => 1, b => 2}.filter |$kv| { $kv[0] == 'a' }", "{'a' => 1}"),
            ("['a', 'b'].filter |$i, $x| { $i == 1 }", "['b']"),
            ("'ab'.filter |$x| { true }", "['a', 'b']"),
            ("3.filter |$x| { $x != 1 }", "[0, 2]"),
            ("[0, undef, false, ''].filter |$x| { $x }", "[0, '']"),
            (
                "[0, undef, false, ''].filter",
                "Evaluation Error: Error while evaluating a Method call, 'filter' expects a block (line: 1, column: 22)",
            ),
            (
                "{a => undef, b => 1}.filter",
                "Evaluation Error: Error while evaluating a Method call, 'filter' expects a block (line: 1, column: 21)",
            ),
            (
                "true.filter |$x| { true }",
                "Evaluation Error: Error while evaluating a Method call, The function 'filter' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Callable[2, 2] block)\n    rejected: parameter 'hash' expects a Hash value, got Boolean\n  (Hash hash, Callable[1, 1] block)\n    rejected: parameter 'hash' expects a Hash value, got Boolean\n  (Iterable enumerable, Callable[2, 2] block)\n    rejected: parameter 'enumerable' expects an Iterable value, got Boolean\n  (Iterable enumerable, Callable[1, 1] block)\n    rejected: parameter 'enumerable' expects an Iterable value, got Boolean (line: 1, column: 5)",
            ),
            (
                "[1].filter |$x, $y, $z| { true }",
                "Evaluation Error: Error while evaluating a Method call, 'filter' block expects between 1 and 2 arguments, got 3 (line: 1, column: 4)",
            ),
        ]);
    }
}
