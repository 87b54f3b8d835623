//! Questions over many nodes, shared by many machines.
//!
//! A [`Run`] is a question about the nodes of one [`Tree`], cut into chunks. Whoever works on a chunk needs an object store
//! ([`Objects`]) and nothing else: the tree, the facts and the results are in it. What a node answers is addressed by what it
//! was made from (`results.rs`): after an edit, nodes whose lookups read nothing that changed are found, not computed.

pub mod issues;
mod objects;
mod question;
mod results;
mod run;
mod tree;

pub use objects::{Memory, Objects, address};
pub use question::{Kind, Open, Question};
pub use results::{Counts, Worker};
pub use run::{Chunk, Run, RunAnswer};
pub use tree::Tree;
