//! What stops a command: one sentence for standard error.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use hierarch_source::{Diagnostic, Error, NotSaved};

use super::report::{error_line, show_below};

/// Why a command could not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    /// What a library said, with its place and hints.
    diagnostic: Option<Box<Diagnostic>>,
    /// Whoever read the output has seen enough.
    is_closed_pipe: bool,
}

/// What a shell sees of a program that a closed pipe ended: 128 and the number of the signal.
const CLOSED_PIPE: u8 = 128 + 13;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), diagnostic: None, is_closed_pipe: false }
    }

    /// Says what a library said, in other words or with more around them.
    pub(crate) fn of(message: impl Into<String>, error: &Error) -> Self {
        Self { diagnostic: Some(Box::new(error.clone().into_diagnostic())), ..Self::new(message) }
    }

    /// What a library or the system says itself, without a place.
    pub(crate) fn told(words: &dyn fmt::Display) -> Self {
        Self::new(words.to_string())
    }

    /// Ends the program: with a line on standard error, unless nobody waits for its output any more.
    pub(crate) fn end(&self) -> ExitCode {
        if self.is_closed_pipe {
            return ExitCode::from(CLOSED_PIPE);
        }
        self.tell("");
        ExitCode::FAILURE
    }

    /// Prints it to standard error behind other words.
    pub(crate) fn tell(&self, before: &str) {
        error_line(&format!("{before}{}", self.message));
        if let Some(diagnostic) = &self.diagnostic {
            show_below(diagnostic);
        }
    }

    /// A file or folder could not be used; `verb` says what was tried.
    pub(crate) fn io(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self::new(format!("Could not {verb} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Output could not be written. A closed pipe is not worth a complaint.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let is_closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { is_closed_pipe, ..Self::new(format!("Could not write: {error}")) }
    }
}

/// What a library says stands for itself.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::of(error.to_string(), &error)
    }
}

/// A save says itself what went wrong.
impl From<NotSaved> for Failure {
    fn from(reason: NotSaved) -> Self {
        Error::from(reason).into()
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
