//! `hierarch fleet run`: a question over all nodes, handed to workers, and their answers joined.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use hierarch_jobs::{Kind, Objects, Question, Run, RunAnswer, Tree};
use hierarch_source::FileChange;
use hierarch_store::Queue;

use super::super::super::arguments::SiteArguments;
use super::super::super::failure::Failure;
use super::super::super::issues;
use super::super::super::progress::Progress;
use super::super::super::report::{error_line, note_line, print_text};
use super::super::super::saving::save_files;
use super::super::nodes::{NodesArguments, was_interrupted};
use super::super::objects;
use super::{engine, failed, queue, tables};

#[derive(Args)]
pub(super) struct RunArguments {
    /// The keys, `*` standing for anything; all if there are none
    #[arg(value_name = "KEY-GLOB")]
    keys: Vec<String>,
    /// What is asked of each node
    #[arg(long, value_enum, default_value_t = RunQuestion::Answers)]
    question: RunQuestion,
    /// The object store: `file:FOLDER`, a folder that all machines share
    #[arg(long, value_name = "URL")]
    objects: String,
    /// The PostgreSQL server that hands out the work; without it the run is made, and workers are told their share with
    /// `fleet work --index`
    #[arg(long, value_name = "postgres://…")]
    queue: Option<String>,
    /// Join the answers of a run that was made before
    #[arg(long, value_name = "RUN", conflicts_with_all = ["keys", "queue"])]
    collect: Option<String>,
    /// How many nodes a worker takes at once
    #[arg(long, value_name = "N", default_value_t = 64)]
    chunk: usize,
    /// How many bytes the repository may have
    #[arg(long, value_name = "BYTES", default_value_t = LARGEST)]
    max_tree_size: u64,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Form::Jsonl, conflicts_with = "collect")]
    render_as: Form,
    /// Where the answer goes, instead of standard output; for Parquet a folder, without which it stays in the object store
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A line of JSON for each answer
    Jsonl,
    /// Each worker also writes its part as Parquet
    Parquet,
}

/// As many bytes as a repository may have.
pub(super) const LARGEST: u64 = 1 << 30;
/// How long to wait before looking again, where nobody says that something happened.
const PACE: Duration = Duration::from_secs(1);
/// After so long without a worker it is said how one is started.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RunQuestion {
    /// The values of all keys: the lines of `dump --render-as jsonl`
    Answers,
    /// The catalog: a line `{node, catalog}`
    Catalogs,
}

pub(super) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let objects = objects::open(&arguments.objects)?;
    #[cfg(not(feature = "parquet"))]
    if arguments.render_as == Form::Parquet {
        return Err(issues::without_parquet());
    }
    if let Some(id) = &arguments.collect {
        let run = Run::fetch(&*objects, id, &engine()).map_err(failed)?;
        return arguments.end(&run, &*objects, &run.join(&*objects, &[]).map_err(failed)?);
    }
    let run = arguments.make(&*objects)?;
    let Some(address) = &arguments.queue else {
        print_text(&issues::run_made(&run.id, run.chunks, run.nodes))?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut queue = queue(address)?;
    queue.add(&run.id, &run.engine, run.chunks).map_err(failed)?;
    let is_missing = |number: &usize| matches!(run.has_part(&*objects, *number), Ok(false));
    let missing: Vec<usize> = (0..run.chunks).filter(is_missing).collect();
    queue.open_again(&run.id, &missing).map_err(failed)?;
    arguments.wait(&mut queue, &run)?;
    if was_interrupted() {
        note_line(&issues::run_goes_on(&run.id, &arguments.objects));
        return Ok(ExitCode::FAILURE);
    }
    let failures = queue.failures(&run.id).map_err(failed)?;
    arguments.end(&run, &*objects, &run.join(&*objects, &failures).map_err(failed)?)
}

impl RunArguments {
    /// Puts the tree, the facts and the question into the object store.
    fn make(&self, objects: &dyn Objects) -> Result<Run, Failure> {
        let site = self.nodes.open(&self.site)?;
        let nodes = self.nodes.read(&self.site, &site)?;
        let environment = site.environment();
        let folder = environment.folder().filter(|_| site.is_one_environment());
        let root = folder.ok_or_else(issues::fleet_needs_a_repository)?;
        let tree = Tree::read(&**site.files(), root, self.max_tree_size).map_err(failed)?;
        tree.store(objects).map_err(failed)?;
        let kind = match self.question {
            RunQuestion::Answers => Kind::Answers,
            RunQuestion::Catalogs => Kind::Catalogs,
        };
        let question = Question { kind, keys: self.keys.clone() };
        let question = (question, self.render_as == Form::Parquet);
        Run::make(objects, (tree.id(), &engine()), question, &nodes, self.chunk).map_err(failed)
    }

    /// Waits until all chunks are done or given up, or Ctrl-C ends the waiting.
    fn wait(&self, queue: &mut Queue, run: &Run) -> Result<(), Failure> {
        let mut bar = Progress::alone("chunks", run.chunks);
        let (begun, mut is_told) = (Instant::now(), false);
        loop {
            let progress = queue.progress(&run.id).map_err(failed)?;
            bar.reach(progress.done + progress.failed);
            if progress.is_over() || was_interrupted() {
                bar.end();
                return Ok(());
            }
            if !is_told && begun.elapsed() > PATIENCE && progress.taken + progress.done == 0 {
                is_told = true;
                note_line(&issues::no_workers(&self.objects));
            }
            queue.wait(PACE).map_err(failed)?;
        }
    }

    fn end(&self, run: &Run, objects: &dyn Objects, joined: &RunAnswer) -> Result<ExitCode, Failure> {
        match (&self.output, run.has_tables) {
            (Some(folder), true) => tables::collect(run, objects, folder)?,
            (None, true) => {
                print_text(&format!("{}/{}/\n", self.objects.trim_end_matches('/'), run.tables()))?
            }
            (Some(path), false) => write(path, joined.text.as_bytes())?,
            (None, false) => print_text(&joined.text)?,
        }
        joined.failures.iter().for_each(|failure| error_line(failure));
        let told = issues::run_done(run.nodes, joined.counts.found, joined.counts.made);
        writeln!(std::io::stderr(), "{told}")?;
        Ok(if joined.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Writes a file whole, for its owner alone: values may be sensitive.
pub(super) fn write(path: &std::path::Path, bytes: &[u8]) -> Result<(), Failure> {
    let old = std::fs::read(path).ok();
    let change = match &old {
        Some(old) => FileChange::replace(path, old, bytes),
        None => FileChange::create(path, bytes),
    };
    Ok(save_files(&[change.private()])?)
}
