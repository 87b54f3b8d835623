//! `each`: calls a block for every element.

use super::turns::{Shape, turns};
use crate::prelude::*;

/// The function `each`.
pub(super) static EACH: Function = Function {
    name: "each",
    doc: "Calls a block for each element of an iterable value, with the element, or with index and element (of a Hash: key and value), and returns the value itself.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], elements),
    ],
    examples: &[
        Gives("[1, 2].each |$x| { notice($x) }", "[1, 2]"),
        Gives("{a => 1}.each |$k, $v| { notice($k) }", "{'a' => 1}"),
        Fails("each(undef) |$x| { }", "The function 'each' was called with arguments it does not accept."),
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
    let receiver = call.value(0).clone();
    turns(call, shape, |_, _| Ok(true))?;
    Ok(Lazy::walked(receiver))
}
