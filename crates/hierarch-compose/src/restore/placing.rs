//! The order of items that meet by a key: how a list comes out, and which items must be placed so that it comes out as
//! wanted.

use hierarch_yaml::{Change, Data, EntryChange, Item, MapChange, NodeId};
use rustc_hash::FxHashMap;

use super::PlanFailure;
use super::keyed::{KeyedItems, with_mark};
use super::plan::Planner;
use crate::directive::STRATEGY;
use crate::forest::{Forest, Val};
use crate::keyed::{Key, Match, Placement};

/// An item that stays where it is in the list below counts more than all that are new: people place what they add.
const BELOW: u64 = 1 << 32;

/// An item of the list that is planned.
pub(super) struct PlannedItem {
    pub(super) item: Item,
    /// What it is called; a header and an item that goes have no name.
    pub(super) key: Option<Key>,
    /// The value, by which an item without a key is known.
    pub(super) value: Option<Val>,
    pub(super) placement: Option<Placement>,
}

/// The lists that an order is made from.
pub(super) struct Order<'l> {
    pub(super) base: &'l KeyedItems,
    pub(super) want: &'l KeyedItems,
    pub(super) by: &'l Match,
}

type NamedItem = (Option<Key>, Val);

impl Order<'_> {
    /// How the list comes out: base's items, then what is new, then placements.
    fn arranged(&self, forest: &Forest, planned: &[PlannedItem]) -> Option<Vec<NamedItem>> {
        let is_wanted = |item: &&NamedItem| item.0.as_ref().is_none_or(|key| self.want.get(key).is_some());
        let mut seats: Vec<NamedItem> = self.base.items.iter().filter(is_wanted).cloned().collect();
        for item in planned {
            let Some(value) = item.value else { continue };
            let is_new = match &item.key {
                Some(key) => self.base.get(key).is_none() && self.want.get(key).is_some(),
                None => !seats.iter().any(|(_, known)| forest.same(*known, value)),
            };
            if is_new {
                seats.push((item.key.clone(), value));
            }
        }
        for item in planned {
            let (Some(key), Some(placement)) = (&item.key, &item.placement) else { continue };
            let find =
                |seats: &[NamedItem], key: &Key| seats.iter().position(|seat| seat.0.as_ref() == Some(key));
            let Some(from) = find(&seats, key) else { continue };
            let seat = seats.remove(from);
            let to = match placement {
                Placement::First => 0,
                Placement::Last => seats.len(),
                Placement::Before(key) => find(&seats, key)?,
                Placement::After(key) => find(&seats, key)? + 1,
            };
            seats.insert(to, seat);
        }
        Some(seats)
    }

    /// The items that must be placed so that an order becomes the wanted one, with what each of them follows.
    pub(super) fn moved(
        &self,
        forest: &Forest,
        natural: &[NamedItem],
    ) -> Result<FxHashMap<Key, Placement>, PlanFailure> {
        let old: Vec<u64> = natural.iter().map(|item| name(forest, item)).collect();
        let new: Vec<u64> = self.want.items.iter().map(|item| name(forest, item)).collect();
        let weight = |place: usize| match &natural[place].0 {
            Some(key) if self.base.get(key).is_none() => 1,
            _ => BELOW,
        };
        let stays = staying(&old, &new, weight);
        let mut moved = FxHashMap::default();
        for (place, (key, _)) in self.want.items.iter().enumerate().filter(|(place, _)| !stays[*place]) {
            moved.insert(key.clone().ok_or(PlanFailure::Here)?, self.behind_its_neighbour(place)?);
        }
        Ok(moved)
    }

    fn behind_its_neighbour(&self, place: usize) -> Result<Placement, PlanFailure> {
        match place.checked_sub(1).map(|before| &self.want.items[before].0) {
            None => Ok(Placement::First),
            Some(Some(before)) => Ok(Placement::After(before.clone())),
            Some(None) => Err(PlanFailure::Here),
        }
    }

    /// The items that stand beside one that goes, with a place that stays.
    fn left_alone(&self, planned: &[PlannedItem]) -> Result<Vec<(Key, Placement)>, PlanFailure> {
        let mut left = Vec::new();
        for item in planned {
            let (Some(key), Some(Placement::Before(beside) | Placement::After(beside))) =
                (&item.key, &item.placement)
            else {
                continue;
            };
            let place = self.want.items.iter().position(|(wanted, _)| wanted.as_ref() == Some(key));
            if let Some(place) = place.filter(|_| self.want.get(beside).is_none()) {
                left.push((key.clone(), self.behind_its_neighbour(place)?));
            }
        }
        Ok(left)
    }

    fn is_wanted(&self, forest: &Forest, planned: &[PlannedItem]) -> bool {
        let names = |items: &[NamedItem]| items.iter().map(|item| name(forest, item)).collect::<Vec<_>>();
        self.arranged(forest, planned).is_some_and(|seats| names(&seats) == names(&self.want.items))
    }
}

fn name(forest: &Forest, item: &NamedItem) -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault};
    match &item.0 {
        Some(key) => BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(key),
        None => forest.hash(item.1),
    }
}

/// Tells which places of the new order are taken by items that need not move: of all that come in the same order in both,
/// those that weigh most. A name stands for one item, so that an item has one place in each.
fn staying(old: &[u64], new: &[u64], weight: impl Fn(usize) -> u64) -> Vec<bool> {
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    new.iter().enumerate().rev().for_each(|(place, name)| places.entry(*name).or_default().push(place));
    // For every beginning of the new order, the heaviest row that ends in it: its weight and its last link.
    let mut ends: Vec<(u64, usize)> = vec![(0, NONE); new.len() + 1];
    let mut links: Vec<(usize, usize)> = Vec::new();
    for (at, name) in old.iter().enumerate() {
        let Some(place) = places.get_mut(name).and_then(Vec::pop) else { continue };
        let (mut heaviest, mut index) = ((0, NONE), place);
        while index > 0 {
            heaviest = heaviest.max(ends[index]);
            index &= index - 1;
        }
        let row = (heaviest.0 + weight(at), links.len());
        links.push((place, heaviest.1));
        let mut index = place + 1;
        while index < ends.len() {
            if row.0 > ends[index].0 {
                ends[index] = row;
            }
            index += index & index.wrapping_neg();
        }
    }
    let (mut whole, mut index) = ((0, NONE), new.len());
    while index > 0 {
        whole = whole.max(ends[index]);
        index &= index - 1;
    }
    let mut stays = vec![false; new.len()];
    let mut next = whole.1;
    while let Some(&(place, before)) = links.get(next) {
        stays[place] = true;
        next = before;
    }
    stays
}

/// No link.
const NONE: usize = usize::MAX;

impl Placement {
    /// Returns what an item's `+%` says.
    pub(super) fn data(&self) -> Data {
        let beside = |word: &str, key: &Key| Data::Map(vec![(Data::text(word), key.data())]);
        match self {
            Self::First => Data::text("first"),
            Self::Last => Data::text("last"),
            Self::Before(key) => beside("before", key),
            Self::After(key) => beside("after", key),
        }
    }
}

impl Planner<'_, '_> {
    /// Places items until they come in the wanted order.
    pub(super) fn placed(
        &self,
        order: &Order,
        nodes: &[NodeId],
        mut planned: Vec<PlannedItem>,
    ) -> Result<Vec<Item>, PlanFailure> {
        let forest = &self.expander.forest;
        for (key, placement) in order.left_alone(&planned)? {
            self.place_one(order, nodes, &mut planned, (&key, &placement))?;
        }
        if !order.is_wanted(forest, &planned) {
            let natural = order.arranged(forest, &planned).ok_or(PlanFailure::Here)?;
            let moved = order.moved(forest, &natural)?;
            // Placements are carried out in order, each beside an item that has its place already.
            for (key, placement) in order.want.keys().filter_map(|(key, _)| moved.get_key_value(key)) {
                self.place_one(order, nodes, &mut planned, (key, placement))?;
            }
            if !order.is_wanted(forest, &planned) {
                return Err(PlanFailure::Here);
            }
        }
        Ok(planned.into_iter().map(|planned| planned.item).collect())
    }

    fn place_one(
        &self,
        order: &Order,
        nodes: &[NodeId],
        planned: &mut Vec<PlannedItem>,
        (key, placement): (&Key, &Placement),
    ) -> Result<(), PlanFailure> {
        let known = planned.iter().position(|item| item.key.as_ref() == Some(key));
        let mut item = match (known, order.base.get(key)) {
            (Some(place), _) if matches!(planned[place].item, Item::New(_)) => planned.remove(place),
            (Some(place), _) => {
                let Item::Old(index, change) = &mut planned[place].item else {
                    return Err(PlanFailure::Here);
                };
                *change =
                    self.with_placement(nodes[*index], std::mem::replace(change, Change::Keep), placement)?;
                planned[place].placement = Some(placement.clone());
                return Ok(());
            }
            (None, Some(below)) => {
                let data = self.expander.forest.item_mark(below, order.by, placement.data());
                let (item, key) = (Item::New(data), Some(key.clone()));
                planned.push(PlannedItem {
                    item,
                    key,
                    value: Some(below),
                    placement: Some(placement.clone()),
                });
                return Ok(());
            }
            (None, None) => return Err(PlanFailure::Here),
        };
        if let Item::New(data) = item.item {
            item.item = Item::New(with_mark(data, placement.data())?);
        }
        item.placement = Some(placement.clone());
        planned.push(item);
        Ok(())
    }

    /// Lets a written item say where it stands.
    fn with_placement(
        &self,
        node: NodeId,
        change: Change,
        placement: &Placement,
    ) -> Result<Change, PlanFailure> {
        let mut map = match change {
            Change::Keep => MapChange::default(),
            Change::Map(map) => map,
            Change::Set(data) => return with_mark(data, placement.data()).map(Change::Set),
            Change::List(_) => return Err(PlanFailure::Here),
        };
        let keys = self.tree().children(node).iter().step_by(2);
        let mark = keys.into_iter().position(|&key| self.tree().text(key) == STRATEGY);
        match mark {
            None => map.added.push((Data::text(STRATEGY), placement.data())),
            Some(mark) => {
                let change = EntryChange::Value(Change::Set(placement.data()));
                match map.entries.binary_search_by_key(&mark, |(entry, _)| *entry) {
                    Ok(at) => map.entries[at].1 = change,
                    Err(at) => map.entries.insert(at, (mark, change)),
                }
            }
        }
        Ok(Change::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stay(old: &[u64], new: &[u64]) -> Vec<bool> {
        staying(old, new, |place| if old[place] < 10 { BELOW } else { 1 })
    }

    #[test]
    fn what_lies_below_stays_and_what_is_new_moves() {
        assert_eq!(stay(&[1, 2, 30], &[30, 1, 2]), [false, true, true]);
        assert_eq!(stay(&[1, 30, 31], &[30, 31, 1]), [false, false, true]);
        assert_eq!(stay(&[1, 2, 3], &[3, 1, 2]), [false, true, true]);
        assert_eq!(stay(&[1, 2], &[2, 1]).iter().filter(|stays| **stays).count(), 1);
        assert_eq!(stay(&[], &[5]), [false]);
        assert_eq!(stay(&[1, 30, 2], &[1, 30, 2]), [true, true, true]);
    }
}
