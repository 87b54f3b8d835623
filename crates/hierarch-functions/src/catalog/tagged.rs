//! `tagged`: tells whether the class or defined type around has tags.

use crate::prelude::*;

pub(super) static TAGGED: Function = Function {
    name: "tagged",
    doc: "Tells whether the catalog, or the class or defined type around, has all these tags.",
    dispatches: &[legacy(-2, tagged)],
    examples: &[
        Gives("tagged('nope')", "false"),
        Gives("tag('a', 'b') tagged('a', 'b')", "true"),
        Gives("tag('a') tagged('a', 'c')", "false"),
    ],
};

fn tagged(call: &mut Call) -> Result<Value> {
    let tags = call.take_all();
    Ok(tags.iter().all(|tag| call.is_tagged(&tag.to_string())).into())
}
