//! One evaluation as a case asks for it: its files as modules, its facts, and what it logs.

use std::sync::Arc;

use hierarch_eval::{Evaluator, Level, Log, Value};
use hierarch_hiera::Strict;
use hierarch_pcore::data::hash_from_json;
use hierarch_site::{Builder, Environment, Limits, Root, Settings, Site};
use hierarch_source::{MemoryFiles, Result, Source};
use serde_json::{Value as Json, json};

use super::{Answer, Case, lang};

/// The recorder writes files below this folder.
const ENVIRONMENT: &str = "ENV";

/// The node that cases without one are about.
const NODE: &str = "case.example.com";

/// What the runner gives a case, less a reserve.
const STACK: usize = 5 << 20;

/// Opens the environment of a case.
pub(super) fn environment(case: &Case) -> Arc<Environment> {
    let mut files = MemoryFiles::default();
    for (path, text) in case.fields.get("files").and_then(Json::as_object).into_iter().flatten() {
        files.insert(format!("{ENVIRONMENT}/{path}"), text.as_str().unwrap_or_default());
    }
    let site = Site::on(files)
        .with_root(Root::Repository(ENVIRONMENT.to_owned()))
        .with_settings(settings(case))
        .with_limits(Limits::default().with_stack_of(STACK));
    seen_modules(case).fold(site, Builder::assuming_module).build().environment()
}

/// Returns the settings of a case; those of the recorder unless it names some.
fn settings(case: &Case) -> Settings {
    let mut settings = Settings { strict_types: true, ..Settings::default() };
    let given = case.fields.get("settings");
    let strict = given.and_then(|given| given["strict"].as_str()).and_then(Strict::parse);
    settings.strict = strict.unwrap_or(settings.strict);
    let strict_variables = given.and_then(|given| given["strict_variables"].as_bool());
    settings.strict_variables = strict_variables.unwrap_or(settings.strict_variables);
    settings
}

/// Returns the module that was on the modulepath when a case was recorded: see CONTRIBUTING.md.
fn seen_modules(case: &Case) -> impl Iterator<Item = &'static str> {
    let stem = case.file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem.starts_with("stdlib").then_some("stdlib").into_iter()
}

/// Starts the evaluation of a case.
pub(super) fn evaluator<'e>(case: &Case, environment: &'e Environment) -> Evaluator<'e> {
    let mut evaluator = environment.evaluator_for(case.text("node").unwrap_or(NODE).to_owned());
    if let Some(facts) = case.fields.get("facts").and_then(Json::as_object) {
        evaluator.set_facts(hash_from_json(facts));
    }
    evaluator
}

/// Runs code and adds what it logged to the answer.
pub(super) fn run(evaluator: &mut Evaluator, code: &str, answer: &mut Answer) -> Result<Value> {
    let result = evaluator.evaluate(&Source::unnamed(code));
    add_logs(answer, &evaluator.take_logs(), result.is_err());
    result
}

/// Adds logs in the recorder's form: notices, warnings, errors beside a failure, and the rest by level.
pub(super) fn add_logs(answer: &mut Answer, logs: &[Log], failed: bool) {
    let mut others: Vec<(&str, Vec<Json>)> = Vec::new();
    for log in logs {
        let part = match log.level {
            Level::Debug => continue,
            Level::Notice => "notices",
            Level::Warning => "warnings",
            Level::Err if failed => "errors",
            other => {
                let name = other.name();
                match others.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, messages)) => messages.push(json!(log.message)),
                    None => others.push((name, vec![json!(log.message)])),
                }
                continue;
            }
        };
        let messages = answer.entry(part).or_insert_with(|| json!([]));
        if let Some(messages) = messages.as_array_mut() {
            messages.push(json!(log.message));
        }
    }
    if !others.is_empty() {
        answer.insert("logs".to_owned(), json!(others));
    }
}

/// Adds the recorder's form of an error.
pub(super) fn add_error(answer: &mut Answer, error: &hierarch_source::Error) {
    let mut recorded = lang::error_of(error);
    if let (Some(file), Some(object)) = (error.file(), recorded.as_object_mut()) {
        object.insert("file".to_owned(), json!(file));
    }
    answer.insert("error".to_owned(), recorded);
}
