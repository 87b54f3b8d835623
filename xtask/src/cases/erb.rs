//! Kind `erb`: the text of ERB templates.

use hierarch_eval::Value;
use hierarch_pcore::data::from_json;
use hierarch_source::Result;
use serde_json::{Value as Json, json};

use super::{Answer, Case, Judge, Verdict, lang, session};

/// Judges cases of kind `erb`.
pub(super) struct Erb;

/// How the evaluator introduces what a function says; the recorder calls templates without it.
const PREFIX: &str = "Evaluation Error: Error while evaluating a Function Call, ";

impl Judge for Erb {
    fn kind(&self) -> &'static str {
        "erb"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        decisive(case)
    }

    fn ask(&self, case: &Case) -> Answer {
        let mut answer = Answer::new();
        match render(case, &mut answer) {
            Ok(text) => drop(answer.insert("text".to_owned(), text.to_string().into())),
            Err(error) => {
                let message = error.message.strip_prefix(PREFIX).unwrap_or(&error.message);
                answer.insert("error".to_owned(), json!({ "message": message }));
            }
        }
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        compare(case, answer)
    }
}

/// Runs the setup of a case, then its templates.
fn render(case: &Case, answer: &mut Answer) -> Result<Value> {
    let templates: Vec<&str> = match case.fields.get("templates").and_then(Json::as_array) {
        Some(list) => list.iter().filter_map(Json::as_str).collect(),
        None => vec![case.text("template").unwrap_or_default()],
    };
    let is_inline = case.fields.get("inline").is_some_and(|inline| inline == true);
    let mut case = case.clone();
    let files = case.fields.entry("files").or_insert_with(|| json!({}));
    for (index, template) in templates.iter().enumerate() {
        files[format!("modules/case/templates/t{index}.erb")] = json!(template);
    }
    let environment = session::environment(&case);
    let mut evaluator = session::evaluator(&case, &environment);
    // What the recorder's node, whose certificate nobody saw, is trusted with.
    let trusted = json!({ "authenticated": "local", "certname": null, "extensions": {}, "hostname": null, "domain": null, "external": {} });
    evaluator.set_variable("trusted", from_json(&trusted));
    session::run(&mut evaluator, case.text("setup").unwrap_or("undef"), answer)?;
    for (name, value) in case.fields.get("vars").and_then(Json::as_object).into_iter().flatten() {
        evaluator.set_variable(name, from_json(value));
    }
    let code = if is_inline {
        evaluator.set_variable(
            "hierarch::templates",
            Value::array(templates.iter().map(|&text| text.into()).collect()),
        );
        "inline_template(*$hierarch::templates)".to_owned()
    } else {
        let names: Vec<String> = (0..templates.len()).map(|index| format!("'case/t{index}.erb'")).collect();
        format!("template({})", names.join(", "))
    };
    session::run(&mut evaluator, &code, answer)
}

fn decisive(case: &Case) -> &'static [&'static str] {
    if is_free(case) { &[] } else { lang::RECORDED }
}

/// Tells whether only success or failure counts: addresses differ from run to run, and syntax errors have words of the
/// parser's own.
fn is_free(case: &Case) -> bool {
    let error = case.fields.get("error");
    let is_syntax = error.is_some_and(|error| error["class"] == "SyntaxError" || is_syntax_message(error));
    is_syntax || Json::Object(case.fields.clone()).to_string().contains("0xADDR")
}

fn is_syntax_message(error: &Json) -> bool {
    error["message"].as_str().is_some_and(|message| message.contains("syntax error"))
}

fn compare(case: &Case, answer: &Answer) -> Verdict {
    if is_free(case) && case.fields.contains_key("error") == answer.contains_key("error") {
        return Verdict::Passed;
    }
    let mut expected = case.clone();
    let mut got = answer.clone();
    // A template's error counts by its words.
    if let Some(error) = expected.fields.get_mut("error").and_then(Json::as_object_mut) {
        error.remove("class");
    }
    leave_out_puppets_own(&mut expected, &mut got);
    lang::compare_exactly(&expected, &got)
}

/// Leaves out the place of an error that Puppet has in a file of its own.
pub(super) fn leave_out_puppets_own(expected: &mut Case, got: &mut Answer) {
    if !is_in_puppets_own_file(&expected.fields) {
        return;
    }
    for fields in [&mut expected.fields, got] {
        if let Some(message) = fields.get_mut("error").and_then(|error| error.get_mut("message")) {
            *message = json!(without_place(message.as_str().unwrap_or_default()));
        }
    }
}

/// Tells whether the recorded place is in a file of Puppet's own, which is nowhere here.
fn is_in_puppets_own_file(fields: &serde_json::Map<String, Json>) -> bool {
    let message = fields.get("error").and_then(|error| error["message"].as_str());
    message.is_some_and(|message| message.contains("Filepath: /usr/lib/ruby"))
}

/// Leaves out the lines that say where.
fn without_place(message: &str) -> String {
    let is_place = |line: &&str| line.starts_with("  Filepath: ") || line.starts_with("  Line: ");
    message.lines().filter(|line| !is_place(line)).collect::<Vec<_>>().join("\n")
}
