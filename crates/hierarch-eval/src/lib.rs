//! The Puppet language runs: scopes, operators, calls, templates, and what is loaded from modules.
//!
//! A program is parsed and checked by `hierarch-syntax`, lowered once into [`Code`](code::Code) in which variables are
//! slots and names are numbers, and run by an [`Evaluator`]. What is built in comes from above: a [`Codebase`] is
//! given a [`Registry`](function::Registry) of functions.
//!
//! ```
//! use hierarch_eval::{Codebase, Evaluator, Value};
//! use hierarch_source::Source;
//!
//! let environment = Codebase::default();
//! let mut evaluator = Evaluator::new(&environment);
//! let value = evaluator.evaluate(&Source::unnamed("$x = 20\n$x * 2 + 2"))?;
//! assert_eq!(value, Value::from(42));
//! # Ok::<(), hierarch_source::Error>(())
//! ```

mod access;
mod assign;
mod call;
pub mod catalog;
pub mod code;
mod collect;
mod compile;
mod control;
mod define;
mod environment;
mod epp;
mod evaluator;
mod expr;
pub mod function;
mod guard;
pub mod hiera;
pub mod issues;
pub mod iterate;
mod limits;
mod load;
mod log;
mod lower;
mod matches;
mod member;
mod metadata;
mod mismatch;
mod names;
mod operators;
mod output;
mod patterns;
mod puppet_settings;
mod relate;
mod resource;
pub mod resource_types;
mod scope;
mod stack;
pub mod substitute;
mod suggest;
mod syntax_check;
#[cfg(test)]
mod testing;
mod type_set;
mod unwind;

pub use catalog::Catalog;
pub use environment::Codebase;
pub use evaluator::{Evaluator, ProgramSettings};
pub use guard::{Guard, SecretRule, has_secret};
pub use hierarch_hiera::Strict;
pub use hierarch_pcore::{Hash, Str, Type, Value};
pub use hierarch_source::Level;
pub use limits::ProgramLimits;
pub use log::Log;
pub use puppet_settings::{is_flag as puppet_setting_is_flag, usual as usual_puppet_setting};
pub use unwind::{Result, Unwind};
