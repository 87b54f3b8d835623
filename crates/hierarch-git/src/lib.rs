//! Files of git revisions without a checkout: trees, links, submodules, the index, changes and histories.
//!
//! A [`Repository`] names revisions; [`GitFiles`] is one of them as [`Files`](hierarch_source::Files). Nothing is
//! checked out and no `git` program is run. Attributes, filters and conversions of line ends are not applied.
//! Start in `files.rs`. It knows no YAML and no lookups.

mod address;
mod changes;
#[cfg(feature = "network")]
mod fetch;
mod files;
#[cfg(feature = "network")]
mod http;
mod issues;
mod past;
mod repository;
mod table;
mod walk;

pub use address::without_password;
pub use changes::{FileChange, FileChangeKind, changes, changes_to_disk};
#[cfg(feature = "network")]
pub use fetch::{FetchLimits, fetch};
pub use files::GitFiles;
pub use past::{Id, Past, Stands};
pub use repository::{Range, Repository, Revision};
pub use walk::Commit;
