//! Files that note what is read of them, so that a document can be read again when one of its files has changed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hierarch_source::{FileKind, Files};

/// A file and what it was like; a file that was not there is like nothing.
pub(crate) type Stamp = (PathBuf, Option<u64>);

/// Files, with a note of each that was read, included ones and missing ones as well.
pub(crate) struct Watch<'f> {
    files: &'f dyn Files,
    read: Mutex<Vec<Stamp>>,
}

impl<'f> Watch<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> Self {
        Self { files, read: Mutex::default() }
    }

    /// Returns what was read.
    pub(crate) fn into_stamps(self) -> Vec<Stamp> {
        self.read.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what a file was like before it was read: a change in between is noticed later.
    fn note(&self, path: &Path, stamp: Option<u64>) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), stamp));
    }
}

/// Tells whether all files are still what they were.
pub(crate) fn is_fresh(stamps: &[Stamp], files: &dyn Files) -> bool {
    stamps.iter().all(|(path, stamp)| files.stamp(path) == *stamp)
}

impl Files for Watch<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(path, self.files.stamp(path));
        self.files.read(path)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let (bytes, stamp) = self.files.read_with_stamp(path, most);
        self.note(path, stamp);
        bytes
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.is_file(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.files.is_folder(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.files.kind(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        self.files.stamp(path)
    }
}
