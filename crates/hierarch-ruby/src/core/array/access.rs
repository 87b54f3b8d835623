//! Elements by place.

use super::super::prelude::*;
use super::super::range::bounds;
use super::{it, place};

pub(super) static METHODS: &[Builtin] = &[
    m("[]", 1, 2, index).gives(&[
        "[1, 2, 3][-1] => 3",
        "[1, 2, 3][0, 2] => [1, 2]",
        "[1, 2, 3][1..] => [2, 3]",
        "[1][3, 1] => nil",
    ]),
    m("slice", 1, 2, index).gives(&["[1, 2, 3].slice(1, 1) => [2]"]),
    m("at", 1, 1, |vm, me, args| {
        let at = args.int(vm, 0)?;
        Ok(get(me, at))
    })
    .gives(&["[1, 2].at(-1) => 2"]),
    m("dig", 1, -1, dig).gives(&["[[1, { a: 2 }]].dig(0, 1, :a) => 2"]),
    m("fetch", 1, 2, fetch).gives(&[
        "[1].fetch(0) => 1",
        "[1].fetch(5, :x) => :x",
        "[1].fetch(5) !! IndexError: index 5 outside of array bounds: -1...1",
    ]),
    m("values_at", 0, -1, values_at)
        .gives(&["[1, 2, 3].values_at(0, 2, 5) => [1, 3, nil]", "[1, 2].values_at(1..3) => [2, nil, nil]"]),
    m("first", 0, 1, first).gives(&["[1, 2].first => 1", "[1, 2].first(1) => [1]", "[].first => nil"]),
    m("last", 0, 1, last).gives(&["[1, 2].last => 2", "[1, 2, 3].last(2) => [2, 3]"]),
    m("[]=", 2, 3, set_index)
        .gives(&["a = [1]; a[2] = 3; a => [1, nil, 3]", "a = [1, 2, 3]; a[0, 2] = [9]; a => [9, 3]"]),
    m("count", 0, 1, super::super::enumerable::count),
    m("index", 0, 1, |vm, me, args| find_index(vm, me, args, "index"))
        .gives(&["[1, 2].index(2) => 1", "[1, 2].index { |x| x > 1 } => 1"]),
    m("find_index", 0, 1, |vm, me, args| find_index(vm, me, args, "find_index"))
        .gives(&["[1, 2].find_index(3) => nil"]),
    m("rindex", 0, 1, rindex).gives(&["[1, 2, 1].rindex(1) => 2"]),
    m("assoc", 1, 1, |vm, me, args| pair_with(vm, me, &args.at(0), 0))
        .gives(&["[[1, 2]].assoc(1) => [1, 2]"]),
    m("rassoc", 1, 1, |vm, me, args| pair_with(vm, me, &args.at(0), 1))
        .gives(&["[[1, 2]].rassoc(2) => [1, 2]"]),
    m("sample", 0, 1, sample).takes(&["random"]),
    m("bsearch", 0, 0, bsearch).gives(&["[1, 3, 5].bsearch { |x| x >= 2 } => 3"]),
    m("bsearch_index", 0, 0, bsearch_index).gives(&["[1, 3, 5].bsearch_index { |x| x >= 2 } => 1"]),
];

fn get(me: &Value, index: i64) -> Value {
    let array = it(me);
    place(index, array.len()).and_then(|at| array.get(at)).unwrap_or_default()
}

/// Finds what an index means: a start and a length.
fn part(vm: &mut Vm<'_>, args: &[Value], count: usize) -> Res<Option<(usize, usize)>> {
    match args {
        [Value::Range(range)] => bounds(vm, range, count),
        [start, length] => {
            let (start, length) = (vm.to_int(start)?, vm.to_int(length)?);
            Ok(match (place(start, count), usize::try_from(length)) {
                (Some(start), Ok(length)) if start <= count => Some((start, length.min(count - start))),
                _ => None,
            })
        }
        _ => Ok(None),
    }
}

fn index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.list.as_slice() {
        [Value::Int(at)] => Ok(get(me, *at)),
        [Value::Range(_)] | [_, _] => {
            let count = it(me).len();
            let found = part(vm, &args.list, count)?;
            Ok(found.map_or(Value::Nil, |(start, length)| {
                let items = it(me).items()[start..start + length].to_vec();
                vm.array(items)
            }))
        }
        [sequence @ Value::Object(_)] if vm.is_a(sequence, "Enumerator::ArithmeticSequence") => {
            by_steps(vm, me, sequence)
        }
        _ => {
            let at = args.int(vm, 0)?;
            Ok(get(me, at))
        }
    }
}

/// Returns every so many elements of a part; with a negative step from its end.
fn by_steps(vm: &mut Vm<'_>, me: &Value, sequence: &Value) -> Res {
    let (from, to, by, is_exclusive) = super::super::enumerator::parts_of(sequence);
    let by = vm.to_int(&by)?;
    let (from, to, is_exclusive) = match (by < 0, &to) {
        (false, _) => (from, to, is_exclusive),
        (true, Value::Int(end)) if is_exclusive => (Value::Int(end.saturating_add(1)), from, false),
        (true, _) => (to, from, false),
    };
    let range = Range { from, to, exclusive: is_exclusive };
    let items = it(me).to_vec();
    if by.abs() > 1 && is_beyond(vm, &range, items.len())? {
        let shown = vm.inspect(sequence)?;
        return Err(vm.raise("RangeError", format!("{shown} out of range")));
    }
    let Some((start, length)) = bounds(vm, &range, items.len())? else { return Ok(Value::Nil) };
    let part = items.get(start..start + length).unwrap_or_default();
    let step = usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX).max(1);
    let chosen: Vec<Value> = if by < 0 {
        part.iter().rev().step_by(step).cloned().collect()
    } else {
        part.iter().step_by(step).cloned().collect()
    };
    Ok(vm.array(chosen))
}

/// Tells whether a part begins outside of a list, or is longer than it.
fn is_beyond(vm: &mut Vm<'_>, range: &Range, count: usize) -> Res<bool> {
    let count = count as i64;
    let place = |number: i64| if number < 0 { number.saturating_add(count) } else { number };
    let from = if range.from.is_nil() { 0 } else { place(vm.to_int(&range.from)?) };
    let to = if range.to.is_nil() { count - 1 } else { place(vm.to_int(&range.to)?) };
    let is_exclusive = range.exclusive && !range.to.is_nil();
    let length = to.saturating_sub(from).saturating_add(i64::from(!is_exclusive));
    Ok(from < 0 || from > count || length > count)
}

fn dig(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let at = args.int(vm, 0)?;
    let first = get(me, at);
    dig_on(vm, &first, &args.list[1..])
}

/// Goes on digging.
pub(in crate::core) fn dig_on(vm: &mut Vm<'_>, value: &Value, rest: &[Value]) -> Res {
    if rest.is_empty() || value.is_nil() {
        return Ok(value.clone());
    }
    let name = Sym::of("dig");
    if !vm.responds(value, name)? {
        let class = vm.class_name(value);
        return Err(vm.raise("TypeError", format!("{class} does not have #dig method")));
    }
    vm.send(value, name, rest)
}

fn fetch(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let index = args.int(vm, 0)?;
    let count = it(me).len();
    if let Some(found) = place(index, count).and_then(|at| it(me).get(at)) {
        return Ok(found);
    }
    if let Some(block) = args.block.clone() {
        return vm.call_block(&block, &[args.at(0)]);
    }
    match args.get(1) {
        Some(default) => Ok(default.clone()),
        None => Err(vm.raise(
            "IndexError",
            format!("index {index} outside of array bounds: {}...{count}", -(count as i64)),
        )),
    }
}

fn values_at(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut list = Vec::new();
    for value in &args.list {
        match value {
            Value::Range(_) => {
                let count = it(me).len();
                let places = whole_part(vm, value, count)?;
                let more = usize::try_from(places.end - places.start).unwrap_or_default();
                vm.check_size(list.len().saturating_add(more).saturating_mul(16))?;
                list.extend(places.map(|place| get(me, place)));
            }
            _ => {
                let place = vm.to_int(value)?;
                list.push(get(me, place));
            }
        }
    }
    Ok(vm.array(list))
}

/// Returns the places that a range names, those behind the end included.
fn whole_part(vm: &mut Vm<'_>, value: &Value, count: usize) -> Res<std::ops::Range<i64>> {
    let Value::Range(range) = value else { return Ok(0..0) };
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let from_end = |place: i64| if place < 0 { place.saturating_add(count) } else { place };
    let start = from_end(if range.from.is_nil() { 0 } else { vm.to_int(&range.from)? });
    let is_open = range.to.is_nil();
    let end = from_end(if is_open { -1 } else { vm.to_int(&range.to)? });
    if start < 0 {
        let shown = vm.inspect(value)?;
        return Err(vm.raise("RangeError", format!("{shown} out of range")));
    }
    let end = if range.exclusive && !is_open { end } else { end.saturating_add(1) };
    Ok(start..end.max(start))
}

fn first(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() {
        return Ok(get(me, 0));
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative array size")?;
    let items = it(me).items().iter().take(count).cloned().collect();
    Ok(vm.array(items))
}

fn last(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() {
        return Ok(get(me, -1));
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative array size")?;
    let array = it(me);
    let items = array.items()[array.len().saturating_sub(count)..].to_vec();
    Ok(vm.array(items))
}

fn set_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let array = it(me);
    let count = array.len();
    if let [at, value] = args.list.as_slice()
        && !matches!(at, Value::Range(_))
    {
        let index = vm.to_int(at)?;
        let Some(at) = place(index, count) else {
            let message = format!("index {index} too small for array; minimum: {}", -(count as i64));
            return Err(vm.raise("IndexError", message));
        };
        vm.check_size(at.saturating_mul(size_of::<Value>()))?;
        let old = array.change(|items| {
            if at >= items.len() {
                items.resize(at + 1, Value::Nil);
            }
            std::mem::replace(&mut items[at], value.clone())
        });
        drop(old);
        return Ok(value.clone());
    }
    let (value, at) =
        args.list.split_last().map(|(value, at)| (value.clone(), at.to_vec())).unwrap_or_default();
    let (start, length) = start_and_length(vm, &at, count)?;
    let new = match vm.to_ary(&value)? {
        Some(items) => items,
        None => vec![value.clone()],
    };
    vm.check_size(start.saturating_add(new.len()).saturating_mul(size_of::<Value>()))?;
    let old: Vec<Value> = array.change(|items| {
        if start > items.len() {
            items.resize(start, Value::Nil);
        }
        let end = (start + length).min(items.len());
        items.splice(start..end, new).collect()
    });
    drop(old);
    Ok(value)
}

fn start_and_length(vm: &mut Vm<'_>, at: &[Value], count: usize) -> Res<(usize, usize)> {
    match at {
        [Value::Range(range)] => {
            let from = if range.from.is_nil() { 0 } else { vm.to_int(&range.from)? };
            let Some(start) = place(from, count) else {
                let shown = vm.inspect(&at[0])?;
                return Err(vm.raise("RangeError", format!("{shown} out of range")));
            };
            let to = if range.to.is_nil() { -1 } else { vm.to_int(&range.to)? };
            let end = if to < 0 { to + count as i64 } else { to };
            let end = if range.exclusive && !range.to.is_nil() { end } else { end + 1 };
            Ok((start, usize::try_from(end - start as i64).unwrap_or(0)))
        }
        [start, length] => {
            let (start, length) = (vm.to_int(start)?, vm.to_int(length)?);
            let Ok(length) = usize::try_from(length) else {
                return Err(vm.raise("IndexError", format!("negative length ({length})")));
            };
            match place(start, count) {
                Some(start) => Ok((start, length)),
                None => Err(vm.raise(
                    "IndexError",
                    format!("index {start} too small for array; minimum: {}", -(count as i64)),
                )),
            }
        }
        _ => Ok((0, 0)),
    }
}

fn holds(vm: &mut Vm<'_>, args: &Args, item: &Value) -> Res<bool> {
    match (args.get(0), &args.block) {
        (Some(wanted), _) => vm.equal(item, wanted),
        (None, Some(block)) => Ok(vm.call_block(&Rc::clone(block), std::slice::from_ref(item))?.truthy()),
        (None, None) => Ok(false),
    }
}

fn find_index(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    if args.is_empty() && args.block.is_none() {
        return vm.enumerator(me, name, args);
    }
    let mut at = 0;
    while let Some(item) = it(me).get(at) {
        if holds(vm, args, &item)? {
            return Ok(at.into());
        }
        at += 1;
    }
    Ok(Value::Nil)
}

fn rindex(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() && args.block.is_none() {
        return vm.enumerator(me, "rindex", args);
    }
    for (at, item) in it(me).to_vec().iter().enumerate().rev() {
        if holds(vm, args, item)? {
            return Ok(at.into());
        }
    }
    Ok(Value::Nil)
}

fn pair_with(vm: &mut Vm<'_>, me: &Value, wanted: &Value, at: usize) -> Res {
    for item in it(me).to_vec() {
        if let Value::Array(pair) = &item
            && let Some(part) = pair.get(at)
            && vm.equal(&part, wanted)?
        {
            return Ok(item);
        }
    }
    Ok(Value::Nil)
}

fn sample(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let random = args.keyword("random");
    let items = it(me).to_vec();
    if args.positional().is_empty() {
        if items.is_empty() {
            return Ok(Value::Nil);
        }
        let at = super::super::random::place_below(vm, random.as_ref(), items.len())?;
        return Ok(items[at].clone());
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative sample number")?;
    let shuffled = super::select::shuffled(vm, items, random.as_ref())?;
    Ok(vm.array(shuffled.into_iter().take(count).collect()))
}

fn bsearch(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "bsearch", args) };
    let items = it(me).to_vec();
    let found = search_halves(vm, &items, &block)?;
    Ok(found.and_then(|place| items.get(place).cloned()).unwrap_or_default())
}

fn bsearch_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "bsearch_index", args) };
    let items = it(me).to_vec();
    Ok(search_halves(vm, &items, &block)?.into())
}

/// Finds the place that a block is content with; it leads by truth, or by where to go on.
fn search_halves(vm: &mut Vm<'_>, items: &[Value], block: &Rc<Proc>) -> Res<Option<usize>> {
    let (mut low, mut high) = (0, items.len());
    let mut found = None;
    while low < high {
        let middle = usize::midpoint(low, high);
        match vm.call_block(block, std::slice::from_ref(&items[middle]))? {
            Value::Bool(true) => {
                found = Some(middle);
                high = middle;
            }
            Value::Int(0) => return Ok(Some(middle)),
            Value::Int(order) if order < 0 => high = middle,
            Value::Float(0.0) => return Ok(Some(middle)),
            Value::Float(order) if order < 0.0 => high = middle,
            Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Bool(false) | Value::Nil => {
                low = middle + 1;
            }
            other => {
                let class = vm.class_name(&other);
                let message = format!("wrong argument type {class} (must be numeric, true, false or nil)");
                return Err(vm.raise("TypeError", message));
            }
        }
    }
    Ok(found)
}
