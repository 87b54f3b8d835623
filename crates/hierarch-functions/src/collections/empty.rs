//! `empty`: whether there is nothing in a value.

use crate::prelude::*;

/// The function `empty`.
pub(super) static EMPTY: Function = Function {
    name: "empty",
    doc: "Returns whether a collection, String or Binary has no elements, characters or bytes. `undef` is empty, numbers are not.",
    dispatches: &[
        on(&["Collection coll"], empty),
        on(&["Sensitive[String] str"], empty),
        on(&["String str"], empty),
        on(&["Numeric num"], of_number),
        on(&["Binary bin"], empty),
        on(&["Undef x"], empty),
    ],
    examples: &[
        Gives("empty([])", "true"),
        Gives("empty(' ')", "false"),
        Gives("empty(undef)", "true"),
        Gives("empty(Sensitive(''))", "true"),
        Fails("empty(true)", "The function 'empty' was called with arguments it does not accept."),
    ],
};

fn empty(call: &mut Call) -> Result<Value> {
    Ok(is_empty(call.value(0)).into())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.is_empty(),
        Value::Hash(hash) => hash.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Binary(binary) => binary.bytes().is_empty(),
        Value::Sensitive(inner) => is_empty(inner),
        other => other.is_undef(),
    }
}

fn of_number(call: &mut Call) -> Result<Value> {
    deprecated_here(call, issues::EMPTY_NUMBER);
    Ok(false.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn nothing_in_it() {
        check_calls(&[
            ("empty('')", "true"),
            ("empty(' ')", "false"),
            ("empty([])", "true"),
            ("empty({})", "true"),
            ("empty(undef)", "true"),
            ("empty(0)", "false"),
            ("empty(1)", "false"),
            ("empty(Binary(''))", "true"),
            (
                "empty(true)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'empty' was called with arguments it does not accept. It expects one of:\n  (Collection coll)\n    rejected: parameter 'coll' expects a Collection value, got Boolean\n  (Sensitive[String] str)\n    rejected: parameter 'str' expects a Sensitive[String] value, got Boolean\n  (String str)\n    rejected: parameter 'str' expects a String value, got Boolean\n  (Numeric num)\n    rejected: parameter 'num' expects a Numeric value, got Boolean\n  (Binary bin)\n    rejected: parameter 'bin' expects a Binary value, got Boolean\n  (Undef x)\n    rejected: parameter 'x' expects an Undef value, got Boolean (line: 1, column: 1)",
            ),
            (
                "empty()",
                "Evaluation Error: Error while evaluating a Function Call, 'empty' expects 1 argument, got none (line: 1, column: 1)",
            ),
            (
                "empty('', '')",
                "Evaluation Error: Error while evaluating a Function Call, 'empty' expects 1 argument, got 2 (line: 1, column: 1)",
            ),
        ]);
    }
}
