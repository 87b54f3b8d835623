//! `+ - * / % << >>` and the sign: numbers and times. Collections are next door.

use hierarch_pcore::Value;
use hierarch_pcore::value::Timespan;
use hierarch_source::Error;
use hierarch_syntax::ast::{BinaryOp, Expr, ExprId};

use super::{collection, time};
use crate::code::Id;
use crate::evaluator::{Evaluated, Evaluator};
use crate::issues;
use crate::scope::Frame;

/// What is wrong with an operation, and where the reference points.
pub(super) enum Fault {
    /// The left operand.
    Left(Error),
    /// The right operand.
    Right(Error),
    /// The whole expression.
    Whole(Error),
}

impl Evaluator<'_> {
    pub(crate) fn minus(&mut self, frame: &Frame, id: Id, operand: Id) -> Evaluated {
        let value = self.eval(frame, operand)?;
        let origin = frame.code.origin(id);
        match self.numeric(frame, value, origin)? {
            Value::Integer(number) => match number.checked_neg() {
                Some(negated) => Ok(negated.into()),
                None => Err(issues::out_of_range("Unary Minus", -i128::from(number)).into()),
            },
            Value::Float(number) => Ok((-number).into()),
            Value::Timespan(span) => Ok(Value::Timespan(Timespan(-span.0).into())),
            other => Err(issues::at(issues::not_applicable("-", &other), &frame.code.ast, origin).into()),
        }
    }

    pub(crate) fn arithmetic(
        &mut self,
        frame: &Frame,
        id: Id,
        op: BinaryOp,
        operands: (Id, Id),
    ) -> Evaluated {
        let left = self.eval(frame, operands.0)?;
        let right = self.eval(frame, operands.1)?;
        if let (Value::Integer(a), Value::Integer(b)) = (&left, &right)
            && let Some(result) = plain_integers(op, *a, *b)
        {
            return Ok(result.into());
        }
        if collection::applies(op, &left) {
            return self.collection_operator(frame, id, op, left, right);
        }
        let (left_origin, right_origin) = operand_origins(frame, id);
        let left = self.numeric(frame, left, left_origin)?;
        let right = self.numeric(frame, right, right_origin)?;
        calculate(op, &left, &right).map_err(|fault| match fault {
            Fault::Left(error) => issues::at(error, &frame.code.ast, left_origin).into(),
            Fault::Right(error) => issues::at(error, &frame.code.ast, right_origin).into(),
            Fault::Whole(error) => error.into(),
        })
    }
}

/// Returns the expressions on both sides of an operator.
pub(super) fn operand_origins(frame: &Frame, id: Id) -> (ExprId, ExprId) {
    let origin = frame.code.origin(id);
    match frame.code.ast.expr(origin) {
        Expr::Binary { left, right, .. } => (left, right),
        _ => (origin, origin),
    }
}

/// The common case, as long as nothing is odd about it.
#[inline]
fn plain_integers(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide if b != 0 => floor_div(a, b),
        BinaryOp::Modulo if b != 0 => floor_mod(a, b),
        _ => None,
    }
}

/// Divides, rounding toward minus infinity.
fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Returns the remainder with the sign of the divisor.
fn floor_mod(a: i64, b: i64) -> Option<i64> {
    let rest = a.checked_rem(b)?;
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

pub(super) fn calculate(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => integers(op, *a, *b),
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => floats(op, left, right),
        (Value::Timespan(span), _) => time::timespan(op, **span, left, right).and_then(time::checked),
        (Value::Timestamp(time), _) => time::timestamp(op, **time, left, right).and_then(time::checked),
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            time::number_and_time(op, left, right).and_then(time::checked)
        }
        (Value::Integer(_) | Value::Float(_), other) => Err(Fault::Whole(issues::not_coercible(other, left))),
        _ => Err(Fault::Left(issues::not_applicable(op.symbol(), left))),
    }
}

fn integers(op: BinaryOp, a: i64, b: i64) -> Result<Value, Fault> {
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    let result = match op {
        BinaryOp::Add => wide_a + wide_b,
        BinaryOp::Subtract => wide_a - wide_b,
        BinaryOp::Multiply => wide_a * wide_b,
        BinaryOp::Divide | BinaryOp::Modulo if b == 0 => {
            return Err(Fault::Right(issues::division_by_zero()));
        }
        BinaryOp::Divide => wide_a.div_euclid(wide_b) - i128::from(b < 0 && wide_a.rem_euclid(wide_b) != 0),
        BinaryOp::Modulo => return Ok(floor_mod(a, b).unwrap_or(0).into()),
        BinaryOp::ShiftLeft => return shifted(op, a, wide_b),
        _ => return shifted(op, a, -wide_b),
    };
    in_range(op, result)
}

fn in_range(op: BinaryOp, result: i128) -> Result<Value, Fault> {
    i64::try_from(result)
        .map(Value::from)
        .map_err(|_| Fault::Whole(issues::out_of_range(&format!("'{}' expression", op.symbol()), result)))
}

/// Shifts to the left, or to the right by a negative count.
fn shifted(op: BinaryOp, number: i64, count: i128) -> Result<Value, Fault> {
    if count <= 0 {
        return Ok((number >> (-count).min(63)).into());
    }
    if number == 0 {
        return Ok(0.into());
    }
    if count > 62 && !(number == -1 && count == 63) {
        let digits = issues::shifted_digits(number, count);
        return Err(Fault::Whole(issues::out_of_range_text(
            &format!("'{}' expression", op.symbol()),
            number > 0,
            &digits,
        )));
    }
    in_range(op, i128::from(number) << count)
}

fn floats(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Fault> {
    let (a, b) = (left.as_number().unwrap_or(0.0), right.as_number().unwrap_or(0.0));
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Modulo if matches!(left, Value::Integer(_)) => {
            return Err(Fault::Left(issues::not_applicable_when(op.symbol(), left, right)));
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if matches!(left, Value::Integer(_)) => {
            return integers(op, left.as_integer().unwrap_or(0), b as i64);
        }
        _ => return Err(Fault::Left(issues::not_applicable(op.symbol(), left))),
    };
    if result.is_infinite() {
        return Err(Fault::Left(issues::infinite(op.symbol())));
    }
    Ok(result.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_programs;

    #[test]
    fn division_rounds_down_and_the_rest_has_the_divisors_sign() {
        for (a, b, quotient, rest) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, -2, -3, 0)]
        {
            assert_eq!((floor_div(a, b), floor_mod(a, b)), (Some(quotient), Some(rest)), "{a} and {b}");
        }
    }

    /// Programs, and what Puppet makes of them.
    const NUMBERS_AND_WHAT_IS_NONE: &[(&str, &str)] = &[
        ("1 + 2", "3"),
        ("1 + 1.5", "2.5"),
        (
            "'1' + 1",
            "Evaluation Error: The string '1' was automatically coerced to the numerical value 1 (line: 1, column: 1)",
        ),
        (
            "1 + '0x1f'",
            "Evaluation Error: The string '0x1f' was automatically coerced to the numerical value 31 (line: 1, column: 5)",
        ),
        (
            "1 + '1.5'",
            "Evaluation Error: The string '1.5' was automatically coerced to the numerical value 1.5 (line: 1, column: 5)",
        ),
        ("1 + 'a'", "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 5)"),
        ("1 + undef", "Evaluation Error: The value '' cannot be converted to Numeric. (line: 1, column: 5)"),
        (
            "1 + true",
            "Evaluation Error: The value 'true' cannot be converted to Numeric. (line: 1, column: 5)",
        ),
        ("1 + [1]", "Evaluation Error: The value '[1]' cannot be converted to Numeric. (line: 1, column: 5)"),
        ("7 / 2", "3"),
        ("-7 / 2", "-4"),
        ("7 / 2.0", "3.5"),
        ("7 % 3", "1"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("7 / 0", "Evaluation Error: Division by 0 (line: 1, column: 5)"),
        ("7 % 0", "Evaluation Error: Division by 0 (line: 1, column: 5)"),
        ("7.5 % 2", "Evaluation Error: Operator '%' is not applicable to a Float. (line: 1, column: 1)"),
        ("7.0 / 0", "Evaluation Error: The result of the / expression is Infinity (line: 1, column: 1)"),
        ("0.0 / 0", "NaN"),
        (
            "9223372036854775807 + 1",
            "Evaluation Error: A '+' expression resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000' (line: 1, column: 21)",
        ),
        (
            "-9223372036854775807 - 2",
            "Evaluation Error: A '-' expression resulted in a value outside of Puppet Integer min range, got '-0x8000000000000001' (line: 1, column: 22)",
        ),
        (
            "9223372036854775807 * 2",
            "Evaluation Error: A '*' expression resulted in a value outside of Puppet Integer max range, got '+0xfffffffffffffffe' (line: 1, column: 21)",
        ),
        ("- 'a'", "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 1)"),
        (
            "- '5'",
            "Evaluation Error: The string '5' was automatically coerced to the numerical value 5 (line: 1, column: 1)",
        ),
        ("- [1]", "Evaluation Error: The value '[1]' cannot be converted to Numeric. (line: 1, column: 1)"),
        ("- undef", "Evaluation Error: The value '' cannot be converted to Numeric. (line: 1, column: 1)"),
        ("2 << 3", "16"),
        ("2 << -1", "1"),
        ("16 >> 2", "4"),
        ("16 >> -2", "64"),
        ("1 << 62", "4611686018427387904"),
        (
            "1 << 63",
            "Evaluation Error: A '<<' expression resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000' (line: 1, column: 3)",
        ),
        ("1 << 'a'", "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 6)"),
        ("1.5 << 1", "Evaluation Error: Operator '<<' is not applicable to a Float. (line: 1, column: 1)"),
        ("2 * 'x'", "Evaluation Error: The value 'x' cannot be converted to Numeric. (line: 1, column: 5)"),
        ("'a' * 2", "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 1)"),
    ];

    #[test]
    fn numbers_and_what_is_none() {
        check_programs(NUMBERS_AND_WHAT_IS_NONE);
    }
}
