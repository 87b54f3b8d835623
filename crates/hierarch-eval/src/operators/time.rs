//! Arithmetic with points and lengths of time. Numbers are seconds.

use hierarch_pcore::Value;
use hierarch_pcore::value::{Timespan, Timestamp};
use hierarch_syntax::ast::BinaryOp;

use super::arithmetic::{Fault, calculate};
use crate::issues;

/// Nanoseconds in a second.
const NANOS: i128 = 1_000_000_000;

fn nanos(number: &Value) -> i128 {
    match number {
        Value::Integer(seconds) => i128::from(*seconds) * NANOS,
        Value::Float(seconds) => (seconds * NANOS as f64).clamp(-4e37, 4e37) as i128,
        _ => 0,
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
        (BinaryOp::Subtract, Value::Timespan(time)) => Ok(span(nanos(left) - time.0)),
        _ => Err(Fault::Left(issues::not_applicable_when(op.symbol(), left, right))),
    }
}

pub(super) fn timespan(op: BinaryOp, time: Timespan, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (op, right) {
        (BinaryOp::Add, Value::Timespan(other)) => Ok(span(time.0 + other.0)),
        (BinaryOp::Add, Value::Timestamp(other)) => Ok(at(other.0 + time.0)),
        (BinaryOp::Add, Value::Integer(_) | Value::Float(_)) => Ok(span(time.0 + nanos(right))),
        (BinaryOp::Add, _) => Err(Fault::Whole(issues::time_sum(right, "Timespan"))),
        (BinaryOp::Subtract, Value::Timespan(other)) => Ok(span(time.0 - other.0)),
        (BinaryOp::Subtract, Value::Integer(_) | Value::Float(_)) => Ok(span(time.0 - nanos(right))),
        (BinaryOp::Subtract, _) => Err(Fault::Whole(issues::time_difference(right, "Timespan"))),
        (BinaryOp::Multiply, Value::Integer(factor)) => Ok(span(time.0.saturating_mul(i128::from(*factor)))),
        (BinaryOp::Multiply, Value::Float(factor)) => Ok(span((time.0 as f64 * factor) as i128)),
        (BinaryOp::Multiply, _) => Err(Fault::Whole(issues::time_product(right))),
        (BinaryOp::Divide, _) => quotient(time, right),
        (BinaryOp::Modulo, _) => rest(time, right),
        _ => Err(Fault::Left(issues::not_applicable(op.symbol(), left))),
    }
}

fn quotient(time: Timespan, right: &Value) -> Result<Value, Fault> {
    match right {
        Value::Timespan(other) => Ok((time.0 as f64 / other.0 as f64).into()),
        Value::Integer(0) => Err(Fault::Right(issues::division_by_zero())),
        Value::Float(divisor) if *divisor == 0.0 => Err(Fault::Right(issues::division_by_zero())),
        Value::Integer(divisor) => {
            let divisor = i128::from(*divisor);
            let floor =
                time.0.div_euclid(divisor) - i128::from(divisor < 0 && time.0.rem_euclid(divisor) != 0);
            Ok(span(floor))
        }
        Value::Float(divisor) => Ok(span((time.0 as f64 / divisor).floor() as i128)),
        other => Err(Fault::Whole(issues::time_quotient(other))),
    }
}

/// The rest of the seconds, a number.
fn rest(time: Timespan, right: &Value) -> Result<Value, Fault> {
    match right {
        Value::Integer(0) => Err(Fault::Right(issues::division_by_zero())),
        Value::Float(divisor) if *divisor == 0.0 => Err(Fault::Right(issues::division_by_zero())),
        Value::Integer(divisor) => {
            let (seconds, divisor) = (time.0.div_euclid(NANOS), i128::from(*divisor));
            let rest = seconds.rem_euclid(divisor);
            let rest = if divisor < 0 && rest != 0 { rest + divisor } else { rest };
            Ok(i64::try_from(rest).unwrap_or(i64::MAX).into())
        }
        Value::Float(divisor) => {
            let seconds = time.0 as f64 / NANOS as f64;
            Ok((seconds - divisor * (seconds / divisor).floor()).into())
        }
        other => Err(Fault::Whole(issues::time_rest(other))),
    }
}

pub(super) fn timestamp(op: BinaryOp, time: Timestamp, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (op, right) {
        (BinaryOp::Add, Value::Timespan(other)) => Ok(at(time.0 + other.0)),
        (BinaryOp::Add, Value::Integer(_) | Value::Float(_)) => Ok(at(time.0 + nanos(right))),
        (BinaryOp::Add, _) => Err(Fault::Whole(issues::time_sum(right, "Timestamp"))),
        (BinaryOp::Subtract, Value::Timestamp(other)) => Ok(span(time.0 - other.0)),
        (BinaryOp::Subtract, Value::Timespan(other)) => Ok(at(time.0 - other.0)),
        (BinaryOp::Subtract, Value::Integer(_) | Value::Float(_)) => Ok(at(time.0 - nanos(right))),
        (BinaryOp::Subtract, _) => Err(Fault::Whole(issues::time_difference(right, "Timestamp"))),
        _ => Err(Fault::Left(issues::not_applicable(op.symbol(), left))),
    }
}
