//! Documents of another owner merged by the strategies of lookups: each scalar and each key carries a mark of its owner, so
//! that what is left of a merge can be found again in what was merged. Where nobody asks what was hidden, this is all there is to know.

use std::sync::Arc;

use foldhash::fast::RandomState;
use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;
use indexmap::IndexMap;

use crate::document::{Document, Entry};
use crate::locate::Location;
use crate::lookup::{Opening, Walk};
use crate::merge::{Merge, Rules, Strategy};
use crate::origin::FilledToken;
use crate::piece::{Entries, Piece, View};
use crate::secrets::Secrets;

/// What an owner finds a part again by.
pub type Mark = u32;

/// A value whose scalars and keys are marked. It clones for nothing.
#[derive(Clone, Debug)]
pub struct MarkedValue(Parts);

#[derive(Clone, Debug)]
enum Parts {
    Scalar(Value, Option<Mark>),
    List(Arc<Vec<MarkedValue>>),
    Map(Arc<MarkedMap>),
}

/// The entries of a hash. Most have only a few, which are found sooner by a look at each than by their hashes.
#[derive(Clone, Debug)]
pub(crate) enum MarkedMap {
    Few(Vec<(Value, MarkedPart)>),
    Many(IndexMap<Value, MarkedPart, RandomState>),
}

/// The mark of a key, and what the key has.
type MarkedPart = (Option<Mark>, MarkedValue);

/// Hashes with more entries than this are searched by hash.
const FEW: usize = 8;

/// A marked value, one level deep.
pub enum MarkedView<'m> {
    /// Neither list nor hash. Without a mark it stands in nothing that was merged.
    Scalar(&'m Value, Option<Mark>),
    /// A list.
    List(&'m [MarkedValue]),
    /// The entries of a hash, each key with its mark.
    Map(Vec<(&'m Value, Option<Mark>, &'m MarkedValue)>),
}

impl MarkedValue {
    /// Makes a value that is neither list nor hash.
    pub fn leaf(value: Value, mark: Mark) -> Self {
        Self(Parts::Scalar(value, Some(mark)))
    }

    /// Makes a list.
    pub fn of_items(items: Vec<Self>) -> Self {
        Self::list(items)
    }

    /// Makes a hash of keys, their marks, and values.
    pub fn of_entries(entries: impl IntoIterator<Item = (Value, Mark, Self)>) -> Self {
        let entries = entries.into_iter().map(|(key, mark, value)| (key, (Some(mark), value)));
        Self::map(entries.collect())
    }

    /// Takes it apart, one level deep.
    pub fn parts(&self) -> MarkedView<'_> {
        match &self.0 {
            Parts::Scalar(value, mark) => MarkedView::Scalar(value, *mark),
            Parts::List(items) => MarkedView::List(items),
            Parts::Map(map) => {
                MarkedView::Map(map.parts().map(|(key, (mark, part))| (key, *mark, part)).collect())
            }
        }
    }
}

impl Strategy {
    /// Merges layers whose parts are marked, the one of highest priority first; nothing if there are none.
    pub fn merge_marked(&self, layers: impl IntoIterator<Item = MarkedValue>) -> Result<Option<MarkedValue>> {
        let rules = self.rules::<MarkedValue>();
        let mut layers = layers.into_iter();
        let Some(first) = layers.next() else { return Ok(None) };
        layers.try_fold(rules.convert(first), |merged, layer| rules.merge(merged, layer)).map(Some)
    }
}

impl Piece for MarkedValue {
    const IS_TRACED: bool = false;
    type Map = MarkedMap;

    fn merging(rules: &dyn Rules) -> &dyn Merge<Self> {
        rules
    }

    fn view(&self) -> View<'_, Self> {
        match &self.0 {
            Parts::Scalar(value, _) => View::Scalar(value),
            Parts::List(items) => View::List(items),
            Parts::Map(map) => View::Map(&**map),
        }
    }

    fn of(value: Value) -> Self {
        match &value {
            Value::Array(items) => Self::list(items.iter().cloned().map(Self::of).collect()),
            Value::Hash(hash) => {
                let entry = |(key, value): (&Value, &Value)| (key.clone(), (None, Self::of(value.clone())));
                Self::map(hash.iter().map(entry).collect())
            }
            _ => Self(Parts::Scalar(value, None)),
        }
    }

    fn from_entry(walk: &mut Walk, document: &Document, entry: &Entry, _: Option<&Location>) -> Result<Self> {
        walk.fill::<Value>(document.data(entry)?).map(Self::of)
    }

    fn at_entry(value: Value, _: &Document, _: &Entry, _: Option<&Location>) -> Self {
        Self::of(value)
    }

    fn list(items: Vec<Self>) -> Self {
        Self(Parts::List(Arc::new(items)))
    }

    fn map(map: MarkedMap) -> Self {
        Self(Parts::Map(Arc::new(map)))
    }

    fn into_entries(self) -> MarkedMap {
        match self.0 {
            Parts::Map(map) => Arc::unwrap_or_clone(map),
            _ => MarkedMap::default(),
        }
    }

    fn value(&self) -> Value {
        match &self.0 {
            Parts::Scalar(value, _) => value.clone(),
            Parts::List(items) => Value::array(items.iter().map(Self::value).collect()),
            Parts::Map(map) => {
                let entries = map.parts().map(|(key, (_, part))| (key.clone(), part.value()));
                Value::hash(entries.collect::<Hash>())
            }
        }
    }

    fn hiding(self, _: &Self) -> Self {
        self
    }

    fn filled_with(self, _: Vec<FilledToken>) -> Self {
        self
    }

    fn as_filling(&self, expression: String) -> FilledToken {
        self.value().as_filling(expression)
    }

    fn opened(walk: &mut Walk, document: &Document, entry: &Entry, opening: &Opening) -> Result<Self> {
        walk.decrypted(document.raw(entry)?, opening).map(Self::of)
    }

    fn secret(self) -> Self {
        self
    }

    fn shown(&self, secrets: &Secrets) -> Value {
        self.value().shown(secrets)
    }

    fn converted(made: Value, _: Self) -> Self {
        Self::of(made)
    }

    fn without(self, _: &Self, _: &Self) -> Self {
        self
    }
}

impl Entries<MarkedValue> for MarkedMap {
    fn entry(&self, key: &Value) -> Option<&MarkedValue> {
        self.part(key).map(|(_, part)| part)
    }

    fn put(&mut self, key: Value, value: MarkedValue) {
        self.put_marked(key, None, value);
    }

    fn put_of(&mut self, upper: &Self, key: &Value, value: MarkedValue) {
        let mark = upper.part(key).and_then(|(mark, _)| *mark);
        self.put_marked(key.clone(), mark, value);
    }

    /// What is here is taken out while it is merged: nobody else has it, so that it can be changed in place.
    fn update(
        &mut self,
        upper: &Self,
        mut make: impl FnMut(Option<MarkedValue>, &MarkedValue) -> Result<MarkedValue>,
    ) -> Result<()> {
        for (place, (key, (mark, value))) in upper.parts().enumerate() {
            if let Some((_, part)) = self.part_near(key, place) {
                let old = std::mem::replace(part, MarkedValue(Parts::Scalar(Value::Undef, None)));
                *part = make(Some(old), value)?;
            } else {
                self.add(key.clone(), (*mark, make(None, value)?));
            }
        }
        Ok(())
    }

    fn pairs<'a>(&'a self) -> impl Iterator<Item = (&'a Value, &'a MarkedValue)>
    where
        MarkedValue: 'a,
    {
        self.parts().map(|(key, (_, part))| (key, part))
    }

    fn count(&self) -> usize {
        match self {
            Self::Few(entries) => entries.len(),
            Self::Many(map) => map.len(),
        }
    }
}

impl Default for MarkedMap {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl FromIterator<(Value, MarkedPart)> for MarkedMap {
    fn from_iter<T: IntoIterator<Item = (Value, MarkedPart)>>(entries: T) -> Self {
        let entries = entries.into_iter();
        let mut map = match entries.size_hint().0 {
            count if count > FEW => {
                Self::Many(IndexMap::with_capacity_and_hasher(count, RandomState::default()))
            }
            count => Self::Few(Vec::with_capacity(count)),
        };
        for (key, (mark, value)) in entries {
            map.put_marked(key, mark, value);
        }
        map
    }
}

impl MarkedMap {
    fn parts(&self) -> impl Iterator<Item = (&Value, &MarkedPart)> {
        let (few, many) = match self {
            Self::Few(entries) => (Some(entries.iter().map(|(key, part)| (key, part))), None),
            Self::Many(map) => (None, Some(map.iter())),
        };
        few.into_iter().flatten().chain(many.into_iter().flatten())
    }

    fn part(&self, key: &Value) -> Option<&MarkedPart> {
        match self {
            Self::Few(entries) => entries.iter().find(|(known, _)| known == key).map(|(_, part)| part),
            Self::Many(map) => map.get(key),
        }
    }

    /// Finds what a key has, most likely at this place: layers name their keys in the same order more often than not.
    fn part_near(&mut self, key: &Value, place: usize) -> Option<&mut MarkedPart> {
        match self {
            Self::Few(entries) => {
                let guessed = entries.get(place).is_some_and(|(known, _)| known == key);
                let place =
                    if guessed { place } else { entries.iter().position(|(known, _)| known == key)? };
                entries.get_mut(place).map(|(_, part)| part)
            }
            Self::Many(map) => map.get_mut(key),
        }
    }

    /// A key that was there keeps its place and its mark.
    fn put_marked(&mut self, key: Value, mark: Option<Mark>, value: MarkedValue) {
        match self.part_near(&key, usize::MAX) {
            Some((_, part)) => *part = value,
            None => self.add(key, (mark, value)),
        }
    }

    /// Adds a key that is not there.
    fn add(&mut self, key: Value, part: MarkedPart) {
        match self {
            Self::Few(entries) if entries.len() < FEW => entries.push((key, part)),
            Self::Few(entries) => {
                let mut map: IndexMap<_, _, RandomState> = std::mem::take(entries).into_iter().collect();
                map.insert(key, part);
                *self = Self::Many(map);
            }
            Self::Many(map) => {
                map.insert(key, part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a layer of a map whose keys and scalars are marked from a number on.
    fn layer(start: Mark, entries: &[(&str, &[&str])]) -> MarkedValue {
        let mut mark = start;
        let mut next = || {
            mark += 1;
            mark - 1
        };
        let mut made = Vec::new();
        for (key, items) in entries {
            let key_mark = next();
            let items = items.iter().map(|item| MarkedValue::leaf(Value::from(*item), next())).collect();
            made.push((Value::from(*key), key_mark, MarkedValue::of_items(items)));
        }
        MarkedValue::of_entries(made)
    }

    fn shown(marked: &MarkedValue) -> String {
        match marked.parts() {
            MarkedView::Scalar(value, mark) => format!("{value}@{}", mark.map_or(-1, i64::from)),
            MarkedView::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
            MarkedView::Map(entries) => {
                let entry = |(key, mark, part): &(&Value, Option<Mark>, &MarkedValue)| {
                    format!("{key}@{}: {}", mark.map_or(-1, i64::from), shown(part))
                };
                entries.iter().map(entry).collect::<Vec<_>>().join(", ")
            }
        }
    }

    #[test]
    fn what_is_left_of_a_merge_has_its_marks() {
        let layers =
            [layer(10, &[("b", &["x", "y"]), ("c", &["z", "z"])]), layer(0, &[("a", &["w"]), ("b", &["y"])])];
        let strategy = Strategy::new(&Value::from("deep")).expect("a strategy");
        let merged = strategy.merge_marked(layers.clone()).expect("a merge").expect("a value");
        assert_eq!(shown(&merged), "a@0: [w@1], b@2: [y@3 x@11], c@13: [z@14]");
        let strategy = Strategy::new(&Value::from("hash")).expect("a strategy");
        let merged = strategy.merge_marked(layers).expect("a merge").expect("a value");
        assert_eq!(shown(&merged), "a@0: [w@1], b@2: [x@11 y@12], c@13: [z@14 z@15]");
    }

    /// A map of lists and maps in which some layers have what others lack.
    fn varied(layer: usize) -> Value {
        let texts = |count: usize| {
            let text = |place: usize| Value::from(format!("t{}", (place * layer) % 5));
            Value::array((0..count).map(text).collect())
        };
        let entry = |key: usize| {
            let value = match (key + layer) % 6 {
                0 => texts(key),
                1 => Value::from(key as i64),
                2 => Value::hash([("list", texts(key + 1)), ("own", texts(layer))].into_iter().collect()),
                3 => Value::Undef,
                4 => Value::from(false),
                _ => Value::hash([("list", texts(key % 4))].into_iter().collect()),
            };
            (format!("k{key}"), value)
        };
        let keys = (0..24).filter(|key| !(key + layer).is_multiple_of(4));
        Value::hash(keys.map(entry).collect())
    }

    #[test]
    fn marked_values_merge_as_plain_ones_do() {
        for name in ["deep", "hash", "first"] {
            let strategy = Strategy::new(&Value::from(name)).expect("a strategy");
            let layers: Vec<Value> = (0..8).map(varied).collect();
            let marked = strategy.merge_marked(layers.iter().cloned().map(MarkedValue::of));
            let rules = strategy.rules::<Value>();
            let mut plain = layers.into_iter();
            let first = rules.convert(plain.next().expect("a layer"));
            let merged = plain.try_fold(first, |merged, layer| rules.merge(merged, layer)).expect("a merge");
            assert_eq!(marked.expect("a merge").expect("a value").value(), merged, "{name}");
        }
    }
}
