//! `Numeric`: what all numbers have.

use super::super::prelude::*;
use crate::value::number::Number;

static METHODS: &[Builtin] = &[
    m("zero?", 0, 0, |_, me, _| Ok(Value::Bool(float(me) == 0.0))).gives(&["0.zero? => true"]),
    m("nonzero?", 0, 0, |_, me, _| Ok(if float(me) == 0.0 { Value::Nil } else { me.clone() }))
        .gives(&["0.nonzero? => nil"]),
    m("positive?", 0, 0, |_, me, _| Ok(Value::Bool(float(me) > 0.0))).gives(&["1.positive? => true"]),
    m("negative?", 0, 0, |_, me, _| Ok(Value::Bool(float(me) < 0.0))).gives(&["1.negative? => false"]),
    m("integer?", 0, 0, |_, me, _| Ok(Value::Bool(matches!(me, Value::Int(_) | Value::Big(_)))))
        .gives(&["1.integer? => true"]),
    m("real?", 0, 0, |_, _, _| Ok(Value::Bool(true))),
    m("finite?", 0, 0, |_, _, _| Ok(Value::Bool(true))).gives(&["1.finite? => true"]),
    m("infinite?", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("+@", 0, 0, |_, me, _| Ok(me.clone())),
    m("step", 0, 2, step)
        .takes(&["by", "to"])
        .gives(&["1.step(10, 4).to_a => [1, 5, 9]", "1.0.step(2.0, 0.5).to_a => [1.0, 1.5, 2.0]"]),
    m("eql?", 1, 1, |_, me, args| Ok(Value::Bool(eql(me, &args.at(0))))).gives(&["1.eql?(1.0) => false"]),
    m("clone", 0, 1, |_, me, _| Ok(me.clone())),
    m("dup", 0, 0, |_, me, _| Ok(me.clone())),
    m("to_int", 0, 0, |vm, me, _| vm.send(me, names::TO_I, &[])),
    m("to_c", 0, 0, |vm, _, _| Err(vm.unsupported("Complex"))),
];

/// `Numeric`
pub(in crate::core) static NUMERIC: ClassSpec =
    ClassSpec { includes: &["Comparable"], methods: &[METHODS], ..ClassSpec::class("Numeric") };

fn float(value: &Value) -> f64 {
    Number::of(value).map_or(0.0, |number| number.to_f64())
}

fn eql(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a == b,
        _ => a.is_same(b),
    }
}

fn step(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let limit = args.keyword("to").or_else(|| args.positional().first().cloned()).unwrap_or_default();
    let by = args.keyword("by").or_else(|| args.positional().get(1).cloned()).unwrap_or(Value::Int(1));
    if Number::of(&by).is_some_and(|number| number.to_f64() == 0.0) {
        return Err(vm.raise("ArgumentError", "step can't be 0"));
    }
    let Some(block) = args.block.clone() else {
        let is_number = |value: &Value| value.is_nil() || Number::of(value).is_some();
        if is_number(&limit) && is_number(&by) {
            return super::super::enumerator::sequence(vm, me, "step", args);
        }
        let by = if by.is_nil() { Value::Int(1) } else { by };
        return vm.enumerator(me, "step", &Args::of(&[limit, by]));
    };
    check_step(vm, &by)?;
    let is_float = [me, &limit, &by].iter().any(|value| matches!(value, Value::Float(_)));
    if is_float {
        for number in float_steps(vm, me, &limit, &by)? {
            vm.call_block(&block, &[Value::Float(number)])?;
        }
        return Ok(me.clone());
    }
    let mut number = me.clone();
    let falls = float(&by) < 0.0;
    loop {
        if !limit.is_nil() {
            let order = vm.compare(&number, &limit)?;
            if if falls { order.is_lt() } else { order.is_gt() } {
                return Ok(me.clone());
            }
        }
        vm.call_block(&block, &[number.clone()])?;
        number = vm.send(&number, names::PLUS, &[by.clone()])?;
    }
}

/// Fails unless a step can be held against zero.
fn check_step(vm: &mut Vm<'_>, by: &Value) -> Res<()> {
    if Number::of(by).is_some() {
        return Ok(());
    }
    if by.is_nil() {
        return Err(vm.raise("TypeError", "step must be numeric"));
    }
    if vm.responds(by, names::GT)? {
        return vm.send(by, names::GT, &[Value::Int(0)]).map(drop);
    }
    let class = vm.class_name(by);
    Err(vm.raise("TypeError", format!("0 can't be coerced into {class}")))
}

/// Makes a float of a bound; what is not a number is named otherwise than elsewhere.
fn bound(vm: &mut Vm<'_>, value: &Value) -> Res<f64> {
    let kind = match value {
        Value::Nil => "nil",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Str(_) => "string",
        other => return vm.to_float(other),
    };
    Err(vm.raise("TypeError", format!("no implicit conversion to float from {kind}")))
}

/// Floats from one number to another. They are counted, not added up, as Ruby does.
pub(in crate::core) struct Floats {
    from: f64,
    to: f64,
    by: f64,
    count: f64,
    next: f64,
}

impl Floats {
    fn at(&self, place: f64) -> f64 {
        let value = place * self.by + self.from;
        let is_over = if self.by >= 0.0 { self.to < value } else { value < self.to };
        if is_over { self.to } else { value }
    }
}

impl Iterator for Floats {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        if self.next >= self.count {
            return None;
        }
        self.next += 1.0;
        Some(self.at(self.next - 1.0))
    }
}

/// Returns the floats from one number to another, perhaps without the last.
pub(in crate::core) fn float_sequence(
    vm: &mut Vm<'_>,
    (from, to, by): (&Value, &Value, &Value),
    is_exclusive: bool,
) -> Res<Floats> {
    let mut numbers = float_steps(vm, from, to, by)?;
    if is_exclusive && !to.is_nil() && numbers.count > 0.0 {
        let last = numbers.at(numbers.count - 1.0);
        let is_over = if numbers.by < 0.0 { last <= numbers.to } else { last >= numbers.to };
        if is_over {
            numbers.count -= 1.0;
        }
    }
    Ok(numbers)
}

fn float_steps(vm: &mut Vm<'_>, from: &Value, to: &Value, by: &Value) -> Res<Floats> {
    let (from, by) = (bound(vm, from)?, vm.to_float(by)?);
    let to =
        if to.is_nil() { if by < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY } } else { bound(vm, to)? };
    let n = (to - from) / by;
    let error = (from.abs() + to.abs() + (to - from).abs()) / by.abs() * f64::EPSILON;
    let count = (n + error.min(0.5)).floor() + 1.0;
    let count = if count.is_nan() { 0.0 } else { count };
    Ok(Floats { from, to, by, count, next: 0.0 })
}
