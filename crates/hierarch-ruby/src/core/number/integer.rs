//! `Integer`: no bounds.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};

use super::super::prelude::*;
use crate::value::number::Number;

static METHODS: &[Builtin] = &[
    m("to_s", 0, 1, to_s).gives(&["255.to_s(16) => \"ff\"", "10.to_s => \"10\""]),
    m("inspect", 0, 1, to_s),
    m("to_i", 0, 0, itself),
    m("to_int", 0, 0, itself),
    m("to_f", 0, 0, |vm, me, _| Ok(Value::Float(vm.to_float(me)?))).gives(&["3.to_f => 3.0"]),
    m("to_r", 0, 0, |vm, me, _| vm.rational(big(me), 1.into())).gives(&["3.to_r => (3/1)"]),
    m("rationalize", 0, 1, |vm, me, _| vm.rational(big(me), 1.into())),
    m("chr", 0, -1, chr).gives(&["65.chr => \"A\"", "300.chr !! RangeError: 300 out of char range"]),
    m("ord", 0, 0, itself).gives(&["65.ord => 65"]),
    m("times", 0, 0, times).gives(&["3.times.to_a => [0, 1, 2]"]),
    m("upto", 1, 1, upto).gives(&["1.upto(3).to_a => [1, 2, 3]"]),
    m("downto", 1, 1, downto).gives(&["3.downto(1).to_a => [3, 2, 1]"]),
    m("succ", 0, 0, succ).gives(&["1.succ => 2"]),
    m("next", 0, 0, succ).gives(&["1.next => 2"]),
    m("pred", 0, 0, |_, me, _| Ok(Value::from(big(me) - 1i32))).gives(&["1.pred => 0"]),
    m("even?", 0, 0, |_, me, _| Ok(Value::Bool(big(me).is_even()))).gives(&["2.even? => true"]),
    m("odd?", 0, 0, |_, me, _| Ok(Value::Bool(big(me).is_odd()))).gives(&["2.odd? => false"]),
    m("&", 1, 1, |vm, me, args| bitwise(vm, me, args, "&", |a, b| a & b)).gives(&["6 & 3 => 2"]),
    m("|", 1, 1, |vm, me, args| bitwise(vm, me, args, "|", |a, b| a | b)).gives(&["6 | 3 => 7"]),
    m("^", 1, 1, |vm, me, args| bitwise(vm, me, args, "^", |a, b| a ^ b)).gives(&["6 ^ 3 => 5"]),
    m("~", 0, 0, |_, me, _| Ok(Value::from(-big(me) - 1i32))).gives(&["~5 => -6"]),
    m("<<", 1, 1, |vm, me, args| shift(vm, me, args, 1)).gives(&["1 << 70 => 1180591620717411303424"]),
    m(">>", 1, 1, |vm, me, args| shift(vm, me, args, -1)).gives(&["-9 >> 1 => -5"]),
    m("[]", 1, 2, bit).gives(&["5[0] => 1", "5[1] => 0"]),
    m("gcd", 1, 1, |vm, me, args| with_integer(vm, me, args, |a, b| a.gcd(b))).gives(&["12.gcd(18) => 6"]),
    m("gcdlcm", 1, 1, |vm, me, args| {
        let divisor = with_integer(vm, me, args, |a, b| a.gcd(b))?;
        let multiple = with_integer(vm, me, args, |a, b| a.lcm(b))?;
        Ok(vm.pair(divisor, multiple))
    })
    .gives(&["4.gcdlcm(6) => [2, 12]"]),
    m("lcm", 1, 1, |vm, me, args| with_integer(vm, me, args, |a, b| a.lcm(b))).gives(&["4.lcm(6) => 12"]),
    m("digits", 0, -1, digits).gives(&["123.digits => [3, 2, 1]"]),
    m("bit_length", 0, 0, bit_length).gives(&["255.bit_length => 8"]),
    m("size", 0, 0, |_, me, _| {
        Ok(Value::Int(if matches!(me, Value::Int(_)) { 8 } else { (big(me).bits() as i64 + 7) / 8 }))
    }),
    m("allbits?", 1, 1, |vm, me, args| bits(vm, me, args, |a, b| (a & b) == *b))
        .gives(&["6.allbits?(2) => true"]),
    m("anybits?", 1, 1, |vm, me, args| bits(vm, me, args, |a, b| !(a & b).is_zero()))
        .gives(&["6.anybits?(1) => false"]),
    m("nobits?", 1, 1, |vm, me, args| bits(vm, me, args, |a, b| (a & b).is_zero()))
        .gives(&["6.nobits?(1) => true"]),
    m("numerator", 0, 0, itself),
    m("denominator", 0, 0, |_, _, _| Ok(Value::Int(1))),
    m("ceildiv", 1, 1, ceildiv).gives(&["7.ceildiv(2) => 4"]),
];

static SINGLETON: &[Builtin] = &[m("sqrt", 1, 1, sqrt).gives(&["Integer.sqrt(24) => 4"])];

/// `Integer`
pub(in crate::core) static INTEGER: ClassSpec = ClassSpec {
    superclass: Some("Numeric"),
    methods: &[METHODS, super::ARITHMETIC, super::round::INTEGER],
    singleton: &[SINGLETON],
    ..ClassSpec::class("Integer")
};

fn big(value: &Value) -> BigInt {
    match value {
        Value::Int(number) => BigInt::from(*number),
        Value::Big(number) => (**number).clone(),
        _ => BigInt::zero(),
    }
}

fn itself(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(me.clone())
}

fn to_s(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let base = if args.is_empty() { 10 } else { args.int(vm, 0)? };
    if !(2..=36).contains(&base) {
        return Err(vm.raise("ArgumentError", format!("invalid radix {base}")));
    }
    match (me, base) {
        (Value::Int(number), 10) => Ok(vm.str(ecow::eco_format!("{number}"))),
        _ => {
            let text = vm.digits_of(&big(me), base as u32)?;
            Ok(vm.str(text))
        }
    }
}

fn chr(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if matches!(me, Value::Big(_)) {
        return Err(vm.raise("RangeError", "bignum out of char range"));
    }
    let code = vm.to_int(me)?;
    if code >= 1 << 62 {
        return Err(vm.raise("RangeError", "bignum out of char range"));
    }
    let Ok(point) = u32::try_from(code) else {
        return Err(vm.raise("RangeError", format!("{code} out of char range")));
    };
    args.check(vm, 0, Some(1))?;
    if let Some(encoding) = args.get(0) {
        if !vm.is_a(encoding, "Encoding") {
            let class = Value::Class(vm.class("Encoding"));
            vm.to_text(encoding)?;
            vm.send(&class, Sym::of("find"), std::slice::from_ref(encoding))?;
        }
        let encoding = vm.to_s(encoding)?.to_ascii_uppercase();
        return point_in(vm, point, &encoding);
    }
    match u8::try_from(code) {
        Ok(byte) if byte.is_ascii() => Ok(vm.text(Text::Bytes(vec![byte], Encoding::Ascii))),
        Ok(byte) => Ok(vm.binary(vec![byte])),
        Err(_) => Err(vm.raise("RangeError", format!("{code} out of char range"))),
    }
}

/// Returns the character of a code in an encoding.
fn point_in(vm: &mut Vm<'_>, point: u32, encoding: &str) -> Res {
    if encoding.starts_with("UTF-") {
        return super::super::string_of_point(vm, point);
    }
    let Ok(byte) = u8::try_from(point) else {
        return Err(vm.raise("RangeError", format!("{point} out of char range")));
    };
    match encoding {
        "US-ASCII" | "ASCII" if !byte.is_ascii() => {
            let words = format!("invalid codepoint 0x{byte:X} in US-ASCII");
            Err(vm.raise("RangeError", words))
        }
        "US-ASCII" | "ASCII" => Ok(vm.text(Text::Bytes(vec![byte], Encoding::Ascii))),
        "ASCII-8BIT" | "BINARY" => Ok(vm.binary(vec![byte])),
        _ => super::super::string_of_point(vm, point),
    }
}

fn succ(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(Value::from(big(me) + 1i32))
}

fn times(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "times", args) };
    let count = vm.to_int(me)?;
    for number in 0..count {
        vm.call_block(&block, &[Value::Int(number)])?;
    }
    Ok(me.clone())
}

fn upto(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "upto", args) };
    let from = vm.to_int(me)?;
    let end = last(vm, me, &args.at(0))?;
    let mut number = from;
    while (number as f64) <= end && end.is_finite() || end == f64::INFINITY {
        vm.call_block(&block, &[Value::Int(number)])?;
        number += 1;
    }
    Ok(me.clone())
}

fn downto(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "downto", args) };
    let mut number = vm.to_int(me)?;
    let end = last(vm, me, &args.at(0))?;
    while (number as f64) >= end {
        vm.call_block(&block, &[Value::Int(number)])?;
        number -= 1;
    }
    Ok(me.clone())
}

fn last(vm: &mut Vm<'_>, me: &Value, end: &Value) -> Res<f64> {
    match Number::of(end) {
        Some(number) => Ok(number.to_f64()),
        None => Err(vm.not_comparable(me, end)?),
    }
}

fn integer_of(vm: &mut Vm<'_>, value: &Value) -> Res<BigInt> {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(big(value)),
        other => Ok(vm.to_int(other)?.into()),
    }
}

fn bitwise(
    vm: &mut Vm<'_>,
    me: &Value,
    args: &Args,
    name: &str,
    operate: fn(BigInt, BigInt) -> BigInt,
) -> Res {
    let other = args.at(0);
    match other {
        Value::Int(_) | Value::Big(_) => Ok(operate(big(me), big(&other)).into()),
        Value::Float(_) | Value::Nil | Value::Str(_) | Value::Bool(_) => {
            let _ = name;
            let kind = super::shown_operand(vm, &other)?;
            Err(vm.raise("TypeError", format!("{kind} can't be coerced into Integer")))
        }
        other => super::coerced(vm, Sym::of(name), me, &other),
    }
}

fn shift(vm: &mut Vm<'_>, me: &Value, args: &Args, direction: i64) -> Res {
    let by = args.int(vm, 0)?.saturating_mul(direction);
    let number = big(me);
    if by >= 0 {
        vm.check_size(usize::try_from(by).unwrap_or(usize::MAX) / 8 + 8)?;
        vm.work(by.unsigned_abs() / 4096)?;
        return Ok((number << by as usize).into());
    }
    let by = by.unsigned_abs().min(number.bits() + 1) as usize;
    Ok((number >> by).into())
}

fn bit(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.len() == 2 {
        let (start, length) = (small(vm, &args.at(0))?, small(vm, &args.at(1))?.max(0));
        let mask = (BigInt::from(1) << length as usize) - 1i32;
        let shifted =
            if start < 0 { big(me) << start.unsigned_abs() as usize } else { big(me) >> start as usize };
        return Ok(Value::from(shifted & mask));
    }
    if let Value::Range(range) = args.at(0) {
        let from = if range.from.is_nil() { 0 } else { vm.to_int(&range.from)?.clamp(0, 1 << 20) };
        let shifted = big(me) >> from as usize;
        if range.to.is_nil() {
            return Ok(shifted.into());
        }
        let end = vm.to_int(&range.to)?.clamp(-1, 1 << 20) + i64::from(!range.exclusive);
        let mask = (BigInt::from(1) << end.saturating_sub(from).max(0) as usize) - 1i32;
        if range.from.is_nil() {
            return if (shifted & mask).is_zero() {
                Ok(Value::Int(0))
            } else {
                let words = "The beginless range for Integer#[] results in infinity";
                Err(vm.raise("ArgumentError", words))
            };
        }
        return Ok(Value::from(shifted & mask));
    }
    let place = whole(vm, &args.at(0))?;
    if place.is_negative() {
        return Ok(Value::Int(0));
    }
    let number = big(me);
    // Beyond the highest bit all are like the sign.
    let place = place.to_u64().unwrap_or(u64::MAX).min(number.bits() + 1);
    Ok(((number >> place as usize) & BigInt::from(1)).into())
}

/// Returns an integer of any size, by `to_int` at most.
fn whole(vm: &mut Vm<'_>, value: &Value) -> Res<BigInt> {
    match value {
        Value::Nil => Err(vm.raise("TypeError", "no implicit conversion of nil into Integer")),
        other => integer_of(vm, other),
    }
}

/// Returns how many bits are meant, at most as many as an integer may have here.
fn small(vm: &mut Vm<'_>, value: &Value) -> Res<i64> {
    let number = whole(vm, value)?;
    let most = if number.is_negative() { i64::MIN } else { i64::MAX };
    Ok(number.to_i64().unwrap_or(most).clamp(-(1 << 20), 1 << 20))
}

fn with_integer(vm: &mut Vm<'_>, me: &Value, args: &Args, operate: fn(&BigInt, &BigInt) -> BigInt) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => {
            let (a, b) = (big(me), big(&other));
            vm.count_divisor(&a, &b)?;
            Ok(operate(&a, &b).into())
        }
        _ => Err(vm.raise("TypeError", "not an integer")),
    }
}

fn bits(vm: &mut Vm<'_>, me: &Value, args: &Args, holds: fn(&BigInt, &BigInt) -> bool) -> Res {
    let mask = whole(vm, &args.at(0))?;
    Ok(Value::Bool(holds(&big(me), &mask)))
}

fn digits(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut number = big(me);
    if number.is_negative() {
        return Err(vm.raise("Math::DomainError", "out of domain"));
    }
    args.check(vm, 0, Some(1))?;
    let base = if args.is_empty() { BigInt::from(10) } else { whole(vm, &args.at(0))? };
    if base < BigInt::from(2) {
        let message =
            if base.is_negative() { "negative radix".to_owned() } else { format!("invalid radix {base}") };
        return Err(vm.raise("ArgumentError", message));
    }
    let mut list = Vec::new();
    while !number.is_zero() || list.is_empty() {
        vm.count_division(&number, &base)?;
        let (quotient, rest) = number.div_mod_floor(&base);
        list.push(Value::from(rest));
        number = quotient;
    }
    Ok(vm.array(list))
}

fn bit_length(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let number = big(me);
    let number = if number.is_negative() { -number - 1i32 } else { number };
    Ok(Value::Int(number.bits() as i64))
}

fn ceildiv(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = vm.send(&Value::Int(0), Sym::of("-"), &[args.at(0)])?;
    let quotient = vm.send(me, Sym::of("div"), &[other])?;
    vm.send(&quotient, Sym::of("-@"), &[])
}

fn sqrt(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let number = match args.at(0) {
        Value::Float(number) => BigInt::from(number.trunc().to_i128().unwrap_or(-1)),
        other => integer_of(vm, &other)?,
    };
    if number.is_negative() {
        return Err(vm.raise("Math::DomainError", "Numerical argument is out of domain - \"isqrt\""));
    }
    vm.count_root(&number)?;
    Ok(number.sqrt().into())
}
