//! Answers that are either a value or an error of some kind: how they are written down and held against the record.

use hierarch_source::{Error, Result};
use serde_json::Value as Json;

use super::{Answer, Verdict};

/// Writes down what came out: a `result`, or an `error` with its kind.
pub(super) fn outcome(result: Result<impl Into<Json>>, kind: impl Fn(&Error) -> &'static str) -> Answer {
    match result {
        Ok(result) => Answer::from_iter([("result".to_owned(), result.into())]),
        Err(error) => Answer::from_iter([
            ("error_kind".to_owned(), kind(&error).into()),
            ("error".to_owned(), error.to_string().into()),
        ]),
    }
}

/// Asks that the result is this one.
pub(super) fn gives(answer: &Answer, wanted: &Json) -> Verdict {
    match answer.get("result") {
        Some(found) if found == wanted => Verdict::Passed,
        Some(found) => Verdict::failed(format!("expected {}\n     got {}", shown(wanted), shown(found))),
        None => Verdict::failed(format!("failed: {}", shown(&answer["error"]))),
    }
}

/// Asks that there is an error of this kind.
pub(super) fn fails_with(answer: &Answer, kind: &str) -> Verdict {
    match (answer.get("error_kind"), answer.get("result")) {
        (Some(found), _) if found == kind => Verdict::Passed,
        (Some(found), _) => {
            let error = shown(&answer["error"]);
            Verdict::failed(format!("expected an error of kind {kind}, got {}: {error}", shown(found)))
        }
        (None, found) => {
            let found = found.map(shown).unwrap_or_default();
            Verdict::failed(format!("expected an error of kind {kind}, got {found}"))
        }
    }
}

fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
