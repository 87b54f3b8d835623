//! How blocks are called turn by turn: with an element, with a key and a value, or with an index and an element.

use crate::prelude::*;

/// What one turn is called with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The element; of a hash, the pair.
    One,
    /// The element; of a hash, the value.
    Value,
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
    each: impl FnMut(Value, Value) -> Result<bool>,
) -> Result<()> {
    until_break(all_turns(call, shape, each))
}

/// Does the same for functions that leave `break()` to an iteration around them, unless they walk over something that is
/// made while it is walked over.
pub(super) fn turns_without_break(
    call: &mut Call,
    shape: Shape,
    each: impl FnMut(Value, Value) -> Result<bool>,
) -> Result<()> {
    let is_made = ends_at_break(call.value(0));
    let result = all_turns(call, shape, each);
    if is_made { until_break(result) } else { result }
}

/// Tells whether `break()` ends any walk over a value: over ranges, numbers and iterators.
pub(crate) fn ends_at_break(value: &Value) -> bool {
    Lazy::is_made_by_walking(value)
}

/// Does the same for functions that leave every `break()` to an iteration around them.
pub(super) fn all_turns(
    call: &mut Call,
    shape: Shape,
    mut each: impl FnMut(Value, Value) -> Result<bool>,
) -> Result<()> {
    let items = call.items(0);
    let shape = match shape {
        Shape::Indexed if items.has_pairs() => Shape::Pair,
        Shape::Value if !items.has_pairs() => Shape::One,
        shape => shape,
    };
    for (index, item) in items.enumerate() {
        let given = turn(call, shape, index, &item)?;
        if !each(item, given)? {
            return Ok(());
        }
    }
    Ok(())
}

fn turn(call: &mut Call, shape: Shape, index: usize, item: &Value) -> Result<Value> {
    match (shape, item.as_array()) {
        (Shape::Indexed, _) => call.yield_values([Value::from(index), item.clone()]),
        (Shape::Pair, Some([key, value])) => call.yield_values([key.clone(), value.clone()]),
        (Shape::Value, Some([_, value])) => call.yield_values([value.clone()]),
        _ => call.yield_values([item.clone()]),
    }
}
