//! The files of a revision as [`Files`]: what lies outside of the repository, or what git does not track, is read
//! from the disk.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::ByteSlice;
use hierarch_source::{DiskFiles, Error, FileKind, Files};

use crate::issues;
use crate::table::{Entry, Object, Table};

/// The files of a tree, as if they stood in a folder of the disk.
pub struct GitFiles {
    table: Table,
    root: PathBuf,
    untracked: Vec<PathBuf>,
    outside: Arc<dyn Files>,
    notes: Mutex<BTreeSet<String>>,
    broken: Mutex<BTreeSet<String>>,
}

/// As many links are followed as Linux follows.
const MOST_LINKS: usize = 40;

/// A pointer of Git LFS begins with this, and is short.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Where a path leads.
enum Target<'f> {
    /// To an entry of the tree, at this path in it.
    Tree(String, &'f Entry),
    /// Out of the tree's folder.
    Outside,
    /// Nowhere.
    Nowhere,
    /// Into a submodule that is not here.
    Module(String),
}

impl GitFiles {
    pub(crate) fn new(table: Table, root: PathBuf) -> Self {
        let (notes, broken) = (Mutex::default(), Mutex::default());
        Self { table, root, untracked: Vec::new(), outside: Arc::new(DiskFiles), notes, broken }
    }

    /// Reads a folder from the disk, because git does not track it.
    #[must_use]
    pub fn with_untracked(mut self, folder: PathBuf) -> Self {
        self.untracked.push(folder);
        self
    }

    /// Reads what is not in the tree's folder from somewhere else than the disk.
    #[must_use]
    pub fn with_outside(mut self, files: Arc<dyn Files>) -> Self {
        self.outside = files;
        self
    }

    /// Returns the folder that the tree stands for.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Tells whether the tree itself has a file or folder at a path.
    pub fn tracks(&self, path: &Path) -> bool {
        let relative = path.strip_prefix(&self.root).ok().and_then(plain);
        relative.is_some_and(|path| self.table.entries.contains_key(&path))
    }

    /// Returns what a reader should know: links that lead out of the tree, submodules that are not here.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Lists the files that are tracked, links among them, by their paths below the repository's top.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.objects().map(|(path, _)| path)
    }

    /// Returns which objects could not be read so far, and why. Nothing that was asked since then says what the revision holds.
    pub fn broken(&self) -> Option<Error> {
        let broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        (!broken.is_empty()).then(|| issues::broken_objects(&broken.iter().cloned().collect::<Vec<_>>()))
    }

    /// Returns the id of the file or folder that a path leads to: equal ids, equal content.
    pub fn id(&self, path: &Path) -> Option<String> {
        match self.find(path) {
            Target::Tree(_, Entry::File(object)) => Some(object.id.to_string()),
            Target::Tree(_, Entry::Folder(_, id)) => id.map(|id| id.to_string()),
            _ => None,
        }
    }

    /// Lists the files of the tree, with their ids.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (&str, Object)> {
        self.table.entries.iter().filter_map(|(path, entry)| match entry {
            Entry::File(object) | Entry::Link(object) => Some((path.as_str(), *object)),
            Entry::Folder(..) | Entry::Missing => None,
        })
    }

    pub(crate) fn entry(&self, path: &str) -> Option<&Entry> {
        self.table.entries.get(path)
    }

    /// Reads an object whole.
    pub(crate) fn blob(&self, object: Object) -> io::Result<Vec<u8>> {
        let local = self.table.stores[object.store].to_thread_local();
        let blob = local.find_blob(object.id).map_err(|error| self.unreadable(object, &error.to_string()));
        blob.map(|mut blob| blob.take_data())
    }

    /// Tells how large an object is, without unpacking it.
    fn size(&self, object: Object) -> io::Result<u64> {
        let local = self.table.stores[object.store].to_thread_local();
        let header = local.find_header(object.id);
        header.map(|header| header.size()).map_err(|error| self.unreadable(object, &error.to_string()))
    }

    fn unreadable(&self, object: Object, why: &str) -> io::Error {
        let message = issues::broken_object(&object.id.to_string(), why);
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).insert(message.clone());
        io::Error::other(message)
    }

    fn find(&self, path: &Path) -> Target<'_> {
        if self.untracked.iter().any(|folder| path.starts_with(folder)) {
            return Target::Outside;
        }
        let Ok(relative) = path.strip_prefix(&self.root) else { return Target::Outside };
        let Some(mut path) = plain(relative) else { return Target::Outside };
        for _ in 0..MOST_LINKS {
            match self.step(&path) {
                Ok(target) => return target,
                Err(next) => path = next,
            }
        }
        self.note(issues::links_in_a_ring(&path));
        Target::Nowhere
    }

    /// Finds a path of the tree, or the path to go on with once the first link in it has been followed.
    fn step(&self, path: &str) -> Result<Target<'_>, String> {
        match self.table.entries.get(path) {
            Some(Entry::Missing) => return Ok(self.missing(path)),
            Some(entry @ (Entry::File(_) | Entry::Folder(..))) => {
                return Ok(Target::Tree(path.to_owned(), entry));
            }
            _ => {}
        }
        if !self.table.has_links && self.table.missing.is_empty() {
            return Ok(Target::Nowhere);
        }
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for end in ends {
            match self.table.entries.get(&path[..end]) {
                Some(Entry::Folder(..)) => {}
                Some(Entry::Link(object)) => return self.follow(path, end, *object),
                Some(Entry::Missing) => return Ok(self.missing(&path[..end])),
                Some(Entry::File(_)) | None => return Ok(Target::Nowhere),
            }
        }
        Ok(Target::Nowhere)
    }

    fn follow(&self, path: &str, end: usize, link: Object) -> Result<Target<'_>, String> {
        let Ok(target) = self.blob(link) else { return Ok(Target::Nowhere) };
        let target = target.to_str_lossy().into_owned();
        let folder = path[..end].rsplit_once('/').map_or("", |(folder, _)| folder);
        let joined = match Path::new(&target).strip_prefix(&self.root) {
            Ok(inside) if Path::new(&target).is_absolute() => inside.to_owned(),
            _ => Path::new(folder).join(&target),
        };
        let Some(inside) = plain(&joined) else {
            self.note(issues::link_leaves(&path[..end], &target));
            return Ok(Target::Nowhere);
        };
        Err(format!("{inside}{}", &path[end..]).trim_start_matches('/').to_owned())
    }

    fn missing(&self, path: &str) -> Target<'_> {
        let commit = self.table.missing.get(path).map_or("", String::as_str);
        let message = issues::no_submodule(path, commit);
        self.note(message.clone());
        Target::Module(message)
    }

    fn outside_kind(&self, path: &Path) -> Option<FileKind> {
        match self.find(path) {
            Target::Outside => self.outside.kind(path),
            _ => None,
        }
    }

    fn note(&self, text: String) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
    }
}

/// Returns a path relative to the top, without `.` and `..`; nothing if it leads out.
fn plain(path: &Path) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => names.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => {
                names.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(names.join("/"))
}

impl Files for GitFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.find(path) {
            Target::Outside => self.outside.read(path),
            Target::Tree(name, Entry::File(object)) => {
                let bytes = self.blob(*object)?;
                let is_pointer = bytes.len() < 1024 && bytes.starts_with(LFS);
                if is_pointer { Err(io::Error::other(issues::lfs_pointer(&name))) } else { Ok(bytes) }
            }
            Target::Tree(..) => Err(io::ErrorKind::IsADirectory.into()),
            Target::Module(message) => Err(io::Error::other(message)),
            Target::Nowhere => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.find(path) {
            Target::Outside => self.outside.read_at_most(path, most),
            Target::Tree(_, Entry::File(object)) if self.size(*object)? > most => {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            _ => self.read(path),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        match self.find(folder) {
            Target::Outside => self.outside.list(folder),
            Target::Tree(_, Entry::Folder(names, _)) => Ok(names.clone()),
            Target::Tree(..) => Err(io::ErrorKind::NotADirectory.into()),
            Target::Module(message) => Err(io::Error::other(message)),
            Target::Nowhere => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        match self.find(path) {
            Target::Outside => self.outside.is_file(path),
            target => matches!(target, Target::Tree(_, Entry::File(_))),
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        match self.find(path) {
            Target::Outside => self.outside.is_folder(path),
            target => matches!(target, Target::Tree(_, Entry::Folder(..))),
        }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let Target::Tree(_, entry) = self.find(path) else { return self.outside_kind(path) };
        // What stands elsewhere than in the folder it was looked for in is behind a link.
        let beside = path.parent().and_then(|folder| self.resolve(folder).ok()).zip(path.file_name());
        let is_link = beside
            .is_some_and(|(folder, name)| self.resolve(path).is_ok_and(|target| target != folder.join(name)));
        Some(match entry {
            _ if is_link => FileKind::Link,
            Entry::Folder(..) => FileKind::Folder,
            _ => FileKind::File,
        })
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        match self.find(path) {
            Target::Outside => self.outside.resolve(path),
            Target::Tree(name, _) => {
                Ok(if name.is_empty() { self.root.clone() } else { self.root.join(name) })
            }
            Target::Module(message) => Err(io::Error::other(message)),
            Target::Nowhere => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        match self.find(path) {
            Target::Outside => self.outside.stamp(path),
            Target::Tree(_, Entry::File(object)) => {
                let bytes = object.id.as_bytes().first_chunk::<8>()?;
                Some(u64::from_be_bytes(*bytes))
            }
            _ => None,
        }
    }
}
