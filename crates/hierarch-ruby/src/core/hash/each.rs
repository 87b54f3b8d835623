//! Walking and choosing.

use super::super::prelude::*;
use super::{call, call_with_pair, it, store};

pub(super) static METHODS: &[Builtin] = &[
    m("each", 0, 0, |vm, me, args| each(vm, me, args, "each"))
        .gives(&["r = []; { a: 1 }.each { |k, v| r << [k, v] }; r => [[:a, 1]]"]),
    m("each_pair", 0, 0, |vm, me, args| each(vm, me, args, "each_pair"))
        .gives(&["{ a: 1 }.each_pair.to_a => [[:a, 1]]"]),
    m("each_key", 0, 0, |vm, me, args| each_part(vm, me, args, "each_key", |(key, _)| key))
        .gives(&["{ a: 1 }.each_key.to_a => [:a]"]),
    m("each_value", 0, 0, |vm, me, args| each_part(vm, me, args, "each_value", |(_, value)| value))
        .gives(&["{ a: 1 }.each_value.to_a => [1]"]),
    m("select", 0, 0, |vm, me, args| filter(vm, me, args, "select", true)).gives(&[
        "{ a: 1, b: 2 }.select { |k, v| v > 1 } => {:b=>2}",
        "{ a: 1 }.select { |x| x == :a } => {:a=>1}",
    ]),
    m("filter", 0, 0, |vm, me, args| filter(vm, me, args, "filter", true))
        .gives(&["{ a: 1 }.filter { |k, v| v > 1 } => {}"]),
    m("reject", 0, 0, |vm, me, args| filter(vm, me, args, "reject", false))
        .gives(&["{ a: 1, b: 2 }.reject { |k, v| v > 1 } => {:a=>1}"]),
    m("any?", 0, 1, any).gives(&["{ a: 1 }.any? { |k, v| v > 0 } => true", "{}.any? => false"]),
    m("all?", 0, 1, |vm, me, args| {
        let Some(block) = args.block.clone().filter(|_| args.is_empty()) else {
            return super::super::on_pairs(vm, me, "all?", args);
        };
        for (key, value) in it(me).pairs() {
            if !call_with_pair(vm, &block, &key, &value)?.truthy() {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    })
    .gives(&["{ a: 1 }.all? { |k, v| v > 0 } => true"]),
    m("map", 0, 0, |vm, me, args| map(vm, me, args, "map"))
        .gives(&["{ a: 1 }.map { |k, v| [v, k] } => [[1, :a]]", "{ a: 1 }.map(&:first) => [:a]"]),
    m("collect", 0, 0, |vm, me, args| map(vm, me, args, "collect")),
    m("flat_map", 0, 0, |vm, me, args| super::super::on_pairs(vm, me, "flat_map", args)),
    m("filter_map", 0, 0, filter_map).gives(&["{ a: 1 }.filter_map { |k, v| v } => [1]"]),
    m("find", 0, 1, |vm, me, args| super::super::on_pairs(vm, me, "find", args))
        .gives(&["{ a: 1 }.find { |k, v| v == 1 } => [:a, 1]"]),
    m("min_by", 0, 1, |vm, me, args| super::super::on_pairs(vm, me, "min_by", args))
        .gives(&["{ a: 1, b: 0 }.min_by { |k, v| v } => [:b, 0]"]),
    m("max_by", 0, 1, |vm, me, args| super::super::on_pairs(vm, me, "max_by", args)),
    m("sum", 0, 1, |vm, me, args| super::super::on_pairs(vm, me, "sum", args))
        .gives(&["{ a: 1, b: 2 }.sum { |k, v| v } => 3"]),
    m("group_by", 0, 0, |vm, me, args| super::super::on_pairs(vm, me, "group_by", args)),
    m("partition", 0, 0, |vm, me, args| super::super::on_pairs(vm, me, "partition", args)),
    m("sort_by", 0, 0, |vm, me, args| super::super::on_pairs(vm, me, "sort_by", args))
        .gives(&["{ b: 1, a: 2 }.sort_by { |k, v| v } => [[:b, 1], [:a, 2]]"]),
    m("transform_values", 0, 0, transform_values)
        .gives(&["{ a: 1 }.transform_values { |v| v + 1 } => {:a=>2}"]),
    m("transform_keys", 0, 1, transform_keys).gives(&[
        "{ a: 1 }.transform_keys(&:to_s) => {\"a\"=>1}",
        "{ a: 1, b: 2 }.transform_keys({ a: :c }) => {:c=>1, :b=>2}",
    ]),
    m("invert", 0, 0, invert).gives(&["{ a: 1 }.invert => {1=>:a}"]),
    m("flatten", 0, 1, flatten)
        .gives(&["{ a: [1] }.flatten => [:a, [1]]", "{ a: [1] }.flatten(2) => [:a, 1]"]),
];

fn each(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    let hash = it(me);
    hash.walkers.set(hash.walkers.get() + 1);
    let mut result = Ok(());
    let mut at = 0;
    while let Some((key, value)) = hash.at(at) {
        let before = hash.len();
        if let Err(flow) = call_with_pair(vm, &block, &key, &value) {
            result = Err(flow);
            break;
        }
        // An entry that was removed moves the others up.
        at = if hash.len() < before { at } else { at + 1 };
    }
    hash.walkers.set(hash.walkers.get() - 1);
    result.map(|()| me.clone())
}

fn each_part(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, pick: fn((Value, Value)) -> Value) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    for pair in it(me).pairs() {
        vm.call_block(&block, &[pick(pair)])?;
    }
    Ok(me.clone())
}

fn filter(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, keeps: bool) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    let entries: Vec<_> = it(me).entries().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut kept = Entries::default();
    for (key, value) in entries {
        if call(vm, &block, &key.value, &value)?.truthy() == keeps {
            kept.insert(key, value);
        }
    }
    Ok(vm.hash_of(kept))
}

fn any(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone().filter(|_| args.is_empty()) else {
        return if args.is_empty() {
            Ok(Value::Bool(!it(me).is_empty()))
        } else {
            super::super::on_pairs(vm, me, "any?", args)
        };
    };
    for (key, value) in it(me).pairs() {
        if call_with_pair(vm, &block, &key, &value)?.truthy() {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn map(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    // `map` alone spreads a pair for a lambda of two.
    let is_of_two = block.is_lambda && super::super::proc_::arity(&block) == 2;
    let of_pair = if is_of_two { call } else { call_with_pair };
    let mut list = Vec::new();
    for (key, value) in it(me).pairs() {
        list.push(of_pair(vm, &block, &key, &value)?);
    }
    Ok(vm.array(list))
}

fn filter_map(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "filter_map", args) };
    let mut kept = Vec::new();
    for (key, value) in it(me).pairs() {
        kept.push(call_with_pair(vm, &block, &key, &value)?);
    }
    kept.retain(Value::truthy);
    Ok(vm.array(kept))
}

fn transform_values(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "transform_values", args) };
    let entries: Vec<_> = it(me).entries().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut new = Entries::default();
    for (key, value) in entries {
        new.insert(key, vm.call_block(&block, &[value])?);
    }
    Ok(vm.hash_of(new))
}

fn transform_keys(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let map = match args.get(0) {
        Some(map) => Some(vm.to_hash(map)?),
        None => None,
    };
    if args.block.is_none() && map.is_none() {
        return vm.enumerator(me, "transform_keys", args);
    }
    let result = vm.hash_of(Entries::default());
    for (key, value) in it(me).pairs() {
        let named = match &map {
            Some(map) => map.get(&vm.identity(&key)?),
            None => None,
        };
        let new = match (named, &args.block) {
            (Some(new), _) => new,
            (None, Some(block)) => vm.call_block(&Rc::clone(block), &[key])?,
            (None, None) => key,
        };
        store(vm, &result, &new, value)?;
    }
    Ok(result)
}

fn invert(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let result = vm.hash_of(Entries::default());
    for (key, value) in it(me).pairs() {
        store(vm, &result, &value, key)?;
    }
    Ok(result)
}

fn flatten(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let depth = if args.is_empty() { 1 } else { args.int(vm, 0)? };
    let pairs = it(me).pairs().into_iter().map(|(key, value)| vm.pair(key, value)).collect();
    let pairs = vm.array(pairs);
    vm.send(&pairs, Sym::of("flatten"), &[Value::Int(depth)])
}
