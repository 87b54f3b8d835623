//! `hierarch dump`: all or many keys of one or many nodes.

mod form;
mod keys;
mod nodes;
mod progress;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hierarch_eval::Environment as Language;
use hierarch_hiera::{Session, Survey};
use rayon::prelude::*;

use self::form::{Answer, Form, Style};
use self::nodes::{Node, Nodes};
use self::progress::Progress;
use super::failure::Failure;
use super::report::{error_line, warning_line};
use super::world::{NodeArguments, WorldArguments, host_of};

#[derive(Args)]
pub(crate) struct DumpArguments {
    /// The keys, `*` standing for anything; all if there are none
    #[arg(value_name = "KEY-GLOB")]
    keys: Vec<String>,
    #[command(flatten)]
    world: WorldArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// Many nodes: a folder of fact files named after them, or a list of
    /// `{node, facts | facts_file, environment?, trusted?}` in YAML or JSON
    #[arg(long, value_name = "FILE|FOLDER", conflicts_with = "node")]
    nodes: Option<PathBuf>,
    /// A file with a key or a glob a line
    #[arg(long = "keys", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Form::Yaml)]
    render_as: Form,
    /// Print the strategy of each key and where its values stand, too; the table always does
    #[arg(long)]
    origin: bool,
    /// Show decrypted values
    #[arg(long)]
    show_secrets: bool,
}

/// An environment with the keys that are asked for in it.
struct Ground {
    language: Language,
    keys: Vec<Asked>,
}

/// A key, with the answers that are known already.
struct Asked {
    key: String,
    survey: Survey<Answer>,
}

/// What one node answers.
struct Report {
    text: Vec<u8>,
    complaints: Vec<String>,
}

/// As many nodes at a time as keep memory small and all cores busy.
const AT_ONCE: usize = 256;

/// What each thread has for nested lookups and calls: as much as the main thread.
const STACK: usize = 8 << 20;

pub(crate) fn run(arguments: &DumpArguments) -> Result<ExitCode, Failure> {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    threads.map_err(|error| Failure::new(error.to_string()))?;
    let nodes = Nodes::read(arguments)?;
    let mut grounds = Vec::new();
    for name in &nodes.environments {
        let language = arguments.world.open_language_of(name.as_deref())?;
        grounds.push(Ground { language, keys: Vec::new() });
    }
    keys::find(arguments, &nodes, &mut grounds)?;
    let is_done = dump(arguments, &nodes, &grounds)?;
    for hiera in grounds.iter().map(|ground| ground.language.hiera()) {
        for warning in hiera.log().take().into_iter().chain(hiera.log().take_our_own()) {
            warning_line(&if arguments.show_secrets { warning } else { hiera.without_secrets(&warning) });
        }
    }
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints what all nodes answer. Returns whether all could.
fn dump(arguments: &DumpArguments, nodes: &Nodes, grounds: &[Ground]) -> Result<bool, Failure> {
    let style = Style::new(arguments, nodes, grounds);
    let mut progress = Progress::new("nodes", nodes.list.len());
    let mut out = std::io::stdout().lock();
    let mut complaints = Vec::new();
    out.write_all(style.head().as_bytes())?;
    for (index, some) in nodes.list.chunks(AT_ONCE).enumerate() {
        let reports: Result<Vec<Report>, Failure> =
            some.par_iter().map(|node| report(node, &grounds[node.environment], &style)).collect();
        for (offset, report) in reports?.iter().enumerate() {
            let is_first = index + offset == 0;
            out.write_all(style.between(is_first).as_bytes())?;
            out.write_all(&report.text)?;
            complaints.extend_from_slice(&report.complaints);
        }
        progress.advance(some.len());
    }
    out.write_all(style.tail(nodes.list.is_empty()).as_bytes())?;
    out.flush()?;
    progress.end();
    complaints.iter().for_each(|complaint| error_line(complaint));
    Ok(complaints.is_empty())
}

fn report(node: &Node, ground: &Ground, style: &Style) -> Result<Report, Failure> {
    let hiera = ground.language.hiera();
    let scope = node.scope(hiera)?;
    let host = host_of(&ground.language, &scope);
    let session = hiera.session(&host);
    let mut report = Report { text: Vec::new(), complaints: Vec::new() };
    let mut writer = style.node(&node.name, &mut report.text);
    for asked in &ground.keys {
        let answer = asked.survey.ask(&session, |session| answer(asked, session, ground, style));
        match &*answer {
            Answer::Missing => {}
            Answer::Text(text) => writer.add(text),
            Answer::Failed(why) => report.complaints.push(format!("{}: {}: {why}", node.name, asked.key)),
        }
    }
    writer.end();
    Ok(report)
}

fn answer(asked: &Asked, session: &Session, ground: &Ground, style: &Style) -> Answer {
    let hiera = ground.language.hiera();
    style.answer(&asked.key, session, hiera).unwrap_or_else(|error| {
        let why = error.to_string();
        Answer::Failed(if style.shows_secrets { why } else { hiera.without_secrets(&why) })
    })
}
