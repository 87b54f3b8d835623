//! Arrays with arrays.

use super::super::prelude::*;
use super::it;

pub(super) static METHODS: &[Builtin] = &[
    m("+", 1, 1, plus).gives(&[
        "[1] + [2] => [1, 2]",
        "[1] + 2 !! TypeError: no implicit conversion of Integer into Array",
    ]),
    m("-", 1, 1, minus).gives(&["[1, 2, 1] - [1] => [2]"]),
    m("difference", 0, -1, |vm, me, args| {
        let mut me = me.clone();
        for other in &args.list {
            me = minus(vm, &me, &Args::of(std::slice::from_ref(other)))?;
        }
        Ok(me)
    })
    .gives(&["[1, 2].difference([2]) => [1]"]),
    m("&", 1, 1, and).gives(&["[1, 2] & [2, 3] => [2]"]),
    m("intersection", 0, -1, |vm, me, args| {
        let mut me = me.clone();
        for other in &args.list {
            me = and(vm, &me, &Args::of(std::slice::from_ref(other)))?;
        }
        Ok(me)
    })
    .gives(&["[1, 2].intersection([2]) => [2]"]),
    m("intersect?", 1, 1, |vm, me, args| {
        let common = and(vm, me, args)?;
        Ok(Value::Bool(!it(&common).is_empty()))
    })
    .gives(&["[1].intersect?([1]) => true"]),
    m("|", 1, 1, or).gives(&["[1, 2] | [2, 3] => [1, 2, 3]"]),
    m("union", 0, -1, |vm, me, args| {
        let mut me = or(vm, me, &Args::of(&[me.clone()]))?;
        for other in &args.list {
            me = or(vm, &me, &Args::of(std::slice::from_ref(other)))?;
        }
        Ok(me)
    })
    .gives(&["[1].union([2]) => [1, 2]"]),
    m("*", 1, 1, times).gives(&["[1, 2] * 2 => [1, 2, 1, 2]", "[1, 2] * ',' => \"1,2\""]),
    m("flatten", 0, 1, flatten)
        .gives(&["[1, [2, [3]]].flatten => [1, 2, 3]", "[1, [2, [3]]].flatten(1) => [1, 2, [3]]"]),
    m("product", 0, -1, product).gives(&["[1, 2].product([3]) => [[1, 3], [2, 3]]"]),
    m("transpose", 0, 0, transpose).gives(&["[[1, 2], [3, 4]].transpose => [[1, 3], [2, 4]]"]),
    m("combination", 1, 1, |vm, me, args| chosen(vm, me, args, "combination", COMBINATIONS))
        .gives(&["[1, 2, 3].combination(2).to_a => [[1, 2], [1, 3], [2, 3]]"]),
    m("permutation", 0, -1, |vm, me, args| chosen(vm, me, args, "permutation", PERMUTATIONS))
        .gives(&["[1, 2].permutation.to_a => [[1, 2], [2, 1]]"]),
    m("repeated_combination", 1, 1, |vm, me, args| {
        chosen(vm, me, args, "repeated_combination", REPEATED_COMBINATIONS)
    }),
    m("repeated_permutation", 1, 1, |vm, me, args| {
        chosen(vm, me, args, "repeated_permutation", REPEATED_PERMUTATIONS)
    }),
];

fn plus(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut items = it(me).to_vec();
    items.extend(vm.to_array(&args.at(0))?);
    vm.check_size(items.len() * size_of::<Value>())?;
    Ok(vm.array(items))
}

/// Returns what elements are compared by.
fn identities(vm: &mut Vm<'_>, items: &[Value]) -> Res<rustc_hash::FxHashSet<Identity>> {
    let mut set = rustc_hash::FxHashSet::default();
    for item in items {
        set.insert(vm.identity(item)?);
    }
    Ok(set)
}

fn minus(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = vm.to_array(&args.at(0))?;
    let gone = identities(vm, &other)?;
    let mut kept = Vec::new();
    for item in it(me).to_vec() {
        if !gone.contains(&vm.identity(&item)?) {
            kept.push(item);
        }
    }
    Ok(vm.array(kept))
}

fn and(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = vm.to_array(&args.at(0))?;
    let mut wanted = identities(vm, &other)?;
    let mut kept = Vec::new();
    for item in it(me).to_vec() {
        if wanted.remove(&vm.identity(&item)?) {
            kept.push(item);
        }
    }
    Ok(vm.array(kept))
}

fn or(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut items = it(me).to_vec();
    items.extend(vm.to_array(&args.at(0))?);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut kept = Vec::new();
    for item in items {
        if seen.insert(vm.identity(&item)?) {
            kept.push(item);
        }
    }
    Ok(vm.array(kept))
}

fn times(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Value::Str(_) = args.at(0) {
        return vm.send(me, names::JOIN, &[args.at(0)]);
    }
    let count = super::super::enumerable::amount(vm, &args.at(0), "negative argument")?;
    let items = it(me).to_vec();
    vm.check_size(items.len().saturating_mul(count).saturating_mul(size_of::<Value>()))?;
    let repeated = (0..count).flat_map(|_| items.iter().cloned()).collect();
    Ok(vm.array(repeated))
}

fn flatten(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let depth = if args.at(0).is_nil() { -1 } else { args.int(vm, 0)? };
    let mut items = Vec::new();
    flatten_into(vm, me, depth, &mut items)?;
    Ok(vm.array(items))
}

fn flatten_into(vm: &mut Vm<'_>, me: &Value, depth: i64, into: &mut Vec<Value>) -> Res<()> {
    let address = me.address().unwrap_or_default();
    if vm.busy.contains(&address) {
        return Err(vm.raise("ArgumentError", "tried to flatten recursive array"));
    }
    if vm.is_too_deep() {
        return Err(vm.raise("SystemStackError", "stack level too deep"));
    }
    vm.busy.push(address);
    let done = it(me).to_vec().into_iter().try_for_each(|item| flatten_item(vm, item, depth, into));
    vm.busy.pop();
    done
}

fn flatten_item(vm: &mut Vm<'_>, item: Value, depth: i64, into: &mut Vec<Value>) -> Res<()> {
    vm.step()?;
    let inner = if depth == 0 {
        None
    } else if matches!(item, Value::Array(_)) {
        Some(item.clone())
    } else {
        vm.to_ary(&item)?.map(|items| vm.array(items))
    };
    match inner {
        Some(inner) => flatten_into(vm, &inner, depth - 1, into)?,
        None => into.push(item),
    }
    vm.check_size(into.len() * size_of::<Value>())
}

fn product(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut rows: Vec<Vec<Value>> = it(me).to_vec().into_iter().map(|item| vec![item]).collect();
    for other in &args.list {
        let other = vm.to_array(other)?;
        vm.check_size(
            rows.len().saturating_mul(other.len()).saturating_mul(args.len() * size_of::<Value>()),
        )?;
        let mut next = Vec::with_capacity(rows.len() * other.len());
        for row in &rows {
            for item in &other {
                vm.step()?;
                next.push(row.iter().cloned().chain(std::iter::once(item.clone())).collect());
            }
        }
        rows = next;
    }
    finish(vm, me, args, rows)
}

/// Hands rows to the block, or returns them.
fn finish(vm: &mut Vm<'_>, me: &Value, args: &Args, rows: Vec<Vec<Value>>) -> Res {
    let rows: Vec<Value> = rows.into_iter().map(|row| vm.array(row)).collect();
    let Some(block) = args.block.clone() else { return Ok(vm.array(rows)) };
    for row in rows {
        vm.call_block(&block, &[row])?;
    }
    Ok(me.clone())
}

fn transpose(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let mut rows = Vec::new();
    for row in it(me).to_vec() {
        let row = vm.to_array(&row)?;
        let width = rows.first().map_or(row.len(), Vec::len);
        if row.len() != width {
            let message = format!("element size differs ({} should be {width})", row.len());
            return Err(vm.raise("IndexError", message));
        }
        rows.push(row);
    }
    let width = rows.first().map_or(0, Vec::len);
    let columns = (0..width)
        .map(|at| {
            let column = rows.iter().map(|row| row[at].clone()).collect();
            vm.array(column)
        })
        .collect();
    Ok(vm.array(columns))
}

/// Which rows are chosen out of a list.
#[derive(Clone, Copy)]
struct Choice {
    /// Rows that differ in their order alone are different ones.
    is_ordered: bool,
    /// An element may stand in a row more than once.
    repeats: bool,
}

const COMBINATIONS: Choice = Choice { is_ordered: false, repeats: false };
const PERMUTATIONS: Choice = Choice { is_ordered: true, repeats: false };
const REPEATED_COMBINATIONS: Choice = Choice { is_ordered: false, repeats: true };
const REPEATED_PERMUTATIONS: Choice = Choice { is_ordered: true, repeats: true };

fn chosen(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str, choice: Choice) -> Res {
    if args.block.is_none() {
        // A permutation looks at its number only when it runs.
        if name != "permutation" {
            args.int(vm, 0)?;
        }
        return vm.enumerator(me, name, args);
    }
    args.check(vm, 0, Some(1))?;
    let items = it(me).to_vec();
    let count =
        if args.at(0).is_nil() && name == "permutation" { items.len() as i64 } else { args.int(vm, 0)? };
    let mut places = Vec::new();
    if let Ok(count) = usize::try_from(count) {
        choice.rows(vm, (items.len(), count), &mut Vec::new(), &mut places)?;
    }
    let rows = places.into_iter().map(|row| row.into_iter().map(|at| items[at].clone()).collect()).collect();
    finish(vm, me, args, rows)
}

fn keep(vm: &mut Vm<'_>, chosen: &[usize], into: &mut Vec<Vec<usize>>) -> Res<()> {
    vm.step()?;
    into.push(chosen.to_vec());
    vm.check_size(into.len().saturating_mul(chosen.len() * 8 + 24))
}

impl Choice {
    /// Lists the places of all rows of some length out of so many elements.
    fn rows(
        self,
        vm: &mut Vm<'_>,
        (count, wanted): (usize, usize),
        chosen: &mut Vec<usize>,
        into: &mut Vec<Vec<usize>>,
    ) -> Res<()> {
        if chosen.len() == wanted {
            return keep(vm, chosen, into);
        }
        if !self.repeats && wanted > count {
            return Ok(());
        }
        if vm.is_too_deep() {
            return Err(vm.raise("SystemStackError", "stack level too deep"));
        }
        for at in self.first(chosen)..count {
            if self.repeats || !chosen.contains(&at) {
                chosen.push(at);
                self.rows(vm, (count, wanted), chosen, into)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    /// Returns the first place that may come next.
    fn first(self, chosen: &[usize]) -> usize {
        match chosen.last() {
            Some(last) if !self.is_ordered => last + usize::from(!self.repeats),
            _ => 0,
        }
    }
}
