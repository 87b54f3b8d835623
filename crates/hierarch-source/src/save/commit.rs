//! New contents on their way into place: prepared, locked, compared, then all of them or none.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::draft::{Draft, Drafts, Leftovers};
use super::keep::Losses;
use super::{FileChange, Loss, NotSaved, keep, lock};

/// A new content, written beside its file and waiting to take its place.
#[derive(Debug)]
pub(super) struct PreparedFile<'a> {
    change: FileChange<'a>,
    target: PathBuf,
    draft: Draft,
    /// The file that will be replaced; none where there was none.
    old: Option<File>,
    kept: Losses,
    folders: NewFolders,
}

impl<'a> PreparedFile<'a> {
    /// Writes a new content; what is left of saves that were killed is removed on the way.
    pub(super) fn new(
        change: &FileChange<'a>,
        drafts: &Drafts,
        leftovers: &mut Leftovers,
    ) -> Result<Self, NotSaved> {
        let prepared = if change.old.is_some() {
            Self::to_replace(change, drafts, leftovers)
        } else {
            Self::to_create(change, drafts, leftovers)
        };
        prepared.map_err(|error| match (change.old, error.kind()) {
            (Some(_), io::ErrorKind::NotFound) | (None, io::ErrorKind::AlreadyExists) => {
                NotSaved::Changed(change.path.to_owned())
            }
            _ => NotSaved::Failed(change.path.to_owned(), error),
        })
    }

    fn to_replace(change: &FileChange<'a>, drafts: &Drafts, leftovers: &mut Leftovers) -> io::Result<Self> {
        let target = fs::canonicalize(change.path)?;
        let old = lock::open(&target)?;
        let mut draft = drafts.file(&target, true, leftovers)?;
        draft.file.write_all(change.new)?;
        let kept = keep::attributes(&old, &draft.file)?;
        let folders = NewFolders::default();
        Ok(Self { change: *change, target, draft, old: Some(old), kept, folders })
    }

    fn to_create(change: &FileChange<'a>, drafts: &Drafts, leftovers: &mut Leftovers) -> io::Result<Self> {
        let name = change.path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        // A link that leads nowhere is there, too.
        if change.path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let folder = change.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let folders = NewFolders::make(folder, drafts)?;
        let target = fs::canonicalize(folder)?.join(name);
        let mut draft = drafts.file(&target, change.is_private, leftovers)?;
        draft.file.write_all(change.new)?;
        Ok(Self { change: *change, target, draft, old: None, kept: Losses::default(), folders })
    }

    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Brings the new content to the disk, which it must be on before it takes a place.
    fn sync(&self) -> Result<(), NotSaved> {
        self.draft.file.sync_all().map_err(NotSaved::failed(self.change.path))
    }

    /// Locks the file and makes sure that it is what was read. A new file needs no lock: it is put in place in
    /// one step that fails where there is one.
    pub(super) fn lock(&mut self, patience: Duration) -> Result<(), NotSaved> {
        let (Some(file), Some(old)) = (self.old.take(), self.change.old) else { return Ok(()) };
        let file = lock::lock(&self.target, file, patience)?;
        let is_current = lock::has_content(&file, old).map_err(NotSaved::failed(self.change.path))?;
        self.old = Some(file);
        if is_current { Ok(()) } else { Err(NotSaved::Changed(self.change.path.to_owned())) }
    }

    /// Returns what the new file does not have of the old one.
    pub(super) fn losses(&self) -> Vec<Loss> {
        self.kept.losses(self.change.path)
    }

    /// Puts the new content in place; the lock is held until this returns.
    fn commit(self) -> Result<CommittedFile<'a>, NotSaved> {
        let Self { change, target, draft, old, folders, .. } = self;
        let moved = if old.is_some() { draft.replace(&target) } else { draft.create(&target) };
        moved.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => NotSaved::Changed(change.path.to_owned()),
            _ => NotSaved::Failed(change.path.to_owned(), error),
        })?;
        Ok(CommittedFile { change, target, folders })
    }
}

/// So many contents are brought to the disk at the same time: the file system needs hardly longer for all than for one.
const MOST_AT_ONCE: usize = 16;

/// Brings all new contents to the disk.
pub(super) fn sync(prepared: &[PreparedFile]) -> Result<(), NotSaved> {
    let some = |part: &[PreparedFile]| part.iter().try_for_each(PreparedFile::sync);
    let parts = prepared.chunks(prepared.len().div_ceil(MOST_AT_ONCE).max(1));
    thread::scope(|scope| {
        let mut begun = Vec::new();
        let (mut parts, mut done) = (parts, Ok(()));
        // The last part needs no thread of its own, nor does any where the system has none to give.
        while let (Some(part), Ok(())) = (parts.next(), &done) {
            let spawned = (parts.len() > 0)
                .then(|| thread::Builder::new().spawn_scoped(scope, move || some(part)).ok())
                .flatten();
            match spawned {
                Some(thread) => begun.push(thread),
                None => done = some(part),
            }
        }
        let ended =
            begun.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ended.fold(done, |done, ended| done.and(ended))
    })
}

/// Brings the names of files to the disk, which they are on once their folders are; a file system that cannot promise this has
/// been asked.
fn sync_folders<'f>(targets: impl Iterator<Item = &'f Path>) {
    let folders: BTreeSet<&Path> = targets.filter_map(Path::parent).collect();
    for folder in folders {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Puts all contents in place; where one fails, those before it are taken back.
pub(super) fn all(prepared: Vec<PreparedFile>, drafts: &Drafts) -> Result<(), NotSaved> {
    let mut committed = Vec::new();
    for file in prepared {
        match file.commit() {
            Ok(file) => committed.push(file),
            Err(reason) => {
                // The failure that led here is what is told, not why a file could not be taken back.
                let stuck = committed.into_iter().filter_map(|file| {
                    let path = file.change.path.to_owned();
                    file.take_back(drafts).err().map(|_| path)
                });
                return Err(reason.with_written(stuck.collect()));
            }
        }
    }
    sync_folders(committed.iter().map(|file| file.target.as_path()));
    committed.into_iter().for_each(|file| file.folders.stay());
    Ok(())
}

/// A content in its place, to be taken back if a later file fails.
struct CommittedFile<'a> {
    change: FileChange<'a>,
    target: PathBuf,
    folders: NewFolders,
}

impl CommittedFile<'_> {
    fn take_back(self, drafts: &Drafts) -> Result<(), NotSaved> {
        let Some(old) = self.change.old else {
            let removed = fs::remove_file(&self.target).map_err(NotSaved::failed(&self.target));
            sync_folders(std::iter::once(self.target.as_path()));
            return removed;
        };
        let back = FileChange::replace(&self.target, self.change.new, old);
        let mut prepared = PreparedFile::new(&back, drafts, &mut Leftovers::default())?;
        prepared.sync()?;
        prepared.lock(Duration::ZERO)?;
        prepared.commit()?;
        sync_folders(std::iter::once(self.target.as_path()));
        Ok(())
    }
}

/// Folders that were made for a new file, and go again if it does not come.
#[derive(Debug, Default)]
struct NewFolders {
    made: Vec<PathBuf>,
    drafts: Drafts,
}

impl NewFolders {
    fn make(folder: &Path, drafts: &Drafts) -> io::Result<Self> {
        Ok(Self { made: drafts.folders(folder)?, drafts: drafts.clone() })
    }

    fn stay(mut self) {
        self.drafts.forget_folders(&std::mem::take(&mut self.made));
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in &self.made {
            // Not empty: another writer uses it by now.
            let _ = fs::remove_dir(folder);
        }
        self.drafts.forget_folders(&self.made);
    }
}
