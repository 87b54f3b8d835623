//! Files whose paths are resolved once: for a command that asks where many files of one folder lead.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::files::{FileKind, Files};

/// Files, with a memory of the true paths of folders and of files that are no links. To resolve a path on a disk takes a
/// question per part of it; here a file of a known folder takes one, and none when it is asked for again.
///
/// ```
/// use std::path::Path;
/// use hierarch_source::{Files, MemoryFiles, ResolvedFolders};
///
/// let files = ResolvedFolders::new(MemoryFiles::from([("a/b.yaml", "")]));
/// assert_eq!(files.resolve(Path::new("a/./b.yaml")).unwrap(), Path::new("a/b.yaml"));
/// ```
#[derive(Debug)]
pub struct ResolvedFolders<F> {
    files: F,
    folders: Mutex<HashMap<PathBuf, PathBuf>>,
    plain: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl<F: Files> ResolvedFolders<F> {
    /// Remembers the folders of some files.
    pub fn new(files: F) -> Self {
        Self { files, folders: Mutex::default(), plain: Mutex::default() }
    }

    fn resolve_folder(&self, folder: &Path) -> io::Result<PathBuf> {
        let mut known = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(resolved) = known.get(folder) {
            return Ok(resolved.clone());
        }
        let resolved =
            self.files.resolve(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
        known.insert(folder.to_owned(), resolved.clone());
        Ok(resolved)
    }
}

impl<F: Files> Files for ResolvedFolders<F> {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if let Some(resolved) = self.plain.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(resolved.clone());
        }
        // A file that is not a link stands in its folder; everything else is resolved by the system.
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) if self.files.kind(path) == Some(FileKind::File) => {
                let resolved = self.resolve_folder(folder)?.join(name);
                let mut plain = self.plain.lock().unwrap_or_else(PoisonError::into_inner);
                plain.insert(path.to_owned(), resolved.clone());
                Ok(resolved)
            }
            _ => self.files.resolve(path),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.files.read_at_most(path, most)
    }

    fn read_with_stamp(&self, path: &Path, most: u64) -> (io::Result<Vec<u8>>, Option<u64>) {
        self.files.read_with_stamp(path, most)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn list_kinds(&self, folder: &Path) -> io::Result<Vec<(String, Option<FileKind>)>> {
        self.files.list_kinds(folder)
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

    fn stamp(&self, path: &Path) -> Option<u64> {
        self.files.stamp(path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::files::DiskFiles;

    #[test]
    fn paths_lead_where_the_disk_says() {
        let top = tempfile::tempdir().expect("a folder");
        let at = |path: &str| top.path().join(path);
        std::fs::create_dir_all(at("real/deep")).expect("folders");
        for file in ["real/a.yaml", "real/deep/b.yaml"] {
            std::fs::write(at(file), "").expect("a file");
        }
        symlink(at("real"), at("link")).expect("a link");
        symlink("a.yaml", at("real/other.yaml")).expect("a link");
        symlink("nowhere", at("real/broken.yaml")).expect("a link");
        let files = ResolvedFolders::new(DiskFiles);
        for path in [
            "real/a.yaml",
            "link/a.yaml",
            "link/deep/b.yaml",
            "link/deep/../a.yaml",
            "real/./a.yaml",
            "real/other.yaml",
            "link/other.yaml",
            "link/deep",
            "link/deep/..",
            "link",
            "",
        ] {
            for _ in 0..2 {
                assert_eq!(files.resolve(&at(path)).ok(), DiskFiles.resolve(&at(path)).ok(), "{path}");
            }
        }
        for path in ["real/broken.yaml", "real/none.yaml", "none/a.yaml"] {
            let (ours, theirs) = (files.resolve(&at(path)), DiskFiles.resolve(&at(path)));
            assert_eq!(ours.map_err(|error| error.kind()), theirs.map_err(|error| error.kind()), "{path}");
        }
    }
}
