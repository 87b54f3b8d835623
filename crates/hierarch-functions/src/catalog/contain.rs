//! `contain`: declares classes as parts of the one around.

use crate::prelude::*;

pub(super) static CONTAIN: Function = Function {
    name: "contain",
    doc: "Declares classes as `include` does, and makes the class or defined type around contain them: what comes before or after it comes before or after them too.",
    dispatches: &[on(&["+Any names"], contain)],
    examples: &[
        Gives("class a { } contain(a)", "[Class[a]]"),
        Gives("class a { } class b { } contain([a, [b]])", "[Class[a], Class[b]]"),
        Fails("contain(nope)", "Could not find class ::nope for"),
        Fails("contain('')", "Cannot use empty string as a class name"),
    ],
};

fn contain(call: &mut Call) -> Result<Value> {
    let names = call.take_all();
    call.contain(&names)
}
