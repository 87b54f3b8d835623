//! `hierarch manual`: the manual pages, with the texts of `--help`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;

use super::failure::Failure;

#[derive(Args)]
pub(crate) struct ManualArguments {
    /// The folder that the pages are written to; it is made if it is not there
    folder: PathBuf,
}

pub(crate) fn run(arguments: &ManualArguments, command: Command) -> Result<ExitCode, Failure> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write(command, folder).map_err(|error| Failure::io("write to", folder, &error))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command, and those of the commands below it.
fn write(mut command: Command, folder: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below.clone(), folder)?;
    }
    let usage = command.render_usage().to_string();
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = with_synopsis(&String::from_utf8_lossy(&page), &usage);
    std::fs::write(folder.join(man.get_filename()), page)
}

/// The line of usage that `--help` prints, in place of one that lists every flag without its value.
fn with_synopsis(page: &str, usage: &str) -> String {
    const TITLE: &str = ".SH SYNOPSIS\n";
    let Some((before, rest)) = page.split_once(TITLE) else { return page.to_owned() };
    let (_, after) = rest.split_once("\n.SH ").unwrap_or((rest, ""));
    let usage = usage.trim_start_matches("Usage:").trim().replace('-', "\\-");
    let lines: Vec<&str> = usage.lines().map(str::trim).collect();
    format!("{before}{TITLE}{}\n.SH {after}", lines.join("\n.br\n"))
}
