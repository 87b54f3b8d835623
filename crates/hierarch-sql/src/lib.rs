//! Answers of many nodes as tables: small questions are asked with SQL inside the program, large ones are handed as Parquet to
//! the engine that a site has.
//!
//! A [`Database`] is SQLite's, made for one query: [`Database::plan`] says which tables the query reads and which nodes and
//! keys it can be about, the caller asks for those and fills the tables, [`Database::run`] answers. `shape.rs` has the tables,
//! `narrow.rs` what a `where` clause leaves out.
//!
//! ```
//! use hierarch_fleet::{Fleet, NodeSet, table};
//! use hierarch_site::{NodeFacts, Site};
//! use hierarch_source::MemoryFiles;
//! use hierarch_sql::{Database, Limits};
//!
//! let files = MemoryFiles::from([("hiera.yaml", "version: 5\n"), ("data/common.yaml", "port: 80\n")]);
//! let site = Site::on(files).build();
//! let facts = NodeFacts { facts: [("os", "Debian")].into_iter().collect(), ..NodeFacts::default() };
//! let nodes = NodeSet::of(["a", "b"].map(|name| (name.to_owned(), facts.clone())));
//! let query = "select value, count(*) from answers where key = 'port' group by value";
//! let mut database = Database::new(Limits::default())?;
//! let plan = database.plan(query)?;
//! let keys = plan.keys.names().expect("the query names it");
//! database.fill_answers(&table(&Fleet::new(&site, &nodes), keys))?;
//! let mut rows = Vec::new();
//! database.run(query, |row| {
//!     rows.push(row.iter().map(ToString::to_string).collect::<Vec<_>>());
//!     Ok(())
//! })?;
//! assert_eq!(rows, [["80", "2"]]);
//! # Ok::<(), hierarch_source::Error>(())
//! ```

mod database;
pub mod issues;
mod narrow;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
pub mod rows;
mod shape;

pub use database::{Cell, Database, Limits};
pub use narrow::{Condition, Narrow};
pub use plan::Plan;
pub use shape::Shape;
pub use shape::{
    ANSWERS, CATALOGS, CHANGES, Change, Column, FACTS, KnownNode, LEAVES, NODES, RESULTS, SHAPES,
};

#[cfg(feature = "parquet")]
pub use self::parquet::{ROWS_OF_A_PART, part, whole};
