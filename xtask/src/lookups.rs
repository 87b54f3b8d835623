//! How fast lookups are: warm, on one thread, over twelve levels that stand in memory.

use std::hint::black_box;
use std::io;

use hierarch_hiera::{Hiera, Query, Scope};
use hierarch_pcore::{Hash, Value};
use hierarch_source::MemoryFiles;

use crate::parser::measure;

/// Lookups per second of CPU time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// Keys that one file holds, without tokens.
    pub plain: f64,
    /// Keys with a token.
    pub interpolated: f64,
    /// Keys that eleven files hold, merged deeply.
    pub deep: f64,
    /// The same keys, each asked for the first time by a new session.
    pub first: f64,
}

const LEVELS: usize = 12;
const KEYS: usize = 500;

/// Measures.
pub fn bench() -> io::Result<Speed> {
    let hiera = Hiera::open(files(), "hiera.yaml");
    let mut scope = Scope::new();
    scope.set("facts", [("kernel", "Linux")].into_iter().collect::<Hash>());
    let keys = |kind: &str| (0..KEYS).map(|index| Query::new([format!("{kind}{index}")])).collect::<Vec<_>>();
    let deep: Vec<Query> =
        keys("deep").into_iter().map(|query| Query { merge: Some(Value::from("deep")), ..query }).collect();
    Ok(Speed {
        plain: rate(&hiera, &scope, &keys("plain"), 400)?,
        interpolated: rate(&hiera, &scope, &keys("text"), 400)?,
        deep: rate(&hiera, &scope, &deep, 400)?,
        first: first_rate(&hiera, &scope, &keys("plain"))?,
    })
}

fn files() -> MemoryFiles {
    let levels: String =
        (0..LEVELS).map(|level| format!("- {{name: L{level}, path: l{level}.yaml}}\n")).collect();
    let mut files = MemoryFiles::from([("hiera.yaml", format!("version: 5\nhierarchy:\n{levels}"))]);
    for level in 0..LEVELS {
        let mut text = String::new();
        for index in 0..KEYS {
            if index % LEVELS == level {
                text.extend([format!(
                    "plain{index}: value {index}\ntext{index}: \"on %{{facts.kernel}}\"\n"
                )]);
            }
            if level > 0 {
                text.extend([format!("deep{index}:\n  a{level}: {{b: [{index}]}}\n")]);
            }
        }
        files.insert(format!("data/l{level}.yaml"), text);
    }
    files
}

fn rate(hiera: &Hiera, scope: &Scope, queries: &[Query], rounds: usize) -> io::Result<f64> {
    let session = hiera.session(scope);
    let ask = |query: &Query| session.lookup(query, None).map_err(io::Error::other);
    queries.iter().try_for_each(|query| ask(query).map(|_| ()))?;
    let start = measure::thread_time()?;
    for _ in 0..rounds {
        for query in queries {
            black_box(ask(query)?);
        }
    }
    Ok((rounds * queries.len()) as f64 / measure::thread_time()?.saturating_sub(start).as_secs_f64())
}

/// Every session finds everything out anew, but files are read already.
fn first_rate(hiera: &Hiera, scope: &Scope, queries: &[Query]) -> io::Result<f64> {
    const ROUNDS: usize = 40;
    let start = measure::thread_time()?;
    for _ in 0..ROUNDS {
        let session = hiera.session(scope);
        for query in queries {
            black_box(session.lookup(query, None).map_err(io::Error::other)?);
        }
    }
    Ok((ROUNDS * queries.len()) as f64 / measure::thread_time()?.saturating_sub(start).as_secs_f64())
}
