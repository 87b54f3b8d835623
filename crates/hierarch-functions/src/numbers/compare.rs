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
