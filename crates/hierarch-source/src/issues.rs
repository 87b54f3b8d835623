//! Everything that reading and saving files can say to a user.

use std::io;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::save::Loss;

/// A file has more bytes than positions can count.
pub(crate) fn too_large(name: &str) -> Error {
    Error::new("FILE_TOO_LARGE", format!("{name} is larger than 4 GiB, the most that can be read"))
}

/// A byte belongs to no character.
pub(crate) fn not_utf8(byte: u8) -> Error {
    let text = format!("Invalid UTF-8: the byte 0x{byte:02X} does not belong to any character");
    Error::new("INVALID_UTF8", text).note("save the file as UTF-8")
}

/// A file is no longer what was read.
pub(crate) fn changed_meanwhile(path: &Path) -> Error {
    let path = path.display();
    Error::new(
        "FILE_CHANGED",
        format!("{path} was changed by someone else since it was read; nothing was written"),
    )
}

/// Another process does not let go of a file.
pub(crate) fn locked(path: &Path) -> Error {
    let path = path.display();
    Error::new("FILE_LOCKED", format!("{path} is locked by another process; nothing was written"))
}

/// The system did not let us write.
pub(crate) fn not_saved(path: &Path, error: &io::Error) -> Error {
    let message = format!("Could not write {}: {error}{NOTHING_WRITTEN}", path.display());
    let problem = Error::new("FILE_NOT_SAVED", message);
    if is_too_many_files(error) { problem.note(MORE_OPEN_FILES) } else { problem }
}

const NOTHING_WRITTEN: &str = "; nothing was written";

const MORE_OPEN_FILES: &str =
    "a save holds every file open, twice: let the process open more (ulimit -n), or edit fewer files at once";

#[cfg(unix)]
fn is_too_many_files(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error())
}

#[cfg(not(unix))]
fn is_too_many_files(_: &io::Error) -> bool {
    false
}

/// A save failed in the middle, and some files could not be given their old content again.
pub(crate) fn partly_saved(reason: &Error, written: &[PathBuf]) -> Error {
    let reason = reason.message.strip_suffix(NOTHING_WRITTEN).unwrap_or(&reason.message).to_owned();
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    let verb = if written.len() == 1 { "was" } else { "were" };
    let told = format!("{reason}; {} {verb} written and could not be taken back", names.join(", "));
    Error::new("FILES_PARTLY_SAVED", told)
}

/// What a save could not keep.
pub(crate) fn loss(loss: &Loss) -> String {
    match loss {
        Loss::HardLinks(path) => {
            format!("{} had other names (hard links), which keep the old content", path.display())
        }
        Loss::Owner(path) => {
            format!(
                "{} now belongs to the user who saved it: its owner or group could not be kept",
                path.display()
            )
        }
        Loss::Attributes(path) => {
            format!("some attributes or access rights of {} could not be kept", path.display())
        }
    }
}
