//! `Float.new`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::{Constructor, cannot};
use crate::value::number::{Number, is_blank};
use crate::value::time::NANOS;
use crate::{Value, issues};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_float",
    locals: &[
        (
            "Convertible",
            r"Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]",
        ),
        ("NamedArgs", "Struct[{from => Convertible, Optional[abs] => Boolean}]"),
    ],
    dispatches: &[
        (&["Convertible from", "?Boolean abs"], from_arguments),
        (&["NamedArgs hash_args"], from_hash),
    ],
    complaints: &[(&["Any from", "?Boolean abs"], complain)],
    read: OnceLock::new(),
};

fn from_arguments(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let number = converted(&arguments[0])?;
    let wants_magnitude = arguments.get(1).and_then(Value::as_boolean) == Some(true);
    Ok(if wants_magnitude { number.abs() } else { number }.into())
}

fn from_hash(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    from_arguments(&named(&arguments[0]), host)
}

/// Returns `from` and `abs` of named arguments.
pub(super) fn named(arguments: &Value) -> [Value; 2] {
    let part = |name: &str, default: Value| {
        arguments.as_hash().and_then(|hash| hash.get_str(name)).cloned().unwrap_or(default)
    };
    [part("from", Value::Undef), part("abs", false.into())]
}

fn converted(value: &Value) -> Result<f64> {
    Ok(match value {
        Value::Float(number) => *number,
        Value::Integer(number) => *number as f64,
        Value::Boolean(truth) => f64::from(u8::from(*truth)),
        Value::Timestamp(time) => time.0 as f64 / NANOS as f64,
        Value::Timespan(time) => time.0 as f64 / NANOS as f64,
        other => {
            let text = other.as_str().unwrap_or_default();
            read(text).ok_or_else(|| issues::invalid_float(text))?
        }
    })
}

/// Reads a float; hexadecimal and binary integers are numbers too, a leading zero means nothing.
fn read(text: &str) -> Option<f64> {
    let (negative, body) = match text.strip_prefix(['+', '-']) {
        Some(body) => (text.starts_with('-'), body.trim_start_matches(is_blank)),
        None => (false, text),
    };
    let lead = body.get(..2).map(str::to_ascii_lowercase);
    let number = match lead.as_deref() {
        Some("0x" | "0b") => match super::integer::read(body, None)? {
            Number::Integer(number) => number as f64,
            _ => return None,
        },
        _ => body.parse().ok()?,
    };
    Some(if negative { -number } else { number })
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(cannot(&arguments[0], "Float"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn texts_numbers_and_booleans_become_floats() {
        for (code, expected) in [
            ("Float('1.5')", "1.5"),
            ("Float('1e3')", "1000.0"),
            ("Float('12')", "12.0"),
            ("Float('0x10')", "16.0"),
            ("Float('-1.5')", "-1.5"),
            ("Float('.5')", "'new_float' The string '.5' cannot be converted to Float"),
            ("Float('1.')", "'new_float' The string '1.' cannot be converted to Float"),
            ("Float(1)", "1.0"),
        ] {
            check_prints(code, expected);
        }
    }
}
