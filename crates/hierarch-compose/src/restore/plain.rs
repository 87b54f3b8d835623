//! The plan of a plain save: scalars that changed in a document without directives, whose keys and items are those that it
//! has. Nearly all edits are of this kind, and need none of what the full plan weighs.

use hierarch_yaml::{Change, EntryChange, Item, Kind, MapChange, NodeId, Tree};

use crate::document::Document;
use crate::forest::{Forest, Val};

/// So many pairs of items are compared before the full plan is asked.
const MOST_COMPARED: usize = 10_000;

impl Document<'_> {
    /// Returns what shall become of a document in which nothing refers to anything, if no key or item came, went or moved.
    pub(super) fn plain_change(&self, tree: &Tree, root: NodeId, edited: Val) -> Option<Change> {
        let forest = &self.expander.forest;
        let is_plain = !tree.is_active(root)
            && !tree.has_alias(root)
            && !forest.has_headers()
            && self.renamed.is_empty()
            && (self.expander.any_top || forest.is_map(edited));
        let plan = PlainPlan { forest, tree, doc: self.expander.main.doc };
        is_plain.then(|| plan.change(root, edited))?
    }
}

/// A written document and what its values are asked through.
struct PlainPlan<'p> {
    forest: &'p Forest,
    tree: &'p Tree,
    doc: u32,
}

impl PlainPlan<'_> {
    fn change(&self, node: NodeId, wanted: Val) -> Option<Change> {
        if wanted.node() == Some((self.doc, node)) {
            return Some(Change::Keep);
        }
        match (self.tree.kind(node), self.forest.kind(wanted)) {
            (Kind::Scalar, Kind::Scalar) if self.forest.same(self.old(node), wanted) => Some(Change::Keep),
            (Kind::Scalar, Kind::Scalar) => Some(Change::Set(self.forest.data(wanted))),
            (Kind::Map, Kind::Map) => self.map_change(node, wanted),
            (Kind::List, Kind::List) => self.list_change(node, wanted),
            _ => None,
        }
    }

    fn old(&self, node: NodeId) -> Val {
        self.forest.val(self.doc, node)
    }

    fn map_change(&self, node: NodeId, wanted: Val) -> Option<Change> {
        let children = self.tree.children(node);
        if self.forest.len(wanted) * 2 != children.len() {
            return None;
        }
        let mut change = MapChange::default();
        for (index, ((key, value), old)) in
            self.forest.entries(wanted).zip(children.chunks_exact(2)).enumerate()
        {
            if key.node() != Some((self.doc, old[0])) {
                return None;
            }
            match self.change(old[1], value)? {
                Change::Keep => {}
                changed => change.entries.push((index, EntryChange::Value(changed))),
            }
        }
        Some(if change.entries.is_empty() { Change::Keep } else { Change::Map(change) })
    }

    fn list_change(&self, node: NodeId, wanted: Val) -> Option<Change> {
        let children = self.tree.children(node);
        if self.forest.len(wanted) != children.len() {
            return None;
        }
        let changes: Vec<Change> = self
            .forest
            .items(wanted)
            .zip(children)
            .map(|(item, &child)| self.change(child, item))
            .collect::<Option<_>>()?;
        let is_changed = |&index: &usize| !matches!(changes[index], Change::Keep);
        let changed: Vec<usize> = (0..changes.len()).filter(is_changed).collect();
        let is_clear = changed.len() * children.len() <= MOST_COMPARED
            && changed.iter().all(|&index| self.is_alone(children, wanted, index));
        let items = changes.into_iter().enumerate().map(|(index, change)| Item::Old(index, change)).collect();
        is_clear.then(|| Change::of_items(items, children.len()))
    }

    /// Tells whether an item neither became what another one was nor was what another one is: which of them stays would be
    /// a question for the full plan.
    fn is_alone(&self, children: &[NodeId], wanted: Val, index: usize) -> bool {
        let (old, new) = (self.old(children[index]), self.forest.item(wanted, index));
        (0..children.len()).filter(|&other| other != index).all(|other| {
            let (was, is) = (self.old(children[other]), self.forest.item(wanted, other));
            !self.forest.same(new, was) && !self.forest.same(old, is)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hierarch_source::MemoryFiles;
    use hierarch_yaml::Data;

    use crate::edit::Edit;
    use crate::include::Access;

    use super::*;

    /// Edits a text; returns whether the plain plan took it, and the text that is saved.
    fn saved(text: &str, edits: &[(&str, &str)]) -> (bool, String) {
        let files = MemoryFiles::from([("a.yaml", text)]);
        let access = Access::default();
        let mut document = Document::open(&files, Path::new("a.yaml"), &access).expect("a document");
        let edits: Vec<(String, Edit)> = edits
            .iter()
            .map(|(pointer, value)| ((*pointer).to_owned(), Edit::Set(Data::text(*value))))
            .collect();
        let edited = document.with_all(&edits).expect("places");
        let tree = std::sync::Arc::clone(document.forest().tree(0));
        let root = tree.root().expect("a root");
        let is_plain = document.plain_change(&tree, root, edited).is_some();
        (is_plain, document.save(edited).expect("a text"))
    }

    #[test]
    fn values_change_where_they_stand() {
        let text = "a: 1 # one\nl:\n- {n: x, v: 'q'}\n- n: y # two\n  v: \"w\"\ns: [a, b, c]\n";
        for (edits, expected) in [
            (
                &[("/a", "z")][..],
                "a: z # one\nl:\n- {n: x, v: 'q'}\n- n: y # two\n  v: \"w\"\ns: [a, b, c]\n",
            ),
            (
                &[("/l/0/v", "z"), ("/l/1/v", "k")],
                "a: 1 # one\nl:\n- {n: x, v: 'z'}\n- n: y # two\n  v: \"k\"\ns: [a, b, c]\n",
            ),
            (&[("/s/1", "z")], "a: 1 # one\nl:\n- {n: x, v: 'q'}\n- n: y # two\n  v: \"w\"\ns: [a, z, c]\n"),
            (&[("/l/0/v", "q")], text),
        ] {
            assert_eq!(saved(text, edits), (true, expected.to_owned()), "{edits:?}");
        }
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_full_plan() {
        for (text, pointer) in [
            ("base: {x: 1}\nuse:\n  +/base:\n", "/use/x"),
            ("a: &x 1\nb: *x\n", "/a"),
            ("a: {b: 1}\n", "/a/new"),
            ("a: {b: 1}\n", "/a"),
            // It becomes what another item was.
            ("a: [x, z]\n", "/a/0"),
            // It was what another item is.
            ("a: [x, x]\n", "/a/0"),
        ] {
            assert!(!saved(text, &[(pointer, "z")]).0, "{text}");
        }
    }
}
