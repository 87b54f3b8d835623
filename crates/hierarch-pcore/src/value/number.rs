//! Numbers as text, as Ruby writes and Puppet reads them.

pub use hierarch_syntax::float_text;
/// Room for the digits of an integer.
pub use itoa::Buffer as Digits;

/// Returns the integer part of a float, unless it is beyond 128 bits.
pub fn whole(number: f64) -> Option<i128> {
    // Both bounds are powers of two, and so exact.
    let bound = 2f64.powi(127);
    (number >= -bound && number < bound).then_some(number as i128)
}

/// Writes an integer behind a text. Programs do so in every loop, and formatting would cost several times as much.
///
/// ```
/// use hierarch_pcore::value::number::push_integer;
///
/// let mut text = "n".to_owned();
/// push_integer(&mut text, -120);
/// assert_eq!(text, "n-120");
/// ```
pub fn push_integer(text: &mut String, number: i64) {
    text.push_str(Digits::new().format(number));
}

/// A number read from text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// An integer that does not fit 64 bits.
    TooLarge,
}

impl From<Number> for super::Value {
    fn from(number: Number) -> Self {
        match number {
            Number::Integer(number) => Self::Integer(number),
            Number::Float(number) => Self::Float(number),
            Number::TooLarge => Self::Undef,
        }
    }
}

/// Reads a text as arithmetic does: blanks around, a sign, then decimal, octal, hexadecimal or float.
///
/// ```
/// use hierarch_pcore::value::number::{Number, read_number};
///
/// assert_eq!(read_number(" - 0x1F "), Some(Number::Integer(-31)));
/// assert_eq!(read_number("1.5e-2"), Some(Number::Float(0.015)));
/// assert_eq!(read_number("1."), None);
/// ```
pub fn read_number(text: &str) -> Option<Number> {
    let text = text.trim_matches(is_blank);
    let (negative, text) = split_sign(text);
    let text = text.trim_start_matches(is_blank);
    read_unsigned(text).map(|number| if negative { negate(number) } else { number })
}

/// Tells whether a character is one of the blanks of Ruby's `[[:blank:]]`.
pub fn is_blank(c: char) -> bool {
    c == '\t' || (c.is_whitespace() && !c.is_control() && c != '\u{2028}' && c != '\u{2029}')
}

/// Splits off a leading `+` or `-`; the first part is true for `-`.
pub fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// Changes the sign of a number.
pub fn negate(number: Number) -> Number {
    match number {
        Number::Integer(number) => number.checked_neg().map_or(Number::TooLarge, Number::Integer),
        Number::Float(number) => Number::Float(-number),
        Number::TooLarge => Number::TooLarge,
    }
}

fn read_unsigned(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return read_radix(digits, 16);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    if digits == text.len() {
        let octal = text.len() > 1 && text.starts_with('0');
        return read_radix(text, if octal { 8 } else { 10 });
    }
    is_float_tail(&text[digits..]).then(|| text.parse().ok().map(Number::Float)).flatten()
}

/// Reads digits of a radix, nothing else.
pub fn read_radix(digits: &str, radix: u32) -> Option<Number> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some(i64::from_str_radix(digits, radix).map_or(Number::TooLarge, Number::Integer))
}

/// Tells whether what follows the integer digits is `.digits`, `e-digits` or both.
pub fn is_float_tail(tail: &str) -> bool {
    let tail = match tail.strip_prefix('.') {
        Some(fraction) => {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        None => tail,
    };
    tail.is_empty() || is_exponent(tail)
}

fn is_exponent(tail: &str) -> bool {
    let Some(digits) = tail.strip_prefix(['e', 'E']) else { return false };
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_written_as_formatting_writes_them() {
        for number in [0, 7, -7, 10, 99, 100, i64::MAX, i64::MIN, i64::MIN + 1, 1_000_000_007] {
            let mut text = String::new();
            push_integer(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }

    #[test]
    fn floats_print_as_ruby_prints_them() {
        for (number, expected) in [
            (1.5, "1.5"),
            (1e20, "1.0e+20"),
            (1e15, "1.0e+15"),
            (999_999_999_999_999.0, "999999999999999.0"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (1e14, "100000000000000.0"),
            (0.0001, "0.0001"),
            (1e-5, "1.0e-05"),
            (-0.0, "-0.0"),
            (5e-324, "5.0e-324"),
            (1e100, "1.0e+100"),
            (f64::INFINITY, "Infinity"),
        ] {
            assert_eq!(float_text(number), expected);
        }
    }

    #[test]
    fn numeric_texts_read_as_numbers() {
        for (text, expected) in [
            ("12", Some(Number::Integer(12))),
            (" -12 ", Some(Number::Integer(-12))),
            ("- 12", Some(Number::Integer(-12))),
            ("017", Some(Number::Integer(15))),
            ("0", Some(Number::Integer(0))),
            ("0x1f", Some(Number::Integer(31))),
            ("1e3", Some(Number::Float(1000.0))),
            ("99999999999999999999", Some(Number::TooLarge)),
            ("08", None),
            ("1.", None),
            (".5", None),
            ("1e+3", None),
            ("", None),
            ("1_000", None),
        ] {
            assert_eq!(read_number(text), expected, "{text}");
        }
    }
}
