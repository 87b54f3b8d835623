//! `hierarch completions`: scripts that complete commands and flags in a shell; and, asked by a shell while a line is typed, the nodes,
//! keys, levels, environments and revisions of the control repository around.
//!
//! `source <(hierarch completions bash)` makes a shell ask. A repository that is broken or not there completes nothing and says
//! nothing.

mod bash;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, Args, Command, ValueEnum};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use clap_complete::{CompleteEnv, Generator, Shell};
use clap_complete_nushell::Nushell;
use hierarch_fleet::CODES;

use self::bash::WholeWords;
use super::doc;
use super::failure::Failure;
use super::overview::Overview;

/// The shells that ask the program while a line is typed.
const ASKING: &[&dyn EnvCompleter] = &[&WholeWords, &Elvish, &Fish, &Powershell, &Zsh];

#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: ShellName,
    /// Only commands and flags, which are the same everywhere: the program is not asked for nodes, keys and the like
    #[arg(long = "static")]
    is_static: bool,
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
    let asking: Option<&dyn EnvCompleter> = match arguments.shell {
        _ if arguments.is_static => None,
        ShellName::Bash => Some(&WholeWords),
        ShellName::Zsh => Some(&Zsh),
        ShellName::Fish => Some(&Fish),
        ShellName::Powershell => Some(&Powershell),
        ShellName::Elvish => Some(&Elvish),
        ShellName::Nushell => None,
    };
    let mut script = Vec::new();
    match asking {
        Some(shell) => {
            shell.write_registration("COMPLETE", "hierarch", "hierarch", "hierarch", &mut script)?;
        }
        None => script = static_script(arguments.shell, command),
    }
    std::io::stdout().write_all(&script).and_then(|()| std::io::stdout().flush())?;
    Ok(ExitCode::SUCCESS)
}

fn static_script(shell: ShellName, command: Command) -> Vec<u8> {
    match shell {
        ShellName::Bash => script(Shell::Bash, command),
        ShellName::Zsh => script(Shell::Zsh, command),
        ShellName::Fish => script(Shell::Fish, command),
        ShellName::Powershell => script(Shell::PowerShell, command),
        ShellName::Elvish => script(Shell::Elvish, command),
        ShellName::Nushell => script(Nushell, command),
    }
}

fn script(shell: impl Generator, mut command: Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "hierarch", &mut script);
    script
}

/// Answers a shell that asks for completions, which ends the program; does nothing otherwise.
pub(crate) fn answer_shell(command: fn() -> Command) {
    if std::env::var_os("COMPLETE").is_some()
        && let Some(folder) = named_folder(std::env::args_os())
    {
        // A folder that cannot be entered completes nothing wrong: the command itself will say so.
        let _ = std::env::set_current_dir(folder);
    }
    CompleteEnv::with_factory(move || knowing_the_site(command())).shells(Shells(ASKING)).complete();
}

/// The folder that the line typed so far names with `-C`, the last of them if there are several. Words come behind a `--`.
fn named_folder(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.skip_while(|word| word != "--").skip(1);
    let mut folder = None;
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        } else if word == "-C" {
            folder = words.next().filter(|word| !word.is_empty()).map(PathBuf::from).or(folder);
        } else if let Some(joined) = word.to_str().and_then(|word| word.strip_prefix("-C")) {
            folder = Some(PathBuf::from(joined.strip_prefix('=').unwrap_or(joined)));
        }
    }
    folder
}

/// Lets the words of a command line be completed by what the site holds and the program knows, wherever they stand.
fn knowing_the_site(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    let own = command.get_name().to_owned();
    let command = command.mut_args(|argument| with_candidates(&own, argument));
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, knowing_the_site))
}

/// The forms of `lookup --render-as`. Puppet's words for one that it does not know are kept, so clap does not know them.
const FORMS: &[&str] = &["s", "json", "yaml", "console", "flat"];

fn with_candidates(command: &str, argument: Arg) -> Arg {
    let find: fn(&Overview) -> Vec<String> = match (command, argument.get_id().as_str()) {
        ("lookup", "render_as") => return argument.add(of_words(FORMS.to_vec())),
        ("check", "skip") => return argument.add(of_words(CODES.map(|code| code.name).to_vec())),
        ("check", "only") => {
            |site| CODES.iter().map(|code| code.name.to_owned()).chain(site.nodes.clone()).collect()
        }
        ("doc", "name") => |site| doc::names(site.environment()),
        (_, "node" | "only") => |site| site.nodes.clone(),
        (_, "key" | "keys") => Overview::keys,
        (_, "level") => Overview::levels,
        (_, "environment") => Overview::environments,
        #[cfg(feature = "git")]
        (_, "at" | "range" | "changed") => return argument.add(ArgValueCompleter::new(revisions)),
        _ => return argument,
    };
    argument.add(ArgValueCompleter::new(move |typed: &OsStr| candidates(typed, find)))
}

/// Completes words that are the same everywhere.
fn of_words(words: Vec<&'static str>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let fits = words.iter().filter(|word| typed.to_str().is_some_and(|typed| word.starts_with(typed)));
        fits.map(CompletionCandidate::new).collect()
    })
}

/// Completes the names of revisions; in `A..B` the second one.
#[cfg(feature = "git")]
fn revisions(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let start = typed.rfind("..").map_or(0, |at| at + 2);
    let (before, begun) = typed.split_at(start);
    let here = hierarch_git::Repository::discover(std::path::Path::new("."));
    let names = here.map(|repository| repository.names()).unwrap_or_default();
    let fits = names.into_iter().filter(|name| name.starts_with(begun));
    fits.map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

fn candidates(typed: &OsStr, find: fn(&Overview) -> Vec<String>) -> Vec<CompletionCandidate> {
    // Nothing of a site begins like a flag, and flags are known without looking at one.
    let Some(typed) = typed.to_str().filter(|typed| !typed.starts_with('-')) else { return Vec::new() };
    let site = Overview::open().ok().flatten();
    let words = site.map(|site| find(&site)).unwrap_or_default();
    words.into_iter().filter(|word| word.starts_with(typed)).map(CompletionCandidate::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_line_is_the_last_that_it_names() {
        for (line, folder) in [
            ("hierarch -- hierarch lookup --node web", None),
            ("hierarch -C outside -- hierarch lookup", None),
            ("hierarch -- hierarch -C repo lookup --node web", Some("repo")),
            ("hierarch -- hierarch lookup -Crepo --node web", Some("repo")),
            ("hierarch -- hierarch lookup -C=repo --node web", Some("repo")),
            ("hierarch -- hierarch -C one lookup -C two k", Some("two")),
            ("hierarch -- hierarch lookup -C", None),
            ("hierarch -- hierarch lookup -- -C repo", None),
        ] {
            let words = line.split(' ').map(OsString::from);
            assert_eq!(named_folder(words), folder.map(PathBuf::from), "{line}");
        }
    }
}
