//! The built-in functions of the Puppet language, a file each.
//!
//! # How to add a function
//!
//! 1. Write `FAMILY/NAME.rs`: a `pub(super) static NAME: Function` with signature, documentation and examples, and below it
//!    the code. `strings/length.rs` is a good one to copy. How signatures are written stands in
//!    [`hierarch_eval::function`].
//! 2. Add `mod NAME;` and `&NAME::NAME` to the list in the family's `mod.rs`.
//!
//! That is all: dispatch, error texts, `hierarch doc NAME` and the reference page are fed by the table, and a test runs
//! every example. Siblings that differ by one operation (`upcase`, `downcase`) share a file.
//!
//! # What a body may do
//!
//! The signature was checked, so `call.str(0)`, `call.integer(1)`, `call.array(0)`, `call.hash(0)` may be taken for
//! granted. [`Call::take`](hierarch_eval::function::Call::take) moves an argument out where it is kept while a block
//! runs; `call.yield_values([a, b])` calls the block; `call.items(0)` walks over any iterable, lazily;
//! [`until_break`](prelude::until_break) ends a loop on `break()`. What is wrong is said in [`issues`], one function per
//! issue; it is raised without a place, and the evaluator adds place and words around it.
//!
//! ```
//! let environment = hierarch_functions::environment();
//! let mut evaluator = hierarch_eval::Evaluator::new(&environment);
//! let source = hierarch_source::Source::unnamed("[1, 2, 3].map |$x| { $x * 2 }");
//! assert_eq!(evaluator.evaluate(&source)?.to_string(), "[2, 4, 6]");
//! # Ok::<(), hierarch_source::Error>(())
//! ```

#![allow(clippy::unnecessary_wraps, reason = "all bodies of functions have the same shape")]

pub mod catalog;
pub mod collections;
pub mod control;
pub mod files;
mod groups;
pub mod hiera;
pub mod issues;
pub mod iterate;
pub mod numbers;
pub mod prelude;
pub mod reference;
pub mod ruby;
mod script;
pub mod stdlib;
pub mod strings;
pub mod templates;
#[cfg(test)]
mod testing;
pub mod time;
pub mod types;

pub use script::{UnreadableRuby, unreadable_ruby};

use hierarch_eval::Codebase;
use hierarch_eval::function::{Function, Registry};

/// All families of functions that are always there.
pub static FAMILIES: &[&[&Function]] = &[
    catalog::CATALOG,
    collections::COLLECTIONS,
    control::CONTROL,
    files::FILES,
    hiera::HIERA,
    iterate::ITERATE,
    numbers::NUMBERS,
    strings::STRINGS,
    templates::TEMPLATES,
    time::TIME,
    types::TYPES,
];

/// The families of puppetlabs-stdlib's functions.
pub static STDLIB_FAMILIES: &[&[&Function]] = &[stdlib::STDLIB, stdlib::CATALOG, stdlib::OLD];

/// Returns all functions by name. Those of puppetlabs-stdlib are there where the module is; functions that other modules
/// have in Ruby are run as they are.
pub fn registry() -> Registry {
    Registry::new(FAMILIES).with_language(&script::RUBY).with_module("stdlib", STDLIB_FAMILIES)
}

/// Makes an environment with all built-in functions and no modules.
pub fn environment() -> Codebase {
    Codebase::new(registry())
}
