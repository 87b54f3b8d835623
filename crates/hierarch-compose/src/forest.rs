//! Values in node space: parts of documents as they stand, and what expansion builds from them.
//!
//! A [`Val`] is a number. It names a node of a document, or a map, list or scalar that was built; what
//! expansion leaves alone is never copied, so every value still knows its file, line and column.

mod size;

use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::Hasher;
use std::sync::Arc;

use hierarch_source::{Place, Result};
use hierarch_yaml::{Data, Kind, NodeId, Scalar, Tree, hash_scalar, same_at_a_glance};
use rustc_hash::{FxHashMap, FxHasher};

use crate::issues;
use crate::keyed::Header;

/// A value: a node of a document, or something built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Val {
    pub(crate) doc: u32,
    pub(crate) id: u32,
    /// The directives it came through, 0 for none; only kept when provenance is asked for.
    pub(crate) via: u32,
}

const BUILT: u32 = u32::MAX;

impl Val {
    /// Returns the document and the node, if the value stands in a document.
    pub(crate) fn node(self) -> Option<(u32, NodeId)> {
        (self.doc != BUILT).then(|| (self.doc, NodeId::from_index(self.id as usize)))
    }
}

/// A directive that brought a value, and those before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Via {
    pub(crate) key: Val,
    pub(crate) next: u32,
}

#[derive(Debug)]
enum BuiltValue {
    Scalar(Scalar<'static>),
    List(Vec<Val>),
    Map(Vec<(Val, Val)>),
}

#[derive(Debug)]
struct MadeTree {
    built: BuiltValue,
    /// The node that it was made from, to point at.
    origin: Option<Val>,
    bulk: Bulk,
}

/// What a value amounts to.
#[derive(Clone, Copy, Debug)]
struct Bulk {
    /// Directives, strategies or merge keys may stand inside.
    active: bool,
    /// How many values it has, itself counted, those used several times as often as they are used.
    weight: usize,
    /// How many built collections stand inside each other.
    height: usize,
}

impl Bulk {
    fn hold(&mut self, part: Self) {
        self.active |= part.active;
        self.weight = self.weight.saturating_add(part.weight);
        self.height = self.height.max(part.height + 1);
    }
}

/// Built collections that stand inside each other: more than this is an error.
const DEEPEST: usize = 2000;

/// All documents of one load, and what was built from them.
#[derive(Debug, Default)]
pub struct Forest {
    trees: Vec<Arc<Tree>>,
    made: Vec<MadeTree>,
    vias: Vec<Via>,
    /// Maps with a native merge key, as the built maps that stand for them.
    merged: RefCell<FxHashMap<(u32, u32), u32>>,
    indexes: RefCell<FxHashMap<(u32, u32), Arc<Index>>>,
    /// What the headers of built lists said, which are no longer among their items.
    headers: FxHashMap<u32, Header>,
    /// What merged collections have their tags from, where that is not what they were made from.
    pub(crate) tagged_by: FxHashMap<u32, Val>,
    /// What merged maps were laid over.
    pub(crate) laid_over: FxHashMap<u32, Val>,
    /// How many values may still be built, and how many in one go.
    budget: usize,
    limit: usize,
    pub(crate) traces: bool,
    /// Of two lists that meet without a header the one above stands alone.
    pub(crate) replaces_lists: bool,
}

/// The keys of a map.
#[derive(Debug, Default)]
struct Index {
    /// Places by the hash of the key, the first where several keys have one hash.
    places: FxHashMap<u64, u32>,
    /// Some key is not a text, but may be written like one.
    has_others: bool,
}

/// Maps with more keys than this are searched by hash.
const FEW_KEYS: usize = 12;

impl Forest {
    /// Makes one without documents, for data from elsewhere.
    pub fn roomy() -> Self {
        Self::new(usize::MAX, false)
    }

    pub(crate) fn new(budget: usize, traces: bool) -> Self {
        Self { budget, limit: budget, traces, ..Self::default() }
    }

    /// Adds a document and returns its number.
    pub(crate) fn plant(&mut self, tree: &Arc<Tree>) -> Result<u32> {
        let doc = self.trees.len() as u32;
        self.trees.push(Arc::clone(tree));
        for &map in tree.merging_maps() {
            let entries = tree.view(map)?;
            let entries =
                entries.iter().map(|&(key, value)| (at(tree, doc, key), at(tree, doc, value))).collect();
            let stand_in = self.make(BuiltValue::Map(entries), Some(at(tree, doc, map)))?;
            self.merged.borrow_mut().insert((doc, map.index() as u32), stand_in.id);
        }
        Ok(doc)
    }

    pub(crate) fn tree(&self, doc: u32) -> &Arc<Tree> {
        &self.trees[doc as usize]
    }

    /// Returns the top of a document; `None` if it is empty.
    pub(crate) fn root(&self, doc: u32) -> Option<Val> {
        self.tree(doc).root().map(|node| self.val(doc, node))
    }

    /// Makes a value from a node, aliases followed.
    pub(crate) fn val(&self, doc: u32, node: NodeId) -> Val {
        at(self.tree(doc), doc, node)
    }

    fn make(&mut self, built: BuiltValue, origin: Option<Val>) -> Result<Val> {
        let mut bulk = Bulk { active: false, weight: 1, height: 0 };
        let cost = match &built {
            BuiltValue::Scalar(_) => 1,
            BuiltValue::List(items) => {
                items.iter().for_each(|&item| bulk.hold(self.bulk(item)));
                items.len()
            }
            BuiltValue::Map(entries) => {
                for &(key, value) in entries {
                    bulk.hold(self.bulk(key));
                    bulk.hold(self.bulk(value));
                    bulk.active |= self.plus_key(key).is_some();
                }
                entries.len()
            }
        };
        if bulk.height > DEEPEST {
            return Err(issues::too_deep(DEEPEST));
        }
        let left = self.budget.checked_sub(cost + 1).filter(|_| bulk.weight <= self.limit);
        self.budget = left.ok_or_else(|| issues::too_large(self.limit))?;
        self.made.push(MadeTree { built, origin, bulk });
        Ok(Val { doc: BUILT, id: self.made.len() as u32 - 1, via: 0 })
    }

    fn bulk(&self, val: Val) -> Bulk {
        match val.node() {
            Some((doc, node)) => {
                let tree = self.tree(doc);
                Bulk { active: tree.is_active(node), weight: tree.weight(node), height: 0 }
            }
            None => self.made[val.id as usize].bulk,
        }
    }

    pub(crate) fn map(&mut self, entries: Vec<(Val, Val)>, origin: Option<Val>) -> Result<Val> {
        self.make(BuiltValue::Map(entries), origin)
    }

    pub(crate) fn list(&mut self, items: Vec<Val>, origin: Option<Val>) -> Result<Val> {
        self.make(BuiltValue::List(items), origin)
    }

    /// Makes a list that has a header.
    pub(crate) fn list_under(&mut self, items: Vec<Val>, origin: Val, header: Header) -> Result<Val> {
        let list = self.list(items, Some(origin))?;
        self.headers.insert(list.id, header);
        Ok(list)
    }

    /// Tells whether any built list has a header.
    pub(crate) fn has_headers(&self) -> bool {
        !self.headers.is_empty()
    }

    /// Returns the header that a built list was made with.
    pub(crate) fn noted_header(&self, list: Val) -> Option<&Header> {
        if list.doc == BUILT { self.headers.get(&list.id) } else { None }
    }

    pub(crate) fn made_scalar(&mut self, scalar: Scalar<'static>, origin: Option<Val>) -> Result<Val> {
        self.make(BuiltValue::Scalar(scalar), origin)
    }

    /// Makes a value from data that stands in no document.
    pub fn grow(&mut self, data: &Data) -> Result<Val> {
        match data {
            Data::Scalar(scalar) => self.made_scalar(scalar.clone(), None),
            Data::List(items) => {
                let items = items.iter().map(|item| self.grow(item)).collect::<Result<_>>()?;
                self.list(items, None)
            }
            Data::Map(entries) => {
                let entries =
                    entries.iter().map(|(k, v)| Ok((self.grow(k)?, self.grow(v)?))).collect::<Result<_>>()?;
                self.map(entries, None)
            }
        }
    }

    /// Returns the built stand-in of a map with `<<`, any other value as it is.
    fn settled(&self, val: Val) -> Val {
        if val.doc == BUILT || !self.tree(val.doc).has_merge_key(NodeId::from_index(val.id as usize)) {
            return val;
        }
        match self.merged.borrow().get(&(val.doc, val.id)) {
            Some(&id) => Val { doc: BUILT, id, via: val.via },
            None => val,
        }
    }

    /// Tells what a value is.
    pub fn kind(&self, val: Val) -> Kind {
        if val.doc == BUILT {
            return match self.made[val.id as usize].built {
                BuiltValue::Scalar(_) => Kind::Scalar,
                BuiltValue::List(_) => Kind::List,
                BuiltValue::Map(_) => Kind::Map,
            };
        }
        self.tree(val.doc).kind(NodeId::from_index(val.id as usize))
    }

    pub(crate) fn is_map(&self, val: Val) -> bool {
        self.kind(val) == Kind::Map
    }

    pub(crate) fn is_null(&self, val: Val) -> bool {
        self.kind(val) == Kind::Scalar && matches!(self.scalar(val), Scalar::Null)
    }

    /// Tells whether directives, strategies or merge keys may stand inside.
    pub(crate) fn is_active(&self, val: Val) -> bool {
        if val.doc == BUILT {
            return self.made[val.id as usize].bulk.active;
        }
        self.tree(val.doc).is_active(NodeId::from_index(val.id as usize))
    }

    /// Tells how many items or entries a collection has.
    pub fn len(&self, val: Val) -> usize {
        let val = self.settled(val);
        if val.doc == BUILT {
            return match &self.made[val.id as usize].built {
                BuiltValue::Scalar(_) => 0,
                BuiltValue::List(items) => items.len(),
                BuiltValue::Map(entries) => entries.len(),
            };
        }
        let tree = self.tree(val.doc);
        let node = NodeId::from_index(val.id as usize);
        let children = tree.children(node).len();
        if tree.kind(node) == Kind::Map { children / 2 } else { children }
    }

    /// Returns an entry of a map.
    pub fn entry(&self, map: Val, index: usize) -> (Val, Val) {
        self.settled_entry(self.settled(map), index)
    }

    fn settled_entry(&self, map: Val, index: usize) -> (Val, Val) {
        if map.doc == BUILT {
            let BuiltValue::Map(entries) = &self.made[map.id as usize].built else {
                unreachable!("entries are asked of maps only")
            };
            let (key, value) = entries[index];
            return (key, Val { via: compose(value.via, map.via), ..value });
        }
        let tree = self.tree(map.doc);
        let children = tree.children(NodeId::from_index(map.id as usize));
        let value = at(tree, map.doc, children[index * 2 + 1]);
        (at(tree, map.doc, children[index * 2]), Val { via: map.via, ..value })
    }

    /// Returns an item of a list.
    pub fn item(&self, list: Val, index: usize) -> Val {
        if list.doc == BUILT {
            let BuiltValue::List(items) = &self.made[list.id as usize].built else {
                unreachable!("items are asked of lists only")
            };
            let item = items[index];
            return Val { via: compose(item.via, list.via), ..item };
        }
        let tree = self.tree(list.doc);
        let item = at(tree, list.doc, tree.children(NodeId::from_index(list.id as usize))[index]);
        Val { via: list.via, ..item }
    }

    /// Returns the entries of a map.
    pub fn entries(&self, map: Val) -> impl Iterator<Item = (Val, Val)> {
        let map = self.settled(map);
        (0..self.len(map)).map(move |index| self.settled_entry(map, index))
    }

    /// Returns the items of a list.
    pub fn items(&self, list: Val) -> impl Iterator<Item = Val> {
        (0..self.len(list)).map(move |index| self.item(list, index))
    }

    /// Marks a value as brought by a directive.
    pub(crate) fn through(&mut self, val: Val, key: Val) -> Val {
        if !self.traces {
            return val;
        }
        self.vias.push(Via { key, next: val.via });
        Val { via: self.vias.len() as u32, ..val }
    }

    /// Returns the keys of the directives that brought a value, the last one first.
    pub(crate) fn directives(&self, val: Val) -> impl Iterator<Item = Val> {
        let mut via = val.via;
        std::iter::from_fn(move || {
            let step = self.vias.get((via as usize).checked_sub(1)?)?;
            via = step.next;
            Some(step.key)
        })
    }

    /// Returns what a scalar means; a document's scalars were checked when it was read, but for those that only a key could open:
    /// these are the text that stands there.
    pub fn scalar(&self, val: Val) -> Scalar<'_> {
        if val.doc == BUILT {
            return match &self.made[val.id as usize].built {
                BuiltValue::Scalar(scalar) => borrowed(scalar),
                _ => Scalar::Null,
            };
        }
        let (tree, node) = (self.tree(val.doc), NodeId::from_index(val.id as usize));
        tree.scalar(node).unwrap_or_else(|_| Scalar::Str(tree.text(node).into()))
    }

    /// Returns the text of a scalar in a document that is one at a glance.
    pub fn plain_text(&self, val: Val) -> Option<&str> {
        val.node().and_then(|(doc, node)| self.tree(doc).plain_text(node))
    }

    /// Returns a scalar's text as written; the text of a built one.
    pub(crate) fn text(&self, val: Val) -> Cow<'_, str> {
        if val.doc != BUILT {
            return self.tree(val.doc).text(NodeId::from_index(val.id as usize)).into();
        }
        match self.scalar(val) {
            Scalar::Str(text) | Scalar::Symbol(text) => text,
            other => hierarch_yaml::scalar_text(&other).into(),
        }
    }

    /// Returns the text of a key that begins with `+`.
    pub(crate) fn plus_key(&self, key: Val) -> Option<Cow<'_, str>> {
        if self.kind(key) != Kind::Scalar {
            return None;
        }
        let text = self.text(key);
        (text.starts_with('+') && self.is_text(key)).then_some(text)
    }

    fn is_text(&self, val: Val) -> bool {
        match val.node() {
            Some((doc, node)) => self.tree(doc).is_text(node),
            None => matches!(self.made[val.id as usize].built, BuiltValue::Scalar(Scalar::Str(_))),
        }
    }

    /// Finds the value of a key in a map.
    pub(crate) fn find(&self, map: Val, key: Val) -> Option<Val> {
        self.position(map, key).map(|index| self.entry(map, index).1)
    }

    /// Finds the value of a key in a map, most likely at the place `guess`.
    pub(crate) fn find_near(&self, map: Val, key: Val, guess: usize) -> Option<Val> {
        self.place_near(map, key, guess).map(|place| self.entry(map, place).1)
    }

    /// Finds the place of a key in a map, most likely `guess`.
    pub(crate) fn place_near(&self, map: Val, key: Val, guess: usize) -> Option<usize> {
        let is_here = guess < self.len(map) && self.same_key(self.entry(map, guess).0, key);
        if is_here { Some(guess) } else { self.position(map, key) }
    }

    /// Finds the place of a key in a map.
    pub(crate) fn position(&self, map: Val, key: Val) -> Option<usize> {
        let count = self.len(map);
        if count > FEW_KEYS {
            let index = self.index(map);
            let hit = index.places.get(&self.hash(key)).copied()? as usize;
            if self.same_key(self.entry(map, hit).0, key) {
                return Some(hit);
            }
        }
        (0..count).find(|&index| self.same_key(self.entry(map, index).0, key))
    }

    /// Finds a value by a text: a text key, else a key of another type that is written so.
    pub(crate) fn find_text(&self, map: Val, text: &str) -> Option<Val> {
        self.position_text(map, text).map(|index| self.entry(map, index).1)
    }

    /// Finds the place of a text in a map, by the same rule.
    pub(crate) fn position_text(&self, map: Val, text: &str) -> Option<usize> {
        let count = self.len(map);
        if count > FEW_KEYS {
            let mut hasher = FxHasher::default();
            Scalar::Str(text.into()).hash_into(&mut hasher);
            let index = self.index(map);
            match index.places.get(&hasher.finish()) {
                Some(&hit) if self.is_this_text(self.entry(map, hit as usize).0, text) => {
                    return Some(hit as usize);
                }
                None if !index.has_others => return None,
                _ => {}
            }
        }
        let written = |wanted: bool| {
            (0..count).find(|&index| {
                let key = self.entry(map, index).0;
                self.kind(key) == Kind::Scalar
                    && self.text(key) == text
                    && (self.scalar(key).as_str().is_some() == wanted)
            })
        };
        written(true).or_else(|| written(false))
    }

    fn is_this_text(&self, val: Val, text: &str) -> bool {
        self.is_text(val) && self.text(val) == text
    }

    fn index(&self, map: Val) -> Arc<Index> {
        let map = self.settled(map);
        if let Some(index) = self.indexes.borrow().get(&(map.doc, map.id)) {
            return Arc::clone(index);
        }
        let mut index = Index::default();
        index.places.reserve(self.len(map));
        for (place, (key, _)) in self.entries(map).enumerate() {
            index.places.entry(self.hash(key)).or_insert(place as u32);
            index.has_others |= !self.is_text(key);
        }
        let index = Arc::new(index);
        self.indexes.borrow_mut().insert((map.doc, map.id), Arc::clone(&index));
        index
    }

    /// Hashes a value so that equal values hash alike, whatever the order of their keys.
    pub(crate) fn hash(&self, val: Val) -> u64 {
        let mut hasher = FxHasher::default();
        match self.kind(val) {
            Kind::Scalar | Kind::Alias => match val.node() {
                Some((doc, node)) => hash_scalar(self.tree(doc), node, &mut hasher),
                None => self.scalar(val).hash_into(&mut hasher),
            },
            Kind::List => {
                hasher.write_u8(b'[');
                self.items(val).for_each(|item| hasher.write_u64(self.hash(item)));
            }
            Kind::Map => {
                let sum = self.entries(val).fold(0u64, |sum, (key, value)| {
                    sum.wrapping_add(
                        self.hash(key).rotate_left(17) ^ self.hash(value).wrapping_mul(0x9E37_79B9),
                    )
                });
                hasher.write_u8(b'{');
                hasher.write_u64(sum);
            }
        }
        hasher.finish()
    }

    /// Tells whether two values are equal; the order of keys does not count, that of items does.
    pub fn same(&self, a: Val, b: Val) -> bool {
        if (a.doc, a.id) == (b.doc, b.id) {
            return true;
        }
        let kind = self.kind(a);
        if kind != self.kind(b) {
            return false;
        }
        match kind {
            Kind::Scalar | Kind::Alias => self.same_scalar(a, b),
            Kind::List => {
                self.len(a) == self.len(b) && self.items(a).zip(self.items(b)).all(|(a, b)| self.same(a, b))
            }
            Kind::Map => self.len(a) == self.len(b) && self.same_entries(a, b),
        }
    }

    fn same_entries(&self, a: Val, b: Val) -> bool {
        (0..self.len(a)).all(|index| {
            let (key, value) = self.entry(a, index);
            // The usual case: both in the same order.
            let (other_key, other) = self.entry(b, index);
            if self.same_key(key, other_key) {
                return self.same(value, other);
            }
            self.find(b, key).is_some_and(|other| self.same(value, other))
        })
    }

    fn same_scalar(&self, a: Val, b: Val) -> bool {
        if let (Some((a_doc, a_node)), Some((b_doc, b_node))) = (a.node(), b.node())
            && let Some(same) = same_at_a_glance((self.tree(a_doc), a_node), (self.tree(b_doc), b_node))
        {
            return same;
        }
        self.scalar(a) == self.scalar(b)
    }

    /// Returns a value as data.
    pub fn data(&self, val: Val) -> Data {
        match self.kind(val) {
            Kind::Scalar | Kind::Alias => self.scalar(val).into(),
            Kind::List => Data::List(self.items(val).map(|item| self.data(item)).collect()),
            Kind::Map => Data::Map(self.entries(val).map(|(k, v)| (self.data(k), self.data(v))).collect()),
        }
    }

    /// Returns the node that a value stands in, or was made from as a whole.
    pub(crate) fn written_as(&self, val: Val) -> Option<(u32, NodeId)> {
        let mut val = val;
        while val.doc == BUILT {
            val = self.made_from(val)?;
        }
        val.node()
    }

    /// Tells whether anything in the documents has a tag that is not YAML's own.
    pub fn has_tags(&self) -> bool {
        self.trees.iter().any(|tree| tree.has_own_tags())
    }

    /// Returns what a built value was made from.
    pub(crate) fn made_from(&self, val: Val) -> Option<Val> {
        if val.doc == BUILT { self.made[val.id as usize].origin } else { None }
    }

    /// Tells whether a value is another one, or was made of it.
    pub(crate) fn is_made_of(&self, val: Val, source: Val) -> bool {
        let mut at = Some(val);
        while let Some(val) = at {
            if (val.doc, val.id) == (source.doc, source.id) {
                return true;
            }
            at = self.made_from(val);
        }
        false
    }

    /// Returns where a value, or what it was made from, stands.
    pub fn place(&self, val: Val) -> Option<Place> {
        let (doc, node) = self.written_as(val)?;
        let tree = self.tree(doc);
        Some(Place::new(tree.source(), tree.span(node)))
    }
}

/// A chain inside another: what brought the child, unless only its parent was brought.
fn compose(inner: u32, outer: u32) -> u32 {
    if inner == 0 { outer } else { inner }
}

fn at(tree: &Tree, doc: u32, node: NodeId) -> Val {
    Val { doc, id: tree.target(node).index() as u32, via: 0 }
}

fn borrowed<'s>(scalar: &'s Scalar<'static>) -> Scalar<'s> {
    match scalar {
        Scalar::Null => Scalar::Null,
        Scalar::Bool(value) => Scalar::Bool(*value),
        Scalar::Int(value) => Scalar::Int(*value),
        Scalar::Big(digits) => Scalar::Big(digits.clone()),
        Scalar::Float(value) => Scalar::Float(*value),
        Scalar::Str(text) => Scalar::Str(text.as_ref().into()),
        Scalar::Symbol(text) => Scalar::Symbol(text.as_ref().into()),
        Scalar::Binary(bytes) => Scalar::Binary(bytes.clone()),
    }
}
