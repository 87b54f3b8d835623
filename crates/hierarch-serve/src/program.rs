//! What the program hands in: the server itself reads no flags, no clock and no repository.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use hierarch_fleet::NodeSet;
use hierarch_site::{NodeFacts, Site};
use hierarch_source::{FileChange, Files, Loss, NotSaved};

/// How a site is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// Answers may show what was decrypted.
    pub shows_secrets: bool,
    /// Catalogs are compiled, on threads with room for deeply nested calls.
    pub compiles: bool,
}

/// What the program was told and may do.
pub trait Program: Send + Sync {
    /// Opens the site on some files.
    fn open(&self, files: Arc<dyn Files>, opening: Opening) -> Result<Site, String>;

    /// Reads which nodes there are.
    fn nodes(&self, site: &Site) -> Result<NodeSet, String>;

    /// Tells whether nodes are chosen by their data, so that they may be others when data change.
    fn nodes_follow_data(&self) -> bool;

    /// Returns the folders that environments and modules are in.
    fn roots(&self) -> Vec<PathBuf>;

    /// Returns the files and folders that nodes and facts come from.
    fn node_sources(&self) -> Vec<PathBuf>;

    /// Returns files beside those that change without meaning anything.
    fn bystanders(&self) -> Vec<PathBuf>;

    /// Tells for how long nodes are taken for true that come from a server, which tells of no changes.
    fn nodes_age(&self) -> Option<Duration>;

    /// Tells whether nodes come from a store, which can keep facts.
    fn has_store(&self) -> bool;

    /// Keeps the facts of a node in that store.
    fn keep_facts(&self, name: &str, facts: &NodeFacts) -> Result<(), String>;

    /// Returns the revisions of the repository; none where there are none, or the program cannot read them.
    fn revisions(&self) -> Option<&dyn Revisions>;

    /// Writes files, all or none.
    fn save(&self, changes: &[FileChange]) -> Result<Vec<Loss>, NotSaved>;

    /// Returns the time since some moment, which never goes back.
    fn clock(&self) -> Duration;

    /// Returns the time of day.
    fn now(&self) -> SystemTime;

    /// Writes a line to the log.
    fn log(&self, line: &str);

    /// Returns how many bytes of memory the process uses, where that can be told.
    fn memory(&self) -> Option<u64>;

    /// Fills bytes by chance.
    fn random(&self, bytes: &mut [u8]);

    /// Runs something on a thread with as much stack as compiling needs.
    fn stack_of_programs(&self) -> usize;
}

/// What a command would have printed: its answer, or its complaint.
pub type CommandOutcome = Result<String, String>;

/// Revisions of a repository, and the commands that ask about them.
pub trait Revisions: Send + Sync {
    /// Finds a revision: its full id and its files.
    fn at(&self, name: &str) -> Result<(String, Arc<dyn Files>), String>;

    /// Answers as `impact RANGE --render-as json`; of keys that have to do with a secret only where that may be told.
    fn impact(&self, range: &str, nodes: &NodeSet, tells_equal_secrets: bool) -> CommandOutcome;

    /// Answers as `history KEY --node NODE --render-as jsonl`.
    fn history(&self, key: &str, node: &str, nodes: &NodeSet) -> CommandOutcome;
}
