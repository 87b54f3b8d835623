//! `hash`: the entries of all hashes, one level deep; those of higher priority win.

use hierarch_pcore::{Type, Value};
use hierarch_source::Result;

use super::{Code, Definition, Makes, Merge, check_element, no_options};
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
        let (View::Map(upper), View::Map(lower)) = (high.view(), low.view()) else { return Ok(high) };
        let mut merged = lower.clone();
        for (key, value) in upper.pairs() {
            let value = match lower.entry(key) {
                Some(hidden) => value.clone().hiding(hidden),
                None => value.clone(),
            };
            merged.put_of(upper, key, value);
        }
        Ok(P::map(merged))
    }
}

fn wanted() -> Type {
    Type::hash_of(Type::string(), Type::data())
}

fn fits(value: &Value) -> bool {
    matches!(value, Value::Hash(_)) && is_data(value)
}
