//! `Enumerable`, a file per family of methods: what everything with `each` has. Arrays, hashes and ranges share these.

mod choose;
mod each;
mod gather;
mod order;

pub(super) use choose::count;
pub(super) use gather::to_h;
pub(super) use order::extreme_of_literal;

use super::prelude::*;

/// `Enumerable`
pub(super) static ENUMERABLE: ClassSpec = ClassSpec {
    methods: &[gather::METHODS, choose::METHODS, order::METHODS, each::METHODS],
    ..ClassSpec::module("Enumerable")
};

/// Calls a block with an element: one that is an array is taken apart by the block's parameters.
fn call(vm: &mut Vm<'_>, block: &Rc<Proc>, item: Value) -> Res {
    vm.call_block(block, &[item])
}

/// Calls a block with an element as it was yielded: several values at once are as many arguments.
pub(super) fn call_yielded(vm: &mut Vm<'_>, block: &Rc<Proc>, item: Value, is_many: bool) -> Res {
    match &item {
        Value::Array(values) if is_many => vm.call_block(block, &values.to_vec()),
        _ => vm.call_block(block, &[item]),
    }
}

/// Returns the two parts of a pair.
pub(super) fn pair_of(vm: &mut Vm<'_>, pair: &Value, place: usize) -> Res<(Value, Value)> {
    match vm.to_ary(pair)? {
        Some(parts) if parts.len() == 2 => Ok((parts[0].clone(), parts[1].clone())),
        Some(parts) => {
            let message = format!("wrong array length at {place} (expected 2, was {})", parts.len());
            Err(vm.raise("ArgumentError", message))
        }
        None => {
            let class = vm.class_name(pair);
            Err(vm.raise("TypeError", format!("wrong element type {class} at {place} (expected array)")))
        }
    }
}

/// Returns a number of elements that is asked for.
pub(super) fn amount(vm: &mut Vm<'_>, value: &Value, what: &str) -> Res<usize> {
    let number = vm.to_int(value)?;
    match usize::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => Err(vm.raise("ArgumentError", what)),
    }
}

fn amount_shown(vm: &mut Vm<'_>, value: &Value) -> Res<usize> {
    let number = vm.to_int(value)?;
    usize::try_from(number).map_err(|_| vm.raise("ArgumentError", format!("negative size ({number})")))
}
