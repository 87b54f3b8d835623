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
