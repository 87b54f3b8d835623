//! `delete`, `delete_values` and `delete_undef_values`: collections without something.

use crate::prelude::*;
use crate::ruby::{as_list, equal};
use issues::stdlib::{bare_count, no_collection, not_a_regexp, odd_count, wrong_class};

/// The function `delete`.
pub(super) static DELETE: Function = Function {
    name: "delete",
    doc: "Returns an Array without the elements that are equal to a value, a Hash without a key or a String without the places where a text stands. An Array as second argument names several.",
    dispatches: &[legacy(-1, delete)],
    examples: &[
        Gives("delete(['a', 'b', 'a'], 'a')", "['b']"),
        Gives("delete({a => 1, b => 2, c => 3}, ['a', 'c'])", "{'b' => 2}"),
        Gives("delete('abracadabra', 'bra')", "'acada'"),
        Fails(
            "delete(1, 2)",
            "delete(): First argument must be an Array, String, or Hash. Given an argument of class Integer.",
        ),
    ],
};

/// The function `delete_values`.
pub(super) static DELETE_VALUES: Function = Function {
    name: "delete_values",
    doc: "Returns a Hash without the entries that have a value.",
    dispatches: &[legacy(-1, delete_values)],
    examples: &[
        Gives("delete_values({a => 1, b => 2}, 1)", "{'b' => 2}"),
        Fails("delete_values({})", "delete_values(): Wrong number of arguments given (1 of 2)"),
    ],
};

/// The function `delete_undef_values`.
pub(super) static DELETE_UNDEF_VALUES: Function = Function {
    name: "delete_undef_values",
    doc: "Returns an Array or a Hash without what is `undef`.",
    dispatches: &[legacy(-1, delete_undef_values)],
    examples: &[
        Gives("delete_undef_values({a => undef, b => ''})", "{'b' => ''}"),
        Gives("delete_undef_values([1, undef, false])", "[1, false]"),
        Fails(
            "delete_undef_values(1)",
            "delete_undef_values(): expected an array or hash, got 1 type  Integer ",
        ),
    ],
};

fn delete(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(bare_count("delete", call.count(), "2").into());
    }
    let mut rest = call.take(0);
    for item in as_list(call.value(1)) {
        rest = without(rest, &item)?;
    }
    Ok(rest)
}

fn without(rest: Value, item: &Value) -> Result<Value> {
    Ok(match rest {
        Value::Array(mut elements) => {
            Arc::make_mut(&mut elements).retain(|element| !equal(element, item));
            Value::Array(elements)
        }
        Value::Hash(mut hash) => {
            Arc::make_mut(&mut hash).retain(|key, _| key != item);
            Value::Hash(hash)
        }
        Value::String(text) => match item {
            // Between the characters nothing can be removed.
            Value::String(part) if part.is_empty() => Value::String(text),
            Value::String(part) => text.replace(part.as_str(), "").into(),
            other => return Err(not_a_regexp(other).into()),
        },
        other => return Err(wrong_class("delete", "First", "an Array, String, or Hash", &other).into()),
    })
}

fn delete_values(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(odd_count("delete_values", call.count(), " of 2)").into());
    }
    let item = call.take(1);
    match call.take(0) {
        Value::Hash(mut hash) => {
            Arc::make_mut(&mut hash).retain(|_, value| !equal(value, &item));
            Ok(Value::Hash(hash))
        }
        other => Err(wrong_class("delete_values", "First", "a Hash", &other).into()),
    }
}

fn delete_undef_values(call: &mut Call) -> Result<Value> {
    if call.count() == 0 {
        return Err(odd_count("delete_undef_values", 0, ")").into());
    }
    match call.take(0) {
        Value::Array(mut elements) => {
            Arc::make_mut(&mut elements).retain(|element| !element.is_undef());
            Ok(Value::Array(elements))
        }
        Value::Hash(mut hash) => {
            Arc::make_mut(&mut hash).retain(|_, value| !value.is_undef());
            Ok(Value::Hash(hash))
        }
        other => Err(no_collection(&other).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn what_is_taken_out() {
        check_calls(&[
            ("delete([1, 2, 1], 1)", "[2]"),
            ("delete(['a', 'b'], ['a', 'b'])", "[]"),
            ("delete('abcab', 'b')", "'aca'"),
            ("delete('abcab', ['a', 'b'])", "'c'"),
            ("delete({a => 1, b => 2}, 'a')", "{'b' => 2}"),
            ("delete({a => 1}, ['a', 'x'])", "{}"),
            ("delete([1], 5)", "[1]"),
            (
                "delete(5, 5)",
                "Evaluation Error: Error while evaluating a Function Call, delete(): First argument must be an Array, String, or Hash. Given an argument of class Integer. (line: 1, column: 1)",
            ),
            (
                "delete([1])",
                "Evaluation Error: Error while evaluating a Function Call, delete(): Wrong number of arguments given 1 for 2 (line: 1, column: 1)",
            ),
            ("delete_at(['a', 'b'], 1)", "['a']"),
            (
                "delete_at(['a', 'b'], 5)",
                "Evaluation Error: Error while evaluating a Function Call, delete_at(): Given index exceeds size of array given (line: 1, column: 1)",
            ),
            ("delete_at(['a', 'b'], -1)", "['a']"),
            (
                "delete_at('a', 0)",
                "Evaluation Error: Error while evaluating a Function Call, delete_at(): Requires array to work with (line: 1, column: 1)",
            ),
            ("delete_undef_values({a => undef, b => 1})", "{'b' => 1}"),
            ("delete_undef_values([undef, 1])", "[1]"),
            (
                "delete_undef_values(1)",
                "Evaluation Error: Error while evaluating a Function Call, delete_undef_values(): expected an array or hash, got 1 type  Integer  (line: 1, column: 1)",
            ),
            ("delete_values({a => 1, b => 2}, 1)", "{'b' => 2}"),
            (
                "delete_values([1], 1)",
                "Evaluation Error: Error while evaluating a Function Call, delete_values(): First argument must be a Hash. Given an argument of class Array. (line: 1, column: 1)",
            ),
            ("delete_regex(['abf', 'ab', 'ac'], '^ab.*')", "['ac']"),
            ("delete_regex({ab => 1, c => 2}, 'a')", "{'ab' => 1, 'c' => 2}"),
            (
                "delete_regex('a', 'a')",
                "Evaluation Error: Error while evaluating a Function Call, undefined method `reject!' for an instance of String (line: 1, column: 1)",
            ),
        ]);
    }
}
