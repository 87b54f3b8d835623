//! Who else uses a value that is written at one place.

use hierarch_yaml::{Kind, NodeId, Tree, find_at};
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::edit::segments;
use crate::forest::Val;

impl Document<'_> {
    /// Counts the places of the expansion that have their value from what is written at a pointer, that place
    /// itself not counted. What only arrives there is not written there.
    pub fn users_of(&self, pointer: &str) -> usize {
        let tree = self.forest().tree(0);
        let (Some(root), Ok(segments)) = (tree.root(), segments(pointer)) else { return 0 };
        let path: Vec<&str> = segments.iter().map(String::as_str).collect();
        let Ok(written) = find_at(tree, root, &path) else { return 0 };
        let mut uses: FxHashMap<NodeId, usize> = FxHashMap::default();
        note_leaves(tree, written, &mut uses);
        self.count_uses(&mut uses);
        uses.values().map(|uses| uses.saturating_sub(1)).max().unwrap_or(0)
    }

    /// Counts the other places of the expansion that have everything of a map or list that is written at a pointer.
    pub fn holders_of(&self, pointer: &str) -> usize {
        let tree = self.forest().tree(0);
        let (Some(root), Ok(segments)) = (tree.root(), segments(pointer)) else { return 0 };
        let path: Vec<&str> = segments.iter().map(String::as_str).collect();
        let Ok(written) = find_at(tree, root, &path) else { return 0 };
        let mut uses: FxHashMap<NodeId, usize> = FxHashMap::default();
        note_leaves(tree, written, &mut uses);
        self.count_uses(&mut uses);
        uses.values().map(|uses| uses.saturating_sub(1)).min().unwrap_or(0)
    }

    fn count_uses(&self, uses: &mut FxHashMap<NodeId, usize>) {
        let forest = self.forest();
        let mut waiting: Vec<Val> = vec![self.value()];
        while let Some(value) = waiting.pop() {
            match forest.kind(value) {
                Kind::Map => waiting.extend(forest.entries(value).map(|(_, value)| value)),
                Kind::List => waiting.extend(forest.items(value)),
                _ => {
                    if let Some((0, node)) = value.node()
                        && let Some(count) = uses.get_mut(&node)
                    {
                        *count += 1;
                    }
                }
            }
        }
    }
}

fn note_leaves(tree: &Tree, node: NodeId, found: &mut FxHashMap<NodeId, usize>) {
    match tree.kind(node) {
        Kind::Map => tree.entries(node).for_each(|(_, value)| note_leaves(tree, value, found)),
        Kind::List => tree.children(node).iter().for_each(|&item| note_leaves(tree, item, found)),
        _ => {
            found.insert(node, 0);
        }
    }
}
