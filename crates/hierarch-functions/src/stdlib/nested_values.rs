//! `stdlib::nested_values`: the values of a hash and of those inside it.

use crate::prelude::*;

/// The function `stdlib::nested_values`.
pub(super) static NESTED_VALUES: Function = Function {
    name: "stdlib::nested_values",
    doc: "Returns the values of a Hash, those of Hashes inside it in the place of these.",
    dispatches: &[on(&["Hash hash"], nested_values).returns("Array")],
    examples: &[
        Gives("stdlib::nested_values({a => 1, b => {c => 2, d => [{e => 3}]}})", "[1, 2, [{'e' => 3}]]"),
        Fails(
            "stdlib::nested_values([])",
            "'stdlib::nested_values' parameter 'hash' expects a Hash value, got Array",
        ),
    ],
};

fn nested_values(call: &mut Call) -> Result<Value> {
    let mut values = Vec::new();
    collect(call.hash(0), &mut values);
    Ok(Value::array(values))
}

fn collect(hash: &Hash, values: &mut Vec<Value>) {
    for value in hash.values() {
        match value {
            Value::Hash(inner) => collect(inner, values),
            other => values.push(other.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn leaves_of_hashes() {
        check_calls(&[
            ("stdlib::nested_values({a => {b => 1, c => {d => 2}}, e => 3})", "[1, 2, 3]"),
            ("stdlib::nested_values({})", "[]"),
            (
                "stdlib::nested_values([1])",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::nested_values' parameter 'hash' expects a Hash value, got Tuple (line: 1, column: 1)",
            ),
        ]);
    }
}
