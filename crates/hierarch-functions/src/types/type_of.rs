//! `type`: the type of a value.

use hierarch_pcore::infer;

use crate::prelude::*;

/// The function `type`.
pub(super) static TYPE: Function = Function {
    name: "type",
    doc: "Returns the type of a value: detailed, reduced (collections by the common type of their elements) or generalized.",
    dispatches: &[
        on(&["Any value", "?Enum[detailed] inference_method"], detailed),
        on(&["Any value", "Enum[reduced] inference_method"], reduced),
        on(&["Any value", "Enum[generalized] inference_method"], generalized),
    ],
    examples: &[
        Gives("type([1, 'a'])", "Tuple[Integer[1, 1], String]"),
        Gives("type([1, 2], 'generalized')", "Array[Integer]"),
        Fails("type(1, 'x')", "'type' parameter 'inference_method' expects a match for Enum['detailed'"),
    ],
};

fn detailed(call: &mut Call) -> Result<Value> {
    Ok(infer::detailed(call.value(0)).into())
}

fn reduced(call: &mut Call) -> Result<Value> {
    Ok(infer::reduced(call.value(0)).into())
}

fn generalized(call: &mut Call) -> Result<Value> {
    Ok(infer::generic(call.value(0)).into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn types_of_values() {
        check_calls(&[
            ("type(1)", "Integer[1, 1]"),
            ("type(1, generalized)", "Integer"),
            ("type(1, reduced)", "Integer[1, 1]"),
            ("type([1, 'a'])", "Tuple[Integer[1, 1], String]"),
            ("type([1, 'a'], reduced)", "Array[ScalarData, 2, 2]"),
            ("type([1, 'a'], generalized)", "Array[ScalarData]"),
            ("type({a => 1})", "Struct[{'a' => Integer[1, 1]}]"),
            ("type(undef)", "Undef"),
            ("type(default)", "Default"),
            ("type(Integer)", "Type[Integer]"),
            ("type(Sensitive('x'))", "Sensitive[String]"),
            (
                "type(1, odd)",
                "Evaluation Error: Error while evaluating a Function Call, 'type' parameter 'inference_method' expects a match for Enum['detailed', 'generalized', 'reduced'], got 'odd' (line: 1, column: 1)",
            ),
            (
                "type()",
                "Evaluation Error: Error while evaluating a Function Call, 'type' expects between 1 and 2 arguments, got none (line: 1, column: 1)",
            ),
        ]);
    }
}
