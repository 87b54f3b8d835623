//! Files that note what is asked of them: another state in which all of that is the same gives the same answer.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_source::Files;

/// What was asked about a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileQuestion {
    /// The bytes of a file.
    Content(PathBuf),
    /// The names in a folder.
    Names(PathBuf),
    /// Whether there is a file, a folder, or nothing.
    Presence(PathBuf),
}

impl FileQuestion {
    /// Returns the path.
    pub fn path(&self) -> &Path {
        match self {
            Self::Content(path) | Self::Names(path) | Self::Presence(path) => path,
        }
    }
}

/// Files, with a note of everything that is asked.
pub struct RecordedFiles {
    files: Arc<dyn Files>,
    asked: Mutex<BTreeSet<FileQuestion>>,
}

impl RecordedFiles {
    /// Starts to take notes.
    pub fn new(files: Arc<dyn Files>) -> Self {
        Self { files, asked: Mutex::default() }
    }

    /// Returns what was asked so far.
    pub fn asked(&self) -> Vec<FileQuestion> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn note(&self, asked: FileQuestion) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(asked);
    }
}

impl Files for RecordedFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(FileQuestion::Content(path.to_owned()));
        self.files.read(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.note(FileQuestion::Names(folder.to_owned()));
        self.files.list(folder)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.note(FileQuestion::Presence(path.to_owned()));
        self.files.is_file(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.note(FileQuestion::Presence(path.to_owned()));
        self.files.is_folder(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(FileQuestion::Presence(path.to_owned()));
        self.files.resolve(path)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        self.note(FileQuestion::Content(path.to_owned()));
        self.files.stamp(path)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.note(FileQuestion::Content(path.to_owned()));
        self.files.read_at_most(path, most)
    }
}
