//! Making, showing, comparing, walking.

use std::cmp::Ordering;

use super::super::enumerable::extreme_of_literal;
use super::super::prelude::*;
use super::it;

pub(super) static SINGLETON: &[Builtin] = &[
    m("[]", 0, -1, |vm, _, args| Ok(vm.array(args.list.to_vec()))).gives(&["Array[1, 2] => [1, 2]"]),
    m("try_convert", 1, 1, |_, _, args| {
        Ok(match args.at(0) {
            it @ Value::Array(_) => it,
            _ => Value::Nil,
        })
    }),
];

pub(super) static METHODS: &[Builtin] = &[
    m("initialize", 0, 2, initialize).private(),
    m("max of a literal", 0, 0, |vm, me, _| extreme_of_literal(vm, me, Ordering::Greater))
        .gives(&["['x', 1].max !! ArgumentError: comparison of Integer with String failed"]),
    m("min of a literal", 0, 0, |vm, me, _| extreme_of_literal(vm, me, Ordering::Less))
        .gives(&["[1, 'x'].min !! ArgumentError: comparison of String with 1 failed"]),
    m("initialize_copy", 1, 1, replace).private(),
    m("replace", 1, 1, replace).gives(&["[1].replace([2]) => [2]"]),
    m("to_a", 0, 0, |_, me, _| Ok(me.clone())),
    m("entries", 0, 0, |vm, me, _| Ok(vm.array(it(me).to_vec()))),
    m("to_ary", 0, 0, |_, me, _| Ok(me.clone())),
    m("inspect", 0, 0, inspect).gives(&[
        "[1, nil, 'a'].inspect => \"[1, nil, \\\"a\\\"]\"",
        "a = []; a << a; a.inspect => \"[[...]]\"",
    ]),
    m("to_s", 0, 0, inspect).gives(&["[1].to_s => \"[1]\""]),
    m("length", 0, 0, |_, me, _| Ok(it(me).len().into())).gives(&["[1, 2].length => 2"]),
    m("size", 0, 0, |_, me, _| Ok(it(me).len().into())).gives(&["[1, 2].size => 2"]),
    m("empty?", 0, 0, |_, me, _| Ok(Value::Bool(it(me).is_empty()))).gives(&["[].empty? => true"]),
    m("each", 0, 0, each).gives(&["[1, 2].each { |x| x } => [1, 2]"]),
    m("each_index", 0, 0, each_index).gives(&["[5, 6].each_index.to_a => [0, 1]"]),
    m("==", 1, 1, equals).gives(&["[1, 2] == [1, 2.0] => true"]),
    m("eql?", 1, 1, |vm, me, args| {
        Ok(Value::Bool(
            matches!(args.at(0), Value::Array(_)) && vm.identity(me)? == vm.identity(&args.at(0))?,
        ))
    })
    .gives(&["[1].eql?([1.0]) => false"]),
    m("hash", 0, 0, |vm, me, _| Ok(Value::Int(vm.identity(me)?.number())))
        .gives(&["[1].hash == [1].hash => true"]),
    m("<=>", 1, 1, spaceship).gives(&["[1, 2] <=> [1, 3] => -1", "[1] <=> 1 => nil"]),
    m("join", 0, 1, join)
        .gives(&["[1, [2, nil], 'a'].join('-') => \"1-2--a\"", "[[], 1, [[]], 2].join(',') => \",1,,2\""]),
    m("pack", 1, 1, |vm, me, args| {
        let template = args.text(vm, 0)?;
        super::super::string::pack(vm, &it(me).to_vec(), &template)
    })
    .takes(&["buffer"])
    .gives(&["[97, 98].pack('C*') => \"ab\"", "['ab'].pack('m0') => \"YWI=\""]),
    m("to_h", 0, 0, super::super::enumerable_to_h).gives(&[
        "[[1, 2]].to_h => {1=>2}",
        "[1].to_h !! TypeError: wrong element type Integer at 0 (expected array)",
    ]),
    m("freeze", 0, 0, |_, me, _| {
        it(me).frozen.set(true);
        Ok(me.clone())
    }),
    m("deconstruct", 0, 0, |_, me, _| Ok(me.clone())),
    m("hash_list", 0, 0, |_, me, _| Ok(me.clone())).private(),
];

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let (Some(Value::Array(other)), None) = (args.get(0), args.get(1)) {
        it(me).set(other.to_vec());
        return Ok(Value::Nil);
    }
    if args.is_empty() {
        return Ok(Value::Nil);
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative array size")?;
    vm.check_size(count.saturating_mul(size_of::<Value>()))?;
    let mut items = Vec::with_capacity(count.min(1 << 16));
    for place in 0..count {
        items.push(match &args.block {
            Some(block) => vm.call_block(&Rc::clone(block), &[place.into()])?,
            None => args.at(1),
        });
    }
    it(me).set(items);
    Ok(Value::Nil)
}

fn replace(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let items = vm.to_array(&args.at(0))?;
    it(me).set(items);
    Ok(me.clone())
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let shown = vm.inspect_list(me, &it(me).to_vec())?;
    Ok(vm.str(shown))
}

fn each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each", args) };
    let array = it(me);
    let mut place = 0;
    while let Some(item) = array.get(place) {
        vm.call_block(&block, &[item])?;
        place += 1;
    }
    Ok(me.clone())
}

fn each_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_index", args) };
    let mut place = 0;
    while place < it(me).len() {
        vm.call_block(&block, &[place.into()])?;
        place += 1;
    }
    Ok(me.clone())
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.at(0) {
        other @ Value::Array(_) => Ok(Value::Bool(vm.equal_collections(me, &other)?)),
        other @ Value::Object(_) if vm.responds(&other, names::TO_ARY)? => {
            Ok(Value::Bool(vm.send(&other, names::EQ, std::slice::from_ref(me))?.truthy()))
        }
        _ => Ok(Value::Bool(false)),
    }
}

fn spaceship(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(other) = vm.to_ary(&args.at(0))? else { return Ok(Value::Nil) };
    let mine = it(me).to_vec();
    if vm.is_too_deep() {
        return Err(vm.raise("SystemStackError", "stack level too deep"));
    }
    for (a, b) in mine.iter().zip(&other) {
        match vm.try_compare(a, b)? {
            Some(std::cmp::Ordering::Equal) => {}
            Some(order) => return Ok(Value::Int(order as i64)),
            None => return Ok(Value::Nil),
        }
    }
    Ok(Value::Int(mine.len().cmp(&other.len()) as i64))
}

fn join(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let is_empty = matches!(me, Value::Array(array) if array.is_empty());
    let separator =
        if args.at(0).is_nil() || is_empty { Text::Utf8(EcoString::new()) } else { vm.to_str(&args.at(0))? };
    let text = Str::new(&vm.meter, Text::Utf8(EcoString::new()));
    join_into(vm, me, &separator, &text)?;
    Ok(vm.text(text.get()))
}

fn join_into(vm: &mut Vm<'_>, me: &Value, separator: &Text, text: &Str) -> Res<()> {
    let address = me.address().unwrap_or_default();
    if vm.busy.contains(&address) {
        return Err(vm.raise("ArgumentError", "recursive array join"));
    }
    if vm.is_too_deep() {
        return Err(vm.raise("SystemStackError", "stack level too deep"));
    }
    vm.busy.push(address);
    let joined = join_items(vm, &it(me).to_vec(), separator, text);
    vm.busy.pop();
    joined
}

/// An array inside counts as one item, so that an empty one leaves two separators beside each other.
fn join_items(vm: &mut Vm<'_>, items: &[Value], separator: &Text, text: &Str) -> Res<()> {
    for (index, item) in items.iter().enumerate() {
        vm.step()?;
        if index > 0 {
            text.push(separator);
        }
        if let Value::Array(_) = item {
            join_into(vm, item, separator, text)?;
            continue;
        }
        let part = vm.to_s_text(item)?;
        vm.check_size(text.len() + part.bytes().len())?;
        text.push(&part);
    }
    Ok(())
}
