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
    let words: Vec<String> = call.arguments().iter().map(word).collect();
    Err(issues::failed(&words.join(" ")).into())
}

/// A reference is one of the catalog to a function of old, whose text has no quotes.
fn word(value: &Value) -> String {
    match value {
        Value::Type(type_) => {
            type_.as_entry().map_or_else(|| ruby_text(value), |entry| ruby_text(&entry.into()))
        }
        other => ruby_text(other),
    }
}
