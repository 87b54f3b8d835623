//! `compare`: the order of two values as a number.

use std::cmp::Ordering;

use hierarch_pcore::compare::case_insensitive_order;

use crate::prelude::*;

/// The function `compare`.
pub(super) static COMPARE: Function = Function {
    name: "compare",
    doc: "Returns -1, 0 or 1 as the first of two numbers, texts, versions or times comes before the second, with it or after it. The case of texts is ignored unless a third argument is `false`.",
    dispatches: &[
        on(&["Numeric a", "Numeric b"], by_order),
        on(&["String a", "String b", "?Boolean ignore_case"], of_strings),
        on(&["SemVer a", "SemVer b"], by_order),
        on(&["Numeric a", "Variant[Timespan, Timestamp] b"], by_order),
        on(&["Timestamp a", "Variant[Timestamp, Numeric] b"], by_order),
        on(&["Timespan a", "Variant[Timespan, Numeric] b"], by_order),
        mismatch(
            &[
                "Variant[String, SemVer, Numeric, Timespan, Timestamp] a",
                "Variant[String, SemVer, Numeric, Timespan, Timestamp] b",
                "*Any ignore_case",
            ],
            different_kinds,
        ),
        mismatch(&["Any a", "Any b", "*Any ignore_case"], not_comparable),
    ],
    examples: &[
        Gives("compare(1, 2.5)", "-1"),
        Gives("compare('a', 'A')", "0"),
        Gives("compare('a', 'A', false)", "1"),
        Fails(
            "compare(1, 'a')",
            "'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got Integer and String",
        ),
        Fails("compare([], [])", "'compare' compare(): Non comparable type."),
    ],
};

fn by_order(call: &mut Call) -> Result<Value> {
    Ok(number(call.value(0).order(call.value(1))?))
}

fn of_strings(call: &mut Call) -> Result<Value> {
    let (a, b) = (call.str(0), call.str(1));
    let ignores_case = call.count() < 3 || call.is_true(2);
    Ok(number(if ignores_case { case_insensitive_order(a, b) } else { a.as_bytes().cmp(b.as_bytes()) }))
}

fn number(order: Ordering) -> Value {
    Value::from(order as i64)
}

fn different_kinds(call: &mut Call) -> Result<Value> {
    let [a, b, rest @ ..] = call.arguments() else { return Ok(Value::Undef) };
    let are_strings = a.as_str().is_some() && b.as_str().is_some();
    let words = match rest {
        [] => issues::different_kinds(a, b),
        _ if !are_strings => issues::CASE_OF_NO_TEXT.to_owned(),
        [flag] => issues::compare_flag(flag),
        _ => issues::compare_count(call.count()),
    };
    Ok(words.into())
}

fn not_comparable(call: &mut Call) -> Result<Value> {
    Ok(issues::not_comparable(call.value(0), call.value(1)).into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn less_equal_or_more() {
        check_calls(&[
            ("compare(1, 2)", "-1"),
            ("compare(2, 1.5)", "1"),
            ("compare('a', 'B')", "-1"),
            ("compare('a', 'A')", "0"),
            ("compare('a', 'A', false)", "1"),
            ("compare('a', 'B', false)", "1"),
            (
                "compare(1, '1')",
                "Evaluation Error: Error while evaluating a Function Call, 'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got Integer and String (line: 1, column: 1)",
            ),
            ("compare(Timespan(1), 1)", "0"),
            ("compare(Timestamp(1), Timestamp(2))", "-1"),
            ("compare(SemVer('1.0.0'), SemVer('2.0.0'))", "-1"),
            (
                "compare(true, false)",
                "Evaluation Error: Error while evaluating a Function Call, 'compare' compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can be compared. Got Boolean and Boolean (line: 1, column: 1)",
            ),
            (
                "compare([1], [2])",
                "Evaluation Error: Error while evaluating a Function Call, 'compare' compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can be compared. Got Array and Array (line: 1, column: 1)",
            ),
            (
                "compare(1, 2, true)",
                "Evaluation Error: Error while evaluating a Function Call, 'compare' compare(): The third argument (ignore case) can only be used when comparing strings (line: 1, column: 1)",
            ),
            (
                "compare(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'compare' expects between 2 and 3 arguments, got 1 (line: 1, column: 1)",
            ),
        ]);
    }
}
