//! The one safe save: whoever looks sees the old file or the new one, and no other writer's change is lost.
//!
//! New contents are written beside their files under names that nobody can foresee, with the mode, owner and
//! attributes of the old ones, and brought to the disk. Then the files are locked, compared with what was read, and replaced.

mod commit;
mod draft;
mod keep;
mod lock;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::commit::PreparedFile;
use self::draft::Leftovers;
pub use self::draft::{DraftFolder, Drafts};
use crate::{Error, issues};

/// One file and what shall become of it.
#[derive(Clone, Copy, Debug)]
pub struct FileChange<'a> {
    /// The file; where it is a link, what that points at is changed.
    pub path: &'a Path,
    /// What was read; none if there was no such file.
    pub old: Option<&'a [u8]>,
    /// What shall be there.
    pub new: &'a [u8],
    /// Whether a new file is for its owner only.
    pub is_private: bool,
}

impl<'a> FileChange<'a> {
    /// Replaces what was read.
    pub fn replace(path: &'a Path, old: &'a [u8], new: &'a [u8]) -> Self {
        Self { path, old: Some(old), new, is_private: false }
    }

    /// Makes a file that is not there yet, and the folders above it.
    pub fn create(path: &'a Path, new: &'a [u8]) -> Self {
        Self { path, old: None, new, is_private: false }
    }

    /// Lets nobody but the owner read a new file.
    #[must_use]
    pub fn private(self) -> Self {
        Self { is_private: true, ..self }
    }
}

/// Why nothing was written, or not all.
#[derive(Debug)]
pub enum NotSaved {
    /// The file is no longer what was read.
    Changed(PathBuf),
    /// Another process kept the file locked for too long.
    Locked(PathBuf),
    /// The system said no.
    Failed(PathBuf, io::Error),
    /// For this reason not all were written, and those named here could not be taken back.
    Partly(Box<NotSaved>, Vec<PathBuf>),
}

impl NotSaved {
    fn failed(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Failed(path.to_owned(), error)
    }

    /// Adds the files that were written although others were not.
    fn with_written(self, written: Vec<PathBuf>) -> Self {
        if written.is_empty() { self } else { Self::Partly(Box::new(self), written) }
    }
}

impl From<NotSaved> for Error {
    fn from(reason: NotSaved) -> Self {
        match reason {
            NotSaved::Changed(path) => issues::changed_meanwhile(&path),
            NotSaved::Locked(path) => issues::locked(&path),
            NotSaved::Failed(path, error) => issues::not_saved(&path, &error),
            NotSaved::Partly(reason, written) => issues::partly_saved(&(*reason).into(), &written),
        }
    }
}

/// What a save could not keep, to be told although it succeeded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The file has other names, which still lead to the old content.
    HardLinks(PathBuf),
    /// The file now belongs to whoever saved it.
    Owner(PathBuf),
    /// Some extended attributes or access rights could not be copied.
    Attributes(PathBuf),
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&issues::loss(self))
    }
}

/// Writes files safely, and knows which drafts to remove when the program is stopped.
#[derive(Clone, Debug)]
pub struct Saver {
    drafts: Drafts,
    patience: Duration,
}

impl Default for Saver {
    fn default() -> Self {
        Self::new(Drafts::default())
    }
}

impl Saver {
    /// Makes a saver whose unfinished files are known to these drafts.
    pub fn new(drafts: Drafts) -> Self {
        Self { drafts, patience: Duration::from_secs(30) }
    }

    /// Says how long to wait for another process that holds a lock.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Writes all files or none.
    ///
    /// ```
    /// use hierarch_source::{FileChange, NotSaved, Saver};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("common.yaml");
    /// let saver = Saver::default();
    /// saver.save(&[FileChange::create(&path, b"a: 1\n")]).unwrap();
    /// saver.save(&[FileChange::replace(&path, b"a: 1\n", b"a: 2\n")]).unwrap();
    /// // Whoever read the file before the last save is told.
    /// let late = saver.save(&[FileChange::replace(&path, b"a: 1\n", b"a: 3\n")]);
    /// assert!(matches!(late, Err(NotSaved::Changed(_))));
    /// assert_eq!(std::fs::read(&path)?, b"a: 2\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn save(&self, changes: &[FileChange]) -> Result<Vec<Loss>, NotSaved> {
        let changes = changes.iter().filter(|change| change.old != Some(change.new));
        let mut leftovers = Leftovers::default();
        let mut prepared = changes
            .map(|change| PreparedFile::new(change, &self.drafts, &mut leftovers))
            .collect::<Result<Vec<_>, _>>()?;
        commit::sync(&prepared)?;
        // Files are always locked in the same order, so that two savers of several files never wait for each other.
        prepared.sort_by(|a, b| a.target().cmp(b.target()));
        for file in &mut prepared {
            file.lock(self.patience)?;
        }
        let losses = prepared.iter().flat_map(PreparedFile::losses).collect();
        commit::all(prepared, &self.drafts)?;
        Ok(losses)
    }
}

#[cfg(all(test, unix))]
mod tests;
