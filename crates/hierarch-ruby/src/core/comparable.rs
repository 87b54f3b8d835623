//! `Comparable`

use super::prelude::*;
use std::cmp::Ordering;

static METHODS: &[Builtin] = &[
    m("==", 1, 1, equals),
    m("<", 1, 1, |vm, me, args| holds(vm, me, args, Ordering::is_lt)).gives(&["'a' < 'b' => true"]),
    m("<=", 1, 1, |vm, me, args| holds(vm, me, args, Ordering::is_le)),
    m(">", 1, 1, |vm, me, args| holds(vm, me, args, Ordering::is_gt))
        .gives(&["'a' > 1 !! ArgumentError: comparison of String with 1 failed"]),
    m(">=", 1, 1, |vm, me, args| holds(vm, me, args, Ordering::is_ge)),
    m("between?", 2, 2, between).gives(&["2.between?(1, 3) => true"]),
    m("clamp", 1, 2, clamp).gives(&["5.clamp(1, 3) => 3", "0.clamp(1..) => 1"]),
];

/// `Comparable`
pub(super) static COMPARABLE: ClassSpec =
    ClassSpec { methods: &[METHODS], ..ClassSpec::module("Comparable") };

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    if me.is_same(&other) {
        return Ok(Value::Bool(true));
    }
    Ok(Value::Bool(vm.try_compare(me, &other)? == Some(Ordering::Equal)))
}

fn holds(vm: &mut Vm<'_>, me: &Value, args: &Args, holds: fn(Ordering) -> bool) -> Res {
    Ok(Value::Bool(holds(vm.compare(me, &args.at(0))?)))
}

fn between(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(Value::Bool(vm.compare(me, &args.at(0))?.is_ge() && vm.compare(me, &args.at(1))?.is_le()))
}

fn clamp(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (low, high) = match (args.len(), args.at(0)) {
        (1, Value::Range(range)) => {
            if range.exclusive && !range.to.is_nil() {
                return Err(vm.raise("ArgumentError", "cannot clamp with an exclusive range"));
            }
            (range.from.clone(), range.to.clone())
        }
        (1, other) => {
            let name = vm.kind_of(&other);
            return Err(vm.raise("TypeError", format!("wrong argument type {name} (expected Range)")));
        }
        (_, low) => (low, args.at(1)),
    };
    if !low.is_nil() && !high.is_nil() && vm.compare(&low, &high)?.is_gt() {
        return Err(vm.raise("ArgumentError", "min argument must be less than or equal to max argument"));
    }
    if !low.is_nil() && vm.compare(me, &low)?.is_lt() {
        return Ok(low);
    }
    if !high.is_nil() && vm.compare(me, &high)?.is_gt() {
        return Ok(high);
    }
    Ok(me.clone())
}
