//! The document that a command works on: a file, standard input as `-`, or what another command prints, as `<(command)`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hierarch_source::{Files, Overlay, is_open_stream};

use super::super::failure::Failure;
use super::super::foreign::{Foreign, Notation};
use super::super::input;
use super::super::saving::ChangedFiles;
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
    /// Finds a document; what can be read only once is read at once.
    pub(super) fn new(path: &Path, reach: &Reach) -> Result<Self, Stop> {
        let mut files = Overlay::new(reach.files()?);
        let (path, bytes) = match path {
            dash if dash == Path::new("-") => (PathBuf::from(STANDARD_INPUT), standard_input()?),
            stream if is_open_stream(stream) => (input::stream_name(stream), input::bytes(stream)?),
            path => {
                let foreign = named(path, reach);
                return Ok(Self { path: path.to_owned(), files, has_file: true, foreign });
            }
        };
        files.insert(&path, bytes);
        let foreign = named(&path, reach);
        Ok(Self { path, files, has_file: false, foreign })
    }

    /// Returns the same document over new texts of some files.
    pub(super) fn over(&self, changed: &ChangedFiles) -> Self {
        let mut files = self.files.clone();
        for (path, (_, new)) in changed {
            files.insert(path, new.clone());
        }
        Self { path: self.path.clone(), files, has_file: self.has_file, foreign: self.foreign.clone() }
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
