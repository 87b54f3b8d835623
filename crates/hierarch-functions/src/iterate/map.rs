//! `map`: what a block makes of every element.

use super::turns::{Shape, turns};
use crate::prelude::*;

/// The function `map`.
pub(super) static MAP: Function = Function {
    name: "map",
    doc: "Calls a block for each element of an iterable value and returns an Array of what it gave.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], elements),
    ],
    examples: &[
        Gives("[1, 2, 3].map |$x| { $x * 2 }", "[2, 4, 6]"),
        Gives("{a => 1}.map |$k, $v| { \"${k}=${v}\" }", "['a=1']"),
        Fails("map(-1) |$x| { }", "The function 'map' was called with arguments it does not accept."),
    ],
};

fn elements(call: &mut Call) -> Result<Value> {
    run(call, Shape::One)
}

fn pairs(call: &mut Call) -> Result<Value> {
    run(call, Shape::Pair)
}

fn indexed(call: &mut Call) -> Result<Value> {
    run(call, Shape::Indexed)
}

fn run(call: &mut Call, shape: Shape) -> Result<Value> {
    let mut results = call.growing_with(0);
    turns(call, shape, |_, given| {
        results.push(given)?;
        Ok(true)
    })?;
    Ok(Value::array(results.into_values()))
}
