//! All entries of a tree in one sorted table, so that a missing file costs a search, not a walk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;
use hierarch_source::Result;

use crate::issues;
use crate::repository::{Repository, SharedRepository};

/// What stands at each path, names joined by `/`; the empty path is the top.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: BTreeMap<String, Entry>,
    /// The object stores: that of the repository first, then those of its submodules.
    pub(crate) stores: Vec<SharedRepository>,
    pub(crate) has_links: bool,
    /// Submodules whose objects are not here, by path, with the commit that is wanted.
    pub(crate) missing: BTreeMap<String, String>,
}

/// What stands at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    /// A file.
    File(Object),
    /// A symbolic link; the object holds the target.
    Link(Object),
    /// A folder with the names in it, sorted; with its tree's id, where there is one.
    Folder(Vec<String>, Option<gix::ObjectId>),
    /// A submodule that is not here.
    Missing,
}

/// An object and the store that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) id: gix::ObjectId,
    pub(crate) store: usize,
}

/// Submodules in submodules deeper than this are taken for a ring.
const DEEPEST: usize = 16;

impl Table {
    /// Reads all entries of a tree, those of submodules included.
    pub(crate) fn of_tree(repository: &Repository, tree: gix::ObjectId) -> Result<Self> {
        let mut table = Self { stores: vec![Arc::new(repository.shared().clone())], ..Self::default() };
        table.add_tree("", tree, 0, 0)?;
        Ok(table)
    }

    /// Reads the entries of the index.
    pub(crate) fn of_index(repository: &Repository) -> Result<Self> {
        let mut table = Self { stores: vec![Arc::new(repository.shared().clone())], ..Self::default() };
        table.entries.insert(String::new(), Entry::Folder(Vec::new(), None));
        let local = repository.local();
        let index =
            local.index_or_empty().map_err(|error| issues::unreadable("the index", &error.to_string()))?;
        let mut modules = Vec::new();
        for entry in index.entries() {
            let path = entry.path(&index).to_str_lossy().into_owned();
            if entry.stage_raw() != 0 {
                return Err(issues::conflict(&path));
            }
            let Some(mode) = entry.mode.to_tree_entry_mode() else { continue };
            let object = Object { id: entry.id, store: 0 };
            match mode.kind() {
                EntryKind::Blob | EntryKind::BlobExecutable => table.put(&path, Entry::File(object)),
                EntryKind::Link => table.put(&path, Entry::Link(object)),
                EntryKind::Commit => modules.push((path, entry.id)),
                // A sparse index keeps whole folders as one entry.
                EntryKind::Tree => {
                    let path = path.trim_end_matches('/');
                    table.put(path, Entry::Folder(Vec::new(), None));
                    table.add_tree(path, entry.id, 0, 0)?;
                }
            }
        }
        let names = table.module_names();
        for (path, commit) in modules {
            table.put(&path, Entry::Missing);
            table.add_module(&path, commit, 0, 0, &names)?;
        }
        table.sort_names();
        Ok(table)
    }

    /// Puts an entry of the index, with the folders above it.
    fn put(&mut self, path: &str, entry: Entry) {
        self.has_links |= matches!(entry, Entry::Link(_));
        self.entries.insert(path.to_owned(), entry);
        let mut below = path;
        loop {
            let (folder, name) = below.rsplit_once('/').unwrap_or(("", below));
            let above =
                self.entries.entry(folder.to_owned()).or_insert_with(|| Entry::Folder(Vec::new(), None));
            if let Entry::Folder(names, _) = above {
                // Entries come sorted, so that the name of a folder was the last one added, if it was added.
                if names.last().is_none_or(|last| last != name) {
                    names.push(name.to_owned());
                }
            }
            if folder.is_empty() {
                return;
            }
            below = folder;
        }
    }

    fn sort_names(&mut self) {
        for entry in self.entries.values_mut() {
            if let Entry::Folder(names, _) = entry {
                names.sort();
                names.dedup();
            }
        }
    }

    fn add_tree(&mut self, prefix: &str, tree: gix::ObjectId, store: usize, depth: usize) -> Result<()> {
        let local = self.stores[store].to_thread_local();
        let mut waiting = vec![(prefix.to_owned(), tree)];
        let mut modules = Vec::new();
        while let Some((folder, id)) = waiting.pop() {
            let unreadable =
                |error: gix::Error| issues::unreadable(&format!("tree {id}"), &error.to_string());
            let tree = local.find_tree(id).map_err(unreadable)?;
            let mut names = Vec::new();
            for entry in tree.iter() {
                let entry = entry.map_err(unreadable)?;
                let name = entry.filename().to_str_lossy().into_owned();
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let object = Object { id: entry.object_id(), store };
                names.push(name);
                match entry.kind() {
                    EntryKind::Tree => waiting.push((path, object.id)),
                    EntryKind::Commit => modules.push((path, object.id)),
                    EntryKind::Link => {
                        self.has_links = true;
                        self.entries.insert(path, Entry::Link(object));
                    }
                    EntryKind::Blob | EntryKind::BlobExecutable => {
                        self.entries.insert(path, Entry::File(object));
                    }
                }
            }
            names.sort();
            self.entries.insert(folder, Entry::Folder(names, Some(id)));
        }
        if !modules.is_empty() {
            let names = self.module_names();
            for (path, commit) in modules {
                self.add_module(&path, commit, store, depth, &names)?;
            }
        }
        Ok(())
    }

    /// Adds the files of a submodule, from its own object store at the commit that is recorded.
    fn add_module(
        &mut self,
        path: &str,
        commit: gix::ObjectId,
        store: usize,
        depth: usize,
        names: &BTreeMap<String, String>,
    ) -> Result<()> {
        let name = names.get(path).map_or(path, String::as_str);
        let found = (depth < DEEPEST).then(|| open_module(&self.stores[store], path, name, commit)).flatten();
        if let Some((opened, tree)) = found {
            self.stores.push(Arc::new(opened));
            return self.add_tree(path, tree, self.stores.len() - 1, depth + 1);
        }
        self.entries.insert(path.to_owned(), Entry::Missing);
        self.missing.insert(path.to_owned(), commit.to_string());
        Ok(())
    }

    /// Reads what submodules are called, by path, from `.gitmodules` of this tree.
    fn module_names(&self) -> BTreeMap<String, String> {
        let Some(Entry::File(object)) = self.entries.get(".gitmodules") else { return BTreeMap::new() };
        let local = self.stores[object.store].to_thread_local();
        let text = local.find_blob(object.id).map(|mut blob| blob.take_data()).unwrap_or_default();
        names_in(&String::from_utf8_lossy(&text))
    }
}

/// Takes the names of submodules out of the text of `.gitmodules`.
fn names_in(text: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let mut name = "";
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix("[submodule \"") {
            name = section.trim_end_matches(']').trim_end_matches('"');
        } else if let Some((key, value)) = line.split_once('=')
            && key.trim() == "path"
        {
            names.insert(value.trim().trim_matches('"').to_owned(), name.to_owned());
        }
    }
    names
}

/// Opens a submodule where git keeps it, if the commit is there.
fn open_module(
    above: &gix::ThreadSafeRepository,
    path: &str,
    name: &str,
    commit: gix::ObjectId,
) -> Option<(gix::ThreadSafeRepository, gix::ObjectId)> {
    let above = above.to_thread_local();
    // A name that climbs out of the folder of submodules is not followed.
    let is_safe = !Path::new(name).components().any(|part| !matches!(part, std::path::Component::Normal(_)));
    let kept = is_safe.then(|| above.common_dir().join("modules").join(name));
    let beside = above.workdir().map(|folder| folder.join(path));
    for folder in kept.into_iter().chain(beside) {
        let Ok(opened) = gix::ThreadSafeRepository::open(folder) else { continue };
        let local = opened.to_thread_local();
        let tree =
            local.find_commit(commit).ok().and_then(|commit| commit.tree_id().ok()).map(|id| id.detach());
        if let Some(tree) = tree {
            return Some((opened, tree));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_submodules_stand_in_their_sections() {
        let names =
            names_in("[submodule \"ntp\"]\n\tpath = modules/ntp\n\turl = x\n[submodule \"b\"]\n path=c\n");
        assert_eq!(names["modules/ntp"], "ntp");
        assert_eq!(names["c"], "b");
    }
}
