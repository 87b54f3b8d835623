//! The words of this crate.

use hierarch_source::Error;

/// A source of nodes is neither a folder nor a file.
pub(crate) fn no_source(path: &str) -> Error {
    Error::new("FLEET_NO_SOURCE", format!("{path} is neither a folder of fact files nor a file"))
}

/// A source of nodes cannot be read.
pub(crate) fn unreadable(path: &str, why: &str) -> Error {
    Error::new("FLEET_UNREADABLE", format!("Could not read {path}: {why}"))
}

/// An entry of a list of nodes has an unknown shape.
pub(crate) fn bad_entry(path: &str, number: usize) -> Error {
    Error::new(
        "FLEET_BAD_ENTRY",
        format!(
            "{path}: entry {number} is neither {{node, facts | facts_file, environment?, trusted?}} nor part of PuppetDB's \
             answer to inventory, facts or factsets"
        ),
    )
}

/// A flag that overrides a fact is malformed.
pub(crate) fn bad_fact(text: &str) -> Error {
    Error::new(
        "FLEET_BAD_FACT",
        format!("'{text}' is no NAME=VALUE; write for instance --fact os.family=Debian"),
    )
}

/// The facts of a node cannot be read.
pub(crate) fn no_facts(why: &str) -> String {
    format!("its facts can't be read: {why}")
}

/// A function that touches more than data was called in a condition.
pub(crate) fn refused_function(name: &str) -> Error {
    Error::new(
        "FLEET_REFUSED_FUNCTION",
        format!(
            "'{name}' is refused in a condition, because it reads files, reaches out or declares something"
        ),
    )
}

/// A condition is neither true nor false.
pub(crate) fn no_boolean(type_name: &str) -> String {
    format!("the expression is a {type_name}, neither true nor false")
}

/// Causes were left open because too many states would have to be tried.
pub(crate) fn gave_up(most: usize) -> String {
    format!(
        "some causes were not looked for: more than {most} undone states would have to be tried; raise --max-proofs"
    )
}
