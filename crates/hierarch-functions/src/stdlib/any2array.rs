//! `any2array`: anything as an array.

use crate::prelude::*;

/// The function `any2array`.
pub(super) static ANY2ARRAY: Function = Function {
    name: "any2array",
    doc: "Returns its arguments as an Array: one that is an Array as it is, a Hash as its keys and values in turn, an empty text or nothing as an empty Array.",
    dispatches: &[legacy(-1, any2array)],
    examples: &[
        Gives("any2array('a', 1)", "['a', 1]"),
        Gives("any2array({a => 1, b => 2})", "['a', 1, 'b', 2]"),
        Gives("any2array(undef)", "[]"),
    ],
};

fn any2array(call: &mut Call) -> Result<Value> {
    Ok(match call.arguments() {
        [Value::Array(elements)] => Value::Array(Arc::clone(elements)),
        [Value::Hash(hash)] => {
            Value::array(hash.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect())
        }
        [Value::String(text)] if text.is_empty() => Value::array(Vec::new()),
        arguments => Value::array(arguments.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn lists_of_anything() {
        check_calls(&[
            ("any2array(1, 2)", "[1, 2]"),
            ("any2array({a => 1})", "['a', 1]"),
            ("any2array('')", "[]"),
            ("any2array([1])", "[1]"),
            ("any2array()", "[]"),
            ("any2bool('yes')", "true"),
            ("any2bool('0')", "false"),
            ("any2bool([])", "true"),
            ("any2bool('')", "false"),
            ("any2bool(5)", "true"),
            (
                "any2bool('x')",
                "Evaluation Error: Error while evaluating a Function Call, str2bool(): Unknown type of boolean given (line: 1, column: 1)",
            ),
        ]);
    }
}
