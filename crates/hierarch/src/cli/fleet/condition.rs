//! `hierarch where EXPR`: the nodes for which a Puppet expression is true.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_fleet::{Condition, Fleet, Holds, holds};
use hierarch_pcore::{Hash, Value};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::report::{NO_MATCH, error_line, print_text};
use super::form::csv_field;
use super::nodes::{NodesArguments, ask, hint, print_warnings, show_places, unanswered_text};

#[derive(Args)]
pub(crate) struct WhereArguments {
    /// A Puppet expression. A bare name with `::` means the value of that key; `$facts`, `$trusted`, `$environment`
    /// and `$node` are there, and `lookup('name')` asks for keys without `::`
    #[arg(value_name = "EXPR")]
    expression: String,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// Print what was asked for, too
    #[arg(long)]
    values: bool,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A name a line
    Text,
    /// One object
    Json,
    /// An object a line
    Jsonl,
    /// Columns: node, then the keys with --values
    Csv,
}

pub(crate) fn run(arguments: &WhereArguments) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    let condition = Condition::parse(&arguments.expression).map_err(Failure::from)?;
    let site = arguments.nodes.open(&arguments.site)?;
    let nodes = arguments.nodes.read(&arguments.site, &site)?;
    let answer = ask(&site, &nodes, arguments.nodes.compile, |fleet| holds(fleet, &condition));
    let keys: Vec<&str> = condition.keys().collect();
    print_text(&rendered(arguments, &answer, &keys))?;
    if arguments.render_as != Form::Json {
        let text = unanswered_text(&answer.unanswered, answer.asked);
        text.lines().for_each(|line| error_line(line.trim_start()));
    }
    show_places(&answer.unanswered);
    print_warnings(&site, &nodes, arguments.nodes.compile);
    let fleet = Fleet { compiles: arguments.nodes.compile, ..Fleet::new(&site, &nodes) };
    hint(&condition, &fleet, !answer.nodes.is_empty());
    let (has_some, is_whole) = (!answer.nodes.is_empty(), answer.unanswered.is_empty());
    Ok(if !is_whole && (arguments.nodes.fail_on_unanswered || !has_some) {
        ExitCode::FAILURE
    } else {
        ExitCode::from(if has_some { 0 } else { NO_MATCH })
    })
}

fn rendered(arguments: &WhereArguments, answer: &Holds, keys: &[&str]) -> String {
    let has_values = arguments.values;
    let pairs = |values: &[(String, Value)]| -> String {
        values.iter().map(|(key, value)| format!("  {key}={}", value.to_json())).collect()
    };
    match arguments.render_as {
        Form::Json => format!("{}\n", answer.to_value(&arguments.expression, has_values).to_json()),
        Form::Text => {
            let line = |(node, values): &(String, Vec<(String, Value)>)| {
                format!("{node}{}\n", if has_values { pairs(values) } else { String::new() })
            };
            answer.nodes.iter().map(line).collect()
        }
        Form::Jsonl => {
            let line = |(node, values): &(String, Vec<(String, Value)>)| {
                let mut line: Hash = [("node", node.as_str())].into_iter().collect();
                if has_values {
                    let values = values.iter().map(|(key, value)| (Value::from(key.as_str()), value.clone()));
                    line.insert("values", values.collect::<Hash>());
                }
                format!("{}\n", Value::hash(line).to_json())
            };
            answer.nodes.iter().map(line).collect()
        }
        Form::Csv => csv(answer, if has_values { keys } else { &[] }),
    }
}

fn csv(answer: &Holds, keys: &[&str]) -> String {
    let head: String = std::iter::once("node".to_owned())
        .chain(keys.iter().map(|key| format!(",{}", csv_field(key))))
        .collect();
    let row = |(node, values): &(String, Vec<(String, Value)>)| {
        let fields =
            values.iter().take(keys.len()).map(|(_, value)| format!(",{}", csv_field(&value.to_json())));
        format!("{}{}\n", csv_field(node), fields.collect::<String>())
    };
    let rows = answer.nodes.iter().map(row);
    std::iter::once(format!("{head}\n")).chain(rows).collect()
}
