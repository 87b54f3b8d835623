//! `versioncmp`: the order of two version numbers, whatever their form.

use std::cmp::Ordering;

use crate::prelude::*;

/// The function `versioncmp`.
pub(super) static VERSIONCMP: Function = Function {
    name: "versioncmp",
    doc: "Returns -1, 0 or 1 as the first of two versions comes before the second, with it or after it. Trailing zeros may be ignored.",
    dispatches: &[on(&["String a", "String b", "?Boolean ignore_trailing_zeroes"], versioncmp)],
    examples: &[
        Gives("versioncmp('1.10', '1.9')", "1"),
        Gives("versioncmp('1.0', '1.0.0')", "-1"),
        Gives("versioncmp('1.0.0', '1.0', true)", "0"),
        Fails("versioncmp('1.0', 1)", "'versioncmp' parameter 'b' expects a String value, got Integer"),
    ],
};

fn versioncmp(call: &mut Call) -> Result<Value> {
    let (a, b) = (call.str(0), call.str(1));
    let order = if call.is_true(2) { compared(&shortened(a), &shortened(b)) } else { compared(a, b) };
    Ok(Value::from(order as i64))
}

/// Returns a version without zeros and points at the end of what stands before its first dash.
fn shortened(version: &str) -> String {
    let version = version.trim_end_matches('-');
    match version.split_once('-') {
        Some((release, rest)) => format!("{}-{rest}", release.trim_end_matches(['.', '0'])),
        None => version.trim_end_matches(['.', '0']).to_owned(),
    }
}

/// Returns the order of two versions.
pub(crate) fn compared(a: &str, b: &str) -> Ordering {
    let first_difference = tokens(a).zip(tokens(b)).find(|(a, b)| a != b);
    first_difference.map_or_else(|| a.cmp(b), |(a, b)| token_order(a, b))
}

/// Dashes come first, then points; numbers by value unless one has a leading zero, all else as text.
fn token_order(a: &str, b: &str) -> Ordering {
    for mark in ["-", "."] {
        if a == mark {
            return Ordering::Less;
        }
        if b == mark {
            return Ordering::Greater;
        }
    }
    if is_number(a) && is_number(b) && !a.starts_with('0') && !b.starts_with('0') {
        return a.len().cmp(&b.len()).then(a.cmp(b));
    }
    a.to_uppercase().cmp(&b.to_uppercase())
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

/// Cuts a version into dashes, points, runs of digits and runs of anything else.
fn tokens(version: &str) -> impl Iterator<Item = &str> {
    let mut rest = version;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_mark = |c: char| matches!(c, '-' | '.');
        let length = if is_mark(first) {
            1
        } else if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else {
            rest.find(|c: char| c.is_ascii_digit() || is_mark(c)).unwrap_or(rest.len())
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_calls;

    #[test]
    fn versions_are_ordered_as_packages_are() {
        for (a, b, expected) in [
            ("1.0-1", "1.0.1", Ordering::Less),
            ("1.01", "1.1", Ordering::Less),
            ("a", "A", Ordering::Equal),
            ("1", "1a", Ordering::Less),
            ("99999999999999999999", "100000000000000000000", Ordering::Less),
            ("1.0-1", "1.0", Ordering::Greater),
            ("", "", Ordering::Equal),
        ] {
            assert_eq!(compared(a, b), expected, "{a} {b}");
        }
        assert_eq!(shortened("1.0.0-rc1"), "1-rc1");
    }

    #[test]
    fn versions_in_order() {
        check_calls(&[
            ("versioncmp('1.0', '1.0')", "0"),
            ("versioncmp('1.10', '1.9')", "1"),
            ("versioncmp('1.0-1', '1.0-2')", "-1"),
            ("versioncmp('1.0a', '1.0b')", "-1"),
            ("versioncmp('1.0', '1.0.0')", "-1"),
            ("versioncmp('1.0.0', '1.0', true)", "0"),
            ("versioncmp('2', '10')", "-1"),
            ("versioncmp('a', '1')", "1"),
            ("versioncmp('', '1')", "-1"),
            ("versioncmp('1.0-rc1', '1.0')", "1"),
            ("versioncmp('01', '1')", "-1"),
            ("versioncmp('1..2', '1.2')", "-1"),
            (
                "versioncmp(1, 2)",
                "Evaluation Error: Error while evaluating a Function Call, 'versioncmp' parameter 'a' expects a String value, got Integer (line: 1, column: 1)",
            ),
            (
                "versioncmp('1')",
                "Evaluation Error: Error while evaluating a Function Call, 'versioncmp' expects between 2 and 3 arguments, got 1 (line: 1, column: 1)",
            ),
        ]);
    }
}
