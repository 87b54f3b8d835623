//! Everything that reading and saving files can say to a user.

use std::io;
use std::path::Path;

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
    Error::new("FILE_NOT_SAVED", format!("Could not write {}: {error}; nothing was written", path.display()))
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
