//! `hierarch dump`: all or many keys of one or many nodes.

mod complaints;
mod form;
mod keys;
mod nodes;

use std::io::{StdoutLock, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hierarch_hiera::Session;
use hierarch_site::{Dump, Node};
use rayon::prelude::*;

use self::complaints::Complaints;
use self::form::{Answer, Form, Style, Writer};
use self::keys::Gaps;
use self::nodes::{ListedNode, Nodes};
use super::arguments::{NodeArguments, SiteArguments};
use super::failure::Failure;
use super::fleet::nodes::PuppetdbArguments;
use super::progress::Progress;
use super::report::{NO_MATCH, warning_line};
use super::ruby::{RubyArguments, tell_help};

#[derive(Args, Clone)]
pub(crate) struct DumpArguments {
    /// The keys, `*` standing for anything; all if there are none
    #[arg(value_name = "KEY-GLOB")]
    keys: Vec<String>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    node: NodeArguments,
    #[command(flatten)]
    ruby: RubyArguments,
    /// Many nodes: a folder of fact files named after them, a list of `{node, facts | facts_file, environment?, trusted?}`,
    /// PuppetDB's answer to inventory, facts or factsets in a file, `puppetdb:https://host:8081`, `sqlite:FILE` or
    /// `postgres://…`; of two sources the later one counts. With --only or --where, without it: $HIERARCH_NODES, the store
    /// .hierarch/nodes.db, or the repository's folder `facts`
    #[arg(long, value_name = "SOURCE", conflicts_with = "node")]
    nodes: Vec<String>,
    /// Of many nodes only those whose names match, `*` standing for anything
    #[arg(long, value_name = "GLOB", conflicts_with = "node")]
    only: Vec<String>,
    /// Of many nodes only those for which a Puppet expression is true
    #[arg(long = "where", value_name = "EXPR", conflicts_with = "node")]
    condition: Option<String>,
    #[command(flatten)]
    puppetdb: PuppetdbArguments,
    /// A file with a key or a glob a line
    #[arg(long = "keys", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Yaml)]
    render_as: Form,
    /// Print the strategy of each key and where its values stand, too; the table always does
    #[arg(long)]
    origin: bool,
    /// Where Parquet goes: a folder, or a file that ends in .parquet
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Show decrypted values
    #[arg(long, alias = "reveal")]
    show_secrets: bool,
}

/// What one node answers.
struct Report {
    /// What is printed; none for a node of which nothing is known.
    text: Option<Vec<u8>>,
    /// Who and what could not be asked, and why.
    complaints: Vec<(String, Failure)>,
    has_answers: bool,
}

/// As many nodes at a time as keep memory small and all cores busy: up to so many threads ask, and one prints what was asked before.
const MOST_THREADS: usize = 4;

/// As many nodes as one thread asks for a key before it goes on to the next key: to ask one node for all keys takes three
/// times as long.
const TOGETHER: usize = 64;

/// What each thread has for nested lookups and calls: as much as the main thread.
const STACK: usize = 8 << 20;

pub(crate) fn run(arguments: &DumpArguments) -> Result<ExitCode, Failure> {
    arguments.ruby.check(&arguments.site)?;
    let arguments = &nodes::with_sources(arguments)?;
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    threads.map_err(|error| Failure::told(&error))?;
    if let Some(target) = form::target(arguments)? {
        return nodes::export(arguments, target);
    }
    let site = nodes::open(arguments)?;
    let nodes = Nodes::list(arguments, &site)?;
    let mut gaps = Gaps::default();
    let dumps = keys::find(arguments, &nodes, &mut gaps)?;
    let answers = dump(arguments, &nodes, &dumps)?;
    let is_done = answers.are_whole && gaps.complaints.is_empty();
    gaps.note_unmatched(&keys::wanted(arguments)?, &dumps, answers.are_any);
    gaps.notes.iter().for_each(|note| warning_line(note));
    gaps.complaints.values().for_each(|failure| failure.tell(""));
    for dump in &dumps {
        dump.environment().take_warnings().iter().for_each(|warning| warning_line(warning));
    }
    // All environments share what Ruby may do.
    dumps.iter().take(1).for_each(|dump| tell_help(dump.environment()));
    let is_for_nothing = gaps.has_unmatched && !answers.are_any;
    Ok(match is_done {
        true if is_for_nothing => ExitCode::from(NO_MATCH),
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// What came of asking all nodes.
struct Answers {
    /// Whether all nodes could be asked for all keys.
    are_whole: bool,
    /// Whether any node has any of the keys.
    are_any: bool,
}

/// Prints what all nodes answer.
fn dump(arguments: &DumpArguments, nodes: &Nodes, dumps: &[Dump<Answer>]) -> Result<Answers, Failure> {
    let style = Style::new(arguments, nodes, dumps);
    let mut progress = Progress::new("nodes", nodes.list.len());
    // Every node that needs a real Ruby has a process of its own for as long as it is asked.
    let together = if arguments.ruby.ruby_command.is_some() { 1 } else { TOGETHER };
    let ask = |some: &[ListedNode]| -> Vec<Report> {
        let reports = some.par_chunks(together).map(|some| reports(nodes, some, dumps, &style));
        reports.collect::<Vec<_>>().into_iter().flatten().collect()
    };
    let mut printer = Printer::new(&style);
    printer.out.write_all(style.head().as_bytes())?;
    let mut waiting = nodes.list.chunks(TOGETHER * rayon::current_num_threads().clamp(2, MOST_THREADS));
    let mut asked = waiting.next().map(ask).unwrap_or_default();
    while !asked.is_empty() {
        let (mut next, count) = (Vec::new(), asked.len());
        let printed = rayon::in_place_scope(|scope| {
            if let Some(some) = waiting.next() {
                scope.spawn(|_| next = ask(some));
            }
            printer.print(asked)
        });
        printed?;
        progress.advance(count);
        asked = next;
    }
    printer.out.write_all(style.tail(printer.count == 0).as_bytes())?;
    printer.out.flush()?;
    progress.end();
    printer.complaints.tell();
    Ok(Answers { are_whole: printer.complaints.is_empty(), are_any: printer.are_any })
}

/// Prints what nodes answer, in their order.
struct Printer<'s> {
    style: &'s Style,
    out: StdoutLock<'static>,
    complaints: Complaints,
    count: usize,
    are_any: bool,
}

impl<'s> Printer<'s> {
    fn new(style: &'s Style) -> Self {
        let complaints = Complaints::default();
        Self { style, out: std::io::stdout().lock(), complaints, count: 0, are_any: false }
    }

    fn print(&mut self, reports: Vec<Report>) -> std::io::Result<()> {
        for report in reports {
            report.complaints.into_iter().for_each(|(who, failure)| self.complaints.add(who, failure));
            self.are_any |= report.has_answers;
            let Some(text) = &report.text else { continue };
            self.out.write_all(self.style.between(self.count == 0).as_bytes())?;
            self.out.write_all(text)?;
            self.count += 1;
        }
        Ok(())
    }
}

fn reports(nodes: &Nodes, some: &[ListedNode], dumps: &[Dump<Answer>], style: &Style) -> Vec<Report> {
    let mut reports = Vec::with_capacity(some.len());
    for some in some.chunk_by(|a, b| a.environment == b.environment) {
        let mut found = Vec::with_capacity(some.len());
        for node in some {
            match nodes.find(node) {
                Ok(node) => found.push(node),
                // The others are asked all the same.
                Err(failure) => {
                    let complaints = vec![(node.name.clone(), failure)];
                    reports.push(Report { text: None, complaints, has_answers: false });
                }
            }
        }
        reports.extend(reports_of(&found, &dumps[some[0].environment], style));
    }
    reports
}

/// Asks nodes of one environment.
fn reports_of(nodes: &[Node], dump: &Dump<Answer>, style: &Style) -> Vec<Report> {
    let mut writers: Vec<_> = nodes.iter().map(|node| style.node(node.name())).collect();
    let mut complaints: Vec<Vec<_>> = nodes.iter().map(|_| Vec::new()).collect();
    let mut has_answers = false;
    let environment = dump.environment();
    let find = |session: &Session, key: &str| {
        let answer = style.answer(key, session, environment);
        answer.unwrap_or_else(|error| Answer::Failed(environment.shown_error(error)))
    };
    dump.ask(nodes, find, |number, key, answer| match answer {
        Answer::Missing => {}
        Answer::Text(text) => {
            has_answers = true;
            writers[number].add(text);
        }
        Answer::Failed(why) => {
            complaints[number].push((format!("{}: {key}", nodes[number].name()), why.clone().into()));
        }
    });
    let reports = writers.into_iter().zip(complaints);
    let report = |(writer, complaints): (Writer, _)| {
        let text = writer.end();
        style.make_room(text.len());
        Report { text: Some(text), complaints, has_answers }
    };
    reports.map(report).collect()
}
