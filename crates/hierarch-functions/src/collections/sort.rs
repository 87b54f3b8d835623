//! `sort`: elements or characters in order.

use std::cmp::Ordering;

use super::order;
use crate::prelude::*;

/// The function `sort`.
pub(super) static SORT: Function = Function {
    name: "sort",
    doc: "Returns the elements of an Array, or the characters of a String, in order: numbers by value, texts by code points, or as a block says that compares two and gives a number.",
    dispatches: &[
        on(&["String string_value", "?&Callable[2, 2] block"], of_string),
        on(&["Array array_value", "?&Callable[2, 2] block"], of_array),
    ],
    examples: &[
        Gives("sort([3, 1.5, 2])", "[1.5, 2, 3]"),
        Gives("sort(['b', 'A', 'a'])", "['A', 'a', 'b']"),
        Gives("sort('hello')", "'ehllo'"),
        Gives("[1, 2, 3].sort |$a, $b| { compare($b, $a) }", "[3, 2, 1]"),
        Fails("sort([1, 'a'])", "comparison of Integer with String failed"),
    ],
};

fn of_string(call: &mut Call) -> Result<Value> {
    let characters = call.items(0).collect();
    let texts: Vec<String> = sorted(call, characters)?.iter().map(Value::to_string).collect();
    Ok(texts.concat().into())
}

fn of_array(call: &mut Call) -> Result<Value> {
    let elements = call.array(0).to_vec();
    Ok(Value::array(sorted(call, elements)?))
}

fn sorted(call: &mut Call, elements: Vec<Value>) -> Result<Vec<Value>> {
    if call.has_block() {
        return merge_sorted(elements, &mut |a, b| order::by_block(call, a, b));
    }
    merge_sorted(elements, &mut |a, b| Ok(order::by_ruby(a, b)?))
}

/// Sorts by an order that may fail, and that need not be one: a block may say what it likes.
fn merge_sorted(
    mut left: Vec<Value>,
    order: &mut dyn FnMut(&Value, &Value) -> Result<Ordering>,
) -> Result<Vec<Value>> {
    if left.len() < 2 {
        return Ok(left);
    }
    let right = left.split_off(left.len() / 2);
    let left = merge_sorted(left, order)?;
    let right = merge_sorted(right, order)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let takes_right = order(a, b)? == Ordering::Greater;
        merged.extend(if takes_right { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_in_order() {
        check_calls(&[
            ("sort([3, 1, 2])", "[1, 2, 3]"),
            ("sort(['b', 'A', 'a'])", "['A', 'a', 'b']"),
            ("sort('cab')", "'abc'"),
            ("sort([])", "[]"),
            (
                "sort([1, 'a'])",
                "Evaluation Error: Error while evaluating a Function Call, comparison of Integer with String failed (line: 1, column: 1)",
            ),
            ("sort([1.5, 1])", "[1, 1.5]"),
            (
                "sort({a => 1})",
                "Evaluation Error: Error while evaluating a Function Call, The function 'sort' was called with arguments it does not accept. It expects one of:\n  (String string_value, Callable[2, 2] block?)\n    rejected: parameter 'string_value' expects a String value, got Struct\n  (Array array_value, Callable[2, 2] block?)\n    rejected: parameter 'array_value' expects an Array value, got Struct (line: 1, column: 1)",
            ),
            ("sort([3, 1]) |$a, $b| { compare($b, $a) }", "[3, 1]"),
            ("sort('ab') |$a, $b| { compare($b, $a) }", "'ba'"),
            (
                "sort([1, 2]) |$a, $b| { 'x' }",
                "Evaluation Error: Error while evaluating a Function Call, comparison of String with 0 failed (line: 1, column: 1)",
            ),
            (
                "sort([1, 2]) |$a| { 1 }",
                "Evaluation Error: Error while evaluating a Function Call, 'sort' block expects 2 arguments, got 1 (line: 1, column: 1)",
            ),
            (
                "sort([true, false])",
                "Evaluation Error: Error while evaluating a Function Call, comparison of TrueClass with false failed (line: 1, column: 1)",
            ),
            ("sort([undef])", "[undef]"),
            (
                "sort(1)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'sort' was called with arguments it does not accept. It expects one of:\n  (String string_value, Callable[2, 2] block?)\n    rejected: parameter 'string_value' expects a String value, got Integer\n  (Array array_value, Callable[2, 2] block?)\n    rejected: parameter 'array_value' expects an Array value, got Integer (line: 1, column: 1)",
            ),
            ("sort([[2], [1]])", "[[1], [2]]"),
        ]);
    }
}
