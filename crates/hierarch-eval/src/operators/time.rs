//! Arithmetic with points and lengths of time. Numbers are seconds.

use hierarch_pcore::Value;
use hierarch_pcore::value::{Timespan, Timestamp};
use hierarch_syntax::ast::BinaryOp;

use super::arithmetic::{Fault, calculate};
use crate::issues;

/// Nanoseconds in a second.
const NANOS: i128 = 1_000_000_000;

fn nanos(number: &Value) -> Result<i128, Fault> {
    match number {
        Value::Integer(seconds) => Ok(i128::from(*seconds) * NANOS),
        Value::Float(seconds) => whole(seconds * NANOS as f64),
        _ => Ok(0),
    }
}

/// Cuts what is behind the point off. What has no whole part, and what is longer than can be told, is an error.
fn whole(nanos: f64) -> Result<i128, Fault> {
    const LONGEST: f64 = 4e37;
    match nanos {
        nanos if !nanos.is_finite() => Err(Fault::Whole(issues::no_whole_number(nanos))),
        nanos if nanos.abs() > LONGEST => Err(Fault::Whole(hierarch_pcore::issues::time_out_of_range())),
        nanos => Ok(nanos as i128),
    }
}

fn span(nanos: i128) -> Value {
    Value::Timespan(Timespan(nanos).into())
}

fn at(nanos: i128) -> Value {
    Value::Timestamp(Timestamp(nanos).into())
}

/// Fails if a time is further away or longer than can be told.
pub(super) fn checked(value: Value) -> Result<Value, Fault> {
    let fits = match &value {
        Value::Timestamp(time) => (**time).checked().map(|_| ()),
        Value::Timespan(time) => (**time).checked().map(|_| ()),
        _ => Ok(()),
    };
    fits.map(|()| value).map_err(Fault::Whole)
}

/// A number on the left lets the time do the arithmetic, where that makes sense.
pub(super) fn number_and_time(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (op, right) {
        (BinaryOp::Add, _) | (BinaryOp::Multiply, Value::Timespan(_)) => calculate(op, right, left),
        (BinaryOp::Subtract, Value::Timespan(time)) => Ok(span(nanos(left)? - time.0)),
        (BinaryOp::Modulo, _) if matches!(left, Value::Float(_)) => {
            Err(Fault::Left(issues::not_applicable(op.symbol(), left)))
        }
        _ => Err(Fault::Left(issues::not_applicable_when(op.symbol(), left, right))),
    }
}

pub(super) fn timespan(op: BinaryOp, time: Timespan, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (op, right) {
        (BinaryOp::Add, Value::Timespan(other)) => Ok(span(time.0 + other.0)),
        (BinaryOp::Add, Value::Timestamp(other)) => Ok(at(other.0 + time.0)),
        (BinaryOp::Add, Value::Integer(_) | Value::Float(_)) => Ok(span(time.0 + nanos(right)?)),
        (BinaryOp::Add, _) => Err(Fault::Whole(issues::time_sum(right, "Timespan"))),
        (BinaryOp::Subtract, Value::Timespan(other)) => Ok(span(time.0 - other.0)),
        (BinaryOp::Subtract, Value::Integer(_) | Value::Float(_)) => Ok(span(time.0 - nanos(right)?)),
        (BinaryOp::Subtract, _) => Err(Fault::Whole(issues::time_difference(right, "Timespan"))),
        (BinaryOp::Multiply, Value::Integer(factor)) => Ok(span(time.0.saturating_mul(i128::from(*factor)))),
        (BinaryOp::Multiply, Value::Float(factor)) => whole(time.0 as f64 * factor).map(span),
        (BinaryOp::Multiply, _) => Err(Fault::Whole(issues::time_product(right))),
        (BinaryOp::Divide, _) => quotient(time, right),
        (BinaryOp::Modulo, Value::Float(_)) => {
            Err(Fault::Left(issues::not_applicable_when(op.symbol(), left, right)))
        }
        (BinaryOp::Modulo, _) => rest(time, right),
        _ => Err(Fault::Left(issues::not_applicable(op.symbol(), left))),
    }
}

fn quotient(time: Timespan, right: &Value) -> Result<Value, Fault> {
    match right {
        Value::Timespan(other) => match time.0 as f64 / other.0 as f64 {
            quotient if quotient.is_infinite() => {
                Err(Fault::Left(issues::infinite(BinaryOp::Divide.symbol())))
            }
            quotient => Ok(quotient.into()),
        },
        Value::Integer(0) => Err(Fault::Right(issues::division_by_zero())),
        Value::Float(divisor) if *divisor == 0.0 => Err(Fault::Right(issues::division_by_zero())),
        Value::Integer(divisor) => {
            let divisor = i128::from(*divisor);
            let floor =
                time.0.div_euclid(divisor) - i128::from(divisor < 0 && time.0.rem_euclid(divisor) != 0);
            Ok(span(floor))
        }
        Value::Float(divisor) => whole((time.0 as f64 / divisor).floor()).map(span),
        other => Err(Fault::Whole(issues::time_quotient(other))),
    }
}

/// The rest of the seconds, a number.
fn rest(time: Timespan, right: &Value) -> Result<Value, Fault> {
    match right {
        Value::Integer(0) => Err(Fault::Right(issues::division_by_zero())),
        Value::Integer(divisor) => {
            let (seconds, divisor) = (time.0.div_euclid(NANOS), i128::from(*divisor));
            let rest = seconds.rem_euclid(divisor);
            let rest = if divisor < 0 && rest != 0 { rest + divisor } else { rest };
            Ok(i64::try_from(rest).unwrap_or(i64::MAX).into())
        }
        other => Err(Fault::Whole(issues::time_rest(other))),
    }
}

pub(super) fn timestamp(op: BinaryOp, time: Timestamp, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (op, right) {
        (BinaryOp::Add, Value::Timespan(other)) => Ok(at(time.0 + other.0)),
        (BinaryOp::Add, Value::Integer(_) | Value::Float(_)) => Ok(at(time.0 + nanos(right)?)),
        (BinaryOp::Add, _) => Err(Fault::Whole(issues::time_sum(right, "Timestamp"))),
        (BinaryOp::Subtract, Value::Timestamp(other)) => Ok(span(time.0 - other.0)),
        (BinaryOp::Subtract, Value::Timespan(other)) => Ok(at(time.0 - other.0)),
        (BinaryOp::Subtract, Value::Integer(_) | Value::Float(_)) => Ok(at(time.0 - nanos(right)?)),
        (BinaryOp::Subtract, _) => Err(Fault::Whole(issues::time_difference(right, "Timestamp"))),
        (BinaryOp::Modulo, Value::Float(_)) => {
            Err(Fault::Left(issues::not_applicable_when(op.symbol(), left, right)))
        }
        _ => Err(Fault::Left(issues::not_applicable(op.symbol(), left))),
    }
}
