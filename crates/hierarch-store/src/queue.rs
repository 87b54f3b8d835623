//! Chunks of work handed out by PostgreSQL: a chunk belongs to who took it for as long as the lease runs.
//!
//! A worker that is lost loses its lease, and another takes the chunk. Whoever comes back late finds that the chunk is not
//! its own any more, and drops what it made.

use std::time::Duration;

use fallible_iterator::FallibleIterator;
use hierarch_source::{Error, Result};
use postgres::{Client, NoTls};

use crate::address::Address;
use crate::issues;
use crate::postgres::told;

/// As many times a chunk is tried.
pub const ATTEMPTS: i32 = 5;

const MAKE: &str = "
create table if not exists run (id text primary key, made timestamptz not null default now(), chunks int not null, engine text not null);
create table if not exists chunk (run text references run, number int, state text not null default 'waiting', worker text,
    lease timestamptz, attempts int not null default 0, message text, found bigint, made bigint, primary key (run, number));
create index if not exists chunk_open on chunk (number) where state <> 'done';
";
/// Tables are made once, whoever comes first: others wait here.
const LOCK: &str = "select pg_advisory_xact_lock(7240196213)";

const PUT_RUN: &str = "insert into run (id, chunks, engine) values ($1, $2, $3) on conflict do nothing";
const PUT_CHUNKS: &str =
    "insert into chunk (run, number) select $1, generate_series(0, $2 - 1) on conflict do nothing";
/// What failed is tried again when it is asked for again.
const OPEN_AGAIN: &str =
    "update chunk set state = 'waiting', attempts = 0, message = null where run = $1 and state = 'failed'";
/// What is done is not done where its part is missing.
const MISSING: &str =
    "update chunk set state = 'waiting', attempts = 0 where run = $1 and state = 'done' and number = any($2)";

const TAKE: &str = "
update chunk c set state = 'taken', worker = $1, lease = now() + make_interval(secs => $2), attempts = attempts + 1
from (select k.run, k.number from chunk k join run r on r.id = k.run
      where r.engine = $4 and k.attempts < $3 and (k.state = 'waiting' or (k.state = 'taken' and k.lease < now()))
      order by r.made, k.number for update of k skip locked limit 1) open
where c.run = open.run and c.number = open.number returning c.run, c.number, c.attempts";
const RENEW: &str = "update chunk set lease = now() + make_interval(secs => $4)
where run = $1 and number = $2 and state = 'taken' and worker = $3";
const DONE: &str = "update chunk set state = 'done', found = $4, made = $5, message = null
where run = $1 and number = $2 and state = 'taken' and worker = $3";
const FAILED: &str =
    "update chunk set state = case when attempts < $5 then 'waiting' else 'failed' end, message = $4
where run = $1 and number = $2 and state = 'taken' and worker = $3";
/// The last attempt of a chunk may be lost with its worker.
const LOST: &str =
    "update chunk set state = 'failed', message = coalesce(message, 'its workers were lost, each time')
where run = $1 and state = 'taken' and attempts >= $2 and lease < now()";

const PROGRESS: &str =
    "select state, count(*), coalesce(sum(found), 0)::bigint, coalesce(sum(made), 0)::bigint
from chunk where run = $1 group by state";
const FAILURES: &str =
    "select number, coalesce(message, '') from chunk where run = $1 and state = 'failed' order by number";
const RUNS: &str = "select r.id, to_char(r.made at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),
    count(*) filter (where c.state = 'waiting'), count(*) filter (where c.state = 'taken'),
    count(*) filter (where c.state = 'done'), count(*) filter (where c.state = 'failed'),
    coalesce(sum(c.found), 0)::bigint, coalesce(sum(c.made), 0)::bigint
from run r join chunk c on c.run = r.id group by r.id, r.made order by r.made desc, r.id";
const WORKERS: &str = "select worker, run, number, attempts, extract(epoch from lease - now())::bigint
from chunk where state = 'taken' order by worker, number";

/// The queue.
pub struct Queue {
    client: Client,
    name: String,
}

/// A chunk that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenChunk {
    /// The run.
    pub run: String,
    /// The number of the chunk.
    pub number: usize,
    /// The how-manieth time it was taken.
    pub attempt: i32,
}

/// How far a run is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// The id of the run.
    pub run: String,
    /// Since when there is such a run.
    pub made_at: String,
    /// Chunks that nobody has taken.
    pub waiting: usize,
    /// Chunks that are worked on.
    pub taken: usize,
    /// Chunks that are done.
    pub done: usize,
    /// Chunks that failed for good.
    pub failed: usize,
    /// Nodes whose result was there.
    pub found: usize,
    /// Nodes that were asked.
    pub made: usize,
}

impl Progress {
    /// Counts the chunks.
    pub fn chunks(&self) -> usize {
        self.waiting + self.taken + self.done + self.failed
    }

    /// Tells whether nothing is left to do.
    pub fn is_over(&self) -> bool {
        self.waiting + self.taken == 0
    }
}

/// Who works on what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Busy {
    /// The worker.
    pub worker: String,
    /// The chunk.
    pub taken: TakenChunk,
    /// For so many seconds more it is the worker's own.
    pub left: i64,
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

impl Queue {
    /// Opens the queue on a server, and makes its tables where they are not.
    pub fn open(address: &Address) -> Result<Self> {
        let name = address.shown();
        let Address::Postgres(text) = address else { return Err(issues::no_queue(&name)) };
        let client = Client::connect(text, NoTls).map_err(|error| issues::failed(&name, &told(&error)))?;
        let mut queue = Self { client, name };
        queue.make()?;
        Ok(queue)
    }

    fn failed(&self, error: &postgres::Error) -> Error {
        issues::failed(&self.name, &told(error))
    }

    fn make(&mut self) -> Result<()> {
        let made = self.client.batch_execute(&format!("begin; {LOCK}; {MAKE} commit; listen hierarch"));
        made.map_err(|error| self.failed(&error))
    }

    /// Adds a run. What is done of an equal run stays done.
    pub fn add(&mut self, run: &str, engine: &str, chunks: usize) -> Result<()> {
        let count = i32::try_from(chunks).unwrap_or(i32::MAX);
        let mut put = || -> std::result::Result<(), postgres::Error> {
            let mut whole = self.client.transaction()?;
            whole.execute(PUT_RUN, &[&run, &count, &engine])?;
            whole.execute(PUT_CHUNKS, &[&run, &count])?;
            whole.execute(OPEN_AGAIN, &[&run])?;
            whole.batch_execute("notify hierarch")?;
            whole.commit()
        };
        put().map_err(|error| issues::failed(&self.name, &told(&error)))
    }

    /// Opens chunks of a run again that are done and whose parts are not there: an equal run may have been made elsewhere.
    pub fn open_again(&mut self, run: &str, missing: &[usize]) -> Result<()> {
        let numbers: Vec<i32> = missing.iter().filter_map(|number| i32::try_from(*number).ok()).collect();
        self.change(MISSING, &[&run, &numbers]).map(drop)
    }

    /// Takes a chunk of a run of the same build, if one is open.
    pub fn take(&mut self, worker: &str, engine: &str, lease: Duration) -> Result<Option<TakenChunk>> {
        let seconds = lease.as_secs_f64();
        let row = self.client.query_opt(TAKE, &[&worker, &seconds, &ATTEMPTS, &engine]);
        let row = row.map_err(|error| self.failed(&error))?;
        Ok(row.map(|row| TakenChunk {
            run: row.get(0),
            number: size(i64::from(row.get::<_, i32>(1))),
            attempt: row.get(2),
        }))
    }

    /// Renews a lease. Returns whether the chunk is still the worker's.
    pub fn renew(&mut self, taken: &TakenChunk, worker: &str, lease: Duration) -> Result<bool> {
        let seconds = lease.as_secs_f64();
        self.change(RENEW, &[&taken.run, &number(taken), &worker, &seconds])
    }

    /// Says that a chunk is done. Returns whether it was still the worker's; if not, what was made is dropped.
    pub fn finish(
        &mut self,
        taken: &TakenChunk,
        worker: &str,
        (found, made): (usize, usize),
    ) -> Result<bool> {
        let (found, made) = (found as i64, made as i64);
        let is_own = self.change(DONE, &[&taken.run, &number(taken), &worker, &found, &made])?;
        self.client.batch_execute("notify hierarch").map_err(|error| self.failed(&error))?;
        Ok(is_own)
    }

    /// Says that a chunk failed: it is tried again, up to a number of times.
    pub fn fail(&mut self, taken: &TakenChunk, worker: &str, message: &str) -> Result<bool> {
        self.change(FAILED, &[&taken.run, &number(taken), &worker, &message, &ATTEMPTS])
    }

    fn change(&mut self, sql: &str, parameters: &[&(dyn postgres::types::ToSql + Sync)]) -> Result<bool> {
        let changed = self.client.execute(sql, parameters);
        changed.map(|rows| rows > 0).map_err(|error| self.failed(&error))
    }

    /// Waits until something happens, at most for a time.
    pub fn wait(&mut self, most: Duration) -> Result<()> {
        let mut waited = || -> std::result::Result<(), postgres::Error> {
            let mut notifications = self.client.notifications();
            notifications.timeout_iter(most).next()?;
            // All that came meanwhile is one reason to look.
            let mut more = notifications.iter();
            while more.next()?.is_some() {}
            Ok(())
        };
        waited().map_err(|error| issues::failed(&self.name, &told(&error)))
    }

    /// Returns how far a run is, and gives up chunks whose last worker was lost.
    pub fn progress(&mut self, run: &str) -> Result<Progress> {
        self.change(LOST, &[&run, &ATTEMPTS])?;
        let rows = self.client.query(PROGRESS, &[&run]).map_err(|error| self.failed(&error))?;
        let mut progress = Progress { run: run.to_owned(), ..Progress::default() };
        for row in rows {
            let count = size(row.get(1));
            match row.get::<_, &str>(0) {
                "waiting" => progress.waiting = count,
                "taken" => progress.taken = count,
                "done" => progress.done = count,
                _ => progress.failed = count,
            }
            progress.found += size(row.get(2));
            progress.made += size(row.get(3));
        }
        Ok(progress)
    }

    /// Returns the chunks that failed for good, with their messages.
    pub fn failures(&mut self, run: &str) -> Result<Vec<(usize, String)>> {
        let rows = self.client.query(FAILURES, &[&run]).map_err(|error| self.failed(&error))?;
        Ok(rows.iter().map(|row| (size(i64::from(row.get::<_, i32>(0))), row.get(1))).collect())
    }

    /// Lists all runs, the newest first.
    pub fn runs(&mut self) -> Result<Vec<Progress>> {
        let rows = self.client.query(RUNS, &[]).map_err(|error| self.failed(&error))?;
        let run = |row: &postgres::Row| Progress {
            run: row.get(0),
            made_at: row.get(1),
            waiting: size(row.get(2)),
            taken: size(row.get(3)),
            done: size(row.get(4)),
            failed: size(row.get(5)),
            found: size(row.get(6)),
            made: size(row.get(7)),
        };
        Ok(rows.iter().map(run).collect())
    }

    /// Lists who works on what.
    pub fn busy(&mut self) -> Result<Vec<Busy>> {
        let rows = self.client.query(WORKERS, &[]).map_err(|error| self.failed(&error))?;
        let busy = |row: &postgres::Row| Busy {
            worker: row.get::<_, Option<String>>(0).unwrap_or_default(),
            taken: TakenChunk {
                run: row.get(1),
                number: size(i64::from(row.get::<_, i32>(2))),
                attempt: row.get(3),
            },
            left: row.get::<_, Option<i64>>(4).unwrap_or_default(),
        };
        Ok(rows.iter().map(busy).collect())
    }
}

fn number(taken: &TakenChunk) -> i32 {
    i32::try_from(taken.number).unwrap_or(i32::MAX)
}
