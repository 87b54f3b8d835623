//! `pry`: Ruby's debugger, which is not here.

use crate::prelude::*;

/// The function `pry`.
pub(super) static PRY: Function = Function {
    name: "pry",
    doc: "Fails: it starts a debugger of Ruby's.",
    dispatches: &[legacy(-1, pry)],
    examples: &[Fails("pry()", "pry(): Requires the 'pry' rubygem to use, but it was not found")],
};

fn pry(_: &mut Call) -> Result<Value> {
    let words = "Requires the 'pry' rubygem to use, but it was not found";
    Err(issues::stdlib::says("pry", words).into())
}
