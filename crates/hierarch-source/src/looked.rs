//! Files of the disk that are asked about once: who asks whether a file is there mostly reads it next.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::files::{DiskFiles, FileKind, Files, Look};

/// The files of this machine, for a program that does not live long: what the system said of a file when somebody asked whether it
/// is there is used, once, when it is read. Were it changed in between, its stamp is that of before, so that it counts as changed.
///
/// ```
/// use hierarch_source::{Files, LookedAtFiles};
///
/// let files = LookedAtFiles::default();
/// let path = std::env::current_exe().unwrap();
/// assert!(files.is_file(&path));
/// assert_eq!(files.read_with_stamp(&path, u64::MAX).1, files.stamp(&path));
/// ```
#[derive(Debug, Default)]
pub struct LookedAtFiles {
    looks: Mutex<HashMap<OsString, Look>>,
}

impl LookedAtFiles {
    /// Returns what the system says of a file, or said when it was asked for the first time since the file was read.
    fn look(&self, path: &Path) -> io::Result<Look> {
        let known = self.looks.lock().unwrap_or_else(PoisonError::into_inner).remove(path.as_os_str());
        known.map_or_else(|| Look::at(path), Ok)
    }
}

impl Files for LookedAtFiles {
    fn is_file(&self, path: &Path) -> bool {
        let Some(found) = Look::at(path).ok().filter(|found| !found.kind.is_dir()) else { return false };
        self.looks.lock().unwrap_or_else(PoisonError::into_inner).insert(path.as_os_str().to_owned(), found);
        true
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_at_most(path, u64::MAX)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        DiskFiles::read_all(path, &self.look(path)?, most)
    }

    fn read_with_stamp(&self, path: &Path, most: u64) -> (io::Result<Vec<u8>>, Option<u64>) {
        match self.look(path) {
            Ok(found) => (DiskFiles::read_all(path, &found, most), Some(found.stamp)),
            Err(error) => (Err(error), None),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        DiskFiles.list(folder)
    }

    fn list_kinds(&self, folder: &Path) -> io::Result<Vec<(String, Option<FileKind>)>> {
        DiskFiles.list_kinds(folder)
    }

    fn is_folder(&self, path: &Path) -> bool {
        DiskFiles.is_folder(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        DiskFiles.kind(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        DiskFiles.resolve(path)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        DiskFiles.stamp(path)
    }
}
