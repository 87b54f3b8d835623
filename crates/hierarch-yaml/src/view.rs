//! A map's keys and values after `<<` and repeated keys are dealt with, as each dialect deals with them.

use std::hash::Hasher;
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_source::Result;
use rustc_hash::{FxHashMap, FxHasher};

use crate::issues;
use crate::node::{Dialect, Kind, NodeId, Tree};
use crate::schema;

/// A key and its value.
pub type Entry = (NodeId, NodeId);

/// What anchored maps with a `<<` hold, as far as that was asked: a chain of such maps would be followed to its end by each of them.
#[derive(Debug, Default)]
pub(crate) struct KnownViews(Mutex<FxHashMap<NodeId, Arc<[Entry]>>>);

impl KnownViews {
    fn get(&self, map: NodeId) -> Option<Arc<[Entry]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&map).cloned()
    }

    fn insert(&self, map: NodeId, entries: &Arc<[Entry]>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(map, Arc::clone(entries));
    }
}

impl Tree {
    /// Returns what a map holds: as written, if it has neither `<<` nor a repeated key.
    ///
    /// Psych merges where the `<<` stands, over what stands before it; ruamel lets the map's own keys win.
    pub fn view(&self, map: NodeId) -> Result<Arc<[Entry]>> {
        let is_shared = self.has_merge_key(map) && self.anchor(map).is_some();
        if is_shared && let Some(known) = self.views.get(map) {
            return Ok(known);
        }
        let entries: Arc<[Entry]> = match self.dialect {
            _ if self.means_what_it_shows(map) => self.entries(map).collect(),
            Dialect::Core | Dialect::Older => self.core_view(map)?.into(),
            Dialect::Psych => self.psych_view(map)?.into(),
        };
        if is_shared {
            self.views.insert(map, &entries);
        }
        Ok(entries)
    }

    /// Tells whether a map has neither `<<` nor, as far as the reader said, a repeated key.
    pub(crate) fn means_what_it_shows(&self, map: NodeId) -> bool {
        !self.has_merge_key(map) && (self.dialect.is_core() || self.warnings.is_empty())
    }

    fn core_view(&self, map: NodeId) -> Result<Vec<Entry>> {
        let mut found = MergingMap::new(self);
        let mut sources = Vec::new();
        for (key, value) in self.entries(map) {
            if schema::is_merge_key(self, key) {
                sources.extend(self.merge_sources(value)?);
            } else {
                found.push((key, value));
            }
        }
        for source in sources {
            for &entry in self.view(source)?.iter() {
                if found.position(entry.0).is_none() {
                    found.push(entry);
                }
            }
        }
        Ok(found.entries)
    }

    /// Returns the maps behind the value of a `<<`.
    pub fn merge_sources(&self, value: NodeId) -> Result<Vec<NodeId>> {
        let value = self.target(value);
        let sources: Vec<NodeId> = match self.kind(value) {
            Kind::Map => vec![value],
            Kind::List => self.children(value).iter().map(|&item| self.target(item)).collect(),
            _ => vec![value],
        };
        if sources.iter().all(|&source| self.kind(source) == Kind::Map) {
            Ok(sources)
        } else {
            Err(issues::bad_merge_key().at(&self.source, self.span(value)))
        }
    }

    fn psych_view(&self, map: NodeId) -> Result<Vec<Entry>> {
        let mut found = MergingMap::new(self);
        for (key, value) in self.entries(map) {
            if schema::is_merge_key(self, self.target(key)) {
                self.psych_merge(&mut found, key, value)?;
            } else {
                found.put((key, value));
            }
        }
        Ok(found.entries)
    }

    /// Merges where it stands; a list is merged from its end, so that its first map wins. A value that is
    /// no map is kept as an ordinary key named `<<`.
    fn psych_merge(&self, found: &mut MergingMap, key: NodeId, value: NodeId) -> Result<()> {
        let target = self.target(value);
        let merged = match (self.kind(value), self.kind(target)) {
            (_, Kind::Map) => self.view(target)?,
            // An alias to a list is not followed item by item: Psych looks at what stands there.
            (Kind::List, _) => {
                let mut merged = MergingMap::new(self);
                for &item in self.children(target).iter().rev() {
                    let item = self.target(item);
                    if self.kind(item) != Kind::Map {
                        found.put((key, value));
                        return Ok(());
                    }
                    self.view(item)?.iter().for_each(|&entry| merged.put(entry));
                }
                merged.entries.into()
            }
            _ => [(key, value)].into(),
        };
        merged.iter().for_each(|&entry| found.put(entry));
        Ok(())
    }
}

/// Maps with more keys than this are searched by hash.
const FEW_KEYS: usize = 12;

/// A map that is being merged.
struct MergingMap<'t> {
    tree: &'t Tree,
    entries: Vec<Entry>,
    /// Places by the hash of the key, once there are many.
    places: FxHashMap<u64, Vec<usize>>,
}

impl<'t> MergingMap<'t> {
    fn new(tree: &'t Tree) -> Self {
        Self { tree, entries: Vec::new(), places: FxHashMap::default() }
    }

    /// Adds an entry, or replaces the value at the place of the first.
    fn put(&mut self, entry: Entry) {
        match self.position(entry.0) {
            Some(place) => self.entries[place].1 = entry.1,
            None => self.push(entry),
        }
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
        let count = self.entries.len();
        if count > FEW_KEYS {
            let new = if self.places.is_empty() { 0 } else { count - 1 };
            for place in new..count {
                let hash = self.hash(self.entries[place].0);
                self.places.entry(hash).or_default().push(place);
            }
        }
    }

    fn position(&self, key: NodeId) -> Option<usize> {
        let is_key = |&place: &usize| schema::same_key(self.tree, self.entries[place].0, key);
        if self.places.is_empty() {
            (0..self.entries.len()).find(is_key)
        } else {
            self.places.get(&self.hash(key))?.iter().copied().find(is_key)
        }
    }

    fn hash(&self, key: NodeId) -> u64 {
        let mut hasher = FxHasher::default();
        schema::hash_key(self.tree, key, &mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::limits::DocumentLimits;
    use crate::scan::read;

    /// Returns the entries that the key `k` has, as `key=value`.
    fn entries(text: &str, dialect: Dialect) -> String {
        let tree = read(&Source::unnamed(text), dialect, DocumentLimits::default()).expect(text);
        let map = tree.get(tree.root().expect("a map"), "k").expect("a key");
        let shown = |&(key, value): &Entry| format!("{}={}", tree.text(key), tree.text(tree.target(value)));
        match tree.view(map) {
            Ok(entries) => entries.iter().map(shown).collect::<Vec<_>>().join(" "),
            Err(error) => error.code.to_owned(),
        }
    }

    #[test]
    fn what_is_known_of_a_map_is_what_it_holds() {
        let mut text = "a0: &a0 {x0: 0}\n".to_owned();
        for number in 1..40 {
            text += &format!("a{number}: &a{number} {{<<: *a{}, x{number}: 0}}\n", number - 1);
        }
        text += "k: {<<: *a39}\n";
        for dialect in [Dialect::Core, Dialect::Older, Dialect::Psych] {
            let tree = read(&Source::unnamed(&text), dialect, DocumentLimits::default()).expect("YAML");
            let root = tree.root().expect("a map");
            let count = |key: &str| tree.view(tree.get(root, key).expect(key)).expect("a view").len();
            // The last one is asked first, and each twice.
            for key in ["k", "k", "a39", "a20", "a20", "a0"] {
                let wanted =
                    key.strip_prefix('a').map_or(40, |number| number.parse().map_or(0, |n: usize| n + 1));
                assert_eq!(count(key), wanted, "{key}");
            }
        }
    }

    #[test]
    fn merge_keys_mean_what_each_reader_makes_of_them() {
        // The map, what ruamel makes of it, and what Psych makes of it.
        let maps = [
            ("{x: 1}", "x=1", "x=1"),
            ("{<<: *a, x: 9}", "x=9 y=2", "x=9 y=2"),
            // Psych merges where the `<<` stands: what follows it wins, what stands before it loses.
            ("{x: 9, <<: *a}", "x=9 y=2", "x=1 y=2"),
            ("{<<: [*a, *b]}", "x=1 y=2 z=4", "x=1 y=2 z=4"),
            ("{<<: {}}", "", ""),
        ];
        for (map, core, psych) in maps {
            let text = format!("a: &a {{x: 1, y: 2}}\nb: &b {{y: 3, z: 4}}\nk: {map}\n");
            let sorted = |dialect| {
                let shown = entries(&text, dialect);
                let mut words: Vec<&str> = shown.split(' ').collect();
                words.sort_unstable();
                words.join(" ")
            };
            assert_eq!(
                (sorted(Dialect::Core).as_str(), sorted(Dialect::Psych).as_str()),
                (core, psych),
                "{map}"
            );
        }
    }
}
