//! One control repository, and every question one can ask about one of its nodes.
//!
//! A [`Site`] is put together once, by its [`Builder`], from files, settings, limits, permissions and a source of nodes.
//! Threads share it. It opens [`Environment`]s, and in them [`Node`]s; a node answers questions: what a key has for a value
//! and why, what its catalog is, what a program evaluates to. Nothing here prints, or reads flags, the clock or variables of
//! the process: whoever opens a site hands in what it may know.
//!
//! ```
//! use hierarch_site::{KnownNodes, Site};
//! use hierarch_source::MemoryFiles;
//!
//! let files = MemoryFiles::from([
//!     ("hiera.yaml", "version: 5"),
//!     ("data/common.yaml", "greeting: Hello %{facts.role}"),
//!     ("manifests/site.pp", "notify { lookup('greeting'): }"),
//! ]);
//! let nodes = KnownNodes::from([("web01.example.com", [("role", "web")])]);
//! let site = Site::on(files).with_nodes(nodes).build();
//! let node = site.node("web01.example.com")?;
//! assert_eq!(node.lookup("greeting")?.value.as_str(), Some("Hello web"));
//! assert_eq!(node.trace("greeting")?.leaves()[0].origin.unwrap().to_string(), "data/common.yaml:1:11");
//! assert!(node.compile()?.resources.iter().any(|resource| resource.to_string() == "Notify[Hello web]"));
//! # Ok::<(), hierarch_source::Error>(())
//! ```
//!
//! Where to start reading: `site.rs`, then `environment.rs`, `node.rs` and `lookup.rs`.

mod answers;
mod builder;
mod classification;
mod compile;
mod directives;
mod dump;
mod environment;
mod exported;
mod facts;
mod failure;
pub mod issues;
mod lookup;
mod node;
mod puppet_conf;
mod set;
mod settings;
mod site;
#[cfg(test)]
mod testing;
mod validate;

pub use answers::read_answers;
pub use builder::Builder;
pub use classification::Classification;
pub use compile::Compilation;
pub use dump::Dump;
pub use environment::Environment;
pub use exported::{exported_of, read_exported};
pub use facts::{
    FactsFile, FactsFolder, FirstOf, KnownNodes, ListedNode, LookupFacts, NoFacts, NodeFacts, NodeList,
    NodeSource,
};
pub use hierarch_hiera::Strict;
pub use lookup::{Answer, Explains, Explanation, NodeLookups, Question, TracedAnswer};
pub use node::Node;
pub use puppet_conf::PuppetConf;
pub use set::{FileEdit, FilePlan, KeyEdit, SetPlan};
pub use settings::{Limits, Permissions, Settings};
pub use site::{Root, Site};
