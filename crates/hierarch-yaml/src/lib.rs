//! YAML and JSON documents: read with positions, by the rules of Psych or of ruamel, and written back
//! without touching what did not change.
//!
//! [`read`] makes a [`Tree`] of compact nodes. A [`Tree`] knows where every value stands; [`Tree::scalar`]
//! says what a scalar means in its [`Dialect`]; [`Tree::view`] follows `<<` as each dialect does.

mod build;
mod data;
mod edit;
mod emit;
mod foreign;
mod frame;
pub mod issues;
mod json;
mod keyed;
mod limits;
mod node;
mod scan;
mod schema;
mod spelled;
mod stream;
pub mod view;

pub use data::{Data, Datum};
pub use edit::{
    Change, Edit, EntryChange, Fidelity, GivenValue, Item, MapChange, Rewording, TagChange, change_at,
    delete_at, dressed, edit, edit_toward, find_at, insert_at, rename_at, respelled, reworded, rewrite,
    scalar_words, try_edit_toward, verbatim_words,
};
pub use emit::{Layout, brief, document, line, scalar_text, shortened};
pub use foreign::{ForeignNode, PlacedValue, foreign_tree};
pub use json::json;
pub use keyed::KeyedEntries;
pub use limits::DocumentLimits;
pub use node::{Dialect, Kind, NodeId, Style, Tree};
pub use scan::{outline, read, read_first, read_fully, read_simple};
pub use schema::{
    Scalar, disallowed_collection, hash_scalar, is_date, is_merge_key, same_at_a_glance, spelled_otherwise,
    surprising,
};
pub use spelled::{Content, SpelledValue, spelled_document, tag_words};
pub use stream::split_documents;
