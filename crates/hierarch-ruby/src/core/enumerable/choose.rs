//! `Enumerable`: which elements there are, by a block, a pattern, a value or a place.

use super::super::prelude::*;
use super::{amount, call, call_yielded};

/// What chooses.
pub(super) static METHODS: &[Builtin] = &[
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
    m("find_index", 0, 1, find_index).counts_one().gives(&["[1, 2].find_index(2) => 1"]),
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
    m("count", 0, 1, count).counts_one().gives(&["[1, 2, 1].count(1) => 2", "[1, 2].count(&:odd?) => 1"]),
    m("first", 0, 1, first).gives(&["[1, 2].each.first => 1", "[1, 2, 3].each.first(2) => [1, 2]"]),
    m("take", 1, 1, take).gives(&["[1, 2, 3].take(2) => [1, 2]"]),
    m("take_while", 0, 0, take_while).gives(&["[1, 2, 3].take_while { |x| x < 3 } => [1, 2]"]),
    m("drop", 1, 1, drop_).gives(&["[1, 2, 3].drop(2) => [3]"]),
    m("drop_while", 0, 0, drop_while).gives(&["[1, 2, 3].drop_while { |x| x < 2 } => [2, 3]"]),
    m("uniq", 0, 0, uniq).gives(&["[1, 2, 1].uniq => [1, 2]", "[1, 3, 2].uniq(&:odd?) => [1, 2]"]),
    m("compact", 0, 0, |vm, me, _| {
        let list = vm.elements(me)?;
        let list = list.into_iter().filter(|item| !item.is_nil()).collect();
        Ok(vm.array(list))
    }),
];

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
    let (place, found) = vm.fold_yielded(
        me,
        (0usize, false),
        move |vm, (place, found): &mut (usize, bool), item, is_many| {
            *found = match (&wanted, &block) {
                (Some(wanted), _) => vm.equal(&item, wanted)?,
                (None, Some(block)) => call_yielded(vm, block, item, is_many)?.truthy(),
                (None, None) => false,
            };
            if !*found {
                *place += 1;
            }
            Ok(!*found)
        },
    )?;
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
    let count = vm.fold_yielded(me, 0usize, move |vm, count: &mut usize, item, is_many| {
        let holds = match (&pattern, &block) {
            (Some(pattern), _) => vm.case_equal(pattern, &item)?,
            (None, Some(block)) => call_yielded(vm, block, item, is_many)?.truthy(),
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

pub(in super::super) fn count(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (wanted, block) = (args.get(0).cloned(), args.block.clone());
    let count = vm.fold_yielded(me, 0usize, move |vm, count: &mut usize, item, is_many| {
        let counts = match (&wanted, &block) {
            (Some(wanted), _) => vm.equal(&item, wanted)?,
            (None, Some(block)) => call_yielded(vm, block, item, is_many)?.truthy(),
            (None, None) => true,
        };
        *count += usize::from(counts);
        Ok(true)
    })?;
    Ok(count.into())
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
    let list = vm.fold_yielded(me, Vec::new(), move |vm, list: &mut Vec<Value>, item, is_many| {
        let holds = call_yielded(vm, &block, item.clone(), is_many)?.truthy();
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
