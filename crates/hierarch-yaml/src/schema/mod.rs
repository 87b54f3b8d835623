//! What plain scalars mean: Ruby's rules for Hiera data, YAML 1.2 as ruamel reads it for the rest.

mod core;
mod older;
mod psych;

pub use psych::disallowed_collection;
pub(crate) use psych::word as plain_word;
use std::borrow::Cow;
use std::hash::Hash;

use hierarch_source::Result;
use rustc_hash::FxHasher;

use crate::build::hash_text;
use crate::node::{Dialect, Kind, NO_PROPS, NodeId, Style, Tree};

/// The value of one scalar.
#[derive(Clone, Debug)]
pub enum Scalar<'t> {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number too large for 64 bits, in decimal digits with its sign.
    Big(String),
    /// A number with a fraction or an exponent, or one of infinity and not-a-number.
    Float(f64),
    /// Text.
    Str(Cow<'t, str>),
    /// Ruby's `:name`; only in the Psych dialect.
    Symbol(Cow<'t, str>),
    /// Bytes of a `!!binary`.
    Binary(Vec<u8>),
}

impl PartialEq for Scalar<'_> {
    /// Numbers are compared by value, `1` equals `1.0`; a boolean is not a number; not-a-number equals itself.
    #[allow(clippy::float_cmp)] // equality of written numbers, not of computed ones
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Big(a), Self::Big(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Self::Int(a), Self::Float(b)) | (Self::Float(b), Self::Int(a)) => int_equals_float(*a, *b),
            (Self::Str(a), Self::Str(b)) | (Self::Symbol(a), Self::Symbol(b)) => a == b,
            (Self::Binary(a), Self::Binary(b)) => a == b,
            _ => false,
        }
    }
}

/// Compares without rounding the integer: 2^53 + 1 is not a float.
#[allow(clippy::float_cmp)]
fn int_equals_float(int: i64, float: f64) -> bool {
    int as f64 == float && float < 9.3e18 && float as i64 == int
}

impl Scalar<'_> {
    /// Returns the text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Feeds a hasher so that equal scalars hash alike.
    pub fn hash_into(&self, state: &mut FxHasher) {
        match self {
            Self::Null => 0u8.hash(state),
            Self::Bool(value) => (1u8, value).hash(state),
            Self::Int(value) => (2u8, (*value as f64).to_bits()).hash(state),
            Self::Float(value) if *value == 0.0 => (2u8, 0f64.to_bits()).hash(state),
            Self::Float(value) => (2u8, value.to_bits()).hash(state),
            Self::Big(digits) => digits.hash(state),
            Self::Str(text) => hash_text(text, state),
            Self::Symbol(text) => (3u8, text).hash(state),
            Self::Binary(bytes) => bytes.hash(state),
        }
    }

    /// Gives up the borrow.
    pub fn into_owned(self) -> Scalar<'static> {
        match self {
            Self::Null => Scalar::Null,
            Self::Bool(value) => Scalar::Bool(value),
            Self::Int(value) => Scalar::Int(value),
            Self::Big(digits) => Scalar::Big(digits),
            Self::Float(value) => Scalar::Float(value),
            Self::Str(text) => Scalar::Str(text.into_owned().into()),
            Self::Symbol(text) => Scalar::Symbol(text.into_owned().into()),
            Self::Binary(bytes) => Scalar::Binary(bytes),
        }
    }
}

pub(crate) fn resolve(tree: &Tree, id: NodeId) -> Result<Scalar<'_>> {
    let id = tree.target(id);
    match tree.dialect() {
        Dialect::Psych => psych::resolve(tree, id),
        Dialect::Core => core::resolve(tree, id),
        Dialect::Older => older::resolve(tree, id),
    }
}

/// Refuses collections that ask for what data may not have.
pub(crate) fn check_collection(tree: &Tree, id: NodeId) -> Result<()> {
    match (tree.dialect(), tree.tag(id)) {
        (Dialect::Psych, Some(tag)) => psych::check_collection_tag(tag, tree.kind(id) == Kind::Map)
            .map_err(|error| error.at(tree.source(), tree.span(id))),
        _ => Ok(()),
    }
}

/// Tells whether a list is an ordered map: pairs under the tag `!!omap`, which Psych makes a map of.
pub(crate) fn is_ordered_map(tree: &Tree, list: NodeId) -> bool {
    tree.dialect() == Dialect::Psych
        && matches!(tree.tag(list), Some("!omap" | "tag:yaml.org,2002:omap"))
        && tree.children(list).iter().all(|&item| tree.children(tree.target(item)).len() >= 2)
}

/// Tells what an unquoted text would mean to a reader of YAML 1.1 or 1.2, by asking both.
pub(crate) fn is_text_everywhere(text: &str) -> bool {
    matches!(core::plain(text), Scalar::Str(_))
        && matches!(psych::plain(text), Ok(Scalar::Str(_)))
        && !matches!(text, "=" | "<<")
}

/// Returns what a plain scalar means in YAML 1.1 and 1.2, if that is not the same.
pub fn surprising(tree: &Tree, id: NodeId) -> Option<(Scalar<'_>, Scalar<'_>)> {
    if tree.kind(id) != Kind::Scalar || tree.style(id) != Style::Plain || tree.tag(id).is_some() {
        return None;
    }
    let (older, newer) = (older::plain(tree.text(id)), core::plain(tree.text(id)));
    let same = std::mem::discriminant(&older) == std::mem::discriminant(&newer) && older == newer;
    (!same).then_some((older, newer))
}

/// Tells whether two scalars that are equal here are spelled so that other readers tell them apart: `0644` and `644` in YAML 1.1,
/// `yes` and `"yes"`, `1` and `1.0`, the versions `1.10` and `1.1`.
pub fn spelled_otherwise(a: (&Tree, NodeId), b: (&Tree, NodeId)) -> bool {
    if a.0.spelling(a.1).is_none() || b.0.spelling(b.1).is_none() {
        return false;
    }
    let ((older, newer), (other_older, other_newer)) = (meanings(a.0, a.1), meanings(b.0, b.1));
    let same = |a: &Scalar, b: &Scalar| std::mem::discriminant(a) == std::mem::discriminant(b) && a == b;
    let is_fraction = matches!((&newer, &other_newer), (Scalar::Float(_), Scalar::Float(_)));
    !same(&older, &other_older)
        || !same(&newer, &other_newer)
        || is_date(a.0, a.1) != is_date(b.0, b.1)
        || (is_fraction && a.0.text(a.1) != b.0.text(b.1))
}

/// Tells whether other readers take a plain scalar for a date or a time.
pub fn is_date(tree: &Tree, id: NodeId) -> bool {
    tree.style(id) == Style::Plain && tree.tag(id).is_none() && psych::plain(tree.text(id)).is_err()
}

/// What a scalar means in YAML 1.1 and 1.2, or twice in the schema that it was read by where that was chosen.
fn meanings(tree: &Tree, id: NodeId) -> (Scalar<'_>, Scalar<'_>) {
    let text = tree.text(id);
    let is_bare = tree.style(id) == Style::Plain && (tree.tag(id).is_none() || tree.own_tag(id).is_some());
    match (is_bare, tree.dialect()) {
        (true, Dialect::Older) => (older::plain(text), older::plain(text)),
        (true, _) => (older::plain(text), core::plain(text)),
        (false, _) => {
            let meant = || tree.scalar(id).unwrap_or(Scalar::Str(Cow::Borrowed(text)));
            (meant(), meant())
        }
    }
}

/// Tells whether a text would be read back as this scalar by the dialect, without quotes.
pub(crate) fn reads_as(text: &str, wanted: &Scalar, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Core => core::plain(text) == *wanted,
        Dialect::Older => older::plain(text) == *wanted,
        Dialect::Psych => psych::plain(text).is_ok_and(|scalar| scalar == *wanted),
    }
}

/// Tells whether a key is the native merge key. Psych merges a quoted one as well, ruamel does not.
pub fn is_merge_key(tree: &Tree, key: NodeId) -> bool {
    tree.kind(key) == Kind::Scalar
        && tree.text(key) == "<<"
        && match tree.dialect() {
            Dialect::Psych => tree.tag(key) != Some("tag:yaml.org,2002:str"),
            Dialect::Core | Dialect::Older => tree.style(key) == Style::Plain,
        }
}

/// Tells whether two keys are the same key.
pub(crate) fn same_key(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    let (a, b) = (tree.target(a), tree.target(b));
    if a == b {
        return true;
    }
    match (tree.kind(a), tree.kind(b)) {
        (Kind::Scalar, Kind::Scalar) => may_be_same(tree, a, b) && same_scalar_key(tree, a, b),
        (Kind::List, Kind::List) | (Kind::Map, Kind::Map) => {
            let (a, b) = (tree.children(a), tree.children(b));
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same_key(tree, a, b))
        }
        _ => false,
    }
}

/// Looks at the first signs alone: a text that begins like a word is only equal to itself.
fn may_be_same(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    let (a, b) = (tree.text_bytes(a), tree.text_bytes(b));
    !a.first().copied().is_some_and(is_first_of_word) || (a.len() == b.len() && a.last() == b.last())
}

fn same_scalar_key(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    let (first, second) = (tree.text(a), tree.text(b));
    // Two texts that differ can still be one number or boolean; words cannot.
    if first != second && (!may_be_special(first) || !may_be_special(second)) {
        return false;
    }
    match (resolve(tree, a), resolve(tree, b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Tells whether two scalars of the same dialect are equal without resolving them, where their texts suffice.
pub fn same_at_a_glance(a: (&Tree, NodeId), b: (&Tree, NodeId)) -> Option<bool> {
    let bare = |(tree, id): (&Tree, NodeId)| tree.node(id).props == NO_PROPS;
    if !bare(a) || !bare(b) || a.0.dialect() != b.0.dialect() {
        return None;
    }
    let (first, second) = (a.0.text(a.1), b.0.text(b.1));
    let (plain, other_plain) = (a.0.style(a.1) == Style::Plain, b.0.style(b.1) == Style::Plain);
    if first == second {
        return if plain == other_plain || !may_be_special(first) { Some(true) } else { None };
    }
    let both_may = plain && other_plain && may_be_special(first) && may_be_special(second);
    if both_may { None } else { Some(false) }
}

/// Tells whether a scalar is a text without resolving it; if not, it may still be one.
pub(crate) fn is_text_at_a_glance(tree: &Tree, id: NodeId) -> bool {
    tree.node(id).props == NO_PROPS && (tree.style(id) != Style::Plain || !may_be_special(tree.text(id)))
}

/// Hashes a scalar so that equal ones hash alike; words without resolving them.
pub fn hash_scalar(tree: &Tree, id: NodeId, state: &mut FxHasher) {
    hash_key(tree, id, state);
}

/// Tells whether a plain text may be anything but a string.
fn may_be_special(text: &str) -> bool {
    match text.as_bytes() {
        [] | [b'0'..=b'9' | b'+' | b'-' | b'.' | b'~' | b':', ..] => true,
        short => short.len() <= 5 && !is_word(text),
    }
}

/// Tells whether a text is certainly a string in both dialects, by its first letter.
fn is_word(text: &str) -> bool {
    text.bytes().next().is_some_and(is_first_of_word)
}

fn is_first_of_word(byte: u8) -> bool {
    matches!(
        byte,
        b'a'..=b'e'
            | b'g'..=b'm'
            | b'p'..=b's'
            | b'u'..=b'x'
            | b'z'
            | b'A'..=b'E'
            | b'G'..=b'M'
            | b'P'..=b'S'
            | b'U'..=b'X'
            | b'Z'
            | b'_'
            | b'/'
    )
}

pub(crate) fn hash_key(tree: &Tree, key: NodeId, state: &mut FxHasher) {
    let key = tree.target(key);
    match tree.kind(key) {
        Kind::Scalar if is_word(tree.text(key)) => hash_text(tree.text(key), state),
        Kind::Scalar => {
            if let Ok(scalar) = resolve(tree, key) {
                scalar.hash_into(state);
            }
        }
        _ => tree.children(key).iter().for_each(|&child| hash_key(tree, child, state)),
    }
}

/// Reads decimal digits with an optional sign as a whole number of any size.
pub(crate) fn whole_number(digits: &str) -> Scalar<'static> {
    if let Ok(value) = digits.parse::<i64>() {
        Scalar::Int(value)
    } else {
        let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
        let digits = digits.trim_start_matches('+').trim_start_matches('0');
        Scalar::Big(format!("{sign}{digits}"))
    }
}

/// Numbers of other bases with more digits than this stay text: nobody waits for them to be turned into decimal.
const MOST_DIGITS: usize = 100_000;

/// Reads digits of another base as a whole number of any sensible size.
pub(crate) fn based_number(negative: bool, digits: &str, base: u32) -> Option<Scalar<'static>> {
    let sign = if negative { "-" } else { "" };
    match i64::from_str_radix(&format!("{sign}{digits}"), base) {
        Ok(value) => Some(Scalar::Int(value)),
        Err(_) if digits.len() > MOST_DIGITS => None,
        Err(_) => Some(Scalar::Big(format!("{sign}{}", long_decimal(digits, base)))),
    }
}

/// Turns digits of any base into decimal ones, by schoolbook multiplication of seven by nine digits at a time.
fn long_decimal(digits: &str, base: u32) -> String {
    const NINE_DIGITS: u64 = 1_000_000_000;
    let digits: Vec<u64> = digits.chars().filter_map(|c| c.to_digit(base)).map(u64::from).collect();
    let mut limbs: Vec<u64> = vec![0];
    for chunk in digits.chunks(7) {
        let factor = u64::from(base).pow(chunk.len() as u32);
        let mut carry = chunk.iter().fold(0, |sum, digit| sum * u64::from(base) + digit);
        for limb in &mut limbs {
            let sum = *limb * factor + carry;
            *limb = sum % NINE_DIGITS;
            carry = sum / NINE_DIGITS;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
    text.trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_keep_their_digits() {
        let number = |digits: &str, base| match based_number(false, digits, base) {
            Some(Scalar::Int(value)) => value.to_string(),
            Some(Scalar::Big(digits)) => digits,
            other => format!("{other:?}"),
        };
        assert_eq!(number(&"9".repeat(20), 16), "725355491768777504823705");
        assert_eq!(number("ff", 16), "255");
        assert_eq!(number("ffffffffffffffffff", 16), "4722366482869645213695");
        assert_eq!(number("777", 8), "511");
    }

    #[test]
    fn one_equals_one_point_zero_but_not_true() {
        assert_eq!(Scalar::Int(1), Scalar::Float(1.0));
        assert_ne!(Scalar::Int(1), Scalar::Bool(true));
        assert_ne!(Scalar::Int(9_007_199_254_740_993), Scalar::Float(9_007_199_254_740_992.0));
    }

    #[test]
    fn texts_that_some_reader_takes_for_something_else_are_known() {
        for text in ["yes", "1", "0x1", "null", "~", "", "1:30", "2020-01-01", ":sym", "1e3", "<<", "On"] {
            assert!(!is_text_everywhere(text), "{text:?}");
        }
        for text in ["a", "yess", "1.2.3", "hello world", "nulls", "x: y"] {
            assert!(is_text_everywhere(text), "{text:?}");
        }
    }
}
