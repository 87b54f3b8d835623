//! `hierarch hiera convert`: a version 3 hiera.yaml as version 5.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hierarch_hiera::config::convert;

use super::failure::Failure;
use super::report::{print_text, warning_line};

#[derive(Args)]
pub(crate) struct HieraArguments {
    #[command(subcommand)]
    command: HieraCommand,
}

#[derive(Subcommand)]
enum HieraCommand {
    /// Print the version 5 equivalent of a version 3 hiera.yaml
    Convert {
        /// The file
        #[arg(default_value = "hiera.yaml")]
        file: PathBuf,
    },
}

pub(crate) fn run(arguments: &HieraArguments) -> Result<ExitCode, Failure> {
    let HieraCommand::Convert { file } = &arguments.command;
    let text = super::input::text(file)?;
    let (new, remarks) = convert(&file.display().to_string(), &text).map_err(Failure::from)?;
    for remark in &remarks {
        warning_line(remark);
    }
    print_text(&new)?;
    Ok(ExitCode::SUCCESS)
}
