//! `Enumerable`: one value made of all elements: lists, hashes, sums, groups.

use super::super::enumerator::{chain_of, generated, yield_to};
use super::super::prelude::*;
use super::{call, call_yielded, pair_of};

/// What collects.
pub(super) static METHODS: &[Builtin] = &[
    m("to_a", 0, 0, |vm, me, _| {
        let list = vm.elements(me)?;
        Ok(vm.array(list))
    })
    .gives(&["(1..2).each_entry.to_a => [1, 2]"]),
    m("entries", 0, 0, |vm, me, _| {
        let list = vm.elements(me)?;
        Ok(vm.array(list))
    }),
    m("to_h", 0, -1, to_h)
        .gives(&["[[1, 2]].each.to_h => {1=>2}", "[1, 2].to_h { |x| [x, x * 2] } => {1=>2, 2=>4}"]),
    m("map", 0, 0, |vm, me, args| map(vm, me, args, "map")).gives(&["[1, 2].map { |x| x * 2 } => [2, 4]"]),
    m("collect", 0, 0, |vm, me, args| map(vm, me, args, "collect"))
        .gives(&["[1, 2].collect { |x| x * 2 } => [2, 4]"]),
    m("flat_map", 0, 0, flat_map).gives(&["[1, 2].flat_map { |x| [x, x] } => [1, 1, 2, 2]"]),
    m("collect_concat", 0, 0, flat_map).gives(&["[1].collect_concat { |x| [x, x] } => [1, 1]"]),
    m("filter_map", 0, 0, filter_map).gives(&["[1, 2].filter_map { |x| x * 2 if x > 1 } => [4]"]),
    m("inject", 0, 2, inject)
        .gives(&["[1, 2, 3].inject(:+) => 6", "[1, 2].inject(10) { |a, b| a + b } => 13"]),
    m("reduce", 0, 2, inject).gives(&["[1, 2, 3].reduce { |a, b| a * b } => 6", "[].reduce(:+) => nil"]),
    m("sum", 0, 1, sum).gives(&["[0.1, 0.2, 0.3].sum => 0.6", "['a', 'b'].sum('') => \"ab\""]),
    m("group_by", 0, 0, group_by).gives(&["[1, 2, 3].group_by(&:odd?) => {true=>[1, 3], false=>[2]}"]),
    m("tally", 0, 1, tally).gives(&["%w[a b a].tally => {\"a\"=>2, \"b\"=>1}"]),
    m("chunk_while", 0, 0, |vm, me, args| chunk(vm, me, args, true))
        .gives(&["[1, 2, 4].chunk_while { |a, b| b == a + 1 }.to_a => [[1, 2], [4]]"]),
    m("slice_when", 0, 0, |vm, me, args| chunk(vm, me, args, false))
        .gives(&["[1, 2, 4].slice_when { |a, b| b > a + 1 }.to_a => [[1, 2], [4]]"]),
    m("chunk", 0, 0, chunk_by).gives(&["[1, 3, 2].chunk(&:odd?).to_a => [[true, [1, 3]], [false, [2]]]"]),
    m("zip", 0, -1, zip).gives(&["[1, 2].zip([3, 4], [5]) => [[1, 3, 5], [2, 4, nil]]"]),
    m("to_set", 0, -1, to_set),
    m("chain", 0, -1, |vm, me, args| {
        Ok(chain_of(vm, std::iter::once(me.clone()).chain(args.list.iter().cloned()).collect()))
    })
    .gives(&["[1].chain([2], [3]).to_a => [1, 2, 3]"]),
];

pub(in super::super) fn to_h(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block.clone();
    let entries =
        vm.fold_yielded(me, Entries::default(), move |vm, entries: &mut Entries, item, is_many| {
            let pair = match &block {
                Some(block) => call_yielded(vm, block, item, is_many)?,
                None => item,
            };
            let (key, value) = pair_of(vm, &pair, entries.len())?;
            entries.insert(vm.key(&key)?, value);
            Ok(true)
        })?;
    Ok(vm.hash_of(entries))
}

fn map(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    let list = vm.fold_yielded(me, Vec::new(), move |vm, list: &mut Vec<Value>, item, is_many| {
        list.push(call_yielded(vm, &block, item, is_many)?);
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn flat_map(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "flat_map", args) };
    let list = vm.fold_yielded(me, Vec::new(), move |vm, list: &mut Vec<Value>, item, is_many| {
        let result = call_yielded(vm, &block, item, is_many)?;
        match vm.to_ary(&result)? {
            Some(items) => list.extend(items),
            None => list.push(result),
        }
        vm.check_size(list.len() * size_of::<Value>())?;
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn filter_map(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "filter_map", args) };
    let list = vm.fold_yielded(me, Vec::new(), move |vm, list: &mut Vec<Value>, item, is_many| {
        let result = call_yielded(vm, &block, item, is_many)?;
        if result.truthy() {
            list.push(result);
        }
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn inject(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (first, operator) = match (args.len(), &args.block) {
        (2, _) => (Some(args.at(0)), Some(vm.to_name(&args.at(1))?)),
        (1, None) => (None, Some(vm.to_name(&args.at(0))?)),
        (1, Some(_)) => (Some(args.at(0)), None),
        (0, None) => return Err(vm.raise("ArgumentError", crate::issues::wrong_number(0, 1, Some(2)))),
        _ => (None, None),
    };
    let block = args.block.clone();
    let result = vm.fold(me, first, move |vm, memo: &mut Option<Value>, item| {
        let new = match (memo.take(), operator, &block) {
            (None, ..) => item,
            (Some(memo), Some(name), _) => vm.send_public(&memo, name, Args::of(&[item]))?,
            (Some(memo), None, Some(block)) => vm.call_block(block, &[memo, item])?,
            (Some(memo), None, None) => memo,
        };
        *memo = Some(new);
        Ok(true)
    })?;
    Ok(result.unwrap_or_default())
}

/// Sums up; floats with Kahan and Babuška's correction, as Ruby does.
fn sum(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block.clone();
    let first = args.get(0).cloned().unwrap_or(Value::Int(0));
    let (total, correction) =
        vm.fold(me, (first, 0.0), move |vm, (total, correction): &mut (Value, f64), item| {
            let item = match &block {
                Some(block) => call(vm, block, item)?,
                None => item,
            };
            match (&*total, &item) {
                (Value::Float(sum), Value::Float(_) | Value::Int(_)) => {
                    let number = vm.to_float(&item)?;
                    let (new, more) = kahan(*sum, number);
                    *correction += more;
                    *total = Value::Float(new);
                }
                (Value::Int(sum), Value::Float(number)) => *total = Value::Float(*sum as f64 + number),
                _ => {
                    let before = total.clone();
                    *total = vm.send(&before, names::PLUS, &[item])?;
                }
            }
            Ok(true)
        })?;
    Ok(match total {
        Value::Float(sum) if correction.is_finite() => Value::Float(sum + correction),
        other => other,
    })
}

fn kahan(sum: f64, number: f64) -> (f64, f64) {
    let new = sum + number;
    if !new.is_finite() {
        return (new, 0.0);
    }
    let correction = if sum.abs() >= number.abs() { (sum - new) + number } else { (number - new) + sum };
    (new, correction)
}

fn group_by(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "group_by", args) };
    let groups = vm.fold(me, Entries::default(), move |vm, groups: &mut Entries, item| {
        let key = call(vm, &block, item.clone())?;
        let key = vm.key(&key)?;
        let group = groups.entry(key).or_insert_with(|| vm.array(Vec::new()));
        if let Value::Array(group) = group {
            group.push(item);
        }
        Ok(true)
    })?;
    Ok(vm.hash_of(groups))
}

fn tally(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let counts = match args.get(0) {
        Some(counts) => {
            let counts = Value::Hash(vm.to_hash(counts)?);
            vm.check_frozen(&counts)?;
            counts
        }
        None => vm.hash_of(Entries::default()),
    };
    let kept = counts.clone();
    vm.fold(me, (), move |vm, (), item| {
        let Value::Hash(counts) = &kept else { return Ok(false) };
        let key = vm.key(&item)?;
        let before = counts.entries().get(&key).cloned();
        let count = match before {
            None => Value::Int(1),
            Some(number @ (Value::Int(_) | Value::Big(_))) => {
                vm.send(&number, names::PLUS, &[Value::Int(1)])?
            }
            Some(other) => {
                let kind = vm.kind_of(&other);
                return Err(vm.raise("TypeError", format!("wrong argument type {kind} (expected Integer)")));
            }
        };
        counts.insert(key, count);
        Ok(true)
    })?;
    Ok(counts)
}

fn chunk(vm: &mut Vm<'_>, me: &Value, args: &Args, joins: bool) -> Res {
    let Some(block) = args.block.clone() else {
        return Err(vm.raise("ArgumentError", "tried to create Proc object without a block"));
    };
    let me = me.clone();
    let source = Proc::native(1, move |vm, args| {
        let mut chunk: Vec<Value> = Vec::new();
        for item in vm.elements(&me)? {
            let goes_on = match chunk.last() {
                Some(last) => {
                    vm.call_block_args(&block, Args::of(&[last.clone(), item.clone()]))?.truthy() == joins
                }
                None => true,
            };
            if !goes_on {
                let whole = vm.array(std::mem::take(&mut chunk));
                yield_to(vm, &args.at(0), &Args::of(&[whole]))?;
            }
            chunk.push(item);
        }
        if !chunk.is_empty() {
            let whole = vm.array(chunk);
            yield_to(vm, &args.at(0), &Args::of(&[whole]))?;
        }
        Ok(Value::Nil)
    });
    Ok(generated(vm, source))
}

fn chunk_by(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "chunk", args) };
    let me = me.clone();
    let source = Proc::native(1, move |vm, args| {
        let mut chunk: Option<(Value, Vec<Value>)> = None;
        for item in vm.elements(&me)? {
            let key = call(vm, &block, item.clone())?;
            let is_same = match &chunk {
                Some((last, _)) => !is_named(&key, "_alone") && vm.equal(last, &key)?,
                None => false,
            };
            match &mut chunk {
                Some((_, items)) if is_same => items.push(item),
                _ => {
                    let is_dropped = key.is_nil() || is_named(&key, "_separator");
                    let next = (!is_dropped).then(|| (key, vec![item]));
                    yield_chunk(vm, &args.at(0), std::mem::replace(&mut chunk, next))?;
                }
            }
        }
        yield_chunk(vm, &args.at(0), chunk)?;
        Ok(Value::Nil)
    });
    Ok(generated(vm, source))
}

fn is_named(key: &Value, name: &str) -> bool {
    matches!(key, Value::Sym(key) if key.text() == name)
}

fn yield_chunk(vm: &mut Vm<'_>, to: &Value, chunk: Option<(Value, Vec<Value>)>) -> Res<()> {
    let Some((key, items)) = chunk else { return Ok(()) };
    let items = vm.array(items);
    let pair = vm.pair(key, items);
    yield_to(vm, to, &Args::of(&[pair])).map(drop)
}

fn zip(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    // An empty list asks nobody for anything.
    let asks = !matches!(me, Value::Array(array) if array.is_empty());
    for value in args.list.iter().filter(|_| asks) {
        if !matches!(value, Value::Array(_))
            && !vm.responds(value, names::EACH)?
            && vm.to_ary(value)?.is_none()
        {
            let class = vm.class_name(value);
            let words = format!("wrong argument type {class} (must respond to :each)");
            return Err(vm.raise("TypeError", words));
        }
    }
    let list = vm.elements(me)?;
    let count = list.len();
    let mut others = Vec::new();
    for value in &args.list {
        others.push(match vm.to_ary(value)? {
            Some(items) => items,
            None if count == 0 => Vec::new(),
            None => vm.fold(value, Vec::new(), move |_, items: &mut Vec<Value>, item| {
                items.push(item);
                Ok(items.len() < count)
            })?,
        });
    }
    let mut rows = Vec::new();
    for (place, item) in list.into_iter().enumerate() {
        let row = std::iter::once(item)
            .chain(others.iter().map(|other| other.get(place).cloned().unwrap_or_default()))
            .collect();
        let row = vm.array(row);
        match &args.block {
            Some(block) => {
                vm.call_block(&Rc::clone(block), &[row])?;
            }
            None => rows.push(row),
        }
    }
    if args.block.is_some() { Ok(Value::Nil) } else { Ok(vm.array(rows)) }
}

fn to_set(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let object = vm.class("Object");
    if let Some(class) = args.get(0) {
        let given =
            Args { list: std::iter::once(me).chain(&args.list[1..]).cloned().collect(), ..args.clone() };
        return vm.send_args(class, names::NEW, given);
    }
    let Some(class) = vm.own_constant(&object, Sym::of("Set"))? else {
        return Err(vm.unsupported("Enumerable#to_set"));
    };
    vm.send_args(&class, names::NEW, Args::with_block(std::slice::from_ref(me), args.block.clone()))
}
