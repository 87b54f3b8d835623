//! Values that are read side by side with the nodes they are written in: each part gets its place.

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Result;
use hierarch_yaml::{Kind, NodeId, Tree};

use super::{Origin, TracedMap, TracedValue};
use crate::data::Data;
use crate::lookup::{Opening, Walk};
use crate::piece::{Entries, Piece};

/// Walks over a value and over its nodes side by side.
pub(super) struct Reader<'a, 'w> {
    pub(super) walk: &'a mut Walk<'w>,
    pub(super) tree: &'a Tree,
}

impl Reader<'_, '_> {
    pub(super) fn read(&mut self, data: &Data, node: NodeId) -> Result<TracedValue> {
        let node = self.tree.target(node);
        let origin = origin_of(self.tree, node);
        let traced = match data {
            Data::Plain(value) => return Ok(placed(self.tree, value, node)),
            Data::Text(template) => self.walk.fill_text::<TracedValue>(template)?,
            Data::List(items) if self.tree.kind(node) == Kind::List => {
                let children = self.tree.children(node).to_vec();
                let items: Result<Vec<_>> =
                    items.iter().zip(children).map(|(item, node)| self.read(item, node)).collect();
                TracedValue::list(items?)
            }
            Data::Map(entries) if self.tree.kind(node) == Kind::Map => {
                let nodes = self.tree.view(node)?;
                let (mut map, mut has_secret_key) = (TracedMap::default(), false);
                for ((key, value), &(_, node)) in entries.iter().zip(nodes.iter()) {
                    let key = self.walk.fill::<TracedValue>(key)?;
                    has_secret_key |= key.is_secret;
                    let value = self.read(value, node)?;
                    map.put(key.value, value);
                }
                let map = TracedValue::map(map);
                // There is no way to show a hash without its keys.
                if has_secret_key { map.secret() } else { map }
            }
            data => self.walk.fill::<TracedValue>(data)?,
        };
        Ok(traced.standing(&origin))
    }

    /// Reads a value that may be encrypted somewhere in it.
    pub(super) fn open(&mut self, value: &Value, node: NodeId, opening: &Opening) -> Result<TracedValue> {
        let node = self.tree.target(node);
        let traced = match value {
            Value::String(text) => self.walk.opened_text::<TracedValue>(text, opening)?,
            Value::Array(items) => {
                let children = self.tree.children(node).to_vec();
                let node_of = |index: usize| children.get(index).copied().unwrap_or(node);
                let items = items.iter().enumerate();
                let items = items.map(|(index, item)| self.open(item, node_of(index), opening));
                TracedValue::list(items.collect::<Result<_>>()?)
            }
            Value::Hash(hash) => {
                let nodes = self.tree.view(node)?;
                let (mut map, mut has_secret_key) = (TracedMap::default(), false);
                for (index, (key, value)) in hash.iter().enumerate() {
                    let key = self.walk.fill::<TracedValue>(&Data::new(key.clone()))?;
                    has_secret_key |= key.is_secret;
                    let own = nodes.get(index).filter(|_| nodes.len() == hash.len());
                    let value = self.open(value, own.map_or(node, |(_, own)| *own), opening)?;
                    map.put(key.value, value);
                }
                let map = TracedValue::map(map);
                if has_secret_key { map.secret() } else { map }
            }
            other => TracedValue::of(other.clone()),
        };
        Ok(traced.standing(&origin_of(self.tree, node)))
    }
}

/// Gives every part of a value the place of its node. Where the two have not the same shape, the node is that of all.
pub(super) fn placed(tree: &Tree, value: &Value, node: NodeId) -> TracedValue {
    let node = tree.target(node);
    let traced = match value {
        Value::Array(items) if tree.kind(node) == Kind::List && tree.children(node).len() == items.len() => {
            let nodes = tree.children(node).iter();
            TracedValue::list(items.iter().zip(nodes).map(|(item, node)| placed(tree, item, *node)).collect())
        }
        Value::Hash(hash) if tree.kind(node) == Kind::Map => match tree.view(node) {
            Ok(nodes) if nodes.len() == hash.len() => {
                let mut map = TracedMap::default();
                for ((key, value), (_, node)) in hash.iter().zip(nodes.iter()) {
                    map.put(key.clone(), placed(tree, value, *node));
                }
                TracedValue::map(map)
            }
            _ => TracedValue::of(value.clone()),
        },
        other => TracedValue::of(other.clone()),
    };
    traced.standing(&origin_of(tree, node))
}

fn origin_of(tree: &Tree, node: NodeId) -> Arc<Origin> {
    let span = tree.span(node);
    let position = tree.source().position(span.start);
    let file = tree.source().name().unwrap_or_default().into();
    let range = Some((span.start, span.end));
    Arc::new(Origin { file, function: None, line: Some(position.line), column: Some(position.column), range })
}
