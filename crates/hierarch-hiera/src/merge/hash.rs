//! `hash`: the entries of all hashes, one level deep; those of higher priority win.

use hierarch_pcore::{Type, Value};
use hierarch_source::Result;

use super::{Code, Definition, Gather, Makes, Merge, check_element, no_options};
use crate::piece::{Entries, Piece, View};
use hierarch_pcore::data::is_data;

/// Hashes merged at their top.
pub(super) static HASH: Definition = Definition {
    name: "hash",
    doc: "The entries of all hashes; those of higher priority win.",
    is_public: true,
    makes: Makes::Hash,
    options: Some(no_options),
    without_options: None,
    undiggable: Some("hash"),
    code: |_| Code::Fixed(&Shallow),
};

/// The strategy that updates the lower hash with the higher one, so that the lower one's order counts.
pub(super) struct Shallow;

impl<P: Piece> Merge<P> for Shallow {
    fn merge(&self, high: P, low: P) -> Result<P> {
        check_element("first", &high, fits, wanted)?;
        check_element("second", &low, fits, wanted)?;
        Ok(P::map(updated(low.into_entries(), &high)))
    }

    fn gather<'g>(&'g self, first: &P) -> Option<Box<dyn Gather<P> + 'g>>
    where
        P: 'g,
    {
        Some(Box::new(HashGathering { all: vec![first.clone()] }))
    }
}

/// Sets the entries of a hash, which hide those that are there.
fn updated<P: Piece>(mut merged: P::Map, upper: &P) -> P::Map {
    let View::Map(upper) = upper.view() else { return merged };
    for (key, value) in upper.pairs() {
        let value = match merged.entry(key) {
            Some(hidden) => value.clone().hiding(hidden),
            None => value.clone(),
        };
        merged.put_of(upper, key, value);
    }
    merged
}

/// Hashes, the highest first, whose entries are put together once, from the lowest up.
struct HashGathering<P> {
    all: Vec<P>,
}

impl<P: Piece> Gather<P> for HashGathering<P> {
    fn add(&mut self, low: P) -> Result<()> {
        if let [first] = &self.all[..] {
            check_element("first", first, fits, wanted)?;
        }
        check_element("second", &low, fits, wanted)?;
        self.all.push(low);
        Ok(())
    }

    fn merged(mut self: Box<Self>) -> Result<P> {
        match self.all.pop() {
            Some(lowest) if !self.all.is_empty() => {
                Ok(P::map(self.all.iter().rev().fold(lowest.into_entries(), updated)))
            }
            alone => Ok(alone.unwrap_or_else(|| P::of(Value::Undef))),
        }
    }
}

fn wanted() -> Type {
    Type::hash_of(Type::string(), Type::data())
}

fn fits(value: &Value) -> bool {
    matches!(value, Value::Hash(_)) && is_data(value)
}
