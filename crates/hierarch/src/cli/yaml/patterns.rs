//! The files that a command works on: one by its name, many by a pattern.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hierarch_source::{DiskFiles, Files};

use super::super::failure::Failure;
use super::super::issues;
use super::input::Input;
use super::{Reach, Stop};

/// Finds the files that names and patterns stand for, each once, in the order given.
pub(super) fn inputs(first: &Path, also: &[PathBuf], reach: &Reach) -> Result<Vec<Input>, Stop> {
    let files = reach.files()?;
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut seen = HashSet::new();
    for name in std::iter::once(first).chain(also.iter().map(PathBuf::as_path)) {
        for path in found(name)? {
            // A link and another way to write a path lead to the same file.
            if seen.insert(files.resolve(&path).unwrap_or_else(|_| path.clone())) {
                paths.push(path);
            }
        }
    }
    paths.iter().map(|path| Input::new(path, reach)).collect()
}

/// A name that is there is that file, whatever signs it has.
fn found(name: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = name.to_string_lossy();
    if name.is_dir() {
        return Err(issues::folder_of_documents(&text));
    }
    if name == Path::new("-") || name.exists() || !text.contains(['*', '?', '[', '{']) {
        return Ok(vec![name.to_owned()]);
    }
    let most = hierarch_hiera::LookupLimits::default().steps;
    let found = hierarch_hiera::read::files_of(&DiskFiles, &text, most);
    let found = found.map_err(|_| issues::too_many_names(&text, most))?;
    if found.is_empty() {
        return Err(issues::no_file_fits(&text));
    }
    Ok(found.into_iter().map(PathBuf::from).collect())
}
