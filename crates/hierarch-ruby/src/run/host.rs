//! What a script asks the outside for.

use std::path::Path;

use hierarch_source::Level;

/// What a script asks the outside for. The defaults know nothing and allow nothing.
pub trait ScriptHost {
    /// Tells whether a real Ruby does what is not known here.
    fn has_helper(&self) -> bool {
        false
    }

    /// Tells whether a file may be read.
    fn may_read(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Returns the files that there are.
    fn files(&self) -> Option<&dyn hierarch_source::Files> {
        None
    }

    /// Finds the file of a feature that no library has, such as `puppet_x/site/helper`.
    fn find_feature(&self, feature: &str) -> Option<std::path::PathBuf> {
        let _ = feature;
        None
    }

    /// Tells where the thread's stack was when the run started, and how much of it there is.
    fn stack(&self) -> Option<(usize, usize)> {
        None
    }

    /// Returns the seconds and nanoseconds since 1970.
    fn now(&mut self) -> (i64, u32) {
        (0, 0)
    }

    /// Returns a number by chance.
    fn chance(&mut self) -> u64 {
        0
    }

    /// Returns a variable of the environment.
    fn variable(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// Returns the compilation that the script runs in; nothing outside of one.
    fn puppet(&mut self) -> Option<&mut dyn crate::puppet::Puppet> {
        None
    }

    /// Returns the variables of the process that `ENV` shows.
    fn process_variables(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns what asks the network; nothing where that is not allowed.
    fn network(&self) -> Option<std::sync::Arc<dyn hierarch_source::Network>> {
        None
    }

    /// Takes a log message.
    fn log(&mut self, level: Level, message: String) {
        let _ = (level, message);
    }
}

/// A host that knows nothing.
pub struct NoHost;

impl ScriptHost for NoHost {}
