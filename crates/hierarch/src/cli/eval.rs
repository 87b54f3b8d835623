//! `hierarch eval`: runs a manifest and prints the value of its last expression.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_eval::substitute::Help;
use hierarch_eval::{Evaluator, Value};
use hierarch_pcore::data::from_json;
use hierarch_pcore::infer;
use hierarch_site::Environment;
use hierarch_source::{Error, Source};
use serde_json::{Map, Value as Json, json};

use super::failure::Failure;
use super::input;
use super::issues;
use super::language::{LanguageArguments, on_large_stack, print_logs};
use super::report::{Problem, ReportFormat, print, report};
use super::ruby::tell_help;

#[derive(Args)]
pub(crate) struct EvalArguments {
    /// The manifest; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["code", "batch"])]
    file: Option<PathBuf>,
    /// The manifest itself
    #[arg(short = 'e', value_name = "CODE", conflicts_with = "file", allow_hyphen_values = true)]
    code: Option<String>,
    /// Print one JSON object: value, type, logs, error
    #[arg(long)]
    json: bool,
    /// Read JSON lines `{"code": …, "facts": …, "vars": …}` from standard input and print such an object for each
    #[arg(long, conflicts_with_all = ["file", "code"])]
    batch: bool,
    /// How the value is printed; without it, as the language would write it
    #[arg(long = "render-as", alias = "format", value_name = "FORMAT", value_enum)]
    render_as: Option<RenderAs>,
    #[command(flatten)]
    language: LanguageArguments,
}

/// How a value is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RenderAs {
    /// JSON
    Json,
    /// YAML
    Yaml,
    /// Plain text
    S,
}

pub(crate) fn run(arguments: &EvalArguments) -> Result<ExitCode, Failure> {
    on_large_stack(|| if arguments.batch { batch(arguments) } else { single(arguments) })?
}

fn single(arguments: &EvalArguments) -> Result<ExitCode, Failure> {
    let environment = arguments.language.environment()?;
    let mut evaluator = arguments.language.evaluator(&environment)?;
    let result = source(arguments)?.and_then(|source| evaluator.evaluate(&source));
    let code = ExitCode::from(u8::from(result.is_err()));
    if arguments.json {
        print(&outcome(&mut evaluator, &result))?;
        return Ok(code);
    }
    print_logs(&evaluator.take_logs());
    tell_help(&environment);
    match result {
        Ok(value) => print(&rendered(&value, arguments.render_as).trim_end_matches('\n'))?,
        Err(error) => report_error(error)?,
    }
    Ok(code)
}

/// Reports the error that ended an evaluation.
pub(crate) fn report_error(error: Error) -> Result<(), Failure> {
    let problem = Problem { diagnostic: error.into_diagnostic(), prefix: "", file: None };
    report(&[problem], ReportFormat::Text)
}

fn source(arguments: &EvalArguments) -> Result<Result<Arc<Source>, Error>, Failure> {
    if let Some(code) = &arguments.code {
        return Ok(Ok(Source::unnamed(code.as_str())));
    }
    match &arguments.file {
        Some(file) if file.as_os_str() != "-" && !file.exists() && is_code(file) => {
            Err(issues::code_as_file(&file.display().to_string()))
        }
        Some(file) if file.as_os_str() != "-" => Ok(input::read(file).source),
        _ => match input::standard_input()? {
            Some(input) => Ok(input.source),
            None => Err(issues::no_manifest()),
        },
    }
}

/// Tells whether what was given as a file can only be a program: `1 + 1`, `notice(1)`, `$x`.
fn is_code(file: &Path) -> bool {
    let text = file.to_string_lossy();
    let has_signs = text.contains(['(', '[', '{', '$', '+', '*', '|', '=', '"', '\'', ' ']);
    has_signs && hierarch_syntax::parse(&Source::unnamed(text.into_owned())).program.is_ok()
}

/// Writes a value in a format; without one, as the language would write it.
pub(crate) fn rendered(value: &Value, format: Option<RenderAs>) -> String {
    match format {
        None => value.program_text(),
        Some(RenderAs::Json) => value.to_json(),
        Some(RenderAs::Yaml) => value.to_yaml(),
        Some(RenderAs::S) => value.to_plain(),
    }
}

/// Makes the object that `--json` prints.
fn outcome(evaluator: &mut Evaluator, result: &Result<Value, Error>) -> Json {
    let mut object = Map::new();
    if let Ok(value) = result {
        object.insert("value".to_owned(), value.program_text().into());
        object.insert("type".to_owned(), infer::detailed(value).to_string().into());
    }
    let logs = evaluator
        .take_logs()
        .into_iter()
        .map(|log| json!({"level": log.level.name(), "message": log.message}));
    object.insert("logs".to_owned(), logs.collect());
    if !evaluator.help().is_empty() {
        object.insert("ruby_command".to_owned(), evaluator.help().iter().map(helped).collect());
    }
    if let Err(error) = result {
        object.insert("error".to_owned(), error.to_json());
    }
    Json::Object(object)
}

/// Says what a real Ruby ran, as catalogs do.
fn helped(help: &Help) -> Json {
    json!({"ran": help.what, "reason": help.reason, "calls": help.calls})
}

/// Answers line by line, so that a program can ask one question after the other.
fn batch(arguments: &EvalArguments) -> Result<ExitCode, Failure> {
    let environment = arguments.language.environment()?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::io("read", Path::new("standard input"), &error))?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Json>(&line) {
            Ok(request) => answer(arguments, &environment, &request)?,
            Err(error) => json!({"error": {"message": format!("this line is no JSON: {error}")}}),
        };
        writeln!(out, "{answer}").and_then(|()| out.flush())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(arguments: &EvalArguments, environment: &Environment, request: &Json) -> Result<Json, Failure> {
    let Some(code) = request.get("code").and_then(Json::as_str) else {
        return Ok(json!({"error": {"message": "this line has no `code`"}}));
    };
    let mut evaluator = arguments.language.evaluator(environment)?;
    if let Value::Hash(facts) = request.get("facts").map_or(Value::Undef, from_json) {
        evaluator.set_facts(Arc::unwrap_or_clone(facts));
    }
    for (name, value) in request.get("vars").and_then(Json::as_object).into_iter().flatten() {
        evaluator.set_variable(name, from_json(value));
    }
    let result = evaluator.evaluate(&Source::unnamed(code));
    Ok(outcome(&mut evaluator, &result))
}
