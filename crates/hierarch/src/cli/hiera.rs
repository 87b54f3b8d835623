//! `hierarch hiera convert`: a version 3 hiera.yaml as version 5.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hierarch_hiera::config::convert;

use super::failure::Failure;
use super::report::warning_line;

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
    let text = std::fs::read_to_string(file).map_err(|error| Failure::io("read", file, &error))?;
    let (new, remarks) =
        convert(&file.display().to_string(), &text).map_err(|error| Failure::new(error.to_string()))?;
    for remark in &remarks {
        warning_line(remark);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(new.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
