//! The plan of a map: which of its entries stay, change, go, and which are new.

use std::cell::OnceCell;
use std::sync::Arc;

use hierarch_yaml::{Change, Data, EntryChange, Kind, MapChange, NodeId};
use rustc_hash::FxHashMap;

use super::PlanFailure;
use super::express::mark;
use super::plan::{Aim, PlanResult, Planner};
use super::world::Parts;
use crate::expand::Step;
use crate::forest::{Forest, Val};
use crate::merge::Strategy;

/// What own entries are merged with.
struct Ground {
    deep: Option<Val>,
    native: Option<Val>,
    steady: bool,
}

impl Planner<'_, '_> {
    pub(super) fn plan_entries(&mut self, node: NodeId, parts: &Parts, aim: Aim) -> PlanResult<Change> {
        let found = self.inheritance(node, parts, aim)?;
        if !parts.directives.is_empty() || !parts.native.is_empty() {
            self.site(node);
        }
        if found.deep.is_some_and(|deep| !self.expander.forest.is_map(deep)) {
            // The target took the place of the holder; a map can only be written out.
            return self.rewrite(node, aim);
        }
        let deep = match (aim.below, found.deep) {
            (Some(below), Some(over)) => Some(self.expander.forest.merge(below, over)?),
            (below, over) => over.or(below),
        };
        let ground = Ground { deep, native: found.native, steady: found.steady };
        let own = OwnKeys::new(parts.own.iter().map(|&(_, key, _)| self.val(key)).collect());
        let mut change = MapChange::default();
        for &index in &found.gone {
            change.entries.push((index, EntryChange::Delete));
        }
        for (index, key) in found.moved {
            change.entries.push((index, EntryChange::Rename(Data::text(key))));
        }
        let renamed = self.renamed(parts, &own, aim, &ground)?;
        for (place, &(index, key, value)) in parts.own.iter().enumerate() {
            if let Some(&name) = renamed.get(&index) {
                change.entries.push((index, EntryChange::Rename(self.expander.forest.data(name))));
            } else if let Some(entry) = self.plan_entry((place, key, value), aim, &ground)? {
                change.entries.push((index, entry));
            }
        }
        change.entries.sort_by_key(|(index, _)| *index);
        self.add_inherited(&own, aim, &ground, &mut change)?;
        self.add_new(&own, aim, &ground, &renamed, &mut change)?;
        if self.inherits_nothing(parts, aim, found.deep, &change) {
            return Err(PlanFailure::Here);
        }
        self.delete_waiting(parts, aim, &mut change);
        Ok(if change.is_empty() { Change::Keep } else { Change::Map(change) })
    }

    /// The own entries that have another key now: one went and one came in its place, with the same value.
    fn renamed(
        &mut self,
        parts: &Parts,
        own: &OwnKeys,
        aim: Aim,
        ground: &Ground,
    ) -> PlanResult<FxHashMap<usize, Val>> {
        let mut renamed = FxHashMap::default();
        let forest = &self.expander.forest;
        let Some(before) = aim.before.filter(|&before| ground.steady && forest.is_map(before)) else {
            return Ok(renamed);
        };
        if forest.len(before) != forest.len(aim.wanted) {
            return Ok(renamed);
        }
        let inherited = |key| {
            [ground.deep, ground.native].into_iter().flatten().any(|map| forest.position(map, key).is_some())
        };
        let mut pairs = Vec::new();
        for ((old, was), (new, is)) in forest.entries(before).zip(forest.entries(aim.wanted)) {
            let moved = !forest.same_key(old, new)
                && forest.position(aim.wanted, old).is_none()
                && forest.position(before, new).is_none();
            if moved && forest.same(was, is) && !inherited(old) && !inherited(new) {
                forest.check_key(new)?;
                pairs.push((old, new));
            }
        }
        for (old, new) in pairs {
            let own = own.position(&self.expander.forest, old, 0);
            // What stands in it may mean something else under another key, if it refers to anything.
            if let Some((index, key, value)) = own.map(|place| parts.own[place])
                && !self.tree().is_active(value)
                && self.tree().kind(key) == Kind::Scalar
                && self.has_same_sources(value)?
            {
                renamed.insert(index, new);
            }
        }
        Ok(renamed)
    }

    /// A holder that only waits is not there at all; to be an empty map it must not wait.
    fn delete_waiting(&self, parts: &Parts, aim: Aim, change: &mut MapChange) {
        let own_left =
            parts.own.iter().any(|&(index, ..)| !matches!(change.of(index), Some(EntryChange::Delete)));
        let gone = |change: &MapChange, index| change.of(index).is_some();
        let empty = self.expander.forest.len(aim.wanted) == 0 && !own_left && change.added.is_empty();
        let waits =
            !change.entries.is_empty() && parts.directives.iter().any(|(index, ..)| !gone(change, *index));
        if empty && waits && !self.place.is_empty() {
            let waiting = parts
                .directives
                .iter()
                .filter(|(index, directive, ..)| {
                    !gone(change, *index) && directive.optional && !directive.include
                })
                .map(|&(index, ..)| (index, EntryChange::Delete));
            let waiting: Vec<_> = waiting.collect();
            change.entries.extend(waiting);
            change.entries.sort_by_key(|(index, _)| *index);
        }
    }

    /// Plans one own entry; `None` if it stays.
    fn plan_entry(
        &mut self,
        (place, key, value): (usize, NodeId, NodeId),
        aim: Aim,
        ground: &Ground,
    ) -> PlanResult<Option<EntryChange>> {
        let key_val = self.val(key);
        let forest = &self.expander.forest;
        let below = ground.deep.and_then(|deep| forest.find(deep, key_val));
        // Own keys come first, in the expansion as in the text.
        let before = aim.before.filter(|&before| forest.is_map(before));
        let before = before.and_then(|before| forest.find_near(before, key_val, place));
        let wanted = forest.find_near(aim.wanted, key_val, place);
        let native = ground.native.and_then(|native| forest.find(native, key_val));
        let Some(wanted) = wanted else {
            return self.plan_absence(key_val, value, below, before, native.is_some(), ground.steady);
        };
        self.place.push(self.expander.forest.text(key_val).into_owned());
        self.expander.path.push(Step::Key(key_val));
        let entry = Aim { wanted, before, below, steady: ground.steady };
        let planned = self.plan_value(value, entry, native);
        self.expander.path.pop();
        self.place.pop();
        planned
    }

    fn plan_value(
        &mut self,
        value: NodeId,
        aim: Aim,
        native: Option<Val>,
    ) -> PlanResult<Option<EntryChange>> {
        if aim.steady && self.is_as_before(value, aim)? {
            self.note_sites(value);
            return Ok(None);
        }
        // The override is over when what is inherited is what is wanted.
        let inherited = match (aim.below, native) {
            (below, None) => below,
            (None, native) => native,
            (Some(_), Some(_)) => None,
        };
        let over = inherited.is_some_and(|inherited| self.expander.forest.same(inherited, aim.wanted));
        if over && !self.keeps(value, aim)? {
            self.lose(value, true);
            return Ok(Some(EntryChange::Delete));
        }
        match self.plan(value, aim)? {
            Change::Keep => Ok(None),
            change => Ok(Some(EntryChange::Value(change))),
        }
    }

    /// Tells whether a value as written gives what is wanted.
    fn keeps(&mut self, value: NodeId, aim: Aim) -> PlanResult<bool> {
        match self.current(value)? {
            Some(current) => self.fits(current, aim),
            None => Ok(false),
        }
    }

    /// The key shall not be there.
    fn plan_absence(
        &mut self,
        key: Val,
        value: NodeId,
        below: Option<Val>,
        before: Option<Val>,
        native: bool,
        steady: bool,
    ) -> PlanResult<Option<EntryChange>> {
        if steady && before.is_none() && self.has_same_sources(value)? {
            return Ok(None);
        }
        let tree = Arc::clone(&self.written.tree);
        let target = tree.target(value);
        if tree.kind(target) == Kind::Map
            && self.strategy(&self.written.parts(target)) == Some(Strategy::Whiteout)
        {
            return Ok(None);
        }
        if native {
            return Err(PlanFailure::Here);
        }
        if below.is_some() {
            self.lose(value, false);
            return Ok(Some(EntryChange::Value(Change::Set(mark("whiteout")))));
        }
        self.expander.path.push(Step::Key(key));
        let absent = self.is_absent(value);
        self.expander.path.pop();
        if absent? && tree.kind(value) == Kind::Map {
            return Ok(None);
        }
        self.lose(value, true);
        Ok(Some(EntryChange::Delete))
    }

    /// Writes over what is inherited where it is not what is wanted.
    fn add_inherited(
        &mut self,
        own: &OwnKeys,
        aim: Aim,
        ground: &Ground,
        change: &mut MapChange,
    ) -> PlanResult<()> {
        for key in self.inherited_keys(own, ground) {
            let forest = &mut self.expander.forest;
            let wanted = forest.find(aim.wanted, key);
            if ground.steady && aim.before.is_some_and(|before| same_place(forest, before, key, wanted)) {
                continue;
            }
            let below = ground.deep.and_then(|deep| forest.find(deep, key));
            let native = ground.native.and_then(|native| forest.find(native, key));
            let inherited = match (below, native) {
                (Some(below), Some(native)) if forest.is_map(below) && forest.is_map(native) => {
                    forest.merge(below, native)?
                }
                (_, Some(native)) => native,
                (Some(below), None) => below,
                (None, None) => continue,
            };
            match wanted {
                Some(wanted) if forest.same(wanted, inherited) => {}
                // A key that looks like a directive came through `raw` and cannot be written.
                _ if forest.check_key(key).is_err() => return Err(PlanFailure::Here),
                Some(wanted) => {
                    let data = self.expressed_at(key, below, wanted)?;
                    change.added.push((self.expander.forest.data(key), data));
                }
                // The native merge key cannot delete.
                None if native.is_some() => return Err(PlanFailure::Here),
                None => change.added.push((forest.data(key), mark("whiteout"))),
            }
        }
        Ok(())
    }

    fn inherited_keys(&self, own: &OwnKeys, ground: &Ground) -> Vec<Val> {
        let forest = &self.expander.forest;
        let mut keys: Vec<Val> = Vec::new();
        for map in ground.deep.into_iter().chain(ground.native) {
            for (key, _) in forest.entries(map) {
                let repeated = ground
                    .deep
                    .is_some_and(|deep| Some(map) == ground.native && forest.find(deep, key).is_some());
                if own.position(forest, key, 0).is_none() && !repeated {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// Adds what is neither written nor inherited.
    fn add_new(
        &mut self,
        own: &OwnKeys,
        aim: Aim,
        ground: &Ground,
        renamed: &FxHashMap<usize, Val>,
        change: &mut MapChange,
    ) -> PlanResult<()> {
        let forest = &self.expander.forest;
        let names = OwnKeys::new(renamed.values().copied().collect());
        for (place, (key, value)) in forest.entries(aim.wanted).enumerate() {
            let known = own.position(forest, key, place).is_some()
                || [ground.deep, ground.native]
                    .into_iter()
                    .flatten()
                    .any(|map| forest.position(map, key).is_some())
                || names.position(forest, key, 0).is_some();
            if !known {
                forest.check_key(key)?;
                change.added.push((forest.data(key), forest.written_out(value)?));
            }
        }
        Ok(())
    }
}

/// Keys, to be asked for one of them.
struct OwnKeys {
    keys: Vec<Val>,
    /// Places by hash, made when a key is not where it was guessed to be.
    places: OnceCell<FxHashMap<u64, usize>>,
}

/// Keys that are no more than this are searched one by one.
const FEW_KEYS: usize = 12;

impl OwnKeys {
    fn new(keys: Vec<Val>) -> Self {
        Self { keys, places: OnceCell::new() }
    }

    /// Finds the place of a key, most likely `guess`.
    fn position(&self, forest: &Forest, key: Val, guess: usize) -> Option<usize> {
        let is_key = |place: &usize| self.keys.get(*place).is_some_and(|&own| forest.same_key(own, key));
        if is_key(&guess) {
            return Some(guess);
        }
        if self.keys.len() > FEW_KEYS {
            let places = self.places.get_or_init(|| {
                self.keys.iter().enumerate().map(|(place, &own)| (forest.hash(own), place)).collect()
            });
            let hit = places.get(&forest.hash(key)).copied()?;
            if is_key(&hit) {
                return Some(hit);
            }
        }
        (0..self.keys.len()).find(is_key)
    }
}

fn same_place(forest: &Forest, before: Val, key: Val, wanted: Option<Val>) -> bool {
    let before = if forest.is_map(before) { forest.find(before, key) } else { None };
    match (before, wanted) {
        (Some(before), Some(wanted)) => forest.same(before, wanted),
        (None, None) => true,
        _ => false,
    }
}
