//! Ruby without Ruby: an interpreter for the ERB templates, functions and Hiera backends of modules.
//!
//! A text is parsed by Prism and lowered at once ([`syntax`]), then walked by [`run::Vm`] over values of its own
//! ([`value`]). What survives between calls (classes, constants, globals) is a [`run::Ruby`]; a [`run::Vm`] joins it
//! with the [`run::ScriptHost`] of one call. Methods of core classes stand in [`core`], a file per class, libraries in
//! [`library`].
//!
//! # How to add a method
//! One entry in the table of its class: `m("name", least, most, body).gives(&["'a'.name => \"b\""])`, where `most` is
//! `-1` for any number of arguments and `body` is a `fn(&mut Vm, &Value, &Args) -> Res`. The examples are run by the
//! tests: code, ` => `, and what `inspect` gives; or ` !! ` and class and message of the error.
//!
//! # How to add a library
//! One file in `library/` with a [`core::ClassSpec`] per class (`Library` names them and the features that `require`
//! knows), and one line in [`library::LIBRARIES`]. Classes are made when a script first names them.

// A `Res` carries its jump in a box, and a table of methods wants all bodies alike.
#![allow(
    clippy::unnecessary_box_returns,
    clippy::boxed_local,
    clippy::unused_self,
    clippy::single_match_else,
    clippy::match_wildcard_for_single_variants,
    clippy::assigning_clones,
    clippy::option_option,
    clippy::wrong_self_convention,
    clippy::type_complexity,
    clippy::cloned_ref_to_slice_refs,
    clippy::float_cmp
)]

pub mod core;
pub mod erb;
pub mod helper;
pub mod issues;
pub mod library;
pub mod limits;
pub mod permissions;
pub mod puppet;
pub mod run;
pub mod survey;
pub mod syntax;
pub mod value;

pub use limits::ScriptLimits;
pub use permissions::ScriptPermissions;
pub use run::{Ruby, ScriptHost, Vm};
