//! `hierarch fleet run|work|status`: questions that many machines share.

mod run;
mod status;
mod tables;
mod work;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use hierarch_jobs::Tree;
use hierarch_site::{Limits, Root, Site};
use hierarch_source::{Error, Files};
use hierarch_store::Address;

use super::super::arguments::STACK;
use super::super::failure::Failure;
use super::super::issues;

#[derive(Args)]
pub(crate) struct FleetCommand {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Hand a question over all nodes to workers, and join their answers
    Run(Box<run::RunArguments>),
    /// Work on chunks of runs; needs neither git nor the repository
    Work(work::WorkArguments),
    /// How far runs are, and who works on what
    Status(status::StatusArguments),
}

pub(crate) fn run(command: &FleetCommand) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    match &command.command {
        Action::Run(arguments) => run::run(arguments),
        Action::Work(arguments) => work::run(arguments),
        Action::Status(arguments) => status::run(arguments),
    }
}

fn failed(error: Error) -> Failure {
    Failure::from(error)
}

/// Returns which build answers: results of another one are not taken.
fn engine() -> String {
    format!("hierarch {}", super::super::version::text())
}

/// Understands the address of the queue.
fn queue(text: &str) -> Result<hierarch_store::Queue, Failure> {
    let address = Address::parse(text).ok_or_else(|| issues::bad_queue(text))?;
    hierarch_store::Queue::open(&address).map_err(failed)
}

/// Opens a site on the files of a tree: no clock, no name of this machine, no variable of its environment, so that every
/// worker gives the same answer.
fn open(tree: &Tree, files: Arc<dyn Files>) -> Site {
    let root = Root::Repository(tree.root().display().to_string());
    Site::on(files).with_root(root).with_limits(Limits::default().with_stack_of(STACK)).build()
}
