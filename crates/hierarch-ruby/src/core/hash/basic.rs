//! Making, showing, comparing.

use super::super::prelude::*;
use super::{it, store};

pub(super) static SINGLETON: &[Builtin] = &[
    m("[]", 0, -1, brackets).gives(&[
        "Hash[[[1, 2]]] => {1=>2}",
        "Hash[1, 2] => {1=>2}",
        "Hash[1] !! ArgumentError: odd number of arguments for Hash",
    ]),
    m("try_convert", 1, 1, |_, _, args| {
        Ok(match args.at(0) {
            it @ Value::Hash(_) => it,
            _ => Value::Nil,
        })
    }),
];

pub(super) static METHODS: &[Builtin] = &[
    m("initialize", 0, 1, initialize).private(),
    m("initialize_copy", 1, 1, replace).private(),
    m("replace", 1, 1, replace).gives(&["{ a: 1 }.replace({ b: 2 }) => {:b=>2}"]),
    m("inspect", 0, 0, inspect).gives(&["{ 'a' => 1, b: nil }.inspect => \"{\\\"a\\\"=>1, :b=>nil}\""]),
    m("to_s", 0, 0, inspect),
    m("to_h", 0, 0, to_h).gives(&["{ a: 1 }.to_h { |k, v| [v, k] } => {1=>:a}"]),
    m("to_hash", 0, 0, |_, me, _| Ok(me.clone())),
    m("to_a", 0, 0, to_a).gives(&["{ a: 1 }.to_a => [[:a, 1]]"]),
    m("to_proc", 0, 0, |_, me, _| {
        let me = me.clone();
        Ok(Value::Proc(Rc::new(Proc::native(1, move |vm, args| vm.send(&me, names::INDEX, &[args.at(0)])))))
    })
    .gives(&["[:a].map(&{ a: 1 }) => [1]"]),
    m("length", 0, 0, |_, me, _| Ok(it(me).len().into())).gives(&["{ a: 1 }.length => 1"]),
    m("size", 0, 0, |_, me, _| Ok(it(me).len().into())).gives(&["{ a: 1 }.size => 1"]),
    m("count", 0, -1, |vm, me, args| {
        if args.len() > 1 {
            args.check(vm, 1, Some(1))?;
        }
        if args.is_empty() && args.block.is_none() {
            return Ok(it(me).len().into());
        }
        let list = to_a(vm, me, &Args::default())?;
        vm.send_args(&list, Sym::of("count"), args.clone())
    })
    .gives(&["{ a: 1, b: 2 }.count { |k, v| v > 1 } => 1"]),
    m("empty?", 0, 0, |_, me, _| Ok(Value::Bool(it(me).is_empty()))).gives(&["{}.empty? => true"]),
    m("==", 1, 1, equals).gives(&["{ a: 1 } == { a: 1.0 } => true"]),
    m("eql?", 1, 1, |vm, me, args| {
        let is_hash = matches!(args.at(0), Value::Hash(_));
        Ok(Value::Bool(is_hash && vm.identity(me)? == vm.identity(&args.at(0))?))
    })
    .gives(&["{ a: 1 }.eql?({ a: 1.0 }) => false", "{ a: 1, b: 2 }.eql?({ b: 2, a: 1 }) => true"]),
    m("hash", 0, 0, hash).gives(&["{ a: 1 }.hash == { a: 1 }.hash => true"]),
    m("<=", 1, 1, |vm, me, args| subset(vm, me, &args.at(0)))
        .gives(&["({ a: 1 } <= { a: 1, b: 2 }) => true"]),
    m(">=", 1, 1, |vm, me, args| subset(vm, &args.at(0), me))
        .gives(&["({ a: 1 } >= { a: 1, b: 2 }) => false"]),
    m("<", 1, 1, |vm, me, args| {
        let smaller = subset(vm, me, &args.at(0))?.truthy();
        Ok(Value::Bool(smaller && it(me).len() < it(&args.at(0)).len()))
    }),
    m(">", 1, 1, |vm, me, args| {
        let smaller = subset(vm, &args.at(0), me)?.truthy();
        Ok(Value::Bool(smaller && it(me).len() > it(&args.at(0)).len()))
    }),
    m("default", 0, 1, default).gives(&["Hash.new(5).default => 5"]),
    m("default=", 1, 1, |vm, me, args| {
        vm.check_frozen(me)?;
        it(me).default_block.take();
        it(me).default.replace(args.at(0));
        Ok(args.at(0))
    })
    .gives(&["h = {}; h.default = 3; h[:x] => 3"]),
    m("default_proc", 0, 0, |_, me, _| Ok(it(me).default_block.borrow().clone())),
    m("default_proc=", 1, 1, |vm, me, args| {
        vm.check_frozen(me)?;
        it(me).default_block.replace(args.at(0));
        Ok(args.at(0))
    }),
    m("compare_by_identity", 0, 0, compare_by_identity)
        .gives(&["h = {}.compare_by_identity; h['a'.dup] = 1; h['a'.dup] => nil"]),
    m("compare_by_identity?", 0, 0, |_, me, _| Ok(Value::Bool(it(me).by_identity.get()))),
    m("deconstruct_keys", 1, 1, |_, me, _| Ok(me.clone())),
    m("freeze", 0, 0, |_, me, _| {
        it(me).frozen.set(true);
        Ok(me.clone())
    }),
];

fn brackets(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let result = vm.hash_of(Entries::default());
    match args.list.as_slice() {
        [Value::Hash(other)] => return Ok(vm.hash_of(other.entries().clone())),
        [Value::Array(pairs)] => {
            for (place, pair) in pairs.to_vec().iter().enumerate() {
                let parts = match vm.to_ary(pair)? {
                    Some(parts) if (1..=2).contains(&parts.len()) => parts,
                    Some(parts) => {
                        return Err(vm.raise(
                            "ArgumentError",
                            format!("invalid number of elements ({} for 1..2)", parts.len()),
                        ));
                    }
                    None => {
                        let class = vm.class_name(pair);
                        return Err(vm.raise(
                            "ArgumentError",
                            format!("wrong element type {class} at {place} (expected array)"),
                        ));
                    }
                };
                store(vm, &result, &parts[0], parts.get(1).cloned().unwrap_or_default())?;
            }
        }
        list if list.len() % 2 == 0 => {
            for pair in list.chunks(2) {
                store(vm, &result, &pair[0], pair[1].clone())?;
            }
        }
        _ => return Err(vm.raise("ArgumentError", "odd number of arguments for Hash")),
    }
    Ok(result)
}

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.block.is_some() && !args.positional().is_empty() {
        return Err(vm.raise("ArgumentError", crate::issues::wrong_number(args.len(), 0, Some(0))));
    }
    let hash = it(me);
    if let Some(default) = args.positional().first() {
        hash.default.replace(default.clone());
    }
    if let Some(block) = args.block.clone() {
        hash.default_block.replace(Value::Proc(block));
    }
    Ok(Value::Nil)
}

fn replace(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let other = vm.to_hash(&args.at(0))?;
    let entries = other.entries().clone();
    let old = it(me).change(|mine| std::mem::replace(mine, entries));
    drop(old);
    Ok(me.clone())
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let shown = vm.inspect_pairs(me, &it(me).pairs())?;
    Ok(vm.str(shown))
}

fn to_h(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Some(block) = args.block.clone() {
        return to_h_by(vm, me, &block);
    }
    if it(me).meta.borrow().is_some() {
        return Ok(vm.hash_of(it(me).entries().clone()));
    }
    Ok(me.clone())
}

fn to_h_by(vm: &mut Vm<'_>, me: &Value, block: &Rc<Proc>) -> Res {
    let mut entries = Entries::default();
    for (key, value) in it(me).pairs() {
        let pair = super::call(vm, block, &key, &value)?;
        let (key, value) = match vm.to_ary(&pair)?.as_deref() {
            Some([key, value]) => (key.clone(), value.clone()),
            Some(parts) => {
                let words = format!("element has wrong array length (expected 2, was {})", parts.len());
                return Err(vm.raise("ArgumentError", words));
            }
            None => {
                let kind = vm.kind_of(&pair);
                return Err(vm.raise("TypeError", format!("wrong element type {kind} (expected array)")));
            }
        };
        entries.insert(vm.key(&key)?, value);
    }
    Ok(vm.hash_of(entries))
}

fn to_a(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let pairs = it(me).pairs().into_iter().map(|(key, value)| vm.pair(key, value)).collect();
    Ok(vm.array(pairs))
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.at(0) {
        other @ Value::Hash(_) => Ok(Value::Bool(vm.equal_collections(me, &other)?)),
        _ => Ok(Value::Bool(false)),
    }
}

/// The order of keys does not count.
fn hash(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let mut sum = it(me).len() as i64;
    for (key, value) in it(me).pairs() {
        let pair = vm.pair(key, value);
        sum = sum.wrapping_add(vm.identity(&pair)?.number());
    }
    Ok(Value::Int(sum >> 1))
}

fn subset(vm: &mut Vm<'_>, smaller: &Value, larger: &Value) -> Res {
    let (smaller, larger) = (vm.to_hash(smaller)?, vm.to_hash(larger)?);
    let entries: Vec<(Identity, Value)> =
        smaller.entries().iter().map(|(key, value)| (key.identity.clone(), value.clone())).collect();
    for (identity, value) in entries {
        match larger.get(&identity) {
            Some(other) if vm.equal(&value, &other)? => {}
            _ => return Ok(Value::Bool(false)),
        }
    }
    Ok(Value::Bool(true))
}

fn default(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let hash = it(me);
    let block = hash.default_block.borrow().clone();
    match (block, args.get(0)) {
        (Value::Proc(block), Some(key)) => vm.call_block(&block, &[me.clone(), key.clone()]),
        (Value::Nil, _) => Ok(hash.default.borrow().clone()),
        _ => Ok(Value::Nil),
    }
}

fn compare_by_identity(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    vm.check_frozen(me)?;
    let hash = it(me);
    hash.by_identity.set(true);
    let pairs = hash.pairs();
    hash.change(Entries::clear);
    for (key, value) in pairs {
        store(vm, me, &key, value)?;
    }
    Ok(me.clone())
}
