//! `hierarch completions`: scripts that complete commands and flags in a shell; and, asked by a shell while a line is typed, the nodes,
//! keys, levels, environments and revisions of the control repository around.
//!
//! `source <(COMPLETE=bash hierarch)` makes a shell ask. A repository that is broken or not there completes nothing and says nothing.

use std::io::Write;
use std::process::ExitCode;

use clap::{Arg, Args, Command, ValueEnum};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::{CompleteEnv, Generator, Shell};
use clap_complete_nushell::Nushell;

use super::failure::Failure;
use super::overview::Overview;

#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: ShellName,
}

#[derive(Clone, Copy, ValueEnum)]
enum ShellName {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
    Nushell,
}

pub(crate) fn run(arguments: &CompletionsArguments, command: Command) -> Result<ExitCode, Failure> {
    let script = match arguments.shell {
        ShellName::Bash => script(Shell::Bash, command),
        ShellName::Zsh => script(Shell::Zsh, command),
        ShellName::Fish => script(Shell::Fish, command),
        ShellName::Powershell => script(Shell::PowerShell, command),
        ShellName::Elvish => script(Shell::Elvish, command),
        ShellName::Nushell => script(Nushell, command),
    };
    std::io::stdout().write_all(&script).and_then(|()| std::io::stdout().flush())?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: impl Generator, mut command: Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "hierarch", &mut script);
    script
}

/// Answers a shell that asks for completions, which ends the program; does nothing otherwise.
pub(crate) fn answer_shell(command: fn() -> Command) {
    CompleteEnv::with_factory(move || knowing_the_site(command())).complete();
}

/// Lets the words of a command line be completed by what the site holds, wherever they stand.
fn knowing_the_site(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    let command = command.mut_args(with_candidates);
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, knowing_the_site))
}

fn with_candidates(argument: Arg) -> Arg {
    let find: fn(&Overview) -> Vec<String> = match argument.get_id().as_str() {
        "node" => |site| site.nodes.clone(),
        "key" | "keys" => Overview::keys,
        "level" => Overview::levels,
        "environment" => Overview::environments,
        #[cfg(feature = "git")]
        "at" | "range" | "changed" => return argument.add(ArgValueCompleter::new(revisions)),
        _ => return argument,
    };
    argument.add(ArgValueCompleter::new(move |typed: &std::ffi::OsStr| candidates(typed, find)))
}

/// Completes the names of revisions; in `A..B` the second one.
#[cfg(feature = "git")]
fn revisions(typed: &std::ffi::OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let start = typed.rfind("..").map_or(0, |at| at + 2);
    let (before, begun) = typed.split_at(start);
    let here = hierarch_git::Repository::discover(std::path::Path::new("."));
    let names = here.map(|repository| repository.names()).unwrap_or_default();
    let fits = names.into_iter().filter(|name| name.starts_with(begun));
    fits.map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

fn candidates(typed: &std::ffi::OsStr, find: fn(&Overview) -> Vec<String>) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let site = Overview::open().ok().flatten();
    let words = site.map(|site| find(&site)).unwrap_or_default();
    words.into_iter().filter(|word| word.starts_with(typed)).map(CompletionCandidate::new).collect()
}
