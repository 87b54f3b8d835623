//! What nearly every function needs.

pub use std::sync::Arc;

pub use hierarch_eval::function::Example::{Fails, Gives};
pub use hierarch_eval::function::{Call, Function, GrowingList, legacy, mismatch, on};
pub use hierarch_eval::iterate::{Items, Lazy};
pub use hierarch_eval::{Hash, Level, Result, Str, Type, Unwind, Value};

pub use crate::issues;
pub use crate::ruby::ruby_text;

/// Returns what a loop did, `break()` being a way to end it and not a failure.
pub fn until_break(result: Result<()>) -> Result<()> {
    match result {
        Err(Unwind::Break) => Ok(()),
        result => result,
    }
}

/// Warns of a deprecated use, once in a run.
pub fn deprecated(call: &mut Call, message: &str) {
    call.warn_once(issues::without_place(message));
}

/// Warns of a deprecated use at the place of the call, once in a run.
pub fn deprecated_here(call: &mut Call, message: &str) {
    let text = match call.place() {
        Some(place) => issues::with_place(message, &place),
        None => issues::without_place(message),
    };
    call.warn_once(text);
}
