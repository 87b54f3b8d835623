//! `tag`: tags the class or defined type around.

use crate::prelude::*;

pub(super) static TAG: Function = Function {
    name: "tag",
    doc: "Tags the class or defined type around, and so all that it contains.",
    dispatches: &[legacy(-2, tag)],
    examples: &[Gives("tag('a') tagged('a')", "true"), Fails("tag('not valid')", "Invalid tag 'not valid'")],
};

fn tag(call: &mut Call) -> Result<Value> {
    let tags = call.take_all();
    call.tag(&tags)?;
    Ok(Value::Undef)
}
