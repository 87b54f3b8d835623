//! What makes many collectors cheap: which resources of a type have a text as an attribute, or a tag.
//!
//! Without it, a thousand defined types that each collect one resource by its title would look at a thousand resources
//! each. An index is made when several collectors have asked for the same attribute, and grows with the resources.

use hierarch_pcore::{Str, Value};
use rustc_hash::FxHashMap;

use super::query::Test;
use crate::compile::Compilation;
use crate::resource::{KindId, ResourceId};

/// So many collectors look at every resource before there is an index.
const FEW: usize = 8;

/// The indices of a resource type, by what is asked for.
#[derive(Default)]
pub(crate) struct Index(FxHashMap<Column, Places>);

/// What a query asks for.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Column {
    Attribute(Str),
    Tag,
}

/// What it is to be: a text in lower case, as case does not matter, or the number of a tag.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Text(Str),
    Tag(u32),
}

/// Where among the changes of a type resources with a key stand.
#[derive(Default)]
struct Places {
    asked: usize,
    /// How many changes are in the index.
    known: usize,
    /// The tags of what contains others, when it was made.
    container_tags: u64,
    by_key: FxHashMap<Key, Vec<usize>>,
}

impl Compilation {
    /// Returns the resources that may pass a test, of those that changed from a place on.
    pub(super) fn candidates(&mut self, kind: KindId, test: Option<&Test>, start: usize) -> Vec<ResourceId> {
        if start == self.kind(kind).changed.len() {
            return Vec::new();
        }
        let keys = test.and_then(|test| self.keys(test));
        let keys = keys.filter(|keys| keys.iter().all(|(column, _)| self.renew(kind, column)));
        let kind = self.kind(kind);
        let Some(keys) = keys else { return kind.changed[start..].to_vec() };
        let places = keys.iter().filter_map(|(column, key)| kind.index.0.get(column)?.by_key.get(key));
        let new = places.flat_map(|places| &places[places.partition_point(|place| *place < start)..]);
        new.map(|place| kind.changed[*place]).collect()
    }

    /// Returns what a resource has to have one of to pass a test, if that can be said.
    fn keys(&self, test: &Test) -> Option<Vec<(Column, Key)>> {
        match test {
            Test::And(left, right) => self.keys(left).or_else(|| self.keys(right)),
            Test::Or(left, right) => {
                let mut keys = self.keys(left)?;
                keys.extend(self.keys(right)?);
                Some(keys)
            }
            Test::Equal(name, Value::String(text)) => {
                Some(vec![(Column::Attribute(name.clone()), text_key(text))])
            }
            // A word that is nobody's tag is left out, and with it what would never be found.
            Test::Tagged(words) => {
                let tags = words.iter().filter_map(|word| self.tag_names.find(word));
                Some(tags.map(|tag| (Column::Tag, Key::Tag(tag))).collect())
            }
            Test::Equal(..) | Test::NotEqual(..) => None,
        }
    }

    /// Brings an index up to date; false as long as it is not worth it.
    fn renew(&mut self, kind: KindId, column: &Column) -> bool {
        let containers = self.container_tags;
        let mut places = self.kind_mut(kind).index.0.remove(column).unwrap_or_default();
        if *column == Column::Tag && places.container_tags != containers {
            // Content has the tags of what contains it.
            places = Places { container_tags: containers, ..Places::default() };
        }
        places.asked += 1;
        let is_ready = places.asked > FEW;
        if is_ready {
            self.index_changes(kind, column, &mut places);
        }
        self.kind_mut(kind).index.0.insert(column.clone(), places);
        is_ready
    }

    fn index_changes(&self, kind: KindId, column: &Column, places: &mut Places) {
        let changed = &self.kind(kind).changed;
        for (place, id) in changed.iter().enumerate().skip(places.known) {
            let mut add = |key| places.by_key.entry(key).or_default().push(place);
            match column {
                Column::Attribute(name) => match self.asked(*id, name) {
                    Value::String(text) => add(text_key(&text)),
                    Value::Array(elements) => {
                        elements.iter().filter_map(Value::as_str).for_each(|text| add(text_key(text)));
                    }
                    _ => {}
                },
                Column::Tag => self.tags_with_containers(*id).for_each(|tag| add(Key::Tag(tag))),
            }
        }
        places.known = changed.len();
    }
}

fn text_key(text: &str) -> Key {
    Key::Text(text.to_ascii_lowercase().into())
}
