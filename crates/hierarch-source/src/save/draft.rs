//! Files and folders that are not finished: exclusively named, removed whatever happens.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::keep;

const ENDING: &str = ".hierarch~";

/// How many names are tried before giving up.
const TRIES: usize = 64;

/// How long an editor gets to notice that its folder goes.
const PAUSE: Duration = Duration::from_millis(2);

/// Of a long name only this much goes into the name of its draft: names have at most 255 bytes.
const NAME_BYTES: usize = 200;

/// The unfinished files and folders of a program, so that a signal can end it without leaving them.
#[derive(Clone, Debug, Default)]
pub struct Drafts(Arc<Mutex<KnownDraft>>);

#[derive(Debug, Default)]
struct KnownDraft {
    paths: BTreeSet<PathBuf>,
    /// New folders for files that are not in place yet, the deepest first.
    folders: Vec<PathBuf>,
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
        for folder in std::mem::take(&mut known.folders) {
            // Not empty: another writer uses it by now.
            let _ = fs::remove_dir(folder);
        }
    }

    /// Makes a folder for the owner alone below another one, removed with all that is in it.
    pub fn folder(&self, parent: &Path) -> io::Result<DraftFolder> {
        Leftovers::default().remove(parent, OsStr::new("hierarch"));
        let (path, lock) = self.begin(parent, OsStr::new("hierarch"), |path| {
            keep::make_private_folder(path)?;
            File::open(path)
        })?;
        Ok(DraftFolder { path, _lock: lock, drafts: self.clone() })
    }

    /// Makes a file in a folder, for the content of another one.
    pub(super) fn file(
        &self,
        target: &Path,
        is_private: bool,
        leftovers: &mut Leftovers,
    ) -> io::Result<Draft> {
        let folder = target.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        leftovers.remove(folder, name);
        let (path, file) = self.begin(folder, name, |path| {
            let mut options = OpenOptions::new();
            keep::limit_mode(&mut options, is_private);
            options.read(true).write(true).create_new(true).open(path)
        })?;
        Ok(Draft { path, file, drafts: self.clone() })
    }

    /// Makes something under a name that is not taken, and locks it, so that it can be told from what a killed
    /// program has left.
    fn begin(
        &self,
        folder: &Path,
        name: &OsStr,
        make: impl Fn(&Path) -> io::Result<File>,
    ) -> io::Result<(PathBuf, File)> {
        for _ in 0..TRIES {
            let path = folder.join(draft_name(name));
            let made = self.make(|known| {
                let made =
                    make(&path).and_then(|made| claimed(&path, made).inspect_err(|_| remove(&path)))?;
                if made.is_some() {
                    known.paths.insert(path.clone());
                }
                Ok(made)
            });
            match made {
                Ok(Some(made)) => return Ok((path, made)),
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Makes folders that shall go again, as long as they are empty, if the program is stopped before their file
    /// is in place.
    pub(super) fn folders(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.make(|known| {
            let missing = folder.ancestors().take_while(|at| !at.exists() && !at.as_os_str().is_empty());
            let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
            fs::create_dir_all(folder)?;
            known.folders.extend(missing.iter().cloned());
            Ok(missing)
        })
    }

    /// Forgets folders that stay, or are gone.
    pub(super) fn forget_folders(&self, folders: &[PathBuf]) {
        self.known().folders.retain(|known| !folders.contains(known));
    }

    /// Makes something and takes note of it in one step, so that nothing is made behind the back of a signal:
    /// once the drafts are closed, or while they are, nothing begins.
    fn make<T>(&self, make: impl FnOnce(&mut KnownDraft) -> io::Result<T>) -> io::Result<T> {
        let mut known = self.known();
        if known.is_closed {
            return Err(io::ErrorKind::Interrupted.into());
        }
        make(&mut known)
    }

    fn forget(&self, path: &Path) {
        self.known().paths.remove(path);
    }

    fn known(&self) -> MutexGuard<'_, KnownDraft> {
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
        Ok(found) if found.is_dir() => remove_folder(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
}

/// Removes a folder although another program, an editor that has not ended yet, may still put files into it.
fn remove_folder(path: &Path) -> io::Result<()> {
    for _ in 0..TRIES {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => thread::sleep(PAUSE),
            done => return done,
        }
    }
    fs::remove_dir_all(path)
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

/// What programs that were killed in the middle of a save have left in folders, each of which is read once: drafts that nobody
/// has locked.
#[derive(Debug, Default)]
pub(super) struct Leftovers(HashMap<PathBuf, Vec<OsString>>);

impl Leftovers {
    /// Removes what was left for a file.
    fn remove(&mut self, folder: &Path, name: &OsStr) {
        if !self.0.contains_key(folder) {
            self.0.insert(folder.to_owned(), drafts_in(folder));
        }
        let Some(found) = self.0.get_mut(folder).filter(|found| !found.is_empty()) else { return };
        let beginning = beginning(name);
        for draft in found.extract_if(.., |found| is_draft_of(found, &beginning)) {
            let path = folder.join(draft);
            // The lock is held until the draft is gone: a program that is just about to lock what it made finds nothing then.
            if let Ok(left) = keep::open_own(&path)
                && left.try_lock().is_ok()
            {
                remove(&path);
            }
        }
    }
}

/// The names in a folder that drafts have.
fn drafts_in(folder: &Path) -> Vec<OsString> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name());
    names.filter(|name| name.as_encoded_bytes().ends_with(ENDING.as_bytes())).collect()
}
