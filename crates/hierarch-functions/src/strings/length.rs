//! `length` and `size`: how many characters, elements, pairs or bytes a value has.

use crate::prelude::*;

/// The function `length`.
pub(super) static LENGTH: Function = Function {
    name: "length",
    doc: "Returns the number of elements in an Array or Hash, characters in a String or bytes in a Binary.",
    dispatches: &[on(&["Collection arg"], length), on(&["String arg"], length), on(&["Binary arg"], length)],
    examples: &[
        Gives("'grüße'.length", "5"),
        Gives("length([1, 2, 3])", "3"),
        Gives("length({a => 1})", "1"),
        Fails(
            "length(42)",
            "'length' parameter 'arg' expects a value of type Collection, String, or Binary, got Integer",
        ),
    ],
};

/// The function `size`.
pub(super) static SIZE: Function = Function {
    name: "size",
    doc: "Returns the same as `length`.",
    dispatches: &[on(&["Variant[Collection, String, Binary] arg"], length)],
    examples: &[
        Gives("size('abc')", "3"),
        Fails(
            "size(undef)",
            "'size' parameter 'arg' expects a value of type Collection, String, or Binary, got Undef",
        ),
    ],
};

fn length(call: &mut Call) -> Result<Value> {
    Ok(match call.value(0) {
        Value::Array(elements) => elements.len(),
        Value::Hash(hash) => hash.len(),
        Value::Binary(bytes) => bytes.bytes().len(),
        other => other.as_str().unwrap_or_default().chars().count(),
    }
    .into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn lengths() {
        check_calls(&[
            ("length('')", "0"),
            ("length('grüße')", "5"),
            ("length([])", "0"),
            ("length({a => 1})", "1"),
            ("length(Binary('YWI='))", "2"),
            ("size('abc')", "3"),
            (
                "length(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'length' parameter 'arg' expects a value of type Collection, String, or Binary, got Integer (line: 1, column: 1)",
            ),
            (
                "length(undef)",
                "Evaluation Error: Error while evaluating a Function Call, 'length' parameter 'arg' expects a value of type Collection, String, or Binary, got Undef (line: 1, column: 1)",
            ),
            (
                "length(/a/)",
                "Evaluation Error: Error while evaluating a Function Call, 'length' parameter 'arg' expects a value of type Collection, String, or Binary, got Regexp (line: 1, column: 1)",
            ),
            (
                "length('a', 'b')",
                "Evaluation Error: Error while evaluating a Function Call, 'length' expects 1 argument, got 2 (line: 1, column: 1)",
            ),
            (
                "length()",
                "Evaluation Error: Error while evaluating a Function Call, 'length' expects 1 argument, got none (line: 1, column: 1)",
            ),
        ]);
    }
}
