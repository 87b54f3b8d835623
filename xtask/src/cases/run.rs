//! Running cases: side by side, each on a thread of its own, so that a panic or a hang is one failure and not the end.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{Case, Judge, Verdict, judge_of};

/// No case needs a hundredth of this; one that does is a bug.
const TIME_LIMIT: Duration = Duration::from_secs(40);

/// As much stack as the main thread of a program has.
const STACK: usize = 8 << 20;

/// Judges all cases and returns the verdicts in their order.
pub fn run_all(cases: &[Case]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let verdicts: Mutex<Vec<Option<Verdict>>> = Mutex::new(vec![None; cases.len()]);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((index, case)) = take(cases, &next) {
                    let verdict = judge(case);
                    let mut verdicts = verdicts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    verdicts[index] = Some(verdict);
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    verdicts.into_iter().map(|verdict| verdict.unwrap_or_else(|| Verdict::failed("it was not run"))).collect()
}

fn take<'a>(cases: &'a [Case], next: &AtomicUsize) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    cases.get(index).map(|case| (index, case))
}

/// Judges one case.
pub fn judge(case: &Case) -> Verdict {
    if case.kind == "unreadable" {
        return Verdict::failed(format!("this case cannot be read: {}", case.about));
    }
    match judge_of(&case.kind) {
        Some(judge) => guarded(judge, case),
        None => Verdict::failed(format!("cases of kind `{}` are not supported yet", case.kind)),
    }
}

fn guarded(judge: &'static dyn Judge, case: &Case) -> Verdict {
    let (sender, receiver) = mpsc::channel();
    let case = case.clone();
    let spawned = thread::Builder::new().stack_size(STACK).spawn(move || {
        let verdict = panic::catch_unwind(AssertUnwindSafe(|| judge.judge(&case)))
            .unwrap_or_else(|payload| Verdict::failed(format!("panicked: {}", panic_text(&*payload))));
        // Nobody listens any more when the time limit is over.
        let _ = sender.send(verdict);
    });
    match spawned {
        // A thread that hangs cannot be stopped; it is left behind and ends with the program.
        Ok(_) => receiver
            .recv_timeout(TIME_LIMIT)
            .unwrap_or_else(|_| Verdict::failed(format!("no answer after {} s", TIME_LIMIT.as_secs()))),
        Err(error) => Verdict::failed(format!("no thread to run it on: {error}")),
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

        fn judge(&self, case: &Case) -> Verdict {
            panic!("on {}", case.about)
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
        assert_eq!(guarded(&Panics, &case("panics")), Verdict::failed("panicked: on this"));
    }

    #[test]
    fn a_kind_without_a_judge_fails_and_says_so() {
        let verdicts = run_all(&[case("no such kind"), case("unreadable")]);
        assert_eq!(verdicts[0], Verdict::failed("cases of kind `no such kind` are not supported yet"));
        assert_eq!(verdicts[1], Verdict::failed("this case cannot be read: this"));
    }
}
