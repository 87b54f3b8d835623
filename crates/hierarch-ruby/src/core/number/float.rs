//! The methods of `Float`.

use hierarch_pcore::value::number::float_text;

use super::super::prelude::*;
use super::float_fraction;

static METHODS: &[Builtin] = &[
    m("to_s", 0, 0, to_s).gives(&["1.0.to_s => \"1.0\"", "1e20.to_s => \"1.0e+20\""]),
    m("inspect", 0, 0, to_s),
    m("to_f", 0, 0, |_, me, _| Ok(me.clone())),
    m("to_r", 0, 0, to_r).gives(&["0.5.to_r => (1/2)"]),
    m("numerator", 0, 0, |vm, me, _| part(vm, me, "numerator", me.clone())).gives(&["1.5.numerator => 3"]),
    m("denominator", 0, 0, |vm, me, _| part(vm, me, "denominator", Value::Int(1)))
        .gives(&["1.5.denominator => 2"]),
    m("rationalize", 0, 1, super::simplest::of_float).gives(&["0.1.rationalize => (1/10)"]),
    m("nan?", 0, 0, |_, me, _| Ok(Value::Bool(get(me).is_nan()))).gives(&["(0.0 / 0).nan? => true"]),
    m("infinite?", 0, 0, infinite).gives(&["(1.0 / 0).infinite? => 1", "1.0.infinite? => nil"]),
    m("finite?", 0, 0, |_, me, _| Ok(Value::Bool(get(me).is_finite()))).gives(&["1.0.finite? => true"]),
    m("eql?", 1, 1, eql).gives(&["1.0.eql?(1) => false"]),
    m("next_float", 0, 0, |_, me, _| Ok(Value::Float(get(me).next_up()))),
    m("prev_float", 0, 0, |_, me, _| Ok(Value::Float(get(me).next_down()))),
];

/// `Float`
pub(in crate::core) static FLOAT: ClassSpec = ClassSpec {
    superclass: Some("Numeric"),
    methods: &[METHODS, super::ARITHMETIC, super::round::FLOAT],
    constants: &[
        ("INFINITY", |_| Ok(Value::Float(f64::INFINITY))),
        ("NAN", |_| Ok(Value::Float(f64::NAN))),
        ("EPSILON", |_| Ok(Value::Float(f64::EPSILON))),
        ("MAX", |_| Ok(Value::Float(f64::MAX))),
        ("MIN", |_| Ok(Value::Float(f64::MIN_POSITIVE))),
        ("DIG", |_| Ok(Value::Int(15))),
        ("MANT_DIG", |_| Ok(Value::Int(53))),
    ],
    ..ClassSpec::class("Float")
};

fn get(value: &Value) -> f64 {
    match value {
        Value::Float(number) => *number,
        _ => 0.0,
    }
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(vm.str(float_text(get(me))))
}

fn to_r(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let number = get(me);
    if !number.is_finite() {
        return super::round::to_integer(vm, number);
    }
    let fraction = float_fraction(number);
    vm.rational(fraction.top, fraction.bottom)
}

/// One of the two parts of the fraction that a float is; what is not finite has none.
fn part(vm: &mut Vm<'_>, me: &Value, name: &str, otherwise: Value) -> Res {
    if !get(me).is_finite() {
        return Ok(otherwise);
    }
    let fraction = to_r(vm, me, &Args::default())?;
    vm.send(&fraction, Sym::of(name), &[])
}

fn infinite(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let number = get(me);
    Ok(if number.is_infinite() { Value::Int(if number > 0.0 { 1 } else { -1 }) } else { Value::Nil })
}

fn eql(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(Value::Bool(matches!((me, args.at(0)), (Value::Float(a), Value::Float(b)) if *a == b)))
}
