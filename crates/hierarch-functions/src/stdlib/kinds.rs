//! `stdlib::type_of` and `is_a`: the types of values.

use hierarch_pcore::infer;

use crate::prelude::*;

/// The function `stdlib::type_of`.
pub(super) static TYPE_OF: Function = Function {
    name: "stdlib::type_of",
    doc: "Returns the detailed type of a value.",
    dispatches: &[on(&["Any value"], type_of)],
    examples: &[
        Gives("stdlib::type_of([1, 'a'])", "Tuple[Integer[1, 1], String]"),
        Fails("stdlib::type_of()", "'stdlib::type_of' expects 1 argument, got none"),
    ],
};

/// The function `is_a`.
pub(super) static IS_A: Function = Function {
    name: "is_a",
    doc: "Tells whether a value is of a type.",
    dispatches: &[on(&["Any value", "Type type"], is_a)],
    examples: &[
        Gives("is_a(1, Integer)", "true"),
        Gives("'a'.is_a(Integer)", "false"),
        Fails("is_a(1, 'Integer')", "'is_a' parameter 'type' expects a Type value, got String"),
    ],
};

fn type_of(call: &mut Call) -> Result<Value> {
    Ok(infer::detailed(call.value(0)).into())
}

fn is_a(call: &mut Call) -> Result<Value> {
    let type_ = call.value(1).as_type().map(|type_| type_.has(call.value(0)));
    Ok(type_.unwrap_or(false).into())
}
