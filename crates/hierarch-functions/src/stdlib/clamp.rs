//! `clamp`: a number within bounds.

use crate::collections::flattened;
use crate::prelude::*;
use crate::ruby::leading_integer;
use issues::stdlib::{clamp_hash, clamp_text, no_method, says};

/// The function `clamp`.
pub(super) static CLAMP: Function = Function {
    name: "clamp",
    doc: "Returns the middle one of three Integers, given in any order, as texts too, or in Arrays.",
    dispatches: &[legacy(-2, clamp)],
    examples: &[
        Gives("clamp(24, [575, '187'])", "187"),
        Gives("clamp(16, 88, 661)", "88"),
        Fails("clamp(1, 2)", "clamp(): Wrong number of arguments, need three to clamp"),
        Fails("clamp(1, 2, 'x')", "clamp(): Required explicit numeric (x:String)"),
    ],
};

fn clamp(call: &mut Call) -> Result<Value> {
    let values = flattened(call.arguments());
    if values.len() != 3 {
        return Err(says("clamp", "Wrong number of arguments, need three to clamp").into());
    }
    for value in &values {
        match value {
            Value::String(text) if !text.lines().any(is_digits) => return Err(clamp_text(text).into()),
            Value::Hash(_) => return Err(clamp_hash(value).into()),
            _ => {}
        }
    }
    let mut numbers = values.iter().map(whole).collect::<Result<Vec<i64>>>()?;
    numbers.sort_unstable();
    Ok(numbers[1].into())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn whole(value: &Value) -> Result<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Float(number) => Ok(*number as i64),
        Value::String(text) => Ok(leading_integer(text)),
        Value::Undef => Ok(0),
        other => Err(no_method("to_i", other).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_between_bounds() {
        check_calls(&[
            ("clamp(5, 1, 10)", "5"),
            ("clamp(0, 1, 10)", "1"),
            ("clamp(20, 1, 10)", "10"),
            ("clamp(10, 1, 5)", "5"),
            (
                "clamp('b', 'a', 'c')",
                "Evaluation Error: Error while evaluating a Function Call, clamp(): Required explicit numeric (b:String) (line: 1, column: 1)",
            ),
            (
                "clamp(1, 'a', 3)",
                "Evaluation Error: Error while evaluating a Function Call, clamp(): Required explicit numeric (a:String) (line: 1, column: 1)",
            ),
            (
                "clamp(1, 2)",
                "Evaluation Error: Error while evaluating a Function Call, clamp(): Wrong number of arguments, need three to clamp (line: 1, column: 1)",
            ),
            ("clamp([1, 2, 3])", "2"),
            ("clamp([1], [2, 3])", "2"),
        ]);
    }
}
