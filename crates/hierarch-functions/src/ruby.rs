//! What Ruby calls and shows values as, where the reference leaves that to it.

use hierarch_pcore::{Value, ruby_class};
use hierarch_source::Result;

/// Returns the text of a value as Ruby's `to_s` gives it.
pub fn ruby_text(value: &Value) -> String {
    match value {
        Value::Regexp(regexp) => regexp.as_group(),
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
        Value::Object(_) | Value::Foreign(_) => hierarch_pcore::issues::value_label(value),
        other => ruby_class(other).into(),
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

/// Tells whether two values are equal to Ruby's `==`: numbers by value, whatever their kind.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(whole), Value::Float(number)) | (Value::Float(number), Value::Integer(whole)) => {
            (*whole as f64).total_cmp(&(number + 0.0)).is_eq()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let has = |(key, value): (&Value, &Value)| b.get(key).is_some_and(|other| equal(value, other));
            a.len() == b.len() && a.iter().all(has)
        }
        _ => a == b,
    }
}

/// Returns what Ruby's `Array()` gives.
pub fn as_list(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect()
        }
        other => vec![other.clone()],
    }
}

/// Returns bytes in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(|half| char::from(b"0123456789abcdef"[usize::from(half)])).collect()
}

/// Reads as much of a text as is an integer, as `to_i` does.
pub fn leading_integer(text: &str) -> i64 {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['+', '-']));
    let digits: String = leading_digits(&text[sign..]).replace('_', "");
    format!("{}{digits}", &text[..sign]).parse().unwrap_or(0)
}

/// Returns the digits at the beginning, single underscores between them included.
fn leading_digits(text: &str) -> &str {
    let bytes = text.as_bytes();
    let is_digit = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let is_part = |index: usize| {
        is_digit(index) || (bytes[index] == b'_' && index > 0 && is_digit(index - 1) && is_digit(index + 1))
    };
    let end = (0..bytes.len()).find(|&index| !is_part(index)).unwrap_or(bytes.len());
    &text[..end]
}

/// Reads as much of a text as is a number, as `to_f` does.
pub fn leading_float(text: &str) -> f64 {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['+', '-']));
    let whole = leading_digits(&text[sign..]);
    let mut end = sign + whole.len();
    if let Some(fraction) = text[end..]
        .strip_prefix('.')
        .map(leading_digits)
        .filter(|digits| !digits.is_empty() && !whole.is_empty())
    {
        end += 1 + fraction.len();
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']).filter(|_| !whole.is_empty()) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let digits = leading_digits(&exponent[sign..]);
        end += if digits.is_empty() { 0 } else { 1 + sign + digits.len() };
    }
    text[..end].replace('_', "").parse().unwrap_or(0.0)
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
    fn the_beginning_of_a_text_may_be_a_number() {
        for (text, whole, number) in [
            (" 12abc", 12, 12.0),
            ("-1_000x", -1000, -1000.0),
            ("1__0", 1, 1.0),
            ("1.5e3", 1, 1500.0),
            ("1e", 1, 1.0),
            ("1.", 1, 1.0),
            (".5", 0, 0.0),
            ("x", 0, 0.0),
        ] {
            assert_eq!((leading_integer(text), leading_float(text)), (whole, number), "{text}");
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
