//! `keys` and `values` of a hash.

use crate::prelude::*;

/// The function `keys`.
pub(super) static KEYS: Function = Function {
    name: "keys",
    doc: "Returns the keys of a Hash as an Array, in order.",
    dispatches: &[on(&["Hash hsh"], keys)],
    examples: &[
        Gives("keys({a => 1, b => 2})", "['a', 'b']"),
        Fails("keys([])", "'keys' parameter 'hsh' expects a Hash value, got Array"),
    ],
};

/// The function `values`.
pub(super) static VALUES: Function = Function {
    name: "values",
    doc: "Returns the values of a Hash as an Array, in order.",
    dispatches: &[on(&["Hash hsh"], values)],
    examples: &[
        Gives("values({a => 1, b => 2})", "[1, 2]"),
        Fails("values(1)", "'values' parameter 'hsh' expects a Hash value, got Integer"),
    ],
};

fn keys(call: &mut Call) -> Result<Value> {
    Ok(Value::array(call.hash(0).keys().cloned().collect()))
}

fn values(call: &mut Call) -> Result<Value> {
    Ok(Value::array(call.hash(0).values().cloned().collect()))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn keys_and_values() {
        check_calls(&[
            ("keys({a => 1, 2 => b})", "['a', 2]"),
            ("values({a => 1, 2 => b})", "[1, 'b']"),
            ("keys({})", "[]"),
            (
                "keys([1])",
                "Evaluation Error: Error while evaluating a Function Call, 'keys' parameter 'hsh' expects a Hash value, got Tuple (line: 1, column: 1)",
            ),
            (
                "values('a')",
                "Evaluation Error: Error while evaluating a Function Call, 'values' parameter 'hsh' expects a Hash value, got String (line: 1, column: 1)",
            ),
            (
                "keys()",
                "Evaluation Error: Error while evaluating a Function Call, 'keys' expects 1 argument, got none (line: 1, column: 1)",
            ),
            (
                "keys({a => 1}) |$k| { $k }",
                "Evaluation Error: Error while evaluating a Function Call, 'keys' does not expect a block (line: 1, column: 1)",
            ),
        ]);
    }
}
