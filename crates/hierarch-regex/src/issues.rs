//! Every word this crate can say.

use hierarch_source::Error;

const RUNTIME_ERROR: &str = "RUNTIME_ERROR";

/// The detail of an error about a pattern: what is wrong, without the pattern.
pub const PROBLEM: &str = "problem";

/// A pattern is malformed.
pub(crate) fn bad_regexp(problem: &str, source: &str) -> Error {
    Error::new(RUNTIME_ERROR, format!("{problem}: /{source}/")).detail(PROBLEM, problem)
}

/// A pattern is well-formed, but the engine cannot run it.
pub(crate) fn unsupported_regexp(problem: &str, source: &str) -> Error {
    Error::new(RUNTIME_ERROR, format!("regular expression is not supported: /{source}/"))
        .note(problem)
        .detail(PROBLEM, "regular expression is not supported")
}

/// A match took too many steps.
pub(crate) fn regexp_limit(source: &str, limit: usize) -> Error {
    let problem = format!("a match of /{source}/ took more than {limit} steps");
    Error::new("REGEXP_LIMIT", format!("{problem}; --max-regexp-steps raises the limit"))
        .note("the pattern backtracks too much on this text")
}
