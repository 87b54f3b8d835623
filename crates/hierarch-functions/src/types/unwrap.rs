//! `unwrap`: what a Sensitive value hides.

use crate::prelude::*;

/// The function `unwrap`.
pub(super) static UNWRAP: Function = Function {
    name: "unwrap",
    doc: "Returns the value inside a Sensitive, or what a block makes of it. Any other value is taken as it is.",
    dispatches: &[
        on(&["Sensitive arg", "?&Callable block"], unwrap),
        on(&["Any arg", "?&Callable block"], unwrap),
    ],
    examples: &[
        Gives("unwrap(Sensitive('x'))", "'x'"),
        Gives("unwrap(Sensitive('x')) |$x| { \"${x}${x}\" }", "'xx'"),
        Gives("unwrap(1)", "1"),
        Fails("unwrap()", "'unwrap' expects 1 argument, got none"),
    ],
};

fn unwrap(call: &mut Call) -> Result<Value> {
    let value = match call.take(0) {
        Value::Sensitive(inner) => Arc::unwrap_or_clone(inner),
        other => other,
    };
    if call.has_block() { call.yield_values([value]) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn secrets_unwrapped() {
        check_calls(&[
            ("unwrap(Sensitive('a'))", "'a'"),
            ("unwrap('a')", "'a'"),
            (r#"unwrap(Sensitive('a')) |$x| { "${x}b" }"#, "'ab'"),
            (r#"unwrap('a') |$x| { "${x}b" }"#, "'ab'"),
            (
                "unwrap()",
                "Evaluation Error: Error while evaluating a Function Call, 'unwrap' expects 1 argument, got none (line: 1, column: 1)",
            ),
            ("unwrap(Sensitive(Sensitive('a')))", "'a'"),
        ]);
    }
}
