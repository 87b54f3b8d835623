//! Nodes, their facts and what they export in a store: one SQLite file, or a PostgreSQL server that a site shares.
//!
//! Equal fact sets are stored once. A [`Store`] is opened by an [`Address`], filled by [`Store::import`], and is a
//! [`NodeSource`](hierarch_site::NodeSource) like any other: facts are read when a node is asked. `tables.rs` has all SQL;
//! a server is a `Database` that runs it.

mod address;
mod database;
mod exports;
mod factset;
pub mod issues;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "puppetdb")]
pub mod puppetdb;
#[cfg(feature = "postgres")]
mod queue;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod tables;

pub use address::Address;
pub use factset::VOLATILE;
#[cfg(feature = "postgres")]
pub use queue::{ATTEMPTS, Busy, Progress, Queue, TakenChunk};
pub use store::{ImportReport, ListedNode, NodeImport, Store, unstorable};
