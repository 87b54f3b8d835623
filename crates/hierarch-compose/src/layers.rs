//! Documents laid over each other without being written as directives: each is expanded by itself, then later ones
//! are merged over earlier ones.

use std::path::Path;
use std::sync::Arc;

use hierarch_source::{Files, Result};
use hierarch_yaml::{Data, Kind, NodeId};
use rustc_hash::FxHashSet;

use crate::expand::{Expander, Main};
use crate::forest::{Forest, Val};
use crate::include::{Access, parse, parts};
use crate::issues;
use crate::keyed::KeyTable;

/// What becomes of two lists that meet and have no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lists {
    /// The items of both, as directives merge lists.
    Append,
    /// The later one stands alone.
    Replace,
}

/// The documents of several files, all expanded.
pub struct Layers<'a> {
    expander: Expander<'a>,
    /// For every file its documents, with the marks that say how they want to be merged.
    files: Vec<Vec<Val>>,
}

impl<'a> Layers<'a> {
    /// Reads and expands files. Tables of keys hold for all of them.
    ///
    /// ```
    /// use std::path::Path;
    /// use hierarch_compose::{Access, Layers, Lists};
    /// use hierarch_source::MemoryFiles;
    ///
    /// let files = MemoryFiles::from([("a.yaml", "x: 1\nl: [1]\n"), ("b.yaml", "l: [2]\ny: 1\n")]);
    /// let access = Access::default();
    /// let mut layers = Layers::open(&files, &["a.yaml", "b.yaml"].map(Path::new), &access, Vec::new())?;
    /// let merged = layers.merged(&[(0, 0), (1, 0)], Lists::Append)?;
    /// assert_eq!(hierarch_yaml::brief(&layers.forest().data(merged)), "{x: 1, l: [1, 2], y: 1}");
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn open(
        files: &'a dyn Files,
        paths: &[&Path],
        access: &'a Access<'a>,
        tables: Vec<Arc<KeyTable>>,
    ) -> Result<Self> {
        let mut layers: Option<Self> = None;
        for path in paths {
            let (location, source) = access.open_text(files, path)?;
            let mut values = Vec::new();
            for part in parts(&source, access) {
                let tree = Arc::new(parse(&part, access)?);
                if tree.root().is_none() {
                    continue;
                }
                if let Some(layers) = &mut layers {
                    layers.expander.begin(location.clone(), &tree)?;
                } else {
                    let main = Main { tree, any_top: true, traces: true };
                    let mut expander = Expander::new(files, access, location.clone(), main)?;
                    expander.tables_around.clone_from(&tables);
                    layers = Some(Self { expander, files: Vec::new() });
                }
                if let Some(layers) = &mut layers {
                    values.push(layers.expander.run_marked()?);
                }
            }
            if let Some(layers) = &mut layers {
                layers.files.push(values);
            }
        }
        layers.ok_or_else(|| issues::not_a_document("None"))
    }

    /// Returns the documents of every file as they are merged, marks and all.
    pub fn files(&self) -> &[Vec<Val>] {
        &self.files
    }

    /// Returns what values are asked through.
    pub fn forest(&self) -> &Forest {
        &self.expander.forest
    }

    /// Returns one document as it is by itself.
    pub fn alone(&mut self, (file, document): (usize, usize)) -> Result<Val> {
        let value = self.files[file][document];
        self.finished(value)
    }

    fn finished(&mut self, value: Val) -> Result<Val> {
        match self.expander.forest.clean(value)? {
            Some(value) => Ok(value),
            None => self.expander.forest.map(Vec::new(), None),
        }
    }

    /// Merges documents, given by file and position, later ones over earlier ones. Keys keep the order of the first
    /// that has them.
    pub fn merged(&mut self, chosen: &[(usize, usize)], lists: Lists) -> Result<Val> {
        let values: Vec<Val> = chosen.iter().map(|&(file, document)| self.files[file][document]).collect();
        self.expander.forest.refill();
        self.expander.forest.replaces_lists = lists == Lists::Replace;
        let mut merged: Option<Val> = None;
        for &value in &values {
            merged = Some(match merged {
                Some(below) => self.laid_over(below, value)?,
                None => value,
            });
        }
        self.expander.forest.replaces_lists = false;
        let merged = merged.ok_or_else(|| issues::not_a_document("None"))?;
        let merged = self.finished(merged)?;
        self.expander.forest.in_order_of(merged, &values)
    }

    fn laid_over(&mut self, below: Val, value: Val) -> Result<Val> {
        let forest = &mut self.expander.forest;
        match (forest.kind(below), forest.kind(value)) {
            (Kind::Map, Kind::Map) => forest.merge(below, value),
            (Kind::List, Kind::List) => forest.merge_lists(below, value),
            (_, Kind::Scalar) if forest.is_null(value) => Ok(below),
            _ => Ok(value),
        }
    }

    /// Makes a map of values that are asked through here.
    pub fn map(&mut self, entries: Vec<(Val, Val)>) -> Result<Val> {
        let parts: Vec<Val> = entries.iter().flat_map(|&(key, value)| [key, value]).collect();
        match self.expander.forest.whole(&parts, Kind::Map) {
            Some(whole) => Ok(whole),
            None => self.expander.forest.map(entries, None),
        }
    }

    /// Makes a list of values that are asked through here.
    pub fn list(&mut self, items: Vec<Val>) -> Result<Val> {
        match self.expander.forest.whole(&items, Kind::List) {
            Some(whole) => Ok(whole),
            None => self.expander.forest.list(items, None),
        }
    }

    /// Gives a map or list that was made of those of several layers, the highest first, the tag of the first that has one.
    pub fn tagged(&mut self, value: Val, layers: &[Val]) -> Result<Val> {
        self.expander.forest.tagged_as(value, layers)
    }

    /// Makes a value of data from elsewhere.
    pub fn grow(&mut self, data: &Data) -> Result<Val> {
        self.expander.forest.grow(data)
    }

    /// Tells whether a document says how it wants to be merged.
    pub fn has_marks(&self, (file, document): (usize, usize)) -> bool {
        let value = self.files[file][document];
        self.expander.forest.is_active(value) || self.expander.forest.has_headers()
    }
}

impl Forest {
    /// Returns the collection of a document that has just these parts, so that it is written as it stands.
    fn whole(&self, parts: &[Val], kind: Kind) -> Option<Val> {
        let (doc, first) = parts.first()?.node()?;
        // A collection stands before its first part.
        let node = NodeId::from_index(first.index().checked_sub(1)?);
        let tree = self.tree(doc);
        let (is_kind, is_active) = (tree.kind(node) == kind, tree.is_active(node));
        let children = tree.children(node);
        let same = || parts.iter().zip(children).all(|(part, &child)| part.node() == Some((doc, child)));
        (is_kind && !is_active && children.len() == parts.len() && same()).then(|| self.val(doc, node))
    }

    /// Returns a map with its keys in the order in which other maps have them, the first of which counts most.
    fn in_order_of(&mut self, val: Val, layers: &[Val]) -> Result<Val> {
        if self.kind(val) == Kind::List {
            return self.items_in_order_of(val, layers);
        }
        let maps: Vec<Val> = layers.iter().copied().filter(|&layer| self.is_map(layer)).collect();
        // What was made of a map and of a list that stands for one has its order from the map.
        let is_settled =
            if val.node().is_some() { maps.len() < 2 } else { maps.is_empty() || layers.len() < 2 };
        if !self.is_map(val) || is_settled {
            return Ok(val);
        }
        let mut entries: Vec<(usize, usize, Val, Val)> = Vec::with_capacity(self.len(val));
        for index in 0..self.len(val) {
            let (key, value) = self.entry(val, index);
            let places =
                maps.iter().enumerate().filter_map(|(layer, &map)| Some((layer, self.position(map, key)?)));
            let (layer, place) = places.clone().next().unwrap_or((usize::MAX, index));
            let below: Vec<Val> = places.map(|(layer, place)| self.entry(maps[layer], place).1).collect();
            let value = self.in_order_of(value, &below)?;
            // The key that was named first has the comments of those that have none.
            let key = maps.get(layer).map_or(key, |&map| self.entry(map, place).0);
            entries.push((layer, place, key, value));
        }
        entries.sort_by_key(|&(layer, place, ..)| (layer, place));
        let entries = entries.into_iter().map(|(_, _, key, value)| (key, value)).collect();
        let ordered = self.map(entries, Some(val))?;
        Ok(Val { via: val.via, ..ordered })
    }

    /// Returns a list whose items have their keys in the order of the items that met in them.
    fn items_in_order_of(&mut self, val: Val, layers: &[Val]) -> Result<Val> {
        let lists: Vec<Val> =
            layers.iter().copied().filter(|&layer| self.kind(layer) == Kind::List).collect();
        let is_made = |forest: &Self, item: Val| forest.is_map(item) && item.node().is_none();
        let items: Vec<Val> = (0..self.len(val)).map(|index| self.item(val, index)).collect();
        if lists.len() < 2 || !items.iter().any(|&item| is_made(self, item)) {
            return Ok(val);
        }
        let known: FxHashSet<(u32, u32)> =
            lists.iter().flat_map(|&list| self.items(list)).map(|item| (item.doc, item.id)).collect();
        let mut ordered = Vec::with_capacity(items.len());
        for item in items {
            // What is all of one layer, in brackets, is written as it stands.
            let is_mixed = is_made(self, item) && self.brackets(item).is_none();
            let met = if is_mixed { self.met_in(item, &known) } else { Vec::new() };
            ordered.push(self.in_order_of(item, &met)?);
        }
        let ordered = self.list(ordered, Some(val))?;
        Ok(Val { via: val.via, ..ordered })
    }

    /// Returns those of some values that a merged one was made of, the lowest first.
    fn met_in(&self, merged: Val, known: &FxHashSet<(u32, u32)>) -> Vec<Val> {
        let (mut met, mut waiting) = (Vec::new(), vec![merged]);
        while let Some(val) = waiting.pop() {
            if known.contains(&(val.doc, val.id)) {
                met.push(val);
            } else if val.node().is_none() {
                waiting.extend(self.laid_over.get(&val.id));
                waiting.extend(self.made_from(val));
            }
        }
        met.reverse();
        met
    }
}

impl Forest {
    /// Returns the comments above and behind the whole of a document, which belong to no part of it.
    pub fn comments_around(&self, document: Val) -> (Vec<String>, Vec<String>) {
        match self.written_as(document) {
            Some((doc, node)) => self.tree(doc).comments_around(node),
            None => (Vec::new(), Vec::new()),
        }
    }
}
