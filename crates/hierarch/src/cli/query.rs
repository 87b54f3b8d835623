//! `hierarch query`: what an expression leads to in a document, or in each document of a stream.

use std::process::ExitCode;

use clap::Args;
use hierarch_pcore::Value;

use super::expressions::{DocumentArguments, Form, read_value, show};
use super::failure::{Failure, Stop};
use crate::cli::issues;

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

/// Runs the command. Of a stream the answers of all its documents are a list.
pub(crate) fn run(arguments: &QueryArguments) -> Result<ExitCode, Failure> {
    arguments.document.run(|| {
        let text = arguments.expression.trim();
        // A path may hold anything; a map announces itself, and a template is not a map.
        let is_map = text.starts_with('{') && !text.starts_with("{{") && !text.starts_with("{%");
        let expression = if is_map { read_value(text)? } else { Value::from(text) };
        let asked = arguments.document.open_all()?;
        let is_stream = asked.len() != 1;
        let mut answers = Vec::new();
        let mut attribute = None;
        for (expressions, context) in asked {
            let mut found = expressions.query(&expression, &context)?;
            // In an expression an instance that is not there is null; asked for by itself, it has no match.
            if let Some(name) = instance(text).filter(|_| found.all == [Value::Undef]) {
                found.all.clear();
                let path = Value::from(format!(".::{name}"));
                attribute =
                    attribute.or((!expressions.query(&path, &context)?.all.is_empty()).then_some(name));
            }
            if arguments.all {
                answers.extend(found.all);
            } else if !found.all.is_empty() {
                answers.push(found.one());
            }
        }
        let nothing = answers.is_empty();
        if nothing && !arguments.all {
            return Err(Stop::Absent(issues::no_match(text, attribute)));
        }
        let one = if is_stream || arguments.all { None } else { answers.pop() };
        show(
            &one.unwrap_or_else(|| Value::array(answers)),
            arguments.render_as,
            arguments.document.evaluation.reveal,
        )?;
        Ok(if nothing { ExitCode::from(super::report::NO_MATCH) } else { ExitCode::SUCCESS })
    })
}

/// The name in a path that is an instance and nothing more: `::web`.
fn instance(text: &str) -> Option<&str> {
    text.strip_prefix("::").filter(|name| !name.contains("::") && !name.is_empty())
}
