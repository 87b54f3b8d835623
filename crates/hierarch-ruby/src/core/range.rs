//! The methods of `Range`.

use super::prelude::*;
use super::string_walk as walk_texts;
use crate::value::number::Number;

static METHODS: &[Builtin] = &[
    m("first", 0, -1, first).gives(&["(1..5).first(2) => [1, 2]", "(1..).first => 1"]),
    m("begin", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| it.from.clone())))
        .gives(&["(1..5).begin => 1"]),
    m("last", 0, -1, last).gives(&["(1...5).last => 5", "(1...5).last(2) => [3, 4]"]),
    m("end", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| it.to.clone())))
        .gives(&["(1...5).end => 5"]),
    m("min", 0, -1, |vm, me, args| extreme(vm, me, args, true))
        .gives(&["(1..5).min => 1", "(5..1).min => nil"]),
    m("max", 0, -1, |vm, me, args| extreme(vm, me, args, false)).gives(&["(1...5).max => 4"]),
    m("minmax", 0, 0, |vm, me, args| {
        if args.block.is_some() {
            let items = to_a(vm, me, &Args::default())?;
            return vm.send_args(&items, Sym::of("minmax"), args.clone());
        }
        let (low, high) = (extreme(vm, me, args, true)?, extreme(vm, me, args, false)?);
        Ok(vm.pair(low, high))
    }),
    m("size", 0, 0, size).gives(&["(1..5).size => 5", "(1..).size => Infinity", "('a'..'z').size => nil"]),
    m("count", 0, 1, count).counts_one().gives(&["(1..5).count => 5"]),
    m("exclude_end?", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| Value::Bool(it.exclusive))))
        .gives(&["(1...5).exclude_end? => true"]),
    m("each", 0, 0, each).gives(&[
        "('a'..'c').each.to_a => [\"a\", \"b\", \"c\"]",
        "(1.5..2).each {} !! TypeError: can't iterate from Float",
    ]),
    m("reverse_each", 0, 0, reverse_each).gives(&["(1..3).reverse_each.to_a => [3, 2, 1]"]),
    m("step", 0, 1, |vm, me, args| step(vm, me, args, "step"))
        .gives(&["(1..10).step(4).to_a => [1, 5, 9]", "(0.0..1.0).step(0.5).to_a => [0.0, 0.5, 1.0]"]),
    m("%", 1, 1, |vm, me, args| step(vm, me, args, "%")).gives(&["((1..10) % 5).to_a => [1, 6]"]),
    m("include?", 1, 1, include).gives(&["(1..5).include?(3) => true", "('a'..'z').include?('bb') => false"]),
    m("member?", 1, 1, include).gives(&["(1..5).member?(6) => false"]),
    m("cover?", 1, 1, cover).gives(&["('a'..'z').cover?('bb') => true", "(1..5).cover?(2..3) => true"]),
    m("===", 1, 1, case_equal).gives(&["(1..5) === 3 => true"]),
    m("to_a", 0, 0, to_a).gives(&[
        "(1..3).to_a => [1, 2, 3]",
        "(1..).to_a !! RangeError: cannot convert endless range to an array",
    ]),
    m("to_ary_list", 0, 0, to_a).private(),
    m("entries", 0, 0, to_a),
    m("sum", 0, 1, sum).gives(&["(1..10).sum => 55"]),
    m("to_s", 0, 0, |vm, me, _| show(vm, me, false)).gives(&["(1..3).to_s => \"1..3\""]),
    m("inspect", 0, 0, |vm, me, _| show(vm, me, true))
        .gives(&["('a'..'b').inspect => \"\\\"a\\\"..\\\"b\\\"\"", "(1..nil).inspect => \"1..\""]),
    m("==", 1, 1, equals).gives(&["(1..2) == (1..2) => true"]),
    m("eql?", 1, 1, equals),
    m("hash", 0, 0, |vm, me, _| Ok(Value::Int(vm.identity(me)?.number()))),
    m("overlap?", 1, 1, overlap).gives(&["(1..3).overlap?(3..4) => true"]),
    m("dup", 0, 0, |_, me, _| Ok(me.clone())),
];

static SINGLETON: &[Builtin] =
    &[m("new", 2, 3, |vm, _, args| vm.new_range(args.at(0), args.at(1), args.at(2).truthy())).gives(&[
        "Range.new(1, 3, true) => 1...3",
        "Range.new(1, 'a') !! ArgumentError: bad value for range",
    ])];

/// `Range`
pub(super) static RANGE: ClassSpec = ClassSpec {
    includes: &["Enumerable"],
    methods: &[METHODS],
    singleton: &[SINGLETON],
    ..ClassSpec::class("Range")
};

fn get(me: &Value) -> Option<Rc<Range>> {
    match me {
        Value::Range(range) => Some(Rc::clone(range)),
        _ => None,
    }
}

/// Returns where a range starts in something of this length, and how many elements it has; nothing beyond its ends.
pub(super) fn bounds(vm: &mut Vm<'_>, range: &Range, count: usize) -> Res<Option<(usize, usize)>> {
    let count = count as i64;
    let from = if range.from.is_nil() { 0 } else { vm.to_int(&range.from)? };
    let to = if range.to.is_nil() { -1 } else { vm.to_int(&range.to)? };
    let exclusive = range.exclusive && !range.to.is_nil();
    let start = if from < 0 { from + count } else { from };
    if start < 0 || start > count {
        return Ok(None);
    }
    let end = if to < 0 { to + count } else { to };
    let end = if exclusive { end } else { end.saturating_add(1) };
    let end = end.clamp(start, count);
    Ok(Some((start as usize, (end - start) as usize)))
}

/// Returns the integers of a range, the end left out.
fn integers(range: &Range) -> Option<(i64, i64)> {
    match (&range.from, &range.to) {
        (Value::Int(from), Value::Int(to)) => {
            Some((*from, if range.exclusive { *to } else { to.saturating_add(1) }))
        }
        (Value::Int(from), Value::Float(to)) => {
            let end = to.floor();
            let is_whole = (end - to).abs() < f64::EPSILON;
            Some((
                *from,
                if range.exclusive && is_whole { end as i64 } else { (end as i64).saturating_add(1) },
            ))
        }
        _ => None,
    }
}

fn walk(vm: &mut Vm<'_>, me: &Value, mut each: impl FnMut(&mut Vm<'_>, Value) -> Res<bool>) -> Res<()> {
    let Some(range) = get(me) else { return Ok(()) };
    if let (Value::Int(from), Value::Nil) = (&range.from, &range.to) {
        for number in *from..i64::MAX {
            vm.step()?;
            if !each(vm, Value::Int(number))? {
                return Ok(());
            }
        }
        return Ok(());
    }
    if let Some((from, end)) = integers(&range) {
        for number in from..end {
            vm.step()?;
            if !each(vm, Value::Int(number))? {
                return Ok(());
            }
        }
        return Ok(());
    }
    if let (Value::Str(from), Value::Str(to)) = (&range.from, &range.to) {
        return walk_texts(vm, (&from.chars(), &to.chars(), range.exclusive), |vm, text| {
            let text = vm.str(text);
            each(vm, text)
        });
    }
    walk_by_succ(vm, &range, each)
}

fn walk_by_succ(
    vm: &mut Vm<'_>,
    range: &Range,
    mut each: impl FnMut(&mut Vm<'_>, Value) -> Res<bool>,
) -> Res<()> {
    let mut value = range.from.clone();
    if !vm.responds(&value, names::SUCC)? {
        let class = vm.class_name(&value);
        return Err(vm.raise("TypeError", format!("can't iterate from {class}")));
    }
    loop {
        vm.step()?;
        if !range.to.is_nil() {
            let order = vm.compare(&value, &range.to)?;
            if order.is_gt() || (order.is_eq() && range.exclusive) {
                return Ok(());
            }
        }
        if !each(vm, value.clone())? {
            return Ok(());
        }
        value = vm.send(&value, names::SUCC, &[])?;
    }
}

fn list(vm: &mut Vm<'_>, me: &Value, most: usize) -> Res<Vec<Value>> {
    let mut items = Vec::new();
    walk(vm, me, |vm, item| {
        if items.len() < most {
            items.push(item);
            vm.check_size(items.len() * size_of::<Value>())?;
        }
        Ok(items.len() < most)
    })?;
    Ok(items)
}

fn first(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let from = get(me).map(|it| it.from.clone()).unwrap_or_default();
    if from.is_nil() {
        return Err(vm.raise("RangeError", "cannot get the first element of beginless range"));
    }
    if args.is_empty() {
        return Ok(from);
    }
    if args.len() > 1 {
        return Err(vm.raise("ArgumentError", crate::issues::wrong_number(args.len(), 1, Some(1))));
    }
    let Ok(count) = usize::try_from(args.int(vm, 0)?) else {
        return Err(vm.raise("ArgumentError", "negative array size (or size too big)"));
    };
    let items = list(vm, me, count)?;
    Ok(vm.array(items))
}

fn last(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let to = get(me).map(|it| it.to.clone()).unwrap_or_default();
    if to.is_nil() {
        return Err(vm.raise("RangeError", "cannot get the last element of endless range"));
    }
    if args.is_empty() {
        return Ok(to);
    }
    let items = to_a(vm, me, &Args::default())?;
    // Of no integers any number are the last ones, whatever else is given.
    let is_empty = matches!(&items, Value::Array(array) if array.is_empty());
    if is_empty && get(me).is_some_and(|it| integers(&it).is_some()) {
        return Ok(items);
    }
    let is_whole = get(me).is_some_and(|it| integers(&it).is_some());
    args.check(vm, usize::from(is_whole), Some(1))?;
    vm.send_args(&items, Sym::of("last"), args.clone())
}

fn extreme(vm: &mut Vm<'_>, me: &Value, args: &Args, least: bool) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    let (name, end) = if least { ("min", "minimum") } else { ("max", "maximum") };
    let (near, far) = if least { (&range.from, &range.to) } else { (&range.to, &range.from) };
    let (near_kind, far_kind) = if least { ("beginless", "endless") } else { ("endless", "beginless") };
    if near.is_nil() {
        return Err(vm.raise("RangeError", format!("cannot get the {end} of {near_kind} range")));
    }
    let is_counted = !args.is_empty();
    if args.block.is_some() || is_counted && !least {
        if far.is_nil() {
            let words = format!("cannot get the {end} of {far_kind} range with custom comparison method");
            return Err(vm.raise("RangeError", words));
        }
        args.check(vm, 0, Some(1))?;
        if !args.at(0).is_nil() && args.int(vm, 0)? == 0 {
            return Ok(vm.array(Vec::new()));
        }
        let items = to_a(vm, me, &Args::default())?;
        return vm.send_args(&items, Sym::of(name), args.clone());
    }
    if is_counted {
        args.check(vm, 1, Some(1))?;
        return first(vm, me, args);
    }
    if !range.from.is_nil() && !range.to.is_nil() {
        let order = vm.compare(&range.from, &range.to)?;
        if order.is_gt() || (order.is_eq() && range.exclusive) {
            return Ok(Value::Nil);
        }
    }
    if least {
        return Ok(range.from.clone());
    }
    match (&range.to, range.exclusive) {
        (Value::Int(_) | Value::Big(_), true) if !matches!(range.from, Value::Int(_) | Value::Big(_)) => {
            Err(vm.raise("TypeError", "cannot exclude end value with non Integer begin value"))
        }
        (Value::Int(to), true) => Ok(Value::Int(to - 1)),
        (Value::Float(_), true) => Err(vm.raise("TypeError", "cannot exclude non Integer end value")),
        (_, true) => Ok(list(vm, me, usize::MAX)?.pop().unwrap_or_default()),
        (to, false) => Ok(to.clone()),
    }
}

fn size(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    if let Some((from, end)) = integers(&range) {
        return Ok(Value::Int(end.saturating_sub(from).max(0)));
    }
    match (&range.from, &range.to) {
        (Value::Int(_), Value::Nil) => Ok(Value::Float(f64::INFINITY)),
        (Value::Float(from), Value::Float(to)) => {
            Ok(Value::Int(((to - from).floor() as i64).saturating_add(1).max(0)))
        }
        (Value::Float(from), Value::Int(to)) => {
            Ok(Value::Int(((*to as f64 - from).floor() as i64).saturating_add(1).max(0)))
        }
        (Value::Nil, Value::Int(_)) => Ok(Value::Float(f64::INFINITY)),
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
            let length = vm.send(&range.to, Sym::of("-"), &[range.from.clone()])?;
            let length = vm.send(&length, Sym::of("+"), &[Value::Int(i64::from(!range.exclusive))])?;
            vm.send(&length, Sym::of("clamp"), &[Value::Int(0), Value::Nil])
        }
        _ => Ok(Value::Nil),
    }
}

fn count(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let is_float = get(me).is_some_and(|it| matches!(it.from, Value::Float(_)));
    if args.is_empty() && args.block.is_none() && !is_float {
        let size = size(vm, me, args)?;
        if !size.is_nil() {
            return Ok(size);
        }
    }
    let items = to_a(vm, me, &Args::default())?;
    vm.send_args(&items, Sym::of("count"), args.clone())
}

fn each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each", args) };
    walk(vm, me, |vm, item| {
        vm.call_block(&block, &[item])?;
        Ok(true)
    })?;
    Ok(me.clone())
}

fn reverse_each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "reverse_each", args) };
    if let Some((Value::Nil, Value::Int(to), is_exclusive)) =
        get(me).map(|it| (it.from.clone(), it.to.clone(), it.exclusive))
    {
        for number in (i64::MIN..=to.saturating_sub(i64::from(is_exclusive))).rev() {
            vm.step()?;
            vm.call_block(&block, &[Value::Int(number)])?;
        }
        return Ok(me.clone());
    }
    for item in list(vm, me, usize::MAX)?.into_iter().rev() {
        vm.call_block(&block, &[item])?;
    }
    Ok(me.clone())
}

fn step(vm: &mut Vm<'_>, me: &Value, args: &Args, name: &str) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    let by = args.get(0).cloned().unwrap_or(Value::Int(1));
    let Some(size) = Number::of(&by).map(|number| number.to_f64()) else {
        let kind = vm.kind_of(&by);
        return Err(vm.raise("TypeError", format!("no implicit conversion of {kind} into Integer")));
    };
    if size == 0.0 {
        return Err(vm.raise("ArgumentError", "step can't be 0"));
    }
    let is_number = |value: &Value| value.is_nil() || Number::of(value).is_some();
    let Some(block) = args.block.clone() else {
        if is_number(&range.from) && is_number(&range.to) {
            return super::enumerator::sequence(vm, me, name, args);
        }
        return vm.enumerator(me, name, args);
    };
    if size < 0.0 {
        return Err(vm.raise("ArgumentError", "step can't be negative"));
    }
    if [&range.from, &range.to, &by].iter().any(|value| matches!(value, Value::Float(_))) {
        for number in super::float_sequence(vm, (&range.from, &range.to, &by), range.exclusive)? {
            vm.call_block(&block, &[Value::Float(number)])?;
        }
        return Ok(me.clone());
    }
    if range.from.is_nil() && is_number(&range.to) && !range.to.is_nil() {
        return vm.send(&range.from, Sym::of("<="), &[range.to.clone()]);
    }
    // No range has so many elements that a greater number would matter.
    let by = if matches!(by, Value::Big(_)) { i64::MAX } else { vm.to_int(&by)? };
    let mut place = 0i64;
    walk(vm, me, |vm, item| {
        if place % by == 0 {
            vm.call_block(&block, &[item])?;
        }
        place += 1;
        Ok(true)
    })?;
    Ok(me.clone())
}

fn covers(vm: &mut Vm<'_>, range: &Range, value: &Value) -> Res<bool> {
    if !range.from.is_nil() {
        match vm.try_compare(&range.from, value)? {
            Some(order) if order.is_le() => {}
            _ => return Ok(false),
        }
    }
    if range.to.is_nil() {
        return Ok(true);
    }
    Ok(match vm.try_compare(value, &range.to)? {
        Some(order) => {
            if range.exclusive {
                order.is_lt()
            } else {
                order.is_le()
            }
        }
        None => false,
    })
}

fn cover(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    if let Value::Range(other) = args.at(0) {
        // The end of whole numbers that leaves out its last one is the number before.
        let end = match (&other.to, &other.from) {
            (Value::Int(to), Value::Int(_)) if other.exclusive => Value::Int(to.saturating_sub(1)),
            (to, _) => to.clone(),
        };
        let holds = !is_empty(vm, &other)?
            && (other.from.is_nil() && range.from.is_nil() || covers(vm, &range, &other.from)?)
            && (end.is_nil() && range.to.is_nil()
                || covers(vm, &range, &end)?
                || (other.exclusive && vm.equal(&range.to, &other.to)?));
        return Ok(Value::Bool(holds));
    }
    Ok(Value::Bool(covers(vm, &range, &args.at(0))?))
}

/// Tells whether nothing is in a range: it ends before it begins.
fn is_empty(vm: &mut Vm<'_>, range: &Range) -> Res<bool> {
    if range.from.is_nil() || range.to.is_nil() {
        return Ok(false);
    }
    let order = vm.try_compare(&range.from, &range.to)?;
    Ok(order.is_none_or(|order| order.is_gt() || order.is_eq() && range.exclusive))
}

/// A range is not one of its own elements.
fn case_equal(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.at(0) {
        Value::Range(_) => Ok(Value::Bool(false)),
        _ => cover(vm, me, args),
    }
}

fn include(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    if let (Value::Str(from), Value::Str(to), Value::Str(value)) = (&range.from, &range.to, &args.at(0)) {
        let wanted = value.chars();
        let mut found = false;
        walk_texts(vm, (&from.chars(), &to.chars(), range.exclusive), |_, text| {
            found = text == wanted.as_str();
            Ok(!found)
        })?;
        return Ok(Value::Bool(found));
    }
    Ok(Value::Bool(covers(vm, &range, &args.at(0))?))
}

fn to_a(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    if range.to.is_nil() {
        return Err(vm.raise("RangeError", "cannot convert endless range to an array"));
    }
    if let Some((from, end)) = integers(&range) {
        vm.check_size(
            usize::try_from(end.saturating_sub(from)).unwrap_or(0).saturating_mul(size_of::<Value>()),
        )?;
    }
    let items = list(vm, me, usize::MAX)?;
    Ok(vm.array(items))
}

fn sum(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let start = args.get(0).cloned().unwrap_or(Value::Int(0));
    let are_integers = get(me).is_some_and(|it| matches!(it.to, Value::Int(_)));
    if let Some((from, end)) = get(me).and_then(|it| integers(&it))
        && are_integers
        && args.block.is_none()
        && !matches!(start, Value::Float(_))
    {
        let count = i128::from(end).saturating_sub(i128::from(from)).max(0);
        if count == 0 {
            return Ok(start);
        }
        let sum: Value = (count * (i128::from(from) * 2 + count - 1) / 2).into();
        if matches!(start, Value::Int(_) | Value::Big(_)) {
            return vm.send(&start, names::PLUS, &[sum]);
        }
        let pair = vm.send(&sum, Sym::of("coerce"), &[start])?;
        let pair = vm.to_ary(&pair)?.unwrap_or_default();
        return match pair.as_slice() {
            [start, sum] => vm.send(start, names::PLUS, std::slice::from_ref(sum)),
            _ => Ok(sum),
        };
    }
    let items = to_a(vm, me, &Args::default())?;
    vm.send_args(&items, Sym::of("sum"), args.clone())
}

fn show(vm: &mut Vm<'_>, me: &Value, inspects: bool) -> Res {
    let Some(range) = get(me) else { return Ok(Value::Nil) };
    let mut side = |value: &Value| match (value, inspects) {
        (Value::Nil, _) => Ok(EcoString::new()),
        (value, true) => vm.inspect(value),
        (value, false) => vm.to_s(value),
    };
    let (from, to) = (side(&range.from)?, side(&range.to)?);
    let dots = if range.exclusive { "..." } else { ".." };
    let side = if range.from.is_nil() && range.to.is_nil() && inspects { "nil" } else { "" };
    Ok(vm.str(format!("{side}{from}{dots}{to}{side}")))
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (Some(a), Some(b)) = (get(me), get(&args.at(0))) else { return Ok(Value::Bool(false)) };
    Ok(Value::Bool(a.exclusive == b.exclusive && vm.equal(&a.from, &b.from)? && vm.equal(&a.to, &b.to)?))
}

fn overlap(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (Some(a), Some(b)) = (get(me), get(&args.at(0))) else {
        let class = vm.class_name(&args.at(0));
        return Err(vm.raise("TypeError", format!("wrong argument type {class} (expected Range)")));
    };
    // A range without elements overlaps with nothing.
    let is_empty = |vm: &mut Vm<'_>, range: &Range| -> Res<bool> {
        if range.from.is_nil() || range.to.is_nil() {
            return Ok(false);
        }
        Ok(!covers(vm, range, &range.from)?)
    };
    if is_empty(vm, &a)? || is_empty(vm, &b)? {
        return Ok(Value::Bool(false));
    }
    Ok(Value::Bool(covers(vm, &a, &b.from)? || covers(vm, &b, &a.from)?))
}
