//! The Puppet language's front end: tokens, tree, validation, and dumps of the tree.
//!
//! [`parse`] reads a manifest and [`parse_epp`] a template; both give a [`Program`] or the first error, at the
//! same place and in the same words as Puppet 8. [`check`] and [`check_epp`] validate as well. This crate knows
//! no values and evaluates nothing.
//!
//! ```
//! use hierarch_source::Source;
//! use hierarch_syntax::{ValidateOptions, check};
//!
//! let checked = check(&Source::new("site.pp", "$x = 1\n$1 = 2\n"), &ValidateOptions::default());
//! let error = checked.failure().unwrap();
//! assert_eq!(error.code, "ILLEGAL_NUMERIC_ASSIGNMENT");
//! assert_eq!(error.position(), Some((2, Some(1))));
//! ```

pub mod ast;
mod check;
mod class_name;
pub mod issues;
mod label;
mod lexer;
mod number;
mod old_dump;
mod parser;
mod pn;
#[cfg(test)]
mod testing;
mod token;
mod validate;

pub use check::{CheckedText, MOST_REPORTED, check, check_epp};
pub use class_name::class_name;
pub use label::{label, with_article, with_capital_article};
pub use number::{float_text, in_radix};
pub use parser::{DEEPEST_NESTING, ParseOutcome, Program, parse, parse_epp};
pub use pn::{DumpFormat, dump};
pub use validate::{DuplicateKeys, ValidateOptions, check_syntax, validate};
