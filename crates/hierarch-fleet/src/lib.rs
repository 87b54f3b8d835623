//! Questions over many nodes, revisions and time: who gets which value and why, what an edit changes and for whom.
//!
//! A [`NodeSet`] is whom to ask, a [`Fleet`] a site and its nodes. [`values`] groups the nodes by the value of a key,
//! [`holds`] asks for which of them an expression is true, [`impact`](impact()) compares two states of a site. All of them
//! ask the real lookups; nodes for which an answer depends on the same things share it (`ask.rs`).
//!
//! ```
//! use hierarch_fleet::{Fleet, NodeSet, values};
//! use hierarch_site::{NodeFacts, Site};
//! use hierarch_source::MemoryFiles;
//!
//! let files = MemoryFiles::from([
//!     ("hiera.yaml", "version: 5\nhierarchy: [{name: Site, path: '%{facts.site}.yaml'}]"),
//!     ("data/north.yaml", "ntp: [n1]"),
//!     ("data/south.yaml", "ntp: [s1]"),
//! ]);
//! let site = Site::on(files).build();
//! let node = |name: &str, site: &str| (name.to_owned(), NodeFacts::from([("site", site)].into_iter().collect::<hierarch_pcore::Hash>()));
//! let nodes = NodeSet::of([node("a", "north"), node("b", "north"), node("c", "south")]);
//! let answer = values(&Fleet::new(&site, &nodes), "ntp");
//! assert_eq!(answer.groups.len(), 2);
//! assert_eq!(answer.groups[0].nodes, ["a", "b"]);
//! assert_eq!(answer.groups[0].because, Some(vec![("facts.site".to_owned(), "north".into())]));
//! ```

mod ask;
mod because;
mod beside;
mod calls;
mod check;
mod classes;
mod code;
mod condition;
mod edits;
mod equality;
mod file_tree;
mod ground;
mod hidden_lines;
mod history;
mod impact;
mod inputs;
pub mod issues;
mod node_list;
mod nodes;
mod openness;
mod option_name;
mod puppetdb;
mod reason;
mod record;
mod schema;
mod table;
mod unset;
mod unused;
mod values;

pub use ask::{Fleet, UnansweredNode, is_incomplete};
pub use because::Because;
pub use check::{CODES, CheckReport, Code as CheckCode, Finding, Severity, check};
pub use code::OpenCall;
pub use condition::{Condition, Holds, Rights, holds};
pub use edits::{Edit, edits, undone};
pub use hidden_lines::{diff_without, near_keys};
pub use history::{History, Moment, Past, States, history};
pub use impact::{CatalogGroup, CatalogImpact, catalogs};
pub use impact::{Comparison, Example, Group, Impact, Kind, MOST_TRIED, Proof, TrackedFacts};
pub use impact::{impact, keep_common, part_at};
pub use inputs::{CatalogInputs, catalog_inputs};
pub use node_list::NodeNames;
pub use nodes::{FactOverride, NodeSet};
pub use openness::{
    edited_keys, given_options, keys_beside_secrets, keys_with_secrets, open_keys, plain_keys, secret_keys,
};
pub use puppetdb::inventory;
pub use reason::Reason;
pub use record::{FileQuestion, RecordedFiles};
pub use schema::{OF_HIERA, schema};
pub use table::{Entry, EntryLeaf, KnownKeys, Place, Table, TableNode, fact_leaves, known_keys, table};
pub use unset::undefined_in_paths;
pub use unused::{
    DeadEntry, DeadKind, Doubt, Evidence, Fixed, FixedTexts, Search, UnusedReport, fix, unused,
};
pub use values::{ValueGroup, Values, values, values_of};
