//! `Enumerable`: what everything with `each` has. Arrays, hashes and ranges share these.

use std::cmp::Ordering;

use super::prelude::*;

/// The table, which arrays use as well.
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
    m("select", 0, 0, |vm, me, args| filter(vm, me, args, "select", true))
        .gives(&["[1, 2, 3].select(&:odd?) => [1, 3]"]),
    m("filter", 0, 0, |vm, me, args| filter(vm, me, args, "filter", true))
        .gives(&["[1, 2, 3].filter(&:odd?) => [1, 3]"]),
    m("reject", 0, 0, |vm, me, args| filter(vm, me, args, "reject", false))
        .gives(&["[1, 2, 3].reject(&:odd?) => [2]"]),
    m("grep", 1, 1, |vm, me, args| grep(vm, me, args, true))
        .gives(&["%w[a b].grep(/a/) => [\"a\"]", "[1, 'a'].grep(Integer) { |x| x + 1 } => [2]"]),
    m("grep_v", 1, 1, |vm, me, args| grep(vm, me, args, false)).gives(&["%w[a b].grep_v(/a/) => [\"b\"]"]),
    m("partition", 0, 0, partition).gives(&["[1, 2, 3].partition(&:odd?) => [[1, 3], [2]]"]),
    m("find", 0, 1, |vm, me, args| find(vm, me, args, "find")).gives(&["[1, 2, 3].find { |x| x > 1 } => 2"]),
    m("detect", 0, 1, |vm, me, args| find(vm, me, args, "detect"))
        .gives(&["[1, 2, 3].detect { |x| x > 5 } => nil"]),
    m("find_index", 0, 1, find_index).gives(&["[1, 2].find_index(2) => 1"]),
    m("find_all", 0, 0, |vm, me, args| filter(vm, me, args, "find_all", true))
        .gives(&["[1, 2, 3].find_all(&:odd?) => [1, 3]"]),
    m("all?", 0, 1, |vm, me, args| quantified(vm, me, args, Quantifier::All))
        .gives(&["[1, 2].all?(Integer) => true", "[].all? => true"]),
    m("any?", 0, 1, |vm, me, args| quantified(vm, me, args, Quantifier::Any))
        .gives(&["[nil, 1].any? => true"]),
    m("none?", 0, 1, |vm, me, args| quantified(vm, me, args, Quantifier::None))
        .gives(&["[nil].none? => true"]),
    m("one?", 0, 1, |vm, me, args| quantified(vm, me, args, Quantifier::One))
        .gives(&["[nil, 1].one? => true"]),
    m("include?", 1, 1, include).gives(&["[1, 2].include?(2) => true"]),
    m("member?", 1, 1, include),
    m("count", 0, 1, count).gives(&["[1, 2, 1].count(1) => 2", "[1, 2].count(&:odd?) => 1"]),
    m("first", 0, 1, first).gives(&["[1, 2].each.first => 1", "[1, 2, 3].each.first(2) => [1, 2]"]),
    m("take", 1, 1, take).gives(&["[1, 2, 3].take(2) => [1, 2]"]),
    m("take_while", 0, 0, take_while).gives(&["[1, 2, 3].take_while { |x| x < 3 } => [1, 2]"]),
    m("drop", 1, 1, drop_).gives(&["[1, 2, 3].drop(2) => [3]"]),
    m("drop_while", 0, 0, drop_while).gives(&["[1, 2, 3].drop_while { |x| x < 2 } => [2, 3]"]),
    m("inject", 0, 2, inject)
        .gives(&["[1, 2, 3].inject(:+) => 6", "[1, 2].inject(10) { |a, b| a + b } => 13"]),
    m("reduce", 0, 2, inject).gives(&["[1, 2, 3].reduce { |a, b| a * b } => 6", "[].reduce(:+) => nil"]),
    m("sum", 0, 1, sum).gives(&["[0.1, 0.2, 0.3].sum => 0.6", "['a', 'b'].sum('') => \"ab\""]),
    m("min", 0, 1, |vm, me, args| extreme(vm, me, args, Ordering::Less))
        .gives(&["[3, 1].min => 1", "[3, 1, 2].min(2) => [1, 2]"]),
    m("max", 0, 1, |vm, me, args| extreme(vm, me, args, Ordering::Greater))
        .gives(&["[3, 1].max => 3", "%w[aa b].max { |a, b| a.size <=> b.size } => \"aa\""]),
    m("minmax", 0, 0, minmax).gives(&["[3, 1, 2].minmax => [1, 3]"]),
    m("min_by", 0, 1, |vm, me, args| extreme_by(vm, me, args, "min_by", Ordering::Less))
        .gives(&["%w[aa b].min_by(&:size) => \"b\""]),
    m("max_by", 0, 1, |vm, me, args| extreme_by(vm, me, args, "max_by", Ordering::Greater))
        .gives(&["%w[aa b].max_by(&:size) => \"aa\""]),
    m("minmax_by", 0, 0, |vm, me, args| {
        if args.block.is_none() {
            return vm.enumerator(me, "minmax_by", args);
        }
        let low = extreme_by(vm, me, args, "min_by", Ordering::Less)?;
        let high = extreme_by(vm, me, args, "max_by", Ordering::Greater)?;
        Ok(vm.pair(low, high))
    })
    .gives(&["%w[aa b].minmax_by(&:size) => [\"b\", \"aa\"]"]),
    m("sort", 0, 0, sort).gives(&[
        "[3, 1, 2].sort => [1, 2, 3]",
        "[1, 'a'].sort !! ArgumentError: comparison of Integer with String failed",
    ]),
    m("sort_by", 0, 0, sort_by).gives(&["%w[bb a].sort_by(&:size) => [\"a\", \"bb\"]"]),
    m("group_by", 0, 0, group_by).gives(&["[1, 2, 3].group_by(&:odd?) => {true=>[1, 3], false=>[2]}"]),
    m("tally", 0, 1, tally).gives(&["%w[a b a].tally => {\"a\"=>2, \"b\"=>1}"]),
    m("chunk_while", 0, 0, |vm, me, args| chunk(vm, me, args, true))
        .gives(&["[1, 2, 4].chunk_while { |a, b| b == a + 1 }.to_a => [[1, 2], [4]]"]),
    m("slice_when", 0, 0, |vm, me, args| chunk(vm, me, args, false))
        .gives(&["[1, 2, 4].slice_when { |a, b| b > a + 1 }.to_a => [[1, 2], [4]]"]),
    m("chunk", 0, 0, chunk_by).gives(&["[1, 3, 2].chunk(&:odd?).to_a => [[true, [1, 3]], [false, [2]]]"]),
    m("each_with_index", 0, -1, each_with_index)
        .gives(&["%w[a b].each_with_index.to_a => [[\"a\", 0], [\"b\", 1]]"]),
    m("each_with_object", 1, 1, each_with_object)
        .gives(&["[1, 2].each_with_object([]) { |x, m| m << x } => [1, 2]"]),
    m("each_entry", 0, -1, each_entry),
    m("each_slice", 1, 1, each_slice).gives(&["[1, 2, 3].each_slice(2).to_a => [[1, 2], [3]]"]),
    m("each_cons", 1, 1, each_cons).gives(&["[1, 2, 3].each_cons(2).to_a => [[1, 2], [2, 3]]"]),
    m("reverse_each", 0, -1, reverse_each).gives(&["[1, 2].reverse_each.to_a => [2, 1]"]),
    m("zip", 0, -1, zip).gives(&["[1, 2].zip([3, 4], [5]) => [[1, 3, 5], [2, 4, nil]]"]),
    m("uniq", 0, 0, uniq).gives(&["[1, 2, 1].uniq => [1, 2]", "[1, 3, 2].uniq(&:odd?) => [1, 2]"]),
    m("cycle", 0, 1, cycle)
        .gives(&["[1, 2].cycle.first(3) => [1, 2, 1]", "[1, 2].cycle(2).to_a => [1, 2, 1, 2]"]),
    m("to_set", 0, -1, to_set),
    m("compact", 0, 0, |vm, me, _| {
        let list = vm.elements(me)?;
        let list = list.into_iter().filter(|item| !item.is_nil()).collect();
        Ok(vm.array(list))
    }),
    m("lazy", 0, 0, super::lazy::make_lazy)
        .gives(&["(1..Float::INFINITY).lazy.map { |x| x * 2 }.first(2) => [2, 4]"]),
];

/// `Enumerable`
pub(super) static ENUMERABLE: ClassSpec =
    ClassSpec { methods: &[METHODS], ..ClassSpec::module("Enumerable") };

/// Calls a block with an element: one that is an array is taken apart by the block's parameters.
fn call(vm: &mut Vm<'_>, block: &Rc<Proc>, item: Value) -> Res {
    vm.call_block(block, &[item])
}

pub(super) fn to_h(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block.clone();
    let entries = vm.fold(me, Entries::default(), move |vm, entries: &mut Entries, item| {
        let pair = match &block {
            Some(block) => call(vm, block, item)?,
            None => item,
        };
        let (key, value) = pair_of(vm, &pair, entries.len())?;
        entries.insert(vm.key(&key)?, value);
        Ok(true)
    })?;
    Ok(vm.hash_of(entries))
}

/// Returns the two parts of a pair.
pub(super) fn pair_of(vm: &mut Vm<'_>, pair: &Value, place: usize) -> Res<(Value, Value)> {
    match vm.to_ary(pair)? {
        Some(parts) if parts.len() == 2 => Ok((parts[0].clone(), parts[1].clone())),
        Some(parts) => {
            let message = format!("wrong array length at {place} (expected 2, was {})", parts.len());
            Err(vm.raise("ArgumentError", message))
        }
        None => {
            let class = vm.class_name(pair);
            Err(vm.raise("TypeError", format!("wrong element type {class} at {place} (expected array)")))
        }
    }
}

fn map(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    let list = vm.fold(me, Vec::new(), move |vm, list: &mut Vec<Value>, item| {
        list.push(call(vm, &block, item)?);
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn flat_map(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "flat_map", args) };
    let list = vm.fold(me, Vec::new(), move |vm, list: &mut Vec<Value>, item| {
        let result = call(vm, &block, item)?;
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
    let list = vm.fold(me, Vec::new(), move |vm, list: &mut Vec<Value>, item| {
        let result = call(vm, &block, item)?;
        if result.truthy() {
            list.push(result);
        }
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn filter(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, keeps: bool) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    let list = vm.fold(me, Vec::new(), move |vm, list: &mut Vec<Value>, item| {
        if call(vm, &block, item.clone())?.truthy() == keeps {
            list.push(item);
        }
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn grep(vm: &mut Vm<'_>, me: &Value, args: &Args, keeps: bool) -> Res {
    let (pattern, block) = (args.at(0), args.block.clone());
    let list = vm.fold(me, Vec::new(), move |vm, list: &mut Vec<Value>, item| {
        if vm.case_equal(&pattern, &item)? == keeps {
            list.push(match &block {
                Some(block) => call(vm, block, item)?,
                None => item,
            });
        }
        Ok(true)
    })?;
    Ok(vm.array(list))
}

fn partition(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "partition", args) };
    let (yes, no) =
        vm.fold(me, (Vec::new(), Vec::new()), move |vm, (yes, no): &mut (Vec<Value>, Vec<Value>), item| {
            if call(vm, &block, item.clone())?.truthy() {
                yes.push(item);
            } else {
                no.push(item);
            }
            Ok(true)
        })?;
    let (yes, no) = (vm.array(yes), vm.array(no));
    Ok(vm.pair(yes, no))
}

fn find(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    let found = vm.fold(me, None, move |vm, found: &mut Option<Value>, item| {
        if call(vm, &block, item.clone())?.truthy() {
            *found = Some(item);
        }
        Ok(found.is_none())
    })?;
    match (found, args.get(0)) {
        (Some(found), _) => Ok(found),
        (None, Some(otherwise)) if !otherwise.is_nil() => vm.send(otherwise, names::CALL, &[]),
        _ => Ok(Value::Nil),
    }
}

fn find_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() && args.block.is_none() {
        return vm.enumerator(me, "find_index", args);
    }
    let (wanted, block) = (args.get(0).cloned(), args.block.clone());
    let (place, found) =
        vm.fold(me, (0usize, false), move |vm, (place, found): &mut (usize, bool), item| {
            *found = match (&wanted, &block) {
                (Some(wanted), _) => vm.equal(&item, wanted)?,
                (None, Some(block)) => call(vm, block, item)?.truthy(),
                (None, None) => false,
            };
            if !*found {
                *place += 1;
            }
            Ok(!*found)
        })?;
    Ok(if found { place.into() } else { Value::Nil })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    All,
    Any,
    None,
    One,
}

fn quantified(vm: &mut Vm<'_>, me: &Value, args: &Args, quantifier: Quantifier) -> Res {
    let (pattern, block) = (args.get(0).cloned(), args.block.clone());
    let count = vm.fold(me, 0usize, move |vm, count: &mut usize, item| {
        let holds = match (&pattern, &block) {
            (Some(pattern), _) => vm.case_equal(pattern, &item)?,
            (None, Some(block)) => call(vm, block, item)?.truthy(),
            (None, None) => item.truthy(),
        };
        // What counts is what decides: one that fails for `all?`, one that holds for the others.
        if holds != (quantifier == Quantifier::All) {
            *count += 1;
        }
        Ok(*count < if quantifier == Quantifier::One { 2 } else { 1 })
    })?;
    Ok(Value::Bool(match quantifier {
        Quantifier::All | Quantifier::None => count == 0,
        Quantifier::Any => count > 0,
        Quantifier::One => count == 1,
    }))
}

fn include(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let wanted = args.at(0);
    let found = vm.fold(me, false, move |vm, found: &mut bool, item| {
        *found = vm.equal(&item, &wanted)?;
        Ok(!*found)
    })?;
    Ok(Value::Bool(found))
}

fn count(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (wanted, block) = (args.get(0).cloned(), args.block.clone());
    let count = vm.fold(me, 0usize, move |vm, count: &mut usize, item| {
        let counts = match (&wanted, &block) {
            (Some(wanted), _) => vm.equal(&item, wanted)?,
            (None, Some(block)) => call(vm, block, item)?.truthy(),
            (None, None) => true,
        };
        *count += usize::from(counts);
        Ok(true)
    })?;
    Ok(count.into())
}

/// Returns a number of elements that is asked for.
pub(super) fn amount(vm: &mut Vm<'_>, value: &Value, what: &str) -> Res<usize> {
    let number = vm.to_int(value)?;
    match usize::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => Err(vm.raise("ArgumentError", what)),
    }
}

fn amount_shown(vm: &mut Vm<'_>, value: &Value) -> Res<usize> {
    let number = vm.to_int(value)?;
    usize::try_from(number).map_err(|_| vm.raise("ArgumentError", format!("negative size ({number})")))
}

fn first(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if !args.is_empty() {
        return take(vm, me, args);
    }
    let first = vm.fold(me, Value::Nil, |_, first: &mut Value, item| {
        *first = item;
        Ok(false)
    })?;
    Ok(first)
}

fn take(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let most = amount(vm, &args.at(0), "attempt to take negative size")?;
    if most == 0 {
        return Ok(vm.array(Vec::new()));
    }
    let list = vm.fold(me, Vec::new(), move |_, list: &mut Vec<Value>, item| {
        list.push(item);
        Ok(list.len() < most)
    })?;
    Ok(vm.array(list))
}

fn take_while(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "take_while", args) };
    let list = vm.fold(me, Vec::new(), move |vm, list: &mut Vec<Value>, item| {
        let holds = call(vm, &block, item.clone())?.truthy();
        if holds {
            list.push(item);
        }
        Ok(holds)
    })?;
    Ok(vm.array(list))
}

fn drop_(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let count = amount(vm, &args.at(0), "attempt to drop negative size")?;
    let list = vm.elements(me)?;
    Ok(vm.array(list.into_iter().skip(count).collect()))
}

fn drop_while(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "drop_while", args) };
    let list = vm.fold(me, (Vec::new(), true), move |vm, (list, drops): &mut (Vec<Value>, bool), item| {
        *drops = *drops && call(vm, &block, item.clone())?.truthy();
        if !*drops {
            list.push(item);
        }
        Ok(true)
    })?;
    Ok(vm.array(list.0))
}

fn inject(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (first, operator) = match (args.len(), &args.block) {
        (2, _) => (Some(args.at(0)), Some(vm.to_name(&args.at(1))?)),
        (1, None) => (None, Some(vm.to_name(&args.at(0))?)),
        (1, Some(_)) => (Some(args.at(0)), None),
        (0, None) => return Err(vm.raise("LocalJumpError", "no block given")),
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

fn compare_by(vm: &mut Vm<'_>, block: Option<&Rc<Proc>>, a: &Value, b: &Value) -> Res<Ordering> {
    let Some(block) = block else { return vm.compare(a, b) };
    let order = vm.call_block_args(block, Args::of(&[a.clone(), b.clone()]))?;
    match vm.ordering(&order)? {
        Some(order) => Ok(order),
        None => Err(vm.not_comparable(a, b)?),
    }
}

fn extreme(vm: &mut Vm<'_>, me: &Value, args: &Args, wanted: Ordering) -> Res {
    let block = args.block.clone();
    if !args.at(0).is_nil() {
        let count = amount_shown(vm, &args.at(0))?;
        let list = vm.elements(me)?;
        let mut sorted = vm.sort_with(list, |vm, a, b| compare_by(vm, block.as_ref(), a, b))?;
        if wanted == Ordering::Greater {
            sorted.reverse();
        }
        sorted.truncate(count);
        return Ok(vm.array(sorted));
    }
    let found = vm.fold(me, None, move |vm, best: &mut Option<Value>, item| {
        let is_better = match &*best {
            Some(best) => compare_by(vm, block.as_ref(), &item, best)? == wanted,
            None => true,
        };
        if is_better {
            *best = Some(item);
        }
        Ok(true)
    })?;
    Ok(found.unwrap_or_default())
}

fn minmax(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (low, high) = (extreme(vm, me, args, Ordering::Less)?, extreme(vm, me, args, Ordering::Greater)?);
    Ok(vm.pair(low, high))
}

fn extreme_by(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, wanted: Ordering) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    if !args.at(0).is_nil() {
        let count = amount_shown(vm, &args.at(0))?;
        let sorted = sort_by(vm, me, &Args { list: smallvec::SmallVec::new(), ..args.clone() })?;
        let mut list = vm.elements(&sorted)?;
        if wanted == Ordering::Greater {
            list.reverse();
        }
        list.truncate(count);
        return Ok(vm.array(list));
    }
    let found = vm.fold(me, None, move |vm, best: &mut Option<(Value, Value)>, item| {
        let key = call(vm, &block, item.clone())?;
        let is_better = match &*best {
            Some((_, best)) => vm.compare(&key, best)? == wanted,
            None => true,
        };
        if is_better {
            *best = Some((item, key));
        }
        Ok(true)
    })?;
    Ok(found.map(|(item, _)| item).unwrap_or_default())
}

fn sort(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let list = vm.elements(me)?;
    let block = args.block.clone();
    let sorted = vm.sort_with(list, |vm, a, b| compare_by(vm, block.as_ref(), a, b))?;
    Ok(vm.array(sorted))
}

fn sort_by(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "sort_by", args) };
    let mut keyed = Vec::new();
    for item in vm.elements(me)? {
        keyed.push((call(vm, &block, item.clone())?, item));
    }
    let sorted = vm.sort_with(keyed, |vm, a, b| vm.compare(&a.0, &b.0))?;
    Ok(vm.array(sorted.into_iter().map(|(_, item)| item).collect()))
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
    let before = match args.get(0) {
        Some(counts) => vm.to_hash(counts)?.entries().clone(),
        None => Entries::default(),
    };
    let counts = vm.fold(me, before, |vm, counts: &mut Entries, item| {
        let key = vm.key(&item)?;
        let count = counts.entry(key).or_insert(Value::Int(0));
        if let Value::Int(count) = count {
            *count += 1;
        }
        Ok(true)
    })?;
    Ok(vm.hash_of(counts))
}

fn chunk(vm: &mut Vm<'_>, me: &Value, args: &Args, joins: bool) -> Res {
    let Some(block) = args.block.clone() else {
        return Err(vm.raise("ArgumentError", "tried to create Proc object without a block"));
    };
    let mut chunks: Vec<Vec<Value>> = Vec::new();
    for item in vm.elements(me)? {
        let last = chunks.last().and_then(|chunk| chunk.last().cloned());
        let goes_on = match last {
            Some(last) => vm.call_block_args(&block, Args::of(&[last, item.clone()]))?.truthy() == joins,
            None => false,
        };
        match chunks.last_mut() {
            Some(chunk) if goes_on => chunk.push(item),
            _ => chunks.push(vec![item]),
        }
    }
    let list = chunks.into_iter().map(|chunk| vm.array(chunk)).collect();
    let list = vm.array(list);
    vm.enumerator(&list, "each", &Args::default())
}

fn chunk_by(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "chunk", args) };
    let mut chunks: Vec<(Value, Vec<Value>)> = Vec::new();
    for item in vm.elements(me)? {
        let key = call(vm, &block, item.clone())?;
        let is_same = match chunks.last() {
            Some((last, _)) => vm.equal(&last.clone(), &key)?,
            None => false,
        };
        match chunks.last_mut() {
            Some((_, chunk)) if is_same => chunk.push(item),
            _ => chunks.push((key, vec![item])),
        }
    }
    let list = chunks
        .into_iter()
        .map(|(key, chunk)| {
            let chunk = vm.array(chunk);
            vm.pair(key, chunk)
        })
        .collect();
    let list = vm.array(list);
    vm.enumerator(&list, "each", &Args::default())
}

fn each_with_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_with_index", args) };
    args.check(vm, 0, Some(0))?;
    vm.fold(me, 0i64, move |vm, place: &mut i64, item| {
        vm.call_block_args(&block, Args::of(&[item, Value::Int(*place)]))?;
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
        vm.call_block_args(&block, Args::of(&[item, kept.clone()]))?;
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
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "reverse_each", args) };
    args.check(vm, 0, Some(0))?;
    for item in vm.elements(me)?.into_iter().rev() {
        vm.call_block(&block, &[item])?;
    }
    Ok(me.clone())
}

fn zip(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let list = vm.elements(me)?;
    let count = list.len();
    let mut others = Vec::new();
    for value in &args.list {
        others.push(match vm.to_ary(value)? {
            Some(items) => items,
            None if vm.responds(value, names::EACH)? => {
                vm.fold(value, Vec::new(), move |_, items: &mut Vec<Value>, item| {
                    items.push(item);
                    Ok(items.len() < count)
                })?
            }
            None => {
                let class = vm.class_name(value);
                return Err(
                    vm.raise("TypeError", format!("wrong argument type {class} (must respond to :each)"))
                );
            }
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

fn uniq(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block.clone();
    let kept = vm.fold(
        me,
        (Entries::default(), Vec::new()),
        move |vm, (seen, kept): &mut (Entries, Vec<Value>), item| {
            let by = match &block {
                Some(block) => call(vm, block, item.clone())?,
                None => item.clone(),
            };
            if seen.insert(vm.key(&by)?, Value::Nil).is_none() {
                kept.push(item);
            }
            Ok(true)
        },
    )?;
    Ok(vm.array(kept.1))
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
