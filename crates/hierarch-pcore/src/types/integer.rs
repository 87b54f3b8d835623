//! `Integer[min, max]`, which also states the sizes of other types.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::build::{Arity, KeyError, Keyed};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost, cannot};
use crate::value::number::{Number, is_blank, read_radix};
use crate::{Value, issues, mismatch, ruby_class};

/// A range of integers, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegerType {
    /// The least; none: no lower bound.
    pub min: Option<i64>,
    /// The greatest; none: no upper bound.
    pub max: Option<i64>,
}

impl IntegerType {
    /// All integers.
    pub const UNBOUNDED: Self = Self { min: None, max: None };
    /// All sizes.
    pub const ANY_SIZE: Self = Self { min: Some(0), max: None };

    /// Makes a range.
    pub const fn from_to(min: Option<i64>, max: Option<i64>) -> Self {
        Self { min, max }
    }

    /// Makes the range of one number.
    pub fn exactly(number: usize) -> Self {
        let number = i64::try_from(number).ok();
        Self { min: number, max: number }
    }

    /// Makes a range of values such as `1`, `default`; fails if it ends before it starts.
    pub fn of_bounds(min: &Value, max: Option<&Value>) -> hierarch_source::Result<Self> {
        let range = Self { min: min.as_integer(), max: max.and_then(Value::as_integer) };
        match (range.min, range.max) {
            (Some(min), Some(max)) if min > max => {
                Err(issues::range_order(&min.to_string(), &max.to_string()))
            }
            _ => Ok(range),
        }
    }

    /// Tells whether a number is in the range.
    pub fn contains(self, number: i64) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }

    /// Tells whether a count is in the range.
    pub fn contains_size(self, count: usize) -> bool {
        i64::try_from(count).is_ok_and(|count| self.contains(count))
    }

    /// Tells whether another range lies within this one.
    pub fn covers(self, other: Self) -> bool {
        let low = match (self.min, other.min) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a <= b,
        };
        let high = match (self.max, other.max) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a >= b,
        };
        low && high
    }

    /// Returns the range as a size: negative bounds become zero.
    #[must_use]
    pub fn as_size(self) -> Self {
        match self.min {
            Some(min) if min >= 0 => self,
            _ => Self { min: Some(0), max: self.max.map(|max| max.max(0)) },
        }
    }

    /// Tells whether only the empty collection has this size.
    pub fn is_zero(self) -> bool {
        self.min == Some(0) && self.max == Some(0)
    }

    /// Tells whether both ends are bounded.
    pub fn is_finite(self) -> bool {
        self.min.is_some() && self.max.is_some()
    }

    /// Returns the smallest range that covers both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Returns one range for both if they overlap or touch.
    pub fn merge(self, other: Self) -> Option<Self> {
        let before =
            |a: Self, b: Self| a.max.zip(b.min).is_some_and(|(end, start)| end.saturating_add(1) < start);
        (!before(self, other) && !before(other, self)).then(|| self.hull(other))
    }

    /// Returns the bounds as they are printed: nothing for the whole range.
    pub fn bounds(self) -> Vec<Value> {
        match (self.min, self.max) {
            (None, None) => Vec::new(),
            (min, None) => vec![min.map_or(Value::Default, Value::from)],
            (min, Some(max)) => vec![min.map_or(Value::Default, Value::from), Value::from(max)],
        }
    }
}

impl Rules for IntegerType {
    fn name(&self) -> &'static str {
        "Integer"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Integer", parameters: "min[, max]", what: "Whole numbers of 64 bits" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 2, words: "1 or 2" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.bounds()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        matches!(value, Value::Integer(number) if self.contains(*number))
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Integer(other) if self.covers(*other))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::integer())
    }

    fn element(&self) -> Option<Type> {
        Some(Type::integer())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = super::build::flattened(keys);
        if !(1..=2).contains(&keys.len()) {
            return Err(KeyError::whole(issues::integer_slice_arity("Integer", keys.len())));
        }
        for (index, key) in keys.iter().enumerate() {
            if !matches!(key, Value::Integer(_) | Value::Default) {
                return Err(KeyError::key(index, issues::integer_slice_type(ruby_class(key))));
            }
        }
        Ok(Type::from(Self::of_bounds(&keys[0], keys.get(1))?).into())
    }
}

/// `Integer.new`.
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

fn from_arguments(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let radix = arguments.get(1).and_then(Value::as_integer);
    let number = converted(&arguments[0], radix)?;
    let wants_magnitude = arguments.get(2).and_then(Value::as_boolean) == Some(true);
    Ok(if wants_magnitude { number.checked_abs().ok_or_else(issues::integer_overflow)? } else { number }
        .into())
}

fn from_hash(arguments: &[Value], host: &dyn ConversionHost) -> Result<Value> {
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
    use super::*;
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    fn range(min: i64, max: i64) -> IntegerType {
        IntegerType::from_to(Some(min), Some(max))
    }

    #[test]
    fn ranges_merge_when_they_touch() {
        assert_eq!(range(1, 2).merge(range(3, 4)), Some(range(1, 4)));
        assert_eq!(range(1, 2).merge(range(4, 5)), None);
        assert_eq!(range(1, 2).merge(IntegerType::UNBOUNDED), Some(IntegerType::UNBOUNDED));
    }

    #[test]
    fn sizes_are_not_negative() {
        assert_eq!(range(-3, -1).as_size(), range(0, 0));
        assert_eq!(IntegerType::UNBOUNDED.as_size(), IntegerType::ANY_SIZE);
    }

    #[test]
    fn a_range_has_what_lies_within() {
        check_has("Integer[1, 5]", &["1", "5"], &["0", "6", "3.0", "'3'", "undef"]);
        check_accepts(
            "Integer[1, 5]",
            &["Integer[2, 3]", "Integer[1, 5]"],
            &["Integer", "Integer[0, 3]", "Float[1, 5]"],
        );
    }

    #[test]
    fn bounds_print_as_they_are_given() {
        for (text, expected) in [
            ("Integer[default, 5]", "Integer[default, 5]"),
            ("Integer[5]", "Integer[5]"),
            ("Integer[default]", "Integer"),
            ("Integer[5, 1]", "'from' must be less or equal to 'to'. Got (5, 1"),
            ("Integer[a]", "Integer-Type [] requires all arguments to be integers (or default). Got String"),
            ("Integer[1, 2, 3]", "Integer-Type supports [] with one or two arguments (from, to). Got 3"),
        ] {
            check_prints(text, expected);
        }
    }

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

    #[test]
    fn integers_by_radix_and_magnitude() {
        check_facts(&[
            ("Integer('10', 2)", "2"),
            ("Integer('0b10', 2)", "2"),
            ("Integer('0B10', 2)", "2"),
            ("Integer('0x10', 2)", r#"invalid value for Integer(): "0x10""#),
            ("Integer('012', 8)", "10"),
            ("Integer('0o12', 8)", "'new' The string '0o12' cannot be converted to Integer"),
            ("Integer('12', 8)", "10"),
            ("Integer('9', 8)", r#"invalid value for Integer(): "9""#),
            ("Integer('ff', 16)", "'new' The string 'ff' cannot be converted to Integer"),
            ("Integer('0xFF', 16)", "255"),
            ("Integer('-0xff', 16)", "-255"),
            ("Integer('+ 0xff', 16)", "255"),
            ("Integer('0b1', 16)", "177"),
            ("Integer('10', 10)", "10"),
            ("Integer('010', 10)", "10"),
            ("Integer('0x10', 10)", r#"invalid value for Integer(): "0x10""#),
            ("Integer('10', default)", "10"),
            (
                "Integer('10', undef)",
                "The function 'new' was called with arguments it does not accept. It expects one of:\n  (Convertible = Variant[Numeric, Boolean, Pattern[/\\A[+-]?\\s*(?:(?:\\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\\z/], Timespan, Timestamp] from, Radix = Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]] radix?, Boolean abs?)\n    rejected: parameter 'radix' expects a Radix = Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]] value, got Undef\n  (NamedArgs = Struct[{'from' => Convertible = Variant[Numeric, Boolean, Pattern[/\\A[+-]?\\s*(?:(?:\\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\\z/], Timespan, Timestamp], Optional['radix'] => Radix = Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]], Optional['abs'] => Boolean}] hash_args)\n    rejected: expects 1 argument, got 2",
            ),
            ("Integer('10', 7)", "Illegal radix: 7, expected 2, 8, 10, 16, or default"),
            ("Integer(-3, default, true)", "3"),
            ("Integer('-3', 10, true)", "3"),
            ("Integer({from => '-11', radix => 2, abs => true})", "3"),
            ("Integer({from => '7', odd => 1})", "Integer.new has wrong type, unrecognized key 'odd'"),
            ("Integer(2.99)", "2"),
            ("Integer(-2.99)", "-2"),
            ("Integer('9223372036854775807')", "9223372036854775807"),
            ("Integer('1.5')", "'new' The string '1.5' cannot be converted to Integer"),
            ("Integer('1e3')", "'new' The string '1e3' cannot be converted to Integer"),
            ("Integer(Timespan(90.9))", "90"),
            ("Integer(Timestamp(90.9))", "90"),
            (
                "Integer[0].new(-1)",
                "Converted value from Integer[0].new() has wrong type, expects an Integer[0] value, got Integer[-1, -1]",
            ),
            ("Integer('')", "'new' The string '' cannot be converted to Integer"),
            ("Integer(false)", "0"),
            ("Integer(' 12')", "12"),
            ("Integer('12 ')", "'new' The string '12 ' cannot be converted to Integer"),
            ("Integer('1 2')", "'new' The string '1 2' cannot be converted to Integer"),
        ]);
    }
}
