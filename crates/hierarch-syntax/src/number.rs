//! Number literals: their values, and Ruby's way of printing them.

use hierarch_bits::decimal;
use hierarch_source::Result;

use crate::issues;

/// The value of a number literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    Integer {
        value: i64,
        radix: u8,
    },
    /// An integer beyond 64 bits.
    TooLarge {
        radix: u8,
    },
    Float(f64),
}

/// Reads the text of a number token, which the lexer has found well-formed.
pub(crate) fn read_number(text: &str) -> Result<Number> {
    let (digits, radix) = digits_of(text);
    if radix == 10 && text.contains(['.', 'e', 'E']) {
        let value: f64 = text.parse().unwrap_or(f64::INFINITY);
        return if value.is_finite() {
            Ok(Number::Float(value))
        } else {
            Err(issues::float_out_of_range(text))
        };
    }
    match i64::from_str_radix(digits, u32::from(radix)) {
        Ok(value) => Ok(Number::Integer { value, radix }),
        Err(_) if digits.len() > LONGEST_INTEGER => Err(issues::integer_too_long(digits.len())),
        Err(_) => Ok(Number::TooLarge { radix }),
    }
}

/// Longer integers are refused outright: writing them in another radix takes time that grows with the square.
const LONGEST_INTEGER: usize = 10_000;

fn digits_of(text: &str) -> (&str, u8) {
    if let Some(hexadecimal) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return (hexadecimal, 16);
    }
    match text.strip_prefix('0') {
        Some(octal) if !octal.is_empty() && !octal.starts_with('.') => (octal, 8),
        _ => (text, 10),
    }
}

/// Writes an integer literal of any length in another radix.
pub fn in_radix(literal: &str, to: u32) -> String {
    let (digits, from) = digits_of(literal);
    let mut limbs: Vec<u32> = Vec::new();
    for digit in digits.chars().filter_map(|digit| digit.to_digit(u32::from(from))) {
        multiply_add(&mut limbs, u32::from(from), digit);
    }
    let mut out = Vec::new();
    while !limbs.is_empty() {
        out.push(divide(&mut limbs, to));
    }
    let text: String = out.iter().rev().filter_map(|&digit| char::from_digit(digit, to)).collect();
    if text.is_empty() { "0".to_owned() } else { text }
}

fn multiply_add(limbs: &mut Vec<u32>, factor: u32, add: u32) {
    let mut carry = u64::from(add);
    for limb in limbs.iter_mut() {
        let value = u64::from(*limb) * u64::from(factor) + carry;
        *limb = value as u32;
        carry = value >> 32;
    }
    if carry > 0 {
        limbs.push(carry as u32);
    }
}

fn divide(limbs: &mut Vec<u32>, divisor: u32) -> u32 {
    let mut rest = 0u64;
    for limb in limbs.iter_mut().rev() {
        let value = rest << 32 | u64::from(*limb);
        *limb = (value / u64::from(divisor)) as u32;
        rest = value % u64::from(divisor);
    }
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    rest as u32
}

/// Prints a float as Ruby does: shortest round trip, with an exponent below `1e-4` and from `1e15` on.
///
/// ```
/// use hierarch_syntax::float_text;
/// assert_eq!(float_text(1.5), "1.5");
/// assert_eq!(float_text(1e15), "1.0e+15");
/// assert_eq!(float_text(0.00001), "1.0e-05");
/// ```
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0" } else { "0.0" }.to_owned();
    }
    let scientific = decimal::scientific(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Digits behind the point, where there are any, keep a number of sixteen digits before it as it is.
    let has_fraction = exponent == 15 && mantissa.trim_start_matches('-').len() > 17;
    if (-4..15).contains(&exponent) || has_fraction {
        let plain = decimal::plain(value);
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use hierarch_bits::dice::Dice;

    use super::*;

    #[test]
    fn literals_have_values_and_radixes() {
        let integer = |value, radix| Number::Integer { value, radix };
        for (text, number) in [
            ("0", integer(0, 10)),
            ("007", integer(7, 8)),
            ("0x1F", integer(31, 16)),
            ("9223372036854775807", integer(i64::MAX, 10)),
            ("9223372036854775808", Number::TooLarge { radix: 10 }),
            ("0.5", Number::Float(0.5)),
            ("3e5", Number::Float(300_000.0)),
            ("0xe", integer(14, 16)),
        ] {
            assert_eq!(read_number(text).expect(text), number, "{text}");
        }
        assert_eq!(read_number("1e309").expect_err("infinite").code, "FLOAT_OUT_OF_RANGE");
    }

    #[test]
    fn integers_of_any_length_change_their_radix() {
        assert_eq!(in_radix("123456789012345678901234567890", 16), "18ee90ff6c373e0ee4e3f0ad2");
        assert_eq!(in_radix("0x18ee90ff6c373e0ee4e3f0ad2", 10), "123456789012345678901234567890");
        assert_eq!(in_radix("00", 10), "0");
    }

    #[test]
    fn floats_print_as_in_ruby() {
        for (value, text) in [
            (1e10, "10000000000.0"),
            (1e-4, "0.0001"),
            (1.25e20, "1.25e+20"),
            (-0.0, "-0.0"),
            // Between two texts, the even digit counts.
            (658_344_884_584_302.0 + 0.25, "658344884584302.2"),
            (1_125_899_906_842_624.0 + 0.75, "1125899906842624.8"),
        ] {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn a_number_written_in_another_radix_is_the_same_number() {
        let mut dice = Dice::new(1);
        for _ in 0..500 {
            let digits: String = (0..=dice.below(60))
                .map(|_| char::from(b'1' + u8::try_from(dice.below(9)).unwrap_or(0)))
                .collect();
            let hexadecimal = format!("0x{}", in_radix(&digits, 16));
            let octal = format!("0{}", in_radix(&digits, 8));
            assert_eq!(in_radix(&hexadecimal, 10), digits);
            assert_eq!(in_radix(&octal, 10), digits);
            assert_eq!(in_radix(&digits, 10), digits);
            if let Ok(Number::Integer { value, .. }) = read_number(&digits) {
                assert_eq!(read_number(&hexadecimal).ok(), Some(Number::Integer { value, radix: 16 }));
                assert_eq!(read_number(&octal).ok(), Some(Number::Integer { value, radix: 8 }));
            }
        }
    }

    #[test]
    fn the_text_of_a_float_is_read_as_the_same_float() {
        let mut dice = Dice::new(2);
        for _ in 0..2_000 {
            let bits = (dice.below(1 << 31) as u64) << 33
                ^ (dice.below(1 << 31) as u64) << 7
                ^ dice.below(1 << 20) as u64;
            let value = f64::from_bits(bits);
            let text = float_text(value);
            match text.parse::<f64>() {
                Ok(again) if value.is_nan() => assert!(again.is_nan(), "{text}"),
                Ok(again) => assert_eq!(again.to_bits(), value.to_bits(), "{text}"),
                Err(_) => assert!(text.ends_with("Infinity"), "{text}"),
            }
            // Ruby always writes a point or an exponent.
            assert!(!value.is_finite() || text.contains('.'), "{text}");
        }
    }

    #[test]
    fn integers_end_at_a_limit() {
        let long = "9".repeat(LONGEST_INTEGER + 1);
        assert_eq!(read_number(&long[1..]).ok(), Some(Number::TooLarge { radix: 10 }));
        let error = read_number(&long).expect_err("too long");
        assert!(error.message.contains(&long.len().to_string()), "{error}");
    }
}
