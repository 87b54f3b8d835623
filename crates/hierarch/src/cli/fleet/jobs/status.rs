//! `hierarch fleet status`: how far runs are, and who works on what.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_pcore::Value;
use hierarch_store::{Busy, Progress};

use super::super::super::failure::Failure;
use super::super::super::report::print_text;
use super::{failed, queue};

#[derive(Args)]
pub(super) struct StatusArguments {
    /// The PostgreSQL server that hands out the work
    #[arg(long, value_name = "postgres://…")]
    queue: String,
    /// How to print
    #[arg(long, value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Json,
}

pub(super) fn run(arguments: &StatusArguments) -> Result<ExitCode, Failure> {
    let mut queue = queue(&arguments.queue)?;
    let (runs, busy) = (queue.runs().map_err(failed)?, queue.busy().map_err(failed)?);
    print_text(&match arguments.render_as {
        Form::Text => text(&runs, &busy),
        Form::Json => format!("{}\n", value(&runs, &busy).to_json()),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// As many characters of a run's id tell it from others.
const SHORT: usize = 12;

fn text(runs: &[Progress], busy: &[Busy]) -> String {
    let mut text = String::new();
    for run in runs {
        let id: String = run.run.chars().take(SHORT).collect();
        let _ = writeln!(
            text,
            "{id}  {}  {} of {} chunks done, {} taken, {} failed; {} nodes found, {} made",
            run.made_at,
            run.done,
            run.chunks(),
            run.taken,
            run.failed,
            run.found,
            run.made
        );
        for one in busy.iter().filter(|one| one.taken.run == run.run) {
            let (number, attempt) = (one.taken.number, one.taken.attempt);
            let _ =
                writeln!(text, "  {} has chunk {number} (attempt {attempt}) for {} s", one.worker, one.left);
        }
    }
    if runs.is_empty() { "there is no run\n".to_owned() } else { text }
}

fn value(runs: &[Progress], busy: &[Busy]) -> Value {
    let run = |run: &Progress| {
        let fields = [
            ("run", Value::from(run.run.as_str())),
            ("made_at", Value::from(run.made_at.as_str())),
            ("waiting", Value::from(run.waiting)),
            ("taken", Value::from(run.taken)),
            ("done", Value::from(run.done)),
            ("failed", Value::from(run.failed)),
            ("found", Value::from(run.found)),
            ("made", Value::from(run.made)),
        ];
        Value::hash(fields.into_iter().collect())
    };
    let worker = |one: &Busy| {
        let fields = [
            ("worker", Value::from(one.worker.as_str())),
            ("run", Value::from(one.taken.run.as_str())),
            ("chunk", Value::from(one.taken.number)),
            ("attempt", Value::from(i64::from(one.taken.attempt))),
            ("seconds_left", Value::from(one.left)),
        ];
        Value::hash(fields.into_iter().collect())
    };
    let fields = [
        ("format", Value::from("hierarch.fleet-status/1")),
        ("runs", Value::array(runs.iter().map(run).collect())),
        ("workers", Value::array(busy.iter().map(worker).collect())),
    ];
    Value::hash(fields.into_iter().collect())
}
