//! YAML 1.2 scalars as ruamel resolves them, which is what Unfurl reads.
//!
//! Wider than the YAML 1.2 core schema: digits may be grouped with `_`, and `0b` is known.

use hierarch_bits::base64;
use hierarch_source::Result;

use super::{Scalar, based_number, whole_number};
use crate::issues;
use crate::node::{NodeId, Style, Tree};

pub(super) fn resolve(tree: &Tree, id: NodeId) -> Result<Scalar<'_>> {
    let text = tree.text(id);
    match tree.tag(id) {
        None if tree.style(id) == Style::Plain => Ok(plain(text)),
        None | Some("!") => Ok(Scalar::Str(text.into())),
        Some(tag) => tagged(tag, text, tree.style(id)),
    }
}

fn tagged<'t>(tag: &str, text: &'t str, style: Style) -> Result<Scalar<'t>> {
    let Some(name) = tag.strip_prefix("tag:yaml.org,2002:") else {
        return match tag {
            "!vault" | "!vault-json" | "!vault-binary" => Err(issues::vault_without_password()),
            // A tag that means nothing here leaves the value as it is.   case: directives/yaml "an unknown tag on a scalar"
            _ if style == Style::Plain => Ok(plain(text)),
            _ => Ok(Scalar::Str(text.into())),
        };
    };
    let value = plain(text);
    match (name, &value) {
        ("int", Scalar::Int(_) | Scalar::Big(_))
        | ("bool", Scalar::Bool(_))
        | ("float", Scalar::Float(_))
        | ("null", _) => Ok(value),
        ("float", Scalar::Int(number)) => Ok(Scalar::Float(*number as f64)),
        ("int" | "bool" | "float", _) => Err(issues::bad_tagged_value(name, text)),
        ("binary", _) => Ok(Scalar::Binary(base64::decode(text))),
        _ => Ok(Scalar::Str(text.into())),
    }
}

/// Resolves a text that has neither quotes nor tag.
pub(super) fn plain(text: &str) -> Scalar<'_> {
    let Some(&first) = text.as_bytes().first() else { return Scalar::Null };
    let special = match first {
        b'~' | b'n' | b'N' if matches!(text, "~" | "null" | "Null" | "NULL") => Some(Scalar::Null),
        b't' | b'T' if matches!(text, "true" | "True" | "TRUE") => Some(Scalar::Bool(true)),
        b'f' | b'F' if matches!(text, "false" | "False" | "FALSE") => Some(Scalar::Bool(false)),
        b'0'..=b'9' | b'-' | b'+' | b'.' => number(text),
        _ => None,
    };
    special.unwrap_or(Scalar::Str(text.into()))
}

fn number(text: &str) -> Option<Scalar<'static>> {
    let (negative, digits) = match text.as_bytes()[0] {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    match digits {
        ".inf" | ".Inf" | ".INF" => {
            return Some(Scalar::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
        }
        ".nan" | ".NaN" | ".NAN" => return (digits.len() == text.len()).then_some(Scalar::Float(f64::NAN)),
        _ => {}
    }
    based(negative, digits).or_else(|| decimal(negative, digits)).or_else(|| float(negative, digits))
}

fn based(negative: bool, digits: &str) -> Option<Scalar<'static>> {
    let (rest, base) = match digits.get(..2)? {
        "0b" => (&digits[2..], 2),
        "0o" => (&digits[2..], 8),
        "0x" => (&digits[2..], 16),
        _ => return None,
    };
    let all = rest.chars().all(|c| c == '_' || c.is_digit(base));
    let rest = rest.replace('_', "");
    (all && !rest.is_empty()).then(|| based_number(negative, &rest, base)).flatten()
}

fn decimal(negative: bool, digits: &str) -> Option<Scalar<'static>> {
    let valid = digits.bytes().all(|b| b == b'_' || b.is_ascii_digit()) && digits.bytes().any(|b| b != b'_');
    if !valid {
        return None;
    }
    let digits = digits.replace('_', "");
    Some(whole_number(&if negative { format!("-{digits}") } else { digits }))
}

fn float(negative: bool, digits: &str) -> Option<Scalar<'static>> {
    if !is_float(digits) {
        return None;
    }
    let value: f64 = digits.replace('_', "").parse().ok()?;
    Some(Scalar::Float(if negative { -value } else { value }))
}

/// `12.5`, `12.`, `1e3`, `.5`, `.5e+3`; behind a leading dot the exponent needs its sign.
fn is_float(digits: &str) -> bool {
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    let grouped = |text: &str| text.bytes().all(|b| b == b'_' || b.is_ascii_digit());
    let leading_dot = mantissa.starts_with('.');
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && grouped(fraction),
        Some((whole, fraction)) => whole.as_bytes()[0] != b'_' && grouped(whole) && grouped(fraction),
        None => {
            exponent.is_some() && !mantissa.is_empty() && mantissa.as_bytes()[0] != b'_' && grouped(mantissa)
        }
    };
    let exponent_fits = exponent.is_none_or(|text| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let signed = digits.len() < text.len();
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (signed || !leading_dot)
    });
    mantissa_fits && exponent_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::needless_pass_by_value)] // so that the tables below read as tables
    fn check(text: &str, expected: Scalar) {
        assert_eq!(plain(text), expected, "{text:?}");
    }

    #[test]
    fn words_of_yaml_1_1_are_text() {
        for text in ["yes", "no", "on", "off", "y", "tRue", "nUll"] {
            check(text, Scalar::Str(text.into()));
        }
        check("True", Scalar::Bool(true));
        check("~", Scalar::Null);
        check("", Scalar::Null);
    }

    #[test]
    fn whole_numbers() {
        check("12", Scalar::Int(12));
        check("-12", Scalar::Int(-12));
        check("+12", Scalar::Int(12));
        check("0o17", Scalar::Int(15));
        check("017", Scalar::Int(17));
        check("0x1F", Scalar::Int(31));
        check("0b101", Scalar::Int(5));
        check("1_000", Scalar::Int(1000));
        check("1:30", Scalar::Str("1:30".into()));
        check("99999999999999999999", Scalar::Big("99999999999999999999".into()));
    }

    #[test]
    fn floats() {
        check("1.5", Scalar::Float(1.5));
        check("1.", Scalar::Float(1.0));
        check(".5", Scalar::Float(0.5));
        check("1e3", Scalar::Float(1000.0));
        check("-1.5E-3", Scalar::Float(-0.0015));
        check(".5e3", Scalar::Str(".5e3".into()));
        check(".5e+3", Scalar::Float(500.0));
        check("-.inf", Scalar::Float(f64::NEG_INFINITY));
        check(".nan", Scalar::Float(f64::NAN));
        check("1.2.3", Scalar::Str("1.2.3".into()));
        check("+word", Scalar::Str("+word".into()));
        check(".", Scalar::Str(".".into()));
        check("-", Scalar::Str("-".into()));
    }
}
