//! The project's own chores, as a library so that `cargo test` and `cargo xtask` run the same code.

pub mod cases;
pub mod check;
pub mod data;
pub mod dist;
pub mod docs;
pub mod evaluation;
pub mod figures;
pub mod lookups;
pub mod measure;
pub mod mutate;
pub mod parser;
pub mod release;
pub mod seeds;
pub mod tidy;
