//! Formats by type, the most specific type first.

use std::cmp::Ordering;

use hierarch_source::Result;

use super::Format;
use crate::types::Kind;
use crate::{Hash, Type, Value, issues};

/// Formats by the type of what they apply to, in the order in which they are tried.
#[derive(Clone, Debug)]
pub(super) struct FormatMap(Vec<(Type, Format)>);

impl FormatMap {
    pub(super) fn new(formats: Vec<(Type, Format)>) -> Self {
        Self(formats)
    }

    /// Reads formats as a program gives them.
    pub(super) fn of_hash(hash: &Hash) -> Result<Self> {
        let mut formats = Vec::with_capacity(hash.len());
        for (key, value) in hash {
            let Value::Type(type_) = key else {
                return Err(issues::bad_format_key(crate::types::ruby_class(key)));
            };
            formats.push((
                type_.clone(),
                match value {
                    Value::Hash(hash) => Format::of_hash(hash)?,
                    other => Format::parse(&other.to_string())?,
                },
            ));
        }
        Ok(Self(formats))
    }

    /// Returns the first format that applies to values of a type.
    pub(super) fn get(&self, type_: &Type) -> Option<&Format> {
        self.0.iter().find(|(key, _)| key.accepts(type_)).map(|(_, format)| format)
    }

    /// Merges two maps; the higher one wins, and hides what is more specific in the lower one.
    pub(super) fn merged(lower: &Self, higher: &Self) -> Self {
        let is_hidden = |key: &Type| higher.0.iter().any(|(wide, _)| wide != key && wide.accepts(key));
        let find = |map: &Self, key: &Type| {
            map.0.iter().find(|(known, _)| known == key).map(|(_, format)| format.clone())
        };
        let kept: Vec<(Type, Format)> = lower.0.iter().filter(|(key, _)| !is_hidden(key)).cloned().collect();
        let kept = Self(kept);
        let mut merged: Vec<(Type, Format)> = Vec::new();
        for (key, _) in kept.0.iter().chain(&higher.0) {
            if merged.iter().any(|(known, _)| known == key) {
                continue;
            }
            let format = match (find(&kept, key), find(higher, key)) {
                (Some(low), Some(high)) => low.overridden_by(&high),
                (low, high) => match high.or(low) {
                    Some(format) => format,
                    None => continue,
                },
            };
            merged.push((key.clone(), format));
        }
        Self(sorted(merged))
    }
}

/// Sorts formats by their types. The order is none that a sort may rely on, so that it counts which are compared: as in the sort of the
/// C library, which Ruby uses, halves are sorted and merged.   case: lang/campaign_third
fn sorted(mut formats: Vec<(Type, Format)>) -> Vec<(Type, Format)> {
    if formats.len() < 2 {
        return formats;
    }
    let second = formats.split_off(formats.len() / 2);
    let (first, second) = (sorted(formats), sorted(second));
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        let is_second = by_specificity(&a.0, &b.0) == Ordering::Greater;
        merged.extend(if is_second { second.next() } else { first.next() });
    }
    merged.extend(first.chain(second));
    merged
}

/// Orders types: what is assignable to another comes first; others by rank or name.
fn by_specificity(a: &Type, b: &Type) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    match (b.accepts(a), a.accepts(b)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => match (rank(a), rank(b)) {
            (0, _) | (_, 0) => a.to_string().cmp(&b.to_string()),
            (a, b) => a.cmp(&b),
        },
    }
}

fn rank(type_: &Type) -> u8 {
    match type_.kind() {
        Kind::Struct(_) => 1,
        Kind::Hash(_) => 2,
        Kind::Tuple(_) => 3,
        Kind::Array(_) => 4,
        Kind::Pattern(_) => 10,
        Kind::Enum(_) => 11,
        Kind::String(_) => 12,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// The most specific type that has a value says how it is written; a higher map hides what it covers in the lower one.
    #[test]
    fn the_most_specific_type_says_how() {
        check_facts(&[
            ("String(1, {Integer => '%x', Any => '%d'})", "'1'"),
            ("String(1, {Any => '%d', Integer => '%x'})", "'1'"),
            ("String(17, {Integer[0, 20] => '%x', Integer => '%d'})", "'11'"),
            ("String(17, {Integer => '%d', Integer[0, 20] => '%x'})", "'11'"),
            ("String(17, {Numeric => '%e', Scalar => '%p'})", "'1.700000e+01'"),
            ("String('a', {String => '%u', Enum[a] => '%p', Pattern[/a/] => '%c'})", r"'\'a\''"),
            ("String('a', {Pattern[/a/] => '%c', Enum[a] => '%p', String => '%u'})", r"'\'a\''"),
            ("String([1, 'a'], {Collection => '%s', Array[Integer] => '%(a'})", r"'[1, \'a\']'"),
            ("String({a => 1}, {Struct[{a => Integer}] => '%(h', Hash => '%<h'})", r"'(\'a\' => 1)'"),
            ("String({a => 1}, {Hash => '%<h', Struct[{a => Integer}] => '%(h'})", r"'(\'a\' => 1)'"),
            (
                "String([undef, default], {Undef => '%n', Default => '%D', Array => '%a'})",
                "'[undef, default]'",
            ),
            ("String(true, {Scalar => '%s', Boolean => '%y'})", "'yes'"),
            ("String([1.5, 2], {Float => '%.3f', Integer => '%03d'})", "'[1.5, 2]'"),
            ("String([1, 'a'], {Optional[Integer] => '%#x'})", r"'[1, \'a\']'"),
            ("String([1, 'a'], {Variant[Integer, String] => '%p', Array => '%(a'})", r"'(1, \'a\')'"),
        ]);
    }
}
