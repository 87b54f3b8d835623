//! `Enumerable`: the least, the greatest, all in order.

use std::cmp::Ordering;

use super::super::prelude::*;
use super::{amount_shown, call};

/// What compares.
pub(super) static METHODS: &[Builtin] = &[
    m("min", 0, 1, |vm, me, args| extreme(vm, me, args, Ordering::Less))
        .gives(&["[3, 1].min => 1", "[3, 1, 2].min(2) => [1, 2]"]),
    m("max", 0, 1, |vm, me, args| extreme(vm, me, args, Ordering::Greater))
        .gives(&["[3, 1].max => 3", "%w[aa b].max { |a, b| a.size <=> b.size } => \"aa\""]),
    m("minmax", 0, 0, minmax).gives(&["[3, 1, 2].minmax => [1, 3]"]),
    m("min_by", 0, 1, |vm, me, args| extreme_by(vm, me, args, "min_by", Ordering::Less))
        .gives(&["%w[aa b].min_by(&:size) => \"b\""]),
    m("max_by", 0, 1, |vm, me, args| extreme_by(vm, me, args, "max_by", Ordering::Greater))
        .gives(&["%w[aa b].max_by(&:size) => \"aa\""]),
    m("minmax_by", 0, 0, minmax_by)
        .gives(&["%w[aa b].minmax_by(&:size) => [\"b\", \"aa\"]", "[1, :a].minmax_by { true } => [1, 1]"]),
    m("sort", 0, 0, sort).gives(&[
        "[3, 1, 2].sort => [1, 2, 3]",
        "[1, 'a'].sort !! ArgumentError: comparison of Integer with String failed",
    ]),
    m("sort_by", 0, 0, sort_by).gives(&["%w[bb a].sort_by(&:size) => [\"a\", \"bb\"]"]),
];

fn compare_by(vm: &mut Vm<'_>, block: Option<&Rc<Proc>>, a: &Value, b: &Value) -> Res<Ordering> {
    let Some(block) = block else { return vm.compare(a, b) };
    let order = vm.call_block(block, &[a.clone(), b.clone()])?;
    match vm.ordering(&order)? {
        Some(order) => Ok(order),
        None => Err(vm.not_comparable(a, b)?),
    }
}

/// The extreme of a literal list: each one is asked about the best before it.
pub(in crate::core) fn extreme_of_literal(vm: &mut Vm<'_>, me: &Value, wanted: Ordering) -> Res {
    let mut best: Option<Value> = None;
    for item in vm.elements(me)? {
        let is_better = match &best {
            Some(best) => vm.compare(&item, best)? == wanted,
            None => true,
        };
        if is_better {
            best = Some(item);
        }
    }
    Ok(best.unwrap_or_default())
}

fn extreme(vm: &mut Vm<'_>, me: &Value, args: &Args, wanted: Ordering) -> Res {
    let block = args.block.clone();
    if !args.at(0).is_nil() {
        let count = amount_shown(vm, &args.at(0))?;
        if count == 0 {
            return Ok(vm.array(Vec::new()));
        }
        let list = vm.elements(me)?;
        let mut sorted = vm.sort_with(list, |vm, a, b| compare_by(vm, block.as_ref(), a, b))?;
        if wanted == Ordering::Greater {
            sorted.reverse();
        }
        sorted.truncate(count);
        return Ok(vm.array(sorted));
    }
    // A list asks the best so far about the next one, unless a block does it; others the other way round.
    let is_list = block.is_none() && matches!(me, Value::Array(_));
    let found = vm.fold(me, None, move |vm, best: &mut Option<Value>, item| {
        let is_better = match &*best {
            Some(best) if is_list => vm.compare(best, &item)? == wanted.reverse(),
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

/// A list asks for its least and then its greatest; otherwise elements are taken in pairs, and the smaller of two is held
/// against the least, the other against the greatest.
fn minmax(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block.clone();
    if block.is_none() && matches!(me, Value::Array(_)) {
        let (low, high) = (extreme(vm, me, args, Ordering::Less)?, extreme(vm, me, args, Ordering::Greater)?);
        return Ok(vm.pair(low, high));
    }
    let list = vm.elements(me)?;
    let (low, high) = least_and_greatest(vm, &list, |vm, a, b| compare_by(vm, block.as_ref(), a, b))?;
    Ok(vm.pair(low.unwrap_or_default(), high.unwrap_or_default()))
}

fn minmax_by(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "minmax_by", args) };
    let mut keyed = Vec::new();
    for item in vm.elements(me)? {
        keyed.push((call(vm, &block, item.clone())?, item));
    }
    let (low, high) = least_and_greatest(vm, &keyed, |vm, (a, _), (b, _)| vm.compare(a, b))?;
    let item = |found: Option<(Value, Value)>| found.map(|(_, item)| item).unwrap_or_default();
    Ok(vm.pair(item(low), item(high)))
}

fn least_and_greatest<T: Clone>(
    vm: &mut Vm<'_>,
    list: &[T],
    compare: impl Fn(&mut Vm<'_>, &T, &T) -> Res<Ordering>,
) -> Res<(Option<T>, Option<T>)> {
    let mut found: Option<(T, T)> = None;
    for pair in list.chunks(2) {
        vm.step()?;
        let (low, high) = match pair {
            [a, b] => match compare(vm, a, b)? {
                Ordering::Less => (a, b),
                Ordering::Equal => (a, a),
                Ordering::Greater => (b, a),
            },
            [a, ..] => (a, a),
            [] => continue,
        };
        found = Some(match found {
            None => (low.clone(), high.clone()),
            Some((least, greatest)) => {
                let is_less = compare(vm, low, &least)? == Ordering::Less;
                let is_greater = compare(vm, high, &greatest)? == Ordering::Greater;
                (if is_less { low.clone() } else { least }, if is_greater { high.clone() } else { greatest })
            }
        });
    }
    Ok(found.map_or((None, None), |(low, high)| (Some(low), Some(high))))
}

fn extreme_by(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, wanted: Ordering) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    if !args.at(0).is_nil() {
        let count = amount_shown(vm, &args.at(0))?;
        if count == 0 {
            return Ok(vm.array(Vec::new()));
        }
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
    let sorted = match args.block.clone() {
        Some(block) => vm.sort_with(list, |vm, a, b| compare_by(vm, Some(&block), a, b))?,
        None => vm.sort(list)?,
    };
    Ok(vm.array(sorted))
}

fn sort_by(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "sort_by", args) };
    let mut keyed = Vec::new();
    for item in vm.elements(me)? {
        keyed.push((call(vm, &block, item.clone())?, item));
    }
    let sorted = vm.sort_by_key(keyed, |(key, _)| key)?;
    Ok(vm.array(sorted.into_iter().map(|(_, item)| item).collect()))
}
