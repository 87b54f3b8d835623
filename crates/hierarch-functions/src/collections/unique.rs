//! `unique`: elements without those that were there before.

use crate::groups::Groups;
use crate::iterate::ends_at_break;
use crate::prelude::*;

/// The function `unique`.
pub(super) static UNIQUE: Function = Function {
    name: "unique",
    doc: "Returns the elements of an iterable value (of a String, its characters) without duplicates, or without those for which a block gives what it gave before. Of a Hash, it returns a Hash of Arrays of keys to Arrays of the values that are the same.",
    dispatches: &[
        on(&["String string", "?&Callable[String] block"], of_string),
        on(&["Hash hash", "?&Callable[Any] block"], of_hash),
        on(&["Array array", "?&Callable[Any] block"], of_iterable),
        on(&["Iterable iterable", "?&Callable[Any] block"], of_iterable),
    ],
    examples: &[
        Gives("unique([1, 1, 1.0, 'a', 'A'])", "[1, 1.0, 'a', 'A']"),
        Gives("unique('hello')", "'helo'"),
        Gives("unique({a => 1, b => 1, c => 2})", "{['a', 'b'] => [1], ['c'] => [2]}"),
        Gives("[1, 2, 3, 4].unique |$x| { $x % 2 }", "[1, 2]"),
        Fails("unique(undef)", "The function 'unique' was called with arguments it does not accept."),
    ],
};

fn of_string(call: &mut Call) -> Result<Value> {
    let texts: Vec<String> = kept(call)?.iter().map(Value::to_string).collect();
    Ok(texts.concat().into())
}

fn of_iterable(call: &mut Call) -> Result<Value> {
    Ok(Value::array(kept(call)?))
}

fn kept(call: &mut Call) -> Result<Vec<Value>> {
    let is_made = ends_at_break(call.value(0));
    let mut kept = call.growing();
    let result = keep(call, &mut kept);
    if is_made {
        until_break(result)?;
    } else {
        result?;
    }
    Ok(kept.into_values())
}

fn keep(call: &mut Call, kept: &mut GrowingList) -> Result<()> {
    if let Some(only) = only_element(call.value(0)) {
        return kept.push(only);
    }
    let mut seen = Hash::new();
    for item in call.items(0) {
        let key = key(call, &item)?;
        if seen.insert(key.clone(), true).is_none() {
            kept.count_seen(&key)?;
            kept.push(item)?;
        }
    }
    Ok(())
}

/// Returns the element of a list or text of one. Nothing can equal it, so that Ruby does not ask the block.   case: lang/campaign_third
fn only_element(value: &Value) -> Option<Value> {
    match value {
        Value::Array(elements) if elements.len() == 1 => elements.first().cloned(),
        Value::String(text) if text.chars().nth(1).is_none() && !text.is_empty() => Some(value.clone()),
        _ => None,
    }
}

/// Returns what makes an element different from others.
fn key(call: &mut Call, item: &Value) -> Result<Value> {
    call.step()?;
    if call.has_block() { call.yield_values([item.clone()]) } else { Ok(item.clone()) }
}

fn of_hash(call: &mut Call) -> Result<Value> {
    let hash = call.take(0);
    let mut groups: Groups<(Vec<Value>, Vec<Value>)> = Groups::default();
    for (name, value) in hash.as_hash().into_iter().flatten() {
        let key = key(call, value)?;
        let (names, values) = groups.of(key);
        names.push(name.clone());
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    Ok(groups.into_groups().into_iter().collect::<Hash>().into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn each_value_once() {
        check_calls(&[
            ("unique([1, 1.0, '1', 1])", "[1, 1.0, '1']"),
            ("unique('abca')", "'abc'"),
            ("unique({a => 1, b => 1, c => 2})", "{['a', 'b'] => [1], ['c'] => [2]}"),
            ("unique([])", "[]"),
            ("unique([undef, undef])", "[undef]"),
            ("unique([[1], [1]])", "[[1]]"),
            ("['a', 'A'].unique |$x| { downcase($x) }", "['a']"),
            ("{a => 1, b => 2}.unique |$v| { 1 }", "{['a', 'b'] => [1, 2]}"),
            ("'abca'.unique |$c| { $c == 'a' }", "'ab'"),
            ("unique(5)", "[0, 1, 2, 3, 4]"),
            (
                "unique(true)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'unique' was called with arguments it does not accept. It expects one of:\n  (String string, Callable[String] block?)\n    rejected: parameter 'string' expects a String value, got Boolean\n  (Hash hash, Callable[Any] block?)\n    rejected: parameter 'hash' expects a Hash value, got Boolean\n  (Array array, Callable[Any] block?)\n    rejected: parameter 'array' expects an Array value, got Boolean\n  (Iterable iterable, Callable[Any] block?)\n    rejected: parameter 'iterable' expects an Iterable value, got Boolean (line: 1, column: 1)",
            ),
            ("Integer[1, 3].unique |$x| { $x % 2 }", "[1, 2]"),
            (
                "[1, 2].unique |$x, $y| { 1 }",
                "Evaluation Error: Error while evaluating a Method call, 'unique' block expects 1 argument, got 2 (line: 1, column: 7)",
            ),
        ]);
    }
}
