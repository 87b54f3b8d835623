//! `realize`: makes virtual resources real.

use crate::prelude::*;

pub(super) static REALIZE: Function = Function {
    name: "realize",
    doc: "Makes virtual resources real, given by references. They may be declared later.",
    dispatches: &[legacy(-2, realize)],
    examples: &[
        Gives("@notify { 'a': } realize(Notify['a'])", "undef"),
        Fails("realize(Notify['nope'])", "Failed to realize virtual resources Notify[nope]"),
    ],
};

fn realize(call: &mut Call) -> Result<Value> {
    let references = call.take_all();
    call.realize(&references);
    Ok(Value::Undef)
}
