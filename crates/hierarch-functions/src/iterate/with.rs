//! `with`, `then` and `lest`: a block called once, always or depending on whether there is a value.

use crate::prelude::*;

/// The function `with`.
pub(super) static WITH: Function = Function {
    name: "with",
    doc: "Calls a block with the arguments and returns what it gives.",
    dispatches: &[on(&["*Any arg", "&Callable block"], with)],
    examples: &[Gives("with(1, 2) |$a, $b| { $a + $b }", "3"), Fails("with(1)", "'with' expects a block")],
};

/// The function `then`.
pub(super) static THEN: Function = Function {
    name: "then",
    doc: "Calls a block with a value and returns what it gives; `undef` is returned as it is.",
    dispatches: &[on(&["Any arg", "&Callable[1, 1] block"], then)],
    examples: &[
        Gives("2.then |$x| { $x + 1 }", "3"),
        Gives("undef.then |$x| { $x + 1 }", "undef"),
        Fails("then(1)", "'then' expects a block"),
    ],
};

/// The function `lest`.
pub(super) static LEST: Function = Function {
    name: "lest",
    doc: "Calls a block if a value is `undef` and returns what it gives; other values are returned as they are.",
    dispatches: &[on(&["Any arg", "&Callable[0, 0] block"], lest)],
    examples: &[
        Gives("2.lest || { 1 }", "2"),
        Gives("undef.lest || { 1 }", "1"),
        Fails("lest(1)", "'lest' expects a block"),
    ],
};

fn with(call: &mut Call) -> Result<Value> {
    let arguments = call.take_all();
    call.yield_all(arguments.into_vec())
}

fn then(call: &mut Call) -> Result<Value> {
    match call.take(0) {
        Value::Undef => Ok(Value::Undef),
        value => call.yield_values([value]),
    }
}

fn lest(call: &mut Call) -> Result<Value> {
    match call.take(0) {
        Value::Undef => call.yield_values([]),
        value => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn a_block_with_values() {
        check_calls(&[
            ("with(1) |$x| { $x }", "1"),
            ("with(1, 2) |$x, $y| { $x + $y }", "3"),
            ("with() || { 5 }", "5"),
            (
                "with(1) |$x, $y| { 1 }",
                "Evaluation Error: Parameter $y is required but no value was given (line: 1, column: 14)",
            ),
            ("with(1) |$x, $y = 2| { $y }", "2"),
            ("with(1, 2, 3) |*$x| { $x }", "[1, 2, 3]"),
            (
                "with(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'with' expects a block (line: 1, column: 1)",
            ),
            (
                "with('a') |Integer $x| { $x }",
                "Evaluation Error: Error while evaluating a Function Call, block parameter 'x' expects an Integer value, got String (line: 1, column: 1)",
            ),
            ("then(1) |$x| { $x + 1 }", "2"),
            ("then(undef) |$x| { 1 }", "undef"),
            (
                "then(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'then' expects a block (line: 1, column: 1)",
            ),
            ("lest(undef) || { 1 }", "1"),
            ("lest(5) || { 1 }", "5"),
            (
                "lest(undef) |$x| { 1 }",
                "Evaluation Error: Error while evaluating a Function Call, 'lest' block expects no arguments, got 1 (line: 1, column: 1)",
            ),
        ]);
    }
}
