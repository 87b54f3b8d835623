//! Warnings, kept until they are printed.

use std::collections::HashSet;
use std::sync::Mutex;

/// The warnings of a run, each kept once.
#[derive(Debug, Default)]
pub struct Log {
    warnings: Mutex<Warnings>,
}

#[derive(Debug, Default)]
struct Warnings {
    kept: Vec<String>,
    /// Those that the reference does not give.
    own: Vec<String>,
    seen: HashSet<String>,
}

impl Log {
    /// Keeps a warning, unless it was given before.
    pub fn warn(&self, message: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if warnings.seen.insert(message.clone()) {
            warnings.kept.push(message);
        }
    }

    /// Keeps a warning about a file, whose place the reference puts on a line of its own.
    pub(crate) fn warn_about_file(&self, message: &str, path: &str) {
        self.warn(format!("{message}\n   (file: {path})"));
    }

    /// Keeps a warning that has no place, which the reference says on a line of its own.
    pub(crate) fn warn_about_nothing(&self, message: &str) {
        self.warn(format!("{message}\n   (file & line not available)"));
    }

    /// Keeps a warning that the reference does not give, unless it was given before.
    pub(crate) fn warn_on_our_own(&self, message: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if warnings.seen.insert(message.clone()) {
            warnings.own.push(message);
        }
    }

    /// Tells whether a subject was not asked about before.
    pub(crate) fn is_new(&self, subject: &str) -> bool {
        let mut warnings = self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        !warnings.seen.contains(subject) && warnings.seen.insert(subject.to_owned())
    }

    /// Returns the warnings given so far that the reference does not give, and forgets them.
    pub fn take_our_own(&self) -> Vec<String> {
        let mut warnings = self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        std::mem::take(&mut warnings.own)
    }

    /// Returns the warnings of the reference given so far, and forgets them.
    pub fn take(&self) -> Vec<String> {
        let mut warnings = self.warnings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        std::mem::take(&mut warnings.kept)
    }
}
