//! Rounding: `round`, `floor`, `ceil`, `truncate` of all numbers.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, Zero};

use super::super::prelude::*;
use super::float_fraction;
use crate::value::number::{Number, Rational};

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Floor,
    Ceil,
    Truncate,
    HalfUp,
    HalfEven,
    HalfDown,
}

/// The methods of integers.
pub(super) static INTEGER: &[Builtin] = &[
    m("round", 0, 1, |vm, me, args| way(vm, args).and_then(|way| rounded(vm, me, args, way)))
        .takes(&["half"])
        .gives(&["1234.round(-2) => 1200", "25.round(-1, half: :even) => 20"]),
    m("floor", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Floor)).gives(&["1299.floor(-2) => 1200"]),
    m("ceil", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Ceil)).gives(&["1201.ceil(-2) => 1300"]),
    m("truncate", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Truncate))
        .gives(&["-1299.truncate(-2) => -1200"]),
];

/// The methods of floats.
pub(super) static FLOAT: &[Builtin] = &[
    m("round", 0, 1, |vm, me, args| way(vm, args).and_then(|way| rounded(vm, me, args, way)))
        .takes(&["half"])
        .gives(&["2.5.round => 3", "3.14159.round(2) => 3.14", "2.5.round(half: :even) => 2"]),
    m("floor", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Floor)).gives(&["-2.5.floor => -3"]),
    m("ceil", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Ceil)).gives(&["2.1.ceil => 3"]),
    m("truncate", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Truncate)).gives(&["-2.5.truncate => -2"]),
    m("to_i", 0, 0, |vm, me, args| rounded(vm, me, args, Way::Truncate)).gives(&["3.7.to_i => 3"]),
    m("to_int", 0, 0, |vm, me, args| rounded(vm, me, args, Way::Truncate)),
];

/// The methods of fractions.
pub(super) static RATIONAL: &[Builtin] = &[
    m("round", 0, 1, |vm, me, args| way(vm, args).and_then(|way| rounded(vm, me, args, way)))
        .takes(&["half"]),
    m("floor", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Floor)),
    m("ceil", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Ceil)),
    m("truncate", 0, 1, |vm, me, args| rounded(vm, me, args, Way::Truncate)),
    m("to_i", 0, 0, |vm, me, args| rounded(vm, me, args, Way::Truncate)),
];

fn way(vm: &mut Vm<'_>, args: &Args) -> Res<Way> {
    let half = match args.keyword("half") {
        None | Some(Value::Nil) => return Ok(Way::HalfUp),
        Some(half) => vm.to_s(&half)?,
    };
    match half.as_str() {
        "up" => Ok(Way::HalfUp),
        "even" => Ok(Way::HalfEven),
        "down" => Ok(Way::HalfDown),
        other => Err(vm.raise("ArgumentError", format!("invalid rounding mode: {other}"))),
    }
}

fn rounded(vm: &mut Vm<'_>, me: &Value, args: &Args, way: Way) -> Res {
    let places = match args.positional().first() {
        Some(places) if me.payload::<Rational>().is_some() && !matches!(places, Value::Int(_)) => {
            return Err(vm.raise("TypeError", "not an integer"));
        }
        Some(places) => vm.to_int(places)?,
        None => 0,
    };
    match Number::of(me) {
        Some(Number::Float(number)) => round_float(vm, number, places, way),
        Some(Number::Rational(number)) => round_rational(vm, &number, places, way),
        Some(number) => match number.to_big() {
            Some(number) if places < 0 => Ok(round_integer(&number, places, way)),
            _ => Ok(me.clone()),
        },
        None => Ok(Value::Nil),
    }
}

fn round_integer(number: &BigInt, places: i64, way: Way) -> Value {
    let Some(power) = power_of_ten(-places).filter(|_| places > -10_000) else { return Value::Int(0) };
    (divided(number, &power, way) * power).into()
}

fn power_of_ten(exponent: i64) -> Option<BigInt> {
    u32::try_from(exponent)
        .ok()
        .filter(|exponent| *exponent <= 10_000)
        .map(|exponent| BigInt::from(10).pow(exponent))
}

/// Divides by a positive number and rounds.
fn divided(top: &BigInt, bottom: &BigInt, way: Way) -> BigInt {
    let (quotient, rest) = top.div_mod_floor(bottom);
    let up = match way {
        Way::Floor => false,
        Way::Ceil => !rest.is_zero(),
        Way::Truncate => top.is_negative() && !rest.is_zero(),
        Way::HalfUp | Way::HalfEven | Way::HalfDown => match (&rest * 2i32).cmp(bottom) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => match way {
                Way::HalfUp => !top.is_negative(),
                Way::HalfDown => top.is_negative(),
                _ => quotient.is_odd(),
            },
        },
    };
    if up { quotient + 1 } else { quotient }
}

/// Makes an integer of a float that is whole.
pub(super) fn to_integer(vm: &mut Vm<'_>, number: f64) -> Res {
    if !number.is_finite() {
        return Err(vm.raise("FloatDomainError", hierarch_pcore::value::number::float_text(number)));
    }
    Ok(float_fraction(number).top.into())
}

fn round_float(vm: &mut Vm<'_>, number: f64, places: i64, way: Way) -> Res {
    if places > 0 {
        // More digits than a float has change nothing.
        if !number.is_finite() || places > 17 + 308 || number == 0.0 {
            return Ok(Value::Float(number));
        }
        let exponent = number.abs().log10().floor() as i64;
        if places >= 17 - exponent {
            return Ok(Value::Float(number));
        }
        // So close to zero that Ruby does not look at the digits, nor at the sign.
        let power = number.abs().log2().floor() as i64 + 1;
        let looks_away = matches!(way, Way::Ceil | Way::HalfUp | Way::HalfEven | Way::HalfDown);
        if looks_away && number < 0.0 && power < 0 && places < -power / 4 {
            return Ok(Value::Float(0.0));
        }
        return Ok(Value::Float(round_at(number, places, way)));
    }
    if !number.is_finite() {
        // To tell halves apart Ruby takes infinity from itself.
        let is_lost = places == 0 && way == Way::HalfEven;
        return to_integer(vm, if is_lost { f64::NAN } else { number });
    }
    let fraction = float_fraction(number);
    if places == 0 {
        return Ok(divided(&fraction.top, &fraction.bottom, way).into());
    }
    let Some(power) = power_of_ten(-places) else { return Ok(Value::Int(0)) };
    Ok((divided(&fraction.top, &(fraction.bottom * &power), way) * power).into())
}

/// Rounds to decimals. Like Ruby, halves are judged by the float after scaling where that is exact enough.
fn round_at(number: f64, places: i64, way: Way) -> f64 {
    let scale = 10f64.powi(places as i32);
    let scaled = number * scale;
    let rounded = match way {
        Way::Floor => corrected(number, scale, scaled.floor(), |candidate| candidate <= number, -1.0),
        Way::Ceil => corrected(number, scale, scaled.ceil(), |candidate| candidate >= number, 1.0),
        Way::Truncate if number < 0.0 => return round_at(number, places, Way::Ceil),
        Way::Truncate => return round_at(number, places, Way::Floor),
        Way::HalfUp => half_up(number, scale),
        Way::HalfEven => half_even(number, scale),
        Way::HalfDown => half_down(number, scale),
    };
    let result = rounded / scale;
    if result.is_finite() { result } else { number }
}

/// A float such as 0.1 may be a hair over its digits after scaling.
fn corrected(number: f64, scale: f64, candidate: f64, holds: impl Fn(f64) -> bool, step: f64) -> f64 {
    let (other, chosen) = ((candidate - step) / scale, candidate / scale);
    let is_nearer = (other - number).abs() < (chosen - number).abs();
    if holds(other) && (!holds(chosen) || is_nearer) { candidate - step } else { candidate }
}

fn half_up(number: f64, scale: f64) -> f64 {
    let scaled = number * scale;
    let mut rounded = scaled.round();
    if rounded > 0.0 || scaled > 0.0 {
        if (rounded + 0.5) / scale <= number {
            rounded += 1.0;
        }
        if scale.is_finite() && (rounded - 0.5) / scale > number {
            rounded -= 1.0;
        }
    } else {
        if (rounded - 0.5) / scale >= number {
            rounded -= 1.0;
        }
        if (rounded + 0.5) / scale < number {
            rounded += 1.0;
        }
    }
    rounded
}

fn half_down(number: f64, scale: f64) -> f64 {
    let scaled = number * scale;
    let rounded = scaled.round();
    if number > 0.0 && (rounded - 0.5) / scale >= number {
        rounded - 1.0
    } else if number < 0.0 && (rounded + 0.5) / scale <= number {
        rounded + 1.0
    } else {
        rounded
    }
}

fn half_even(number: f64, scale: f64) -> f64 {
    let scaled = number * scale;
    let floor = scaled.floor();
    let rest = scaled - floor;
    if (rest - 0.5).abs() < f64::EPSILON * scaled.abs().max(1.0) {
        return if floor % 2.0 == 0.0 { floor } else { floor + 1.0 };
    }
    scaled.round()
}

fn round_rational(vm: &mut Vm<'_>, number: &Rational, places: i64, way: Way) -> Res {
    if places == 0 {
        return Ok(divided(&number.top, &number.bottom, way).into());
    }
    let Some(power) = power_of_ten(places.abs()) else { return Ok(Value::Int(0)) };
    if places < 0 {
        return Ok((divided(&number.top, &(&number.bottom * &power), way) * power).into());
    }
    let scaled = divided(&(&number.top * &power), &number.bottom, way);
    vm.rational(scaled, power)
}
