//! `unique`: one flat list of all values, each once, high priority first.

use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::Result;

use super::{Code, Definition, Gather, Makes, Merge, check_element, no_options};
use crate::piece::{Piece, View};
use hierarch_pcore::data::is_data;

/// Values gathered in one list.
pub(super) static UNIQUE: Definition = Definition {
    name: "unique",
    doc: "All values in one flat list, each once.",
    is_public: true,
    makes: Makes::List,
    options: Some(no_options),
    without_options: None,
    undiggable: Some("array"),
    code: |_| Code::Fixed(&Unique),
};

/// The strategy that collects scalars and lists into one list.
pub(super) struct Unique;

impl<P: Piece> Merge<P> for Unique {
    fn convert(&self, value: P) -> P {
        P::list(flat(&value))
    }

    fn single(&self, value: P) -> P {
        match value.view() {
            View::List(items) => P::list(without_duplicates(items.to_vec())),
            _ => value,
        }
    }

    fn merge(&self, high: P, low: P) -> Result<P> {
        check_element("first", &high, fits, wanted)?;
        check_element("second", &low, fits, wanted)?;
        let mut items = flat(&high);
        items.extend(flat(&low));
        Ok(P::list(without_duplicates(items)))
    }

    fn gather<'g>(&'g self, first: &P) -> Option<Box<dyn Gather<P> + 'g>>
    where
        P: 'g,
    {
        Some(Box::new(UniqueGathering { items: flat(first), is_alone: true }))
    }
}

/// Values gathered in one list, whose duplicates are looked for once.
struct UniqueGathering<P> {
    items: Vec<P>,
    is_alone: bool,
}

impl<P: Piece> Gather<P> for UniqueGathering<P> {
    fn add(&mut self, low: P) -> Result<()> {
        if self.is_alone {
            check_element("first", &P::list(self.items.clone()), fits, wanted)?;
        }
        check_element("second", &low, fits, wanted)?;
        self.items.extend(flat(&low));
        self.is_alone = false;
        Ok(())
    }

    fn merged(self: Box<Self>) -> Result<P> {
        Ok(P::list(if self.is_alone { self.items } else { without_duplicates(self.items) }))
    }
}

fn wanted() -> Type {
    Type::variant_of(vec![Type::scalar(), Type::array_of(Type::data())])
}

fn fits(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Hash(_) => false,
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_data),
        other => is_data(other) || wanted().has(other),
    }
}

fn flat<P: Piece>(value: &P) -> Vec<P> {
    match value.view() {
        View::List(items) => items.iter().flat_map(flat).collect(),
        _ => vec![value.clone()],
    }
}

/// Lists with at most this many items are searched for equal ones pair by pair, which is faster than to hash them.
const FEW: usize = 32;

/// Tells whether no two of a few items are equal; of many it is not said.
pub(super) fn are_different<P: Piece>(items: &[P]) -> bool {
    let mut known = FewItems::default();
    items.len() <= FEW
        && items.iter().all(|item| {
            let sign = sign(item);
            let is_new = !known.has(sign, |place| is_same(&items[place], item));
            known.push(sign);
            is_new
        })
}

/// The signs of a few items: those of equal items are equal, and what has another sign need not be compared.
#[derive(Default)]
struct FewItems {
    signs: [u64; FEW],
    count: usize,
}

impl FewItems {
    fn push(&mut self, sign: u64) {
        if let Some(place) = self.signs.get_mut(self.count) {
            *place = sign;
            self.count += 1;
        }
    }

    /// Tells whether there is an item with this sign which is also the same.
    fn has(&self, sign: u64, is_same: impl Fn(usize) -> bool) -> bool {
        let known = self.signs[..self.count].iter().enumerate();
        known.filter(|(_, known)| **known == sign).any(|(place, _)| is_same(place))
    }
}

/// Returns a number that is the same for equal items, from what can be seen at a glance: texts end differently more often
/// than they begin so.
fn sign<P: Piece>(item: &P) -> u64 {
    match item.view() {
        View::Scalar(Value::String(text)) => {
            let bytes = text.as_bytes();
            let mut end = [0; 8];
            let length = bytes.len().min(7);
            end[..length].copy_from_slice(&bytes[bytes.len() - length..]);
            end[7] = bytes.len() as u8;
            u64::from_le_bytes(end)
        }
        View::Scalar(Value::Integer(number)) => number.cast_unsigned(),
        View::Scalar(_) => 1,
        _ => 2,
    }
}

fn is_same<P: Piece>(one: &P, other: &P) -> bool {
    match (one.view(), other.view()) {
        (View::Scalar(one), View::Scalar(other)) => one == other,
        (View::Scalar(_), _) | (_, View::Scalar(_)) => false,
        _ => one.value() == other.value(),
    }
}

/// Joins two lists as [`without_duplicates`] does; nothing if that is the first of them as it is. Origins get lost.
pub(super) fn united<P: Piece>(first: &[P], second: &[P]) -> Option<Vec<P>> {
    if first.len() + second.len() > FEW {
        return Some(without_duplicates(first.iter().chain(second).cloned().collect()));
    }
    let mut known = FewItems::default();
    let mut places: [usize; FEW] = [0; FEW];
    let at = |place: usize| first.get(place).unwrap_or_else(|| &second[place - first.len()]);
    for (place, item) in first.iter().chain(second).enumerate() {
        let sign = sign(item);
        if !known.has(sign, |other| is_same(at(places[other]), item)) {
            places[known.count] = place;
            known.push(sign);
        }
    }
    // All of the first are different, and the second adds none to them.
    let is_first =
        known.count == first.len() && places[..known.count].last().is_none_or(|&last| last < first.len());
    (!is_first).then(|| places[..known.count].iter().map(|&place| at(place).clone()).collect())
}

/// Keeps the first of equal items. `1`, `1.0` and `'1'` are three values.
pub(super) fn without_duplicates<P: Piece>(items: Vec<P>) -> Vec<P> {
    if items.len() > FEW {
        return without_duplicates_of_many(items);
    }
    let mut kept: Vec<P> = Vec::with_capacity(items.len());
    for item in items {
        match kept.iter_mut().find(|known| is_same(*known, &item)) {
            None => kept.push(item),
            Some(known) if P::IS_TRACED => *known = known.clone().hiding(&item),
            Some(_) => {}
        }
    }
    kept
}

fn without_duplicates_of_many<P: Piece>(items: Vec<P>) -> Vec<P> {
    let mut places = Hash::with_capacity(items.len());
    let mut kept: Vec<P> = Vec::with_capacity(items.len());
    for item in items {
        match places.get(&item.value()) {
            None => {
                places.insert(item.value(), kept.len());
                kept.push(item);
            }
            Some(Value::Integer(place)) if P::IS_TRACED => {
                if let Some(first) = usize::try_from(*place).ok().and_then(|place| kept.get_mut(place)) {
                    *first = first.clone().hiding(&item);
                }
            }
            Some(_) => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some of a few values, many of them equal, as many as are asked for.
    fn some(count: usize, seed: usize) -> Vec<Value> {
        let list = |item: Value| Value::array(vec![item]);
        let known = [
            Value::from(1),
            Value::from(1.0),
            Value::from("1"),
            Value::from("a"),
            Value::Undef,
            list(Value::from(1)),
            list(Value::from(1.0)),
        ];
        let value = |place: usize| match (place * 7 + seed * 13) % 29 {
            number if number < known.len() => known[number].clone(),
            number => Value::from(format!("t{number}")),
        };
        (0..count).map(value).collect()
    }

    #[test]
    fn lists_are_united_as_duplicates_are_removed() {
        for (first, second) in (0..20).flat_map(|first| (0..20).map(move |second| (first, second))) {
            for seed in 0..6 {
                let (first, second) = (some(first, seed), some(second, seed / 2));
                let joined: Vec<Value> = first.iter().chain(&second).cloned().collect();
                let few = without_duplicates(joined.clone());
                assert_eq!(few, without_duplicates_of_many(joined));
                assert_eq!(united(&first, &second).unwrap_or_else(|| first.clone()), few);
            }
        }
    }
}
