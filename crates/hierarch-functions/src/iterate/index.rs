//! `index`: where in a value something is found first.

use super::turns::{Shape, turns_without_break};
use crate::prelude::*;

/// The function `index`.
pub(super) static INDEX: Function = Function {
    name: "index",
    doc: "Returns the index (of a Hash, the key) of the first element for which a block gives something true, or that equals a value; in a String, the position of a text or of a match. What is not found gives `undef`.",
    dispatches: &[
        on(&["Hash hash", "&Callable[2, 2] block"], pairs),
        on(&["Hash hash", "&Callable[1, 1] block"], elements),
        on(&["Iterable enumerable", "&Callable[2, 2] block"], indexed),
        on(&["Iterable enumerable", "&Callable[1, 1] block"], elements),
        on(&["String str", "Variant[String, Regexp] match"], in_string),
        on(&["Iterable enumerable", "Any match"], of_value),
    ],
    examples: &[
        Gives("[3, 4].index |$x| { $x > 3 }", "1"),
        Gives("{a => 1, b => 2}.index |$value| { $value == 2 }", "'b'"),
        Gives("index([1, 2], 2.0)", "1"),
        Gives("index('grüße', /e$/)", "4"),
        Gives("index([1], 9)", "undef"),
        Fails("index(undef, 1)", "The function 'index' was called with arguments it does not accept."),
    ],
};

/// Unlike elsewhere, a block with one parameter gets the value of a hash's entry and not the pair.
fn elements(call: &mut Call) -> Result<Value> {
    first(call, Shape::Value)
}

fn pairs(call: &mut Call) -> Result<Value> {
    first(call, Shape::Pair)
}

fn indexed(call: &mut Call) -> Result<Value> {
    first(call, Shape::Indexed)
}

fn first(call: &mut Call, shape: Shape) -> Result<Value> {
    let is_hash = call.value(0).as_hash().is_some();
    let mut count = 0usize;
    let mut found = Value::Undef;
    turns_without_break(call, shape, |item, given| {
        if given.is_truthy() {
            found = place(&item, count, is_hash);
            return Ok(false);
        }
        count += 1;
        Ok(true)
    })?;
    Ok(found)
}

fn place(item: &Value, index: usize, is_hash: bool) -> Value {
    match item.as_array() {
        Some([key, _]) if is_hash => key.clone(),
        _ => index.into(),
    }
}

fn of_value(call: &mut Call) -> Result<Value> {
    let wanted = call.take(1);
    let items = call.items(0);
    let is_hash = items.has_pairs();
    for (index, item) in items.enumerate() {
        call.step()?;
        let is_same = match item.as_array() {
            Some([_, value]) if is_hash => value.is_same_in_ruby(&wanted),
            _ => item.is_same_in_ruby(&wanted),
        };
        if is_same {
            return Ok(place(&item, index, is_hash));
        }
    }
    Ok(Value::Undef)
}

fn in_string(call: &mut Call) -> Result<Value> {
    let text = call.str(0);
    let found = match call.value(1) {
        Value::Regexp(regexp) => {
            regexp.captures(text)?.and_then(|captures| captures.get(0)).map(|range| range.0)
        }
        other => text.find(other.as_str().unwrap_or_default()),
    };
    Ok(found.map(|offset| text[..offset].chars().count()).into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn the_first_that_fits() {
        check_calls(&[
            ("['a', 'b'].index('b')", "1"),
            ("['a', 'b'].index('x')", "undef"),
            ("'abc'.index('c')", "2"),
            ("'abc'.index(/b/)", "1"),
            ("'abc'.index('')", "0"),
            ("{a => 1, b => 2}.index(2)", "'b'"),
            ("{a => 1, b => 2}.index(5)", "undef"),
            ("[1, 2].index |$x| { $x == 2 }", "1"),
            ("['a', 'b'].index |$i, $x| { $i == 1 }", "1"),
            ("{a => 1, b => 2}.index |$v| { $v == 2 }", "'b'"),
            ("{a => 1, b => 2}.index |$k, $v| { $k == 'b' }", "'b'"),
            ("['a'].index(/a/)", "undef"),
            (
                "[1].index(1) |$x| { true }",
                "Evaluation Error: Error while evaluating a Method call, The function 'index' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Callable[2, 2] block)\n    rejected: expects 1 argument, got 2\n  (Hash hash, Callable[1, 1] block)\n    rejected: expects 1 argument, got 2\n  (Iterable enumerable, Callable[2, 2] block)\n    rejected: expects 1 argument, got 2\n  (Iterable enumerable, Callable[1, 1] block)\n    rejected: expects 1 argument, got 2\n  (String str, Variant[String, Regexp] match)\n    rejected: parameter 'str' expects a String value, got Tuple\n  (Iterable enumerable, Any match)\n    rejected: does not expect a block (line: 1, column: 10)",
            ),
            ("5.index(2)", "2"),
            ("[1, [2]].index([2])", "1"),
            (
                "true.index(1)",
                "Evaluation Error: Error while evaluating a Method call, The function 'index' was called with arguments it does not accept. It expects one of:\n  (Hash hash, Callable[2, 2] block)\n    rejected: expects 1 argument, got 2\n  (Hash hash, Callable[1, 1] block)\n    rejected: expects 1 argument, got 2\n  (Iterable enumerable, Callable[2, 2] block)\n    rejected: expects 1 argument, got 2\n  (Iterable enumerable, Callable[1, 1] block)\n    rejected: expects 1 argument, got 2\n  (String str, Variant[String, Regexp] match)\n    rejected: parameter 'str' expects a String value, got Boolean\n  (Iterable enumerable, Any match)\n    rejected: parameter 'enumerable' expects an Iterable value, got Boolean (line: 1, column: 11)",
            ),
        ]);
    }
}
