//! After an edit: does the new text say what was wanted, and everything else what it said before?

use super::{Change, EntryChange, Item, MapChange};
use crate::data::Data;
use crate::limits::DocumentLimits;
use crate::node::{Kind, NodeId, Tree};

/// Tells whether the new tree is the old one with the change, and nothing else.
pub(super) fn holds(old: &Tree, node: NodeId, change: &Change, new: &Tree, found: NodeId) -> bool {
    match change {
        Change::Keep => same(old, node, new, found),
        Change::Set(data) => means(new, found, data),
        Change::Map(change) => new.kind(found) == Kind::Map && map_holds(old, node, change, new, found),
        Change::List(items) => new.kind(found) == Kind::List && list_holds(old, node, items, new, found),
    }
}

fn means(tree: &Tree, node: NodeId, data: &Data) -> bool {
    tree.data(node, DocumentLimits::default()).is_ok_and(|found| found == *data)
}

fn map_holds(old: &Tree, map: NodeId, change: &MapChange, new: &Tree, found: NodeId) -> bool {
    let mut entries = new.entries(found);
    for (index, (key, value)) in old.entries(map).enumerate() {
        let wanted = change.of(index);
        if matches!(wanted, Some(EntryChange::Delete)) {
            continue;
        }
        let Some((new_key, new_value)) = entries.next() else { return false };
        let fits = match wanted {
            Some(EntryChange::Value(change)) => {
                same(old, key, new, new_key) && holds(old, value, change, new, new_value)
            }
            Some(EntryChange::Rename(name)) => means(new, new_key, name) && same(old, value, new, new_value),
            _ => same(old, key, new, new_key) && same(old, value, new, new_value),
        };
        if !fits {
            return false;
        }
    }
    change.added.iter().all(|(key, value)| {
        entries
            .next()
            .is_some_and(|(new_key, new_value)| means(new, new_key, key) && means(new, new_value, value))
    }) && entries.next().is_none()
}

fn list_holds(old: &Tree, list: NodeId, items: &[Item], new: &Tree, found: NodeId) -> bool {
    let children = old.children(list);
    let new_children = new.children(found);
    items.len() == new_children.len()
        && items.iter().zip(new_children).all(|(item, &found)| match item {
            Item::New(data) => means(new, found, data),
            Item::Old(index, change) => holds(old, children[*index], change, new, found),
        })
}

/// Tells whether two nodes are written alike: kind, style, text, anchor, tag and all that is inside.
fn same(old: &Tree, a: NodeId, new: &Tree, b: NodeId) -> bool {
    old.kind(a) == new.kind(b)
        && old.style(a) == new.style(b)
        && old.anchor(a) == new.anchor(b)
        && old.tag(a) == new.tag(b)
        && (old.text(a) == new.text(b))
        && old.children(a).len() == new.children(b).len()
        && old.children(a).iter().zip(new.children(b)).all(|(&a, &b)| same(old, a, new, b))
}
