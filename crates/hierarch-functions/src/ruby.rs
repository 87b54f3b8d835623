//! What Ruby calls and shows values as, where the reference leaves that to it.

use hierarch_pcore::Value;
use hierarch_source::Result;

/// Returns the text of a value as Ruby's `to_s` gives it.
pub fn ruby_text(value: &Value) -> String {
    match value {
        Value::Regexp(regexp) => format!("(?-mix:{})", regexp.source()),
        other => other.to_plain(),
    }
}

/// Returns the text of a value as Ruby's `inspect` gives it.
pub fn inspected(value: &Value) -> String {
    let list = Value::array(vec![value.clone()]).to_plain();
    list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(&list).to_owned()
}

/// Returns the text of a string, which nothing else becomes by itself.
pub fn implicit_text(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| crate::issues::no_implicit_text(value))
}

/// Returns the name of the class of a value.
pub fn class_name(value: &Value) -> String {
    match value {
        Value::Undef => "NilClass".into(),
        Value::Default => "Symbol".into(),
        Value::Boolean(true) => "TrueClass".into(),
        Value::Boolean(false) => "FalseClass".into(),
        Value::Type(type_) => format!("Puppet::Pops::Types::P{}Type", type_.name()),
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive".into(),
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary".into(),
        Value::SemVer(_) => "SemanticPuppet::Version".into(),
        Value::SemVerRange(_) => "SemanticPuppet::VersionRange".into(),
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp".into(),
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan".into(),
        other => hierarch_pcore::issues::value_label(other),
    }
}

/// Returns what an error of comparison calls the right side: small values as they are shown, others by class.
pub fn compared_with(value: &Value) -> String {
    match value {
        Value::Undef => "nil".into(),
        Value::Default => ":default".into(),
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => value.to_string(),
        other => class_name(other),
    }
}

/// Reads a text as `Float()` does: blanks around it, underscores between digits, hexadecimal too.
pub fn read_float(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let (negative, digits) = hierarch_pcore::value::number::split_sign(text);
    let sign = if negative { -1.0 } else { 1.0 };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return read_hex_float(hex).map(|number| sign * number);
    }
    let plain = without_underscores(digits)?;
    is_float(&plain).then(|| plain.parse::<f64>().ok()).flatten().map(|number| sign * number)
}

/// Reads a text as `Integer()` does: blanks around it, a prefix for the base, underscores between digits.
pub fn read_integer(text: &str) -> Option<i128> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let (negative, digits) = hierarch_pcore::value::number::split_sign(text);
    let lower = digits.to_ascii_lowercase();
    let bases = [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10), ("0", 8)];
    let based = bases.iter().find_map(|(prefix, radix)| Some((lower.strip_prefix(prefix)?, *radix)));
    let (digits, radix) = based.filter(|_| lower != "0").unwrap_or((&lower, 10));
    let digits = digits.strip_prefix('_').filter(|_| radix == 8).unwrap_or(digits);
    let digits = without_underscores(digits)?;
    let is_digits = digits.starts_with(|c: char| c.is_digit(radix));
    let number = i128::from_str_radix(&digits, radix).ok().filter(|_| is_digits)?;
    Some(if negative { -number } else { number })
}

/// Removes underscores, each of which must stand between digits.
pub fn without_underscores(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_hexdigit);
    let mut places = text.match_indices('_').map(|(index, _)| index);
    let is_good = places.all(|index| index > 0 && is_digit(index - 1) && is_digit(index + 1));
    is_good.then(|| text.replace('_', ""))
}

/// Tells whether a text without a sign is digits with a fraction and an exponent or without; the whole part may
/// be missing, the fraction after a point not.
fn is_float(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    (is_digits(whole) || (whole.is_empty() && mantissa.contains('.')))
        && is_digits(fraction)
        && is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
}

/// Reads what follows `0x`: hexadecimal digits, a fraction and a power of two.
pub fn read_hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = without_underscores(&format!("{whole}{fraction}"))?;
    if digits.is_empty() || whole.is_empty() {
        return None;
    }
    let mut number = 0.0;
    for digit in digits.chars() {
        number = number * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent: i32 = exponent.parse().ok()?;
    Some(number * 2f64.powi(exponent - 4 * fraction.len() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_ruby_reads_them() {
        for (text, expected) in [
            (" 12 ", Some(12)),
            ("1_000", Some(1000)),
            ("0x1F", Some(31)),
            ("0b11", Some(3)),
            ("017", Some(15)),
            ("0", Some(0)),
            ("-5", Some(-5)),
            ("- 5", None),
            ("08", None),
            ("1.5", None),
            ("+-1", None),
            ("", None),
        ] {
            assert_eq!(read_integer(text), expected, "{text}");
        }
    }

    #[test]
    fn floats_are_read_as_ruby_reads_them() {
        for (text, expected) in [
            (" 1.5 ", Some(1.5)),
            ("1_000.5", Some(1000.5)),
            (".5", Some(0.5)),
            ("1e3", Some(1000.0)),
            ("0x1f", Some(31.0)),
            ("0x1.8p3", Some(12.0)),
            ("-2", Some(-2.0)),
            ("1.", None),
            ("1__0", None),
            ("inf", None),
            ("", None),
        ] {
            assert_eq!(read_float(text), expected, "{text}");
        }
    }
}
