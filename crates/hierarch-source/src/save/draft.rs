//! Files and folders that are not finished: exclusively named, removed whatever happens.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::keep;

const ENDING: &str = ".hierarch~";

/// How many names are tried before giving up.
const TRIES: usize = 64;

/// Of a long name only this much goes into the name of its draft: names have at most 255 bytes.
const NAME_BYTES: usize = 200;

/// The unfinished files and folders of a program, so that a signal can end it without leaving them.
#[derive(Clone, Debug, Default)]
pub struct Drafts(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    paths: BTreeSet<PathBuf>,
    is_closed: bool,
}

impl Drafts {
    /// Removes all drafts and lets no new one begin: the program is about to end.
    pub fn close(&self) {
        let mut known = self.known();
        known.is_closed = true;
        for path in std::mem::take(&mut known.paths) {
            remove(&path);
        }
    }

    /// Makes a folder for the owner alone below another one, removed with all that is in it.
    pub fn folder(&self, parent: &Path) -> io::Result<DraftFolder> {
        remove_leftovers(parent, OsStr::new("hierarch"));
        let (path, lock) = self.begin(parent, OsStr::new("hierarch"), |path| {
            keep::make_private_folder(path)?;
            File::open(path)
        })?;
        Ok(DraftFolder { path, _lock: lock, drafts: self.clone() })
    }

    /// Makes a file in a folder, for the content of another one.
    pub(super) fn file(&self, target: &Path, is_private: bool) -> io::Result<Draft> {
        let folder = target.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        remove_leftovers(folder, name);
        let (path, file) = self.begin(folder, name, |path| {
            let mut options = OpenOptions::new();
            keep::limit_mode(&mut options, is_private);
            options.read(true).write(true).create_new(true).open(path)
        })?;
        Ok(Draft { path, file, drafts: self.clone() })
    }

    /// Makes something under a name that is not taken, known here before it exists, and locks it, so that it
    /// can be told from what a killed program has left.
    fn begin(
        &self,
        folder: &Path,
        name: &OsStr,
        make: impl Fn(&Path) -> io::Result<File>,
    ) -> io::Result<(PathBuf, File)> {
        for _ in 0..TRIES {
            let path = folder.join(draft_name(name));
            self.add(&path)?;
            match make(&path).and_then(|made| claimed(&path, made)) {
                Ok(Some(made)) => return Ok((path, made)),
                Ok(None) => self.forget(&path),
                Err(error) => {
                    self.forget(&path);
                    if error.kind() != io::ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn add(&self, path: &Path) -> io::Result<()> {
        let mut known = self.known();
        if known.is_closed {
            return Err(io::ErrorKind::Interrupted.into());
        }
        known.paths.insert(path.to_owned());
        Ok(())
    }

    fn forget(&self, path: &Path) {
        self.known().paths.remove(path);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locks what was just made. None: it was taken for a leftover and is gone.
fn claimed(path: &Path, made: File) -> io::Result<Option<File>> {
    match made.lock() {
        Ok(()) => {}
        // Without locks nobody removes leftovers either.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(Some(made)),
        Err(error) => return Err(error),
    }
    Ok(path.symlink_metadata().is_ok().then_some(made))
}

/// A new content beside its file.
#[derive(Debug)]
pub(super) struct Draft {
    path: PathBuf,
    pub(super) file: File,
    drafts: Drafts,
}

impl Draft {
    /// Puts it in the place of a file.
    pub(super) fn replace(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }

    /// Puts it where no file may be.
    pub(super) fn create(self, target: &Path) -> io::Result<()> {
        keep::rename_to_nothing(&self.path, target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename there is nothing under this name.
        let _ = fs::remove_file(&self.path);
        self.drafts.forget(&self.path);
    }
}

/// A folder for the owner alone, removed with all that is in it.
#[derive(Debug)]
pub struct DraftFolder {
    path: PathBuf,
    /// Tells it from one that a killed program has left.
    _lock: File,
    drafts: Drafts,
}

impl DraftFolder {
    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for DraftFolder {
    fn drop(&mut self) {
        remove(&self.path);
        self.drafts.forget(&self.path);
    }
}

fn remove(path: &Path) {
    // There is nobody to tell: the program ends, or has told of a failure already.
    let _ = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
}

fn draft_name(name: &OsStr) -> OsString {
    let mut result = beginning(name);
    // The hasher's keys come from the system's source of chance.
    result.push(format!("{:016x}{ENDING}", RandomState::new().build_hasher().finish()));
    result
}

fn beginning(name: &OsStr) -> OsString {
    let mut result = OsString::from(".");
    if name.len() <= NAME_BYTES {
        result.push(name);
    } else {
        let name = name.to_string_lossy();
        result.push(&name[..name.floor_char_boundary(NAME_BYTES)]);
    }
    result.push(".");
    result
}

fn is_draft_of(found: &OsStr, beginning: &OsStr) -> bool {
    let rest = found.as_encoded_bytes().strip_prefix(beginning.as_encoded_bytes());
    let number = rest.and_then(|rest| rest.strip_suffix(ENDING.as_bytes()));
    number.is_some_and(|number| number.len() == 16 && number.iter().all(u8::is_ascii_hexdigit))
}

/// Removes what a program that was killed in the middle of a save has left: drafts that nobody has locked.
fn remove_leftovers(folder: &Path, name: &OsStr) {
    let beginning = beginning(name);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_draft_of(&entry.file_name(), &beginning)) {
        if let Ok(file) = keep::open_own(&entry.path())
            && file.try_lock().is_ok()
        {
            remove(&entry.path());
        }
    }
}
