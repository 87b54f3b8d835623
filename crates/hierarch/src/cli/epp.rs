//! `hierarch epp render`, `validate` and `dump`, as `puppet epp` has them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hierarch_eval::{Evaluator, Hash, Value};
use hierarch_source::{Error, Source};

use super::failure::Failure;
use super::language::{LanguageArguments, on_large_stack, print_logs};
use super::parser::{DumpArguments, Language, ValidateArguments, dump_all, validate};
use super::report::{error_line, print_text};
use super::ruby::tell_help;
use super::{data, eval, input};
use crate::cli::issues;

#[derive(Args)]
pub(crate) struct EppArguments {
    #[command(subcommand)]
    command: EppCommand,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one, made when the program starts")]
enum EppCommand {
    /// Check templates: files, folders with all below them, or standard input
    Validate(ValidateArguments),
    /// Show the tree of templates
    Dump(DumpArguments),
    /// Print the text that templates give
    Render(RenderArguments),
}

#[derive(Args)]
struct RenderArguments {
    /// Templates: files, or `MODULE/FILE`; without any, standard input
    templates: Vec<String>,
    /// The template itself
    #[arg(short = 'e', value_name = "TEMPLATE", conflicts_with = "templates", allow_hyphen_values = true)]
    code: Option<String>,
    /// Parameters, a hash in the Puppet language
    #[arg(long, value_name = "HASH")]
    values: Option<String>,
    /// Parameters, a .yaml file, or a .pp file that ends with a hash
    #[arg(long = "values_file", value_name = "FILE")]
    values_file: Option<PathBuf>,
    /// Leave out the names of files between several results
    #[arg(long = "no-header")]
    no_header: bool,
    #[command(flatten)]
    language: LanguageArguments,
}

const TEMPLATES: Language = Language {
    extension: "epp",
    check: hierarch_syntax::check_epp,
    parse: hierarch_syntax::parse_epp,
    introduction: "",
    names_whole_paths: false,
    validates_dumps: true,
};

pub(crate) fn run(arguments: &EppArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        EppCommand::Validate(arguments) => {
            let code = validate(arguments, &TEMPLATES)?;
            if code != ExitCode::SUCCESS && arguments.format.is_for_people() {
                error_line(issues::EPP_NOT_VALID);
            }
            Ok(code)
        }
        EppCommand::Dump(arguments) => dump_all(arguments, &TEMPLATES),
        EppCommand::Render(arguments) => on_large_stack(|| render(arguments))?,
    }
}

fn render(arguments: &RenderArguments) -> Result<ExitCode, Failure> {
    let environment = arguments.language.environment()?;
    let mut evaluator = arguments.language.evaluator(&environment)?;
    let values = values(arguments, &mut evaluator)?;
    let mut output = String::new();
    let mut is_good = true;
    for (index, template) in templates(arguments)?.into_iter().enumerate() {
        let result = match &template {
            Template::Text(text) => evaluator.render_epp(text, values.as_ref()),
            Template::File(file) => evaluator.render_epp_file(file, values.as_ref()),
        };
        print_logs(&evaluator.take_logs());
        tell_help(&environment);
        match result {
            Ok(text) => {
                if let (Template::File(file), true) = (&template, arguments.has_headers()) {
                    let separator = if index == 0 { "" } else { "\n" };
                    output.push_str(&format!("{separator}--- {file}\n"));
                }
                output.push_str(&plain(&text));
            }
            Err(error) => {
                eval::report_error(error)?;
                is_good = false;
            }
        }
    }
    if !is_good {
        return Err(issues::epp_not_rendered());
    }
    print_text(&output)?;
    Ok(ExitCode::SUCCESS)
}

/// A rendered text is what was asked for, secrets in it included: it is about to become a file.
fn plain(text: &Value) -> String {
    match text {
        Value::Sensitive(secret) => secret.to_string(),
        other => other.to_string(),
    }
}

enum Template {
    Text(String),
    File(String),
}

impl RenderArguments {
    fn has_headers(&self) -> bool {
        self.templates.len() > 1 && !self.no_header
    }
}

fn templates(arguments: &RenderArguments) -> Result<Vec<Template>, Failure> {
    if let Some(code) = &arguments.code {
        return Ok(vec![Template::Text(code.clone())]);
    }
    if arguments.templates.is_empty() {
        let input = input::standard_input()?.ok_or_else(issues::no_epp_input)?;
        let source = input.source.map_err(Failure::from)?;
        return Ok(vec![Template::Text(source.text().to_owned())]);
    }
    Ok(arguments.templates.iter().map(|template| Template::File(absolute(template))).collect())
}

/// A file that is there is meant as it is; everything else is looked for in modules.
fn absolute(template: &str) -> String {
    match std::path::absolute(template) {
        Ok(path) if path.is_file() => path.display().to_string(),
        _ => template.to_owned(),
    }
}

fn values(arguments: &RenderArguments, evaluator: &mut Evaluator) -> Result<Option<Hash>, Failure> {
    let mut values = None;
    if let Some(file) = &arguments.values_file {
        values = match file.extension().and_then(|extension| extension.to_str()) {
            Some("yaml") => Some(data::read_map(file)?),
            Some("pp") => {
                let source = input::read(file).source;
                hash_of("--values_file", source.and_then(|source| evaluator.evaluate(&source)))?
            }
            _ => return Err(issues::bad_values_file()),
        };
    }
    if let Some(code) = &arguments.values {
        let more = hash_of("--values", evaluator.evaluate(&Source::new("values-hash", code.as_str())))?;
        match (&mut values, more) {
            (Some(values), Some(more)) => values.extend(more),
            (values @ None, more) => *values = more,
            _ => {}
        }
    }
    Ok(values)
}

fn hash_of(option: &str, result: Result<Value, Error>) -> Result<Option<Hash>, Failure> {
    match result {
        Ok(Value::Hash(hash)) => Ok(Some(std::sync::Arc::unwrap_or_clone(hash))),
        Ok(Value::Undef) => Ok(None),
        Ok(other) => {
            let got = hierarch_pcore::infer::generic(&other);
            Err(issues::not_a_hash(option, &got.to_string()))
        }
        Err(error) => Err(Failure::from(error)),
    }
}
