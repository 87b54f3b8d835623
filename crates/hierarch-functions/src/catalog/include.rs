//! `include`: declares classes that are then part of the node.

use crate::prelude::*;

pub(super) static INCLUDE: Function = Function {
    name: "include",
    doc: "Declares classes and evaluates them now, unless they are declared already. Returns references to them.",
    dispatches: &[on(&["+Any names"], include)],
    examples: &[
        Gives("class a { } include(a)", "[Class[a]]"),
        Gives("class a { } class b { } include([a, [b]])", "[Class[a], Class[b]]"),
        Fails("include(nope)", "Could not find class ::nope for"),
        Fails("include('')", "Cannot use empty string as a class name"),
    ],
};

fn include(call: &mut Call) -> Result<Value> {
    let names = call.take_all();
    call.include(&names)
}
