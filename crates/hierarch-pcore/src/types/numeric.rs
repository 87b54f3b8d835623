//! `Numeric`: integers and floats.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::float::named;
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost, cannot};
use crate::value::number::{Number, read_number};
use crate::{Value, issues};

/// The type of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumericType;

impl Rules for NumericType {
    fn name(&self) -> &'static str {
        "Numeric"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Numeric", parameters: "", what: "Integers and floats" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Integer(_) | Value::Float(_))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Numeric(_) | Kind::Integer(_) | Kind::Float(_))
    }
}

/// What `Numeric.new` and `Float.new` take: numbers, and texts in the notations of numbers.
macro_rules! number_like {
    ($numbers:literal) => {
        concat!(
            "Variant[",
            $numbers,
            r", Boolean, Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]"
        )
    };
}

pub(super) use number_like;

/// `Numeric.new`: an integer if it looks like one, else a float.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_numeric",
    locals: &[
        ("Convertible", number_like!("Integer, Float")),
        ("NamedArgs", "Struct[{from => Convertible, Optional[abs] => Boolean}]"),
    ],
    dispatches: &[
        (&["Convertible from", "?Boolean abs"], from_arguments),
        (&["NamedArgs hash_args"], from_hash),
    ],
    complaints: &[(&["Any from", "?Boolean abs"], complain)],
    read: OnceLock::new(),
};

fn from_arguments(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let number = converted(&arguments[0])?;
    if arguments.get(1).and_then(Value::as_boolean) != Some(true) {
        return Ok(number);
    }
    Ok(match number {
        Value::Integer(number) => number.checked_abs().ok_or_else(issues::integer_overflow)?.into(),
        Value::Float(number) => number.abs().into(),
        other => other,
    })
}

fn from_hash(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
    from_arguments(&named(&arguments[0]), host)
}

fn converted(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Integer(_) | Value::Float(_) => value.clone(),
        Value::Boolean(truth) => i64::from(*truth).into(),
        Value::Timestamp(time) => super::float::seconds(time.0).into(),
        Value::Timespan(time) => super::float::seconds(time.0).into(),
        other => {
            let text = other.as_str().unwrap_or_default();
            let binary = text.get(..2).is_some_and(|lead| lead.eq_ignore_ascii_case("0b"));
            match if binary { super::integer::read(text, None) } else { read_number(text) } {
                Some(Number::TooLarge) => return Err(issues::integer_overflow()),
                Some(number) => number.into(),
                None => Value::Undef,
            }
        }
    })
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(cannot(&arguments[0], "Numeric"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn a_number_is_an_integer_if_it_looks_like_one() {
        check_facts(&[
            ("Numeric(1)", "1"),
            ("Numeric(1.5)", "1.5"),
            ("Numeric('1')", "1"),
            ("Numeric('1.0')", "1.0"),
            ("Numeric('1e2')", "100.0"),
            ("Numeric('0x1f')", "31"),
            ("Numeric('0X1F')", "31"),
            ("Numeric('017')", "15"),
            ("Numeric('0b11')", "3"),
            ("Numeric('0B11')", "3"),
            ("Numeric('08')", "'new_numeric' The string '08' cannot be converted to Numeric"),
            ("Numeric('+5')", "5"),
            ("Numeric('- 5')", "-5"),
            ("Numeric(' 5')", "5"),
            ("Numeric('5 ')", "'new_numeric' The string '5 ' cannot be converted to Numeric"),
            ("Numeric('')", "'new_numeric' The string '' cannot be converted to Numeric"),
            ("Numeric('1 2')", "'new_numeric' The string '1 2' cannot be converted to Numeric"),
            ("Numeric(true)", "1"),
            ("Numeric(false)", "0"),
            ("Numeric(undef)", "'new_numeric' Value of type Undef cannot be converted to Numeric"),
            ("Numeric([1])", "'new_numeric' Value of type Array[Integer] cannot be converted to Numeric"),
            ("Numeric('-3', true)", "3"),
            ("Numeric(-2.5, true)", "2.5"),
            ("Numeric({from => '-7', abs => true})", "7"),
            ("Numeric({from => '7'})", "7"),
            ("Numeric(Timespan(2))", "2.0"),
            ("Numeric[1]", "Operator '[]' is not applicable to a Numeric-Type."),
        ]);
    }
}
