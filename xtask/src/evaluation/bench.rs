//! How fast manifests are evaluated: warm, on one thread, parsing and lowering included as in Puppet's figure.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use hierarch_eval::ProgramLimits;
use hierarch_source::Source;

use super::site::bare;
use crate::measure::{self, peak_kb};

/// Room for deep recursion, as the command line gives it.
pub(super) const STACK: usize = 256 << 20;

/// What an evaluation costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// CPU time of the best of some rounds.
    pub time: Duration,
    /// The most memory this process had, in kilobytes.
    pub peak_kb: u64,
}

/// Measures the evaluation of a manifest.
pub fn bench(file: &Path) -> io::Result<Cost> {
    let text = fs::read_to_string(file)?;
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || best(&text))?;
    let time = worker.join().map_err(|_| io::Error::other("the evaluation panicked"))??;
    Ok(Cost { time, peak_kb: peak_kb()? })
}

/// Returns the time of one evaluation in the best of some rounds. The clock is coarse, so a round is many evaluations.
fn best(text: &str) -> io::Result<Duration> {
    const ROUNDS: usize = 3;
    const ENOUGH: Duration = Duration::from_millis(150);
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = measure::thread_time()?;
        let mut count = 0;
        while measure::thread_time()?.saturating_sub(start) < ENOUGH {
            evaluate(text)?;
            count += 1;
        }
        best = best.min(measure::thread_time()?.saturating_sub(start) / count);
    }
    Ok(best)
}

fn evaluate(text: &str) -> io::Result<()> {
    let environment = bare(ProgramLimits::default().with_stack_of(STACK), &[]);
    let result = environment.evaluator().evaluate(&Source::unnamed(text));
    result.map(drop).map_err(|error| io::Error::other(error.to_string()))
}
