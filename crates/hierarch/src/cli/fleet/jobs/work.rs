//! `hierarch fleet work`: takes chunks of runs and answers them, with nothing but an object store.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use clap::Args;
use hierarch_jobs::{Counts, Objects, Run, Tree, Worker};
use hierarch_source::{Error, Files};
use hierarch_store::{Queue, TakenChunk};

use super::super::super::failure::Failure;
use super::super::super::issues;
use super::super::super::report::{print_text, warning_line};
use super::super::nodes::was_interrupted;
use super::super::objects;
use super::run::LARGEST;
use super::{engine, failed, open, queue, tables};

#[derive(Args)]
pub(super) struct WorkArguments {
    /// The object store that the runs are in
    #[arg(long, value_name = "URL")]
    objects: String,
    /// The PostgreSQL server that hands out the work
    #[arg(long, value_name = "postgres://…", conflicts_with_all = ["run", "index", "of"])]
    queue: Option<String>,
    /// End when nothing is left to do, instead of waiting for more
    #[arg(long, requires = "queue")]
    drain: bool,
    /// How many seconds a chunk is ours without a sign of life
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lease: u64,
    /// What this worker is called in `fleet status`; its machine and process without it
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// Without a queue: the run
    #[arg(long, value_name = "RUN", required_unless_present = "queue", requires = "of")]
    run: Option<String>,
    /// Without a queue: the number of this worker, from 0; $JOB_COMPLETION_INDEX without it, which Kubernetes sets for
    /// indexed Jobs
    #[arg(long, value_name = "N", requires = "run")]
    index: Option<usize>,
    /// Without a queue: how many workers there are
    #[arg(long, value_name = "N", requires = "run")]
    of: Option<usize>,
    /// How many bytes a repository may have
    #[arg(long, value_name = "BYTES", default_value_t = LARGEST)]
    max_tree_size: u64,
}

/// The variable by which Kubernetes tells workers apart.
const INDEX: &str = "JOB_COMPLETION_INDEX";
/// How long to wait before looking for work again, where nobody says that there is some.
const PACE: Duration = Duration::from_secs(1);
/// As many trees are kept in memory.
const TREES: usize = 2;

pub(super) fn run(arguments: &WorkArguments) -> Result<ExitCode, Failure> {
    let objects = objects::open(&arguments.objects)?;
    let mut bench = Bench { objects: &*objects, trees: HashMap::new(), most: arguments.max_tree_size };
    let counts = match &arguments.queue {
        Some(address) => arguments.take_turns(&mut bench, address)?,
        None => arguments.own_share(&mut bench)?,
    };
    print_text(&issues::worked(counts.found, counts.made))?;
    Ok(ExitCode::SUCCESS)
}

impl WorkArguments {
    /// Works on every chunk that is this worker's by its number.
    fn own_share(&self, bench: &mut Bench) -> Result<Counts, Failure> {
        let index = match self.index {
            Some(index) => index,
            None => {
                std::env::var(INDEX).ok().and_then(|text| text.parse().ok()).ok_or_else(issues::no_index)?
            }
        };
        let of = self.of.unwrap_or(1).max(1);
        if index >= of {
            return Err(issues::index_too_great(index, of));
        }
        let id = self.run.as_deref().unwrap_or_default();
        let run = Run::fetch(bench.objects, id, &engine()).map_err(failed)?;
        let mut counts = Counts::default();
        for number in (index..run.chunks).step_by(of) {
            if was_interrupted() {
                break;
            }
            if !run.has_part(bench.objects, number).map_err(failed)? {
                counts += bench.work(&run, number, || true).map_err(failed)?;
            }
        }
        Ok(counts)
    }

    /// Takes chunks from the queue until there are none, or for ever.
    fn take_turns(&self, bench: &mut Bench, address: &str) -> Result<Counts, Failure> {
        let lease = Duration::from_secs(self.lease);
        let worker = self.worker.clone().unwrap_or_else(name_of_process);
        let mut counts = Counts::default();
        let mut own = queue(address)?;
        loop {
            // A chunk that was begun is finished, so that nobody waits for its lease.
            if was_interrupted() {
                return Ok(counts);
            }
            match own.take(&worker, &engine(), lease).map_err(failed)? {
                Some(taken) => counts += self.one(bench, (&mut own, address), &worker, &taken)?,
                // What another worker has may come back.
                None if self.drain && own.busy().map_err(failed)?.is_empty() => return Ok(counts),
                None => own.wait(PACE).map_err(failed)?,
            }
        }
    }

    /// Works on a chunk while its lease is renewed.
    fn one(
        &self,
        bench: &mut Bench,
        (own, address): (&mut Queue, &str),
        worker: &str,
        taken: &TakenChunk,
    ) -> Result<Counts, Failure> {
        let lease = Duration::from_secs(self.lease);
        let is_ours = AtomicBool::new(true);
        let (done, is_done) = channel::<()>();
        let worked = std::thread::scope(|scope| {
            scope.spawn(|| {
                // TakenChunk along, so that it ends when the work does.
                let is_done = is_done;
                let Ok(mut second) = queue(address) else { return };
                while is_done.recv_timeout(lease / 3) == Err(RecvTimeoutError::Timeout) {
                    if matches!(second.renew(taken, worker, lease), Ok(false)) {
                        is_ours.store(false, Ordering::Relaxed);
                    }
                }
            });
            let worked = Run::fetch(bench.objects, &taken.run, &engine())
                .and_then(|run| bench.work(&run, taken.number, || is_ours.load(Ordering::Relaxed)));
            drop(done);
            worked
        });
        match worked {
            Ok(counts) if own.finish(taken, worker, (counts.found, counts.made)).map_err(failed)? => {
                Ok(counts)
            }
            Ok(_) => Ok(Counts::default()),
            Err(error) => {
                warning_line(&issues::chunk_failed(taken.number, &error.to_string()));
                own.fail(taken, worker, &error.to_string()).map_err(failed)?;
                Ok(Counts::default())
            }
        }
    }
}

fn name_of_process() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    format!("{}-{}", host.trim(), std::process::id())
}

/// What a worker has at hand.
struct Bench<'w> {
    objects: &'w dyn Objects,
    trees: HashMap<String, Arc<Tree>>,
    most: u64,
}

impl Bench<'_> {
    /// Answers a chunk and puts its part, unless it has become another's.
    fn work(&mut self, run: &Run, number: usize, is_ours: impl Fn() -> bool) -> Result<Counts, Error> {
        let tree = self.tree(&run.tree)?;
        let chunk = run.chunk(self.objects, number)?;
        let engine = engine();
        let opened = |files: Arc<dyn Files>| open(&tree, files);
        let worker = Worker {
            objects: self.objects,
            tree: Arc::clone(&tree),
            question: &run.question,
            engine: &engine,
            open: &opened,
        };
        let (text, failures, counts) = worker.work(&chunk)?;
        if is_ours() {
            // The table first: a part that is there has its table.
            if run.has_tables
                && let Some(bytes) = tables::made(run, &text)?
            {
                self.objects.put(&run.table_name(number), &bytes)?;
            }
            run.put_part(self.objects, number, (&text, &failures, counts))?;
        }
        Ok(counts)
    }

    fn tree(&mut self, id: &str) -> Result<Arc<Tree>, Error> {
        if let Some(tree) = self.trees.get(id) {
            return Ok(Arc::clone(tree));
        }
        if self.trees.len() >= TREES {
            self.trees.clear();
        }
        let tree = Arc::new(Tree::fetch(self.objects, id, self.most)?);
        self.trees.insert(id.to_owned(), Arc::clone(&tree));
        Ok(tree)
    }
}
