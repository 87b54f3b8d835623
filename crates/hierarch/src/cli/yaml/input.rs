//! The document that a command works on: a file, or standard input as `-`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hierarch_source::{Files, Overlay};

use super::super::failure::Failure;
use super::super::foreign::{Foreign, Notation};
use super::{Reach, Stop};

/// What messages call standard input; includes in it are relative to the current folder.
const STANDARD_INPUT: &str = "standard input";

/// A document and the files around it.
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) files: Overlay,
    /// A document without a file: what it becomes is shown.
    pub(super) has_file: bool,
    /// What it may be written in.
    foreign: Foreign,
}

impl Input {
    /// Finds a document; standard input is read at once.
    pub(super) fn new(path: &Path, reach: &Reach) -> Result<Self, Stop> {
        let mut files = Overlay::new(reach.files()?);
        if path != Path::new("-") {
            return Ok(Self { path: path.to_owned(), files, has_file: true, foreign: named(path, reach) });
        }
        files.insert(STANDARD_INPUT, standard_input()?);
        Ok(Self {
            path: STANDARD_INPUT.into(),
            files,
            has_file: false,
            foreign: named(Path::new(STANDARD_INPUT), reach),
        })
    }

    /// Returns what it is written in.
    pub(super) fn notation(&self) -> Notation {
        self.foreign.notation(&self.path.display().to_string())
    }

    /// Returns where the file is, links followed.
    pub(super) fn resolved(&self) -> io::Result<PathBuf> {
        self.files.resolve(&self.path)
    }

    /// Returns the text of the document.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        self.files.read_at_most(&self.path, u64::MAX).map_err(|error| Failure::io("read", &self.path, &error))
    }
}

/// Lets a flag count for a document.
fn named(path: &Path, reach: &Reach) -> Foreign {
    reach.foreign().name(path);
    reach.foreign().clone()
}

/// Reads standard input to its end.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| Failure::io("read", Path::new(STANDARD_INPUT), &error))?;
    Ok(bytes)
}
