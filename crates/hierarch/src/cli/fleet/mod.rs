//! Questions over many nodes, revisions and time: one file per command.

#[cfg(feature = "git")]
pub(crate) mod at;
pub(crate) mod check;
#[cfg(feature = "cloud")]
mod cloud;
pub(crate) mod condition;
#[cfg(feature = "parquet")]
pub(crate) mod export;
mod findings;
pub(crate) mod form;
#[cfg(feature = "git")]
pub(crate) mod history;
#[cfg(feature = "git")]
pub(crate) mod impact;
#[cfg(feature = "git")]
mod impact_text;
#[cfg(feature = "jobs")]
pub(crate) mod jobs;
pub(crate) mod nodes;
#[cfg(feature = "jobs")]
mod objects;
pub(crate) mod schema;
#[cfg(feature = "store")]
pub(crate) mod sql;
#[cfg(feature = "store")]
pub(crate) mod store;
#[cfg(feature = "git")]
mod tracked;
pub(crate) mod unused;
pub(crate) mod values;

use super::failure::Failure;

/// What each thread has for nested lookups and calls: as much as the main thread.
const STACK: usize = 8 << 20;

/// Starts the threads, and watches for Ctrl-C: whoever asks many nodes prints what is known by then.
pub(crate) fn start_asking() -> Result<(), Failure> {
    nodes::watch_interrupts();
    start_threads()
}

/// Starts the threads that nodes are asked on.
pub(crate) fn start_threads() -> Result<(), Failure> {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    threads.map_err(|error| Failure::told(&error))
}
