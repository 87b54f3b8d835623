//! Numbers: what integers, floats and fractions share.

mod cost;
mod float;
mod integer;
mod math;
mod numeric;
mod rational;
mod round;
mod simplest;

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, Zero};

use super::prelude::*;
use crate::value::number::{Number, Rational};

pub(super) use float::FLOAT;
pub(super) use integer::INTEGER;
pub(super) use math::MATH;
pub(super) use numeric::{NUMERIC, float_sequence};
pub(super) use rational::RATIONAL;

/// The operators on two numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Operation {
    fn name(self) -> Sym {
        match self {
            Self::Add => names::PLUS,
            Self::Subtract => names::MINUS,
            Self::Multiply => names::TIMES,
            Self::Divide => names::DIV,
            Self::Modulo => names::MOD,
        }
    }
}

/// The operators of all numbers.
pub(super) static ARITHMETIC: &[Builtin] = &[
    m("+", 1, 1, |vm, me, args| arithmetic(vm, Operation::Add, me, &args.at(0)))
        .gives(&["1 + 2 => 3", "1 + 0.5 => 1.5"]),
    m("-", 1, 1, |vm, me, args| arithmetic(vm, Operation::Subtract, me, &args.at(0))).gives(&["1 - 2 => -1"]),
    m("*", 1, 1, |vm, me, args| arithmetic(vm, Operation::Multiply, me, &args.at(0)))
        .gives(&["2**62 * 2 => 9223372036854775808"]),
    m("/", 1, 1, |vm, me, args| arithmetic(vm, Operation::Divide, me, &args.at(0)))
        .gives(&["-7 / 2 => -4", "1 / 0 !! ZeroDivisionError: divided by 0"]),
    m("%", 1, 1, |vm, me, args| arithmetic(vm, Operation::Modulo, me, &args.at(0))).gives(&["-7 % 3 => 2"]),
    m("modulo", 1, 1, |vm, me, args| arithmetic(vm, Operation::Modulo, me, &args.at(0)))
        .gives(&["7.modulo(3) => 1"]),
    m("**", 1, 1, power).gives(&["2**10 => 1024", "2**-1 => (1/2)", "2**0.5 => 1.4142135623730951"]),
    m("pow", 1, 2, pow).gives(&["2.pow(10) => 1024", "2.pow(10, 7) => 2"]),
    m("==", 1, 1, equals).gives(&["1 == 1.0 => true"]),
    m("===", 1, 1, equals),
    m("<=>", 1, 1, spaceship).gives(&["1 <=> 2 => -1", "1 <=> 'a' => nil"]),
    m("<", 1, 1, |vm, me, args| ordered(vm, me, args, Ordering::is_lt)).gives(&["1 < 2 => true"]),
    m("<=", 1, 1, |vm, me, args| ordered(vm, me, args, Ordering::is_le)).gives(&["1 <= 1.0 => true"]),
    m(">", 1, 1, |vm, me, args| ordered(vm, me, args, Ordering::is_gt))
        .gives(&["1 > 'a' !! ArgumentError: comparison of Integer with String failed"]),
    m(">=", 1, 1, |vm, me, args| ordered(vm, me, args, Ordering::is_ge)).gives(&["2 >= 3 => false"]),
    m("-@", 0, 0, negate).gives(&["-(5) => -5"]),
    m("coerce", 1, 1, coerce).gives(&["1.coerce(2.5) => [2.5, 1.0]", "1.coerce(2) => [2, 1]"]),
    m("divmod", 1, 1, divmod).gives(&["7.divmod(-2) => [-4, -1]", "7.5.divmod(2) => [3, 1.5]"]),
    m("div", 1, 1, div).gives(&["7.div(2.0) => 3"]),
    m("fdiv", 1, 1, fdiv).gives(&["7.fdiv(2) => 3.5"]),
    m("remainder", 1, 1, remainder).gives(&["-7.remainder(3) => -1"]),
    m("quo", 1, 1, quo).gives(&["7.quo(2) => (7/2)"]),
    m("abs", 0, 0, abs).gives(&["-5.abs => 5", "-2.5.abs => 2.5"]),
    m("magnitude", 0, 0, abs).gives(&["-5.magnitude => 5"]),
    m("hash", 0, 0, hash),
];

impl Vm<'_> {
    /// Makes a fraction.
    pub fn rational(&mut self, top: BigInt, bottom: BigInt) -> Res {
        if bottom.is_zero() {
            return Err(self.raise("ZeroDivisionError", "divided by 0"));
        }
        self.count_divisor(&top, &bottom)?;
        let class = self.class("Rational");
        let object = Object::with(class, Rational::new(top, bottom));
        object.frozen.set(true);
        Ok(Value::Object(Rc::new(object)))
    }
}

fn hash(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    match me.payload::<Rational>() {
        Some(number) => {
            Ok(Value::Int(Identity::Big(Rc::new(number.top.clone() * 31 + &number.bottom)).number()))
        }
        None => Ok(Value::Int(vm.identity(me)?.number())),
    }
}

/// Returns the two numbers of an operation; nothing if the other is not one.
fn both(me: &Value, other: &Value) -> Option<(Number, Number)> {
    Some((Number::of(me)?, Number::of(other)?))
}

fn arithmetic(vm: &mut Vm<'_>, operation: Operation, me: &Value, other: &Value) -> Res {
    if let (Value::Int(a), Value::Int(b)) = (me, other) {
        let quick = match operation {
            Operation::Add => a.checked_add(*b),
            Operation::Subtract => a.checked_sub(*b),
            Operation::Multiply => a.checked_mul(*b),
            Operation::Divide if *b != 0 => a.checked_div_euclid(*b).and_then(|_| floor_div(*a, *b)),
            Operation::Modulo if *b != 0 => Some(i128::from(*a).mod_floor(&i128::from(*b)) as i64),
            _ => None,
        };
        if let Some(number) = quick {
            return Ok(Value::Int(number));
        }
    }
    match both(me, other) {
        Some((Number::Float(a), b)) => float_operation(vm, operation, a, b.to_f64()),
        Some((a, Number::Float(b))) => float_operation(vm, operation, a.to_f64(), b),
        Some((a, b)) => match (a.to_big(), b.to_big()) {
            (Some(a), Some(b)) => big_operation(vm, operation, &a, &b),
            _ => rational_operation(vm, operation, &a, &b),
        },
        None => coerced(vm, operation.name(), me, other),
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    if (a % b != 0) && ((a < 0) != (b < 0)) { quotient.checked_sub(1) } else { Some(quotient) }
}

fn float_operation(vm: &mut Vm<'_>, operation: Operation, a: f64, b: f64) -> Res {
    if b == 0.0 && operation == Operation::Modulo {
        return Err(vm.raise("ZeroDivisionError", "divided by 0"));
    }
    Ok(Value::Float(match operation {
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::Multiply => a * b,
        Operation::Divide => a / b,
        Operation::Modulo => float_modulo(a, b),
    }))
}

/// The remainder with the sign of the divisor.
fn float_modulo(a: f64, b: f64) -> f64 {
    if b.is_infinite() && a.is_finite() {
        return if a == 0.0 || (a < 0.0) == (b < 0.0) { a } else { b };
    }
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

fn big_operation(vm: &mut Vm<'_>, operation: Operation, a: &BigInt, b: &BigInt) -> Res {
    if matches!(operation, Operation::Divide | Operation::Modulo) && b.is_zero() {
        return Err(vm.raise("ZeroDivisionError", "divided by 0"));
    }
    // Long numbers cost more than their length: they are bounded earlier than texts, and counted.
    let bits = a.bits() + b.bits();
    vm.check_size(usize::try_from(bits).unwrap_or(usize::MAX).saturating_mul(4))?;
    vm.work(bits / 8)?;
    if matches!(operation, Operation::Divide | Operation::Modulo) {
        vm.count_division(a, b)?;
    }
    Ok(Value::from(match operation {
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::Multiply => a * b,
        Operation::Divide => a.div_floor(b),
        Operation::Modulo => a.mod_floor(b),
    }))
}

fn rational_operation(vm: &mut Vm<'_>, operation: Operation, a: &Number, b: &Number) -> Res {
    let (Some(a), Some(b)) = (a.to_rational(), b.to_rational()) else { return Ok(Value::Nil) };
    let bits = a.top.bits() + a.bottom.bits() + b.top.bits() + b.bottom.bits();
    vm.check_size(usize::try_from(bits).unwrap_or(usize::MAX).saturating_mul(4))?;
    vm.work(bits / 8)?;
    match operation {
        Operation::Add => vm.rational(&a.top * &b.bottom + &b.top * &a.bottom, a.bottom * b.bottom),
        Operation::Subtract => vm.rational(&a.top * &b.bottom - &b.top * &a.bottom, a.bottom * b.bottom),
        Operation::Multiply => vm.rational(a.top * b.top, a.bottom * b.bottom),
        Operation::Divide => vm.rational(a.top * b.bottom, a.bottom * b.top),
        Operation::Modulo => {
            if b.top.is_zero() {
                return Err(vm.raise("ZeroDivisionError", "divided by 0"));
            }
            let count = (&a.top * &b.bottom).div_floor(&(&a.bottom * &b.top));
            vm.rational(&a.top * &b.bottom - count * &b.top * &a.bottom, a.bottom * b.bottom)
        }
    }
}

/// Asks the other side, as Ruby does for what is not a number.
fn coerced(vm: &mut Vm<'_>, name: Sym, me: &Value, other: &Value) -> Res {
    if matches!(other, Value::Object(_)) && vm.responds(other, names::COERCE)? {
        let pair = vm.send(other, names::COERCE, &[me.clone()])?;
        if let Value::Array(pair) = &pair {
            let (a, b) = (pair.get(0).unwrap_or_default(), pair.get(1).unwrap_or_default());
            return vm.send(&a, name, &[b]);
        }
        return Err(vm.raise("TypeError", "coerce must return [x, y]"));
    }
    let (class, kind) = (vm.class_name(me), shown_operand(vm, other)?);
    Err(vm.raise("TypeError", format!("{kind} can't be coerced into {class}")))
}

fn shown_operand(vm: &mut Vm<'_>, value: &Value) -> Res<EcoString> {
    match value {
        Value::Nil | Value::Bool(_) | Value::Sym(_) | Value::Float(_) => vm.inspect(value),
        other => Ok(vm.class_name(other)),
    }
}

fn pow(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(modulus) = args.get(1) else { return power(vm, me, args) };
    let numbers = (Number::of(me), Number::of(&args.at(0)), Number::of(modulus));
    let (Some(base), Some(exponent), Some(modulus)) = numbers else {
        return Err(vm.no_implicit(modulus, "Integer"));
    };
    match (base.to_big(), exponent.to_big(), modulus.to_big()) {
        (Some(base), Some(exponent), Some(modulus)) if !exponent.is_negative() && !modulus.is_zero() => {
            vm.count_modular_power(&exponent, &modulus)?;
            Ok(base.modpow(&exponent, &modulus).into())
        }
        (Some(_), Some(_), Some(modulus)) if modulus.is_zero() => {
            Err(vm.raise("ZeroDivisionError", "divided by 0"))
        }
        _ => Err(vm.raise(
            "RangeError",
            "Integer#pow() 2nd argument cannot be negative when 3rd argument specified",
        )),
    }
}

fn power(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    let Some((base, exponent)) = both(me, &other) else { return coerced(vm, names::POW, me, &other) };
    match (&base, &exponent) {
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            let (a, b) = (base.to_f64(), exponent.to_f64());
            if a < 0.0 && b.fract() != 0.0 {
                return Err(vm.unsupported("Complex"));
            }
            Ok(Value::Float(a.powf(b)))
        }
        (_, Number::Rational(_)) => Ok(Value::Float(base.to_f64().powf(exponent.to_f64()))),
        (_, Number::Int(exponent)) => integer_power(vm, &base, *exponent),
        _ => Ok(Value::Float(base.to_f64().powf(exponent.to_f64()))),
    }
}

fn integer_power(vm: &mut Vm<'_>, base: &Number, exponent: i64) -> Res {
    if let Number::Int(unit @ (1 | -1)) = base {
        return Ok(Value::Int(if exponent % 2 == 0 { 1 } else { *unit }));
    }
    let Some(fraction) = base.to_rational() else { return Ok(Value::Nil) };
    let Ok(size) = u32::try_from(exponent.unsigned_abs()) else { return Ok(Value::Float(f64::INFINITY)) };
    let bits = fraction.top.bits().max(fraction.bottom.bits()).saturating_mul(size.into());
    // A power of ten million digits is beyond what Ruby makes, too.
    if bits > 32 << 20 {
        return Ok(Value::Float(base.to_f64().powf(exponent as f64)));
    }
    vm.work(bits / 4)?;
    let (top, bottom) = (fraction.top.pow(size), fraction.bottom.pow(size));
    match (exponent < 0, base) {
        (true, _) => vm.rational(bottom, top),
        (false, Number::Rational(_)) => vm.rational(top, bottom),
        _ => Ok(top.into()),
    }
}

/// Compares two numbers and counts what long fractions cost.
fn compared(vm: &mut Vm<'_>, a: &Number, b: &Number) -> Res<Option<Ordering>> {
    for number in [a, b] {
        if let Number::Rational(number) = number {
            vm.work((number.top.bits() + number.bottom.bits()) / 64)?;
        }
    }
    Ok(order(a, b))
}

/// Compares two numbers; nothing for NaN.
pub(super) fn order(a: &Number, b: &Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        (Number::Float(a), b) => compare_float(*a, b),
        (a, Number::Float(b)) => compare_float(*b, a).map(Ordering::reverse),
        (a, b) => {
            let (a, b) = (a.to_rational()?, b.to_rational()?);
            Some((a.top * &b.bottom).cmp(&(b.top * &a.bottom)))
        }
    }
}

/// Compares a float with an exact number, exactly.
fn compare_float(a: f64, b: &Number) -> Option<Ordering> {
    if a.is_nan() {
        return None;
    }
    if a.is_infinite() {
        return Some(if a > 0.0 { Ordering::Greater } else { Ordering::Less });
    }
    let b = b.to_rational()?;
    let a = float_fraction(a);
    Some((a.top * &b.bottom).cmp(&(b.top * &a.bottom)))
}

/// Returns a finite float as the fraction it exactly is.
pub(super) fn float_fraction(number: f64) -> Rational {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let mantissa = bits & ((1 << 52) - 1);
    let (mantissa, shift) =
        if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
    let mut top = BigInt::from(mantissa);
    if number < 0.0 {
        top = -top;
    }
    if shift >= 0 {
        Rational::new(top << shift, 1.into())
    } else {
        Rational::new(top, BigInt::from(1) << -shift)
    }
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    if let Some((a, b)) = both(me, &other) {
        return Ok(Value::Bool(compared(vm, &a, &b)? == Some(Ordering::Equal)));
    }
    match other {
        Value::Object(_) => {
            let result = vm.send(&other, names::EQ, &[me.clone()])?;
            Ok(Value::Bool(result.truthy()))
        }
        _ => Ok(Value::Bool(false)),
    }
}

fn spaceship(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    if let Some((a, b)) = both(me, &other) {
        return Ok(compared(vm, &a, &b)?.map_or(Value::Nil, |order| Value::Int(order as i64)));
    }
    if matches!(other, Value::Object(_)) && vm.responds(&other, names::COERCE)? {
        return coerced(vm, names::CMP, me, &other);
    }
    Ok(Value::Nil)
}

fn ordered(vm: &mut Vm<'_>, me: &Value, args: &Args, holds: fn(Ordering) -> bool) -> Res {
    let other = args.at(0);
    if let Some((a, b)) = both(me, &other) {
        return Ok(Value::Bool(compared(vm, &a, &b)?.is_some_and(holds)));
    }
    if matches!(other, Value::Object(_)) && vm.responds(&other, names::COERCE)? {
        let order = coerced(vm, names::CMP, me, &other)?;
        if let Some(order) = vm.ordering(&order)? {
            return Ok(Value::Bool(holds(order)));
        }
    }
    Err(vm.not_comparable(me, &other)?)
}

fn negate(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    match Number::of(me) {
        Some(Number::Float(number)) => Ok(Value::Float(-number)),
        Some(Number::Rational(number)) => vm.rational(-number.top, number.bottom),
        Some(other) => Ok(other.to_big().map_or(Value::Nil, |number| (-number).into())),
        None => Ok(Value::Nil),
    }
}

fn abs(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match Number::of(me) {
        Some(Number::Float(number)) => Ok(Value::Float(number.abs())),
        Some(Number::Rational(number)) => vm.rational(number.top.abs(), number.bottom),
        Some(other) if other.to_big().is_some_and(|number| number.is_negative()) => negate(vm, me, args),
        _ => Ok(me.clone()),
    }
}

fn coerce(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    if matches!((me, &other), (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_))) {
        return Ok(vm.pair(other, me.clone()));
    }
    let other = match &other {
        Value::Str(_) => {
            let kernel = vm.main.clone();
            vm.send(&kernel, Sym::of("Float"), &[other.clone()])?
        }
        other => Value::Float(vm.to_float(other)?),
    };
    let me = Value::Float(vm.to_float(me)?);
    Ok(vm.pair(other, me))
}

fn divmod(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let quotient = div(vm, me, args)?;
    let rest = arithmetic(vm, Operation::Modulo, me, &args.at(0))?;
    Ok(vm.pair(quotient, rest))
}

fn div(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    match both(me, &other) {
        Some((a, b)) if matches!(a, Number::Float(_)) || matches!(b, Number::Float(_)) => {
            let (a, b) = (a.to_f64(), b.to_f64());
            if b == 0.0 {
                return Err(vm.raise("ZeroDivisionError", "divided by 0"));
            }
            let rest = if b.is_infinite() && a.is_finite() { a } else { a % b };
            let is_endless = a.is_infinite() && b.is_finite();
            let quotient = if is_endless { a } else { ((a - rest) / b).round() };
            round::to_integer(vm, if b * rest < 0.0 { quotient - 1.0 } else { quotient })
        }
        Some(_) => {
            let quotient = arithmetic(vm, Operation::Divide, me, &other)?;
            vm.send(&quotient, Sym::of("floor"), &[])
        }
        None => coerced(vm, Sym::of("div"), me, &other),
    }
}

fn fdiv(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    match both(me, &other) {
        Some((a, b)) => {
            let quotient = match (a.to_big(), b.to_big()) {
                (Some(a), Some(b)) if !b.is_zero() => {
                    vm.count_divisor(&a, &b)?;
                    crate::value::number::quotient(&a, &b)
                }
                _ => a.to_f64() / b.to_f64(),
            };
            Ok(Value::Float(quotient))
        }
        None => coerced(vm, Sym::of("fdiv"), me, &other),
    }
}

fn quo(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match both(me, &args.at(0)) {
        Some((a, b)) if !matches!(a, Number::Float(_)) && !matches!(b, Number::Float(_)) => {
            rational_operation(vm, Operation::Divide, &a, &b)
        }
        None if !matches!(me, Value::Float(_)) => {
            let kind = match args.at(0) {
                symbol @ Value::Sym(_) => vm.inspect(&symbol)?,
                other => vm.kind_of(&other),
            };
            Err(vm.raise("TypeError", format!("{kind} can't be coerced into Rational")))
        }
        _ => fdiv(vm, me, args),
    }
}

fn remainder(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    let rest = arithmetic(vm, Operation::Modulo, me, &other)?;
    let negative = |value: &Value| Number::of(value).is_some_and(|number| number.to_f64() < 0.0);
    let is_zero = Number::of(&rest).is_some_and(|rest| rest.to_f64() == 0.0);
    if is_zero || negative(me) == negative(&other) {
        return Ok(rest);
    }
    arithmetic(vm, Operation::Subtract, &rest, &other)
}
