//! `hierarch catalog`: what a node gets, and what a change does to it.

mod compare;
mod compile;
mod diff;
mod exported;
mod given;
mod side;

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
    /// Compile the catalog of a node and print it
    Compile(Box<compile::CompileArguments>),
    /// Compare two catalogs by resource and parameter; exits with 0: same, 1: failure, 2: differences
    Diff(Box<diff::DiffArguments>),
}

pub(crate) fn run(arguments: &CatalogArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        CatalogCommand::Compile(arguments) => compile::run(arguments),
        CatalogCommand::Diff(arguments) => diff::run(arguments),
    }
}
