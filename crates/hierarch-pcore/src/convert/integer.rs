//! `Integer.new`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::{Constructor, cannot};
use crate::value::number::{Number, is_blank, read_radix};
use crate::{Value, issues, mismatch};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new",
    locals: &[
        ("Radix", "Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]"),
        (
            "Convertible",
            r"Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]",
        ),
        ("NamedArgs", "Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]"),
    ],
    dispatches: &[
        (&["Convertible from", "?Radix radix", "?Boolean abs"], from_arguments),
        (&["NamedArgs hash_args"], from_hash),
    ],
    complaints: &[
        (&["Hash hash_args"], complain_hash),
        (&["Any from", "?Integer radix", "?Boolean abs"], complain),
    ],
    read: OnceLock::new(),
};

fn from_arguments(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let radix = arguments.get(1).and_then(Value::as_integer);
    let number = converted(&arguments[0], radix)?;
    let wants_magnitude = arguments.get(2).and_then(Value::as_boolean) == Some(true);
    Ok(if wants_magnitude { number.checked_abs().ok_or_else(issues::integer_overflow)? } else { number }
        .into())
}

fn from_hash(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    let part = |name: &str, default: Value| {
        arguments[0].as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or(default)
    };
    from_arguments(
        &[part("from", Value::Undef), part("radix", Value::Default), part("abs", false.into())],
        host,
    )
}

fn converted(value: &Value, radix: Option<i64>) -> Result<i64> {
    Ok(match value {
        Value::Integer(number) => *number,
        Value::Float(number) => truncated(*number)?,
        Value::Boolean(truth) => i64::from(*truth),
        Value::Timestamp(time) => i64::try_from(time.seconds()).map_err(|_| issues::integer_overflow())?,
        Value::Timespan(time) => i64::try_from(time.seconds()).map_err(|_| issues::integer_overflow())?,
        other => {
            let text = other.as_str().unwrap_or_default();
            match read(text, radix) {
                Some(Number::Integer(number)) => number,
                Some(_) => return Err(issues::integer_overflow()),
                None => return Err(issues::invalid_integer(text)),
            }
        }
    })
}

fn truncated(number: f64) -> Result<i64> {
    if !number.is_finite() {
        return Err(issues::no_integer(&crate::value::number::float_text(number)));
    }
    let whole = number.trunc();
    // The bounds are exact: both are powers of two.
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole) {
        Ok(whole as i64)
    } else {
        Err(issues::integer_overflow())
    }
}

/// Reads an integer as Ruby's `Integer()` does; blanks may stand between sign and digits.
pub(super) fn read(text: &str, radix: Option<i64>) -> Option<Number> {
    let text = text.trim_start();
    let (sign, body) = match text.strip_prefix(['+', '-']) {
        Some(body) => (&text[..1], body.trim_start_matches(is_blank)),
        None => ("", text),
    };
    let (own, digits) = match body.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") if radix.is_none_or(|radix| radix == 16) => (16, &body[2..]),
        Some("0b") if radix.is_none_or(|radix| radix == 2) => (2, &body[2..]),
        Some(lead) if lead.starts_with('0') && radix.is_none_or(|radix| radix == 8) => (8, &body[1..]),
        _ => (radix.unwrap_or(10), body),
    };
    if radix.is_some_and(|radix| radix != own) {
        return None;
    }
    match read_radix(digits, own as u32)? {
        Number::Integer(number) if sign == "-" => Some(Number::Integer(-number)),
        other => Some(other),
    }
}

fn complain(arguments: &[Value]) -> Result<String> {
    if let Some(radix) = arguments.get(1).and_then(Value::as_integer) {
        check_radix(radix)?;
    }
    Ok(cannot(&arguments[0], "Integer"))
}

fn check_radix(radix: i64) -> Result<()> {
    if matches!(radix, 2 | 8 | 10 | 16) { Ok(()) } else { Err(issues::bad_radix(radix)) }
}

fn complain_hash(arguments: &[Value]) -> Result<String> {
    let hash = arguments[0].as_hash().cloned().unwrap_or_default();
    if let Some(from) = hash.get_str("from")
        && !CONSTRUCTOR.local("convertible").has(from)
    {
        return complain(std::slice::from_ref(from));
    }
    if let Some(radix) = hash.get_str("radix").and_then(Value::as_integer) {
        check_radix(radix)?;
    }
    let wanted = CONSTRUCTOR.local("namedargs");
    Err(issues::converted_mismatch(&mismatch::describe_value(
        "Integer.new has wrong type,",
        &wanted,
        &arguments[0],
    )))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn texts_numbers_and_booleans_become_integers() {
        for (code, expected) in [
            ("Integer('12')", "12"),
            ("Integer('+12')", "12"),
            ("Integer('0x1F')", "31"),
            ("Integer('017')", "15"),
            ("Integer('08')", "invalid value for Integer(): \"08\""),
            ("Integer('0xff',16)", "255"),
            ("Integer('0b101',2)", "5"),
            ("Integer('z',36)", "Illegal radix: 36, expected 2, 8, 10, 16, or default"),
            ("Integer('1_000')", "'new' The string '1_000' cannot be converted to Integer"),
            ("Integer('')", "'new' The string '' cannot be converted to Integer"),
            ("Integer(1.9)", "1"),
            ("Integer(true)", "1"),
            ("Integer(undef)", "'new' Value of type Undef cannot be converted to Integer"),
            ("Integer(['12'])", "'new' Value of type Array[String] cannot be converted to Integer"),
        ] {
            check_prints(code, expected);
        }
    }
}
