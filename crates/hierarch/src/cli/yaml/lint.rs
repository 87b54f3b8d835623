//! `hierarch yaml lint`: what in documents does nothing, leads nowhere, or means something else than it looks like.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hierarch_compose::lint;
use hierarch_source::Diagnostic;

use super::super::report::{NO_MATCH, Problem, ReportFormat, report};
use super::{Outcome, Reach, access, patterns};

#[derive(Args)]
pub(super) struct LintArguments {
    /// The documents; names and patterns such as 'data/**/*.yaml'
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say nothing about scalars that mean something else in YAML 1.1 than in 1.2
    #[arg(long)]
    allow_surprises: bool,
    /// How many values may be made to find out which directives do nothing; where that is not enough, it is said
    #[arg(long, value_name = "NUMBER", default_value_t = hierarch_compose::MOST_TRIED)]
    max_tried: usize,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &LintArguments, format: ReportFormat) -> Outcome {
    let web = arguments.reach.web();
    let (first, also) = arguments.files.split_at(1.min(arguments.files.len()));
    let inputs = patterns::inputs(&first[0], also, &arguments.reach)?;
    let mut found: Vec<Diagnostic> = Vec::new();
    for input in &inputs {
        let mut access = access(input, &arguments.reach, &web)?;
        access.most_tried = Some(arguments.max_tried);
        found.extend(lint(&input.files, &input.path, &access)?);
    }
    found.retain(|finding| !(arguments.allow_surprises && finding.code == "YAML_SURPRISING_SCALAR"));
    let failed = !found.is_empty();
    let problems: Vec<Problem> =
        found.into_iter().map(|diagnostic| Problem { diagnostic, prefix: "", file: None }).collect();
    report(&problems, format)?;
    Ok(if failed { ExitCode::from(NO_MATCH) } else { ExitCode::SUCCESS })
}
