//! `hash`: the entries of all hashes, one level deep; those of higher priority win.

use hierarch_pcore::{Type, Value};
use hierarch_source::Result;

use super::{Merge, check_element};
use crate::piece::{Entries, Piece, View};
use crate::symbol::is_data;

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
            merged.put(key.clone(), value);
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
