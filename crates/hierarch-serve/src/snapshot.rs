//! One state of the files: what it says stays said, whatever happens to the disk.
//!
//! The folders of environments and modules are read at once, everything else when it is first asked for. A snapshot
//! that was taken while files changed is taken again, so that all of it was there at one moment; what has not changed
//! since the snapshot before is shared with it.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use hierarch_source::{DiskFiles, FileKind, Files, without_dots};

/// Files up to this size are read at once; larger ones when they are asked for.
const LARGEST: u64 = 1 << 20;
/// So many bytes are read at once; what comes after is read when it is asked for.
const MOST_BYTES: u64 = 256 << 20;
/// How deep folders may lie in folders.
const DEEPEST: usize = 64;
/// How often a snapshot is taken again because files changed meanwhile.
const TRIES: usize = 20;
/// A file that changed so shortly before it was read may change again without its time telling.
const GRAIN: Duration = Duration::from_millis(50);

/// Folders that hold neither data nor code.
const PASSED_OVER: [&str; 4] = [".git", ".hg", ".hierarch", "node_modules"];

/// What tells whether a file is the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Identity {
    length: u64,
    modified: Option<SystemTime>,
    own: (u64, u64, i64, i64),
}

/// The content of a file, read at once or at the first question.
type Content = OnceLock<Arc<Vec<u8>>>;

struct File {
    identity: Identity,
    kind: FileKind,
    content: Arc<Content>,
    /// It was read so soon after it changed that its identity does not prove anything.
    is_fresh: bool,
}

struct Folder {
    identity: Identity,
    kind: FileKind,
    names: Vec<String>,
}

/// One state of the files.
#[derive(Default)]
pub(crate) struct Snapshot {
    roots: Vec<PathBuf>,
    passed_over: Vec<PathBuf>,
    files: BTreeMap<PathBuf, File>,
    folders: HashMap<PathBuf, Folder>,
    outside: Mutex<HashMap<PathBuf, Outside>>,
}

/// What was found outside of the folders, kept as it was.
#[derive(Clone, Default)]
struct Outside {
    read: Option<Result<Arc<Vec<u8>>, io::ErrorKind>>,
    list: Option<Result<Vec<String>, io::ErrorKind>>,
    kind: Option<(bool, bool)>,
}

impl Snapshot {
    /// Takes a snapshot of some folders; some below them are left to whoever asks for them.
    pub(crate) fn take(
        roots: &[PathBuf],
        passed_over: &[PathBuf],
        before: Option<&Self>,
        now: &dyn Fn() -> SystemTime,
    ) -> Self {
        let mut taken = Self::once(roots, passed_over, before, now());
        for _ in 0..TRIES {
            if taken.is_current() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
            let again = Self::once(roots, passed_over, Some(&taken), now());
            taken = again;
        }
        taken
    }

    fn once(roots: &[PathBuf], passed_over: &[PathBuf], before: Option<&Self>, now: SystemTime) -> Self {
        let mut snapshot =
            Self { roots: roots.to_vec(), passed_over: passed_over.to_vec(), ..Self::default() };
        let mut walk = Walk { snapshot: &mut snapshot, before, now, bytes: 0, around: Vec::new() };
        for root in roots {
            walk.folder(root, 0);
        }
        snapshot
    }

    /// Tells whether everything on the disk is still as it was taken.
    pub(crate) fn is_current(&self) -> bool {
        let same = |path: &Path, identity: &Identity| {
            fs::metadata(path).is_ok_and(|metadata| Identity::of(&metadata) == *identity)
        };
        self.files.iter().all(|(path, file)| !file.is_fresh_still(path) && same(path, &file.identity))
            && self.folders.iter().all(|(path, folder)| same(path, &folder.identity))
            && self.roots.iter().all(|root| self.folders.contains_key(root) == root.is_dir())
    }

    /// Lists the files that differ from another snapshot, sorted.
    pub(crate) fn differences(&self, other: &Self) -> Vec<PathBuf> {
        let differs = |path: &PathBuf, file: &File, other: &Self| match other.files.get(path) {
            None => true,
            Some(known) => !file.is_same(known),
        };
        let mut found: Vec<PathBuf> = self
            .files
            .iter()
            .filter(|(path, file)| differs(path, file, other))
            .map(|(path, _)| path.clone())
            .collect();
        found.extend(other.files.keys().filter(|path| !self.files.contains_key(*path)).cloned());
        found.sort();
        found.dedup();
        found
    }

    /// Tells how many files there are.
    pub(crate) fn count(&self) -> usize {
        self.files.len()
    }

    /// Lists the files in a folder that end as another one does.
    pub(crate) fn siblings(&self, path: &Path) -> Vec<String> {
        let (Some(folder), Some(end)) = (path.parent(), path.extension()) else { return Vec::new() };
        let inside = self.files.range(folder.to_owned()..).take_while(|(other, _)| other.starts_with(folder));
        inside
            .filter(|(other, _)| other.parent() == Some(folder) && other.extension() == Some(end))
            .map(|(other, _)| other.display().to_string())
            .collect()
    }

    fn is_inside(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
            && !self.passed_over.iter().any(|folder| path.starts_with(folder))
    }

    fn outside<T: Clone>(
        &self,
        path: &Path,
        part: impl Fn(&mut Outside) -> &mut Option<T>,
        find: impl FnOnce() -> T,
    ) -> T {
        {
            let mut known = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = part(known.entry(path.to_owned()).or_default()) {
                return found.clone();
            }
        }
        let found = find();
        let mut known = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        part(known.entry(path.to_owned()).or_default()).get_or_insert(found).clone()
    }

    fn bytes(&self, path: &Path) -> io::Result<Arc<Vec<u8>>> {
        let path = &without_dots(path);
        if !self.is_inside(path) {
            let read = || DiskFiles.read(path).map(Arc::new).map_err(|error| error.kind());
            return self.outside(path, |known| &mut known.read, read).map_err(Into::into);
        }
        let Some(file) = self.files.get(path) else {
            let is_folder = self.folders.contains_key(path);
            return Err(if is_folder { io::ErrorKind::IsADirectory } else { io::ErrorKind::NotFound }.into());
        };
        if let Some(content) = file.content.get() {
            return Ok(Arc::clone(content));
        }
        let content = Arc::new(DiskFiles.read(path)?);
        Ok(Arc::clone(file.content.get_or_init(|| content)))
    }

    fn stands(&self, path: &Path) -> (bool, bool) {
        let path = &without_dots(path);
        if self.is_inside(path) {
            return (self.files.contains_key(path), self.folders.contains_key(path));
        }
        self.outside(path, |known| &mut known.kind, || (path.is_file(), path.is_dir()))
    }
}

impl Files for Snapshot {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.bytes(path).map(|bytes| (*bytes).clone())
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let folder = &without_dots(folder);
        if self.is_inside(folder) {
            let known = self.folders.get(folder).map(|folder| folder.names.clone());
            return known.ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let list = || DiskFiles.list(folder).map_err(|error| error.kind());
        self.outside(folder, |known| &mut known.list, list).map_err(Into::into)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.stands(path).0
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.stands(path).1
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let path = &without_dots(path);
        if !self.is_inside(path) {
            return DiskFiles.kind(path);
        }
        let file = self.files.get(path).map(|file| file.kind);
        file.or_else(|| self.folders.get(path).map(|folder| folder.kind))
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        DiskFiles.resolve(path)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        // Nothing changes here: whether there is a file is all that can differ.
        self.is_file(path).then_some(1)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.bytes(path)?;
        if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok((*bytes).clone()) }
    }
}

impl File {
    fn is_same(&self, other: &Self) -> bool {
        let is_known = self.identity == other.identity && !self.is_fresh && !other.is_fresh;
        is_known
            || match (self.content.get(), other.content.get()) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
                _ => self.identity == other.identity,
            }
    }

    /// A file that was read too soon after it changed is compared by its bytes.
    fn is_fresh_still(&self, path: &Path) -> bool {
        self.is_fresh
            && match (self.content.get(), fs::read(path)) {
                (Some(ours), Ok(theirs)) => **ours != theirs,
                (Some(_), Err(_)) => true,
                (None, _) => false,
            }
    }
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let own = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let own = (0, 0, 0, 0);
        Self { length: metadata.len(), modified: metadata.modified().ok(), own }
    }

    fn is_fresh(&self, now: SystemTime) -> bool {
        let age = self.modified.and_then(|modified| now.duration_since(modified).ok());
        age.is_none_or(|age| age < GRAIN)
    }
}

/// Returns a number that differs when one of some files, or a file in one of some folders, has changed.
pub(crate) fn stamp(paths: &[PathBuf]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    let mut note = |path: &Path| {
        // An empty file says as much as none: databases make one beside theirs and take it away.
        let metadata = fs::metadata(path).ok().filter(|metadata| metadata.len() > 0);
        let identity = metadata.map(|metadata| Identity::of(&metadata));
        path.hash(&mut hasher);
        // Not the time of the inode's change: whoever opens a database touches the owner of its files.
        let marks =
            identity.map(|identity| (identity.length, identity.modified, identity.own.0, identity.own.1));
        marks.hash(&mut hasher);
    };
    for path in paths {
        note(path);
        if path.is_dir() {
            let names = DiskFiles.list(path).unwrap_or_default();
            names.iter().for_each(|name| note(&path.join(name)));
        }
    }
    hasher.finish()
}

/// A walk through folders.
struct Walk<'w> {
    snapshot: &'w mut Snapshot,
    before: Option<&'w Snapshot>,
    now: SystemTime,
    bytes: u64,
    /// The folders around, so that links in circles end.
    around: Vec<PathBuf>,
}

impl Walk<'_> {
    fn folder(&mut self, path: &Path, depth: usize) {
        let Ok(metadata) = fs::metadata(path) else { return };
        let Ok(real) = fs::canonicalize(path) else { return };
        if !metadata.is_dir() || self.around.contains(&real) || depth > DEEPEST {
            return;
        }
        self.around.push(real);
        let names = DiskFiles.list(path).unwrap_or_default();
        for name in &names {
            self.entry(&path.join(name), name, depth);
        }
        self.around.pop();
        let kind = DiskFiles.kind(path).unwrap_or(FileKind::Folder);
        let folder = Folder { identity: Identity::of(&metadata), kind, names };
        self.snapshot.folders.insert(path.to_owned(), folder);
    }

    fn entry(&mut self, path: &Path, name: &str, depth: usize) {
        if PASSED_OVER.contains(&name) || self.snapshot.passed_over.iter().any(|folder| folder == path) {
            return;
        }
        let Ok(metadata) = fs::metadata(path) else { return };
        if metadata.is_dir() {
            self.folder(path, depth + 1);
        } else if metadata.is_file() {
            let file = self.file(path, &metadata);
            self.snapshot.files.insert(path.to_owned(), file);
        }
    }

    fn file(&mut self, path: &Path, metadata: &Metadata) -> File {
        let identity = Identity::of(metadata);
        let kind = DiskFiles.kind(path).unwrap_or(FileKind::File);
        let known = self.before.and_then(|before| before.files.get(path));
        if let Some(known) = known.filter(|known| known.identity == identity && !known.is_fresh) {
            return File { identity, kind, content: Arc::clone(&known.content), is_fresh: false };
        }
        let content = Content::new();
        let is_small = identity.length <= LARGEST && self.bytes + identity.length <= MOST_BYTES;
        if is_small && let Ok(bytes) = DiskFiles.read(path) {
            self.bytes += identity.length;
            // Nobody else has it yet.
            let _ = content.set(Arc::new(bytes));
        }
        File { identity, kind, content: Arc::new(content), is_fresh: identity.is_fresh(self.now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(folder: &Path, before: Option<&Snapshot>) -> Snapshot {
        Snapshot::take(&[folder.to_owned()], &[folder.join("facts")], before, &SystemTime::now)
    }

    #[test]
    fn a_snapshot_keeps_what_it_saw() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("data/nodes")).expect("a folder");
        fs::write(root.join("data/a.yaml"), "a: 1").expect("a file");
        fs::write(root.join("data/b.yaml"), "b: 1").expect("a file");
        let first = take(root, None);
        fs::write(root.join("data/a.yaml"), "a: 2").expect("a file");
        fs::remove_file(root.join("data/b.yaml")).expect("removed");
        fs::write(root.join("data/nodes/c.yaml"), "c: 1").expect("a file");
        assert_eq!(first.read(&root.join("data/../data/a.yaml")).expect("readable"), b"a: 1");
        assert!(first.is_file(&root.join("data/b.yaml")) && !first.is_file(&root.join("data/nodes/c.yaml")));
        assert_eq!(first.list(&root.join("data")).expect("a folder"), ["a.yaml", "b.yaml", "nodes"]);
        assert!(!first.is_current());
        let second = take(root, Some(&first));
        assert!(second.is_current());
        assert_eq!(second.read(&root.join("data/a.yaml")).expect("readable"), b"a: 2");
        let names: Vec<_> =
            second.differences(&first).iter().map(|path| path.file_name().map(Into::into)).collect();
        assert_eq!(names, [Some(PathBuf::from("a.yaml")), Some("b.yaml".into()), Some("c.yaml".into())]);
        assert!(take(root, Some(&second)).differences(&second).is_empty());
    }

    #[test]
    fn facts_and_what_lies_outside_are_read_when_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        fs::create_dir_all(root.join("facts")).expect("a folder");
        fs::write(root.join("facts/n.yaml"), "a: 1").expect("a file");
        fs::write(folder.path().join("key.pem"), "key").expect("a file");
        let snapshot = take(&root, None);
        assert_eq!(snapshot.count(), 0);
        assert!(snapshot.is_file(&root.join("facts/n.yaml")));
        assert_eq!(snapshot.read(&folder.path().join("key.pem")).expect("readable"), b"key");
        fs::write(folder.path().join("key.pem"), "other").expect("a file");
        assert_eq!(snapshot.read(&folder.path().join("key.pem")).expect("readable"), b"key");
    }
}
