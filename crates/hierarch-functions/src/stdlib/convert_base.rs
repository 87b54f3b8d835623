//! `convert_base`: a number in another base.

use crate::prelude::*;
use issues::stdlib::{CONVERT_BASE_DIGITS, CONVERT_BASE_RANGE, convert_base_kind, says};

/// The function `convert_base`.
pub(super) static CONVERT_BASE: Function = Function {
    name: "convert_base",
    doc: "Returns the digits of an Integer, or of a text that is one, in a base from 2 to 36.",
    dispatches: &[legacy(2, convert_base)],
    examples: &[
        Gives("convert_base(5, 2)", "'101'"),
        Gives("convert_base('254', '16')", "'fe'"),
        Fails(
            "convert_base(5, 1)",
            "convert_base(): base must be at least 2 and must not be greater than 36",
        ),
        Fails("convert_base(5.0, 2)", "convert_base(): First argument must be either a string or an integer"),
    ],
};

fn convert_base(call: &mut Call) -> Result<Value> {
    let kinds = [(0, "First"), (1, "Second")];
    for (index, which) in kinds {
        if !matches!(call.value(index), Value::Integer(_) | Value::String(_)) {
            return Err(convert_base_kind(which).into());
        }
    }
    let number = |index: usize| match call.value(index) {
        Value::String(text) if !text.lines().any(is_digits) => Err(says("convert_base", CONVERT_BASE_DIGITS)),
        Value::String(text) => text
            .lines()
            .next()
            .and_then(|line| line.parse::<i128>().ok())
            .ok_or_else(|| issues::too_large("convert_base", text)),
        other => Ok(other.as_integer().unwrap_or_default().into()),
    };
    let (number, base) = (number(0)?, number(1)?);
    match u32::try_from(base) {
        Ok(base @ 2..=36) => Ok(digits(number, base).into()),
        _ => Err(says("convert_base", CONVERT_BASE_RANGE).into()),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits(number: i128, base: u32) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit((rest % u128::from(base)) as u32, base));
        rest /= u128::from(base);
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn numbers_of_other_bases() {
        check_calls(&[
            ("convert_base(255, 16)", "'ff'"),
            ("convert_base('255', '2')", "'11111111'"),
            ("convert_base(-5, 2)", "'-101'"),
            (
                "convert_base('z', 16)",
                "Evaluation Error: Error while evaluating a Function Call, convert_base(): First argument must be an integer or a string corresponding to an integer in base 10 (line: 1, column: 1)",
            ),
            (
                "convert_base(5, 37)",
                "Evaluation Error: Error while evaluating a Function Call, convert_base(): base must be at least 2 and must not be greater than 36 (line: 1, column: 1)",
            ),
            (
                "convert_base(5, 1)",
                "Evaluation Error: Error while evaluating a Function Call, convert_base(): base must be at least 2 and must not be greater than 36 (line: 1, column: 1)",
            ),
            (
                "convert_base(5.5, 2)",
                "Evaluation Error: Error while evaluating a Function Call, convert_base(): First argument must be either a string or an integer (line: 1, column: 1)",
            ),
            (
                "convert_base('', 2)",
                "Evaluation Error: Error while evaluating a Function Call, convert_base(): First argument must be an integer or a string corresponding to an integer in base 10 (line: 1, column: 1)",
            ),
        ]);
    }
}
