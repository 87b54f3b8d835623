//! CPU time of this thread and of programs run many times over, and memory.

use std::fs;
use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Returns the CPU time that this thread has used.
///
/// Read from `/proc`, because the standard library has no clock for it; so it works on Linux only.
pub fn thread_time() -> io::Result<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    nanoseconds
        .map(Duration::from_nanos)
        .ok_or_else(|| io::Error::other("no time in /proc/thread-self/schedstat"))
}

/// Returns the CPU time of one piece of work in the best of several groups of rounds: other work on the machine must not
/// count, and what it costs in caches as little as possible.
pub fn best_of(groups: usize, mut work: impl FnMut()) -> io::Result<Duration> {
    // The clock ticks every few milliseconds.
    const ENOUGH: Duration = Duration::from_millis(100);
    let mut best = Duration::MAX;
    for _ in 0..groups {
        let start = thread_time()?;
        let mut rounds = 0;
        while thread_time()?.saturating_sub(start) < ENOUGH {
            work();
            rounds += 1;
        }
        best = best.min(thread_time()?.saturating_sub(start) / rounds);
    }
    Ok(best)
}

/// Returns the most memory this process had, in kilobytes.
pub fn peak_kb() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    peak.ok_or_else(|| io::Error::other("no VmHWM in /proc/self/status"))
}

/// Returns the CPU time of one run of a program in milliseconds, averaged over many.
pub fn program_time(program: &str, arguments: &[String], runs: u32) -> io::Result<f64> {
    // Once more before the clock starts: files come from the cache afterwards.
    run(program, arguments)?;
    let before = children_time()?;
    for _ in 0..runs {
        run(program, arguments)?;
    }
    Ok(children_time()?.saturating_sub(before).as_secs_f64() * 1000.0 / f64::from(runs))
}

fn run(program: &str, arguments: &[String]) -> io::Result<()> {
    let silent = || Stdio::null();
    let status =
        Command::new(program).args(arguments).stdin(silent()).stdout(silent()).stderr(silent()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{program}: {status}"))) }
}

/// Returns the CPU time of all children that have ended, to a hundredth of a second.
fn children_time() -> io::Result<Duration> {
    const TICKS_PER_SECOND: u64 = 100;
    let text = fs::read_to_string("/proc/self/stat")?;
    // The second field is the program's name in parentheses and may contain spaces; counted is what follows.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    let (user, system) = (ticks(13), ticks(14));
    let ticks = user.zip(system).map(|(user, system)| user + system);
    let ticks = ticks.ok_or_else(|| io::Error::other("no times in /proc/self/stat"))?;
    Ok(Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_takes_time() {
        let before = thread_time().expect("on Linux");
        let sum = (0..1_000_000_u64).fold(0_u64, |sum, n| std::hint::black_box(sum ^ n));
        std::hint::black_box(sum);
        assert!(thread_time().expect("on Linux") > before);
    }

    #[test]
    fn a_program_that_works_takes_time_and_one_that_fails_is_an_error() {
        let work = ["-c".to_owned(), "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done".to_owned()];
        assert!(program_time("sh", &work, 3).expect("sh runs") > 1.0);
        assert!(program_time("sh", &["-c".to_owned(), "exit 3".to_owned()], 1).is_err());
    }
}
