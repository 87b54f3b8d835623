//! Where source texts come from: `-e`, standard input, files, and whole folders.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_source::{DiskFiles, Error, Files, Source};

use super::failure::Failure;
use crate::cli::issues;

/// A text to work on.
pub(crate) struct Input {
    /// What the user calls it; `None` for `-e` and standard input.
    pub(crate) path: Option<PathBuf>,
    /// The text, or why there is none.
    pub(crate) source: Result<Arc<Source>, Error>,
}

/// The files that arguments name, and the arguments that name nothing.
#[derive(Default)]
pub(crate) struct FoundFiles {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) missing: Vec<PathBuf>,
}

/// Finds the files to work on: files as they are given, folders with all that is below them.
pub(crate) fn find(paths: &[PathBuf], extension: &str) -> Result<FoundFiles, Failure> {
    let mut found = FoundFiles::default();
    for path in paths {
        if path.is_dir() {
            walk(path, extension, &mut found.files)?;
        } else if path.exists() {
            found.files.push(path.clone());
        } else {
            found.missing.push(path.clone());
        }
    }
    Ok(found)
}

/// Lists the files of a folder in order. Links to folders are not followed, so there are no loops.
fn walk(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failure = |error: &std::io::Error| Failure::io("read", folder, error);
    let mut entries = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .map_err(|error| failure(&error))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(|error| failure(&error))?.is_dir() {
            if entry.file_name() != ".git" {
                walk(&path, extension, files)?;
            }
        } else if path.extension().is_some_and(|found| found == extension) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Lists the nodes that files in a folder are named after.
pub(crate) fn nodes_of(folder: &Path, extensions: &[&str]) -> Result<Vec<String>, Failure> {
    let mut nodes = Vec::new();
    for extension in extensions {
        let files = find(&[folder.to_owned()], extension)?.files;
        nodes.extend(files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())));
    }
    Ok(nodes)
}

/// Reads the bytes of a file that an argument names.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    DiskFiles.read(path).map_err(|error| Failure::io("read", path, &error))
}

/// Returns what messages call a stream that the shell opened, by its number. The name leads nowhere: what a document
/// includes is looked for where the program was started.
pub(crate) fn stream_name(path: &Path) -> PathBuf {
    let number = path.file_name().unwrap_or_default().to_string_lossy();
    if number == "stdin" { "standard input".into() } else { format!("stream {number}").into() }
}

/// Reads the text of a file that an argument names.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let invalid =
        |error| Failure::io("read", path, &std::io::Error::new(std::io::ErrorKind::InvalidData, error));
    String::from_utf8(bytes(path)?).map_err(invalid)
}

/// Reads a file, to be named in messages as it was given.
pub(crate) fn read(path: &Path) -> Input {
    read_as(path, path.display().to_string())
}

/// Reads a file, to be named in messages by its whole path.
pub(crate) fn read_absolute(path: &Path) -> Input {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    read_as(path, whole.display().to_string())
}

/// Tells whether a file is text; what cannot be read may be.
pub(crate) fn is_text(path: &Path) -> bool {
    DiskFiles.read(path).map_or(true, |bytes| std::str::from_utf8(&bytes).is_ok())
}

fn read_as(path: &Path, name: String) -> Input {
    let source = match DiskFiles.read(path) {
        Ok(bytes) => Source::from_bytes(name, bytes),
        Err(error) => Err(issues::unreadable_file(&name, &error)),
    };
    Input { path: Some(path.to_owned()), source }
}

/// Reads standard input, unless a person sits there.
pub(crate) fn standard_input() -> Result<Option<Input>, Failure> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    input
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::io("read", Path::new("standard input"), &error))?;
    let source = match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::unnamed(text)),
        // With a name, so that the message can say where.
        Err(error) => Source::from_bytes("standard input", error.into_bytes()),
    };
    Ok(Some(Input { path: None, source }))
}
