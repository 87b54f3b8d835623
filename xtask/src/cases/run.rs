//! Running cases: side by side, each on a thread of its own, so that a panic or a hang is one failure and not the end.

use std::any::Any;
use std::iter;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{Answer, Case, Judge, Verdict, judge_of};

/// No case needs a hundredth of this; one that does is a bug.
const TIME_LIMIT: Duration = Duration::from_secs(40);

/// As much stack as the main thread of a program has.
const STACK: usize = 8 << 20;

/// Judges all cases and returns the verdicts in their order.
pub fn run_all(cases: &[Case]) -> Vec<Verdict> {
    side_by_side(cases, judge)
}

/// Does the same with all cases, on all cores, and returns the results in their order.
pub fn side_by_side<T: Send>(cases: &[Case], work: impl Fn(&Case) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        let taken = iter::from_fn(|| take(cases, &next));
        taken.map(|(index, case)| (index, work(case))).collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'a>(cases: &'a [Case], next: &AtomicUsize) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    cases.get(index).map(|case| (index, case))
}

/// Judges one case.
pub fn judge(case: &Case) -> Verdict {
    match ask(case) {
        Ok((judge, answer)) => judge.compare(case, &answer),
        Err(why) => Verdict::Failed(why),
    }
}

/// Asks one case, and returns its judge with the answer, or why there is none.
pub fn ask(case: &Case) -> Result<(&'static dyn Judge, Answer), String> {
    if case.kind == "unreadable" {
        return Err(format!("this case cannot be read: {}", case.about));
    }
    let judge =
        judge_of(&case.kind).ok_or_else(|| format!("cases of kind `{}` are not supported yet", case.kind))?;
    Ok((judge, guarded(judge, case)?))
}

fn guarded(judge: &'static dyn Judge, case: &Case) -> Result<Answer, String> {
    let (sender, receiver) = mpsc::channel();
    let case = case.clone();
    let spawned = thread::Builder::new().stack_size(STACK).spawn(move || {
        let answer = panic::catch_unwind(AssertUnwindSafe(|| judge.ask(&case)))
            .map_err(|payload| format!("panicked: {}", panic_text(&*payload)));
        // Nobody listens any more when the time limit is over.
        let _ = sender.send(answer);
    });
    match spawned {
        // A thread that hangs cannot be stopped; it is left behind and ends with the program.
        Ok(_) => receiver
            .recv_timeout(TIME_LIMIT)
            .unwrap_or_else(|_| Err(format!("no answer after {} s", TIME_LIMIT.as_secs()))),
        Err(error) => Err(format!("no thread to run it on: {error}")),
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<String>() {
        return text.clone();
    }
    payload.downcast_ref::<&str>().map_or_else(|| "without a message".to_owned(), |text| (*text).to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use serde_json::Map;

    use super::*;

    struct Panics;

    impl Judge for Panics {
        fn kind(&self) -> &'static str {
            "panics"
        }

        fn decisive(&self, _: &Case) -> &'static [&'static str] {
            &[]
        }

        fn ask(&self, case: &Case) -> Answer {
            panic!("on {}", case.about)
        }

        fn compare(&self, _: &Case, _: &Answer) -> Verdict {
            Verdict::Passed
        }
    }

    fn case(kind: &str) -> Case {
        Case {
            file: PathBuf::from("a.jsonl"),
            at: "1".to_owned(),
            kind: kind.to_owned(),
            about: "this".to_owned(),
            fields: Map::new(),
            setting: Arc::default(),
        }
    }

    #[test]
    fn a_panic_is_a_failure_of_its_case() {
        assert_eq!(guarded(&Panics, &case("panics")), Err("panicked: on this".to_owned()));
    }

    #[test]
    fn a_kind_without_a_judge_fails_and_says_so() {
        let verdicts = run_all(&[case("no such kind"), case("unreadable")]);
        assert_eq!(verdicts[0], Verdict::failed("cases of kind `no such kind` are not supported yet"));
        assert_eq!(verdicts[1], Verdict::failed("this case cannot be read: this"));
    }
}
