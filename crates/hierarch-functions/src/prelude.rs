//! What nearly every function needs.

pub use std::sync::Arc;

pub use hierarch_eval::function::Example::{Fails, Gives};
pub use hierarch_eval::function::{Call, Function, legacy, mismatch, on};
pub use hierarch_eval::iterate::{Items, Lazy};
pub use hierarch_eval::{Hash, Level, Result, Str, Type, Unwind, Value};

pub use crate::issues;

/// Returns what a loop did, `break()` being a way to end it and not a failure.
pub fn until_break(result: Result<()>) -> Result<()> {
    match result {
        Err(Unwind::Break) => Ok(()),
        result => result,
    }
}
