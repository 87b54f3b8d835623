//! `hierarch yaml`: documents with merge directives, expanded, asked, edited, compared.

mod as_json;
mod ask;
mod blank;
mod change;
mod differ;
mod input;
mod into;
mod keys;
mod lint;
mod many;
mod merge;
mod merge_hiera;
mod patterns;
mod plain;
mod reach;
mod stream;
mod together;
mod wish;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use hierarch_compose::{Choice, Edit};

pub(crate) use self::reach::Schema;
use self::reach::{Reach, access};
use super::expressions::EvaluationArguments;
use super::failure::{Failure, Stop};
use super::report::{ReportFormat, finish};

#[derive(Args)]
pub(crate) struct YamlArguments {
    #[command(subcommand)]
    command: YamlCommand,
    /// How errors and findings are reported [default: full; of lint, text]
    #[arg(long, global = true, value_enum, value_name = "FORMAT")]
    format: Option<ReportFormat>,
}

#[derive(Subcommand)]
enum YamlCommand {
    /// Show a document with its merge directives carried out
    Expand(Box<ExpandArguments>),
    /// Rewrite a document so that it expands to other data, its directives restored
    Update(UpdateArguments),
    /// Show one value of the expanded document
    Get(GetArguments),
    /// Set values of the expanded document; nothing else in the file changes
    Set(SetArguments),
    /// Insert keys or list items that are not there yet; the items behind them move up
    Insert(SetArguments),
    /// Give entries another key, in the same place
    Rename(RenameArguments),
    /// Delete values of the expanded document
    Delete(DeleteArguments),
    /// Compare what two documents expand to
    Diff(DiffArguments),
    /// Lay documents over each other, later ones over earlier ones
    Merge(merge::MergeArguments),
    /// Find directives that do nothing or lead nowhere, repeated keys and surprising scalars
    Lint(lint::LintArguments),
    /// Print a table of keys by which lists of well-known documents are merged
    Keys(keys::KeysArguments),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Yaml,
    Json,
    /// Text: a scalar without quotes
    S,
}

#[derive(Args)]
struct ExpandArguments {
    /// The document, - for standard input, or a pattern of several
    file: PathBuf,
    /// Show for every value where it is written and the directives it came through
    #[arg(long)]
    explain: bool,
    /// The document of a stream: a position from 0, -1 for the last, what it must say (kind=Service) [default: all]
    #[arg(long, value_name = "WHICH", allow_hyphen_values = true)]
    document: Option<String>,
    /// Evaluate the expressions and templates in it, too
    #[arg(long, conflicts_with = "explain")]
    evaluate: bool,
    #[arg(long, value_enum, default_value = "yaml", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

#[derive(Args)]
struct UpdateArguments {
    /// The document, or - for standard input: then the new text goes to standard output
    file: PathBuf,
    /// What it shall expand to: a YAML or JSON file, or - for standard input
    #[arg(long, value_name = "NEW")]
    to: PathBuf,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

/// Whether directives count.
#[derive(Args, Clone)]
struct Plain {
    /// Every key is data: nothing is expanded, and the top may be a list
    #[arg(long)]
    plain: bool,
    /// The document of a stream: a position from 0, -1 for the last, what it must say (kind=Service,metadata.name=web),
    /// * for all [default: all; to write, the one that is meant; with --plain, the first]
    #[arg(long, value_name = "WHICH", allow_hyphen_values = true)]
    document: Option<String>,
}

impl Plain {
    /// Reads which documents are meant.
    fn choice(&self) -> Result<Option<Choice>, Stop> {
        Ok(self.document.as_deref().map(Choice::parse).transpose()?)
    }
}

/// How a change is written.
#[derive(Args, Clone)]
struct WriteArguments {
    #[command(flatten)]
    plain: Plain,
    /// Change values where they are defined, in included files too, not where they are used
    #[arg(long, conflicts_with = "plain")]
    into: bool,
    /// Show the new text instead of writing it; of several files, the differences
    #[arg(long)]
    dry_run: bool,
    /// Show the differences instead of writing
    #[arg(long)]
    diff: bool,
    /// Write nothing; the exit code is 2 if something would change
    #[arg(long)]
    check: bool,
    /// Make the same edits in more files; names and patterns such as 'k8s/**/*.yaml'
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
}

#[derive(Args)]
struct GetArguments {
    /// The document, - for standard input, or a pattern of several
    file: PathBuf,
    /// A JSON Pointer or a selector: /a/b/0, /spec/containers/[name=app]/image, /**/image
    path: String,
    /// Ask more files, too; names and patterns such as 'k8s/**/*.yaml'
    #[arg(long, value_name = "FILE", conflicts_with = "plain")]
    also: Vec<PathBuf>,
    #[command(flatten)]
    plain: Plain,
    #[arg(long, value_enum, default_value = "yaml", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct SetArguments {
    /// The document, - for standard input, or a pattern of several
    file: PathBuf,
    /// JSON Pointers or selectors with their new values, read as YAML: /a/b 5 /list/- new /**/tag 2
    #[arg(required = true, num_args = 1.., value_name = "PATH VALUE", allow_negative_numbers = true)]
    edits: Vec<String>,
    /// The values are texts as they stand, not YAML
    #[arg(long, conflicts_with = "from_file")]
    string: bool,
    /// The values are names of files, or - for standard input, whose contents are the texts
    #[arg(long)]
    from_file: bool,
    /// Make the maps that are missing on the way
    #[arg(long)]
    parents: bool,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct RenameArguments {
    /// The document, - for standard input, or a pattern of several
    file: PathBuf,
    /// JSON Pointers or selectors with the new last key: /a/b c
    #[arg(required = true, num_args = 1.., value_name = "PATH KEY")]
    edits: Vec<String>,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct DeleteArguments {
    /// The document, - for standard input, or a pattern of several
    file: PathBuf,
    /// JSON Pointers or selectors: /a/b/0
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct DiffArguments {
    /// One document; one of the two may be - for standard input
    old: PathBuf,
    /// The other
    new: PathBuf,
    #[arg(long, value_enum, default_value = "s", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
}

type Outcome = Result<ExitCode, Stop>;

/// Runs a subcommand.
pub(crate) fn run(arguments: &YamlArguments) -> Result<ExitCode, Failure> {
    let usual = if matches!(arguments.command, YamlCommand::Lint(_)) {
        ReportFormat::Text
    } else {
        ReportFormat::Full
    };
    let format = arguments.format.unwrap_or(usual);
    let outcome = match &arguments.command {
        YamlCommand::Expand(arguments) => ask::expand(arguments),
        YamlCommand::Update(arguments) => change::update(arguments),
        YamlCommand::Get(arguments) => ask::get(arguments),
        YamlCommand::Set(arguments) => change::set(arguments, Edit::Set),
        YamlCommand::Insert(arguments) => change::set(arguments, Edit::Insert),
        YamlCommand::Rename(arguments) => change::rename(arguments),
        YamlCommand::Delete(arguments) => change::delete(arguments),
        YamlCommand::Diff(arguments) => differ::diff(arguments),
        YamlCommand::Keys(arguments) => keys::run(arguments),
        YamlCommand::Lint(arguments) => lint::run(arguments, format),
        YamlCommand::Merge(arguments) => merge::run(arguments),
    };
    finish(outcome, format)
}
