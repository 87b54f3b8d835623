//! Renames as they are written: one key of the text changes, whatever stands below it.
//!
//! A plan compares data, to which a renamed holder is one that went and one that came. So the text is renamed first,
//! and counts if it expands to what is wanted; else the references to the old name follow; else the plan has the word.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use hierarch_yaml::{Change, Data, EntryChange, Item, Kind, MapChange, NodeId, Tree, rename_at, rewrite};
use rustc_hash::FxHashMap;

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
        let plain = all_carried_out(tree, &renamed).or_else(|| {
            renamed.iter().try_fold(Arc::clone(tree), |tree, renamed| renamed.carried_out(&tree))
        });
        let found = self.text_if_same(plain, edited).or_else(|| {
            // Without directives nothing refers to a name.
            tree.root().filter(|&root| tree.is_active(root))?;
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
    fn followed(&self, tree: Arc<Tree>) -> Option<Arc<Tree>> {
        let old = pointer(&self.path);
        let (_, around) = self.path.split_last()?;
        let new = format!("{}{}", pointer(around), pointer(std::slice::from_ref(&self.name)));
        let mut found = Vec::new();
        find_references(&tree, tree.root()?, (&old, &new), &mut Vec::new(), &mut found);
        if found.is_empty() {
            return Some(tree);
        }
        let one_by_one =
            || found.iter().rev().try_fold(Arc::clone(&tree), |tree, found| found.carried_out(&tree));
        all_carried_out(&tree, &found).or_else(one_by_one)
    }
}

/// Gives all keys their new names in one go; `None` where one stands below another, or is not there.
fn all_carried_out(tree: &Tree, renamed: &[KeyRename]) -> Option<Arc<Tree>> {
    let root = tree.root()?;
    let change = renames(tree, root, 0, &renamed.iter().collect::<Vec<_>>())?;
    Some(Arc::new(rewrite(tree, root, &change).ok()?.1))
}

fn renames(tree: &Tree, node: NodeId, depth: usize, renamed: &[&KeyRename]) -> Option<Change> {
    let mut below: BTreeMap<usize, Vec<&KeyRename>> = BTreeMap::new();
    let places = places(tree, node)?;
    for &rename in renamed {
        let place = places.get(rename.path.get(depth)?.as_str())?;
        below.entry(*place).or_default().push(rename);
    }
    let inner = |place: usize, renamed: &[&KeyRename]| match renamed {
        [rename] if rename.path.len() == depth + 1 => None,
        _ => {
            let slot = if tree.kind(node) == Kind::Map { place * 2 + 1 } else { place };
            Some(renames(tree, *tree.children(node).get(slot)?, depth + 1, renamed))
        }
    };
    if tree.kind(node) == Kind::List {
        let items = (0..tree.children(node).len()).map(|place| {
            let change = below.get(&place).map_or(Some(Change::Keep), |renamed| inner(place, renamed)?);
            change.map(|change| Item::Old(place, change))
        });
        return Some(Change::List(items.collect::<Option<_>>()?));
    }
    let entries = below.iter().map(|(&place, renamed)| match inner(place, renamed) {
        None => Some((place, EntryChange::Rename(Data::text(renamed.first()?.name.as_str())))),
        Some(change) => Some((place, EntryChange::Value(change?))),
    });
    Some(Change::Map(MapChange { entries: entries.collect::<Option<_>>()?, added: Vec::new() }))
}

/// The places in a collection by what a path calls them; `None` where two are called the same.
fn places(tree: &Tree, node: NodeId) -> Option<FxHashMap<Cow<'_, str>, usize>> {
    let names: Vec<Cow<str>> = match tree.kind(node) {
        Kind::Map => tree.entries(node).map(|(key, _)| tree.text(key).into()).collect(),
        Kind::List => (0..tree.children(node).len()).map(|place| place.to_string().into()).collect(),
        _ => return None,
    };
    let count = names.len();
    let places: FxHashMap<_, _> = names.into_iter().enumerate().map(|(place, name)| (name, place)).collect();
    (places.len() == count).then_some(places)
}

fn rename(tree: &Tree, path: &[&str], name: &str) -> Option<Arc<Tree>> {
    let root = tree.root()?;
    let change = rename_at(tree, root, path, Data::text(name)).ok()?;
    Some(Arc::new(rewrite(tree, root, &change).ok()?.1))
}

fn pointer(path: &[String]) -> String {
    path.iter().map(|segment| format!("/{}", segment.replace('~', "~0").replace('/', "~1"))).collect()
}

/// Finds the keys that refer to a pointer or to what is below it, with what they become where it has another name.
fn find_references(
    tree: &Tree,
    node: NodeId,
    (old, new): (&str, &str),
    path: &mut Vec<String>,
    found: &mut Vec<KeyRename>,
) {
    let refers = |key: &str| {
        let target = key.strip_prefix('+').map(|rest| rest.strip_prefix('?').unwrap_or(rest));
        let rest = target.and_then(|target| target.strip_prefix(old));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_map = tree.kind(node) == Kind::Map;
    for (slot, &child) in tree.children(node).iter().enumerate().filter(|(slot, _)| !is_map || slot % 2 == 1)
    {
        let name =
            if is_map { tree.text(tree.children(node)[slot - 1]).to_owned() } else { slot.to_string() };
        path.push(name.clone());
        if is_map && refers(&name) {
            found.push(KeyRename { path: path.clone(), name: name.replacen(old, new, 1) });
        } else {
            find_references(tree, child, (old, new), path, found);
        }
        path.pop();
    }
}
