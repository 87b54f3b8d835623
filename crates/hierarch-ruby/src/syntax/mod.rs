//! Ruby's syntax: texts become trees that nothing but this folder knows the parser of.

mod lower;
mod parse;
pub mod tree;
pub mod walk;

pub use parse::{LONGEST_SOURCE, Syntax, parse};
