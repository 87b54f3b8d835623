//! Hiera 5: hierarchies of data, looked up, merged, interpolated and explained as Puppet 8 does it.
//!
//! A [`Hiera`] is an environment's data; a [`Session`] is one node's view of them; a [`Query`] is what is asked.
//! Where to start reading: `lookup.rs` is the one path that all lookups take.
//!
//! Many keys of a node, each leaf with the place that it comes from:
//!
//! ```
//! use hierarch_hiera::{Hiera, Query, Scope};
//! use hierarch_source::MemoryFiles;
//!
//! let files = MemoryFiles::from([("hiera.yaml", "version: 5"), ("data/common.yaml", "os: '%{kernel}'\nport: 80")]);
//! let (hiera, mut node) = (Hiera::open(files, "hiera.yaml"), Scope::new());
//! node.set("kernel", "Linux");
//! let session = hiera.session(&node);
//! for (key, value, place) in [("os", "Linux", "data/common.yaml:1:5"), ("port", "80", "data/common.yaml:2:7")] {
//!     let traced = session.trace(&Query::new([key]))?;
//!     let leaf = &traced.leaves()[0];
//!     assert_eq!((leaf.value.to_string(), leaf.origin.unwrap().to_string()), (value.into(), place.into()));
//! }
//! # Ok::<(), hierarch_source::Error>(())
//! ```

mod backend;
mod classes;
pub mod config;
mod contents;
mod data;
mod document;
pub mod environment;
mod environment_conf;
pub mod explain;
pub mod eyaml;
pub mod facts;
mod glob;
mod hiera;
pub mod host;
pub mod issues;
mod key;
mod layers;
mod layout;
mod locate;
mod log;
mod lookup;
mod marked;
mod marks;
mod merge;
pub mod node;
mod options;
pub mod origin;
mod path;
mod patterns;
mod piece;
mod presence;
mod query;
pub mod read;
pub mod render;
mod secrets;
mod session;
mod settings;
mod survey;
mod template;
#[cfg(test)]
mod testing;
pub mod trace;
mod watch;

pub use backend::DataHash;
pub use contents::{Content, Reference, references, variables};
pub use explain::Explainer;
pub use hiera::{Hiera, Question};
pub use host::{LookupHost, Scope};
pub use key::{Key, Segment};
pub use layers::{EnvironmentFolder, RUBY_FUNCTIONS, is_module_name};
pub use layout::{Layout, is_encrypted};
pub use log::Log;
pub use lookup::{Context, Found, Hierarchy, LevelAnswer, LevelLocation, Placement};
pub use marked::{Mark, MarkedValue, MarkedView};
pub use merge::Strategy;
pub use query::{OldCall, Query};
pub use session::{DataPlace, Session, SessionMemory, UnlistedKeys};
pub use settings::{LARGEST_FILE, LookupLimits, LookupSettings, Strict};
pub use survey::{Panel, Survey};
