//! Numbers in texts.

use num_bigint::BigInt;
use num_traits::Num;

use super::super::prelude::*;
use super::chars;

pub(super) static METHODS: &[Builtin] = &[
    m("to_i", 0, 1, to_i).gives(&[
        "' 12abc'.to_i => 12",
        "'ff'.to_i(16) => 255",
        "'x'.to_i => 0",
        "'1_000'.to_i => 1000",
    ]),
    m("to_f", 0, 0, |_, me, _| Ok(Value::Float(leading_float(&chars(me)))))
        .gives(&["'1.5x'.to_f => 1.5", "'.5'.to_f => 0.5"]),
    m("to_r", 0, 0, |vm, me, _| {
        let (top, bottom) = leading_rational(&chars(me)).unwrap_or((0.into(), 1.into()));
        vm.rational(top, bottom)
    })
    .gives(&["'3/4'.to_r => (3/4)"]),
    m("to_c", 0, 0, |vm, _, _| Err(vm.unsupported("Complex"))),
    m("hex", 0, 0, |vm, me, _| counted_integer(vm, &chars(me), 16))
        .gives(&["'ff'.hex => 255", "'0x1f'.hex => 31"]),
    m("oct", 0, 0, oct).gives(&["'17'.oct => 15", "'0x1f'.oct => 31"]),
];

/// Reads as much of a text as is an integer.
fn leading_integer(text: &str, base: u32) -> BigInt {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefix: &[&str] = match base {
        16 => &["0x", "0X"],
        8 => &["0o", "0O"],
        2 => &["0b", "0B"],
        10 => &["0d", "0D"],
        _ => &[],
    };
    let rest = prefix.iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest);
    let mut digits = String::new();
    let mut was_underscore = true;
    for c in rest.chars() {
        if c.is_digit(base) {
            digits.push(c);
            was_underscore = false;
        } else if c == '_' && !was_underscore {
            was_underscore = true;
        } else {
            break;
        }
    }
    let number = BigInt::from_str_radix(&digits, base).unwrap_or_default();
    if negative { -number } else { number }
}

/// Reads as much of a text as is an integer, and counts what that costs.
fn counted_integer(vm: &mut Vm<'_>, text: &str, base: u32) -> Res {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
    let digits = text.trim_start().chars().take_while(|c| is_part(*c)).count();
    vm.count_digits(digits, base)?;
    Ok(leading_integer(text, base).into())
}

fn to_i(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let base = if args.is_empty() { 10 } else { args.int(vm, 0)? };
    if base < 0 || base == 1 || base > 36 {
        return Err(vm.raise("ArgumentError", format!("invalid radix {base}")));
    }
    if base == 0 {
        return prefixed(vm, me, 10);
    }
    counted_integer(vm, &chars(me), base as u32)
}

fn oct(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    prefixed(vm, me, 8)
}

/// Reads an integer whose prefix tells its base; without one, in the given base.
fn prefixed(vm: &mut Vm<'_>, me: &Value, otherwise: u32) -> Res {
    let text = chars(me);
    let digits = text.trim_start().trim_start_matches(['-', '+']).to_ascii_lowercase();
    let known = [("0x", 16), ("0b", 2), ("0d", 10), ("0", 8)];
    let found = known.iter().find(|(prefix, _)| digits.starts_with(prefix));
    let base = found.map_or(otherwise, |(_, base)| *base);
    counted_integer(vm, &text, base)
}

/// Returns the digits at the beginning, single underscores between them included.
fn leading_digits(text: &str) -> &str {
    let bytes = text.as_bytes();
    let is_digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    let is_part = |place: usize| {
        is_digit(place) || (bytes[place] == b'_' && place > 0 && is_digit(place - 1) && is_digit(place + 1))
    };
    let end = (0..bytes.len()).find(|place| !is_part(*place)).unwrap_or(bytes.len());
    &text[..end]
}

/// Reads as much of a text as is a number.
fn leading_float(text: &str) -> f64 {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let sign = usize::from(text.starts_with(['+', '-']));
    let whole = leading_digits(&text[sign..]);
    let mut end = sign + whole.len();
    if let Some(fraction) =
        text[end..].strip_prefix('.').map(leading_digits).filter(|digits| !digits.is_empty())
    {
        end += 1 + fraction.len();
    } else if whole.is_empty() {
        return 0.0;
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let digits = leading_digits(&exponent[sign..]);
        end += if digits.is_empty() { 0 } else { 1 + sign + digits.len() };
    }
    text[..end].replace('_', "").parse().unwrap_or(0.0)
}

/// Reads the fraction at the beginning of a text.
fn leading_rational(text: &str) -> Option<(BigInt, BigInt)> {
    let text = text.trim_start();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '/' | '-' | '+' | '_' | 'e' | 'E');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len()).min(LONGEST);
    (1..=end).rev().find_map(|end| read_rational(&text[..end]))
}

/// As many characters of a number are read: more would take longer than anybody waits.
const LONGEST: usize = 4_000;
/// An exponent beyond this is not read, for the same reason.
const GREATEST: u32 = 100_000;

/// Reads a text that is a fraction or a decimal number.
pub(in crate::core) fn read_rational(text: &str) -> Option<(BigInt, BigInt)> {
    let (top, bottom) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    if bottom.starts_with(['+', '-']) {
        return None;
    }
    let ((a, b), (c, d)) = (read_decimal(top)?, read_decimal(bottom)?);
    Some((a * d, b * c))
}

/// Reads digits with a point and an exponent.
fn read_decimal(text: &str) -> Option<(BigInt, BigInt)> {
    if text.contains("__") || text.starts_with('_') || text.ends_with('_') {
        return None;
    }
    let plain = text.replace('_', "");
    let (number, exponent) = match plain.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (plain.as_str(), 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    if shift.unsigned_abs() > GREATEST {
        return None;
    }
    let power = BigInt::from(10).pow(shift.unsigned_abs());
    Some(if shift < 0 { (digits, power) } else { (digits * power, 1.into()) })
}
