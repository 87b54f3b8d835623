//! The command line: one file per subcommand.
//!
//! Only this part of the workspace prints, reads arguments and standard input, and decides exit codes.

mod arguments;
mod catalog;
#[cfg(feature = "git")]
mod clones;
mod completions;
mod data;
mod doc;
mod doctor;
mod dump;
mod epp;
mod eval;
mod expressions;
mod eyaml;
mod failure;
mod fetch;
mod fleet;
mod foreign;
mod help;
mod hiera;
mod input;
mod issues;
mod language;
mod limits;
pub mod lookup;
mod lookup_hint;
mod machine;
mod manual;
mod notation;
mod on_demand;
mod overview;
mod parser;
mod progress;
mod puppet_settings;
mod query;
mod repl;
mod report;
mod repositories;
mod room;
mod ruby;
mod saving;
#[cfg(feature = "serve")]
mod serve;
mod set;
mod template;
mod version;
mod yaml;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hierarch_source::star;

use self::failure::Failure;
use self::on_demand::OnDemand;

/// Layered configuration: Hiera, the Puppet language and YAML merge directives, without Ruby.
#[derive(Parser)]
#[command(name = "hierarch", version = version::text(), propagate_version = true, max_term_width = 100)]
struct Cli {
    /// Run as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// A command that this build does not have, whatever it is given.
#[cfg(not(feature = "jobs"))]
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct AbsentCommand {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _given: Vec<OsString>,
}

#[derive(Subcommand)]
enum Command {
    /// Look a key up in layered data
    Lookup(OnDemand<lookup::LookupArguments>),
    /// Look up all or many keys of one or many nodes
    Dump(OnDemand<dump::DumpArguments>),
    /// Which nodes get which value of a key, and why
    Values(OnDemand<fleet::values::ValuesArguments>),
    /// The nodes for which a Puppet expression over facts and keys is true
    Where(OnDemand<fleet::condition::WhereArguments>),
    /// What a commit, a branch or the working tree changes, for whom, because of which line
    #[cfg(feature = "git")]
    Impact(OnDemand<fleet::impact::ImpactArguments>),
    /// Since when a node has a value: each commit that changed it, with the line that did
    #[cfg(feature = "git")]
    History(OnDemand<fleet::history::HistoryArguments>),
    /// Whether data fit the code, and what in them is likely not meant
    Check(OnDemand<fleet::check::CheckArguments>),
    /// What may be deleted, and how sure that is
    Unused(OnDemand<fleet::unused::UnusedArguments>),
    /// A JSON Schema of data files or of hiera.yaml, for editors
    Schema(OnDemand<fleet::schema::SchemaArguments>),
    /// Answer over HTTP: an API, Puppet's catalog endpoints, and a web explorer
    #[cfg(feature = "serve")]
    Serve(OnDemand<serve::ServeArguments>),
    /// Ask with SQL: nodes, facts, values, their leaves, and what revisions change
    #[cfg(feature = "store")]
    Sql(OnDemand<fleet::sql::SqlArguments>),
    /// Questions over many nodes, shared by many machines
    #[cfg(feature = "jobs")]
    Fleet(OnDemand<fleet::jobs::FleetCommand>),
    /// Questions over many nodes, which the released `hierarch-full` has
    #[cfg(not(feature = "jobs"))]
    #[command(hide = true)]
    Fleet(AbsentCommand),
    /// The store of nodes and their facts
    #[cfg(feature = "store")]
    Nodes(OnDemand<fleet::store::NodesCommand>),
    /// Write a key into the right data file
    Set(OnDemand<set::SetArguments>),
    /// Work on hiera.yaml
    Hiera(OnDemand<hiera::HieraArguments>),
    /// Make keys, encrypt and decrypt values
    Eyaml(OnDemand<eyaml::EyamlArguments>),
    /// Check and show manifests
    Parser(OnDemand<parser::ParserArguments>),
    /// Check and show EPP templates
    Epp(OnDemand<epp::EppArguments>),
    /// Run a manifest: logs to standard error, the value of the last expression to standard output
    Eval(OnDemand<eval::EvalArguments>),
    /// Type expressions, see values
    Repl(OnDemand<repl::ReplArguments>),
    /// Explain a function, type, resource type, class, setting, merge directive or filter
    Doc(OnDemand<doc::DocArguments>),
    /// Compile and compare catalogs
    Catalog(OnDemand<catalog::CatalogArguments>),
    /// List what in a repository cannot be evaluated
    Doctor(OnDemand<doctor::DoctorArguments>),
    /// Evaluate an expression over a document, or over each document of a stream
    Query(OnDemand<query::QueryArguments>),
    /// Render a Jinja2 template with a document's values
    Template(OnDemand<template::TemplateArguments>),
    /// Expand, ask and edit documents with merge directives
    Yaml(OnDemand<yaml::YamlArguments>),
    /// Print a script that completes commands, flags, nodes, keys and levels in a shell
    Completions(OnDemand<completions::CompletionsArguments>),
    /// Write the manual pages
    Manual(OnDemand<manual::ManualArguments>),
}

/// Runs the program and returns its exit code.
pub fn main() -> ExitCode {
    room::make();
    completions::answer_shell(command);
    let arguments = match puppet_settings::take(std::env::args_os().collect(), &mut Cli::command()) {
        Ok(arguments) => arguments,
        Err(failure) => return failure.end(),
    };
    let done = report::check_output().and_then(|()| match parse(&arguments) {
        Ok(cli) => run(cli),
        Err(error) => {
            // Help and version are "errors" too, for standard output and with exit code 0.
            error.print().and_then(|()| std::io::stdout().flush())?;
            Ok(ExitCode::from(u8::from(error.use_stderr())))
        }
    });
    done.and_then(|code| Ok(std::io::stdout().flush().map(|()| code)?))
        .unwrap_or_else(|failure| failure.end())
}

/// Reads the arguments. What they lack, and help, is said with all commands and examples in view.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let read = |command: clap::Command| {
        let mut matches = command.try_get_matches_from(arguments)?;
        Cli::from_arg_matches_mut(&mut matches)
    };
    read(Cli::command()).or_else(|error| match error.kind() {
        ErrorKind::DisplayVersion => Err(error),
        _ => read(command()),
    })
}

/// The whole command line, as help, completions and manual show it.
fn command() -> clap::Command {
    on_demand::make_all();
    help::with_examples(Cli::command())
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    if let Some(directory) = &cli.directory {
        std::env::set_current_dir(directory).map_err(|error| Failure::io("enter", directory, &error))?;
    }
    let Some(chosen) = cli.command else {
        return overview::run(|| command().render_help().to_string());
    };
    let code = run_command(chosen)?;
    // The answer was printed as far as it was known.
    Ok(if fleet::nodes::was_interrupted() { ExitCode::from(fleet::nodes::INTERRUPTED) } else { code })
}

fn run_command(chosen: Command) -> Result<ExitCode, Failure> {
    match chosen {
        Command::Lookup(arguments) => lookup::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
        Command::Values(arguments) => fleet::values::run(&arguments),
        Command::Where(arguments) => fleet::condition::run(&arguments),
        #[cfg(feature = "git")]
        Command::Impact(arguments) => fleet::impact::run(&arguments),
        #[cfg(feature = "git")]
        Command::History(arguments) => fleet::history::run(&arguments),
        Command::Check(arguments) => fleet::check::run(&arguments),
        Command::Unused(arguments) => fleet::unused::run(&arguments),
        Command::Schema(arguments) => fleet::schema::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(arguments.into_inner()),
        #[cfg(feature = "store")]
        Command::Sql(arguments) => fleet::sql::run(&arguments),
        #[cfg(feature = "jobs")]
        Command::Fleet(arguments) => fleet::jobs::run(&arguments),
        #[cfg(not(feature = "jobs"))]
        Command::Fleet(_) => Err(issues::without_jobs()),
        #[cfg(feature = "store")]
        Command::Nodes(arguments) => fleet::store::run(&arguments),
        Command::Set(arguments) => set::run(&arguments),
        Command::Hiera(arguments) => hiera::run(&arguments),
        Command::Eyaml(arguments) => eyaml::run(&arguments),
        Command::Parser(arguments) => parser::run(&arguments),
        Command::Epp(arguments) => epp::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Repl(arguments) => repl::run(&arguments),
        Command::Doc(arguments) => doc::run(&arguments),
        Command::Catalog(arguments) => catalog::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Query(arguments) => query::run(&arguments),
        Command::Template(arguments) => template::run(&arguments),
        Command::Yaml(arguments) => yaml::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, command()),
        Command::Manual(arguments) => manual::run(&arguments, command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
