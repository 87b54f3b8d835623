//! Orders and choices that are quicker than `Enumerable`'s.

use super::super::prelude::*;
use super::it;

pub(super) static METHODS: &[Builtin] = &[
    m("reverse", 0, 0, |vm, me, _| {
        let mut items = it(me).to_vec();
        items.reverse();
        Ok(vm.array(items))
    })
    .gives(&["[1, 2].reverse => [2, 1]"]),
    m("rotate", 0, 1, rotate).gives(&["[1, 2, 3].rotate => [2, 3, 1]", "[1, 2, 3].rotate(-1) => [3, 1, 2]"]),
    m("compact", 0, 0, |vm, me, _| {
        let items = it(me).to_vec().into_iter().filter(|item| !item.is_nil()).collect();
        Ok(vm.array(items))
    })
    .gives(&["[1, nil].compact => [1]"]),
    m("shuffle", 0, 0, shuffle)
        .takes(&["random"])
        .gives(&["[1, 2, 3, 4, 5].shuffle(random: Random.new(1)) => [3, 2, 5, 1, 4]"]),
    m("take", 1, 1, |vm, me, args| {
        let count = super::super::enumerable::amount(vm, &args.at(0), "attempt to take negative size")?;
        let items = it(me).items().iter().take(count).cloned().collect();
        Ok(vm.array(items))
    }),
    m("none_list", 0, 0, |_, me, _| Ok(me.clone())).private(),
];

fn rotate(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let by = if args.is_empty() { 1 } else { args.int(vm, 0)? };
    let mut items = it(me).to_vec();
    if !items.is_empty() {
        let by = by.rem_euclid(items.len() as i64) as usize;
        items.rotate_left(by);
    }
    Ok(vm.array(items))
}

/// Shuffles as Ruby does: from the end, each with one before it.
pub(super) fn shuffled(vm: &mut Vm<'_>, mut items: Vec<Value>, random: Option<&Value>) -> Res<Vec<Value>> {
    for count in (2..=items.len()).rev() {
        let at = super::super::random::place_below(vm, random, count)?;
        items.swap(count - 1, at);
    }
    Ok(items)
}

fn shuffle(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let random = args.keyword("random");
    let items = shuffled(vm, it(me).to_vec(), random.as_ref())?;
    Ok(vm.array(items))
}
