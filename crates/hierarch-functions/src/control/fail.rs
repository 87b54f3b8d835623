//! `fail`: ends the evaluation with an error.

use crate::prelude::*;

/// The function `fail`.
pub(super) static FAIL: Function = Function {
    name: "fail",
    doc: "Fails with a message: the arguments, joined by blanks.",
    dispatches: &[legacy(-1, fail)],
    examples: &[Fails("fail('a', 1)", "a 1")],
};

fn fail(call: &mut Call) -> Result<Value> {
    let words: Vec<String> = call.arguments().iter().map(ruby_text).collect();
    Err(issues::failed(&words.join(" ")).into())
}
