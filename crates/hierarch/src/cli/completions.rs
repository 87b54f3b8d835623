//! `hierarch completions`: scripts that complete commands and flags in a shell.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Command, ValueEnum};
use clap_complete::{Generator, Shell};
use clap_complete_nushell::Nushell;

use super::failure::Failure;

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
    std::io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: impl Generator, mut command: Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "hierarch", &mut script);
    script
}
