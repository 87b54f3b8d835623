//! `ceiling`, `floor` and `round`: the integer above, below or next to a number.

use crate::prelude::*;

/// The function `ceiling`.
pub(super) static CEILING: Function = Function {
    name: "ceiling",
    doc: "Returns the least Integer that is not below a number. A String is converted first, which is deprecated.",
    dispatches: &[on(&["Numeric val"], ceiling), on(&["String val"], ceiling_of_string)],
    examples: &[
        Gives("ceiling(1.2)", "2"),
        Gives("ceiling(-1.2)", "-1"),
        Gives("ceiling('1.2')", "2"),
        Fails("ceiling('x')", "ceiling(): cannot convert given value to a floating point value."),
    ],
};

/// The function `floor`.
pub(super) static FLOOR: Function = Function {
    name: "floor",
    doc: "Returns the greatest Integer that is not above a number. A String is converted first, which is deprecated.",
    dispatches: &[on(&["Numeric val"], floor), on(&["String val"], floor_of_string)],
    examples: &[
        Gives("floor(1.8)", "1"),
        Gives("floor(-1.2)", "-2"),
        Gives("floor('2.9')", "2"),
        Fails(
            "floor(true)",
            "'floor' parameter 'val' expects a value of type Numeric or String, got Boolean",
        ),
    ],
};

/// The function `round`.
pub(super) static ROUND: Function = Function {
    name: "round",
    doc: "Returns the Integer next to a number; halves are rounded away from zero.",
    dispatches: &[on(&["Numeric val"], round)],
    examples: &[
        Gives("round(1.5)", "2"),
        Gives("round(-2.5)", "-3"),
        Gives("round(1.4)", "1"),
        Fails("round('1.5')", "'round' parameter 'val' expects a Numeric value, got String"),
    ],
};

fn ceiling(call: &mut Call) -> Result<Value> {
    rounded(call, f64::ceil)
}

fn floor(call: &mut Call) -> Result<Value> {
    rounded(call, f64::floor)
}

fn rounded(call: &mut Call, to: fn(f64) -> f64) -> Result<Value> {
    match call.value(0) {
        Value::Float(number) => integer(call.name(), to(*number)),
        other => Ok(other.clone()),
    }
}

fn ceiling_of_string(call: &mut Call) -> Result<Value> {
    of_string(call, f64::ceil)
}

fn floor_of_string(call: &mut Call) -> Result<Value> {
    of_string(call, f64::floor)
}

fn of_string(call: &mut Call, to: fn(f64) -> f64) -> Result<Value> {
    deprecated(call, &issues::number_of_text(call.name(), "Float"));
    let number = crate::ruby::read_float(call.str(0)).ok_or_else(|| issues::not_a_float(call.name()))?;
    integer(call.name(), to(number))
}

/// Adds a half and cuts off the rest, integers too: those beyond 53 bits lose their last ones, as in the reference.
fn round(call: &mut Call) -> Result<Value> {
    let number = call.value(0).as_number().unwrap_or_default();
    let half = if number > 0.0 { 0.5 } else { -0.5 };
    integer("round", (number + half).trunc())
}

#[expect(clippy::float_cmp, reason = "a whole number within the range is the same as its integer")]
fn integer(function: &str, number: f64) -> Result<Value> {
    let integer = number as i64;
    if integer as f64 == number && number < 9_223_372_036_854_775_808.0 {
        Ok(integer.into())
    } else {
        Err(issues::too_large(function, number).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn floats_to_integers() {
        check_calls(&[
            ("round(1.5)", "2"),
            ("round(-1.5)", "-2"),
            ("round(2.5)", "3"),
            (
                "round('1.5')",
                "Evaluation Error: Error while evaluating a Function Call, 'round' parameter 'val' expects a Numeric value, got String (line: 1, column: 1)",
            ),
            ("floor(1.9)", "1"),
            ("floor(-1.1)", "-2"),
            ("floor('1.9')", "1"),
            ("ceiling(1.1)", "2"),
            ("ceiling(-1.9)", "-1"),
            (
                "ceiling('x')",
                "Evaluation Error: Error while evaluating a Function Call, ceiling(): cannot convert given value to a floating point value. (line: 1, column: 1)",
            ),
            (
                "round('x')",
                "Evaluation Error: Error while evaluating a Function Call, 'round' parameter 'val' expects a Numeric value, got String (line: 1, column: 1)",
            ),
            (
                "floor('')",
                "Evaluation Error: Error while evaluating a Function Call, floor(): cannot convert given value to a floating point value. (line: 1, column: 1)",
            ),
            ("round(1)", "1"),
            (
                "round(undef)",
                "Evaluation Error: Error while evaluating a Function Call, 'round' parameter 'val' expects a Numeric value, got Undef (line: 1, column: 1)",
            ),
            (
                "round([1])",
                "Evaluation Error: Error while evaluating a Function Call, 'round' parameter 'val' expects a Numeric value, got Tuple (line: 1, column: 1)",
            ),
            ("floor('0x1f')", "31"),
            ("ceiling('1e3')", "1000"),
            (
                "round(true)",
                "Evaluation Error: Error while evaluating a Function Call, 'round' parameter 'val' expects a Numeric value, got Boolean (line: 1, column: 1)",
            ),
        ]);
    }
}
