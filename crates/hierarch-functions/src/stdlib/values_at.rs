//! `values_at`: the elements at several indices.

use crate::collections::flattened;
use crate::prelude::*;
use issues::stdlib::{ARRAY, count, requires, says};

/// The function `values_at`.
pub(super) static VALUES_AT: Function = Function {
    name: "values_at",
    doc: "Returns the elements of an Array at one or more indices; `0-2` and `0..2` mean all from the first to the last, `0...2` leaves out the last. What is `undef` is left out.",
    dispatches: &[legacy(-1, values_at)],
    examples: &[
        Gives("values_at(['a', 'b', 'c'], 2)", "['c']"),
        Gives("values_at(['a', 'b', 'c'], ['0-1', 0])", "['a', 'b', 'a']"),
        Fails("values_at([1], 1)", "values_at(): Given index exceeds array size"),
        Fails("values_at([1], 'x')", "values_at(): Unknown format of given index"),
    ],
};

fn values_at(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("values_at", call.count(), "2").into());
    }
    let elements = call.value(0).as_array().ok_or_else(|| requires("values_at", ARRAY))?;
    let indices = flattened(&call.arguments()[1..2]);
    if indices.is_empty() {
        return Err(says("values_at", "You must provide at least one positive index to collect").into());
    }
    let mut found = Vec::new();
    for index in indices {
        let range = indices_of(&ruby_text(&index), elements.len())?;
        found.extend(elements[range].iter().filter(|element| !element.is_undef()).cloned());
    }
    Ok(Value::array(found))
}

/// Reads an index or a range of them, which must be within the array.
fn indices_of(text: &str, size: usize) -> Result<std::ops::Range<usize>> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|_| !text.starts_with('+'));
    if let Some(index) = number(text) {
        if index >= size {
            return Err(says("values_at", "Given index exceeds array size").into());
        }
        return Ok(index..index + 1);
    }
    let range = ["...", "..", "-"].iter().find_map(|separator| {
        let (start, stop) = text.split_once(separator)?;
        Some((number(start)?, number(stop)?, *separator))
    });
    let (start, stop, separator) = range.ok_or_else(|| says("values_at", "Unknown format of given index"))?;
    if start > stop {
        let words = "Stop index in given indices range is smaller than the start index";
        return Err(says("values_at", words).into());
    }
    if stop >= size {
        return Err(says("values_at", "Stop index in given indices range exceeds array size").into());
    }
    Ok(if separator == "..." { start..stop } else { start..stop + 1 })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_by_their_places() {
        check_calls(&[
            ("values_at(['a', 'b', 'c'], 1)", "['b']"),
            ("values_at(['a', 'b', 'c'], [0, 2])", "['a', 'c']"),
            ("values_at(['a', 'b', 'c'], '0-1')", "['a', 'b']"),
            ("values_at(['a', 'b', 'c'], ['0-1', 2])", "['a', 'b', 'c']"),
            ("values_at(['a', 'b', 'c'], '1..2')", "['b', 'c']"),
            (
                "values_at(['a', 'b', 'c'], '2-1')",
                "Evaluation Error: Error while evaluating a Function Call, values_at(): Stop index in given indices range is smaller than the start index (line: 1, column: 1)",
            ),
            (
                "values_at(['a'], 5)",
                "Evaluation Error: Error while evaluating a Function Call, values_at(): Given index exceeds array size (line: 1, column: 1)",
            ),
            (
                "values_at([], 0)",
                "Evaluation Error: Error while evaluating a Function Call, values_at(): Given index exceeds array size (line: 1, column: 1)",
            ),
            (
                "values_at('a', 0)",
                "Evaluation Error: Error while evaluating a Function Call, values_at(): Requires array to work with (line: 1, column: 1)",
            ),
            (
                "values_at(['a'], 'x')",
                "Evaluation Error: Error while evaluating a Function Call, values_at(): Unknown format of given index (line: 1, column: 1)",
            ),
        ]);
    }
}
