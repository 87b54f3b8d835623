//! Questions over many nodes, revisions and time: one file per command.

#[cfg(feature = "git")]
pub(crate) mod at;
pub(crate) mod check;
pub(crate) mod condition;
mod findings;
pub(crate) mod form;
#[cfg(feature = "git")]
pub(crate) mod history;
#[cfg(feature = "git")]
pub(crate) mod impact;
#[cfg(feature = "git")]
mod impact_text;
pub(crate) mod nodes;
pub(crate) mod schema;
#[cfg(feature = "store")]
pub(crate) mod store;
pub(crate) mod unused;
pub(crate) mod values;

use super::failure::Failure;

/// What each thread has for nested lookups and calls: as much as the main thread.
const STACK: usize = 8 << 20;

/// Starts the threads that nodes are asked on.
pub(crate) fn start_threads() -> Result<(), Failure> {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    threads.map_err(|error| Failure::new(error.to_string()))
}
