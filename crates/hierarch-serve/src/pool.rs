//! The threads that answer, and the bounded queue before them.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// What each thread has for nested lookups and calls: as much as the main thread of a command.
const STACK: usize = 8 << 20;

/// Something to do.
type Work = Box<dyn FnOnce() + Send>;

/// Threads with a queue.
pub(crate) struct Pool {
    queue: Arc<Queue>,
    most: usize,
}

struct Queue {
    waiting: Mutex<QueuedWork>,
    changed: Condvar,
    running: AtomicUsize,
}

#[derive(Default)]
struct QueuedWork {
    work: VecDeque<Work>,
    is_closed: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The queue is full.
    Full,
    /// The work ended in a panic.
    Panicked,
}

impl Pool {
    /// Starts threads before which some questions may wait.
    pub(crate) fn start(threads: usize, most: usize) -> io::Result<Self> {
        let queue = Arc::new(Queue {
            waiting: Mutex::default(),
            changed: Condvar::new(),
            running: AtomicUsize::new(0),
        });
        for number in 0..threads.max(1) {
            let queue = Arc::clone(&queue);
            let thread = std::thread::Builder::new().name(format!("answers-{number}")).stack_size(STACK);
            thread.spawn(move || queue.run())?;
        }
        Ok(Self { queue, most })
    }

    /// Does something on one of the threads. If nobody waits for the answer any more when its turn comes, it is left.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            if !sender.is_closed() {
                // Nobody listens any more: then nobody misses the answer.
                let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
            }
        };
        {
            let mut waiting = self.queue.lock();
            if waiting.work.len() >= self.most {
                return Err(Refusal::Full);
            }
            waiting.work.push_back(Box::new(work));
        }
        self.queue.changed.notify_one();
        match receiver.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) | Err(_) => Err(Refusal::Panicked),
        }
    }

    /// Tells how many questions wait, and how many are being answered.
    pub(crate) fn depth(&self) -> (usize, usize) {
        (self.queue.lock().work.len(), self.queue.running.load(Ordering::Relaxed))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.lock().is_closed = true;
        self.queue.changed.notify_all();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueuedWork> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        while let Some(work) = self.next() {
            self.running.fetch_add(1, Ordering::Relaxed);
            work();
            self.running.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn next(&self) -> Option<Work> {
        let mut waiting = self.lock();
        loop {
            if let Some(work) = waiting.work.pop_front() {
                return Some(work);
            }
            if waiting.is_closed {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
    }

    #[test]
    fn work_is_done_and_a_full_queue_refuses() {
        let pool = Arc::new(Pool::start(1, 1).expect("threads"));
        runtime().block_on(async {
            assert_eq!(pool.ask(|| 6 * 7).await, Ok(42));
            let (started, has_started) = mpsc::channel();
            let (go, may_go) = mpsc::channel::<()>();
            let own = Arc::clone(&pool);
            let first = tokio::spawn(async move {
                own.ask(move || {
                    started.send(()).expect("the test waits");
                    may_go.recv().expect("the test says go");
                })
                .await
            });
            tokio::task::spawn_blocking(move || has_started.recv()).await.expect("joined").expect("started");
            let own = Arc::clone(&pool);
            let second = tokio::spawn(async move { own.ask(|| 1).await });
            while pool.depth().0 == 0 {
                tokio::task::yield_now().await;
            }
            assert_eq!(pool.ask(|| 2).await, Err(Refusal::Full));
            go.send(()).expect("the work waits");
            assert_eq!(first.await.expect("joined"), Ok(()));
            assert_eq!(second.await.expect("joined"), Ok(1));
        });
    }

    #[test]
    fn a_panic_is_an_answer_and_the_thread_lives_on() {
        let pool = Pool::start(1, 4).expect("threads");
        runtime().block_on(async {
            let failed: Result<(), _> = pool.ask(|| panic!("as the test wants")).await;
            assert_eq!(failed, Err(Refusal::Panicked));
            assert_eq!(pool.ask(|| 1).await, Ok(1));
        });
    }
}
