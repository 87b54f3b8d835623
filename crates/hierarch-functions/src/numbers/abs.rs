//! `abs`: a number without its sign.

use crate::prelude::*;

/// The function `abs`.
pub(super) static ABS: Function = Function {
    name: "abs",
    doc: "Returns the absolute value of a Numeric value. A String is converted first, which is deprecated.",
    dispatches: &[on(&["Numeric val"], of_number), on(&["String val"], of_string)],
    examples: &[
        Gives("abs(-3)", "3"),
        Gives("abs(-3.5)", "3.5"),
        Gives("abs('-3')", "3"),
        Fails("abs([])", "'abs' parameter 'val' expects a value of type Numeric or String, got Array"),
        Fails("abs('0x1')", "abs(): Requires float or integer to work with - was given non decimal string"),
    ],
};

fn of_number(call: &mut Call) -> Result<Value> {
    match call.value(0) {
        Value::Float(number) => Ok(number.abs().into()),
        other => absolute(other.as_integer().unwrap_or_default()),
    }
}

/// Any line of the text may be the number.
fn of_string(call: &mut Call) -> Result<Value> {
    deprecated(call, &issues::number_of_text("abs", "Numeric"));
    let lines = || call.str(0).split('\n').filter(|line| is_decimal(line));
    if let Some(number) = lines().find(|line| line.contains('.')) {
        return Ok(number.parse::<f64>().unwrap_or_default().abs().into());
    }
    match lines().next().map(str::parse::<i64>) {
        Some(Ok(number)) => absolute(number),
        Some(Err(_)) => Err(issues::too_large("abs", call.str(0)).into()),
        None => Err(issues::not_decimal().into()),
    }
}

/// Tells whether a text is digits, with a sign and a fraction or without.
fn is_decimal(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    is_digits(whole.strip_prefix('-').unwrap_or(whole)) && is_digits(fraction)
}

fn absolute(number: i64) -> Result<Value> {
    let result = number.checked_abs().ok_or_else(|| issues::too_large("abs", number.unsigned_abs()))?;
    Ok(result.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn magnitudes() {
        check_calls(&[
            ("abs(-1)", "1"),
            ("abs(-1.5)", "1.5"),
            ("abs('-1')", "1"),
            ("abs('-1.5')", "1.5"),
            (
                "abs('x')",
                "Evaluation Error: Error while evaluating a Function Call, abs(): Requires float or integer to work with - was given non decimal string (line: 1, column: 1)",
            ),
            (
                "abs(undef)",
                "Evaluation Error: Error while evaluating a Function Call, 'abs' parameter 'val' expects a value of type Numeric or String, got Undef (line: 1, column: 1)",
            ),
            (
                "abs([1])",
                "Evaluation Error: Error while evaluating a Function Call, 'abs' parameter 'val' expects a value of type Numeric or String, got Tuple (line: 1, column: 1)",
            ),
            (
                "abs()",
                "Evaluation Error: Error while evaluating a Function Call, 'abs' expects 1 argument, got none (line: 1, column: 1)",
            ),
        ]);
    }
}
