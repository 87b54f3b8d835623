//! Paths as texts, joined as Ruby's `Pathname` joins them, because explanations show them so.

use std::io::ErrorKind;

use hierarch_source::{Files, Result};

use crate::issues;

/// Reads a file that need not be there: empty if it is not, an error if it is there and cannot be read.
pub(crate) fn read_if_there(files: &dyn Files, path: &str) -> Result<Vec<u8>> {
    match files.read(path.as_ref()) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        read => read.map_err(|error| issues::unreadable(path, &error)),
    }
}

/// Joins a path to a folder: an absolute one replaces it, leading `.` and `..` are resolved, the rest stays as
/// it is written.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let is_absolute = folder.starts_with('/');
    let (mut folder, mut rest) = (folder.trim_end_matches('/'), path);
    loop {
        rest = rest.trim_start_matches('/');
        if let Some(after) = step(rest, ".") {
            rest = after;
        } else if let Some(after) = step(rest, "..") {
            match folder.rsplit_once('/') {
                Some((_, "..")) => break,
                Some((parent, _)) => (folder, rest) = (parent, after),
                // Above the root there is nothing but the root.
                None if folder.is_empty() && is_absolute => rest = after,
                None => break,
            }
        } else {
            break;
        }
    }
    match (folder, rest) {
        ("", rest) if is_absolute => format!("/{rest}"),
        ("", rest) => rest.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, rest) => format!("{folder}/{rest}"),
    }
}

/// Returns what follows a first component of that name.
fn step<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let after = path.strip_prefix(name)?;
    (after.is_empty() || after.starts_with('/')).then_some(after)
}

/// Returns the folder that a file is in.
pub(crate) fn parent(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((parent, _)) => parent,
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_leading_dots_are_resolved() {
        for (folder, path, joined) in [
            ("/e/data", "common.yaml", "/e/data/common.yaml"),
            ("/e/data", "../x.yaml", "/e/x.yaml"),
            ("/e/data", "./a/../b.yaml", "/e/data/a/../b.yaml"),
            ("/e/data", "/abs.yaml", "/abs.yaml"),
            ("/e", "../../../x", "/x"),
            ("/e/data", "", "/e/data"),
            ("/e/data/", "x//y", "/e/data/x//y"),
        ] {
            assert_eq!(join(folder, path), joined);
        }
    }
}
