//! `hierarch parser validate` and `hierarch parser dump`, as `puppet parser` has them.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use hierarch_eval::resource_types::METAPARAMETERS;
use hierarch_source::{Diagnostic, Error, Severity, Source};
use hierarch_syntax::ast::Expr;
use hierarch_syntax::{CheckedText, DumpFormat, MOST_REPORTED, ParseOutcome, Program, ValidateOptions, dump};
use rayon::prelude::*;
use serde_json::{Map, Value as Json, json};

use super::failure::Failure;
use super::input::{self, Input};
use super::report::{Problem, ReportFormat, error_line, print, report};
use crate::cli::issues;

#[derive(Args)]
pub(crate) struct ParserArguments {
    #[command(subcommand)]
    command: ParserCommand,
}

#[derive(Subcommand)]
enum ParserCommand {
    /// Check manifests: files, folders with all below them, or standard input
    Validate(ValidateArguments),
    /// Show the tree of manifests
    Dump(DumpArguments),
}

#[derive(Args)]
pub(crate) struct ValidateArguments {
    /// Files and folders; without any, standard input is read
    pub(crate) paths: Vec<PathBuf>,
    /// Check this text instead
    #[arg(
        short,
        long = "execute",
        value_name = "CODE",
        conflicts_with = "paths",
        allow_hyphen_values = true
    )]
    pub(crate) execute: Option<String>,
    /// How to report problems
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: ReportFormat,
    /// Report as Puppet does: `json` prints an object with one error per file
    #[arg(long = "render-as", value_name = "FORMAT", value_parser = ["json", "console"])]
    pub(crate) render_as: Option<String>,
    /// The folders of modules, separated by `:`; their files may hold only what belongs there
    #[arg(long, value_name = "PATH")]
    pub(crate) modulepath: Option<String>,
    /// Threads to use; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
}

#[derive(Args)]
pub(crate) struct DumpArguments {
    /// Files and folders; without any, standard input is read
    pub(crate) paths: Vec<PathBuf>,
    /// Show this text instead
    #[arg(
        short,
        long = "execute",
        alias = "e",
        value_name = "CODE",
        conflicts_with = "paths",
        allow_hyphen_values = true
    )]
    pub(crate) execute: Option<String>,
    /// How to write the tree
    #[arg(long, value_enum, default_value = "pn")]
    pub(crate) format: TreeFormat,
    /// Put every element on a line of its own
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Validate before showing
    #[arg(long, overrides_with = "no_validate")]
    pub(crate) validate: bool,
    /// Show even what does not validate
    #[arg(long, overrides_with = "validate")]
    pub(crate) no_validate: bool,
}

/// How a tree is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TreeFormat {
    /// Puppet's extended S-expressions
    Pn,
    /// The same as JSON
    Json,
    /// The notation that Puppet had before
    Old,
}

impl DumpArguments {
    pub(crate) fn dump_format(&self) -> DumpFormat {
        match (self.format, self.pretty) {
            (TreeFormat::Pn, false) => DumpFormat::Pn,
            (TreeFormat::Pn, true) => DumpFormat::PnPretty,
            (TreeFormat::Json, false) => DumpFormat::Json,
            (TreeFormat::Json, true) => DumpFormat::JsonPretty,
            (TreeFormat::Old, _) => DumpFormat::Old,
        }
    }
}

/// What manifests and templates differ in.
pub(crate) struct Language {
    pub(crate) extension: &'static str,
    pub(crate) check: fn(&Arc<Source>, &ValidateOptions) -> CheckedText,
    pub(crate) parse: fn(&Arc<Source>) -> ParseOutcome,
    /// Puppet's introduction of an error that ends a file.
    pub(crate) introduction: &'static str,
    /// Whether Puppet names files in messages by their whole paths.
    pub(crate) names_whole_paths: bool,
    /// Whether a dump validates unless told otherwise.
    pub(crate) validates_dumps: bool,
}

const MANIFESTS: Language = Language {
    extension: "pp",
    check: hierarch_syntax::check,
    parse: hierarch_syntax::parse,
    introduction: "Could not parse for environment production: ",
    names_whole_paths: true,
    validates_dumps: false,
};

pub(crate) fn run(arguments: &ParserArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        ParserCommand::Validate(arguments) => validate(arguments, &MANIFESTS),
        ParserCommand::Dump(arguments) => dump_all(arguments, &MANIFESTS),
    }
}

/// Checks all inputs, on all cores if there are several, and reports in the order of the inputs.
pub(crate) fn validate(arguments: &ValidateArguments, language: &Language) -> Result<ExitCode, Failure> {
    let (files, texts, missing) = inputs(&arguments.paths, arguments.execute.as_deref(), language)?;
    let options = ValidateOptions {
        modulepath: arguments.modulepath.iter().flat_map(std::env::split_paths).map(absolute).collect(),
        ..ValidateOptions::default()
    };
    // Puppet names manifests by their whole paths; a tool that annotates files wants them as they are in the repository.
    let as_puppet = arguments.render_as.is_some() || arguments.format.is_for_people();
    let read = if language.names_whole_paths && as_puppet { input::read_absolute } else { input::read };
    let mut outcomes: Vec<Outcome> = texts.iter().map(|input| outcome(input, &options, language)).collect();
    if let [only] = files.as_slice() {
        outcomes.push(outcome(&read(only), &options, language));
    } else if !files.is_empty() {
        let work = || files.par_iter().map(|file| outcome(&read(file), &options, language)).collect();
        let more: Vec<Outcome> = pool(arguments.jobs)?.install(work);
        outcomes.extend(more);
    }
    let failed = !missing.is_empty() || outcomes.iter().any(|outcome| outcome.failure.is_some());
    if arguments.render_as.as_deref() == Some("json") {
        if failed {
            print(&format_args!("{:#}", puppets_object(&outcomes, language)))?;
        }
    } else {
        report(&problems(outcomes, arguments.format, language), arguments.format)?;
    }
    report_missing(&missing);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

type Inputs = (Vec<PathBuf>, Option<Input>, Vec<PathBuf>);

fn inputs(paths: &[PathBuf], execute: Option<&str>, language: &Language) -> Result<Inputs, Failure> {
    if let Some(code) = execute {
        let input = Input { path: None, source: Ok(Source::unnamed(code)) };
        return Ok((Vec::new(), Some(input), Vec::new()));
    }
    if paths.is_empty() {
        let input = input::standard_input()?;
        let nothing = || issues::nothing_to_parse();
        return Ok((Vec::new(), Some(input.ok_or_else(nothing)?), Vec::new()));
    }
    let found = input::find(paths, language.extension)?;
    Ok((found.files, None, found.missing))
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Deep trees are walked by recursion; the threads get a stack to match.
fn pool(jobs: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK)
        .build()
        .map_err(|error| issues::no_threads(&error))
}

const STACK: usize = 16 << 20;

/// What checking one input gave.
struct Outcome {
    /// The file as it was given.
    given: Option<String>,
    /// The file as messages name it.
    file: Option<String>,
    /// Warnings and, where there are several errors, those: Puppet logs them while it reads.
    logged: Vec<Diagnostic>,
    /// The error that ends the file.
    failure: Option<Diagnostic>,
    /// Whether the failure only counts the logged errors.
    counts: bool,
}

fn outcome(input: &Input, options: &ValidateOptions, language: &Language) -> Outcome {
    let given = input.path.as_ref().map(|path| path.display().to_string());
    let source = match &input.source {
        Ok(source) => source,
        Err(error) => {
            let failure = Some(error.clone().into_diagnostic());
            return Outcome { file: given.clone(), given, logged: Vec::new(), failure, counts: false };
        }
    };
    let file = source.name().map(str::to_owned);
    let checked = (language.check)(source, options);
    let mut failure = checked.failure().map(hierarch_source::Error::into_diagnostic);
    let mut warnings = Vec::new();
    if let (None, Some(program)) = (&failure, &checked.program) {
        match reserved_parameters(program) {
            Ok(found) => warnings = found,
            Err(error) => failure = Some(error.into_diagnostic()),
        }
    }
    let counts = checked.errors().nth(1).is_some();
    let logs_errors = |diagnostic: &Diagnostic| counts || diagnostic.severity == Severity::Warning;
    let logged = checked.diagnostics.into_iter().filter(logs_errors).chain(warnings).collect();
    Outcome { given, file, logged, failure, counts }
}

/// Looks for parameters that have the name of a metaparameter, which the reference finds when it makes definitions known:
/// with a default they are odd, without one they are refused. It says neither where.
fn reserved_parameters(program: &Program) -> Result<Vec<Diagnostic>, Error> {
    let ast = &program.ast;
    let mut odd = Vec::new();
    for &id in &program.definitions {
        let (Expr::Class(definition) | Expr::Define(definition)) = ast.expr(id) else { continue };
        let definition = ast.definition(definition);
        for &parameter in ast.list(definition.parameters) {
            let Expr::Parameter { name, default, .. } = ast.expr(parameter) else { continue };
            let (name, owner) = (ast.text(name), ast.text(definition.name));
            match default {
                _ if !METAPARAMETERS.contains(&name) => {}
                None => return Err(hierarch_eval::issues::metaparameter_name(name, owner)),
                Some(_) => {
                    let message = hierarch_eval::issues::metaparameter_default(name, owner);
                    odd.push(Diagnostic::new(Severity::Warning, "", message));
                }
            }
        }
    }
    Ok(odd)
}

/// Puts problems in Puppet's order: first what it logs while reading, then the error that ends each file. Machines get
/// every problem once, file by file.
fn problems(outcomes: Vec<Outcome>, format: ReportFormat, language: &Language) -> Vec<Problem> {
    let as_puppet = format.is_for_people();
    let mut problems = Vec::new();
    let mut last = Vec::new();
    for outcome in outcomes {
        let Outcome { file, logged, failure, counts, .. } = outcome;
        let plain = |diagnostic: Diagnostic| {
            let file = file.clone().filter(|_| !as_puppet || has_place(&diagnostic));
            Problem { diagnostic, prefix: "", file }
        };
        if as_puppet {
            problems.extend(limited(logged).into_iter().map(plain));
        } else {
            problems.extend(logged.into_iter().map(plain));
        }
        match failure {
            Some(diagnostic) if !as_puppet && !counts => problems.push(plain(diagnostic)),
            Some(diagnostic) if as_puppet && (counts || !has_place(&diagnostic)) => {
                last.push(Problem { diagnostic, prefix: "", file: None });
            }
            Some(diagnostic) if as_puppet => {
                last.push(Problem { diagnostic, prefix: language.introduction, file: file.clone() });
            }
            _ => {}
        }
    }
    problems.extend(last);
    problems
}

/// Tells whether Puppet says where a problem is. What it finds when definitions are made known has neither a code nor a
/// place.
fn has_place(diagnostic: &Diagnostic) -> bool {
    !diagnostic.code.is_empty()
}

/// Keeps as many errors and as many warnings as Puppet reports of one file.
fn limited(logged: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let (mut errors, mut warnings) = (0, 0);
    let keep = |diagnostic: &Diagnostic| {
        let count = if diagnostic.severity == Severity::Error { &mut errors } else { &mut warnings };
        *count += 1;
        *count <= MOST_REPORTED
    };
    // Puppet logs the warnings of a file before its errors.
    let (mut kept, others): (Vec<_>, Vec<_>) =
        logged.into_iter().filter(keep).partition(|diagnostic| diagnostic.severity == Severity::Warning);
    kept.extend(others);
    kept
}

/// `--render-as json`: an object with the error of each file that has one.
fn puppets_object(outcomes: &[Outcome], language: &Language) -> Json {
    let failures = outcomes.iter().filter_map(|outcome| Some((outcome, outcome.failure.as_ref()?)));
    let entries = failures.map(|(outcome, failure)| {
        let (line, column) = failure.position().map_or((None, None), |(line, column)| (Some(line), column));
        let place = match (&failure.place, &outcome.file) {
            (None, Some(file)) => format!(" (file: {file})"),
            _ => String::new(),
        };
        let code = if failure.code.is_empty() { Json::Null } else { failure.code.into() };
        let error = json!({
            "issue_code": code,
            "message": failure.message,
            "full_message": format!("{}{failure}{place}", language.introduction),
            "file": outcome.file,
            "line": line,
            "pos": column,
        });
        (outcome.given.clone().unwrap_or_else(|| "STDIN".to_owned()), error)
    });
    Json::Object(entries.collect::<Map<_, _>>())
}

fn report_missing(missing: &[PathBuf]) {
    if !missing.is_empty() {
        error_line(&issues::files_do_not_exist(missing));
    }
}

/// Shows the trees of all inputs. As with Puppet, an error is reported and does not change the exit code.
pub(crate) fn dump_all(arguments: &DumpArguments, language: &Language) -> Result<ExitCode, Failure> {
    let (files, text, missing) = inputs(&arguments.paths, arguments.execute.as_deref(), language)?;
    let validates = if arguments.validate || arguments.no_validate {
        arguments.validate
    } else {
        language.validates_dumps
    };
    for input in text.into_iter().chain(files.iter().map(|file| input::read(file))) {
        dump_one(&input, arguments.dump_format(), validates, language)?;
    }
    report_missing(&missing);
    Ok(ExitCode::SUCCESS)
}

fn dump_one(input: &Input, format: DumpFormat, validates: bool, language: &Language) -> Result<(), Failure> {
    let header = input.path.as_ref().map(|path| format!("--- {}", path.display()));
    match tree(input, format, validates, language) {
        Ok(tree) => {
            header.iter().try_for_each(print)?;
            print(&tree)
        }
        Err(problems) => {
            if let Some(header) = &header {
                error_line(header);
            }
            report(&problems, ReportFormat::Text)
        }
    }
}

fn tree(
    input: &Input,
    format: DumpFormat,
    validates: bool,
    language: &Language,
) -> Result<String, Vec<Problem>> {
    let plain = |diagnostic| Problem { diagnostic, prefix: "", file: None };
    let source = input.source.as_ref().map_err(|error| vec![plain(error.clone().into_diagnostic())])?;
    if validates {
        let checked = (language.check)(source, &ValidateOptions::default());
        if checked.failure().is_some() {
            return Err(checked.diagnostics.into_iter().map(plain).collect());
        }
    }
    // The reference names the file only where it validates.
    let unnamed = (!validates).then(|| Source::unnamed(source.text()));
    match (language.parse)(unnamed.as_ref().unwrap_or(source)).program {
        Ok(program) => Ok(dump(&program, format)),
        Err(error) => Err(vec![plain(error.into_diagnostic())]),
    }
}
