//! `require`: declares classes that come before the one around.

use crate::prelude::*;

pub(super) static REQUIRE: Function = Function {
    name: "require",
    doc: "Declares classes as `include` does, and makes the class or defined type around wait for them.",
    dispatches: &[on(&["+Any names"], require)],
    examples: &[
        Gives("class a { } require(a)", "[Class[a]]"),
        Gives("class a { } class b { } require([a, [b]])", "[Class[a], Class[b]]"),
        Fails("require(nope)", "Could not find class ::nope for"),
        Fails("require('')", "Cannot use empty string as a class name"),
    ],
};

fn require(call: &mut Call) -> Result<Value> {
    let names = call.take_all();
    call.require(&names)
}
