//! Values that know where each part of them came from, what it hides, and what was removed.

pub(crate) mod view;

use std::sync::Arc;

use foldhash::fast::RandomState;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Result;
use hierarch_yaml::{Kind, NodeId, Tree};
use indexmap::IndexMap;

use crate::data::Data;
use crate::document::{Document, Entry};
use crate::locate::Location;
use crate::lookup::Walk;
use crate::piece::{Entries, Piece, View};

/// A place in a data file. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file.
    pub file: Str,
    /// The line; none where the format tells no lines.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
}

/// A value whose every part knows its origin.
#[derive(Clone, Debug)]
pub struct Traced {
    value: Value,
    parts: Parts,
    origin: Option<Arc<Origin>>,
    hides: Vec<Other>,
    removed: Vec<(Other, Option<Arc<Origin>>)>,
}

/// A value that did not make it.
#[derive(Clone, Debug)]
pub struct Other {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub origin: Option<Arc<Origin>>,
}

#[derive(Clone, Debug)]
enum Parts {
    None,
    List(Vec<Traced>),
    Map(TracedMap),
}

/// The entries of a hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct TracedMap(IndexMap<Value, Traced, RandomState>);

/// One leaf of a value.
#[derive(Debug)]
pub struct Leaf<'t> {
    /// The keys and positions that lead to it.
    pub path: Vec<Value>,
    /// Its value.
    pub value: &'t Value,
    /// Where it stands.
    pub origin: Option<&'t Origin>,
    /// What it hides.
    pub hides: &'t [Other],
}

/// Something that a knockout removed.
#[derive(Debug)]
pub struct Removal<'t> {
    /// What leads to where it was.
    pub path: Vec<Value>,
    /// What was removed.
    pub what: &'t Other,
    /// Where the knockout stands.
    pub by: Option<&'t Origin>,
}

impl Traced {
    /// Returns the value alone.
    pub fn plain(&self) -> &Value {
        &self.value
    }

    /// Returns the leaves in order; an empty collection is a leaf.
    pub fn leaves(&self) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            if part.is_leaf() {
                let origin = part.origin.as_deref();
                leaves.push(Leaf { path: path.to_vec(), value: &part.value, origin, hides: &part.hides });
            }
        });
        leaves
    }

    /// Returns what knockouts removed.
    pub fn removals(&self) -> Vec<Removal<'_>> {
        let mut removals = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            removals.extend(part.removed.iter().map(|(what, by)| Removal {
                path: path.to_vec(),
                what,
                by: by.as_deref(),
            }));
        });
        removals
    }

    fn is_leaf(&self) -> bool {
        match &self.parts {
            Parts::None => true,
            Parts::List(items) => items.is_empty(),
            Parts::Map(map) => map.0.is_empty(),
        }
    }

    fn walk<'t>(&'t self, path: &mut Vec<Value>, visit: &mut dyn FnMut(&[Value], &'t Traced)) {
        visit(path, self);
        let mut inner = |key: Value, part: &'t Traced, visit: &mut dyn FnMut(&[Value], &'t Traced)| {
            path.push(key);
            part.walk(path, visit);
            path.pop();
        };
        match &self.parts {
            Parts::None => {}
            Parts::List(items) => {
                items.iter().enumerate().for_each(|(index, item)| inner(Value::from(index), item, visit));
            }
            Parts::Map(map) => map.0.iter().for_each(|(key, part)| inner(key.clone(), part, visit)),
        }
    }

    fn other(&self) -> Other {
        let origin = self.origin.clone().or_else(|| self.first_origin());
        Other { value: self.value.clone(), origin }
    }

    fn first_origin(&self) -> Option<Arc<Origin>> {
        let part = match &self.parts {
            Parts::None => None,
            Parts::List(items) => items.first(),
            Parts::Map(map) => map.0.values().next(),
        }?;
        part.origin.clone().or_else(|| part.first_origin())
    }

    /// Gives all parts that have no origin this one.
    fn standing(mut self, origin: &Arc<Origin>) -> Self {
        self.origin.get_or_insert_with(|| Arc::clone(origin));
        match &mut self.parts {
            Parts::None => {}
            Parts::List(items) => items.iter_mut().for_each(|item| *item = item.clone().standing(origin)),
            Parts::Map(map) => map.0.values_mut().for_each(|part| *part = part.clone().standing(origin)),
        }
        self
    }
}

impl Piece for Traced {
    type Map = TracedMap;

    fn view(&self) -> View<'_, Self> {
        match &self.parts {
            Parts::None => View::Scalar(&self.value),
            Parts::List(items) => View::List(items),
            Parts::Map(map) => View::Map(map),
        }
    }

    fn of(value: Value) -> Self {
        match &value {
            Value::Array(items) => Self::list(items.iter().cloned().map(Self::of).collect()),
            Value::Hash(hash) => Self::map(TracedMap(
                hash.iter().map(|(key, value)| (key.clone(), Self::of(value.clone()))).collect(),
            )),
            _ => Self { value, parts: Parts::None, origin: None, hides: Vec::new(), removed: Vec::new() },
        }
    }

    fn from_entry(
        walk: &mut Walk,
        document: &Document,
        entry: &Entry,
        at: Option<&Location>,
    ) -> Result<Self> {
        let data = document.data(entry)?;
        match (document.tree(), entry.node()) {
            (Some(tree), Some(node)) => Reader { walk, tree }.read(data, node),
            _ => Ok(walk.fill::<Self>(data)?.standing(&whole_file(at))),
        }
    }

    fn at_entry(value: Value, document: &Document, entry: &Entry, at: Option<&Location>) -> Self {
        let origin = match (document.tree(), entry.node()) {
            (Some(tree), Some(node)) => origin_of(tree, node),
            _ => whole_file(at),
        };
        Self::of(value).standing(&origin)
    }

    fn list(items: Vec<Self>) -> Self {
        let value = Value::array(items.iter().map(|item| item.value.clone()).collect());
        Self { value, parts: Parts::List(items), origin: None, hides: Vec::new(), removed: Vec::new() }
    }

    fn map(map: TracedMap) -> Self {
        let value: Hash = map.0.iter().map(|(key, part)| (key.clone(), part.value.clone())).collect();
        let value = Value::hash(value);
        Self { value, parts: Parts::Map(map), origin: None, hides: Vec::new(), removed: Vec::new() }
    }

    fn value(&self) -> Value {
        self.value.clone()
    }

    fn hiding(mut self, hidden: &Self) -> Self {
        // A new entry of a deep merge is merged with a copy of itself.
        let is_itself = self.origin.is_some() && self.origin == hidden.origin;
        if !is_itself {
            self.hides.push(hidden.other());
            self.hides.extend(hidden.hides.iter().cloned());
        }
        self
    }

    fn without(mut self, removed: &Self, by: &Self) -> Self {
        self.removed.push((removed.other(), by.origin.clone()));
        self
    }
}

impl Entries<Traced> for TracedMap {
    fn entry(&self, key: &Value) -> Option<&Traced> {
        self.0.get(key)
    }

    fn put(&mut self, key: Value, value: Traced) {
        self.0.insert(key, value);
    }

    fn pairs<'a>(&'a self) -> impl Iterator<Item = (&'a Value, &'a Traced)>
    where
        Traced: 'a,
    {
        self.0.iter()
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}

fn whole_file(at: Option<&Location>) -> Arc<Origin> {
    Arc::new(Origin { file: at.map_or_else(Str::new, |at| at.text.clone()), line: None, column: None })
}

fn origin_of(tree: &Tree, node: NodeId) -> Arc<Origin> {
    let position = tree.source().position(tree.span(node).start);
    let file = tree.source().name().unwrap_or_default().into();
    Arc::new(Origin { file, line: Some(position.line), column: Some(position.column) })
}

/// Walks over a value and over its nodes side by side.
struct Reader<'a, 'w> {
    walk: &'a mut Walk<'w>,
    tree: &'a Tree,
}

impl Reader<'_, '_> {
    fn read(&mut self, data: &Data, node: NodeId) -> Result<Traced> {
        let node = self.tree.target(node);
        let origin = origin_of(self.tree, node);
        let traced = match data {
            Data::Plain(value) => return self.plain(value, node),
            Data::Text(template) => self.walk.fill_text::<Traced>(template)?,
            Data::List(items) if self.tree.kind(node) == Kind::List => {
                let children = self.tree.children(node).to_vec();
                let items: Result<Vec<_>> =
                    items.iter().zip(children).map(|(item, node)| self.read(item, node)).collect();
                Traced::list(items?)
            }
            Data::Map(entries) if self.tree.kind(node) == Kind::Map => {
                let nodes = self.tree.view(node)?.into_owned();
                let mut map = TracedMap::default();
                for ((key, value), (_, node)) in entries.iter().zip(nodes) {
                    let key = self.walk.fill::<Value>(key)?;
                    let value = self.read(value, node)?;
                    map.put(key, value);
                }
                Traced::map(map)
            }
            data => self.walk.fill::<Traced>(data)?,
        };
        Ok(traced.standing(&origin))
    }

    fn plain(&self, value: &Value, node: NodeId) -> Result<Traced> {
        let node = self.tree.target(node);
        let origin = origin_of(self.tree, node);
        let traced = match value {
            Value::Array(items) if self.tree.kind(node) == Kind::List => {
                let children = self.tree.children(node).iter();
                let items: Result<Vec<_>> =
                    items.iter().zip(children).map(|(item, node)| self.plain(item, *node)).collect();
                Traced::list(items?)
            }
            Value::Hash(hash) if self.tree.kind(node) == Kind::Map => {
                let nodes = self.tree.view(node)?;
                let mut map = TracedMap::default();
                for ((key, value), (_, node)) in hash.iter().zip(nodes.iter()) {
                    map.put(key.clone(), self.plain(value, *node)?);
                }
                Traced::map(map)
            }
            other => Traced::of(other.clone()),
        };
        Ok(traced.standing(&origin))
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use crate::{Hiera, Query, Scope};

    /// Looks `k` up in two files, merged deeply, and tells where its leaves come from.
    fn check(high: &str, low: &str, expected: &str) {
        let config = "version: 5\nhierarchy:\n- {name: H, path: h.yaml}\n- {name: L, path: l.yaml}\n";
        let files = MemoryFiles::from([("hiera.yaml", config), ("data/h.yaml", high), ("data/l.yaml", low)]);
        let hiera = Hiera::open(files, "hiera.yaml");
        let scope = Scope::new();
        let merge =
            [("strategy", "deep"), ("knockout_prefix", "--")].into_iter().collect::<hierarch_pcore::Hash>();
        let query = Query { merge: Some(merge.into()), ..Query::new(["k".to_owned()]) };
        let traced = hiera.session(&scope).trace(&query).expect("found");
        assert_eq!(super::view::text("k", &traced, &Clone::clone), expected);
    }

    #[test]
    fn each_leaf_stands_where_it_was_written() {
        check(
            "k: {a: 1, b: [x]}",
            "k:\n  a: 2\n  b: [y]\n",
            "k.a = 1\n    data/h.yaml:1:8\n    hides 2 data/l.yaml:2:6\nk.b.0 = \"y\"\n    data/l.yaml:3:7\nk.b.1 = \"x\"\n    data/h.yaml:1:15\n",
        );
    }

    #[test]
    fn a_knockout_says_what_it_removed_and_where() {
        check(
            "k: [--y]",
            "k: [y, z]",
            "k.0 = \"z\"\n    data/l.yaml:1:8\nk lost \"y\"\n    data/l.yaml:1:5\n    removed by data/h.yaml:1:5\n",
        );
    }

    #[test]
    fn an_alias_leads_to_the_value_it_stands_for() {
        check("k: \"%{alias('o')}\"", "o: [1]", "k.0 = 1\n    data/l.yaml:1:5\n");
    }
}
