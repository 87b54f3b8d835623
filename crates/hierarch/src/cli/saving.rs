//! Saves of all commands: whole or not at all, and nothing left behind when a signal ends the program.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use hierarch_source::{Drafts, Error, FileChange, NotSaved, Saver};

use super::failure::{Failure, Stop};
use super::report::warning_line;
use crate::cli::issues;

/// Old and new text by file; no old text for a file that is not there yet.
pub(crate) type ChangedFiles = BTreeMap<PathBuf, (Option<String>, String)>;

/// How often an edit is made again on what another writer left.
const TRIES: usize = 100;

/// So many files a save has open for each that it writes: the old one and the draft, both locked.
const OPEN_FOR_EACH: usize = 2;

/// So many files may be open besides.
const OPEN_BESIDES: usize = 64;

/// Whether an edit may be made again when another writer was faster.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retry {
    /// It names places, so it means the same on what the other left.
    Yes,
    /// It would undo what the other did.
    No,
}

/// Plans changes and writes them all, or none.
pub(crate) fn write(
    again: Retry,
    plan: impl Fn() -> Result<ChangedFiles, Stop>,
) -> Result<ChangedFiles, Stop> {
    let mut left = if again == Retry::Yes { TRIES } else { 1 };
    loop {
        let changed = plan()?;
        left -= 1;
        match save(&changed) {
            Ok(()) => return Ok(changed),
            Err(NotSaved::Changed(_)) if left > 0 => {}
            Err(reason) => return Err(Error::from(reason).into()),
        }
    }
}

/// Shows the new texts exactly as they would be written.
pub(crate) fn show(changed: &ChangedFiles) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for (_, new) in changed.values() {
        out.write_all(new.as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What is shown of files that would change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Names,
    Differences,
}

/// Shows what would change, file by file, by names below a folder; returns how many files would.
pub(crate) fn show_changes(changed: &ChangedFiles, here: &Path, form: Shown) -> Result<usize, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut count = 0;
    for (path, (old, new)) in changed {
        if old.as_ref().is_some_and(|old| old == new) || (old.is_none() && new.is_empty()) {
            continue;
        }
        count += 1;
        let name = path.strip_prefix(here).unwrap_or(path).display().to_string();
        match form {
            Shown::Names => writeln!(out, "{name}")?,
            Shown::Differences => {
                let old = old.as_deref().unwrap_or_default();
                let difference = hierarch_source::unified::diff(&name, old, new);
                writeln!(out, "{}", difference.trim_end_matches('\n'))?;
            }
        }
    }
    out.flush()?;
    Ok(count)
}

/// Writes files as they are given.
pub(crate) fn save_files(changes: &[FileChange]) -> Result<(), NotSaved> {
    system::allow_open_files(changes.len() * OPEN_FOR_EACH + OPEN_BESIDES);
    for loss in saver().save(changes)? {
        warning_line(&loss.to_string());
    }
    Ok(())
}

fn save(changed: &ChangedFiles) -> Result<(), NotSaved> {
    let changes: Vec<FileChange> = changed
        .iter()
        .map(|(path, (old, new))| match old {
            Some(old) => FileChange::replace(path, old.as_bytes(), new.as_bytes()),
            None => FileChange::create(path, new.as_bytes()),
        })
        .collect();
    save_files(&changes)
}

/// Returns the drafts of this process. From the first call on, a signal that ends it removes them.
pub(crate) fn drafts() -> &'static Drafts {
    static DRAFTS: OnceLock<Drafts> = OnceLock::new();
    DRAFTS.get_or_init(|| {
        let drafts = Drafts::default();
        // Without handlers saves are still whole; only what is left behind would have to wait for the next one.
        if let Err(error) = system::watch(drafts.clone()) {
            warning_line(&issues::signals_not_watched(&error));
        }
        drafts
    })
}

fn saver() -> Saver {
    Saver::new(drafts().clone())
}

/// Whether a program that we started has the terminal, and with it the keys that interrupt.
static LENT: AtomicBool = AtomicBool::new(false);

/// Lets another program have the terminal while it runs: what interrupts it is not meant for us.
pub(crate) fn lend_terminal<T>(run: impl FnOnce() -> T) -> T {
    LENT.store(io::stdin().is_terminal(), Ordering::SeqCst);
    let result = run();
    LENT.store(false, Ordering::SeqCst);
    result
}

#[cfg(unix)]
mod system {
    use std::sync::Arc;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::*;

    pub(super) fn watch(drafts: Drafts) -> io::Result<()> {
        // A file that grows beyond what the system allows is a failed write, not the end of the program.
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let mut watched = vec![SIGINT, SIGTERM];
        if !is_ignored(SIGHUP) {
            watched.push(SIGHUP);
        }
        let mut signals = Signals::new(watched)?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if signal == SIGINT && LENT.load(Ordering::SeqCst) {
                    continue;
                }
                drafts.close();
                let _ = emulate_default_handler(signal);
            }
        })?;
        Ok(())
    }

    /// Lets the process have this many files open if it may: a shell usually gives a program room for a thousand, and leave to take
    /// far more.
    pub(super) fn allow_open_files(count: usize) {
        let limit = getrlimit(Resource::Nofile);
        let most = limit.maximum.unwrap_or(u64::MAX);
        let wanted = (count as u64).min(most);
        if limit.current.is_some_and(|current| current < wanted) {
            // Without the room the save fails as a whole, and says what to do.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum });
        }
    }

    /// Tells whether the program was started with a signal switched off, as `nohup` does.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        mask >> (signal - 1) & 1 == 1
    }
}

#[cfg(not(unix))]
mod system {
    use super::*;

    pub(super) fn allow_open_files(_: usize) {}

    pub(super) fn watch(_: Drafts) -> io::Result<()> {
        Ok(())
    }
}
