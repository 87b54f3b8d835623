//! Files with some of them replaced, added or taken away: what would be if a change were made.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{FileKind, Files};

/// Other files, seen with changes that nobody has written.
///
/// ```
/// use std::path::Path;
/// use hierarch_source::{Files, MemoryFiles, Overlay};
///
/// let files = MemoryFiles::from([("data/common.yaml", "port: 80"), ("data/old.yaml", "")]);
/// let mut overlay = Overlay::new(files);
/// overlay.insert("data/common.yaml", "port: 8080");
/// overlay.insert("data/new.yaml", "");
/// overlay.remove("data/old.yaml");
/// assert_eq!(overlay.read(Path::new("data/common.yaml")).unwrap(), b"port: 8080");
/// assert_eq!(overlay.list(Path::new("data")).unwrap(), ["common.yaml", "new.yaml"]);
/// ```
#[derive(Clone)]
pub struct Overlay {
    below: Arc<dyn Files>,
    /// The new bytes of files by their path; none for one that is taken away.
    changes: BTreeMap<PathBuf, Option<Vec<u8>>>,
}

impl Overlay {
    /// Lays an overlay without any change over files.
    pub fn new(below: impl Files + 'static) -> Self {
        Self { below: Arc::new(below), changes: BTreeMap::new() }
    }

    /// Adds a file or replaces the one that is there.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.changes.insert(path.into(), Some(bytes.into()));
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: impl Into<PathBuf>) {
        self.changes.insert(path.into(), None);
    }

    /// Finds what is changed about a file, which may be named by another path than the change was.
    fn change(&self, path: &Path) -> Option<&Option<Vec<u8>>> {
        if self.changes.is_empty() {
            return None;
        }
        let resolved = || self.below.resolve(path).ok();
        self.changes.get(path).or_else(|| self.changes.get(&resolved()?))
    }
}

impl Files for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.change(path) {
            Some(Some(bytes)) => Ok(bytes.clone()),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => self.below.read(path),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let below = self.below.list(folder);
        let mut names = BTreeSet::new();
        for (path, bytes) in &self.changes {
            let mut parts = path.strip_prefix(folder).into_iter().flat_map(Path::components);
            let first = parts.next().map(|name| name.as_os_str().to_string_lossy().into_owned());
            names.extend(first.filter(|_| bytes.is_some()));
        }
        if names.is_empty() && below.is_err() {
            return below;
        }
        names.extend(below.unwrap_or_default());
        names.retain(|name| self.changes.get(&folder.join(name)).is_none_or(Option::is_some));
        Ok(names.into_iter().collect())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.change(path).map_or_else(|| self.below.is_file(path), Option::is_some)
    }

    fn is_folder(&self, path: &Path) -> bool {
        let holds = |(file, bytes): (&PathBuf, &Option<Vec<u8>>)| {
            bytes.is_some() && file != path && file.starts_with(path)
        };
        self.below.is_folder(path) || self.changes.iter().any(holds)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        match self.change(path) {
            Some(bytes) => bytes.as_ref().map(|_| FileKind::File),
            None => self.below.kind(path).or_else(|| self.is_folder(path).then_some(FileKind::Folder)),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if matches!(self.changes.get(path), Some(Some(_))) {
            return self.below.resolve(path).or_else(|_| Ok(path.to_owned()));
        }
        self.below.resolve(path)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        match self.change(path) {
            Some(bytes) => bytes.as_deref().map(crate::files::sum),
            None => self.below.stamp(path),
        }
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.change(path) {
            Some(Some(bytes)) if bytes.len() as u64 > most => Err(io::ErrorKind::FileTooLarge.into()),
            Some(_) => self.read(path),
            None => self.below.read_at_most(path, most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::MemoryFiles;

    fn overlay() -> Overlay {
        let mut overlay =
            Overlay::new(MemoryFiles::from([("a/x", "old"), ("a/y", "stays"), ("b/z", "alone")]));
        overlay.insert("a/x", "new");
        overlay.insert("c/d/e", "added");
        overlay.remove("b/z");
        overlay
    }

    #[test]
    fn changes_are_seen_and_the_rest_is_as_below() {
        let files = overlay();
        let text = |path: &str| {
            files.read(Path::new(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        assert_eq!(text("a/x").ok().as_deref(), Some("new"));
        assert_eq!(text("a/y").ok().as_deref(), Some("stays"));
        assert_eq!(text("c/d/e").ok().as_deref(), Some("added"));
        assert_eq!(text("b/z").expect_err("it was taken away").kind(), io::ErrorKind::NotFound);
        assert_eq!(text("a/./x").ok().as_deref(), Some("new"), "another name of the same file");
    }

    #[test]
    fn folders_follow_their_files() {
        let files = overlay();
        assert_eq!(files.list(Path::new("")).expect("a folder"), ["a", "b", "c"]);
        assert_eq!(files.list(Path::new("b")).expect("still a folder"), Vec::<String>::new());
        assert_eq!(files.list(Path::new("c/d")).expect("a new folder"), ["e"]);
        assert!(files.list(Path::new("nowhere")).is_err());
        assert!(files.is_folder(Path::new("c/d")) && !files.is_folder(Path::new("c/d/e")));
        assert!(files.is_file(Path::new("c/d/e")) && !files.is_file(Path::new("b/z")));
    }

    #[test]
    fn a_change_changes_the_stamp_and_keeps_to_the_limit() {
        let (files, below) = (overlay(), MemoryFiles::from([("a/x", "old")]));
        let path = Path::new("a/x");
        assert_ne!(files.stamp(path), below.stamp(path));
        assert_eq!(files.stamp(Path::new("b/z")), None);
        assert_eq!(files.read_at_most(path, 2).expect_err("3 bytes").kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(files.read_at_most(path, 3).expect("3 bytes"), b"new");
    }

    /// An overlay is what the files below would be if the changes were made there.
    #[test]
    fn an_overlay_equals_files_that_were_changed() {
        const NAMES: &[&str] = &["a", "b/x", "b/y", "c/d/e", "c/d/f", "c/g"];
        let mut dice = hierarch_bits::dice::Dice::new(4);
        for _ in 0..400 {
            let mut below = MemoryFiles::default();
            let mut changed: BTreeMap<&str, Option<String>> = BTreeMap::new();
            for name in NAMES.iter().filter(|_| dice.once_in(2)) {
                below.insert(*name, "old");
                changed.insert(name, Some("old".to_owned()));
            }
            let mut overlay = Overlay::new(below);
            for number in 0..dice.below(5) {
                let name = *dice.pick(NAMES);
                if dice.once_in(3) {
                    overlay.remove(name);
                    changed.insert(name, None);
                } else {
                    overlay.insert(name, format!("new {number}"));
                    changed.insert(name, Some(format!("new {number}")));
                }
            }
            let mut plain = MemoryFiles::default();
            for (name, text) in &changed {
                if let Some(text) = text {
                    plain.insert(*name, text.as_str());
                }
            }
            for name in NAMES {
                let path = Path::new(name);
                assert_eq!(overlay.read(path).ok(), plain.read(path).ok(), "{name}");
                assert_eq!(overlay.is_file(path), plain.is_file(path), "{name}");
                assert_eq!(overlay.kind(path), plain.kind(path), "{name}");
                assert_eq!(overlay.stamp(path), plain.stamp(path), "{name}");
                assert_eq!(overlay.read_at_most(path, 3).ok(), plain.read_at_most(path, 3).ok(), "{name}");
            }
            for folder in ["", "b", "c", "c/d"] {
                // A folder from which all files were taken is still there, and empty.
                let files = |names: Vec<String>| -> Vec<String> {
                    let is_file = |name: &String| {
                        NAMES.iter().any(|known| Path::new(known) == Path::new(folder).join(name))
                    };
                    names.into_iter().filter(is_file).collect()
                };
                let (found, expected) = (overlay.list(Path::new(folder)), plain.list(Path::new(folder)));
                assert_eq!(files(found.unwrap_or_default()), files(expected.unwrap_or_default()), "{folder}");
            }
        }
    }
}
