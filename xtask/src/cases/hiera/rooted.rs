//! Files of a case that has links: on the disk, because links are the system's, under the names that all cases have.

use std::io;
use std::path::{Path, PathBuf};

use hierarch_source::{DiskFiles, FileKind, Files, MemoryFiles};
use tempfile::TempDir;

/// The folder that all paths of cases begin with.
const ROOT: &str = "/root";

/// A folder of the disk, called `/root`.
pub(super) struct RootedFiles(TempDir);

impl RootedFiles {
    /// Writes files, and links by their paths.
    pub(super) fn new(files: &MemoryFiles, links: &[(String, String)]) -> io::Result<Self> {
        let rooted = Self(TempDir::new()?);
        for path in files.paths() {
            let real = rooted.real(path);
            std::fs::create_dir_all(real.parent().unwrap_or(Path::new("/")))?;
            std::fs::write(real, files.read(path)?)?;
        }
        for (path, target) in links {
            let real = rooted.real(Path::new(path));
            std::fs::create_dir_all(real.parent().unwrap_or(Path::new("/")))?;
            std::os::unix::fs::symlink(target, real)?;
        }
        Ok(rooted)
    }

    fn real(&self, path: &Path) -> PathBuf {
        path.strip_prefix(ROOT).map_or_else(|_| path.to_owned(), |rest| self.0.path().join(rest))
    }

    fn called(&self, real: &Path) -> PathBuf {
        let root = self.0.path().canonicalize().unwrap_or_else(|_| self.0.path().to_owned());
        real.strip_prefix(root).map_or_else(|_| real.to_owned(), |rest| Path::new(ROOT).join(rest))
    }
}

impl Files for RootedFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        DiskFiles.read(&self.real(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        DiskFiles.list(&self.real(folder))
    }

    fn is_file(&self, path: &Path) -> bool {
        DiskFiles.is_file(&self.real(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        DiskFiles.is_folder(&self.real(path))
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        DiskFiles.kind(&self.real(path))
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(self.called(&DiskFiles.resolve(&self.real(path))?))
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        DiskFiles.read_at_most(&self.real(path), most)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        DiskFiles.stamp(&self.real(path))
    }
}
