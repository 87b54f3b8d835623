//! Hiera cases: the files of a case in memory, asked by command or by manifest.

mod compile;
pub(crate) mod lookup;
mod rooted;
pub(crate) mod site;

use serde_json::Value as Json;

use super::Case;

pub(super) use compile::Compile;
pub(super) use lookup::Lookups;

/// Holds one part of an answer against the record.
fn difference(case: &Case, part: &str, got: Option<&Json>) -> Option<String> {
    // What ends the command is recorded as it was logged.
    let bare = |text: &str| Json::from(text.strip_prefix("Could not run: ").unwrap_or(text));
    let expected = case.fields.get(part).map(|value| value.as_str().map_or_else(|| value.clone(), bare));
    let expected = expected.as_ref();
    if expected == got || (part == "error" && expected.is_some_and(is_rubys_own) && got.is_some()) {
        return None;
    }
    let shown = |value: Option<&Json>| {
        value.map_or_else(
            || "(nothing)".to_owned(),
            |value| match value {
                Json::String(text) => text.clone(),
                other => other.to_string(),
            },
        )
    };
    let (expected, got) = apart(shown(expected), shown(got));
    Some(format!("{part}\n  expected: {expected}\n  got:      {got}"))
}

/// Leaves of two long texts what is around the first line that differs.
fn apart(expected: String, got: String) -> (String, String) {
    const LONG: usize = 40;
    if expected.lines().count().max(got.lines().count()) < LONG {
        return (expected, got);
    }
    let same = expected.lines().zip(got.lines()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let lines: Vec<&str> = text.lines().skip(same.saturating_sub(12)).take(24).collect();
        format!("(line {})\n{}", same + 1, lines.join("\n"))
    };
    (around(&expected), around(&got))
}

/// Where the reference broke down it is enough to fail.
pub(crate) fn is_rubys_own(error: &Json) -> bool {
    let words = [
        "undefined method",
        "stack level too deep",
        "can't convert",
        "no implicit conversion",
        "wrong number of arguments",
        "uninitialized constant",
        "private method",
        "can't modify frozen",
    ];
    error.as_str().is_some_and(|error| words.iter().any(|words| error.contains(words)))
}
