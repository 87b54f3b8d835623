//! `rationalize`: the simplest fraction near a number.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::super::prelude::*;
use super::float_fraction;
use crate::value::number::{Number, Rational};

/// `Float#rationalize`: without an argument the simplest fraction that is nearer to the float than to its neighbours.
pub(super) fn of_float(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let number = vm.to_float(me)?;
    if !number.is_finite() {
        let shown = vm.inspect(me)?;
        return Err(vm.raise("FloatDomainError", shown));
    }
    let size = number.abs();
    let (low, high) = match args.get(0) {
        Some(near) => {
            let near = vm.send(near, Sym::of("abs"), &[])?;
            let near = vm.to_float(&near)?;
            (float_fraction(size - near), float_fraction(size + near))
        }
        None => neighbourhood(size),
    };
    answer(vm, number < 0.0, low, high)
}

/// `Rational#rationalize`.
pub(super) fn of_rational(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (Some(near), Some(it)) = (args.get(0), me.payload::<Rational>()) else { return Ok(me.clone()) };
    let near = vm.send(near, Sym::of("abs"), &[])?;
    let near = match (&near, Number::of(&near).and_then(|near| near.to_rational())) {
        (Value::Float(near), _) => float_fraction(*near),
        (_, Some(near)) => near,
        (other, None) => {
            let class = vm.class_name(other);
            return Err(vm.raise("TypeError", format!("{class} can't be coerced into Rational")));
        }
    };
    let size = it.top.abs();
    let bottom = &it.bottom * &near.bottom;
    let (middle, width) = (size * &near.bottom, near.top * &it.bottom);
    let (low, high) =
        (Rational::new(&middle - &width, bottom.clone()), Rational::new(middle + width, bottom));
    answer(vm, it.top.is_negative(), low, high)
}

fn answer(vm: &mut Vm<'_>, is_negative: bool, low: Rational, high: Rational) -> Res {
    let (top, bottom) = simplest(low, high);
    vm.rational(if is_negative { -top } else { top }, bottom)
}

/// Returns the ends of what is nearer to a float than to others: half a unit of its last binary place on either side.
fn neighbourhood(number: f64) -> (Rational, Rational) {
    let exact = float_fraction(number);
    if exact.bottom.is_one() {
        return (exact.clone(), exact);
    }
    let bits = number.to_bits();
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    // Ruby takes the mantissa as if all its places were used, also where the number has lost some.
    let (mantissa, places) = match exponent {
        0 => {
            let lost = mantissa.leading_zeros() - 11;
            (mantissa << lost, 1_074 + u64::from(lost))
        }
        _ => (mantissa | (1 << 52), 1_075 - exponent),
    };
    let twice = BigInt::from(mantissa) * 2;
    let bottom = BigInt::one() << (places + 1);
    (Rational::new(&twice - 1, bottom.clone()), Rational::new(twice + 1, bottom))
}

/// Returns the fraction with the smallest denominator between two, found by continued fractions.
fn simplest(low: Rational, high: Rational) -> (BigInt, BigInt) {
    let (mut low, mut high) = ((low.top, low.bottom), (high.top, high.bottom));
    if low == high {
        return low;
    }
    let (mut before, mut last) = ((BigInt::zero(), BigInt::one()), (BigInt::one(), BigInt::zero()));
    loop {
        let whole = low.0.div_ceil(&low.1);
        if &whole * &high.1 < high.0 {
            return (&whole * last.0 + before.0, whole * last.1 + before.1);
        }
        let whole: BigInt = whole - 1;
        let next = (&whole * &last.0 + before.0, &whole * &last.1 + before.1);
        let rest = |(top, bottom): (BigInt, BigInt)| (bottom.clone(), top - &whole * bottom);
        (low, high) = (rest(high), rest(low));
        before = std::mem::replace(&mut last, next);
    }
}
