//! What the tests of the evaluator share: an environment without any built-in function.

use hierarch_eval::{Catalog, Codebase, Evaluator, Value};
use hierarch_source::{Error, Result, Source};

/// Runs a program alone.
#[allow(dead_code, clippy::allow_attributes, reason = "not every test file uses all of it")]
pub(crate) fn run(code: &str) -> Result<Value> {
    let environment = Codebase::default();
    Evaluator::new(&environment).evaluate(&Source::unnamed(code))
}

/// Runs a program that must not fail.
#[allow(dead_code, clippy::allow_attributes, reason = "not every test file uses all of it")]
#[track_caller]
pub(crate) fn value(code: &str) -> Value {
    run(code).unwrap_or_else(|error| panic!("{error}\n{code}"))
}

/// Runs a program that must fail.
#[allow(dead_code, clippy::allow_attributes, reason = "not every test file uses all of it")]
#[track_caller]
pub(crate) fn failure(code: &str) -> Error {
    match run(code) {
        Ok(value) => panic!("{code} gives {value}"),
        Err(error) => error,
    }
}

/// Compiles a manifest.
#[allow(dead_code, clippy::allow_attributes, reason = "not every test file uses all of it")]
pub(crate) fn compile(code: &str) -> Result<Catalog> {
    let environment = Codebase::default();
    Evaluator::new(&environment).compile(&[Source::new("site.pp", code)])
}

/// Compiles a manifest that must not fail.
#[allow(dead_code, clippy::allow_attributes, reason = "not every test file uses all of it")]
#[track_caller]
pub(crate) fn catalog(code: &str) -> Catalog {
    compile(code).unwrap_or_else(|error| panic!("{error}\n{code}"))
}
