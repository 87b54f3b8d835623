//! `assert_type`: a value, if it is of a type.

use hierarch_pcore::{infer, mismatch};

use crate::prelude::*;

/// The function `assert_type`.
pub(super) static ASSERT_TYPE: Function = Function {
    name: "assert_type",
    doc: "Returns a value if it is of a type. Otherwise a block is called with the expected and the actual type and its result is returned; without a block it is an error.",
    dispatches: &[
        on(&["Type type", "Any value", "?&Callable[Type, Type] block"], of_type),
        on(&["String type_string", "Any value", "?&Callable[Type, Type] block"], of_text),
    ],
    examples: &[
        Gives("assert_type(Integer, 1)", "1"),
        Gives("assert_type('Integer', 'a') |$expected, $actual| { 2 }", "2"),
        Fails("assert_type(Integer, 'a')", "assert_type(): expects an Integer value, got String"),
    ],
};

fn of_type(call: &mut Call) -> Result<Value> {
    match call.take(0) {
        Value::Type(type_) => asserted(call, type_),
        other => Ok(other),
    }
}

fn of_text(call: &mut Call) -> Result<Value> {
    let text = call.str(0).to_owned();
    let type_ = call.type_from_text(&text)?;
    asserted(call, type_)
}

fn asserted(call: &mut Call, type_: Type) -> Result<Value> {
    let value = call.take(1);
    if type_.has(&value) {
        return Ok(value);
    }
    if call.has_block() {
        let actual = infer::detailed(&value);
        return call.yield_values([type_.into(), actual.into()]);
    }
    Err(issues::argument(mismatch::describe_value("assert_type():", &type_, &value)).into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn a_value_of_its_type() {
        check_calls(&[
            ("assert_type(Integer, 1)", "1"),
            (
                "assert_type(Integer, 'a')",
                "Evaluation Error: Error while evaluating a Function Call, assert_type(): expects an Integer value, got String (line: 1, column: 1)",
            ),
            ("assert_type('Integer', 1)", "1"),
            (
                "assert_type('Integer[', 1)",
                "Evaluation Error: Error while evaluating a Function Call, Syntax error at end of input (line: 1, column: 1)",
            ),
            (r#"assert_type(Integer, 'a') |$w, $g| { "${w} ${g}" }"#, "'Integer String'"),
            (r#"assert_type('Integer', 'a') |$w, $g| { "${w} ${g}" }"#, "'Integer String'"),
            (
                "assert_type(Integer, 'a') |$w| { 1 }",
                "Evaluation Error: Error while evaluating a Function Call, 'assert_type' block expects 2 arguments, got 1 (line: 1, column: 1)",
            ),
            (
                "assert_type(1, 1)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'assert_type' was called with arguments it does not accept. It expects one of:\n  (Type type, Any value, Callable[Type, Type] block?)\n    rejected: parameter 'type' expects a Type value, got Integer\n  (String type_string, Any value, Callable[Type, Type] block?)\n    rejected: parameter 'type_string' expects a String value, got Integer (line: 1, column: 1)",
            ),
            (
                "assert_type(Integer)",
                "Evaluation Error: Error while evaluating a Function Call, 'assert_type' expects 2 arguments, got 1 (line: 1, column: 1)",
            ),
            ("assert_type(Nope, 1)", "Evaluation Error: Resource type not found: Nope (line: 1, column: 13)"),
        ]);
    }
}
