//! The words of this crate.

use hierarch_source::Error;

/// An object store did not do what it was asked for.
pub fn objects(store: &str, what: &str, why: &str) -> Error {
    Error::new("JOBS_OBJECTS", format!("{store}: could not {what}: {why}"))
}

/// An object is not there.
pub(crate) fn no_object(name: &str) -> Error {
    Error::new("JOBS_NO_OBJECT", format!("the object store has no {name}"))
}

/// Tables are asked for, and this build writes none.
pub fn without_parquet() -> Error {
    Error::new(
        "JOBS_NO_PARQUET",
        "the run wants tables, and this worker was built without the feature parquet",
    )
}

/// An object is not what was put into it.
pub fn damaged(name: &str, why: &str) -> Error {
    Error::new("JOBS_DAMAGED", format!("{name} in the object store is damaged: {why}"))
}

/// A file of a tree cannot be read.
pub(crate) fn unreadable(path: &str, why: &str) -> Error {
    Error::new("JOBS_UNREADABLE", format!("Could not read {path}: {why}"))
}

/// A tree is too large.
pub(crate) fn too_large(root: &str, most: u64) -> Error {
    Error::new("JOBS_TOO_LARGE", format!("{root} holds more than {most} bytes; raise --max-tree-size"))
}

/// Folders of a tree lie too deep in one another; a link may lead back.
pub(crate) fn too_deep(path: &str) -> Error {
    Error::new("JOBS_TOO_DEEP", format!("{path} lies too deep; does a link lead back to a folder around it?"))
}

/// Parts of a run are not there.
pub fn missing_parts(numbers: &[usize], chunks: usize) -> Error {
    let some: Vec<String> = numbers.iter().take(10).map(ToString::to_string).collect();
    let more = if numbers.len() > some.len() { ", …" } else { "" };
    Error::new(
        "JOBS_MISSING_PARTS",
        format!("{} of {chunks} parts are missing: {}{more}", numbers.len(), some.join(", ")),
    )
}

/// The run was made by another program.
pub(crate) fn other_engine(theirs: &str, ours: &str) -> Error {
    Error::new(
        "JOBS_OTHER_ENGINE",
        format!("the run was made by {theirs}, and this is {ours}: workers must be of the same build"),
    )
}
