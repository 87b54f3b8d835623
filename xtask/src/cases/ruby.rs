//! Kind `ruby`: what a snippet of Ruby gives, seen from inside a template.

use std::sync::Arc;

use hierarch_eval::Value;
use hierarch_ruby::puppet::wrapper::instance_variable;
use hierarch_ruby::run::{Flow, NoHost};
use hierarch_ruby::{Ruby, Vm};
use serde_json::{Value as Json, json};

use super::{Answer, Case, Judge, Verdict, session};
use hierarch_pcore::data::from_json;

/// Judges cases of kind `ruby`.
pub(super) struct Snippet;

/// What the recorder writes.
const RECORDED: &[&str] = &["inspect", "class", "error"];

impl Judge for Snippet {
    fn kind(&self) -> &'static str {
        "ruby"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        if is_free(case) { &[] } else { RECORDED }
    }

    fn ask(&self, case: &Case) -> Answer {
        if needs_compilation(case) {
            return ask_within_compilation(case);
        }
        let mut answer = Answer::new();
        let variables = variables(case);
        let mut host = NoHost;
        let mut vm = Vm::new(Box::new(Ruby::new(limits())), &mut host);
        match run(&mut vm, case, &variables) {
            Ok((inspect, class)) => {
                answer.insert("inspect".to_owned(), inspect.into());
                answer.insert("class".to_owned(), class.into());
            }
            Err(flow) => drop(answer.insert("error".to_owned(), error_of(&mut vm, *flow))),
        }
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        if is_free(case) && (answer.contains_key("error") == case.fields.contains_key("error")) {
            return Verdict::Passed;
        }
        Verdict::of(RECORDED.iter().filter_map(|part| {
            let (expected, got) = (case.fields.get(*part), answer.get(*part));
            (expected != got)
                .then(|| format!("{part}\n  expected: {}\n  got:      {}", shown(expected), shown(got)))
        }))
    }
}

/// Tells whether a snippet asks for what only a compilation has around it.
fn needs_compilation(case: &Case) -> bool {
    let code = case.text("code").unwrap_or_default();
    ["scope", "instance_variables"].iter().any(|word| code.contains(word))
}

/// Runs a snippet as a template that tells what it gave.
fn ask_within_compilation(case: &Case) -> Answer {
    let mut answer = Answer::new();
    let code = case.text("code").unwrap_or_default();
    let template = format!(
        "<%= begin; value = begin; {code}\nend; {{ 'inspect' => value.inspect, 'class' => value.class.to_s }}.to_json; \
         rescue Exception => e; {{ 'error' => {{ 'class' => e.class.to_s, 'message' => e.message }} }}.to_json; end %>"
    );
    let environment = session::environment(case);
    let mut evaluator = session::evaluator(case, &environment);
    let mut ignored = Answer::new();
    let _ = session::run(&mut evaluator, case.text("setup").unwrap_or("undef"), &mut ignored);
    for (name, value) in case.fields.get("vars").and_then(Json::as_object).into_iter().flatten() {
        evaluator.set_variable(name, from_json(value));
    }
    evaluator.set_variable("hierarch::snippet", template.as_str().into());
    match session::run(&mut evaluator, "inline_template($hierarch::snippet)", &mut ignored) {
        Ok(text) => {
            let told: Json = serde_json::from_str(&text.to_string()).unwrap_or_default();
            answer.extend(told.as_object().cloned().unwrap_or_default());
        }
        Err(error) => drop(answer.insert("error".to_owned(), json!({ "message": error.message }))),
    }
    answer
}

/// Half of what the runner gives a case.
fn limits() -> hierarch_ruby::ScriptLimits {
    hierarch_ruby::ScriptLimits { stack: 4 << 20, ..hierarch_ruby::ScriptLimits::default() }
}

/// Tells whether only success or failure counts: addresses differ from run to run, and syntax errors have words of the
/// parser's own.
fn is_free(case: &Case) -> bool {
    let error = case.fields.get("error");
    let is_syntax = error.is_some_and(|error| error["class"] == "SyntaxError");
    is_syntax || Json::Object(case.fields.clone()).to_string().contains("0xADDR")
}

fn shown(value: Option<&Json>) -> String {
    value.map_or_else(|| "(nothing)".to_owned(), Json::to_string)
}

/// Returns the variables that the snippet sees.
fn variables(case: &Case) -> Vec<(hierarch_pcore::Str, Value)> {
    let mut variables = Vec::new();
    if let Some(setup) = case.text("setup") {
        let environment = session::environment(case);
        let mut evaluator = session::evaluator(case, &environment);
        let mut ignored = Answer::new();
        let _ = session::run(&mut evaluator, setup, &mut ignored);
        for name in evaluator.variable_names() {
            if let Some(value) = evaluator.variable(&name).filter(|value| !value.is_undef()) {
                variables.push((name, value));
            }
        }
    }
    for (name, value) in case.fields.get("vars").and_then(Json::as_object).into_iter().flatten() {
        variables.push((name.as_str().into(), from_json(value)));
    }
    variables
}

fn run(
    vm: &mut Vm<'_>,
    case: &Case,
    variables: &[(hierarch_pcore::Str, Value)],
) -> Result<(String, String), Box<Flow>> {
    let code = case.text("code").unwrap_or_default();
    let program = vm.program(code, "(erb)")?;
    let named = variables.iter().map(|(name, value)| (instance_variable(name), value.clone()));
    let wrapper = vm.template_wrapper(None, named)?;
    let value = vm.run_in_wrapper(&Arc::clone(&program), wrapper)?;
    let class = vm.class_name(&value).to_string();
    Ok((vm.inspect(&value)?.to_string(), class))
}

fn error_of(vm: &mut Vm<'_>, flow: Flow) -> Json {
    let failure = vm.failure(flow);
    match failure.message {
        Some(message) => json!({ "class": failure.class, "message": message }),
        None => json!({ "class": failure.class }),
    }
}
