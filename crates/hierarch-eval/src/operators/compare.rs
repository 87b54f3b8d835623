//! `== != < <= > >=`: values by the language's order, types by what fits what.

use std::cmp::Ordering;

use hierarch_pcore::{Type, Value};
use hierarch_syntax::ast::BinaryOp;

use crate::code::Id;
use crate::evaluator::{Evaluated, Evaluator};
use crate::issues;
use crate::scope::Frame;

impl Evaluator<'_> {
    pub(crate) fn comparison(&mut self, frame: &Frame, op: BinaryOp, operands: (Id, Id)) -> Evaluated {
        let left = self.eval(frame, operands.0)?;
        let right = self.eval(frame, operands.1)?;
        self.budget.work(left.extent().size.min(right.extent().size))?;
        let result = match (op, &left) {
            (BinaryOp::Equal, _) => left.equals(&right),
            (BinaryOp::NotEqual, _) => !left.equals(&right),
            (op, Value::Type(type_)) => match &right {
                Value::Type(other) => types(op, type_, other, left.equals(&right)),
                // What is not a type fits no type, and takes none.
                _ => false,
            },
            (op, _) => match order(&left, &right) {
                Ok(order) => holds(op, order),
                Err(error) => {
                    return Err(issues::not_comparable(op.symbol(), &left, &right, &error.message).into());
                }
            },
        };
        Ok(result.into())
    }
}

/// Orders two values; `default` is comparable with nothing but itself.
fn order(left: &Value, right: &Value) -> hierarch_source::Result<Ordering> {
    match (left, right) {
        (Value::Default, Value::Default) => Ok(Ordering::Equal),
        (Value::Default, _) => Err(issues::symbol_order()),
        _ => left.order(right),
    }
}

fn holds(op: BinaryOp, order: Ordering) -> bool {
    match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn types(op: BinaryOp, left: &Type, right: &Type, equal: bool) -> bool {
    match op {
        BinaryOp::Less => right.accepts(left) && !equal,
        BinaryOp::LessEqual => right.accepts(left),
        BinaryOp::Greater => left.accepts(right) && !equal,
        _ => left.accepts(right),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn less_more_and_the_same() {
        check_programs(&[
            ("1 < 2", "true"),
            ("1 < 1.5", "true"),
            ("'a' < 'B'", "true"),
            ("'a' <= 'A'", "true"),
            ("'10' < '9'", "true"),
            (
                "1 < '2'",
                "Evaluation Error: Comparison of: Integer < String, is not possible. Caused by 'A Numeric is not comparable to non Numeric'. (line: 1, column: 3)",
            ),
            (
                "'a' < 1",
                "Evaluation Error: Comparison of: String < Integer, is not possible. Caused by 'A String is not comparable to a non String'. (line: 1, column: 5)",
            ),
            (
                "[1] < [2]",
                "Evaluation Error: Comparison of: Array < Array, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 5)",
            ),
            (
                "{} < {}",
                "Evaluation Error: Comparison of: Hash < Hash, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 4)",
            ),
            (
                "true < false",
                "Evaluation Error: Comparison of: Boolean < Boolean, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 6)",
            ),
            (
                "undef < 1",
                "Evaluation Error: Comparison of: Undef Value < Integer, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 7)",
            ),
            ("Integer < Numeric", "true"),
            ("Integer <= Integer", "true"),
            ("Integer[1, 2] < Integer", "true"),
            ("Integer > String", "false"),
            ("Integer >= Integer[1]", "true"),
            (
                "/a/ < /b/",
                "Evaluation Error: Comparison of: Regexp < Regexp, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 5)",
            ),
            ("1 == 1.0", "true"),
            ("'a' == 'A'", "true"),
            ("[1] == [1.0]", "true"),
            ("undef == ''", "false"),
            ("Integer == Integer[default, default]", "true"),
        ]);
    }
}
