//! All the words a user can read, one small function per issue.

use hierarch_source::Error;

/// An argument will not do, in words made elsewhere.
pub fn argument(message: impl Into<String>) -> Error {
    hierarch_eval::issues::argument(&message.into())
}

/// `fail(…)`: the words are the program's own.
pub fn failed(message: &str) -> Error {
    argument(message)
}
