//! Merging two lists whose items meet by a key.

use hierarch_source::{Error, Result};
use hierarch_yaml::Scalar;
use rustc_hash::FxHashMap;

use super::{Header, Key, Match, Placement};
use crate::forest::{Forest, Val};
use crate::issues;
use crate::merge::Strategy;

/// One item of a list that is being merged: its key, if it has one, and its value, if it is still there.
struct Seat {
    key: Option<Key>,
    value: Option<Val>,
}

impl Forest {
    /// Tells how a list wants to meet the one below.
    pub(crate) fn header(&self, list: Val) -> Result<Option<Header>> {
        match self.noted_header(list) {
            Some(header) => Ok(Some(header.clone())),
            None => self.written_header(list),
        }
    }

    /// Returns the items of a list without its header.
    pub(crate) fn body(&self, list: Val) -> Result<Vec<Val>> {
        let skip = usize::from(self.written_header(list)?.is_some());
        Ok(self.items(list).skip(skip).collect())
    }

    /// Merges two lists by the key of their items: base's order, then what is new, then placements.
    pub(crate) fn merge_keyed(&mut self, base: Val, over: Val, by: &Match) -> Result<Val> {
        let below = self.body(base)?;
        let above = self.body(over)?;
        let mut places: FxHashMap<Key, usize> = FxHashMap::default();
        let mut seats: Vec<Seat> = Vec::with_capacity(below.len() + above.len());
        for item in below {
            let key = self.needed_key(item, by)?;
            if !self.is_map(item)
                && let Some(&place) = key.as_ref().and_then(|key| places.get(key))
            {
                // A text that says another value of a key stands in the place of the one before it.
                seats[place].value = Some(item);
                continue;
            }
            let seat = Seat { key: key.clone(), value: Some(item) };
            if let Some(key) = key
                && let Some(first) = places.insert(key, seats.len())
            {
                return Err(self.twice(seats.get(first), item, by));
            }
            seats.push(seat);
        }
        let mut own = FxHashMap::default();
        let mut placed = Vec::new();
        for item in above {
            let Some(key) = self.needed_key(item, by)? else {
                self.append_loose(&mut seats, item);
                continue;
            };
            if let Some(first) = own.insert(key.clone(), item).filter(|_| self.is_map(item)) {
                let seat = Seat { key: None, value: Some(first) };
                return Err(self.twice(Some(&seat), item, by));
            }
            placed.extend(self.placement(item)?.map(|placement| (key.clone(), placement, item)));
            let place = places.get(&key).copied();
            let value = self.meet_item(place.and_then(|place| seats[place].value), item)?;
            if let Some(place) = place {
                seats[place].value = value;
            } else {
                places.insert(key.clone(), seats.len());
                seats.push(Seat { key: Some(key), value });
            }
        }
        for (key, placement, item) in placed {
            self.place_item(&mut seats, &key, &placement, (item, by))?;
        }
        let items = seats.into_iter().filter_map(|seat| seat.value).collect();
        let merged = self.list(items, Some(over))?;
        Ok(self.tagged(merged, &[over, base]))
    }

    fn needed_key(&self, item: Val, by: &Match) -> Result<Option<Key>> {
        match self.key_of(item, by) {
            None if !by.loose => Err(self.place_error(issues::item_without_key(&by.names()), item)),
            key => Ok(key),
        }
    }

    fn twice(&self, first: Option<&Seat>, second: Val, by: &Match) -> Error {
        let first = first.and_then(|seat| seat.value).and_then(|value| self.place(value));
        self.place_error(issues::key_twice(&by.names(), first.as_ref()), second)
    }

    /// An item without a key is added unless it is there.
    fn append_loose(&self, seats: &mut Vec<Seat>, item: Val) {
        let known = seats.iter().any(|seat| seat.value.is_some_and(|value| self.same(value, item)));
        if !known {
            seats.push(Seat { key: None, value: Some(item) });
        }
    }

    /// What becomes of an item and the one it meets; `None` if it goes.
    fn meet_item(&mut self, below: Option<Val>, item: Val) -> Result<Option<Val>> {
        match (self.strategy(item)?, below) {
            (Some(Strategy::Whiteout), _) => Ok(None),
            (Some(Strategy::Nullout), _) => self.made_scalar(Scalar::Null, Some(item)).map(Some),
            (Some(Strategy::Error), Some(_)) => {
                Err(self.place_error(issues::merge_forbidden("the item"), item))
            }
            (Some(Strategy::Replace), _) | (_, None) => Ok(Some(item)),
            (_, Some(below)) if self.is_map(below) && self.is_map(item) => self.merge(below, item).map(Some),
            (_, Some(_)) => Ok(Some(item)),
        }
    }

    fn place_item(
        &self,
        seats: &mut Vec<Seat>,
        key: &Key,
        placement: &Placement,
        (item, by): (Val, &Match),
    ) -> Result<()> {
        let find = |seats: &[Seat], key: &Key| {
            seats.iter().position(|seat| seat.value.is_some() && seat.key.as_ref() == Some(key))
        };
        let Some(from) = find(seats, key) else { return Ok(()) };
        let seat = seats.remove(from);
        let beside = |seats: &[Seat], key: &Key| {
            find(seats, key).ok_or_else(|| {
                let wanted = hierarch_yaml::brief(&key.data());
                self.place_error(issues::no_such_item(&by.names(), &wanted), item)
            })
        };
        let to = match placement {
            Placement::First => 0,
            Placement::Last => seats.len(),
            Placement::Before(key) => beside(seats, key)?,
            Placement::After(key) => beside(seats, key)? + 1,
        };
        seats.insert(to, seat);
        Ok(())
    }
}
