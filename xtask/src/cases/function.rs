//! Kind `function`: what manifests give that call functions written in Ruby.

use serde_json::{Map, Value as Json};

use super::{Answer, Case, Judge, Verdict, erb::leave_out_puppets_own, eval::Eval, lang};

/// Judges cases of kind `function`.
pub(super) struct Function;

/// Asked as programs are.
const PROGRAM: Eval = Eval("function");

impl Judge for Function {
    fn kind(&self) -> &'static str {
        PROGRAM.kind()
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        if is_free(case) { &[] } else { lang::RECORDED }
    }

    fn ask(&self, case: &Case) -> Answer {
        PROGRAM.ask(case)
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        if is_free(case) && case.fields.contains_key("error") == answer.contains_key("error") {
            return Verdict::Passed;
        }
        let (mut expected, mut got) = (case.clone(), answer.clone());
        let recorded = expected.fields.get_mut("error").and_then(Json::as_object_mut);
        if let (Some(recorded), Some(error)) = (recorded, got.get_mut("error").and_then(Json::as_object_mut))
        {
            // An error of Ruby's that Puppet does not wrap counts by its words.
            if recorded.remove("class").is_some() {
                error.retain(|part, _| part == "message");
            }
            split_file(error);
        }
        leave_out_puppets_own(&mut expected, &mut got);
        lang::compare_exactly(&expected, &got)
    }
}

/// Errors about a whole file have it in their words; the recorder keeps it beside them.
fn split_file(error: &mut Map<String, Json>) {
    let message = error.get("message").and_then(Json::as_str).unwrap_or_default();
    let split = message.strip_suffix(')').and_then(|message| message.rsplit_once(" (file: "));
    let Some((words, place)) = split.map(|(words, place)| (words.to_owned(), place.to_owned())) else {
        return;
    };
    let mut parts = place.split(", ");
    error.insert("message".to_owned(), words.into());
    error.insert("file".to_owned(), parts.next().unwrap_or_default().into());
    for part in parts {
        let (name, number) = part.split_once(": ").unwrap_or((part, ""));
        let name = if name == "column" { "col" } else { name };
        error.insert(name.to_owned(), number.parse::<u64>().unwrap_or_default().into());
    }
    if error.get("issue").is_some_and(|issue| issue == "RUBY_EXCEPTION") {
        error.remove("issue");
    }
}

/// Tells whether only success or failure counts: addresses differ from run to run, and syntax errors have words of the
/// parser's own.
fn is_free(case: &Case) -> bool {
    let message = case.fields.get("error").and_then(|error| error["message"].as_str());
    let is_syntax = message.is_some_and(|message| message.contains("syntax error"));
    is_syntax || Json::Object(case.fields.clone()).to_string().contains("0xADDR")
}
