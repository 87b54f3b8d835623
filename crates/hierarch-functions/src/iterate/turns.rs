//! How blocks are called turn by turn: with an element, with a key and a value, or with an index and an element.

use crate::prelude::*;

/// What one turn is called with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The element; of a hash, the pair.
    One,
    /// Key and value of a pair.
    Pair,
    /// The index and the element.
    Indexed,
}

/// Calls the block for each element of the first argument; `each` gets the element and what the block gave.
///
/// It stops when `each` says so, or at `break()`.
pub(super) fn turns(
    call: &mut Call,
    shape: Shape,
    mut each: impl FnMut(Value, Value) -> Result<bool>,
) -> Result<()> {
    let items = call.items(0);
    let shape = if shape == Shape::Indexed && items.has_pairs() { Shape::Pair } else { shape };
    for (index, item) in items.enumerate() {
        let given = match shape {
            Shape::One => call.yield_values([item.clone()]),
            Shape::Indexed => call.yield_values([Value::from(index), item.clone()]),
            Shape::Pair => match item.as_array() {
                Some([key, value]) => call.yield_values([key.clone(), value.clone()]),
                _ => call.yield_values([item.clone()]),
            },
        };
        match given {
            Err(Unwind::Break) => return Ok(()),
            given => {
                if !each(item, given?)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
