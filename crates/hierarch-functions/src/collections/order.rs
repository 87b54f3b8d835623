//! How values are ordered where Ruby does it: by its `<=>`, or by what a block gives.

use std::cmp::Ordering;

use hierarch_source::Error;

use crate::prelude::*;

/// Orders two values as Ruby does, or says that they cannot be compared.
pub(super) fn by_ruby(a: &Value, b: &Value) -> std::result::Result<Ordering, Error> {
    ruby_order(a, b).ok_or_else(|| issues::no_comparison(a, b))
}

fn ruby_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::String(_), _) => None,
        (Value::Array(a), Value::Array(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match ruby_order(a, b)? {
                    Ordering::Equal => {}
                    order => return Some(order),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (
            Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_),
            _,
        ) => a.order(b).ok(),
        _ => (a == b).then_some(Ordering::Equal),
    }
}

/// Orders two values as a block says, by a number that is negative, zero or positive.
pub(super) fn by_block(call: &mut Call, a: &Value, b: &Value) -> Result<Ordering> {
    match call.yield_values([a.clone(), b.clone()])? {
        Value::Integer(number) => Ok(number.cmp(&0)),
        Value::Float(number) => Ok(number.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        Value::Undef => Err(issues::no_comparison(a, b).into()),
        other => Err(issues::no_comparison(&other, &Value::from(0)).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn lists_the_other_way() {
        check_calls(&[
            ("join([1, [2, [3]]], ',')", "'1,2,3'"),
            ("join(['a', undef, 'b'], '-')", "'a--b'"),
            ("join([], ',')", "''"),
            ("join([1, 2])", "'12'"),
            (
                "join({a => 1}, ',')",
                "Evaluation Error: Error while evaluating a Function Call, 'join' parameter 'arg' expects an Array value, got Struct (line: 1, column: 1)",
            ),
            (
                "join('a', ',')",
                "Evaluation Error: Error while evaluating a Function Call, 'join' parameter 'arg' expects an Array value, got String (line: 1, column: 1)",
            ),
            (
                "join([1], 1)",
                "Evaluation Error: Error while evaluating a Function Call, 'join' parameter 'delimiter' expects a String value, got Integer (line: 1, column: 1)",
            ),
            ("join([{a => 1}], ',')", r#"'{"a"=>1}'"#),
            ("join([Integer], ',')", "'Integer'"),
            ("join([true, default], ',')", "'true,default'"),
        ]);
    }
}
