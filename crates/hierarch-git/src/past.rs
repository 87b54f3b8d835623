//! What stands at a path in many commits: trees are read once, however many commits share them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;
use hierarch_source::Result;

use crate::issues;
use crate::repository::{Repository, Revision};

/// The trees of a repository, kept once they are read.
pub struct Past<'r> {
    repository: &'r Repository,
    trees: Mutex<HashMap<gix::ObjectId, Arc<Tree>>>,
}

type Tree = HashMap<String, (EntryKind, gix::ObjectId)>;

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stands {
    /// Nothing.
    Nothing,
    /// A file with this content.
    File(Id),
    /// A folder with this content, everything below included.
    Folder(Id),
    /// A link or a submodule: what it leads to is not looked for here.
    Elsewhere,
}

/// The id of a content: equal ids, equal contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(gix::ObjectId);

impl<'r> Past<'r> {
    /// Starts without any tree.
    pub fn new(repository: &'r Repository) -> Self {
        Self { repository, trees: Mutex::default() }
    }

    /// Tells what stands at a path below the repository's top.
    pub fn at(&self, revision: &Revision, path: &Path) -> Result<Stands> {
        let mut stands = Stands::Folder(Id(revision.tree));
        for part in path.components() {
            let Stands::Folder(Id(tree)) = stands else {
                return Ok(if stands == Stands::Elsewhere { stands } else { Stands::Nothing });
            };
            let name = part.as_os_str().to_string_lossy();
            stands = match self.tree(tree)?.get(name.as_ref()) {
                None => Stands::Nothing,
                Some((EntryKind::Tree, id)) => Stands::Folder(Id(*id)),
                Some((EntryKind::Blob | EntryKind::BlobExecutable, id)) => Stands::File(Id(*id)),
                Some(_) => Stands::Elsewhere,
            };
        }
        Ok(stands)
    }

    /// Lists the names in a folder, sorted; nothing where no folder stands.
    pub fn names(&self, revision: &Revision, path: &Path) -> Result<Option<Vec<String>>> {
        let Stands::Folder(Id(tree)) = self.at(revision, path)? else { return Ok(None) };
        let mut names: Vec<String> = self.tree(tree)?.keys().cloned().collect();
        names.sort();
        Ok(Some(names))
    }

    fn tree(&self, id: gix::ObjectId) -> Result<Arc<Tree>> {
        if let Some(known) = self.trees.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(Arc::clone(known));
        }
        let local = self.repository.local();
        let unreadable = |error: gix::Error| issues::unreadable(&format!("tree {id}"), &error.to_string());
        let mut entries = Tree::new();
        for entry in local.find_tree(id).map_err(unreadable)?.iter() {
            let entry = entry.map_err(unreadable)?;
            entries.insert(entry.filename().to_str_lossy().into_owned(), (entry.kind(), entry.object_id()));
        }
        let entries = Arc::new(entries);
        self.trees.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&entries));
        Ok(entries)
    }
}
