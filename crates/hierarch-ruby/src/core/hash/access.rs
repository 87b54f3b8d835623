//! Values by key.

use super::super::prelude::*;
use super::{identity, it};

pub(super) static METHODS: &[Builtin] = &[
    m("[]", 1, 1, index).gives(&[
        "{ a: 1 }[:a] => 1",
        "{}[:a] => nil",
        "Hash.new { |h, k| h[k] = k * 2 }[2] => 4",
    ]),
    m("fetch", 1, 2, fetch).gives(&[
        "{ a: 1 }.fetch(:a) => 1",
        "{}.fetch(:a, 2) => 2",
        "{}.fetch('z') !! KeyError: key not found: \"z\"",
    ]),
    m("dig", 1, -1, dig).gives(&["{ a: { b: [1] } }.dig(:a, :b, 0) => 1"]),
    m("key?", 1, 1, has_key).gives(&["{ a: 1 }.key?(:a) => true"]),
    m("has_key?", 1, 1, has_key).gives(&["{ a: 1 }.has_key?(:b) => false"]),
    m("include?", 1, 1, has_key).gives(&["{ a: 1 }.include?(:a) => true"]),
    m("member?", 1, 1, has_key).gives(&["{ a: 1 }.member?(:a) => true"]),
    m("value?", 1, 1, has_value).gives(&["{ a: 1 }.value?(1) => true"]),
    m("has_value?", 1, 1, has_value).gives(&["{ a: 1 }.has_value?(2) => false"]),
    m("key", 1, 1, key_of).gives(&["{ a: 1 }.key(1) => :a"]),
    m("keys", 0, 0, |vm, me, _| {
        let keys = it(me).entries().keys().map(|key| key.value.clone()).collect();
        Ok(vm.array(keys))
    })
    .gives(&["{ a: 1 }.keys => [:a]"]),
    m("values", 0, 0, |vm, me, _| {
        let values = it(me).entries().values().cloned().collect();
        Ok(vm.array(values))
    })
    .gives(&["{ a: 1 }.values => [1]"]),
    m("values_at", 0, -1, values_at).gives(&["{ a: 1 }.values_at(:a, :b) => [1, nil]"]),
    m("fetch_values", 0, -1, fetch_values).gives(&["{ a: 1 }.fetch_values(:a) => [1]"]),
    m("first", 0, 1, first).gives(&["{ a: 1, b: 2 }.first => [:a, 1]", "{ a: 1 }.first(1) => [[:a, 1]]"]),
    m("assoc", 1, 1, assoc).gives(&["{ a: 1 }.assoc(:a) => [:a, 1]"]),
    m("rassoc", 1, 1, rassoc).gives(&["{ a: 1 }.rassoc(1) => [:a, 1]"]),
    m("slice", 0, -1, slice).gives(&["{ a: 1, b: 2 }.slice(:a, :x) => {:a=>1}"]),
    m("except", 0, -1, except).gives(&["{ a: 1, b: 2 }.except(:a) => {:b=>2}"]),
];

fn index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let key = args.at(0);
    let identity = identity(vm, &hash, &key)?;
    match hash.get(&identity) {
        Some(value) => Ok(value),
        None => missing(vm, me, &key),
    }
}

/// Returns what a missing key gives.
fn missing(vm: &mut Vm<'_>, me: &Value, key: &Value) -> Res {
    let hash = it(me);
    if hash.meta.borrow().is_some() {
        return vm.send(me, Sym::of("default"), std::slice::from_ref(key));
    }
    let block = hash.default_block.borrow().clone();
    match block {
        Value::Proc(block) => vm.call_block(&block, &[me.clone(), key.clone()]),
        _ => Ok(hash.default.borrow().clone()),
    }
}

fn fetch(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let key = args.at(0);
    let identity = identity(vm, &hash, &key)?;
    if let Some(value) = hash.get(&identity) {
        return Ok(value);
    }
    if let Some(block) = args.block.clone() {
        return vm.call_block(&block, &[key]);
    }
    match args.get(1) {
        Some(default) => Ok(default.clone()),
        None => {
            let shown = vm.inspect(&key)?;
            Err(vm.raise_with(
                "KeyError",
                format!("key not found: {shown}"),
                vec![("key", key), ("receiver", me.clone())],
            ))
        }
    }
}

fn dig(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let first = vm.send(me, names::INDEX, &args.list[..1])?;
    super::super::array_dig_on(vm, &first, &args.list[1..])
}

fn has_key(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let identity = identity(vm, &hash, &args.at(0))?;
    Ok(Value::Bool(hash.entries().contains_key(&identity)))
}

fn find(vm: &mut Vm<'_>, me: &Value, wanted: &Value) -> Res<Option<(Value, Value)>> {
    for (key, value) in it(me).pairs() {
        if vm.equal(&value, wanted)? {
            return Ok(Some((key, value)));
        }
    }
    Ok(None)
}

fn has_value(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(Value::Bool(find(vm, me, &args.at(0))?.is_some()))
}

fn key_of(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(find(vm, me, &args.at(0))?.map(|(key, _)| key).unwrap_or_default())
}

fn values_at(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut list = Vec::new();
    for key in &args.list {
        list.push(vm.send(me, names::INDEX, std::slice::from_ref(key))?);
    }
    Ok(vm.array(list))
}

fn fetch_values(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut list = Vec::new();
    for key in &args.list {
        list.push(fetch(vm, me, &Args::with_block(std::slice::from_ref(key), args.block.clone()))?);
    }
    Ok(vm.array(list))
}

fn first(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() {
        return Ok(it(me).at(0).map_or(Value::Nil, |(key, value)| vm.pair(key, value)));
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "attempt to take negative size")?;
    let pairs = it(me).pairs().into_iter().take(count).map(|(key, value)| vm.pair(key, value)).collect();
    Ok(vm.array(pairs))
}

fn assoc(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let identity = identity(vm, &hash, &args.at(0))?;
    let found =
        hash.entries().get_key_value(&identity).map(|(key, value)| (key.value.clone(), value.clone()));
    Ok(found.map_or(Value::Nil, |(key, value)| vm.pair(key, value)))
}

fn rassoc(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(find(vm, me, &args.at(0))?.map_or(Value::Nil, |(key, value)| vm.pair(key, value)))
}

fn slice(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let mut entries = Entries::default();
    for key in &args.list {
        let identity = identity(vm, &hash, key)?;
        if let Some((key, value)) = hash.entries().get_key_value(&identity) {
            entries.insert(key.clone(), value.clone());
        }
    }
    Ok(vm.hash_of(entries))
}

fn except(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let mut entries = hash.entries().clone();
    for key in &args.list {
        let identity = identity(vm, &hash, key)?;
        entries.shift_remove(&identity);
    }
    Ok(vm.hash_of(entries))
}
