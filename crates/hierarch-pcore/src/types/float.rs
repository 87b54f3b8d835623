//! `Float[min, max]`.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, KeyError, Keyed, flattened};
use super::guide::Guide;
use super::numeric::number_like;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost, cannot};
use crate::value::number::{Number, float_text, is_blank};
use crate::value::time::NANOS;
use crate::{Value, issues, ruby_class};

/// A range of floats, both ends included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatType {
    /// The least; minus infinity: no lower bound.
    pub min: f64,
    /// The greatest; infinity: no upper bound.
    pub max: f64,
}

impl FloatType {
    /// All floats.
    pub const UNBOUNDED: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY };

    /// Makes a range.
    pub const fn from_to(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    /// Returns the smallest range that covers both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns one range for both if they overlap.
    pub fn merge(self, other: Self) -> Option<Self> {
        (!(self.max < other.min || other.max < self.min)).then(|| self.hull(other))
    }
}

impl Eq for FloatType {}

impl Hash for FloatType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ((self.min + 0.0).to_bits(), (self.max + 0.0).to_bits()).hash(state);
    }
}

impl Rules for FloatType {
    fn name(&self) -> &'static str {
        "Float"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Float", parameters: "min[, max]", what: "Numbers with a fraction" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 2, words: "1 or 2" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        let min = if self.min == f64::NEG_INFINITY { Value::Default } else { Value::from(self.min) };
        match (&min, self.max == f64::INFINITY) {
            (Value::Default, true) => Vec::new(),
            (_, true) => vec![min],
            (_, false) => vec![min, Value::from(self.max)],
        }
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Float(number) if (self.min..=self.max).contains(number))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Float(other) if self.min <= other.min && self.max >= other.max)
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::float())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        if !(1..=2).contains(&keys.len()) {
            return Err(KeyError::whole(issues::integer_slice_arity("Float", keys.len())));
        }
        for (index, key) in keys.iter().enumerate() {
            if !matches!(key, Value::Integer(_) | Value::Float(_) | Value::Default) {
                return Err(KeyError::key(index, issues::float_slice_type(ruby_class(key))));
            }
        }
        let min = keys[0].as_number().unwrap_or(f64::NEG_INFINITY);
        let max = keys.get(1).and_then(Value::as_number).unwrap_or(f64::INFINITY);
        if min > max {
            return Err(issues::range_order(&float_text(min), &float_text(max)).into());
        }
        Ok(Type::from(Self { min, max }).into())
    }
}

/// `Float.new`.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_float",
    locals: &[
        ("Convertible", number_like!("Numeric")),
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
    let wants_magnitude = arguments.get(1).and_then(Value::as_boolean) == Some(true);
    Ok(if wants_magnitude { number.abs() } else { number }.into())
}

fn from_hash(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
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
        Value::Timestamp(time) => seconds(time.0),
        Value::Timespan(time) => seconds(time.0),
        other => {
            let text = other.as_str().unwrap_or_default();
            read(text).ok_or_else(|| issues::invalid_float(text))?
        }
    })
}

/// Returns seconds as the nearest number: what nanoseconds lose on the way to a float must not be seen behind the comma.
pub(super) fn seconds(nanos: i128) -> f64 {
    let (whole, rest) = (nanos / NANOS, nanos % NANOS);
    let sign = if nanos < 0 { "-" } else { "" };
    let text = format!("{sign}{}.{:09}", whole.unsigned_abs(), rest.unsigned_abs());
    text.parse().unwrap_or(whole as f64)
}

/// Reads a float; hexadecimal and binary integers are numbers too, a leading zero means nothing.
fn read(text: &str) -> Option<f64> {
    let (negative, body) = match text.strip_prefix(['+', '-']) {
        Some(body) => (text.starts_with('-'), body.trim_start_matches(is_blank)),
        // Blanks may stand before a number without a sign, too.
        None => (false, text.trim_ascii_start()),
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
    use crate::testing::check_facts;
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

    #[test]
    fn floats_of_texts_and_numbers() {
        check_facts(&[
            ("Float[1]", "Float[1.0]"),
            ("Float[1.5, 2]", "Float[1.5, 2.0]"),
            ("Float[2, 1]", "'from' must be less or equal to 'to'. Got (2.0, 1.0"),
            (
                "Float[a]",
                "Float-Type [] requires all arguments to be floats, or integers (or default). Got String",
            ),
            ("Float[1, 2, 3]", "Float-Type supports [] with one or two arguments (from, to). Got 3"),
            ("Float[default, 2]", "Float[default, 2.0]"),
            ("Float(1)", "1.0"),
            ("Float('1')", "1.0"),
            ("Float('1.5')", "1.5"),
            ("Float('-1.5e3')", "-1500.0"),
            ("Float('1e-3')", "0.001"),
            ("Float('0x10')", "16.0"),
            ("Float('010')", "10.0"),
            ("Float('0b11')", "3.0"),
            ("Float('1.')", "'new_float' The string '1.' cannot be converted to Float"),
            ("Float('.5')", "'new_float' The string '.5' cannot be converted to Float"),
            ("Float('1_000.5')", "'new_float' The string '1_000.5' cannot be converted to Float"),
            ("Float('- 1.5')", "-1.5"),
            ("Float('')", "'new_float' The string '' cannot be converted to Float"),
            ("Float('x')", "'new_float' The string 'x' cannot be converted to Float"),
            ("Float(true)", "1.0"),
            ("Float(undef)", "'new_float' Value of type Undef cannot be converted to Float"),
            ("Float(-1.5, true)", "1.5"),
            ("Float({from => '-2', abs => true})", "2.0"),
            (
                "Float({from => 'x'})",
                "'new_float' Value of type Hash[String, String] cannot be converted to Float",
            ),
            ("Float(Timespan(1.5))", "1.5"),
            ("Float(Timestamp(1.5))", "1.5"),
            (
                "Float[0.0, 1.0].new('2')",
                "Converted value from Float[0.0, 1.0].new() has wrong type, expects a Float[0.0, 1.0] value, got Float[2.0, 2.0]",
            ),
        ]);
    }
}
