//! `hierarch yaml keys`: the tables of keys that `match` can name, to be read or copied.

use std::process::ExitCode;

use clap::Args;
use hierarch_compose::built_in_table;

use super::super::failure::Failure;
use super::super::report::print;
use super::Outcome;

#[derive(Args)]
pub(super) struct KeysArguments {
    /// The table: kubernetes or compose
    name: String,
}

pub(super) fn run(arguments: &KeysArguments) -> Outcome {
    let Some(text) = built_in_table(&arguments.name) else {
        let text = format!("there is no table '{}'; there are kubernetes and compose", arguments.name);
        return Err(Failure::new(text).into());
    };
    print(&text.trim_end_matches('\n'))?;
    Ok(ExitCode::SUCCESS)
}
