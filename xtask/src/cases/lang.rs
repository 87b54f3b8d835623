//! Language cases: how an answer is held against the recorded one, whatever the kind.

use hierarch_source::Diagnostic;
use serde_json::{Map, Value as Json, json};

use super::{Answer, Case, Verdict};

/// All parts that the recorder writes. A part that is not recorded must not be in the answer either.
pub const RECORDED: &[&str] = &[
    "notices",
    "warnings",
    "logs",
    "result",
    "result_type",
    "error",
    "errors",
    "pn",
    "pn_json",
    "instance",
    "assignable",
    "inferred",
    "canonical",
    "text",
    "catalog",
    "valid",
];

/// Compares an answer with the recorded one, part by part.
pub fn compare(case: &Case, answer: &Answer) -> Verdict {
    if reference_crashed(case) {
        return Verdict::Passed;
    }
    compare_exactly(case, answer)
}

/// Compares an answer with the recorded one, whatever the reference did.
pub fn compare_exactly(case: &Case, answer: &Answer) -> Verdict {
    let parts = RECORDED.iter();
    Verdict::of(parts.flat_map(|part| differences(part, case.fields.get(*part), answer.get(*part))))
}

fn differences(part: &str, expected: Option<&Json>, got: Option<&Json>) -> Vec<String> {
    match (expected, got) {
        (expected, got) if expected == got => Vec::new(),
        (Some(Json::Object(expected)), Some(Json::Object(got)))
            if part == "error" && expected.get("class").is_some() =>
        {
            refusals(expected, got)
        }
        (Some(Json::Object(expected)), Some(Json::Object(got))) if part == "error" => {
            let lost = loses_place(expected) && got.contains_key("col") && !got.contains_key("issue");
            let added = got.keys().filter(|name| !expected.contains_key(*name));
            let added = added.filter(|name| !lost || !PLACE.contains(&name.as_str()));
            let names = expected.keys().chain(added);
            names
                .flat_map(|name| differences(&format!("error.{name}"), expected.get(name), got.get(name)))
                .collect()
        }
        (expected, got) => {
            vec![format!("{part}\n  expected: {}\n  got:      {}", shown(expected), shown(got))]
        }
    }
}

/// Compares an error that the reference raises as one of Ruby's: it has words, and nothing else. Those of a place at their
/// end are not recorded.
fn refusals(expected: &Map<String, Json>, got: &Map<String, Json>) -> Vec<String> {
    let class = expected.get("class").and_then(Json::as_str).unwrap_or_default();
    if !REFUSALS.contains(&class) {
        return vec![format!("error.class\n  expected: one of {REFUSALS:?}\n  got:      {class}")];
    }
    let words = got.get("message").and_then(Json::as_str).unwrap_or_default();
    differences("error.message", expected.get("message"), Some(&json!(without_place(words))))
}

/// Classes of Ruby's errors that the reference raises to refuse something.
const REFUSALS: [&str; 2] = ["ArgumentError", "RuntimeError"];

fn without_place(message: &str) -> &str {
    let Some((words, place)) = message.rsplit_once(" (") else { return message };
    let is_place = place.ends_with(')') && (place.starts_with("file: ") || place.starts_with("line: "));
    if is_place { words } else { message }
}

/// Where an error stands.
const PLACE: [&str; 2] = ["line", "col"];

/// Tells whether a record has no place. The recorder loses that of syntax errors without a code where it evaluates;
/// `puppet apply` prints it.
fn loses_place(error: &Map<String, Json>) -> bool {
    !["issue", "line", "col"].iter().any(|name| error.contains_key(*name))
}

fn shown(value: Option<&Json>) -> String {
    value.map_or_else(|| "(nothing)".to_owned(), Json::to_string)
}

/// Ruby's classes of what only a defect raises.
const CRASHES: &[&str] = &[
    "NoMethodError",
    "NameError",
    "TypeError",
    "SystemStackError",
    "FrozenError",
    "KeyError",
    "IndexError",
    "RangeError",
    "FloatDomainError",
    "NotImplementedError",
    "UncaughtThrowError",
    "Encoding::CompatibilityError",
    "Encoding::UndefinedConversionError",
    "RegexpError",
];

/// Words of Ruby's, where the reference passes them on as its own.
const RUBYS_OWN: &[&str] = &[
    "undefined method",
    "undefined local variable",
    "protected method",
    "private method",
    "stack level too deep",
    "can't modify frozen",
    "TIMEOUT",
];

/// Tells whether the reference broke down on this input instead of answering. Its words bind nobody then: what is asked
/// is to answer or fail in an orderly way, and not to panic.
pub fn reference_crashed(case: &Case) -> bool {
    let Some(error) = case.fields.get("error") else { return false };
    let message = error["message"].as_str().unwrap_or_default();
    let class = error["class"].as_str().unwrap_or_default();
    CRASHES.contains(&class) || RUBYS_OWN.iter().any(|words| message.contains(words))
}

/// Returns the recorder's form of a diagnostic.
pub fn error_of(diagnostic: &Diagnostic) -> Json {
    // The reference has no name for what lookups have to complain about.
    let code = if diagnostic.code.starts_with("LOOKUP_") { "" } else { diagnostic.code };
    error(&diagnostic.message, code, diagnostic.position())
}

/// Adds the messages of diagnostics to an answer, unless there are none.
pub fn add_messages<'a>(
    answer: &mut Answer,
    part: &str,
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
) {
    let messages: Vec<Json> =
        diagnostics.into_iter().map(|diagnostic| diagnostic.message.as_str().into()).collect();
    if !messages.is_empty() {
        answer.insert(part.to_owned(), messages.into());
    }
}

/// Returns the recorder's form of an error.
pub fn error(message: &str, issue: &str, place: Option<(u32, Option<u32>)>) -> Json {
    let mut error = Map::from_iter([("message".to_owned(), json!(message))]);
    if !issue.is_empty() {
        error.insert("issue".to_owned(), json!(issue));
    }
    if let Some((line, column)) = place {
        error.insert("line".to_owned(), json!(line));
        column.map(|column| error.insert("col".to_owned(), json!(column)));
    }
    Json::Object(error)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;

    fn verdict(recorded: &Json, answer: &Json) -> Verdict {
        let object = |json: &Json| json.as_object().cloned().unwrap_or_default();
        let case = Case {
            file: PathBuf::from("a.jsonl"),
            at: "1".to_owned(),
            kind: "parse".to_owned(),
            about: String::new(),
            fields: object(recorded),
            setting: Arc::default(),
        };
        compare(&case, &object(answer))
    }

    #[test]
    fn inputs_and_unknown_keys_do_not_count_and_recorded_parts_do() {
        let recorded = json!({"code": "1", "odd": 5, "pn": "1"});
        assert_eq!(verdict(&recorded, &json!({"pn": "1"})), Verdict::Passed);
        assert_eq!(
            verdict(&recorded, &json!({"pn": "2"})),
            Verdict::failed("pn\n  expected: \"1\"\n  got:      \"2\"")
        );
        assert!(!verdict(&recorded, &json!({"pn": "1", "warnings": ["w"]})).passed());
        assert!(!verdict(&recorded, &json!({"error": {"message": "m"}})).passed());
    }

    #[test]
    fn every_part_of_an_error_counts() {
        let recorded = json!({"error": error("m", "I", Some((1, Some(2))))});
        assert!(verdict(&recorded, &recorded).passed());
        for other in [
            error("n", "I", Some((1, Some(2)))),
            error("m", "", Some((1, Some(2)))),
            error("m", "I", Some((1, Some(3)))),
            error("m", "I", Some((1, None))),
            error("m", "I", None),
        ] {
            assert!(!verdict(&recorded, &json!({ "error": other })).passed());
        }
    }

    #[test]
    fn a_place_that_the_recorder_lost_does_not_count() {
        let recorded = json!({"error": error("m", "", None)});
        let placed = |issue| json!({"error": error("m", issue, Some((1, Some(2))))});
        assert!(verdict(&recorded, &placed("")).passed());
        assert!(!verdict(&recorded, &placed("I")).passed());
        assert!(!verdict(&json!({"error": error("m", "", Some((1, None)))}), &placed("")).passed());
    }

    #[test]
    fn where_the_reference_crashed_any_orderly_answer_passes() {
        for error in
            [json!({"message": "x", "class": "TypeError"}), json!({"message": "undefined method `x'"})]
        {
            assert!(verdict(&json!({ "error": error }), &json!({"pn": "1"})).passed());
        }
    }
}
