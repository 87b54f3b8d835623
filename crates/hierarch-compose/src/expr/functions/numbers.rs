//! Numbers and order: `add sub mul div mod pow`, `ne gt ge lt le`.

use std::cmp::Ordering;

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function};
use crate::expr::{issues, python};

pub(super) static FUNCTIONS: &[Function] = &[
    function("ne", "Tells whether two values differ.", |call| {
        let pair = call.list(2..=2)?;
        Ok(Value::from(!python::equal(&pair[0], &pair[1])).into())
    })
    .examples(&[Gives("{ne: [1, 2]}", "True")]),
    function("gt", "Tells whether the first of two numbers or texts is greater.", |call| {
        ordered(call, Ordering::is_gt)
    })
    .examples(&[
        Gives("{gt: [{eval: port}, 79]}", "True"),
        Fails("{gt: [a, 1]}", "two numbers or two texts"),
    ]),
    function("ge", "Tells whether the first is greater or equal.", |call| ordered(call, Ordering::is_ge))
        .examples(&[Gives("{ge: [2, 2]}", "True")]),
    function("lt", "Tells whether the first is less.", |call| ordered(call, Ordering::is_lt))
        .examples(&[Gives("{lt: [a, b]}", "True")]),
    function("le", "Tells whether the first is less or equal.", |call| ordered(call, Ordering::is_le))
        .examples(&[Gives("{le: [3, 2]}", "False")]),
    function("add", "Adds two numbers.", |call| calculated(call, i64::checked_add, |a, b| a + b))
        .examples(&[Gives("{add: [{eval: port}, 1]}", "81"), Fails("{add: [a, 1]}", "two numbers")]),
    function("sub", "Subtracts the second of two numbers.", |call| {
        calculated(call, i64::checked_sub, |a, b| a - b)
    })
    .examples(&[Gives("{sub: [1, 2.5]}", "-1.5")]),
    function("mul", "Multiplies two numbers.", |call| calculated(call, i64::checked_mul, |a, b| a * b))
        .examples(&[Gives("{mul: [6, 7]}", "42")]),
    function("div", "Divides two numbers; the result is a float.", |call| {
        let (a, b) = numbers(call)?;
        divisor(b)?;
        Ok(Value::from(a / b).into())
    })
    .examples(&[Gives("{div: [7, 2]}", "3.5"), Fails("{div: [1, 0]}", "division by zero")]),
    function("mod", "Gives the rest of a division, with the sign of the divisor.", |call| {
        divisor(numbers(call)?.1)?;
        calculated(call, |a, b| a.checked_rem(b)?.checked_add(b)?.checked_rem(b), |a, b| ((a % b) + b) % b)
    })
    .examples(&[Gives("{mod: [-7, 3]}", "2")]),
    function("pow", "Raises a number to a power.", |call| {
        calculated(call, |a, b| a.checked_pow(u32::try_from(b).ok()?), f64::powf)
    })
    .examples(&[Gives("{pow: [2, 10]}", "1024"), Fails("{pow: [9, 99]}", "64 bit")]),
];

fn numbers(call: &Call) -> Result<(f64, f64)> {
    let pair = call.list(2..=2)?;
    match (pair[0].as_number(), pair[1].as_number()) {
        (Some(a), Some(b)) => Ok((a, b)),
        _ => Err(call.wrong("two numbers", &pair.into())),
    }
}

fn divisor(number: f64) -> Result<()> {
    if number == 0.0 { Err(issues::division_by_zero()) } else { Ok(()) }
}

fn calculated(
    call: &Call,
    integers: fn(i64, i64) -> Option<i64>,
    floats: fn(f64, f64) -> f64,
) -> Result<Matches> {
    let pair = call.list(2..=2)?;
    if let (Value::Integer(a), Value::Integer(b)) = (&pair[0], &pair[1])
        && (*b >= 0 || call.name != "pow")
    {
        let number = integers(*a, *b).ok_or_else(issues::number_too_large)?;
        return Ok(Value::from(number).into());
    }
    let (a, b) = numbers(call)?;
    Ok(Value::from(floats(a, b)).into())
}

fn ordered(call: &Call, holds: fn(Ordering) -> bool) -> Result<Matches> {
    let pair = call.list(2..=2)?;
    let order = match (&pair[0], &pair[1]) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (a, b) => match (a.as_number(), b.as_number()) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => None,
        },
    };
    match order {
        Some(order) => Ok(Value::from(holds(order)).into()),
        None => Err(call.wrong("two numbers or two texts", &pair.into())),
    }
}
