//! `hierarch query`: what an expression leads to in a document.

use std::process::ExitCode;

use clap::Args;
use hierarch_pcore::Value;

use super::expressions::{self, DocumentArguments, Form, read_value, show};
use super::failure::Failure;
use super::report::error_line;

#[derive(Args)]
pub(crate) struct QueryArguments {
    /// The expression: a path such as ::web::port, or a map such as '{eval: {if: …}}'
    #[arg(value_name = "EXPR")]
    expression: String,
    #[command(flatten)]
    document: DocumentArguments,
    /// Print the list of all matches
    #[arg(long)]
    all: bool,
    #[arg(long, value_enum, default_value = "yaml", value_name = "FORM")]
    render_as: Form,
}

/// Runs the command: exit code 1 if nothing is found.
pub(crate) fn run(arguments: &QueryArguments) -> Result<ExitCode, Failure> {
    expressions::run(|| {
        let (expressions, context) = arguments.document.open()?;
        let text = arguments.expression.trim();
        // A path may hold anything; a map announces itself, and a template is no map.
        let is_map = text.starts_with('{') && !text.starts_with("{{") && !text.starts_with("{%");
        let expression = if is_map { read_value(text)? } else { Value::from(text) };
        let found = expressions.query(&expression, &context)?;
        let nothing = found.all.is_empty();
        let value = if arguments.all { Value::array(found.all) } else { found.one() };
        if arguments.all || !nothing {
            show(&value, arguments.render_as)?;
        } else {
            error_line(&format!("{text} has no match"));
        }
        Ok(if nothing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    })
}
