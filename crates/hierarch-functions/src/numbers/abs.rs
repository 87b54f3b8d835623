//! `abs`: a number without its sign.

use hierarch_pcore::value::number::{Number, read_number};

use crate::prelude::*;

/// See the module.
pub(super) static ABS: Function = Function {
    name: "abs",
    doc: "Returns the absolute value of a Numeric value. A String is converted first, which is deprecated.",
    dispatches: &[on(&["Numeric val"], of_number), on(&["String val"], of_string)],
    examples: &[
        Gives("abs(-3)", "3"),
        Gives("abs(-3.5)", "3.5"),
        Fails("abs([])", "'abs' parameter 'val' expects a value of type Numeric or String, got Array"),
    ],
};

fn of_number(call: &mut Call) -> Result<Value> {
    Ok(absolute(call.value(0)))
}

fn of_string(call: &mut Call) -> Result<Value> {
    call.warn("The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling, or use the Numeric type to convert");
    match read_number(call.str(0)) {
        Some(Number::Integer(number)) => Ok(absolute(&number.into())),
        Some(Number::Float(number)) => Ok(absolute(&number.into())),
        _ => Err(issues::argument("abs(): Requires float or integer to work with").into()),
    }
}

fn absolute(value: &Value) -> Value {
    match value {
        Value::Integer(number) => number.checked_abs().map_or_else(|| value.clone(), Value::from),
        Value::Float(number) => number.abs().into(),
        other => other.clone(),
    }
}
