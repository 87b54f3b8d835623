//! Changes at a place that a path names: set, insert, delete, rename, append.

use hierarch_source::{Error, Result};

use super::{Change, EntryChange, Item, MapChange};
use crate::data::Data;
use crate::issues;
use crate::node::{Kind, NodeId, Tree};

/// Wraps a change of the node at a path into a change of the node it starts from.
pub(super) fn wrap(tree: &Tree, root: NodeId, path: &[&str], change: Change) -> Result<Change> {
    wrap_below(tree, root, path, change).ok_or_else(|| missing(tree, root, path))
}

fn wrap_below(tree: &Tree, node: NodeId, path: &[&str], change: Change) -> Option<Change> {
    let [segment, rest @ ..] = path else { return Some(change) };
    let index = find(tree, node, segment)?;
    if tree.kind(node) == Kind::Map {
        let value = tree.children(node)[index * 2 + 1];
        let inner = wrap_below(tree, value, rest, change)?;
        Some(Change::Map(MapChange { entries: vec![(index, EntryChange::Value(inner))], added: Vec::new() }))
    } else {
        let inner = wrap_below(tree, tree.children(node)[index], rest, change)?;
        let mut items = keep_all(tree, node);
        items[index] = Item::Old(index, inner);
        Some(Change::List(items))
    }
}

/// Nothing is at a path: said at the deepest place on the way that is there.
fn missing(tree: &Tree, root: NodeId, path: &[&str]) -> Error {
    let (mut node, mut depth) = (root, 0);
    while let Some(next) = path.get(depth).and_then(|segment| locate(tree, node, &[segment])) {
        (node, depth) = (next, depth + 1);
    }
    let pointer: String =
        path.iter().map(|segment| format!("/{}", segment.replace('~', "~0").replace('/', "~1"))).collect();
    let mut error = issues::no_such_place(&pointer).at(tree.source(), tree.span(node));
    if tree.kind(node) == Kind::Alias {
        error = error.note(issues::BEHIND_AN_ALIAS);
    }
    error
}

/// What is wanted of one place of a document: data and keys as they are, or as a reader has them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Edit<D = Data, K = String> {
    /// It gets this value, whether or not it has one; `-` in a list is the place behind its end.
    Set(D),
    /// It is new: a key that is not there yet, or a place in a list, from which on the items move up.
    Insert(D),
    /// It goes.
    Delete,
    /// It gets another key, in the same place.
    Rename(K),
}

impl Edit {
    /// Returns the change of a whole document that edits the place at a path of keys and positions.
    pub fn at(self, tree: &Tree, root: NodeId, path: &[&str]) -> Result<Change> {
        match self {
            Self::Set(data) if path.last() != Some(&"-") && locate(tree, root, path).is_some() => {
                wrap(tree, root, path, Change::Set(data))
            }
            Self::Set(data) | Self::Insert(data) => insert_at(tree, root, path, data),
            Self::Delete => delete_at(tree, root, path),
            Self::Rename(name) => rename_at(tree, root, path, Data::text(name)),
        }
    }
}

/// Finds the node at a path of keys and positions, aliases not followed.
pub fn find_at(tree: &Tree, root: NodeId, path: &[&str]) -> Result<NodeId> {
    locate(tree, root, path).ok_or_else(|| missing(tree, root, path))
}

/// Deletes the entry or item at a path.
pub fn delete_at(tree: &Tree, root: NodeId, path: &[&str]) -> Result<Change> {
    let Some((last, parent_path)) = path.split_last() else { return Err(issues::no_such_place("the top")) };
    let missing = || missing(tree, root, path);
    let parent = locate(tree, root, parent_path).ok_or_else(missing)?;
    let index = find(tree, parent, last).ok_or_else(missing)?;
    let change = if tree.kind(parent) == Kind::Map {
        Change::Map(MapChange { entries: vec![(index, EntryChange::Delete)], added: Vec::new() })
    } else {
        let mut items = keep_all(tree, parent);
        items.remove(index);
        Change::List(items)
    };
    wrap(tree, root, parent_path, change)
}

/// Adds an entry to the map, or an item before a position (`-`: behind the last) of the list at a path.
pub fn insert_at(tree: &Tree, root: NodeId, path: &[&str], value: Data) -> Result<Change> {
    let Some((last, parent_path)) = path.split_last() else { return Err(issues::no_such_place("the top")) };
    let missing = || missing(tree, root, path);
    let parent = locate(tree, root, parent_path).ok_or_else(missing)?;
    let change = match tree.kind(parent) {
        Kind::Map => Change::Map(MapChange { entries: Vec::new(), added: vec![(Data::text(*last), value)] }),
        Kind::List => {
            let mut items = keep_all(tree, parent);
            let at = if *last == "-" { items.len() } else { last.parse().map_err(|_| missing())? };
            if at > items.len() {
                return Err(missing());
            }
            items.insert(at, Item::New(value));
            Change::List(items)
        }
        _ => return Err(missing()),
    };
    wrap(tree, root, parent_path, change)
}

/// Gives the entry at a path another key.
pub fn rename_at(tree: &Tree, root: NodeId, path: &[&str], name: Data) -> Result<Change> {
    let Some((last, parent_path)) = path.split_last() else { return Err(issues::no_such_place("the top")) };
    let missing = || missing(tree, root, path);
    let parent =
        locate(tree, root, parent_path).filter(|&node| tree.kind(node) == Kind::Map).ok_or_else(missing)?;
    let index = find(tree, parent, last).ok_or_else(missing)?;
    let entries = vec![(index, EntryChange::Rename(name))];
    wrap(tree, root, parent_path, Change::Map(MapChange { entries, added: Vec::new() }))
}

fn keep_all(tree: &Tree, list: NodeId) -> Vec<Item> {
    (0..tree.children(list).len()).map(|index| Item::Old(index, Change::Keep)).collect()
}

fn locate(tree: &Tree, root: NodeId, path: &[&str]) -> Option<NodeId> {
    path.iter().try_fold(root, |node, segment| {
        let index = find(tree, node, segment)?;
        let offset = if tree.kind(node) == Kind::Map { index * 2 + 1 } else { index };
        tree.children(node).get(offset).copied()
    })
}

/// Finds the number of the entry or item that a segment names.
fn find(tree: &Tree, node: NodeId, segment: &str) -> Option<usize> {
    match tree.kind(node) {
        Kind::Map => tree.entries(node).position(|(key, _)| {
            let key = tree.target(key);
            tree.kind(key) == Kind::Scalar && tree.text(key) == segment
        }),
        Kind::List => segment.parse().ok().filter(|&index: &usize| index < tree.children(node).len()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::super::edit;
    use super::*;
    use crate::limits::DocumentLimits;
    use crate::node::Dialect;
    use crate::scan::read;

    fn edited(text: &str, path: &str, wanted: Edit) -> Result<String> {
        let tree = read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default())?;
        let root = tree.root().expect("a value");
        let path: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        edit(&tree, root, &wanted.at(&tree, root, &path)?)
    }

    #[test]
    fn an_edit_touches_its_place_and_nothing_else() {
        let text = "a: 1 # one\nlist: # items\n- x\n- y # why\nmap: {b: 2, c: 3}\n";
        let new = || Data::text("n");
        let edits = [
            ("a", Edit::Set(new()), "a: n # one\nlist: # items\n- x\n- y # why\nmap: {b: 2, c: 3}\n"),
            ("list/1", Edit::Set(new()), "a: 1 # one\nlist: # items\n- x\n- n # why\nmap: {b: 2, c: 3}\n"),
            (
                "list/-",
                Edit::Set(new()),
                "a: 1 # one\nlist: # items\n- x\n- y # why\n- n\nmap: {b: 2, c: 3}\n",
            ),
            (
                "list/0",
                Edit::Insert(new()),
                "a: 1 # one\nlist: # items\n- n\n- x\n- y # why\nmap: {b: 2, c: 3}\n",
            ),
            ("list/1", Edit::Delete, "a: 1 # one\nlist: # items\n- x\nmap: {b: 2, c: 3}\n"),
            ("map/b", Edit::Delete, "a: 1 # one\nlist: # items\n- x\n- y # why\nmap: {c: 3}\n"),
            (
                "map/c",
                Edit::Rename("d".into()),
                "a: 1 # one\nlist: # items\n- x\n- y # why\nmap: {b: 2, d: 3}\n",
            ),
            (
                "map/d",
                Edit::Insert(new()),
                "a: 1 # one\nlist: # items\n- x\n- y # why\nmap: {b: 2, c: 3, d: n}\n",
            ),
            (
                "new",
                Edit::Set(new()),
                "a: 1 # one\nlist: # items\n- x\n- y # why\nmap: {b: 2, c: 3}\nnew: n\n",
            ),
        ];
        for (path, wanted, expected) in edits {
            let shown = format!("{path}: {wanted:?}");
            assert_eq!(edited(text, path, wanted).expect(&shown), expected, "{shown}");
        }
    }

    #[test]
    fn what_is_not_there_cannot_be_changed() {
        let text = "a: 1\nlist: [x]\nother: &o {b: 1}\nalias: *o\n";
        let wrong = [
            ("b", Edit::Delete),
            ("list/1", Edit::Delete),
            ("list/x", Edit::Delete),
            ("a/b", Edit::Delete),
            ("b", Edit::Rename("c".into())),
            ("b/c", Edit::Set(Data::NULL)),
            ("list/7", Edit::Insert(Data::NULL)),
            ("alias/b", Edit::Delete),
        ];
        for (path, wanted) in wrong {
            let shown = format!("{path}: {wanted:?}");
            let error = edited(text, path, wanted).expect_err(&shown);
            assert!(error.place.is_some(), "{shown}: {error}");
        }
    }
}
