//! `unique`: one flat list of all values, each once, high priority first.

use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::Result;

use super::{Code, Definition, Makes, Merge, check_element, no_options};
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

/// Lists with at most this many items are searched for equal ones pair by pair.
const FEW: usize = 8;

/// Tells whether no two of a few items are equal; of many it is not said.
pub(super) fn are_different<P: Piece>(items: &[P]) -> bool {
    let is_new = |(place, item): (usize, &P)| !items[..place].iter().any(|other| is_same(other, item));
    items.len() <= FEW && items.iter().enumerate().all(is_new)
}

fn is_same<P: Piece>(one: &P, other: &P) -> bool {
    match (one.view(), other.view()) {
        (View::Scalar(one), View::Scalar(other)) => one == other,
        (View::Scalar(_), _) | (_, View::Scalar(_)) => false,
        _ => one.value() == other.value(),
    }
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
