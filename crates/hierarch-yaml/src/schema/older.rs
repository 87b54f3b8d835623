//! YAML 1.1 scalars, as Ansible, Kubernetes' Go library and Psych see them: what Psych reads, without what only Ruby has.

use std::borrow::Cow;

use hierarch_source::Result;

use super::{Scalar, core, psych};
use crate::node::{NodeId, Style, Tree};

pub(super) fn resolve(tree: &Tree, id: NodeId) -> Result<Scalar<'_>> {
    match tree.tag(id) {
        None if tree.style(id) == Style::Plain => Ok(plain(tree.text(id))),
        _ => core::resolve(tree, id),
    }
}

/// Resolves a text that has neither quotes nor tag.
pub(super) fn plain(text: &str) -> Scalar<'_> {
    match psych::plain(text) {
        // Symbols are Ruby's own.
        Ok(Scalar::Symbol(_)) | Err(_) => Scalar::Str(Cow::Borrowed(text)),
        // Psych counts minutes as hours; the specification, and PyYAML, do not.
        Ok(Scalar::Int(_) | Scalar::Float(_)) if text.contains(':') => {
            sexagesimal(text).unwrap_or(Scalar::Str(Cow::Borrowed(text)))
        }
        // Ruby takes a word however it is written, and groups of digits apart by commas.
        Ok(Scalar::Bool(_) | Scalar::Null) if !is_spelled_evenly(text) => Scalar::Str(Cow::Borrowed(text)),
        Ok(Scalar::Int(_) | Scalar::Float(_)) if text.contains(',') || text.starts_with("+.") => {
            Scalar::Str(Cow::Borrowed(text))
        }
        Ok(scalar) => scalar,
    }
}

/// Tells whether a word is written `yes`, `Yes` or `YES`.
fn is_spelled_evenly(word: &str) -> bool {
    let rest = word.get(1..).unwrap_or_default();
    let is_lower = |text: &str| !text.contains(|c: char| c.is_ascii_uppercase());
    is_lower(rest) || !word.contains(|c: char| c.is_ascii_lowercase())
}

/// Reads `1:30` as ninety, `-1:30.5` as minus ninety and a half.
fn sexagesimal(text: &str) -> Option<Scalar<'static>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut sum: i64 = 0;
    for part in whole.split(':') {
        sum = sum.checked_mul(60)?.checked_add(part.replace('_', "").parse::<u32>().ok()?.into())?;
    }
    let sum = if negative { -sum } else { sum };
    if !digits.contains('.') {
        return Some(Scalar::Int(sum));
    }
    let part: f64 = format!("0.{}0", fraction.replace('_', "")).parse().ok()?;
    Some(Scalar::Float(if negative { sum as f64 - part } else { sum as f64 + part }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_of_yaml_1_1_are_no_texts() {
        assert_eq!(plain("yes"), Scalar::Bool(true));
        assert_eq!(plain("off"), Scalar::Bool(false));
        assert_eq!(plain("0644"), Scalar::Int(420));
        assert_eq!(plain("1_000"), Scalar::Int(1000));
        assert_eq!(plain("1:30"), Scalar::Int(90));
        assert_eq!(plain("-1:30:00"), Scalar::Int(-5400));
        assert_eq!(plain(":name"), Scalar::Str(":name".into()));
        for text in ["text", "yEs", "nUll", "oFF", "1,000", "+.5"] {
            assert_eq!(plain(text), Scalar::Str(text.into()));
        }
        assert_eq!(
            (plain("Yes"), plain("NULL"), plain("~")),
            (Scalar::Bool(true), Scalar::Null, Scalar::Null)
        );
    }
}
