//! Adding and removing.

use super::super::prelude::*;
use super::{it, place};

pub(super) static METHODS: &[Builtin] = &[
    m("push", 0, -1, push).gives(&["[1].push(2, 3) => [1, 2, 3]"]),
    m("append", 0, -1, push).gives(&["[1].append(2) => [1, 2]"]),
    m("<<", 1, 1, push)
        .gives(&["[1] << 2 => [1, 2]", "[1].freeze << 2 !! FrozenError: can't modify frozen Array: [1]"]),
    m("pop", 0, 1, pop).gives(&["[1, 2].pop => 2", "[1, 2, 3].pop(2) => [2, 3]"]),
    m("shift", 0, 1, shift).gives(&["[1, 2].shift => 1", "[1, 2, 3].shift(2) => [1, 2]"]),
    m("unshift", 0, -1, unshift).gives(&["[3].unshift(1, 2) => [1, 2, 3]"]),
    m("prepend", 0, -1, unshift).gives(&["[3].prepend(1) => [1, 3]"]),
    m("insert", 1, -1, insert)
        .gives(&["[1, 3].insert(1, 2) => [1, 2, 3]", "[1, 2].insert(-2, 9) => [1, 9, 2]"]),
    m("concat", 0, -1, concat).gives(&["[1].concat([2], [3]) => [1, 2, 3]"]),
    m("clear", 0, 0, |vm, me, _| {
        vm.check_frozen(me)?;
        it(me).set(Vec::new());
        Ok(me.clone())
    })
    .gives(&["[1].clear => []"]),
    m("delete", 1, 1, delete).gives(&["[1, 2, 1].delete(1) => 1", "[1].delete(5) => nil"]),
    m("delete_at", 1, 1, delete_at).gives(&["a = [1, 2]; a.delete_at(0); a => [2]"]),
    m("delete_if", 0, 0, |vm, me, args| keep(vm, me, args, "delete_if", false, false))
        .gives(&["[1, 2].delete_if(&:odd?) => [2]"]),
    m("reject!", 0, 0, |vm, me, args| keep(vm, me, args, "reject!", false, true))
        .gives(&["[2].reject!(&:odd?) => nil"]),
    m("select!", 0, 0, |vm, me, args| keep(vm, me, args, "select!", true, true))
        .gives(&["[1, 2].select!(&:odd?) => [1]"]),
    m("filter!", 0, 0, |vm, me, args| keep(vm, me, args, "filter!", true, true)),
    m("keep_if", 0, 0, |vm, me, args| keep(vm, me, args, "keep_if", true, false))
        .gives(&["[1, 2].keep_if(&:odd?) => [1]"]),
    m("slice!", 1, 2, slice_out).gives(&["a = [1, 2, 3]; a.slice!(0, 2); a => [3]"]),
    m("fill", 0, 3, fill).gives(&["[1, 2].fill(0) => [0, 0]", "[1, 2, 3].fill(9, 1) => [1, 9, 9]"]),
    m("map!", 0, 0, map).gives(&["[1, 2].map! { |x| x * 2 } => [2, 4]"]),
    m("collect!", 0, 0, map),
    m("sort!", 0, 0, |vm, me, args| by(vm, me, args, "sort", false)).gives(&["[2, 1].sort! => [1, 2]"]),
    m("sort_by!", 0, 0, |vm, me, args| by(vm, me, args, "sort_by", false))
        .gives(&["%w[bb a].sort_by!(&:size) => [\"a\", \"bb\"]"]),
    m("uniq!", 0, 0, |vm, me, args| by(vm, me, args, "uniq", true)).gives(&["[1, 2].uniq! => nil"]),
    m("compact!", 0, 0, |vm, me, args| by(vm, me, args, "compact", true))
        .gives(&["[1, nil].compact! => [1]", "[1].compact! => nil"]),
    m("flatten!", 0, 1, |vm, me, args| by(vm, me, args, "flatten", true))
        .gives(&["[1, [2]].flatten! => [1, 2]"]),
    m("reverse!", 0, 0, |vm, me, args| by(vm, me, args, "reverse", false))
        .gives(&["[1, 2].reverse! => [2, 1]"]),
    m("rotate!", 0, 1, |vm, me, args| by(vm, me, args, "rotate", false)),
    m("shuffle!", 0, 0, |vm, me, args| by(vm, me, args, "shuffle", false)).takes(&["random"]),
];

fn push(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let array = it(me);
    vm.check_size((array.len() + args.len()) * size_of::<Value>())?;
    array.change(|items| items.extend(args.list.iter().cloned()));
    Ok(me.clone())
}

fn pop(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let array = it(me);
    if args.is_empty() {
        return Ok(array.change(Vec::pop).unwrap_or_default());
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative array size")?;
    let taken = array.change(|items| items.split_off(items.len().saturating_sub(count)));
    Ok(vm.array(taken))
}

fn shift(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let array = it(me);
    if args.is_empty() {
        return Ok(array.change(|items| if items.is_empty() { Value::Nil } else { items.remove(0) }));
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative array size")?;
    let taken: Vec<Value> = array.change(|items| items.drain(..count.min(items.len())).collect());
    Ok(vm.array(taken))
}

fn unshift(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    it(me).change(|items| drop(items.splice(0..0, args.list.iter().cloned())));
    Ok(me.clone())
}

fn insert(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let array = it(me);
    let index = args.int(vm, 0)?;
    if args.len() == 1 {
        return Ok(me.clone());
    }
    let count = array.len();
    let at = if index < 0 { index + 1 + count as i64 } else { index };
    let Ok(at) = usize::try_from(at) else {
        return Err(
            vm.raise("IndexError", format!("index {index} too small for array; minimum: -{}", count + 1))
        );
    };
    vm.check_size(at.saturating_mul(size_of::<Value>()))?;
    array.change(|items| {
        if at > items.len() {
            items.resize(at, Value::Nil);
        }
        drop(items.splice(at..at, args.list[1..].iter().cloned()));
    });
    Ok(me.clone())
}

fn concat(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let mut more = Vec::new();
    for value in &args.list {
        more.extend(vm.to_array(value)?);
    }
    vm.check_size((it(me).len() + more.len()) * size_of::<Value>())?;
    it(me).change(|items| items.extend(more));
    Ok(me.clone())
}

fn delete(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let wanted = args.at(0);
    let mut kept = Vec::new();
    let mut found = None;
    for item in it(me).to_vec() {
        if vm.equal(&item, &wanted)? { found = Some(item) } else { kept.push(item) }
    }
    match found {
        Some(found) => {
            vm.check_frozen(me)?;
            it(me).set(kept);
            Ok(found)
        }
        None => match args.block.clone() {
            Some(block) => vm.call_block(&block, &[wanted]),
            None => Ok(Value::Nil),
        },
    }
}

fn delete_at(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let index = args.int(vm, 0)?;
    let array = it(me);
    let Some(at) = place(index, array.len()).filter(|at| *at < array.len()) else { return Ok(Value::Nil) };
    vm.check_frozen(me)?;
    Ok(array.change(|items| items.remove(at)))
}

fn keep(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, keeps: bool, tells: bool) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    vm.check_frozen(me)?;
    let items = it(me).to_vec();
    let count = items.len();
    let mut kept = Vec::new();
    for item in items {
        if vm.call_block(&block, std::slice::from_ref(&item))?.truthy() == keeps {
            kept.push(item);
        }
    }
    let is_same = kept.len() == count;
    it(me).set(kept);
    Ok(if tells && is_same { Value::Nil } else { me.clone() })
}

fn slice_out(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let array = it(me);
    let count = array.len();
    let (start, length) = match args.list.as_slice() {
        [Value::Range(range)] => match super::super::range::bounds(vm, range, count)? {
            Some(found) => found,
            None => return Ok(Value::Nil),
        },
        [start, length] => {
            let (start, length) = (vm.to_int(start)?, vm.to_int(length)?);
            match (place(start, count), usize::try_from(length)) {
                (Some(start), Ok(length)) if start <= count => (start, length.min(count - start)),
                _ => return Ok(Value::Nil),
            }
        }
        _ => return delete_at(vm, me, args),
    };
    let taken: Vec<Value> = array.change(|items| items.drain(start..start + length).collect());
    Ok(vm.array(taken))
}

fn fill(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() && args.block.is_none() {
        return Err(vm.raise("ArgumentError", crate::issues::wrong_number(0, 1, Some(3))));
    }
    vm.check_frozen(me)?;
    let array = it(me);
    let count = array.len();
    let places = if args.block.is_some() { &args.list[..] } else { args.list.get(1..).unwrap_or_default() };
    // A length, even none at all, makes the list reach as far as it starts.
    let is_counted = matches!(places, [_, length] if vm.to_int(length).is_ok_and(|length| length >= 0));
    let (start, end) = match places {
        [] | [Value::Nil] => (0, count),
        [Value::Range(range)] => {
            let found = super::super::range::bounds(vm, range, count)?;
            let (start, length) = match (found, &range.from) {
                (Some(found), _) => found,
                (None, Value::Int(from)) if *from >= 0 => (*from as usize, 0),
                (None, _) => {
                    let shown = vm.inspect(&Value::Range(Rc::clone(range)))?;
                    return Err(vm.raise("RangeError", format!("{shown} out of range")));
                }
            };
            // Its end may lie behind that of the list.
            let end = match &range.to {
                Value::Int(to) if *to >= 0 => *to as usize + usize::from(!range.exclusive),
                _ => start + length,
            };
            (start, end)
        }
        [start, rest @ ..] => {
            let start = if start.is_nil() { 0 } else { place(vm.to_int(start)?, count).unwrap_or(0) };
            match rest.first() {
                Some(length) if !length.is_nil() => {
                    (start, start + usize::try_from(vm.to_int(length)?).unwrap_or(0))
                }
                _ => (start, count),
            }
        }
    };
    vm.check_size(end.saturating_mul(size_of::<Value>()))?;
    if is_counted && end > count {
        array.change(|items| items.resize(end, Value::Nil));
    }
    for at in start..end {
        let value = match &args.block {
            Some(block) => vm.call_block(&Rc::clone(block), &[at.into()])?,
            None => args.at(0),
        };
        array.change(|items| {
            if at >= items.len() {
                items.resize(at + 1, Value::Nil);
            }
            items[at] = value;
        });
    }
    Ok(me.clone())
}

fn map(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "map!", args) };
    vm.check_frozen(me)?;
    let mut new = Vec::new();
    for item in it(me).to_vec() {
        new.push(vm.call_block(&block, &[item])?);
    }
    it(me).set(new);
    Ok(me.clone())
}

/// Replaces the elements by what a method without `!` gives.
fn by(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, tells: bool) -> Res {
    vm.check_frozen(me)?;
    let new = vm.send_args(me, Sym::of(name), args.clone())?;
    let items = vm.to_array(&new)?;
    let goes_deep = !matches!(args.get(0), Some(Value::Int(0)));
    let has_inner = goes_deep && it(me).items().iter().any(|item| matches!(item, Value::Array(_)));
    let is_same = items.len() == it(me).len() && !(name == "flatten" && has_inner);
    it(me).set(items);
    Ok(if tells && is_same { Value::Nil } else { me.clone() })
}
