//! Live reload: changes of files make a new state, which takes the place of the old one whole.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::serve::Shared;
use crate::state::State;

/// So long nothing may happen before changes are taken for complete.
const QUIET: Duration = Duration::from_millis(40);
/// So many times quiet is waited for, while changes go on.
const PATIENCE: u32 = 4;

/// What wakes the reloader.
enum Wake {
    /// Something may have changed.
    Changed,
    /// The server ends.
    End,
}

/// Ends the reloading when it is dropped.
pub(crate) struct Reloader {
    sender: Sender<Wake>,
}

impl Drop for Reloader {
    fn drop(&mut self) {
        let _ = self.sender.send(Wake::End);
    }
}

impl Reloader {
    /// Asks for a reload, whether or not the system has told of a change.
    pub(crate) fn wake(&self) {
        let _ = self.sender.send(Wake::Changed);
    }

    /// Starts to watch the files of a server.
    pub(crate) fn start(shared: &Arc<Shared>) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let watching = FileWatch {
            shared: Arc::downgrade(shared),
            receiver,
            sender: sender.clone(),
            poll: shared.settings.poll,
            age: shared.program.nodes_age(),
            watcher: None,
        };
        std::thread::Builder::new().name("reloads".to_owned()).spawn(move || watching.run())?;
        Ok(Self { sender })
    }
}

struct FileWatch {
    shared: Weak<Shared>,
    receiver: Receiver<Wake>,
    sender: Sender<Wake>,
    poll: Option<Duration>,
    /// So long nodes are taken for true that come from a server.
    age: Option<Duration>,
    /// The watcher, and what the watched folders really are: a link that leads elsewhere has to be watched anew.
    watcher: Option<(RecommendedWatcher, Vec<PathBuf>)>,
}

impl FileWatch {
    fn run(mut self) {
        self.watch();
        loop {
            let wake = match self.poll.into_iter().chain(self.age).min() {
                Some(every) => self.receiver.recv_timeout(every),
                None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match wake {
                Ok(Wake::Changed) if self.settle() => {}
                Err(RecvTimeoutError::Timeout) => {}
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(shared) = self.shared.upgrade() else { return };
            reload(&shared);
            drop(shared);
            self.watch();
        }
    }

    /// Waits until nothing happens for a moment. Returns whether to go on.
    fn settle(&self) -> bool {
        for _ in 0..PATIENCE {
            match self.receiver.recv_timeout(QUIET) {
                Ok(Wake::Changed) => while matches!(self.receiver.try_recv(), Ok(Wake::Changed)) {},
                Ok(Wake::End) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        true
    }

    /// Watches the folders, anew if they are not the ones that are watched.
    fn watch(&mut self) {
        if self.poll.is_some() {
            return;
        }
        let Some(shared) = self.shared.upgrade() else { return };
        let folders: Vec<PathBuf> =
            shared.program.roots().into_iter().chain(shared.program.node_sources()).collect();
        let real: Vec<PathBuf> =
            folders.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
        if self.watcher.as_ref().is_some_and(|(_, watched)| *watched == real) {
            return;
        }
        match watcher(&folders, &real, self.sender.clone()) {
            Ok(watcher) => self.watcher = Some((watcher, real)),
            Err(error) => {
                // Without events, looking now and then is better than never.
                self.poll = Some(Duration::from_secs(2));
                shared
                    .program
                    .log(&format!("files cannot be watched ({error}); they are looked at every 2 s"));
            }
        }
    }
}

fn watcher(
    folders: &[PathBuf],
    real: &[PathBuf],
    sender: Sender<Wake>,
) -> notify::Result<RecommendedWatcher> {
    let told = move |event: notify::Result<Event>| {
        let matters = match &event {
            Ok(event) => {
                !matches!(event.kind, EventKind::Access(_)) && !event.paths.iter().all(|path| is_of_git(path))
            }
            Err(_) => true,
        };
        if matters {
            let _ = sender.send(Wake::Changed);
        }
    };
    let mut watcher = notify::recommended_watcher(told)?;
    for (folder, real) in folders.iter().zip(real) {
        let mode = if real.is_dir() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        if real.exists() {
            watcher.watch(real, mode)?;
        }
        // A folder that is swapped for another one, and a file that is replaced, are seen from above.
        if let Some(parent) = folder.parent().filter(|parent| parent.is_dir()) {
            watcher.watch(parent, RecursiveMode::NonRecursive)?;
        }
    }
    Ok(watcher)
}

fn is_of_git(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}

/// Makes a new state if anything differs, and puts it in the place of the old one.
pub(crate) fn reload(shared: &Arc<Shared>) {
    let _one = shared.reloading.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let before = shared.state();
    let state = State::load(shared, Some(&before));
    if !state.changed.is_empty() || state.nodes_stamp != before.nodes_stamp {
        shared.swap(state);
    }
}
