//! `stdlib::merge`: hashes merged into one, or one made by a block.

use crate::prelude::*;

/// The function `stdlib::merge`.
pub(super) static MERGE: Function = Function {
    name: "stdlib::merge",
    doc: "Returns Hashes merged into one, later ones winning; `undef` and empty texts are passed over. With a block, which is called with what was merged so far and every element (or index and element, or key and value), the Hashes that it returns are merged.",
    dispatches: &[
        on(&["*Variant[Hash[Scalar, Any], Undef, String[0, 0]] args"], merge_all)
            .returns("Hash[Scalar, Any]"),
        on(&["*Iterable args", "&Callable[3, 3] block"], merge_indexed).returns("Hash"),
        on(&["*Iterable args", "&Callable[2, 2] block"], merge_each).returns("Hash"),
    ],
    examples: &[
        Gives("stdlib::merge({a => 1, b => 1}, undef, {b => 2})", "{'a' => 1, 'b' => 2}"),
        Gives("stdlib::merge(['a', 'b']) |$done, $x| { {$x => $done.length} }", "{'a' => 0, 'b' => 1}"),
        Gives("stdlib::merge(['a', 'b']) |$done, $i, $x| { {$x => $i} }", "{'a' => 0, 'b' => 1}"),
        Fails(
            "stdlib::merge({}, 1)",
            "The function 'stdlib::merge' was called with arguments it does not accept.",
        ),
    ],
};

fn merge_all(call: &mut Call) -> Result<Value> {
    let mut merged = Hash::new();
    for hash in call.arguments().iter().filter_map(Value::as_hash) {
        add(&mut merged, hash);
    }
    Ok(merged.into())
}

fn add(merged: &mut Hash, hash: &Hash) {
    for (key, value) in hash {
        merged.insert(key.clone(), value.clone());
    }
}

fn merge_each(call: &mut Call) -> Result<Value> {
    merge_turns(call, |_, item, merged| vec![merged, item])
}

fn merge_indexed(call: &mut Call) -> Result<Value> {
    if let Value::Hash(_) = call.value(0) {
        return merge_turns(call, |_, item, merged| {
            let pair = item.as_array().unwrap_or_default().to_vec();
            std::iter::once(merged).chain(pair).collect()
        });
    }
    merge_turns(call, |index, item, merged| vec![merged, index.into(), item])
}

/// Calls the block for every element with what `arguments` makes of it, until `break()` ends it.
fn merge_turns(call: &mut Call, arguments: fn(usize, Value, Value) -> Vec<Value>) -> Result<Value> {
    if call.count() != 1 {
        return Err(issues::one_argument(call.count()).into());
    }
    let mut merged = Hash::new();
    for (index, item) in call.items(0).enumerate() {
        let given = call.yield_all(arguments(index, item, merged.clone().into()))?;
        if let Value::Hash(hash) = given {
            add(&mut merged, &hash);
        }
    }
    Ok(merged.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn hashes_over_hashes() {
        check_calls(&[
            ("merge({a => 1}, {a => 2, b => 3})", "{'a' => 2, 'b' => 3}"),
            ("merge({a => 1}, undef)", "{'a' => 1}"),
            ("merge({a => 1}, '')", "{'a' => 1}"),
            (
                "merge({a => 1}, 'x')",
                "Evaluation Error: Error while evaluating a Function Call, The function 'stdlib::merge' was called with arguments it does not accept. It expects one of:\n  (Variant[Hash[Scalar, Any], Undef, String[0, 0]] args*)\n    rejected: parameter 'args' expects a value of type Undef, Hash[Scalar, Any], or String[0, 0], got String\n  (Iterable args*, Callable[3, 3] block)\n    rejected: expects a block\n  (Iterable args*, Callable[2, 2] block)\n    rejected: expects a block (line: 1, column: 1)",
            ),
            ("merge({a => 1})", "{'a' => 1}"),
            (r#"merge([1, 2]) |$i, $x| { {"k${i}" => $x} }"#, "{'k{}' => 1, 'k{k{} => 1}' => 2}"),
            (
                "merge([1]) |$x| { 1 }",
                "Evaluation Error: Error while evaluating a Function Call, 'merge' block variant 0 expects an Undef value, got Callable (line: 1, column: 1)",
            ),
            ("deep_merge({a => {b => 1}}, {a => {c => 2}})", "{'a' => {'b' => 1, 'c' => 2}}"),
            ("deep_merge({a => [1]}, {a => [2]})", "{'a' => [2]}"),
            ("deep_merge({a => 1}, '')", "{'a' => 1}"),
            (
                "deep_merge({a => 1}, 'x')",
                "Evaluation Error: Error while evaluating a Function Call, deep_merge: unexpected argument type String, only expects hash arguments (line: 1, column: 1)",
            ),
            (
                "deep_merge({a => 1})",
                "Evaluation Error: Error while evaluating a Function Call, deep_merge(): wrong number of arguments (1; must be at least 2) (line: 1, column: 1)",
            ),
        ]);
    }
}
