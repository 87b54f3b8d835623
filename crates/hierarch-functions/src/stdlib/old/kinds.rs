//! `is_array`, `is_bool`, `is_hash`, `is_string` and their like: kinds of values before there were types.

use crate::prelude::*;
use crate::ruby::{leading_float, leading_integer};
use hierarch_pcore::value::number::float_text;
use issues::stdlib::{bare_count, count};

/// Makes a function that tells something of its only argument; the number of arguments is checked as the release did.
macro_rules! predicate {
    ($symbol:ident, $name:literal, $body:ident, $doc:literal, [$($example:expr),+ $(,)?]) => {
        #[doc = concat!("The function `", $name, "`.")]
        pub(super) static $symbol: Function = Function {
            name: $name,
            doc: $doc,
            dispatches: &[legacy(-1, $body)],
            examples: &[$($example),+],
        };
    };
}

predicate!(
    IS_ARRAY,
    "is_array",
    is_array,
    "Tells whether a value is an Array.",
    [
        Gives("is_array([])", "true"),
        Fails("is_array()", "is_array(): Wrong number of arguments given (0 for 1)"),
    ]
);
predicate!(
    IS_BOOL,
    "is_bool",
    is_bool,
    "Tells whether a value is a Boolean.",
    [
        Gives("is_bool('true')", "false"),
        Fails("is_bool()", "is_bool(): Wrong number of arguments given (0 for 1)"),
    ]
);
predicate!(
    IS_HASH,
    "is_hash",
    is_hash,
    "Tells whether a value is a Hash.",
    [
        Gives("is_hash({})", "true"),
        Fails("is_hash()", "is_hash(): Wrong number of arguments given (0 for 1)"),
    ]
);
predicate!(
    IS_STRING,
    "is_string",
    is_string,
    "Tells whether a value is a String that is no number.",
    [
        Gives("is_string('a')", "true"),
        Gives("is_string('1')", "false"),
        Fails("is_string()", "is_string(): Wrong number of arguments given (0 for 1)"),
    ]
);
predicate!(
    IS_INTEGER,
    "is_integer",
    is_integer,
    "Tells whether a value is an Integer, or a String that is one.",
    [
        Gives("is_integer('-7')", "true"),
        Gives("is_integer('07')", "false"),
        Fails("is_integer()", "is_integer(): Wrong number of arguments given 0 for 1"),
    ]
);
predicate!(
    IS_NUMERIC,
    "is_numeric",
    is_numeric,
    "Tells whether a value is a number, or a String that is one.",
    [
        Gives("is_numeric('1.5e3')", "true"),
        Gives("is_numeric('0x1f')", "false"),
        Fails("is_numeric()", "is_numeric(): Wrong number of arguments given 0 for 1"),
    ]
);
predicate!(
    IS_FLOAT,
    "is_float",
    is_float,
    "Tells whether a value is a Float, or a String that is one.",
    [
        Gives("is_float('1.5')", "true"),
        Gives("is_float(1)", "false"),
        Fails("is_float()", "is_float(): Wrong number of arguments given 0 for 1"),
    ]
);

/// The function `is_absolute_path`.
pub(super) static IS_ABSOLUTE_PATH: Function = Function {
    name: "is_absolute_path",
    doc: "Tells whether a text is an absolute path of Unix or Windows.",
    dispatches: &[legacy(1, is_absolute_path)],
    examples: &[
        Gives("is_absolute_path('C:/x')", "true"),
        Gives("is_absolute_path('x')", "false"),
        Fails("is_absolute_path()", "is_absolute_path(): Wrong number of arguments given (0 for 1)"),
    ],
};

fn is_array(call: &mut Call) -> Result<Value> {
    at_least_one(call)?;
    Ok(call.value(0).as_array().is_some().into())
}

fn is_bool(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("is_bool", call.count(), "1").into());
    }
    Ok(call.value(0).as_boolean().is_some().into())
}

fn is_hash(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("is_hash", call.count(), "1").into());
    }
    Ok(call.value(0).as_hash().is_some().into())
}

fn is_string(call: &mut Call) -> Result<Value> {
    at_least_one(call)?;
    let is_number =
        |text: &str| text == float_text(leading_float(text)) || text == leading_integer(text).to_string();
    Ok(call.value(0).as_str().is_some_and(|text| !is_number(text)).into())
}

fn at_least_one(call: &Call) -> Result<()> {
    if call.count() == 0 { Err(count(call.name(), 0, "1").into()) } else { Ok(()) }
}

fn exactly_one<'c>(call: &'c Call) -> Result<&'c Value> {
    if call.count() == 1 { Ok(call.value(0)) } else { Err(bare_count(call.name(), call.count(), "1").into()) }
}

fn is_integer(call: &mut Call) -> Result<Value> {
    let pattern = call.pattern("^-?(?:(?:[1-9]\\d*)|0)$")?;
    Ok(match exactly_one(call)? {
        Value::Integer(_) => true,
        Value::String(text) => pattern.is_match(text)?,
        _ => false,
    }
    .into())
}

fn is_numeric(call: &mut Call) -> Result<Value> {
    let pattern = call.pattern("^-?(?:(?:[1-9]\\d*)|0)(?:\\.\\d+)?(?:[eE]-?\\d+)?$")?;
    Ok(match exactly_one(call)? {
        Value::Integer(_) | Value::Float(_) => true,
        Value::String(text) => pattern.is_match(text)?,
        _ => false,
    }
    .into())
}

fn is_float(call: &mut Call) -> Result<Value> {
    Ok(match exactly_one(call)? {
        Value::Float(_) => true,
        Value::String(text) => *text == float_text(leading_float(text)),
        _ => false,
    }
    .into())
}

fn is_absolute_path(call: &mut Call) -> Result<Value> {
    let path = call.take(0);
    Ok(is_absolute(call, &path)?.into())
}

/// Tells whether a value is the text of an absolute path.
pub(super) fn is_absolute(call: &mut Call, value: &Value) -> Result<bool> {
    let windows = call.pattern(
        "^(?:(?:[A-Za-z]:[\\\\/])|(?:[\\\\/]{2}[^\\\\/]+[\\\\/][^\\\\/]+)|(?:[\\\\/]{2}\\?[\\\\/][^\\\\/]+))",
    )?;
    let Some(text) = value.as_str() else {
        // Once for each of the two worlds.
        call.warn(issues::stdlib::no_path(value));
        call.warn(issues::stdlib::no_path(value));
        return Ok(false);
    };
    Ok(text.lines().any(|line| line.starts_with('/')) || windows.is_match(text)?)
}
