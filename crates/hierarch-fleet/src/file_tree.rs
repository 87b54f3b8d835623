//! The tree of a data file, in which many keys are looked for: the keys of a map are sorted once.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use hierarch_yaml::{Kind, NodeId, Tree, find_at};

/// The tree of a data file.
pub(crate) struct FileTree {
    tree: Tree,
    /// The entries of the maps that were asked about, by key.
    known: Mutex<HashMap<NodeId, HashMap<String, Entry>>>,
}

/// The key and the value of an entry.
type Entry = (NodeId, NodeId);

impl FileTree {
    pub(crate) fn new(tree: Tree) -> Self {
        Self { tree, known: Mutex::default() }
    }

    /// Returns the key at the end of a path. Of a key that stands twice the last one counts.
    pub(crate) fn key_at(&self, path: &[&str]) -> Option<NodeId> {
        let (last, above) = path.split_last()?;
        let map = above.iter().try_fold(self.tree.root()?, |node, name| self.step(node, name))?;
        Some(self.entry(map, last)?.0)
    }

    /// Returns the value at the end of a path.
    pub(crate) fn value_at(&self, path: &[&str]) -> Option<NodeId> {
        path.iter().try_fold(self.tree.root()?, |node, name| self.step(node, name))
    }

    fn step(&self, node: NodeId, name: &str) -> Option<NodeId> {
        match self.tree.kind(node) {
            Kind::Map => Some(self.entry(node, name)?.1),
            _ => find_at(&self.tree, node, &[name]).ok(),
        }
    }

    fn entry(&self, map: NodeId, name: &str) -> Option<Entry> {
        if self.tree.kind(map) != Kind::Map {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let list = || {
            let entries = self.tree.entries(map);
            entries.map(|(key, value)| (self.tree.text(key).to_owned(), (key, value))).collect()
        };
        known.entry(map).or_insert_with(list).get(name).copied()
    }
}

impl Deref for FileTree {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.tree
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;
    use hierarch_yaml::{Dialect, DocumentLimits, read};

    use super::*;

    #[test]
    fn keys_are_found_in_maps_and_below_lists() {
        let text = "a: 1\nm:\n  x: 1\n  y: {z: 2}\nl:\n- {k: 1}\n- plain\na: 3\n";
        let tree = read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).expect("YAML");
        let tree = FileTree::new(tree);
        let line = |path: &[&str]| {
            tree.key_at(path).map(|key| {
                let position = tree.source().position(tree.span(key).start);
                (position.line, position.column)
            })
        };
        for (path, expected) in [
            (&["m"][..], Some((2, 1))),
            (&["a"], Some((8, 1))),
            (&["m", "y"], Some((4, 3))),
            (&["m", "y", "z"], Some((4, 7))),
            (&["l", "0", "k"], Some((6, 4))),
            (&["l", "1"], None),
            (&["l", "1", "k"], None),
            (&["m", "nobody"], None),
            (&["a", "b"], None),
            (&[], None),
        ] {
            assert_eq!(line(path), expected, "{path:?}");
        }
    }
}
