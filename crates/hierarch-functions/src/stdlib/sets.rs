//! `difference`, `intersection`, `union` and `member`: arrays as sets.

use crate::prelude::*;
use issues::stdlib::{ARRAY, count, requires, says, two_arrays};

/// The function `difference`.
pub(super) static DIFFERENCE: Function = Function {
    name: "difference",
    doc: "Returns the elements of an Array that are not in a second one.",
    dispatches: &[legacy(-1, difference)],
    examples: &[
        Gives("difference(['a', 'b', 'a'], ['b'])", "['a', 'a']"),
        Fails("difference([1], 1)", "difference(): Requires 2 arrays"),
    ],
};

/// The function `intersection`.
pub(super) static INTERSECTION: Function = Function {
    name: "intersection",
    doc: "Returns the elements that are in both of two Arrays, each once.",
    dispatches: &[legacy(-1, intersection)],
    examples: &[
        Gives("intersection(['a', 'b', 'b', 'c'], ['b', 'c', 'd'])", "['b', 'c']"),
        Fails("intersection([1], 1)", "intersection(): Requires 2 arrays, got Array and Integer"),
    ],
};

/// The function `union`.
pub(super) static UNION: Function = Function {
    name: "union",
    doc: "Returns the elements that are in any of several Arrays, each once.",
    dispatches: &[legacy(-1, union)],
    examples: &[
        Gives("union(['a', 'b'], ['b', 'c'])", "['a', 'b', 'c']"),
        Fails("union([1], 2)", "union(): Every parameter must be an array"),
    ],
};

/// The function `member`.
pub(super) static MEMBER: Function = Function {
    name: "member",
    doc: "Tells whether a text or Integer, or all elements of an Array, are elements of an Array.",
    dispatches: &[legacy(-1, member)],
    examples: &[
        Gives("member(['a', 'b'], 'b')", "true"),
        Gives("member(['a', 'b'], ['a', 'x'])", "false"),
        Fails("member(['a'], true)", "member(): Item to search for must be a string, fixnum, or array"),
    ],
};

fn difference(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(count("difference", call.count(), "2").into());
    }
    let arrays = call.value(0).as_array().zip(call.value(1).as_array());
    let (first, second) = arrays.ok_or_else(|| requires("difference", "2 arrays"))?;
    let known = set_of(second);
    Ok(Value::array(first.iter().filter(|element| !known.contains_key(element)).cloned().collect()))
}

fn intersection(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(count("intersection", call.count(), "2").into());
    }
    let arrays = call.value(0).as_array().zip(call.value(1).as_array());
    let (first, second) = arrays.ok_or_else(|| two_arrays(call.value(0), call.value(1)))?;
    let known = set_of(second);
    let shared = set_of(first.iter().filter(|element| known.contains_key(element)));
    Ok(Value::array(shared.keys().cloned().collect()))
}

fn union(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("union", call.count(), "< 2").into());
    }
    if !call.arguments().iter().all(|value| value.as_array().is_some()) {
        return Err(says("union", "Every parameter must be an array").into());
    }
    let all = set_of(call.arguments().iter().filter_map(Value::as_array).flatten());
    Ok(Value::array(all.keys().cloned().collect()))
}

fn member(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("member", call.count(), "2").into());
    }
    let known = set_of(call.value(0).as_array().ok_or_else(|| requires("member", ARRAY))?);
    let items = match call.value(1) {
        item @ (Value::String(_) | Value::Integer(_)) => std::slice::from_ref(item),
        Value::Array(items) => items.as_slice(),
        _ => {
            return Err(says("member", "Item to search for must be a string, fixnum, or array").into());
        }
    };
    if items.is_empty() {
        return Err(says("member", "You must provide item to search for within array given").into());
    }
    Ok(items.iter().all(|item| known.contains_key(item)).into())
}

/// Returns the elements as keys, each once, in the order of their first places.
fn set_of<'v>(elements: impl IntoIterator<Item = &'v Value>) -> Hash {
    elements.into_iter().map(|element| (element.clone(), true)).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn sets_of_values() {
        check_calls(&[
            ("union([1, 2], [2, 3])", "[1, 2, 3]"),
            ("union([1], [2], [3])", "[1, 2, 3]"),
            (
                "union([1])",
                "Evaluation Error: Error while evaluating a Function Call, union(): Wrong number of arguments given (1 for < 2) (line: 1, column: 1)",
            ),
            (
                "union(1, [2])",
                "Evaluation Error: Error while evaluating a Function Call, union(): Every parameter must be an array (line: 1, column: 1)",
            ),
            ("intersection([1, 2], [2, 3])", "[2]"),
            ("intersection([], [1])", "[]"),
            (
                "intersection(1, 2)",
                "Evaluation Error: Error while evaluating a Function Call, intersection(): Requires 2 arrays, got Integer and Integer (line: 1, column: 1)",
            ),
            ("difference([1, 2, 2], [2])", "[1]"),
            (
                "difference([1], 'a')",
                "Evaluation Error: Error while evaluating a Function Call, difference(): Requires 2 arrays (line: 1, column: 1)",
            ),
            (
                "difference([1])",
                "Evaluation Error: Error while evaluating a Function Call, difference(): Wrong number of arguments given (1 for 2) (line: 1, column: 1)",
            ),
        ]);
    }
}
