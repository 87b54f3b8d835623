//! `zip`: the elements of two arrays in pairs.

use super::booleans::truth_of;
use crate::collections::flattened;
use crate::prelude::*;
use issues::stdlib::{ARRAY, count, requires};

/// The function `zip`.
pub(super) static ZIP: Function = Function {
    name: "zip",
    doc: "Returns pairs of the elements of two Arrays, as many as the first has. With a third argument that says so, one flat Array.",
    dispatches: &[legacy(-1, zip)],
    examples: &[
        Gives("zip([1, 2], [3, 4])", "[[1, 3], [2, 4]]"),
        Gives("zip([1, 2], [3], true)", "[1, 3, 2, undef]"),
        Fails("zip([1], 2)", "zip(): Requires array to work with"),
    ],
};

fn zip(call: &mut Call) -> Result<Value> {
    if call.count() < 2 {
        return Err(count("zip", call.count(), "2").into());
    }
    let arrays = call.value(0).as_array().zip(call.value(1).as_array());
    let (first, second) = arrays.ok_or_else(|| requires("zip", ARRAY))?;
    let partner = |index: usize| second.get(index).cloned().unwrap_or_default();
    let is_flat = call.value(2).is_truthy() && truth_of(call.value(2))?;
    let pairs: Vec<Value> = (first.iter().enumerate())
        .map(|(index, element)| Value::array(vec![element.clone(), partner(index)]))
        .collect();
    Ok(Value::array(if is_flat { flattened(&pairs) } else { pairs }))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn lists_side_by_side() {
        check_calls(&[
            ("zip([1, 2], ['a', 'b'])", "[[1, 'a'], [2, 'b']]"),
            ("zip([1, 2], ['a'])", "[[1, 'a'], [2, undef]]"),
            ("zip([1], ['a', 'b'])", "[[1, 'a']]"),
            ("zip([1, 2], ['a', 'b'], true)", "[1, 'a', 2, 'b']"),
            (
                "zip([1], 'a')",
                "Evaluation Error: Error while evaluating a Function Call, zip(): Requires array to work with (line: 1, column: 1)",
            ),
            (
                "zip([1])",
                "Evaluation Error: Error while evaluating a Function Call, zip(): Wrong number of arguments given (1 for 2) (line: 1, column: 1)",
            ),
        ]);
    }
}
