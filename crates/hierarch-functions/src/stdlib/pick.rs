//! `pick` and `pick_default`: the first argument that is something.

use crate::prelude::*;
use issues::stdlib::says;

/// The function `pick`.
pub(super) static PICK: Function = Function {
    name: "pick",
    doc: "Returns the first argument that is neither `undef` nor an empty text, and fails if there is none.",
    dispatches: &[legacy(-1, pick)],
    examples: &[
        Gives("pick(undef, '', 'a', 'b')", "'a'"),
        Gives("pick(false)", "false"),
        Fails("pick('')", "pick(): must receive at least one non empty value"),
    ],
};

/// The function `pick_default`.
pub(super) static PICK_DEFAULT: Function = Function {
    name: "pick_default",
    doc: "Returns the first argument that is neither `undef` nor an empty text, or else the last one.",
    dispatches: &[legacy(-1, pick_default)],
    examples: &[
        Gives("pick_default('', 'a')", "'a'"),
        Gives("pick_default(undef, '')", "''"),
        Fails("pick_default()", "Must receive at least one argument."),
    ],
};

fn pick(call: &mut Call) -> Result<Value> {
    match call.arguments().iter().find(|value| is_something(value)) {
        Some(value) => Ok(value.clone()),
        None => Err(says("pick", "must receive at least one non empty value").into()),
    }
}

fn pick_default(call: &mut Call) -> Result<Value> {
    let last = call.arguments().last();
    let last = last.ok_or_else(|| issues::argument("Must receive at least one argument."))?;
    Ok(call.arguments().iter().find(|value| is_something(value)).unwrap_or(last).clone())
}

fn is_something(value: &Value) -> bool {
    !value.is_undef() && value.as_str() != Some("")
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn the_first_that_is_there() {
        check_calls(&[
            ("pick(undef, '', 'a')", "'a'"),
            ("pick('a', 'b')", "'a'"),
            (
                "pick(undef)",
                "Evaluation Error: Error while evaluating a Function Call, pick(): must receive at least one non empty value (line: 1, column: 1)",
            ),
            (
                "pick()",
                "Evaluation Error: Error while evaluating a Function Call, pick(): must receive at least one non empty value (line: 1, column: 1)",
            ),
            ("pick(false, 'a')", "false"),
            ("pick_default(undef, 'a')", "'a'"),
            ("pick_default(undef, '')", "''"),
            (
                "pick_default()",
                "Evaluation Error: Error while evaluating a Function Call, Must receive at least one argument. (line: 1, column: 1)",
            ),
        ]);
    }
}
