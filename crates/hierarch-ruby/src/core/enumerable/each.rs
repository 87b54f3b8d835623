//! `Enumerable`: ways to go through the elements.

use super::super::prelude::*;
use super::amount;

/// What iterates.
pub(super) static METHODS: &[Builtin] = &[
    m("each_with_index", 0, -1, each_with_index)
        .gives(&["%w[a b].each_with_index.to_a => [[\"a\", 0], [\"b\", 1]]"]),
    m("each_with_object", 1, 1, each_with_object)
        .gives(&["[1, 2].each_with_object([]) { |x, m| m << x } => [1, 2]"]),
    m("each_entry", 0, -1, each_entry),
    m("each_slice", 1, 1, each_slice).gives(&["[1, 2, 3].each_slice(2).to_a => [[1, 2], [3]]"]),
    m("each_cons", 1, 1, each_cons).gives(&["[1, 2, 3].each_cons(2).to_a => [[1, 2], [2, 3]]"]),
    m("reverse_each", 0, -1, reverse_each).gives(&["[1, 2].reverse_each.to_a => [2, 1]"]),
    m("cycle", 0, 1, cycle)
        .gives(&["[1, 2].cycle.first(3) => [1, 2, 1]", "[1, 2].cycle(2).to_a => [1, 2, 1, 2]"]),
    m("lazy", 0, 0, super::super::lazy::make_lazy)
        .gives(&["(1..Float::INFINITY).lazy.map { |x| x * 2 }.first(2) => [2, 4]"]),
];

fn each_with_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_with_index", args) };
    args.check(vm, 0, Some(0))?;
    vm.fold(me, 0i64, move |vm, place: &mut i64, item| {
        vm.call_block(&block, &[item, Value::Int(*place)])?;
        *place += 1;
        Ok(true)
    })?;
    Ok(me.clone())
}

fn each_with_object(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_with_object", args) };
    let memo = args.at(0);
    let kept = memo.clone();
    vm.fold(me, (), move |vm, (), item| {
        vm.call_block(&block, &[item, kept.clone()])?;
        Ok(true)
    })?;
    Ok(memo)
}

fn each_entry(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_entry", args) };
    args.check(vm, 0, Some(0))?;
    vm.fold(me, (), move |vm, (), item| {
        vm.call_block(&block, &[item])?;
        Ok(true)
    })?;
    Ok(me.clone())
}

fn each_slice(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let size = amount(vm, &args.at(0), "invalid slice size")?;
    if size == 0 {
        return Err(vm.raise("ArgumentError", "invalid slice size"));
    }
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_slice", args) };
    let last = block.clone();
    let rest = vm.fold(me, Vec::new(), move |vm, slice: &mut Vec<Value>, item| {
        slice.push(item);
        if slice.len() == size {
            let full = vm.array(std::mem::take(slice));
            vm.call_block(&block, &[full])?;
        }
        Ok(true)
    })?;
    if !rest.is_empty() {
        let rest = vm.array(rest);
        vm.call_block(&last, &[rest])?;
    }
    Ok(me.clone())
}

fn each_cons(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let size = amount(vm, &args.at(0), "invalid size")?;
    if size == 0 {
        return Err(vm.raise("ArgumentError", "invalid size"));
    }
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_cons", args) };
    vm.fold(me, Vec::new(), move |vm, window: &mut Vec<Value>, item| {
        window.push(item);
        if window.len() > size {
            window.remove(0);
        }
        if window.len() == size {
            let full = vm.array(window.clone());
            vm.call_block(&block, &[full])?;
        }
        Ok(true)
    })?;
    Ok(me.clone())
}

fn reverse_each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    // That of lists is one of its own, which takes nothing; others hand what they are given to `each`.
    if matches!(me, Value::Array(_)) {
        args.check(vm, 0, Some(0))?;
    }
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "reverse_each", args) };
    args.check(vm, 0, Some(0))?;
    for item in vm.elements(me)?.into_iter().rev() {
        vm.call_block(&block, &[item])?;
    }
    Ok(me.clone())
}

fn cycle(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "cycle", args) };
    let turns = if args.at(0).is_nil() { None } else { Some(args.int(vm, 0)?.max(0)) };
    let list = vm.elements(me)?;
    let mut turn = 0;
    while !list.is_empty() && turns.is_none_or(|turns| turn < turns) {
        for item in &list {
            vm.call_block(&block, std::slice::from_ref(item))?;
        }
        turn += 1;
    }
    Ok(Value::Nil)
}
