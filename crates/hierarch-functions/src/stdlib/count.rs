//! `count`: how many elements there are, or are equal to something.

use super::characters::Characters;
use crate::prelude::*;
use crate::ruby::{equal, implicit_text};
use issues::stdlib::no_method;

/// The function `count`.
pub(super) static COUNT: Function = Function {
    name: "count",
    doc: "Returns how many elements of an Array are equal to the second argument; without one, how many are neither `undef` nor empty texts.",
    dispatches: &[legacy(-2, count)],
    examples: &[
        Gives("count(['a', 'b', 'a'], 'a')", "2"),
        Gives("count([1, undef, '', 2])", "2"),
        Fails("count([1], 1, 1)", "count(): Wrong number of arguments given 3 for 1 or 2."),
    ],
};

fn count(call: &mut Call) -> Result<Value> {
    if call.count() > 2 {
        return Err(issues::stdlib::bare_count("count", call.count(), "1 or 2.").into());
    }
    let elements: Vec<Value> = match call.value(0) {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect()
        }
        Value::String(text) => return in_text(text, &call.arguments()[1..]),
        other => return Err(no_method("count", other).into()),
    };
    let item = call.value(1);
    let is_something = |value: &Value| !value.is_undef() && value.as_str() != Some("");
    Ok(if call.count() > 1 && item.is_truthy() {
        elements.iter().filter(|element| equal(element, item)).count()
    } else {
        elements.iter().filter(|element| is_something(element)).count()
    }
    .into())
}

/// Counts the characters of a text that are in a set.
fn in_text(text: &str, sets: &[Value]) -> Result<Value> {
    let set =
        sets.first().ok_or_else(|| issues::argument("wrong number of arguments (given 0, expected 1+)"))?;
    let set = Characters::read(implicit_text(set)?)?;
    Ok(text.chars().filter(|c| set.has(*c)).count().into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn how_many() {
        check_calls(&[
            ("count([1, 2, 1], 1)", "2"),
            ("count([1, undef, ''])", "1"),
            ("count([])", "0"),
            (
                "count('a')",
                "Evaluation Error: Error while evaluating a Function Call, wrong number of arguments (given 0, expected 1+) (line: 1, column: 1)",
            ),
            ("count({a => 1})", "1"),
            ("count([1, '1'], '1')", "1"),
        ]);
    }
}
