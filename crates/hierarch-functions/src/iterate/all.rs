//! `all` and `any`: whether a block gives something true for every element, or for one.

use super::turns::{Shape, turns_without_break};
use crate::prelude::*;

/// The function `all`.
pub(super) static ALL: Function = Function {
    name: "all",
    doc: "Calls a block for each element of an iterable value until it gives something false, and returns whether it never did.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], all_pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], all_elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], all_indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], all_elements),
    ],
    examples: &[
        Gives("[1, 2].all |$x| { $x > 0 }", "true"),
        Gives("{a => 1, b => -1}.all |$k, $v| { $v > 0 }", "false"),
        Gives("[].all |$x| { false }", "true"),
        Fails("all([1])", "'all' expects a block"),
    ],
};

/// The function `any`.
pub(super) static ANY: Function = Function {
    name: "any",
    doc: "Calls a block for each element of an iterable value until it gives something true, and returns whether it ever did.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], any_pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], any_elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], any_indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], any_elements),
    ],
    examples: &[
        Gives("[1, 2].any |$x| { $x > 1 }", "true"),
        Gives("[5, 6].any |$index, $x| { $index == 5 }", "false"),
        Gives("[].any |$x| { true }", "false"),
        Fails("any([1])", "'any' expects a block"),
    ],
};

fn all_elements(call: &mut Call) -> Result<Value> {
    Ok((!has(call, Shape::One, false)?).into())
}

fn all_pairs(call: &mut Call) -> Result<Value> {
    Ok((!has(call, Shape::Pair, false)?).into())
}

fn all_indexed(call: &mut Call) -> Result<Value> {
    Ok((!has(call, Shape::Indexed, false)?).into())
}

fn any_elements(call: &mut Call) -> Result<Value> {
    Ok(has(call, Shape::One, true)?.into())
}

fn any_pairs(call: &mut Call) -> Result<Value> {
    Ok(has(call, Shape::Pair, true)?.into())
}

fn any_indexed(call: &mut Call) -> Result<Value> {
    Ok(has(call, Shape::Indexed, true)?.into())
}

/// Tells whether the block gives this truth for some element.
fn has(call: &mut Call, shape: Shape, truth: bool) -> Result<bool> {
    let mut found = false;
    turns_without_break(call, shape, |_, given| {
        found = given.is_truthy() == truth;
        Ok(!found)
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn all_or_any() {
        check_calls(&[
            ("[1, 2].all |$x| { $x > 0 }", "true"),
            ("[].all |$x| { false }", "true"),
            ("[].any |$x| { true }", "false"),
            (
                "[1, undef].all",
                "Evaluation Error: Error while evaluating a Method call, 'all' expects a block (line: 1, column: 11)",
            ),
            (
                "[1, undef].any",
                "Evaluation Error: Error while evaluating a Method call, 'any' expects a block (line: 1, column: 11)",
            ),
            (
                "[undef, false].any",
                "Evaluation Error: Error while evaluating a Method call, 'any' expects a block (line: 1, column: 15)",
            ),
            ("{a => 1}.all |$k, $v| { $v == 1 }", "true"),
            ("{a => 1}.any |$kv| { $kv[0] == 'a' }", "true"),
            ("['a', 'b'].all |$i, $x| { $i < 2 }", "true"),
            ("'ab'.all |$x| { true }", "true"),
            ("3.any |$x| { $x == 2 }", "true"),
            (
                "true.all |$x| { true }",
                "Evaluation Error: Error while evaluating a Method call, The function 'all' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Callable[2, 2] block)\n    rejected: parameter 'hash' expects a Hash value, got Boolean\n  (Hash hash, Callable[1, 1] block)\n    rejected: parameter 'hash' expects a Hash value, got Boolean\n  (Iterable enumerable, Callable[2, 2] block)\n    rejected: parameter 'enumerable' expects an Iterable value, got Boolean\n  (Iterable enumerable, Callable[1, 1] block)\n    rejected: parameter 'enumerable' expects an Iterable value, got Boolean (line: 1, column: 5)",
            ),
            (
                "[1].all |$x, $y, $z| { true }",
                "Evaluation Error: Error while evaluating a Method call, 'all' block expects between 1 and 2 arguments, got 3 (line: 1, column: 4)",
            ),
        ]);
    }
}
