//! `stdlib::has_function`: whether a function is there.

use crate::prelude::*;

/// The function `stdlib::has_function`.
pub(super) static HAS_FUNCTION: Function = Function {
    name: "stdlib::has_function",
    doc: "Tells whether a function is there, built in or in a module.",
    dispatches: &[on(&["String[1] function_name"], has_function).returns("Boolean")],
    examples: &[
        Gives("stdlib::has_function('stdlib::has_function')", "true"),
        Gives("stdlib::has_function('no::such')", "false"),
        Fails("stdlib::has_function('')", "parameter 'function_name' expects a String[1] value, got String"),
    ],
};

fn has_function(call: &mut Call) -> Result<Value> {
    let name = call.str(0).to_owned();
    Ok(call.has_function(&name)?.into())
}
