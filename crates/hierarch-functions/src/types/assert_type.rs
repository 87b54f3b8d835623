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
