//! How two values become one: the target of a directive below, the holder's own keys above.
//!
//! Keys of `over` come first, in its order, then what `base` has besides.

use hierarch_source::{Error, Result};
use hierarch_yaml::{Kind, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::directive::STRATEGY;
use crate::forest::{Forest, Val};
use crate::issues;
use crate::keyed::Header;

/// How a map meets what is below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Key by key.
    Merge,
    /// The map above replaces the one below.
    Replace,
    /// The key is deleted.
    Whiteout,
    /// The key becomes null.
    Nullout,
    /// Meeting a map is an error.
    Error,
    /// Key by key, and lists below it, or this one, meet by keys.
    Keys,
    /// In a list whose items meet by a key: the item becomes the first.
    First,
    /// The item becomes the last.
    Last,
    /// The item goes before another.
    Before,
    /// The item goes behind another.
    After,
}

/// The strategies that are one word.
const WORDS: &[(&str, Strategy)] = &[
    ("merge", Strategy::Merge),
    ("replace", Strategy::Replace),
    ("whiteout", Strategy::Whiteout),
    ("nullout", Strategy::Nullout),
    ("error", Strategy::Error),
    ("first", Strategy::First),
    ("last", Strategy::Last),
];

/// The strategies that are a map, by the key they need and another that they may have.
const MAPS: &[(&str, &str, Strategy)] =
    &[("match", "loose", Strategy::Keys), ("before", "", Strategy::Before), ("after", "", Strategy::After)];

impl Forest {
    /// Returns the strategy that a map asks for.
    pub(crate) fn strategy(&self, map: Val) -> Result<Option<Strategy>> {
        if !self.is_map(map) || !self.is_active(map) {
            return Ok(None);
        }
        let Some(value) = self.find_text(map, STRATEGY) else { return Ok(None) };
        let known = if self.is_map(value) {
            let has = |key: &str| self.find_text(value, key).is_some();
            let fits = |&&(needed, other, _): &&(&str, &str, Strategy)| {
                has(needed) && self.len(value) == 1 + usize::from(!other.is_empty() && has(other))
            };
            MAPS.iter().find(fits).map(|(_, _, strategy)| *strategy)
        } else {
            let word = self.text(value);
            WORDS.iter().find(|(known, _)| *known == word).map(|(_, strategy)| *strategy)
        };
        let unknown = || {
            let word = if self.is_map(value) {
                hierarch_yaml::brief(&self.data(value))
            } else {
                self.text(value).into_owned()
            };
            self.place_error(issues::unknown_strategy(&word), value)
        };
        known.map(Some).ok_or_else(unknown)
    }

    /// Gives an error the place of a value.
    pub(crate) fn place_error(&self, error: Error, val: Val) -> Error {
        match self.place(val) {
            Some(place) => error.at(&place.source, place.span),
            None => error,
        }
    }

    fn is_strategy_key(&self, key: Val) -> bool {
        self.plus_key(key).is_some_and(|text| text == STRATEGY)
    }

    /// Merges two maps.
    pub(crate) fn merge(&mut self, base: Val, over: Val) -> Result<Val> {
        if self.len(over) == 0 && !self.is_active(base) {
            return Ok(base);
        }
        let mut entries = Vec::with_capacity(self.len(over) + self.len(base));
        // The keys of base that over has taken, kept, or deleted.
        let mut settled = vec![false; self.len(base)];
        for index in 0..self.len(over) {
            let (key, value) = self.entry(over, index);
            if self.is_strategy_key(key) {
                continue;
            }
            let below = self.position(base, key);
            let met = below.map(|place| self.entry(base, place).1);
            let outcome = self.meet(key, met, value)?;
            if let (Some(place), true) = (below, outcome != MergeOutcome::LeaveToBase) {
                settled[place] = true;
            }
            if let MergeOutcome::Value(value) = outcome {
                entries.push((key, value));
            }
        }
        for (place, taken) in settled.into_iter().enumerate() {
            let (key, value) = self.entry(base, place);
            if !taken && !self.is_strategy_key(key) {
                entries.push((key, value));
            }
        }
        let merged = self.map(entries, Some(over))?;
        self.laid_over.insert(merged.id, base);
        Ok(self.tagged(merged, &[over, base]))
    }

    /// Decides what becomes of one key of `over`.
    fn meet(&mut self, key: Val, below: Option<Val>, value: Val) -> Result<MergeOutcome> {
        let formed = match below.filter(|_| self.has_headers()) {
            Some(below) => self.in_form_of(below, value)?,
            None => None,
        };
        let value = formed.unwrap_or(value);
        match self.kind(value) {
            Kind::Map => self.meet_map(key, below, value),
            Kind::Scalar if self.is_null(value) => self.meet_map(key, below, value),
            Kind::List => match below {
                Some(below) if self.kind(below) == Kind::List => {
                    self.merge_lists(below, value).map(MergeOutcome::Value)
                }
                _ => Ok(MergeOutcome::Value(value)),
            },
            _ => Ok(MergeOutcome::Value(value)),
        }
    }

    /// A map, or a null, which counts as an empty one.
    fn meet_map(&mut self, key: Val, below: Option<Val>, value: Val) -> Result<MergeOutcome> {
        let mut strategy = self.strategy(value)?;
        if let Some(below) = below.filter(|&below| self.is_map(below)) {
            let effective = match strategy {
                Some(own) => own,
                None => self.strategy(below)?.unwrap_or(Strategy::Merge),
            };
            match effective {
                // An empty map gives way, and its key to base's turn.
                Strategy::Merge if self.len(value) == 0 => return Ok(MergeOutcome::LeaveToBase),
                Strategy::Merge | Strategy::Keys => return self.merge(below, value).map(MergeOutcome::Value),
                Strategy::First | Strategy::Last | Strategy::Before | Strategy::After => {
                    return Err(self.place_error(issues::placement_without_key(), value));
                }
                Strategy::Error => {
                    let error = issues::merge_forbidden(&self.text(key));
                    return Err(self.place_error(error, value));
                }
                other => strategy = Some(other),
            }
        }
        match strategy {
            Some(Strategy::Whiteout) => Ok(MergeOutcome::Deleted),
            Some(Strategy::Nullout) => Ok(MergeOutcome::Value(self.made_scalar(Scalar::Null, Some(value))?)),
            _ => Ok(MergeOutcome::Value(value)),
        }
    }

    /// Base's items, then those of over that are new; maps of one key find their like.
    pub(crate) fn merge_lists(&mut self, base: Val, over: Val) -> Result<Val> {
        match self.header(over)? {
            None if !self.replaces_lists => self.append_items(base, over),
            None | Some(Header::Replace) => {
                let items = self.body(over)?;
                self.list(items, Some(over))
            }
            Some(Header::Match(by)) => self.merge_keyed(base, over, &by),
            Some(Header::Table(name)) => Err(self.place_error(issues::raw_table(&name), over)),
        }
    }

    fn append_items(&mut self, base: Val, over: Val) -> Result<Val> {
        let mut items = self.body(base)?;
        let tags = self.has_tags();
        let mut known: FxHashSet<u64> = items.iter().map(|&item| self.hash(item)).collect();
        let mut seats = Seats::default();
        for place in 0..self.len(over) {
            let item = self.item(over, place);
            if let Some(seat) = self.list_seat(&items, place, item, &mut seats)? {
                let is_map = self.is_map(items[seat]);
                items[seat] = if is_map { self.merge(items[seat], item)? } else { item };
                known.insert(self.hash(items[seat]));
                seats.note(self, seat, items[seat]);
                continue;
            }
            // Data that are the same are different things under different tags: `!Ref x`, `!GetAtt x`.
            let is_this = |&old: &Val| self.same(old, item) && (!tags || self.same_tags(old, item));
            let is_known = !known.insert(self.hash(item)) && items.iter().any(is_this);
            if !is_known {
                items.push(item);
            }
        }
        let merged = self.list(items, Some(over))?;
        Ok(self.tagged(merged, &[over, base]))
    }

    /// Finds the item that a map of over is merged into: by position with `+%: merge`, by its only key else.
    fn list_seat(&self, items: &[Val], place: usize, item: Val, seats: &mut Seats) -> Result<Option<usize>> {
        if !self.is_map(item) {
            return Ok(None);
        }
        match self.strategy(item)? {
            Some(Strategy::Merge) => return Ok((place < items.len()).then_some(place)),
            Some(Strategy::First | Strategy::Last | Strategy::Before | Strategy::After) => {
                return Err(self.place_error(issues::placement_without_key(), item));
            }
            _ => {}
        }
        let Some(key) = self.only_key(item) else { return Ok(None) };
        for (seat, &old) in items.iter().enumerate().skip(seats.noted) {
            seats.note(self, seat, old);
        }
        seats.noted = items.len();
        let Some(&seat) = seats.by_key.get(&self.hash(key)) else { return Ok(None) };
        let fits = |&old: &Val| self.only_key(old).is_some_and(|old| self.same_key(old, key));
        Ok(if fits(&items[seat]) { Some(seat) } else { items.iter().position(fits) })
    }

    /// The key of a map that has no other.
    fn only_key(&self, val: Val) -> Option<Val> {
        (self.is_map(val) && self.len(val) == 1).then(|| self.entry(val, 0).0)
    }

    /// Carries out the marks that are left: strategies go, whiteouts take their key along, nullouts are null.
    pub(crate) fn clean(&mut self, val: Val) -> Result<Option<Val>> {
        if !self.is_active(val) {
            return Ok(Some(val));
        }
        match self.strategy(val)? {
            Some(Strategy::Whiteout) => return Ok(None),
            Some(Strategy::Nullout) => return self.made_scalar(Scalar::Null, Some(val)).map(Some),
            _ => {}
        }
        match self.kind(val) {
            Kind::Map => self.clean_map(val).map(Some),
            Kind::List => {
                let mut items = Vec::with_capacity(self.len(val));
                for item in self.body(val)? {
                    items.extend(self.clean(item)?);
                }
                self.list(items, Some(val)).map(Some)
            }
            _ => Ok(Some(val)),
        }
    }

    /// Cleans what a map holds, whatever strategy it has itself.
    pub(crate) fn clean_map(&mut self, map: Val) -> Result<Val> {
        if !self.is_active(map) {
            return Ok(map);
        }
        let mut entries = Vec::with_capacity(self.len(map));
        for index in 0..self.len(map) {
            let (key, value) = self.entry(map, index);
            if self.is_strategy_key(key) {
                continue;
            }
            if let Some(value) = self.clean(value)? {
                entries.push((key, value));
            }
        }
        self.map(entries, Some(map))
    }
}

/// Where in a list the maps of one key stand, by the hash of that key, the first where several have one;
/// so far as they were looked at, and as they were then.
#[derive(Default)]
struct Seats {
    by_key: FxHashMap<u64, usize>,
    noted: usize,
}

impl Seats {
    fn note(&mut self, forest: &Forest, seat: usize, item: Val) {
        if let Some(key) = forest.only_key(item) {
            let first = self.by_key.entry(forest.hash(key)).or_insert(seat);
            *first = seat.min(*first);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MergeOutcome {
    Value(Val),
    LeaveToBase,
    Deleted,
}
