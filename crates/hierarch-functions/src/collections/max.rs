//! `max` and `min`: the greatest and the least of some values.

use std::cmp::Ordering;

use super::order;
use crate::prelude::*;

/// The function `max`.
pub(super) static MAX: Function = Function {
    name: "max",
    doc: "Returns the greatest of its arguments, or of the elements of one Array; a block may compare two and give a number. Texts that look like numbers are compared as such, which is deprecated.",
    dispatches: &[
        on(&["*Numeric values"], max),
        on(&["*String values"], max),
        on(&["*SemVer values"], max),
        on(&["*Timespan values"], max),
        on(&["*Timestamp values"], max),
        on(&["Array[Numeric] values", "?&Callable[2, 2] block"], max_of_array),
        on(&["Array[String] values", "?&Callable[2, 2] block"], max_of_array),
        on(&["Array[SemVer] values", "?&Callable[2, 2] block"], max_of_array),
        on(&["Array[Timespan] values", "?&Callable[2, 2] block"], max_of_array),
        on(&["Array[Timestamp] values", "?&Callable[2, 2] block"], max_of_array),
        on(&["Array values", "?&Callable[2, 2] block"], max_of_array),
        on(&["*Any values", "&Callable[2, 2] block"], max),
        on(&["*Any values"], max),
    ],
    examples: &[
        Gives("max(1, 3, 2)", "3"),
        Gives("max(['a', 'b'])", "'b'"),
        Gives("max([1, 5]) |$a, $b| { compare($b, $a) }", "1"),
        Fails("max()", "max(): Wrong number of arguments need at least one"),
    ],
};

/// The function `min`.
pub(super) static MIN: Function = Function {
    name: "min",
    doc: "Returns the least of its arguments, or of the elements of one Array; a block may compare two and give a number. Texts that look like numbers are compared as such, which is deprecated.",
    dispatches: &[
        on(&["*Numeric values"], min),
        on(&["*String values"], min),
        on(&["*SemVer values"], min),
        on(&["*Timespan values"], min),
        on(&["*Timestamp values"], min),
        on(&["Array[Numeric] values", "?&Callable[2, 2] block"], min_of_array),
        on(&["Array[SemVer] values", "?&Callable[2, 2] block"], min_of_array),
        on(&["Array[Timespan] values", "?&Callable[2, 2] block"], min_of_array),
        on(&["Array[Timestamp] values", "?&Callable[2, 2] block"], min_of_array),
        on(&["Array[String] values", "?&Callable[2, 2] block"], min_of_array),
        on(&["Array values", "?&Callable[2, 2] block"], min_of_array),
        on(&["*Any values", "&Callable[2, 2] block"], min),
        on(&["*Any values"], min),
    ],
    examples: &[
        Gives("min(1, 3, 2.5)", "1"),
        Gives("min('a', 'B')", "'B'"),
        Gives("min([3, 1])", "1"),
        Fails("min()", "min(): Wrong number of arguments need at least one"),
    ],
};

fn max(call: &mut Call) -> Result<Value> {
    let values = call.take_all().into_vec();
    extreme(call, values, Ordering::Greater)
}

fn max_of_array(call: &mut Call) -> Result<Value> {
    let values = call.array(0).to_vec();
    extreme(call, values, Ordering::Greater)
}

fn min(call: &mut Call) -> Result<Value> {
    let values = call.take_all().into_vec();
    extreme(call, values, Ordering::Less)
}

fn min_of_array(call: &mut Call) -> Result<Value> {
    let values = call.array(0).to_vec();
    extreme(call, values, Ordering::Less)
}

/// How values are compared, which depends on all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Block,
    /// Numbers, versions and times.
    Natural,
    Texts,
    Anything,
}

/// Returns the first value that no other one exceeds.
fn extreme(call: &mut Call, values: Vec<Value>, wanted: Ordering) -> Result<Value> {
    let manner = manner(call, &values);
    let mut values = values.into_iter();
    let Some(mut best) = values.next() else {
        return match manner {
            Manner::Block => Ok(Value::Undef),
            _ => Err(issues::needs_an_argument(call.name()).into()),
        };
    };
    for value in values {
        if compared(call, manner, &value, &best)? == wanted {
            best = value;
        }
    }
    Ok(best)
}

fn manner(call: &Call, values: &[Value]) -> Manner {
    let are_all = |type_: Type| values.iter().all(|value| type_.has(value));
    match values {
        _ if call.has_block() => Manner::Block,
        values if values.iter().all(|value| value.as_str().is_some()) => Manner::Texts,
        _ if [Type::numeric(), Type::sem_ver(), Type::timespan(), Type::timestamp()]
            .into_iter()
            .any(are_all) =>
        {
            Manner::Natural
        }
        _ => Manner::Anything,
    }
}

fn compared(call: &mut Call, manner: Manner, a: &Value, b: &Value) -> Result<Ordering> {
    match manner {
        Manner::Block => order::by_block(call, a, b),
        Manner::Natural => Ok(order::by_ruby(a, b)?),
        Manner::Texts | Manner::Anything => Ok(by_text(call, manner, a, b)),
    }
}

fn by_text(call: &mut Call, manner: Manner, a: &Value, b: &Value) -> Ordering {
    let (a, b) = (ruby_text(a), ruby_text(b));
    if looks_numeric(&a) && looks_numeric(&b) {
        deprecated(call, &issues::numeric_texts(call.name()));
        return number(&a).total_cmp(&number(&b));
    }
    if manner == Manner::Anything {
        deprecated(call, &issues::values_as_texts(call.name()));
    }
    a.as_bytes().cmp(b.as_bytes())
}

/// Tells whether a text is a number of digits, with one group of more behind a point, an underscore or an `e`.
fn looks_numeric(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    match text.split_once(['.', '_', 'e', 'E']) {
        Some((whole, rest)) => is_digits(whole) && is_digits(rest),
        None => is_digits(text),
    }
}

/// Reads a text that looks like a number; underscores are left out.
fn number(text: &str) -> f64 {
    text.replace('_', "").parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn the_largest_and_the_smallest() {
        check_calls(&[
            ("max(1, 2, 3)", "3"),
            ("max('b', 'a')", "'b'"),
            ("max(1, '10', 9)", "'10'"),
            ("max('10', '9')", "'10'"),
            ("max(1, 'a')", "'a'"),
            ("max([1, 5], 3)", "[1, 5]"),
            ("max([1, 5, 3])", "5"),
            (
                "max([])",
                "Evaluation Error: Error while evaluating a Function Call, max(): Wrong number of arguments need at least one (line: 1, column: 1)",
            ),
            (
                "max()",
                "Evaluation Error: Error while evaluating a Function Call, max(): Wrong number of arguments need at least one (line: 1, column: 1)",
            ),
            ("max(1.5, 1)", "1.5"),
            ("min(1, 2)", "1"),
            ("min('b', 'A')", "'A'"),
            ("min(1, 'a')", "1"),
            ("max(Timespan(1), Timespan(2))", "Timespan('0-00:00:02.0')"),
            ("max(SemVer('1.0.0'), SemVer('1.0.0-a'))", "1.0.0"),
            ("max(SemVer('1.0.0'), 1)", "1.0.0"),
            ("max('a', 'b') |$a, $b| { compare($b, $a) }", "'a'"),
            ("[1, 2].max |$a, $b| { compare($b, $a) }", "1"),
            (
                "max(1, 2) |$a, $b| { 'x' }",
                "Evaluation Error: Error while evaluating a Function Call, comparison of String with 0 failed (line: 1, column: 1)",
            ),
            ("max(undef, 1)", "1"),
            ("max(true, false)", "true"),
            ("max({a => 1})", "{'a' => 1}"),
        ]);
    }
}
