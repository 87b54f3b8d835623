//! Lists as sets: `unique`, `union`, `difference` and their like. Order is kept.

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::members::Members;
use super::super::renderer::Renderer;
use super::super::tree::Binary;
use super::super::value::{Key, Val};
use super::collections::without;
use super::sequences::By;

pub(super) static FILTERS: &[Function] = &[
    function("unique", &["a", "case_sensitive?", "attribute?"], |renderer, given| {
        let by = By::new(given.get(2), !given.truth(renderer, 1, false)?);
        let items = renderer.items(given.value(0))?;
        let distinct = distinct(renderer, items, &by)?;
        renderer.list(distinct)
    }),
    function("union", &["a", "b"], |renderer, given| {
        let (a, b) = joinable(renderer, given)?;
        let both = renderer.binary(Binary::Add, &a, &b)?;
        let items = renderer.items(&both)?;
        set(renderer, items)
    }),
    function("intersect", &["a", "b"], |renderer, given| {
        let (a, b) = both(renderer, given)?;
        let members = Members::of(renderer, &b)?;
        let mut kept = Vec::new();
        for item in a {
            if members.has(renderer, &item)? {
                kept.push(item);
            }
        }
        set(renderer, kept)
    }),
    function("difference", &["a", "b"], |renderer, given| {
        let (a, b) = both(renderer, given)?;
        let kept = without(renderer, &a, &b)?;
        set(renderer, kept)
    }),
    function("symmetric_difference", &["a", "b"], |renderer, given| {
        let (first, second) = joinable(renderer, given)?;
        renderer.binary(Binary::Add, &first, &second)?;
        let (a, b) = (renderer.items(&first)?, renderer.items(&second)?);
        let kept = [without(renderer, &a, &b)?, without(renderer, &b, &a)?].concat();
        set(renderer, kept)
    }),
];

/// Returns two arguments as lists; two texts or tuples are sets of what they hold.
fn joinable(renderer: &mut Renderer, given: &BoundArguments) -> Checked<(Val, Val)> {
    let hashable = |value: &Val| matches!(value, Val::Text(_) | Val::Tuple(_));
    let (a, b) = (given.value(0), given.value(1));
    if hashable(a) && hashable(b) {
        let (a, b) = (renderer.items(a)?, renderer.items(b)?);
        return Ok((renderer.list(a)?, renderer.list(b)?));
    }
    Ok((renderer.plain_data(a)?, renderer.plain_data(b)?))
}

fn both(renderer: &mut Renderer, given: &BoundArguments) -> Checked<(Vec<Val>, Vec<Val>)> {
    Ok((renderer.items(given.value(0))?, renderer.items(given.value(1))?))
}

fn set(renderer: &mut Renderer, items: Vec<Val>) -> Checked<Val> {
    let distinct = distinct(renderer, items, &By::new(None, false))?;
    renderer.list(distinct)
}

/// Keeps the first of equal items.
fn distinct(renderer: &mut Renderer, items: Vec<Val>, by: &By) -> Checked<Vec<Val>> {
    let mut seen: rustc_hash::FxHashSet<Key> = rustc_hash::FxHashSet::default();
    let mut others = Members::default();
    let mut kept = Vec::new();
    for item in items {
        renderer.step()?;
        let key = by.key(renderer, &item)?;
        let fresh = match renderer.key_of(&key) {
            Ok(hashed) => seen.insert(hashed),
            Err(fault) if fault.is_final() || fault.is_undefined() => return Err(fault),
            Err(_) => others.insert(renderer, key)?,
        };
        if fresh {
            kept.push(item);
        }
    }
    Ok(kept)
}
