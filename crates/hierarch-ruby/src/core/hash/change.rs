//! Adding, removing, merging.

use super::super::prelude::*;
use super::{call, identity, it, store};

pub(super) static METHODS: &[Builtin] = &[
    m("[]=", 2, 2, |vm, me, args| {
        store(vm, me, &args.at(0), args.at(1))?;
        Ok(args.at(1))
    })
    .gives(&[
        "h = {}; h['a'] = 1; h => {\"a\"=>1}",
        "{}.freeze[1] = 2 !! FrozenError: can't modify frozen Hash: {}",
    ]),
    m("store", 2, 2, |vm, me, args| {
        store(vm, me, &args.at(0), args.at(1))?;
        Ok(args.at(1))
    })
    .gives(&["{}.store(:a, 1) => 1"]),
    m("delete", 1, 1, delete).gives(&["{ a: 1 }.delete(:a) => 1", "{}.delete(:a) { |k| k } => :a"]),
    m("delete_if", 0, 0, |vm, me, args| keep(vm, me, args, "delete_if", false, false))
        .gives(&["{ a: 1, b: 2 }.delete_if { |k, v| v > 1 } => {:a=>1}"]),
    m("reject!", 0, 0, |vm, me, args| keep(vm, me, args, "reject!", false, true))
        .gives(&["{ a: 1 }.reject! { false } => nil"]),
    m("select!", 0, 0, |vm, me, args| keep(vm, me, args, "select!", true, true))
        .gives(&["{ a: 1 }.select! { false } => {}"]),
    m("filter!", 0, 0, |vm, me, args| keep(vm, me, args, "filter!", true, true)),
    m("keep_if", 0, 0, |vm, me, args| keep(vm, me, args, "keep_if", true, false))
        .gives(&["{ a: 1 }.keep_if { true } => {:a=>1}"]),
    m("clear", 0, 0, |vm, me, _| {
        vm.check_frozen(me)?;
        let old = it(me).change(std::mem::take);
        drop(old);
        Ok(me.clone())
    })
    .gives(&["{ a: 1 }.clear => {}"]),
    m("shift", 0, 0, shift).gives(&["{ a: 1 }.shift => [:a, 1]", "{}.shift => nil"]),
    m("merge", 0, -1, merge).gives(&[
        "{ a: 1 }.merge({ b: 2 }, { a: 3 }) => {:a=>3, :b=>2}",
        "{ a: 1 }.merge({ a: 2 }) { |k, x, y| x + y } => {:a=>3}",
    ]),
    m("merge!", 0, -1, |vm, me, args| {
        merge_into(vm, me, args)?;
        Ok(me.clone())
    })
    .gives(&["{ a: 1 }.merge!({ b: 2 }) => {:a=>1, :b=>2}"]),
    m("update", 0, -1, |vm, me, args| {
        merge_into(vm, me, args)?;
        Ok(me.clone())
    })
    .gives(&["{ a: 1 }.update({ a: 2 }) => {:a=>2}"]),
    m("compact", 0, 0, |vm, me, _| {
        let mut entries = it(me).entries().clone();
        entries.retain(|_, value| !value.is_nil());
        Ok(vm.hash_of(entries))
    })
    .gives(&["{ a: nil, b: 1 }.compact => {:b=>1}"]),
    m("compact!", 0, 0, |vm, me, _| {
        vm.check_frozen(me)?;
        let count = it(me).len();
        it(me).change(|entries| entries.retain(|_, value| !value.is_nil()));
        Ok(if it(me).len() == count { Value::Nil } else { me.clone() })
    }),
    m("transform_values!", 0, 0, |vm, me, args| into_self(vm, me, args, "transform_values"))
        .gives(&["{ a: 1 }.transform_values!(&:to_s) => {:a=>\"1\"}"]),
    m("transform_keys!", 0, -1, |vm, me, args| into_self(vm, me, args, "transform_keys"))
        .gives(&["{ a: 1 }.transform_keys!(&:to_s) => {\"a\"=>1}"]),
    m("rehash", 0, 0, rehash).gives(&["{ a: 1 }.rehash => {:a=>1}"]),
];

fn delete(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let hash = it(me);
    let identity = identity(vm, &hash, &args.at(0))?;
    match (hash.remove(&identity), args.block.clone()) {
        (Some(value), _) => Ok(value),
        (None, Some(block)) => vm.call_block(&block, &[args.at(0)]),
        (None, None) => Ok(Value::Nil),
    }
}

fn keep(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, keeps: bool, tells: bool) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    vm.check_frozen(me)?;
    let hash = it(me);
    let count = hash.len();
    for (key, value) in hash.pairs() {
        if call(vm, &block, &key, &value)?.truthy() != keeps {
            let identity = identity(vm, &hash, &key)?;
            hash.remove(&identity);
        }
    }
    Ok(if tells && hash.len() == count { Value::Nil } else { me.clone() })
}

fn shift(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    vm.check_frozen(me)?;
    let first = it(me).change(|entries| entries.shift_remove_index(0));
    Ok(first.map_or(Value::Nil, |(key, value)| vm.pair(key.value, value)))
}

fn merge(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let twin = super::super::object_copy(vm, me)?;
    merge_into(vm, &twin, args)?;
    Ok(twin)
}

fn merge_into(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res<()> {
    vm.check_frozen(me)?;
    let hash = it(me);
    for other in &args.list {
        let other = vm.to_hash(other)?;
        let entries: Vec<_> =
            other.entries().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in entries {
            vm.step()?;
            let value = match (&args.block, hash.get(&key.identity)) {
                (Some(block), Some(old)) => {
                    vm.call_block(&Rc::clone(block), &[key.value.clone(), old, value])?
                }
                _ => value,
            };
            hash.insert(key, value);
        }
    }
    Ok(())
}

fn into_self(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    if args.is_empty() && args.block.is_none() {
        return vm.enumerator(me, &format!("{name}!"), args);
    }
    vm.check_frozen(me)?;
    let new = vm.send_args(me, Sym::of(name), args.clone())?;
    let entries = it(&new).entries().clone();
    let old = it(me).change(|mine| std::mem::replace(mine, entries));
    drop(old);
    Ok(me.clone())
}

fn rehash(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    vm.check_frozen(me)?;
    let pairs = it(me).pairs();
    it(me).change(Entries::clear);
    for (key, value) in pairs {
        store(vm, me, &key, value)?;
    }
    Ok(me.clone())
}
