//! `hierarch yaml keys`: the tables of keys that `match` can name, to be read or copied.

use std::process::ExitCode;

use clap::Args;
use hierarch_compose::built_in_table;

use super::super::issues;
use super::super::report::print;
use super::Outcome;

#[derive(Args)]
pub(super) struct KeysArguments {
    /// The table: kubernetes or compose
    name: String,
}

pub(super) fn run(arguments: &KeysArguments) -> Outcome {
    let Some(text) = built_in_table(&arguments.name) else {
        return Err(issues::no_such_table(&arguments.name).into());
    };
    print(&text.trim_end_matches('\n'))?;
    Ok(ExitCode::SUCCESS)
}
