//! The smallest list that makes one list from another where appending does not do: items that meet by a key,
//! or the whole list in place of the other.

use std::sync::Arc;

use hierarch_yaml::{Data, Kind, Layout, document};
use rustc_hash::FxHashMap;

use super::PlanFailure;
use super::express::{Piece, mark};
use super::placing::Order;
use crate::directive::STRATEGY;
use crate::forest::{Forest, Val};
use crate::keyed::{Header, Key, KeyTable, Match, POSITION, Placement};

/// Where in the document something is written, as far as a table of keys has to know it.
#[derive(Default)]
pub(crate) struct Trail {
    pub(super) tables: Vec<Arc<KeyTable>>,
    pub(super) path: Vec<String>,
}

impl Trail {
    /// Goes one step further in while something is done.
    pub(super) fn inside<T>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.tables.is_empty() {
            return work(self);
        }
        self.path.push(step.to_owned());
        let result = work(self);
        self.path.pop();
        result
    }

    /// What the tables around say about a list here.
    pub(super) fn header(&self) -> Option<Header> {
        let back = self.path.iter().rev().map(String::as_str);
        self.tables.iter().rev().find_map(|table| table.header(back.clone()))
    }
}

/// The items of a list by their key.
pub(super) struct KeyedItems {
    /// Every item with its key, if it has one.
    pub(super) items: Vec<(Option<Key>, Val)>,
    places: FxHashMap<Key, usize>,
}

impl KeyedItems {
    pub(super) fn get(&self, key: &Key) -> Option<Val> {
        self.places.get(key).map(|&place| self.items[place].1)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = (&Key, Val)> {
        self.items.iter().filter_map(|(key, item)| Some((key.as_ref()?, *item)))
    }
}

/// The keys that are tried first where no key was named.
const USUAL_KEYS: &[&str] = &["name", "id", "key"];

impl Forest {
    /// Sorts the items of a list by their key; sticks where they cannot be told apart.
    pub(super) fn keyed(&self, list: Val, by: &Match) -> Result<KeyedItems, PlanFailure> {
        let mut keyed =
            KeyedItems { items: Vec::with_capacity(self.len(list)), places: FxHashMap::default() };
        for item in self.items(list) {
            let key = self.key_of(item, by);
            if key.is_none() && !by.loose {
                return Err(PlanFailure::Here);
            }
            if let Some(key) = &key
                && keyed.places.insert(key.clone(), keyed.items.len()).is_some()
            {
                return Err(PlanFailure::Here);
            }
            keyed.items.push((key, item));
        }
        Ok(keyed)
    }

    /// The items, with a header if there must be one, that turn one list into another by merging.
    pub(super) fn express_whole_list(
        &self,
        below: Val,
        wanted: Val,
        trail: &mut Trail,
    ) -> Result<Vec<Data>, PlanFailure> {
        match trail.header() {
            Some(Header::Match(by)) => match self.express_keyed(below, wanted, &by, trail) {
                Err(PlanFailure::Here) => self.express_replacing(wanted),
                other => other,
            },
            Some(_) => self.written_items(wanted),
            None => match self.express_list(below, wanted, trail) {
                Ok(pieces) => pieces.into_iter().map(|piece| self.piece(piece)).collect(),
                Err(PlanFailure::Here) => self.express_with_header(below, wanted, trail),
                Err(stuck) => Err(stuck),
            },
        }
    }

    fn piece(&self, piece: Piece) -> Result<Data, PlanFailure> {
        match piece {
            Piece::Value(value) => self.written_out(value),
            Piece::Data(data) => Ok(data),
        }
    }

    /// The shorter of: items under a key that is found, the whole list under `replace`.
    pub(super) fn express_with_header(
        &self,
        below: Val,
        wanted: Val,
        trail: &mut Trail,
    ) -> Result<Vec<Data>, PlanFailure> {
        let whole = self.express_replacing(wanted)?;
        let Some(by) = self.common_key(below, wanted) else { return Ok(whole) };
        match self.express_keyed(below, wanted, &by, trail) {
            Ok(mut items) => {
                items.insert(0, header(&by));
                Ok(if text_length(&items) <= text_length(&whole) { items } else { whole })
            }
            Err(PlanFailure::Here) => Ok(whole),
            Err(stuck) => Err(stuck),
        }
    }

    fn written_items(&self, wanted: Val) -> Result<Vec<Data>, PlanFailure> {
        self.items(wanted).map(|item| self.written_out(item)).collect()
    }

    pub(super) fn express_replacing(&self, wanted: Val) -> Result<Vec<Data>, PlanFailure> {
        let mut items = self.written_items(wanted)?;
        items.insert(0, mark("replace"));
        Ok(items)
    }

    /// The key that every item of both lists has, each with another value.
    fn common_key(&self, below: Val, wanted: Val) -> Option<Match> {
        let first = [below, wanted].into_iter().find(|&list| self.len(list) > 0)?;
        let first = self.item(first, 0);
        if !self.is_map(first) {
            return None;
        }
        let own = self.entries(first).map(|(key, _)| key).filter(|&key| self.is_plain_name(key));
        let names = USUAL_KEYS.iter().map(|&name| name.to_owned());
        names.chain(own.map(|key| self.text(key).into_owned())).find_map(|name| {
            let by = Match::new(&[name], false);
            let told_apart = |list| self.keyed(list, &by).is_ok();
            (told_apart(below) && told_apart(wanted)).then_some(by)
        })
    }

    /// A key that a header can name as it is.
    fn is_plain_name(&self, key: Val) -> bool {
        self.kind(key) == Kind::Scalar
            && self.scalar(key).as_str().is_some_and(|name| {
                !name.is_empty() && !name.contains(['.', '=']) && !crate::keyed::is_table_name(name)
            })
    }

    /// The items that turn one list into another when they meet by a key.
    pub(super) fn express_keyed(
        &self,
        below: Val,
        wanted: Val,
        by: &Match,
        trail: &mut Trail,
    ) -> Result<Vec<Data>, PlanFailure> {
        let (base, want) = (self.keyed(below, by)?, self.keyed(wanted, by)?);
        self.check_loose(&base, &want)?;
        let moved = moved(self, &Order { base: &base, want: &want, by })?;
        let mut items = Vec::new();
        let mut placed: FxHashMap<&Key, Data> = FxHashMap::default();
        for (key, old) in base.keys() {
            let item = match want.get(key) {
                None => Some(self.item_mark(old, by, mark_value("whiteout"))),
                Some(new) if self.same(old, new) && !moved.contains_key(key) => None,
                Some(new) => Some(self.express_item(old, new, by, trail)?),
            };
            match item {
                Some(item) if moved.contains_key(key) => {
                    placed.insert(key, item);
                }
                item => items.extend(item),
            }
        }
        let is_old = |item: Val| base.items.iter().any(|(_, old)| self.same(*old, item));
        for (key, new) in &want.items {
            match key {
                Some(key) if base.get(key).is_some() => {}
                Some(key) if moved.contains_key(key) => {
                    placed.insert(key, self.written_out(*new)?);
                }
                None if is_old(*new) => {}
                _ => items.push(self.written_out(*new)?),
            }
        }
        // Placements are carried out in order, each beside an item that has its place already.
        for (key, _) in want.keys() {
            if let (Some(data), Some(placement)) = (placed.remove(key), moved.get(key)) {
                items.push(with_mark(data, placement.data())?);
            }
        }
        Ok(items)
    }

    /// Items without a key can neither go nor move.
    pub(super) fn check_loose(&self, base: &KeyedItems, want: &KeyedItems) -> Result<(), PlanFailure> {
        let keyless = |keyed: &KeyedItems| {
            let items = keyed.items.iter().filter(|(key, _)| key.is_none());
            items.map(|(_, item)| *item).collect::<Vec<_>>()
        };
        let (old, new) = (keyless(base), keyless(want));
        let stay = old.len() <= new.len() && old.iter().zip(&new).all(|(&a, &b)| self.same(a, b));
        if stay { Ok(()) } else { Err(PlanFailure::Here) }
    }

    /// An item that changes the one it meets.
    pub(super) fn express_item(
        &self,
        old: Val,
        new: Val,
        by: &Match,
        trail: &mut Trail,
    ) -> Result<Data, PlanFailure> {
        let entries = trail.inside(POSITION, |trail| self.express_map(old, new, trail));
        match entries {
            Ok(entries) => Ok(self.with_key(new, by, entries)),
            Err(PlanFailure::Here) => self.replacing(new),
            Err(stuck) => Err(stuck),
        }
    }

    /// An item that says only what becomes of the one it meets.
    pub(super) fn item_mark(&self, item: Val, by: &Match, value: Data) -> Data {
        let mut data = self.with_key(item, by, Vec::new());
        if let Data::Map(entries) = &mut data {
            entries.push((Data::text(STRATEGY), value));
        }
        data
    }

    /// The key of an item, in front of entries.
    fn with_key(&self, item: Val, by: &Match, entries: Vec<(Data, Data)>) -> Data {
        let mut data = Data::Map(entries);
        for part in by.parts.iter().rev() {
            let whole = self.find_text(item, &part.name).map(|value| (vec![part.name.as_str()], value));
            let dotted = || {
                let path: Vec<&str> = part.name.split('.').collect();
                let value = path.iter().try_fold(item, |val, name| {
                    if self.is_map(val) { self.find_text(val, name) } else { None }
                });
                value.map(|value| (path, value))
            };
            if let Some((path, value)) = whole.or_else(dotted) {
                put_first(&mut data, &path, self.data(value));
            }
        }
        data
    }
}

/// The keys that must be placed so that the items come in the wanted order, and where.
fn moved(forest: &Forest, order: &Order) -> Result<FxHashMap<Key, Placement>, PlanFailure> {
    let (base, want) = (order.base, order.want);
    let is_new = |item: &&(Option<Key>, Val)| match &item.0 {
        Some(key) => base.get(key).is_none(),
        None => !base.items.iter().any(|(_, old)| forest.same(*old, item.1)),
    };
    let stays = |item: &&(Option<Key>, Val)| item.0.as_ref().is_none_or(|key| want.get(key).is_some());
    let natural: Vec<(Option<Key>, Val)> =
        base.items.iter().filter(stays).chain(want.items.iter().filter(is_new)).cloned().collect();
    order.moved(forest, &natural)
}

/// The first item of a list whose items meet by a key.
pub(super) fn header(by: &Match) -> Data {
    let mut entries = vec![(Data::text("match"), by.data())];
    if by.loose {
        entries.push((Data::text("loose"), Data::Scalar(hierarch_yaml::Scalar::Bool(true))));
    }
    Data::Map(vec![(Data::text(STRATEGY), Data::Map(entries))])
}

fn mark_value(word: &str) -> Data {
    Data::text(word)
}

/// Adds a placement; an item that is marked already cannot be placed as well.
pub(super) fn with_mark(data: Data, placement: Data) -> Result<Data, PlanFailure> {
    let Data::Map(mut entries) = data else { return Err(PlanFailure::Here) };
    if entries.iter().any(|(key, _)| key.as_str() == Some(STRATEGY)) {
        return Err(PlanFailure::Here);
    }
    entries.push((Data::text(STRATEGY), placement));
    Ok(Data::Map(entries))
}

/// Puts a value at a path of keys, in front of what is there.
fn put_first(data: &mut Data, path: &[&str], value: Data) {
    let (Data::Map(entries), [name, rest @ ..]) = (data, path) else { return };
    let known = entries.iter().position(|(key, _)| key.as_str() == Some(*name));
    if rest.is_empty() {
        if known.is_none() {
            entries.insert(0, (Data::text(*name), value));
        }
        return;
    }
    let mut entry = match known {
        Some(place) => entries.remove(place),
        None => (Data::text(*name), Data::Map(Vec::new())),
    };
    put_first(&mut entry.1, rest, value);
    entries.insert(0, entry);
}

fn text_length(items: &[Data]) -> usize {
    document(&Data::List(items.to_vec()), &Layout::default()).len()
}
