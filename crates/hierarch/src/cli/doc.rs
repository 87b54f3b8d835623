//! `hierarch doc`: a function or type, explained.

use std::process::ExitCode;

use clap::Args;
use hierarch_functions::reference;
use hierarch_pcore::types::guide;

use super::failure::Failure;
use super::report::print;

#[derive(Args)]
pub(crate) struct DocArguments {
    /// The function or type; without it, all functions and types with a line on each
    name: Option<String>,
}

pub(crate) fn run(arguments: &DocArguments) -> Result<ExitCode, Failure> {
    let text = match &arguments.name {
        Some(name) => of_name(name).ok_or_else(|| unknown(name))?,
        None => format!("{}\n{}", reference::overview(), guide::overview()),
    };
    print(&text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Explains a function or type, if there is one of that name.
pub(crate) fn of_name(name: &str) -> Option<String> {
    reference::of(name).or_else(|| guide::of(name))
}

fn unknown(name: &str) -> Failure {
    let functions = hierarch_functions::registry().all().into_iter().map(|function| function.name);
    let near: Vec<&str> = functions.chain(guide::names()).filter(|known| is_near(name, known)).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    Failure::new(format!("There is no function or type '{name}'{hint}"))
}

fn is_near(name: &str, known: &str) -> bool {
    let (name, known) = (name.to_lowercase(), known.to_lowercase());
    name.len() > 2 && (known.contains(&name) || name.contains(&known))
}
