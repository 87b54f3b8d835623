//! The document that a command works on: a file, or standard input as `-`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hierarch_source::{DiskFiles, Files, Overlay};

use super::super::failure::Failure;

/// What messages call standard input; includes in it are relative to the current folder.
const STANDARD_INPUT: &str = "standard input";

/// A document and the files around it.
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) files: Overlay,
    /// A document without a file: what it becomes is shown.
    pub(super) has_file: bool,
}

impl Input {
    /// Finds a document; standard input is read at once.
    pub(super) fn new(path: &Path) -> Result<Self, Failure> {
        let mut files = Overlay::new(DiskFiles);
        if path != Path::new("-") {
            return Ok(Self { path: path.to_owned(), files, has_file: true });
        }
        files.insert(STANDARD_INPUT, standard_input()?);
        Ok(Self { path: STANDARD_INPUT.into(), files, has_file: false })
    }

    /// Returns the text of the document.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        self.files.read_at_most(&self.path, u64::MAX).map_err(|error| Failure::io("read", &self.path, &error))
    }
}

/// Reads standard input to its end.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| Failure::io("read", Path::new(STANDARD_INPUT), &error))?;
    Ok(bytes)
}
