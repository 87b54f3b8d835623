//! `hierarch catalog`: what a node gets, and what a change does to it.

mod compare;
mod diff;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::failure::Failure;

#[derive(Args)]
pub(crate) struct CatalogArguments {
    #[command(subcommand)]
    command: CatalogCommand,
}

#[derive(Subcommand)]
enum CatalogCommand {
    /// Compare two catalogs by resource and parameter; exits with 0: same, 1: failure, 2: differences
    Diff(diff::DiffArguments),
}

pub(crate) fn run(arguments: &CatalogArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        CatalogCommand::Diff(arguments) => diff::run(arguments),
    }
}
