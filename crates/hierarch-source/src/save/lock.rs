//! The lock on a file that is about to be replaced.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::{NotSaved, keep};

const PAUSE: Duration = Duration::from_millis(2);

/// Opens a file that its user may write, whether or not it will be written through this.
pub(super) fn open(target: &Path) -> io::Result<File> {
    // Asked first: to open a pipe would wait for its other end.
    if !fs::symlink_metadata(target)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    keep::open_without_link(target)
}

/// Locks the file that has this name now. A file that was replaced while we waited is not the one.
pub(super) fn lock(target: &Path, mut file: File, patience: Duration) -> Result<File, NotSaved> {
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) if keep::is_at(&file, target) => return Ok(file),
            Ok(()) => file = open(target).map_err(|error| gone(target, error))?,
            // Some file systems know no locks; the comparison with what was read still holds.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(NotSaved::Failed(target.to_owned(), error)),
            Err(TryLockError::WouldBlock) if waited >= patience => {
                return Err(NotSaved::Locked(target.to_owned()));
            }
            Err(TryLockError::WouldBlock) => {
                thread::sleep(PAUSE);
                waited += PAUSE;
            }
        }
    }
}

/// Tells whether a file is what was read.
pub(super) fn has_content(mut file: &File, old: &[u8]) -> io::Result<bool> {
    let mut bytes = Vec::with_capacity(old.len() + 1);
    // One byte more than expected is enough to know.
    file.by_ref().take(old.len() as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes == old)
}

fn gone(target: &Path, error: io::Error) -> NotSaved {
    match error.kind() {
        io::ErrorKind::NotFound => NotSaved::Changed(target.to_owned()),
        _ => NotSaved::Failed(target.to_owned(), error),
    }
}
