//! What differs between two trees, or between a tree and the disk.

use std::collections::BTreeSet;
use std::path::Path;

use hierarch_source::{DiskFiles, Files};

use crate::files::GitFiles;
use crate::table::Entry;

/// A file that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileChange {
    /// Its path below the repository's top.
    pub path: String,
    /// What happened to it.
    pub kind: FileChangeKind,
}

/// What happened to a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileChangeKind {
    /// Only the new side has it.
    Added,
    /// Only the old side has it.
    Removed,
    /// Both have it, with different content.
    Modified,
}

/// Lists the files that differ between two trees, by path.
pub fn changes(old: &GitFiles, new: &GitFiles) -> Vec<FileChange> {
    let mut found = Vec::new();
    for (path, object) in old.objects() {
        match new.entry(path) {
            Some(Entry::File(other) | Entry::Link(other)) if other.id == object.id => {}
            Some(Entry::File(_) | Entry::Link(_)) => found.push((path, FileChangeKind::Modified)),
            _ => found.push((path, FileChangeKind::Removed)),
        }
    }
    let is_new = |path: &str| !matches!(old.entry(path), Some(Entry::File(_) | Entry::Link(_)));
    let added = new.objects().filter(|(path, _)| is_new(path));
    found.extend(added.map(|(path, _)| (path, FileChangeKind::Added)));
    sorted(found)
}

/// Lists the files that differ between a tree and the folder that it stands for.
pub fn changes_to_disk(old: &GitFiles) -> Vec<FileChange> {
    let mut found = Vec::new();
    for (path, object) in old.objects() {
        let place = old.root().join(path);
        let kind = match (old.entry(path), std::fs::symlink_metadata(&place)) {
            (_, Err(_)) => Some(FileChangeKind::Removed),
            (Some(Entry::Link(_)), Ok(found)) if found.is_symlink() => {
                let target = std::fs::read_link(&place).ok();
                let same = target.is_some_and(|target| {
                    old.blob(object).is_ok_and(|old| old == target.as_os_str().as_encoded_bytes())
                });
                (!same).then_some(FileChangeKind::Modified)
            }
            (_, Ok(found)) if found.is_dir() => Some(FileChangeKind::Removed),
            (_, Ok(_)) => {
                let same =
                    std::fs::read(&place).is_ok_and(|new| old.blob(object).is_ok_and(|old| old == new));
                (!same).then_some(FileChangeKind::Modified)
            }
        };
        found.extend(kind.map(|kind| (path, kind)));
    }
    let mut on_disk = BTreeSet::new();
    list_disk(old.root(), "", &mut on_disk);
    let is_new = |path: &&String| !matches!(old.entry(path), Some(Entry::File(_) | Entry::Link(_)));
    let added: Vec<&String> = on_disk.iter().filter(is_new).collect();
    found.extend(added.into_iter().map(|path| (path.as_str(), FileChangeKind::Added)));
    sorted(found)
}

fn sorted(found: Vec<(&str, FileChangeKind)>) -> Vec<FileChange> {
    let mut list: Vec<FileChange> =
        found.into_iter().map(|(path, kind)| FileChange { path: path.to_owned(), kind }).collect();
    list.sort();
    list
}

/// Lists the files below a folder, but for those of git and of our own.
fn list_disk(root: &Path, folder: &str, found: &mut BTreeSet<String>) {
    for name in DiskFiles.list(&root.join(folder)).unwrap_or_default() {
        if matches!(name.as_str(), ".git" | ".hierarch") {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        match std::fs::symlink_metadata(root.join(&path)) {
            Ok(entry) if entry.is_dir() => list_disk(root, &path, found),
            Ok(_) => {
                found.insert(path);
            }
            Err(_) => {}
        }
    }
}
