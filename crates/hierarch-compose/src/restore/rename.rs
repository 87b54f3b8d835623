//! Renames as they are written: one key of the text changes, whatever stands below it.
//!
//! A plan compares data, to which a renamed holder is one that went and one that came. So the text is renamed first,
//! and counts if it expands to what is wanted; else the references to the old name follow; else the plan has the word.

use std::sync::Arc;

use hierarch_yaml::{Data, Kind, NodeId, Tree, rename_at, rewrite};

use crate::document::Document;
use crate::forest::Val;

/// A key that was given another name.
#[derive(Clone, Debug)]
pub(crate) struct KeyRename {
    pub(crate) path: Vec<String>,
    pub(crate) name: String,
}

impl Document<'_> {
    /// Returns the text with its keys renamed, if it expands to the edited data.
    pub(super) fn renamed_text(&mut self, tree: &Arc<Tree>, edited: Val) -> Option<String> {
        let renamed = std::mem::take(&mut self.renamed);
        if renamed.is_empty() {
            return None;
        }
        let plain = renamed.iter().try_fold(Arc::clone(tree), |tree, renamed| renamed.carried_out(&tree));
        let found = self.text_if_same(plain, edited).or_else(|| {
            let followed = renamed
                .iter()
                .try_fold(Arc::clone(tree), |tree, renamed| renamed.followed(renamed.carried_out(&tree)?));
            self.text_if_same(followed, edited)
        });
        self.renamed = renamed;
        found
    }

    fn text_if_same(&mut self, tree: Option<Arc<Tree>>, edited: Val) -> Option<String> {
        let tree = tree?;
        let main = self.expander.main;
        let result = self.expander.restart(&tree).and_then(|()| self.expander.run());
        self.expander.return_to(main);
        let is_same = result.is_ok_and(|result| self.expander.forest.same(result, edited));
        is_same.then(|| tree.source().text().to_owned())
    }
}

impl KeyRename {
    fn carried_out(&self, tree: &Tree) -> Option<Arc<Tree>> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        rename(tree, &path, &self.name)
    }

    /// Lets the references to the old name follow.
    fn followed(&self, mut tree: Arc<Tree>) -> Option<Arc<Tree>> {
        let old = pointer(&self.path);
        let (_, around) = self.path.split_last()?;
        let new = format!("{}{}", pointer(around), pointer(std::slice::from_ref(&self.name)));
        let count = tree.len();
        for _ in 0..count {
            let mut path = Vec::new();
            let Some(key) = find_reference(&tree, tree.root()?, &old, &mut path) else { return Some(tree) };
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            tree = rename(&tree, &path, &key.replacen(&old, &new, 1))?;
        }
        None
    }
}

fn rename(tree: &Tree, path: &[&str], name: &str) -> Option<Arc<Tree>> {
    let root = tree.root()?;
    let change = rename_at(tree, root, path, Data::text(name)).ok()?;
    Some(Arc::new(rewrite(tree, root, &change).ok()?.1))
}

fn pointer(path: &[String]) -> String {
    path.iter().map(|segment| format!("/{}", segment.replace('~', "~0").replace('/', "~1"))).collect()
}

/// Finds a key that refers to a pointer or to what is below it, and the way to it.
fn find_reference(tree: &Tree, node: NodeId, old: &str, path: &mut Vec<String>) -> Option<String> {
    let refers = |key: &str| {
        let target = key.strip_prefix('+').map(|rest| rest.strip_prefix('?').unwrap_or(rest));
        let rest = target.and_then(|target| target.strip_prefix(old));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match tree.kind(node) {
        Kind::Map => tree.entries(node).find_map(|(key, value)| {
            let text = tree.text(key).to_string();
            path.push(text.clone());
            if refers(&text) {
                return Some(text);
            }
            let found = find_reference(tree, value, old, path);
            if found.is_none() {
                path.pop();
            }
            found
        }),
        Kind::List => tree.children(node).iter().enumerate().find_map(|(index, &item)| {
            path.push(index.to_string());
            let found = find_reference(tree, item, old, path);
            if found.is_none() {
                path.pop();
            }
            found
        }),
        _ => None,
    }
}
