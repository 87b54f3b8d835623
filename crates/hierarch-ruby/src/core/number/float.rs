//! The methods of `Float`.

use hierarch_pcore::value::number::float_text;

use super::super::prelude::*;
use super::float_fraction;

static METHODS: &[Builtin] = &[
    m("to_s", 0, 0, to_s).gives(&["1.0.to_s => \"1.0\"", "1e20.to_s => \"1.0e+20\""]),
    m("inspect", 0, 0, to_s),
    m("to_f", 0, 0, |_, me, _| Ok(me.clone())),
    m("to_r", 0, 0, to_r).gives(&["0.5.to_r => (1/2)"]),
    m("rationalize", 0, 1, rationalize).gives(&["0.1.rationalize => (1/10)"]),
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

/// The simplest fraction that reads back as the float: its shortest digits, reduced.
fn rationalize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if !get(me).is_finite() {
        let shown = vm.inspect(me)?;
        return Err(vm.raise("FloatDomainError", shown));
    }
    if let Some(near) = args.get(0) {
        let near = vm.send(near, Sym::of("abs"), &[])?;
        let near = vm.to_float(&near)?;
        let size = get(me).abs();
        let (low, high) = (float_fraction(size - near), float_fraction(size + near));
        let (top, bottom) = simplest((low.top, low.bottom), (high.top, high.bottom), 0);
        return vm.rational(if get(me) < 0.0 { -top } else { top }, bottom);
    }
    let text = format!("{:e}", get(me));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: num_bigint::BigInt = format!("{whole}{fraction}").parse().unwrap_or_default();
    let shift = exponent - fraction.len() as i32;
    let power = num_bigint::BigInt::from(10).pow(shift.unsigned_abs());
    if shift >= 0 { vm.rational(digits * power, 1.into()) } else { vm.rational(digits, power) }
}

fn infinite(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let number = get(me);
    Ok(if number.is_infinite() { Value::Int(if number > 0.0 { 1 } else { -1 }) } else { Value::Nil })
}

fn eql(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(Value::Bool(matches!((me, args.at(0)), (Value::Float(a), Value::Float(b)) if *a == b)))
}

type Fraction = (num_bigint::BigInt, num_bigint::BigInt);

/// Returns the fraction with the smallest denominator between two, found by continued fractions.
fn simplest(low: Fraction, high: Fraction, depth: u32) -> Fraction {
    use num_integer::Integer;
    let floor = low.0.div_floor(&low.1);
    if &floor * &low.1 == low.0 || depth > 1_000 {
        return (floor, 1.into());
    }
    if floor < high.0.div_floor(&high.1) {
        return (floor + 1i32, 1.into());
    }
    let rest = |value: &Fraction| (value.1.clone(), &value.0 - &floor * &value.1);
    let (top, bottom) = simplest(rest(&high), rest(&low), depth + 1);
    (floor * &top + bottom, top)
}
