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

/// As many nodes as one thread asks for a key before it goes on to the next key. What is known about the key is in the
/// processor's cache by then: to ask one node for all keys takes three times as long.
const TOGETHER: usize = 64;

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
        let reports: Result<Vec<Vec<Report>>, Failure> =
            some.par_chunks(TOGETHER).map(|nodes| reports(nodes, grounds, &style)).collect();
        for (offset, report) in reports?.iter().flatten().enumerate() {
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

fn reports(nodes: &[Node], grounds: &[Ground], style: &Style) -> Result<Vec<Report>, Failure> {
    let mut reports = Vec::with_capacity(nodes.len());
    for nodes in nodes.chunk_by(|a, b| a.environment == b.environment) {
        reports.extend(reports_of(nodes, &grounds[nodes[0].environment], style)?);
    }
    Ok(reports)
}

/// Asks nodes of one environment, key by key.
fn reports_of(nodes: &[Node], ground: &Ground, style: &Style) -> Result<Vec<Report>, Failure> {
    let hiera = ground.language.hiera();
    let scopes = nodes.iter().map(|node| node.scope(hiera)).collect::<Result<Vec<_>, _>>()?;
    let hosts: Vec<_> = scopes.iter().map(|scope| host_of(&ground.language, scope)).collect();
    let sessions: Vec<Session> = hosts.iter().map(|host| hiera.session(host)).collect();
    let mut writers: Vec<_> = nodes.iter().map(|node| style.node(&node.name)).collect();
    let mut complaints = vec![Vec::new(); nodes.len()];
    for asked in &ground.keys {
        let find = |session: &Session| answer(asked, session, ground, style);
        asked.survey.ask_all(&sessions, find, |number, answer| match answer {
            Answer::Missing => {}
            Answer::Text(text) => writers[number].add(text),
            Answer::Failed(why) => {
                complaints[number].push(format!("{}: {}: {why}", nodes[number].name, asked.key));
            }
        });
    }
    let reports = writers.into_iter().zip(complaints);
    Ok(reports.map(|(writer, complaints)| Report { text: writer.end(), complaints }).collect())
}

fn answer(asked: &Asked, session: &Session, ground: &Ground, style: &Style) -> Answer {
    let hiera = ground.language.hiera();
    style.answer(&asked.key, session, hiera).unwrap_or_else(|error| {
        let why = error.to_string();
        Answer::Failed(if style.shows_secrets { why } else { hiera.without_secrets(&why) })
    })
}
