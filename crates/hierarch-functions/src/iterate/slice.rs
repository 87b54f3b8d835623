//! `slice`: the elements in groups of a size.

use crate::prelude::*;

/// The function `slice`.
pub(super) static SLICE: Function = Function {
    name: "slice",
    doc: "Calls a block for each group of so many elements of an iterable value, with an Array or (if it has that many parameters) with the elements, and returns the value itself; without a block, returns an Array of the groups.",
    dispatches: &[
        on(&["Hash hash", "Integer[1] slice_size", "?&Callable block"], slice),
        on(&["Iterable enumerable", "Integer[1] slice_size", "?&Callable block"], slice),
    ],
    examples: &[
        Gives("slice([1, 2, 3], 2)", "[[1, 2], [3]]"),
        Gives("slice({a => 1, b => 2}, 2)", "[[['a', 1], ['b', 2]]]"),
        Gives("slice([1, 2, 3], 2) |$a, $b| { notice($b) }", "[1, 2, 3]"),
        Fails("slice([1], 1) || { }", "slice(): block must define at least one parameter. Block has 0."),
    ],
};

fn slice(call: &mut Call) -> Result<Value> {
    let size = usize::try_from(call.integer(1)).unwrap_or(usize::MAX);
    if !call.has_block() {
        return groups(call, size);
    }
    let count = parameter_count(call, size)?;
    let receiver = call.value(0).clone();
    // What is missing in the last group: the reference fills it up with empty arrays where it has pairs.
    let filler = if receiver.as_hash().is_some() { Value::array(Vec::new()) } else { Value::Undef };
    until_break(run(call, size, count, &filler))?;
    Ok(Lazy::walked(receiver))
}

fn groups(call: &mut Call, size: usize) -> Result<Value> {
    let mut items = call.items(0);
    let mut groups = call.growing();
    while let Some(group) = next_group(call, &mut items, size)? {
        groups.push(Value::array(group))?;
    }
    Ok(Value::array(groups.into_values()))
}

fn run(call: &mut Call, size: usize, count: usize, filler: &Value) -> Result<()> {
    let mut items = call.items(0);
    while let Some(mut group) = next_group(call, &mut items, size)? {
        if count == 1 {
            call.yield_values([Value::array(group)])?;
        } else {
            let length = group.len().max(count);
            call.check_size(length)?;
            group.resize(length, filler.clone());
            call.yield_all(group)?;
        }
    }
    Ok(())
}

fn next_group(call: &mut Call, items: &mut Items, size: usize) -> Result<Option<Vec<Value>>> {
    let mut group = Vec::new();
    for item in items.take(size) {
        call.step()?;
        group.push(item);
        call.check_size(group.len())?;
    }
    Ok((!group.is_empty()).then_some(group))
}

/// Returns how many parameters the block is called with: one, or as many as a group has.
fn parameter_count(call: &Call, size: usize) -> Result<usize> {
    let count = match call.block_arity() {
        (least, Some(most)) if least == most => most,
        _ => size,
    };
    match count {
        0 => Err(issues::slice_without_parameters().into()),
        count if count == 1 || count == size => Ok(count),
        count => Err(issues::slice_parameters(size, count).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn pieces_of_a_size() {
        check_calls(&[
            ("[1, 2, 3].slice(2)", "[[1, 2], [3]]"),
            ("[1, 2, 3].slice(5)", "[[1, 2, 3]]"),
            ("{a => 1, b => 2}.slice(1)", "[[['a', 1]], [['b', 2]]]"),
            ("Integer[1, 5].slice(2)", "[[1, 2], [3, 4], [5]]"),
            ("'abc'.slice(2)", "[['a', 'b'], ['c']]"),
            ("5.slice(2)", "[[0, 1], [2, 3], [4]]"),
            (
                "[1, 2].slice(0)",
                "Evaluation Error: Error while evaluating a Method call, The function 'slice' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Integer[1] slice_size, Callable block?)\n    rejected: parameter 'hash' expects a Hash value, got Tuple\n  (Iterable enumerable, Integer[1] slice_size, Callable block?)\n    rejected: parameter 'slice_size' expects an Integer[1] value, got Integer[0, 0] (line: 1, column: 13)",
            ),
            (
                "[1, 2].slice(-1)",
                "Evaluation Error: Error while evaluating a Method call, The function 'slice' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Integer[1] slice_size, Callable block?)\n    rejected: parameter 'hash' expects a Hash value, got Tuple\n  (Iterable enumerable, Integer[1] slice_size, Callable block?)\n    rejected: parameter 'slice_size' expects an Integer[1] value, got Integer[-1, -1] (line: 1, column: 13)",
            ),
            (
                "[1, 2].slice('a')",
                "Evaluation Error: Error while evaluating a Method call, The function 'slice' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Integer[1] slice_size, Callable block?)\n    rejected: parameter 'hash' expects a Hash value, got Tuple\n  (Iterable enumerable, Integer[1] slice_size, Callable block?)\n    rejected: parameter 'slice_size' expects an Integer value, got String (line: 1, column: 13)",
            ),
            ("[1, 2, 3].slice(2) |$x| { notice($x) }", "[1, 2, 3]"),
            ("[1, 2, 3].slice(2) |$x, $y| { notice($x) }", "[1, 2, 3]"),
            ("[1, 2, 3].slice(2) |*$x| { notice($x) }", "[1, 2, 3]"),
            ("[].slice(2)", "[]"),
        ]);
    }
}
