//! `hierarch manual`: the manual pages, with the texts of `--help`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command};

use super::failure::Failure;

#[derive(Args)]
pub(crate) struct ManualArguments {
    /// The folder that the pages are written to; it is made if it is not there
    folder: PathBuf,
}

pub(crate) fn run(arguments: &ManualArguments, command: Command) -> Result<ExitCode, Failure> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    clap_mangen::generate_to(command, folder).map_err(|error| Failure::io("write to", folder, &error))?;
    Ok(ExitCode::SUCCESS)
}
