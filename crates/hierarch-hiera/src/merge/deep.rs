//! `deep`: hashes into hashes and lists into lists, all the way down; lower priority comes first in the result.
//!
//! `[a, --b]` over `[b, c]` with the knockout prefix `--` gives `[c, a]`.
//! The reference changes its operands while it merges, and parts of them are sometimes the same object. Where
//! that shows in the result, [`Kinship`] tells.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::{Element, StructType};
use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::Result;

use super::gather::{DeepGathering, Gather, Gathered, Pairwise};
use super::sort::sorted;
use super::spoil::spoiled;
use super::unique::{are_different, united, without_duplicates};
use super::{Code, Definition, Makes, Merge};
use crate::issues;
use crate::piece::{Entries, Piece, View};

/// Hashes and lists merged all the way down.
pub(super) static DEEP: Definition = Definition {
    name: "deep",
    doc: "Hashes into hashes and lists into lists, all the way down; higher priority wins.",
    is_public: true,
    makes: Makes::Hash,
    options: Some(options_type),
    without_options: None,
    undiggable: None,
    code: |options| Code::Made(Arc::new(Deep::new(options, false))),
};

/// The same with all options of Ruby's library: `merge_behavior: deeper` of version 3. Without options the reference takes
/// `deep` itself, and says so.   case: hiera/generated
pub(super) static UNCONSTRAINED_DEEP: Definition = Definition {
    name: "unconstrained_deep",
    doc: "As `deep`, with any option of Ruby's deep_merge.",
    is_public: false,
    options: None,
    without_options: Some(&DEEP),
    ..DEEP
};

/// The same with lower priority winning: `merge_behavior: deep` of version 3.
pub(super) static REVERSE_DEEP: Definition = Definition {
    name: "reverse_deep",
    doc: "As `unconstrained_deep`, but lower priority wins.",
    is_public: false,
    options: None,
    code: |options| Code::Made(Arc::new(Deep::new(options, true))),
    ..DEEP
};

/// Deep merging, with its options.
#[derive(Clone, Debug, Default, PartialEq)]
struct Deep {
    knockout: Value,
    sort: bool,
    merge_hashes: bool,
    overwrite_arrays: bool,
    unpack: Option<String>,
    extend: bool,
    keep_unmergeable: bool,
    reverse: bool,
}

/// Returns the type of the options that `deep` accepts.
fn options_type() -> Type {
    let flag = || Type::optional_of(Type::boolean());
    StructType::new(vec![
        Element::optional("strategy", Type::optional_of(Type::string())),
        Element::optional("knockout_prefix", Type::optional_of(Type::string())),
        Element::optional("merge_debug", flag()),
        Element::optional("merge_hash_arrays", flag()),
        Element::optional("sort_merged_arrays", flag()),
    ])
    .into()
}

/// What the operands of a merge have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kinship {
    /// Nothing: they come from two places.
    Strangers,
    /// The lower one is a copy of the higher one, but their parts are the same.
    Copies,
    /// They are one and the same.
    Same,
}

impl Kinship {
    fn of_parts(self) -> Self {
        if self == Self::Strangers { Self::Strangers } else { Self::Same }
    }
}

impl<P: Piece> Merge<P> for Deep {
    fn merge(&self, high: P, low: P) -> Result<P> {
        let prefix = Prefix::new(&self.knockout)?;
        if prefix.is_some() && self.keep_unmergeable {
            return Err(issues::knockout_keeps_unmergeable());
        }
        let merger = Merger { options: self, prefix };
        let (source, dest) = if self.reverse { (low, high) } else { (high, low) };
        merger.merge(source, dest, Kinship::Strangers)
    }

    fn gather<'g>(&'g self, first: &P) -> Option<Box<dyn Gather<P> + 'g>>
    where
        P: 'g,
    {
        let rules = Merger { options: self, prefix: None };
        let changes_nothing_else = self.knockout.as_str().is_none()
            && rules.only_joins()
            && !(self.merge_hashes || self.overwrite_arrays || self.extend)
            && !(self.keep_unmergeable || self.reverse);
        let parts = Gathered::One(first.clone());
        changes_nothing_else.then(|| Box::new(DeepGathering { rules, parts }) as Box<dyn Gather<P> + 'g>)
    }

    fn spoiled(&self, high: &P, low: &P) -> Option<Value> {
        let prefix = Prefix::new(&self.knockout).ok()??;
        let (source, dest) = if self.reverse { (low, high) } else { (high, low) };
        // A list that is unpacked is a new one, and one that overwrites is not looked at.
        if self.unpack.is_some() || self.overwrite_arrays || self.reverse {
            return None;
        }
        spoiled(&source.value(), &dest.value(), &|item| prefix.marks(item), self.merge_hashes)
    }
}

impl Deep {
    fn new(options: &Hash, reverse: bool) -> Self {
        let flag = |name: &str| options.get_str(name).is_some_and(Value::is_truthy);
        Self {
            knockout: options.get_str("knockout_prefix").cloned().unwrap_or_default(),
            sort: flag("sort_merged_arrays"),
            merge_hashes: flag("merge_hash_arrays"),
            overwrite_arrays: flag("overwrite_arrays"),
            unpack: options.get_str("unpack_arrays").and_then(|text| text.as_str().map(str::to_owned)),
            extend: flag("extend_existing_arrays"),
            keep_unmergeable: flag("preserve_unmergeables"),
            reverse,
        }
    }
}

struct Merger<'a> {
    options: &'a Deep,
    prefix: Option<Prefix>,
}

impl<P: Piece> Pairwise<P> for Merger<'_> {
    fn pair(&self, high: P, low: P) -> Result<P> {
        self.merge(high, low, Kinship::Strangers)
    }

    fn settled(&self, value: P) -> Result<P> {
        if self.is_settled(&value) { Ok(value) } else { self.merge(value.clone(), value, Kinship::Copies) }
    }
}

impl Merger<'_> {
    fn merge<P: Piece>(&self, source: P, dest: P, kin: Kinship) -> Result<P> {
        if is_undef(&source) {
            return Ok(dest);
        }
        if !is_truthy(&dest) && !self.options.keep_unmergeable {
            return Ok(source.hiding(&dest));
        }
        match source.view() {
            View::Map(_) => self.merge_map(source, dest, kin),
            View::List(_) => self.merge_list(source, dest, kin),
            View::Scalar(_) => match dest.view() {
                View::List(items) if self.options.extend => Ok(extended(items, source)),
                _ => Ok(self.overwrite(source, dest)),
            },
        }
    }

    fn merge_map<P: Piece>(&self, source: P, dest: P, kin: Kinship) -> Result<P> {
        let View::Map(upper) = source.view() else { return Ok(dest) };
        if matches!(dest.view(), View::Map(_)) {
            let mut merged = dest.into_entries();
            merged.update(upper, |old, value| match old {
                Some(old) if is_truthy(&old) => self.merge(value.clone(), old, kin.of_parts()),
                _ if self.is_settled(value) => Ok(value.clone()),
                // A new entry is merged with a copy of itself: its lists lose duplicates and
                // knockouts, and are sorted.   case: hiera/merge_deep
                _ => self.merge(value.clone(), value.clone(), Kinship::Copies),
            })?;
            return Ok(P::map(merged));
        }
        match dest.view() {
            // An empty hash overwrites nothing, because overwriting happens entry by entry.
            _ if upper.count() == 0 => Ok(dest),
            View::List(items) if self.options.extend => {
                let copies = std::iter::repeat_n(&source, upper.count()).cloned();
                Ok(P::list(items.iter().cloned().chain(copies).collect()))
            }
            _ if self.options.keep_unmergeable => Ok(dest),
            // The first entry makes the hash take the place of what it overwrites; the others are then merged
            // with themselves, so that their lists lose duplicates.   found by scripts/generate-hiera-cases
            _ => {
                let mut merged = upper.clone();
                for (key, value) in upper.pairs().skip(1) {
                    merged.put(key.clone(), self.merge(value.clone(), value.clone(), Kinship::Same)?);
                }
                Ok(P::map(merged).hiding(&dest))
            }
        }
    }

    /// Tells whether merging a piece with itself would change nothing. That is so for most, and cheaper to see than to do.
    fn is_settled<P: Piece>(&self, piece: &P) -> bool {
        if !self.is_plain::<P>() {
            return false;
        }
        match piece.view() {
            View::Scalar(_) => true,
            View::List(items) if self.options.merge_hashes => items.is_empty(),
            View::List(items) => are_different(items),
            View::Map(map) => map.pairs().all(|(_, part)| self.is_settled(part)),
        }
    }

    /// Tells whether lists are joined and nothing else, and there are no origins to note.
    fn is_plain<P: Piece>(&self) -> bool {
        !P::IS_TRACED && self.only_joins()
    }

    /// Tells whether lists are joined and nothing else: no knockouts, no order.
    fn only_joins(&self) -> bool {
        self.prefix.is_none() && !self.options.sort && self.options.unpack.is_none()
    }

    fn merge_list<P: Piece>(&self, source: P, dest: P, kin: Kinship) -> Result<P> {
        if self.options.overwrite_arrays {
            return Ok(source.hiding(&dest));
        }
        if self.is_plain::<P>()
            && !self.options.merge_hashes
            && let (View::List(upper), View::List(lower)) = (source.view(), dest.view())
        {
            return Ok(united(lower, upper).map_or_else(|| dest.clone(), P::list));
        }
        let (mut upper, mut dest) = (items_of(&source), dest);
        if let Some(separator) = &self.options.unpack {
            upper = repacked(&upper, separator);
            if let View::List(items) = dest.view() {
                dest = P::list(repacked(items, separator));
            }
        }
        let mut removed = Vec::new();
        if let Some(prefix) = &self.prefix
            && let Some(bare) = upper.iter().find(|item| prefix.is_bare(*item)).cloned()
        {
            removed.extend(items_of(&dest).into_iter().map(|item| (item, bare.clone())));
            dest = emptied(&dest);
            upper.retain(|item| !prefix.is_bare(item));
            if kin == Kinship::Same {
                upper.clear();
            }
        }
        if !matches!(dest.view(), View::List(_)) {
            let shorter = P::list(upper);
            return Ok(if self.options.keep_unmergeable { dest } else { self.overwrite(shorter, dest) });
        }
        let mut lower = items_of(&dest);
        if let Some(prefix) = &self.prefix {
            if kin == Kinship::Same {
                upper = prefix.knock_out_of_itself(upper);
                lower.clone_from(&upper);
            } else {
                removed.extend(prefix.knock_out(&mut upper, &mut lower));
            }
        }
        let merged = P::list(self.joined(upper, lower, kin)?);
        Ok(removed.iter().fold(merged, |merged, (gone, by)| merged.without(gone, by)))
    }

    fn joined<P: Piece>(&self, upper: Vec<P>, lower: Vec<P>, kin: Kinship) -> Result<Vec<P>> {
        let all_hashes = |items: &[P]| items.iter().all(|item| matches!(item.view(), View::Map(_)));
        let items = if self.options.merge_hashes && all_hashes(&upper) && all_hashes(&lower) {
            self.merged_by_position(upper, lower, kin)?
        } else {
            without_duplicates(lower.into_iter().chain(upper).collect())
        };
        if self.options.sort { sorted(items) } else { Ok(items) }
    }

    fn merged_by_position<P: Piece>(&self, upper: Vec<P>, lower: Vec<P>, kin: Kinship) -> Result<Vec<P>> {
        let mut upper = upper.into_iter();
        let mut items = Vec::with_capacity(lower.len());
        for old in lower {
            let new = upper.next().unwrap_or_else(|| P::map(P::Map::default()));
            items.push(self.merge(new, old, kin.of_parts())?);
        }
        items.extend(upper);
        Ok(items)
    }

    fn overwrite<P: Piece>(&self, source: P, dest: P) -> P {
        if self.options.keep_unmergeable {
            return dest;
        }
        let Some(prefix) = &self.prefix else { return source.hiding(&dest) };
        match source.view() {
            // A knocked out text stays, empty.   case: hiera/merge_deep_knockout
            View::Scalar(Value::String(text)) if prefix.strip(text) != text.as_str() => {
                P::of(Value::from("")).without(&dest, &source)
            }
            View::List(items) => {
                let kept = items.iter().filter(|item| !prefix.marks(*item)).cloned().collect();
                P::list(kept).hiding(&dest)
            }
            _ => source.hiding(&dest),
        }
    }
}

fn is_undef<P: Piece>(piece: &P) -> bool {
    matches!(piece.view(), View::Scalar(Value::Undef))
}

fn is_truthy<P: Piece>(piece: &P) -> bool {
    !matches!(piece.view(), View::Scalar(Value::Undef | Value::Boolean(false)))
}

fn items_of<P: Piece>(piece: &P) -> Vec<P> {
    match piece.view() {
        View::List(items) => items.to_vec(),
        _ => Vec::new(),
    }
}

fn extended<P: Piece>(items: &[P], with: P) -> P {
    P::list(items.iter().cloned().chain([with]).collect())
}

/// Empties what can be emptied; what cannot becomes undef.
fn emptied<P: Piece>(dest: &P) -> P {
    match dest.view() {
        View::List(_) => P::list(Vec::new()),
        View::Map(_) => P::map(P::Map::default()),
        View::Scalar(Value::String(_)) => P::of(Value::from("")),
        View::Scalar(_) => P::of(Value::Undef),
    }
}

/// Joins the items with a separator and splits them again, so that `[a, 'b,c']` becomes `[a, b, c]`.
fn repacked<P: Piece>(items: &[P], separator: &str) -> Vec<P> {
    let joined = items.iter().map(|item| item.value().to_string()).collect::<Vec<_>>().join(separator);
    let mut parts: Vec<&str> = joined.split(separator).collect();
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts.into_iter().map(|part| P::of(Value::from(part))).collect()
}

/// The mark of what shall be removed. It is a regular expression at the start of a line.
struct Prefix {
    text: String,
    pattern: Option<Regexp>,
}

impl Prefix {
    fn new(prefix: &Value) -> Result<Option<Self>> {
        let Some(text) = prefix.as_str() else { return Ok(None) };
        if text.is_empty() {
            return Err(issues::empty_knockout_prefix());
        }
        let is_literal = !text.contains(|c: char| "\\^$.|?*+()[]{}#".contains(c));
        let pattern = if is_literal { None } else { Some(Regexp::new(format!("^{text}"))?) };
        Ok(Some(Self { text: text.to_owned(), pattern }))
    }

    /// Removes the prefix from the start of each line.
    fn strip(&self, text: &str) -> String {
        match &self.pattern {
            None => {
                let lines = text.split_inclusive('\n');
                lines.map(|line| line.strip_prefix(self.text.as_str()).unwrap_or(line)).collect()
            }
            Some(pattern) => strip_pattern(pattern, text),
        }
    }

    fn is_bare<P: Piece>(&self, item: &P) -> bool {
        matches!(item.view(), View::Scalar(Value::String(text)) if *text == *self.text)
    }

    fn marks<P: Piece>(&self, item: &P) -> bool {
        self.target(item).is_some()
    }

    /// Returns what an item knocks out, if it is a knockout.
    fn target<P: Piece>(&self, item: &P) -> Option<Value> {
        let View::Scalar(Value::String(text)) = item.view() else { return None };
        let rest = self.strip(text);
        (rest != text.as_str()).then(|| Value::from(rest))
    }

    /// Takes the knockouts out of `upper`, and what they name out of `lower`. Returns what is gone.
    fn knock_out<P: Piece>(&self, upper: &mut Vec<P>, lower: &mut Vec<P>) -> Vec<(P, P)> {
        let (mut knockouts, mut named) = (Vec::new(), HashMap::new());
        upper.retain(|item| {
            let Some(target) = self.target(item) else { return true };
            named.entry(target).or_insert(knockouts.len());
            named.entry(item.value()).or_insert(knockouts.len());
            knockouts.push(item.clone());
            false
        });
        let mut removed = Vec::new();
        lower.retain(|old| {
            let knockout = if named.is_empty() { None } else { named.get(&old.value()) };
            removed.extend(knockout.map(|&number| (number, old.clone())));
            knockout.is_none()
        });
        // They go in the order of the knockouts.
        removed.sort_by_key(|(number, _)| *number);
        removed.into_iter().map(|(number, old)| (old, knockouts[number].clone())).collect()
    }

    /// Does the same with one list that is both operands: it shrinks while it is walked over, exactly as
    /// Ruby's `delete_if` deals with that.
    fn knock_out_of_itself<P: Piece>(&self, mut items: Vec<P>) -> Vec<P> {
        let (mut read, mut kept) = (0, 0);
        while read < items.len() {
            let item = items[read].clone();
            if let Some(target) = self.target(&item) {
                let full = item.value();
                items.retain(|old| old.value() != target);
                items.retain(|old| old.value() != full);
            } else {
                if read != kept && kept < items.len() {
                    items[kept] = item;
                }
                kept += 1;
            }
            read += 1;
        }
        if kept < read {
            let tail = if read < items.len() { items.split_off(read) } else { Vec::new() };
            items.truncate(kept);
            items.extend(tail);
        }
        items
    }
}

fn strip_pattern(pattern: &Regexp, text: &str) -> String {
    let (mut out, mut at) = (String::new(), 0);
    while at <= text.len() {
        let Ok(Some(captures)) = pattern.captures_from(text, at) else { break };
        let Some((start, end)) = captures.get(0) else { break };
        out.push_str(&text[at..start]);
        at = end;
        if start == end {
            let Some(next) = text[at..].chars().next() else { break };
            out.push(next);
            at += next.len_utf8();
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Value {
        let items = text.split(' ').filter(|item| !item.is_empty());
        Value::array(items.map(Value::from).collect())
    }

    fn check_merge(options: &[(&str, Value)], high: &Value, low: &Value, expected: &Value) {
        let options: Hash = options.iter().map(|(name, value)| (*name, value.clone())).collect();
        let merged = Deep::new(&options, false).merge(high.clone(), low.clone()).expect("merged");
        assert_eq!(&merged, expected, "{high:?} over {low:?}");
    }

    #[test]
    fn lists_are_joined_low_priority_first() {
        check_merge(&[], &list("a b"), &list("b c"), &list("b c a"));
    }

    #[test]
    fn a_knockout_removes_what_the_lower_level_has() {
        let prefix = [("knockout_prefix", Value::from("--"))];
        check_merge(&prefix, &list("a --b"), &list("b c"), &list("c a"));
        check_merge(&prefix, &list("-- a"), &list("b c"), &list("a"));
        check_merge(&prefix, &Value::from("--x"), &Value::from("x"), &Value::from(""));
    }

    #[test]
    fn undef_never_overwrites_and_false_does() {
        check_merge(&[], &Value::Undef, &Value::from(1), &Value::from(1));
        check_merge(&[], &Value::from(false), &Value::from(true), &Value::from(false));
    }

    #[test]
    fn a_hash_over_something_else_merges_all_but_its_first_entry_with_itself() {
        let hash = |first: &str, second: &str| {
            Value::hash([("a", list(first)), ("b", list(second))].into_iter().collect())
        };
        check_merge(&[], &hash("x x", "y y"), &Value::from("text"), &hash("x x", "y"));
    }

    #[test]
    fn sorting_is_bytewise() {
        let sort = [("sort_merged_arrays", Value::from(true))];
        check_merge(&sort, &list("b A"), &list("a"), &list("A a b"));
    }
}
