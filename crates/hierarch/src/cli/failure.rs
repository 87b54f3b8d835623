//! What stops a command: one sentence for standard error.

use std::fmt;
use std::io;
use std::path::Path;

use hierarch_source::{Error, NotSaved};

/// Why a command could not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// A file or folder could not be used; `verb` says what was tried.
    pub(crate) fn io(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self(format!("Could not {verb} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Writing to a pipe that was closed is no reason to complain.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(format!("Could not write: {error}"))
    }
}

/// A save says itself what went wrong.
impl From<NotSaved> for Failure {
    fn from(reason: NotSaved) -> Self {
        Self(Error::from(reason).to_string())
    }
}

/// What ends a command early: a failure of the system, or something wrong in a document.
pub(crate) enum Stop {
    Failure(Failure),
    Problem(Error),
    /// What was asked for is not there, which is an answer.
    Absent(Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Problem(error)
    }
}
