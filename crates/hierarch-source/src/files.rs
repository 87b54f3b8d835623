//! Where files come from: the disk, or memory. What lies over them is in `overlay.rs`.
//!
//! Everything but the program itself asks this trait for files, so that a library user can look a
//! key up without a disk and a test needs no folder.

use std::collections::BTreeMap;
use std::fs::{DirEntry, FileType};
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A place that has files and folders. A missing file is an `io::Error` of kind `NotFound`.
pub trait Files: Send + Sync {
    /// Reads a whole file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Lists the names in a folder, sorted.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Lists the same, each name with what stands there, as [`kind`](Files::kind) says it, where that is known already.
    fn list_kinds(&self, folder: &Path) -> io::Result<Vec<(String, Option<FileKind>)>> {
        Ok(self.list(folder)?.into_iter().map(|name| (name, None)).collect())
    }

    /// Tells whether a file is there. A pipe or a device is, so that whoever wants to read it is told that it cannot be.
    fn is_file(&self, path: &Path) -> bool;

    /// Tells whether a folder is there.
    fn is_folder(&self, path: &Path) -> bool;

    /// Tells what stands at a path, links not followed; none if nothing does.
    fn kind(&self, path: &Path) -> Option<FileKind> {
        if self.is_file(path) {
            Some(FileKind::File)
        } else {
            self.is_folder(path).then_some(FileKind::Folder)
        }
    }

    /// Returns the one true path of a file: no `.`, no `..`, and on a disk no symbolic links.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(without_dots(path))
    }

    /// Returns a number that changes when the file does; none if there is no such file.
    fn stamp(&self, path: &Path) -> Option<u64> {
        self.read(path).ok().map(|bytes| sum(&bytes))
    }

    /// Reads a whole file unless it is larger than `most` bytes.
    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.read(path)?;
        if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }

    /// Reads a file in the same way, and returns its [stamp](Files::stamp) of just before, too.
    fn read_with_stamp(&self, path: &Path, most: u64) -> (io::Result<Vec<u8>>, Option<u64>) {
        let stamp = self.stamp(path);
        (self.read_at_most(path, most), stamp)
    }
}

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, wherever it leads.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

impl From<FileType> for FileKind {
    fn from(found: FileType) -> Self {
        match () {
            () if found.is_symlink() => Self::Link,
            () if found.is_dir() => Self::Folder,
            () if found.is_file() => Self::File,
            () => Self::Other,
        }
    }
}

/// What leads to files is files.
macro_rules! leads_to_files {
    ($($pointer:ty),*) => {$(
        impl<F: Files + ?Sized> Files for $pointer {
            fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
                (**self).read(path)
            }

            fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
                (**self).list(folder)
            }

            fn list_kinds(&self, folder: &Path) -> io::Result<Vec<(String, Option<FileKind>)>> {
                (**self).list_kinds(folder)
            }

            fn is_file(&self, path: &Path) -> bool {
                (**self).is_file(path)
            }

            fn is_folder(&self, path: &Path) -> bool {
                (**self).is_folder(path)
            }

            fn kind(&self, path: &Path) -> Option<FileKind> {
                (**self).kind(path)
            }

            fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
                (**self).resolve(path)
            }

            fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
                (**self).read_at_most(path, most)
            }

            fn read_with_stamp(&self, path: &Path, most: u64) -> (io::Result<Vec<u8>>, Option<u64>) {
                (**self).read_with_stamp(path, most)
            }

            fn stamp(&self, path: &Path) -> Option<u64> {
                (**self).stamp(path)
            }
        }
    )*};
}

leads_to_files!(&F, std::sync::Arc<F>);

/// Returns a number that differs for different bytes, as far as can be told.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Takes `.` and `..` out of a path by its text alone.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            // Above the root there is only the root.
            Component::ParentDir if result.has_root() => {}
            part => result.push(part),
        }
    }
    result
}

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl DiskFiles {
    /// Opens a file that ends: a pipe or a device may have no end, and a pipe without a writer hangs when it is opened.
    /// What the shell opened already (`<(command)`) may be read.
    fn open(path: &Path, found: &Look) -> io::Result<std::fs::File> {
        let kind = found.kind;
        if !kind.is_file() && !kind.is_dir() && !is_given(path) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, NOT_REGULAR));
        }
        std::fs::File::open(path)
    }

    /// Reads a file, in one step if it is as long as the system says.
    pub(crate) fn read_all(path: &Path, found: &Look, most: u64) -> io::Result<Vec<u8>> {
        let mut file = Self::open(path, found)?;
        let length = found.length;
        // A length is a hint only: files of /proc have none, and a file may grow while it is read.
        let mut bytes = vec![0; length.min(most).min(LARGEST_HINT) as usize + 1];
        let read = match file.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            read => read?,
        };
        bytes.truncate(read);
        if read == 0 || read as u64 != length {
            file.take(most.saturating_add(1).saturating_sub(read as u64)).read_to_end(&mut bytes)?;
        }
        if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }
}

/// Tells whether a path names what the shell opened for the program.
fn is_given(path: &Path) -> bool {
    path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") || path == Path::new("/dev/stdin")
}

/// Tells whether a path names a stream that the shell opened for the program, `<(command)` or `/dev/stdin`: it can be read, once,
/// and leads to no file.
pub fn is_open_stream(path: &Path) -> bool {
    is_given(path) && path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// What the system says of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) kind: FileType,
    length: u64,
    pub(crate) stamp: u64,
}

impl Look {
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let found = std::fs::metadata(path)?;
        let mut hasher = std::hash::DefaultHasher::new();
        (found.len(), found.modified().ok()).hash(&mut hasher);
        #[cfg(unix)]
        std::os::unix::fs::MetadataExt::ino(&found).hash(&mut hasher);
        Ok(Self { kind: found.file_type(), length: found.len(), stamp: hasher.finish() })
    }
}

/// Room for more than this is not made before it is needed.
const LARGEST_HINT: u64 = 1 << 30;

/// Why a pipe or a device is not read.
const NOT_REGULAR: &str = "it is no regular file";

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_at_most(path, u64::MAX)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        Some(std::fs::symlink_metadata(path).ok()?.file_type().into())
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = std::fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn list_kinds(&self, folder: &Path) -> io::Result<Vec<(String, Option<FileKind>)>> {
        let named = |entry: DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, entry.file_type().ok().map(FileKind::from))
        };
        let mut names =
            std::fs::read_dir(folder)?.map(|entry| entry.map(named)).collect::<io::Result<Vec<_>>>()?;
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(names)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|found| !found.is_dir())
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if is_open_stream(path) { Ok(path.to_owned()) } else { std::fs::canonicalize(path) }
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        Look::at(path).ok().map(|found| found.stamp)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        Self::read_all(path, &Look::at(path)?, most)
    }

    fn read_with_stamp(&self, path: &Path, most: u64) -> (io::Result<Vec<u8>>, Option<u64>) {
        match Look::at(path) {
            Ok(found) => (Self::read_all(path, &found, most), Some(found.stamp)),
            Err(error) => (Err(error), None),
        }
    }
}

/// Files that exist only in memory.
///
/// ```
/// use std::path::Path;
/// use hierarch_source::{Files, MemoryFiles};
///
/// let files = MemoryFiles::from([("hiera.yaml", "version: 5"), ("data/common.yaml", "a: 1")]);
/// assert_eq!(files.read(Path::new("data/common.yaml")).unwrap(), b"a: 1");
/// assert_eq!(files.list(Path::new("")).unwrap(), ["data", "hiera.yaml"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryFiles {
    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Lists the paths of all files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }
}

impl<P: Into<PathBuf>, B: Into<Vec<u8>>, const N: usize> From<[(P, B); N]> for MemoryFiles {
    fn from(files: [(P, B); N]) -> Self {
        Self { files: files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect() }
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(path).or_else(|| self.files.get(&without_dots(path)));
        bytes.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let folder = &without_dots(folder);
        let mut names: Vec<String> = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix(folder).ok()?.components().next())
            .map(|name| name.as_os_str().to_string_lossy().into_owned())
            .collect();
        names.dedup();
        if names.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) }
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(path) || self.files.contains_key(&without_dots(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        let folder = without_dots(path);
        !self.is_file(path) && self.files.keys().any(|file| file.starts_with(&folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_their_dots() {
        for (given, wanted) in [("/a/../b", "/b"), ("/a/./b/", "/a/b"), ("/../a", "/a"), ("../a", "../a")] {
            assert_eq!(without_dots(Path::new(given)), Path::new(wanted));
        }
    }
}
