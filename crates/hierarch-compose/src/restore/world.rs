//! The document as written, side by side with a value it expands to: which node became what.
//!
//! Saving compares two such worlds, the expansion as it was and as it was edited to be. A directive's
//! target is found by the same path in both; where the path leaves what is written (through an alias, a
//! merge key, or what another directive brings) it goes on in the value.

use std::sync::Arc;

use hierarch_source::Result;
use hierarch_yaml::{Kind, NodeId, Tree, is_merge_key};
use rustc_hash::FxHashMap;

use crate::directive::{Directive, NAME, STRATEGY};
use crate::expand::{Expander, Expansion, Target};
use crate::forest::Val;
use crate::keyed::Header;

/// The shape of the written document: who stands in whom.
pub(crate) struct WrittenDocument {
    pub(crate) tree: Arc<Tree>,
    pub(crate) doc: u32,
    /// Named points: the map that has `+&: name`.
    pub(crate) names: FxHashMap<String, NodeId>,
    /// Anchors of this document that no included one has taken over.
    pub(crate) anchors: FxHashMap<String, NodeId>,
}

/// A map taken apart: what in it is data, and what is not.
#[derive(Default)]
pub(crate) struct Parts {
    /// Directives: number of the entry, the directive, its key and its value.
    pub(crate) directives: Vec<(usize, Directive, NodeId, NodeId)>,
    /// Own entries: number, key, value.
    pub(crate) own: Vec<(usize, NodeId, NodeId)>,
    /// Native merge keys: number, value.
    pub(crate) native: Vec<(usize, NodeId)>,
    /// The entry with the strategy.
    pub(crate) strategy: Option<(usize, NodeId)>,
}

impl WrittenDocument {
    pub(crate) fn new(tree: Arc<Tree>, doc: u32, expander: &Expander) -> Self {
        let mut names = FxHashMap::default();
        tree.roots().iter().for_each(|&root| note_names(&tree, root, &mut names));
        let anchors = expander.anchors.iter().filter_map(|(name, &val)| match val.node() {
            Some((found, node)) if found == doc => Some((name.clone(), node)),
            _ => None,
        });
        let anchors = anchors.collect();
        Self { tree, doc, names, anchors }
    }

    /// Takes a map apart.
    pub(crate) fn parts(&self, map: NodeId) -> Parts {
        let mut parts = Parts::default();
        for (index, (key, value)) in self.tree.entries(map).enumerate() {
            let text = self.tree.text(self.tree.target(key));
            if is_merge_key(&self.tree, key) {
                parts.native.push((index, value));
            } else if !text.starts_with('+') {
                parts.own.push((index, key, value));
            } else if text == STRATEGY {
                parts.strategy = Some((index, value));
            } else if text != NAME {
                match Directive::parse(text) {
                    Ok(Some(directive)) => parts.directives.push((index, directive, key, value)),
                    _ => parts.own.push((index, key, value)),
                }
            }
        }
        parts
    }

    /// The node that `dots` lead to from a holder: itself with one, its container with two.
    fn container(&self, holder: NodeId, dots: usize) -> NodeId {
        let mut node = holder;
        for _ in 1..dots {
            match self.tree.parent(node) {
                Some((parent, _)) => node = parent,
                None => break,
            }
        }
        node
    }

    fn is_raw(&self, value: NodeId) -> bool {
        let value = self.tree.target(value);
        self.tree.kind(value) == Kind::Scalar && self.tree.text(value) == "raw"
    }
}

/// Notes the maps that have a name, wherever they stand: only what is active can.
fn note_names(tree: &Tree, node: NodeId, names: &mut FxHashMap<String, NodeId>) {
    if !tree.is_active(node) {
        return;
    }
    if tree.kind(node) == Kind::Map
        && let Some(name) = tree.get(node, NAME)
    {
        names.insert(tree.text(name).to_owned(), node);
    }
    tree.children(node).iter().for_each(|&child| note_names(tree, child, names));
}

/// One expansion of the document, and what each node became in it.
pub(crate) struct World {
    pub(crate) value: Val,
    known: FxHashMap<NodeId, Option<Val>>,
}

/// What a directive refers to in a world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Referent {
    /// A value.
    Value(Val),
    /// Nothing, and that is in order.
    Nothing,
    /// It is gone, and it is needed.
    Gone,
}

/// Where a written path leads.
enum Place {
    /// Still in what is written.
    Node(NodeId),
    /// In a value that is not written there.
    Value(Val),
}

impl World {
    pub(crate) fn new(value: Val) -> Self {
        Self { value, known: FxHashMap::default() }
    }

    /// Returns what a written node became.
    pub(crate) fn of(&mut self, node: NodeId, written: &WrittenDocument, expander: &Expander) -> Option<Val> {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let found = match written.tree.parent(node) {
            None => Some(self.value),
            Some((parent, slot)) => {
                let parent_value = self.of(parent, written, expander);
                parent_value.and_then(|value| inside(parent, slot, value, written, expander))
            }
        };
        self.known.insert(node, found);
        found
    }

    /// Finds what a directive of a holder refers to.
    pub(crate) fn brought(
        &mut self,
        holder: NodeId,
        (directive, key, value): (&Directive, NodeId, NodeId),
        written: &WrittenDocument,
        expander: &mut Expander,
    ) -> Result<Referent> {
        if directive.include {
            return self.included((directive, key, value), written, expander);
        }
        let raw = written.is_raw(value);
        let found = if let Some(name) = &directive.anchor {
            self.anchored(name, &directive.pointer, raw, written, expander)
        } else {
            let start = match directive.dots {
                0 => written.tree.root(),
                dots => Some(written.container(holder, dots)),
            };
            start.and_then(|start| self.follow(start, &directive.pointer, raw, written, expander))
        };
        Ok(match found {
            Some(value) => Referent::Value(value),
            None if directive.optional => Referent::Nothing,
            None => Referent::Gone,
        })
    }

    fn anchored(
        &mut self,
        name: &str,
        pointer: &[String],
        raw: bool,
        written: &WrittenDocument,
        expander: &Expander,
    ) -> Option<Val> {
        if let Some(&node) = written.names.get(name) {
            return self.follow(node, pointer, raw, written, expander);
        }
        if let Some(&node) = written.anchors.get(name) {
            return self.follow(node, pointer, raw, written, expander);
        }
        expander.follow(*expander.anchors.get(name)?, pointer)
    }

    fn follow(
        &mut self,
        start: NodeId,
        pointer: &[String],
        raw: bool,
        written: &WrittenDocument,
        expander: &Expander,
    ) -> Option<Val> {
        let mut place = Place::Node(start);
        for segment in pointer {
            place = match place {
                Place::Value(value) => Place::Value(expander.forest.child(value, segment)?),
                Place::Node(node) => {
                    if let Some(child) = step(node, segment, written, expander) {
                        Place::Node(child)
                    } else {
                        let value = self.of(node, written, expander)?;
                        Place::Value(expander.forest.child(value, segment)?)
                    }
                }
            };
        }
        match place {
            Place::Value(value) => Some(value),
            Place::Node(node) if raw && written.tree.is_active(node) => {
                self.of(node, written, expander).map(|_| expander.forest.val(written.doc, node))
            }
            Place::Node(node) => self.of(node, written, expander),
        }
    }

    /// Included content, with the world as the ground of its own directives.
    fn included(
        &mut self,
        (directive, key, value): (&Directive, NodeId, NodeId),
        written: &WrittenDocument,
        expander: &mut Expander,
    ) -> Result<Referent> {
        let key = expander.forest.val(written.doc, key);
        let value = expander.forest.val(written.doc, value);
        let path = expander.path.clone();
        expander.stand_on(self.value);
        expander.path.clone_from(&path);
        let found = expander.target(directive, key, value)?;
        let brought = match found {
            Target::Found(target, Some(entered)) => {
                let expanded = expander.expand_target(directive, key, target, &entered)?;
                expanded.map_or(Referent::Nothing, Referent::Value)
            }
            Target::Found(target, None) => Referent::Value(target),
            Target::Nothing => Referent::Nothing,
            Target::Missing if directive.optional => Referent::Nothing,
            Target::Missing => Referent::Gone,
        };
        // An empty file brings nothing.
        Ok(match brought {
            Referent::Value(value) if expander.forest.is_null(value) => Referent::Nothing,
            other => other,
        })
    }
}

fn inside(
    parent: NodeId,
    slot: usize,
    value: Val,
    written: &WrittenDocument,
    expander: &Expander,
) -> Option<Val> {
    let forest = &expander.forest;
    match written.tree.kind(parent) {
        Kind::Map if slot % 2 == 1 && forest.is_map(value) => {
            let key = written.tree.children(parent)[slot - 1];
            forest.find_near(value, forest.val(written.doc, key), slot / 2)
        }
        Kind::List if forest.kind(value) == Kind::List => {
            let header = forest.written_header(forest.val(written.doc, parent)).ok()?;
            match header {
                Some(Header::Match(by)) => {
                    let item = written.tree.children(parent)[slot];
                    let key = forest.key_of(forest.val(written.doc, item), &by)?;
                    forest.items(value).find(|&item| forest.key_of(item, &by).as_ref() == Some(&key))
                }
                header => {
                    let place = slot.checked_sub(usize::from(header.is_some()))?;
                    let count = written.tree.children(parent).len() - usize::from(header.is_some());
                    let item = written.tree.children(parent)[slot];
                    moved(item, (place, count), value, (written, expander))
                }
            }
        }
        _ => None,
    }
}

/// Finds the item of an edited list that an old one became: itself wherever it stands now, or what was made of it, or what has
/// its content; else what stands in its place.
fn moved(
    item: NodeId,
    (place, count): (usize, usize),
    list: Val,
    (written, expander): (&WrittenDocument, &Expander),
) -> Option<Val> {
    let forest = &expander.forest;
    let length = forest.len(list);
    let was = match expander.items_before.get(&item) {
        Some(Expansion::Value(value)) => *value,
        // A list that took the place of its item has no one place.
        Some(_) => return (place < length).then(|| forest.item(list, place)),
        None => forest.val(written.doc, item),
    };
    let behind = (place + length).checked_sub(count);
    let near = [Some(place), behind].into_iter().flatten().filter(|&place| place < length);
    let places: Vec<usize> = near.chain(0..length).collect();
    let find = |fits: &dyn Fn(Val) -> bool| {
        places.iter().map(|&place| forest.item(list, place)).find(|&item| fits(item))
    };
    let by_itself = find(&|item| forest.is_made_of(item, was));
    let by_content = || find(&|item| item.node().is_none() && forest.same(item, was));
    by_itself.or_else(by_content).or_else(|| (length == count).then(|| forest.item(list, place)))
}

/// Follows a segment as long as it leads to something that is written in place.
fn step(node: NodeId, segment: &str, written: &WrittenDocument, expander: &Expander) -> Option<NodeId> {
    let tree = &written.tree;
    match tree.kind(node) {
        Kind::Map if !tree.has_merge_key(node) => {
            let index = expander.forest.position_text(expander.forest.val(written.doc, node), segment)?;
            tree.children(node).get(index * 2 + 1).copied()
        }
        Kind::List if has_header(node, written, expander) => None,
        Kind::List => segment.parse().ok().and_then(|index: usize| tree.children(node).get(index).copied()),
        _ => None,
    }
}

fn has_header(list: NodeId, written: &WrittenDocument, expander: &Expander) -> bool {
    !matches!(expander.forest.written_header(expander.forest.val(written.doc, list)), Ok(None))
}
