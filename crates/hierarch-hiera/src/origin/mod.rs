//! Values that know where each part of them came from, what it hides, and what was removed.

mod layered;
pub mod view;

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
use crate::marks::{Mark, Marks};
use crate::piece::{Entries, Piece, View};

pub use layered::TracedView;

/// A place in a data file. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file; empty for what a function made up of nothing.
    pub file: Str,
    /// The function that made the value up.
    pub function: Option<Str>,
    /// The line; none for what a function made up.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    /// The bytes of the file that the value is written in: to put other text there changes the value.
    pub range: Option<(u32, u32)>,
}

/// A token that was filled in.
#[derive(Clone, Debug)]
pub struct Filled {
    /// What stands between the braces.
    pub expression: String,
    /// What it stands for.
    pub value: Value,
    /// Where that comes from, if it is not a variable.
    pub origins: Vec<Arc<Origin>>,
}

/// The entry of `lookup_options` that says how a key is merged and converted.
#[derive(Clone, Debug)]
pub struct UsedOptions {
    /// The key or pattern of the entry.
    pub name: String,
    /// What it says.
    pub options: Value,
    /// Where it stands.
    pub origin: Option<Arc<Origin>>,
}

/// A value whose every part knows its origin.
#[derive(Clone, Debug)]
pub struct Traced {
    value: Value,
    parts: Parts,
    origin: Option<Arc<Origin>>,
    notes: Option<Box<Notes>>,
}

/// What happened to a part on its way, which is nothing to most.
#[derive(Clone, Debug, Default)]
struct Notes {
    hides: Vec<Other>,
    removed: Vec<(Other, Option<Arc<Origin>>)>,
    filled: Vec<Filled>,
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
    /// What its tokens were filled in with.
    pub filled: &'t [Filled],
}

/// A collection that hides something as a whole.
#[derive(Debug)]
pub struct Hiding<'t> {
    /// What leads to it.
    pub path: Vec<Value>,
    /// What it hides.
    pub hides: &'t [Other],
    /// The alias, if it stands for something else.
    pub filled: &'t [Filled],
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
                leaves.push(Leaf {
                    path: path.to_vec(),
                    value: &part.value,
                    origin: part.origin.as_deref(),
                    hides: part.hides(),
                    filled: part.filled(),
                });
            }
        });
        leaves
    }

    /// Returns the collections that hide something as a whole, or that an alias stands for.
    pub fn collections(&self) -> Vec<Hiding<'_>> {
        let mut found = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            if !part.is_leaf() && part.notes.is_some() {
                found.push(Hiding { path: path.to_vec(), hides: part.hides(), filled: part.filled() });
            }
        });
        found.retain(|hiding| !hiding.hides.is_empty() || !hiding.filled.is_empty());
        found
    }

    /// Returns the part at a key.
    pub(crate) fn part(&self, key: &Value) -> Option<&Self> {
        match &self.parts {
            Parts::Map(map) => map.0.get(key),
            _ => None,
        }
    }

    /// Returns where it stands.
    pub fn origin(&self) -> Option<&Arc<Origin>> {
        self.origin.as_ref()
    }

    fn hides(&self) -> &[Other] {
        self.notes.as_ref().map_or(&[], |notes| &notes.hides)
    }

    fn filled(&self) -> &[Filled] {
        self.notes.as_ref().map_or(&[], |notes| &notes.filled)
    }

    fn notes(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    fn made(value: Value, parts: Parts) -> Self {
        Self { value, parts, origin: None, notes: None }
    }

    /// Returns the files, lines and columns of the leaves, each once.
    pub fn origins(&self) -> Vec<&Origin> {
        let mut origins: Vec<&Origin> = Vec::new();
        for origin in self.leaves().iter().filter_map(|leaf| leaf.origin) {
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        origins
    }

    /// Returns what knockouts removed.
    pub fn removals(&self) -> Vec<Removal<'_>> {
        let mut removals = Vec::new();
        self.walk(&mut Vec::new(), &mut |path, part| {
            let removed = part.notes.iter().flat_map(|notes| &notes.removed);
            removals.extend(removed.map(|(what, by)| Removal {
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

    fn collect_origins(&self, origins: &mut Vec<Arc<Origin>>) {
        self.walk(&mut Vec::new(), &mut |_, part| {
            let origin = part.origin.as_ref().filter(|_| part.is_leaf());
            origins.extend(origin.filter(|origin| !origins.contains(origin)).cloned());
        });
    }

    /// Gives the parts that have no origin theirs, by the marks of the text they were read from.
    fn marked(
        mut self,
        document: &Document,
        marks: &Marks,
        path: &mut Vec<Value>,
        file: &Arc<Origin>,
    ) -> Self {
        if self.origin.is_none() {
            let mark = marks.at(path);
            let own = mark.map(|mark| Arc::new(origin_at(document, &file.file, mark)));
            self.origin = own.or_else(|| Some(Arc::clone(file)));
        }
        let mut inner = |key: Value, part: &mut Self| {
            path.push(key);
            *part = part.clone().marked(document, marks, path, file);
            path.pop();
        };
        match &mut self.parts {
            Parts::None => {}
            Parts::List(items) => {
                items.iter_mut().enumerate().for_each(|(index, item)| inner(Value::from(index), item));
            }
            Parts::Map(map) => map.0.iter_mut().for_each(|(key, part)| inner(key.clone(), part)),
        }
        self
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
    const IS_TRACED: bool = true;
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
            _ => Self::made(value, Parts::None),
        }
    }

    fn from_entry(
        walk: &mut Walk,
        document: &Document,
        entry: &Entry,
        at: Option<&Location>,
    ) -> Result<Self> {
        let data = document.data(entry)?;
        if let (Some(tree), Some(node)) = (document.tree(), entry.node()) {
            return Reader { walk, tree }.read(data, node);
        }
        let file = whole_file(at, document.function());
        let files = walk.files();
        let traced = walk.fill::<Self>(data)?;
        let Some(marks) = document.marks(files) else { return Ok(traced.standing(&file)) };
        let root = document.name_of(entry).map(Value::String);
        Ok(traced.marked(document, marks, &mut root.into_iter().collect(), &file))
    }

    fn at_entry(value: Value, document: &Document, entry: &Entry, at: Option<&Location>) -> Self {
        match (document.tree(), entry.node()) {
            (Some(tree), Some(node)) => placed(tree, &value, node),
            _ => Self::of(value).standing(&whole_file(at, None)),
        }
    }

    fn made_by(function: &Str, value: Value, at: Option<&Location>) -> Self {
        Self::of(value).standing(&whole_file(at, Some(function)))
    }

    fn list(items: Vec<Self>) -> Self {
        let value = Value::array(items.iter().map(|item| item.value.clone()).collect());
        Self::made(value, Parts::List(items))
    }

    fn map(map: TracedMap) -> Self {
        let value: Hash = map.0.iter().map(|(key, part)| (key.clone(), part.value.clone())).collect();
        Self::made(Value::hash(value), Parts::Map(map))
    }

    fn value(&self) -> Value {
        self.value.clone()
    }

    fn hiding(mut self, hidden: &Self) -> Self {
        // A new entry of a deep merge is merged with a copy of itself.
        let is_itself = self.origin.is_some() && self.origin == hidden.origin;
        if !is_itself {
            let below = hidden.hides().to_vec();
            let hides = &mut self.notes().hides;
            hides.push(hidden.other());
            hides.extend(below);
        }
        self
    }

    fn filled_with(mut self, filled: Vec<Filled>) -> Self {
        if !filled.is_empty() {
            self.notes().filled.extend(filled);
        }
        self
    }

    fn as_filling(&self, expression: String) -> Filled {
        let mut origins = Vec::new();
        self.collect_origins(&mut origins);
        Filled { expression, value: self.value.clone(), origins }
    }

    fn without(mut self, removed: &Self, by: &Self) -> Self {
        self.notes().removed.push((removed.other(), by.origin.clone()));
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

fn whole_file(at: Option<&Location>, function: Option<&Str>) -> Arc<Origin> {
    let file = at.map_or_else(Str::new, |at| at.text.clone());
    Arc::new(Origin { file, function: function.cloned(), line: None, column: None, range: None })
}

fn origin_at(document: &Document, file: &Str, mark: &Mark) -> Origin {
    let included = mark.source.as_ref();
    let position = included.or(document.source()).map(|source| source.position(mark.start));
    Origin {
        file: included.and_then(|source| source.name()).map_or_else(|| file.clone(), Str::from),
        function: None,
        line: position.as_ref().map(|position| position.line),
        column: position.as_ref().map(|position| position.column),
        range: Some((mark.start, mark.end)),
    }
}

fn origin_of(tree: &Tree, node: NodeId) -> Arc<Origin> {
    let span = tree.span(node);
    let position = tree.source().position(span.start);
    let file = tree.source().name().unwrap_or_default().into();
    let range = Some((span.start, span.end));
    Arc::new(Origin { file, function: None, line: Some(position.line), column: Some(position.column), range })
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
            Data::Plain(value) => return Ok(placed(self.tree, value, node)),
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
}

/// Gives every part of a value the place of its node. Where the two have not the same shape, the node is that of all.
fn placed(tree: &Tree, value: &Value, node: NodeId) -> Traced {
    let node = tree.target(node);
    let traced = match value {
        Value::Array(items) if tree.kind(node) == Kind::List && tree.children(node).len() == items.len() => {
            let nodes = tree.children(node).iter();
            Traced::list(items.iter().zip(nodes).map(|(item, node)| placed(tree, item, *node)).collect())
        }
        Value::Hash(hash) if tree.kind(node) == Kind::Map => match tree.view(node) {
            Ok(nodes) if nodes.len() == hash.len() => {
                let mut map = TracedMap::default();
                for ((key, value), (_, node)) in hash.iter().zip(nodes.iter()) {
                    map.put(key.clone(), placed(tree, value, *node));
                }
                Traced::map(map)
            }
            _ => Traced::of(value.clone()),
        },
        other => Traced::of(other.clone()),
    };
    traced.standing(&origin_of(tree, node))
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
        let view = super::view::View {
            key: "k",
            traced: &traced,
            options: None,
            hide: &Clone::clone,
            folder: "",
            is_coloured: false,
        };
        assert_eq!(view.text(), expected);
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
        check(
            "k: \"%{alias('o')}\"",
            "o: [1]",
            "k.0 = 1\n    data/l.yaml:1:5\nk\n    %{alias('o')} = [1] data/l.yaml:1:5\n",
        );
    }
}
