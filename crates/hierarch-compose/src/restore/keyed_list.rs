//! The plan of a written list whose items meet those below by a key, and of lists that get a header.

use hierarch_yaml::{Change, Data, EntryChange, Item, Kind, MapChange, NodeId};
use rustc_hash::FxHashMap;

use super::PlanFailure;
use super::express::{Piece, mark};
use super::keyed::{KeyedItems, Trail};
use super::placing::{Order, PlannedItem};
use super::plan::{Aim, Planner};
use super::world::Parts;
use crate::directive::STRATEGY;
use crate::expand::{Expansion, Step};
use crate::forest::Val;
use crate::keyed::{Header, Key, Match};
use crate::merge::Strategy;

/// The lists that a keyed plan is made from.
struct Lists<'l> {
    by: &'l Match,
    base: KeyedItems,
    want: KeyedItems,
    before: Option<KeyedItems>,
    steady: bool,
}

impl Planner<'_, '_> {
    /// Where the plan is, for tables of keys.
    pub(super) fn trail(&self) -> Trail {
        let tables = self.expander.tables.clone();
        if tables.is_empty() {
            return Trail::default();
        }
        let step = |step: &Step| match *step {
            Step::Index(_) => crate::keyed::POSITION.to_owned(),
            key @ Step::Key(_) => self.expander.step_text(key),
        };
        Trail { tables, path: self.expander.path.iter().map(step).collect() }
    }

    /// The data that makes what is wanted of what lies below, under a key of the map that is planned.
    pub(super) fn expressed_at(
        &self,
        key: Val,
        below: Option<Val>,
        wanted: Val,
    ) -> Result<Data, PlanFailure> {
        let mut trail = self.trail();
        let forest = &self.expander.forest;
        trail.inside(&forest.text(key), |trail| forest.express(below, wanted, trail))
    }

    /// How a written list meets the one below: as it says, or as a table around it says.
    pub(super) fn list_header(&mut self, list: NodeId) -> Result<(Option<Header>, bool), PlanFailure> {
        let written = self.expander.forest.written_header(self.val(list))?;
        let is_written = written.is_some();
        let value = self.val(list);
        Ok((self.expander.list_header(value, written)?, is_written))
    }

    /// Changes a list so that its items, merged by key with those below, are what is wanted.
    pub(super) fn plan_keyed(
        &mut self,
        list: NodeId,
        (below, aim): (Val, Aim),
        by: &Match,
        skip: usize,
    ) -> Result<Change, PlanFailure> {
        let forest = &self.expander.forest;
        let before = aim.before.filter(|&before| forest.kind(before) == Kind::List);
        let lists = Lists {
            by,
            base: forest.keyed(below, by)?,
            want: forest.keyed(aim.wanted, by)?,
            before: before.and_then(|before| forest.keyed(before, by).ok()),
            steady: aim.steady,
        };
        forest.check_loose(&lists.base, &lists.want)?;
        let nodes = self.tree().children(list).to_vec();
        let header = |index| PlannedItem {
            item: Item::Old(index, Change::Keep),
            key: None,
            value: None,
            placement: None,
        };
        let mut planned: Vec<PlannedItem> = (0..skip).map(header).collect();
        let mut own: FxHashMap<Key, Val> = FxHashMap::default();
        for (index, &node) in nodes.iter().enumerate().skip(skip) {
            let value = self.own_item(node, index)?;
            let Some(key) = self.expander.forest.key_of(value, by) else { return Err(PlanFailure::Here) };
            if own.insert(key.clone(), value).is_some() {
                return Err(PlanFailure::Here);
            }
            let placement = self.expander.forest.placement(value)?;
            match self.plan_keyed_item(node, value, &key, &lists, planned.len())? {
                Some(change) => {
                    let item = Item::Old(index, change);
                    planned.push(PlannedItem { item, key: Some(key), value: Some(value), placement });
                }
                None => self.lose(node, true),
            }
        }
        self.add_keyed(&lists, &own, &mut planned)?;
        let order = Order { base: &lists.base, want: &lists.want, by };
        let items = self.placed(&order, &nodes, planned)?;
        Ok(Change::of_items(items, nodes.len()))
    }

    /// What a written item expands to, marks and all; only maps can meet by a key.
    fn own_item(&mut self, node: NodeId, index: usize) -> Result<Val, PlanFailure> {
        let value = self.val(node);
        if self.given_up.contains(&node) || self.dangles(node) || self.tree().kind(node) != Kind::Map {
            return Err(PlanFailure::Here);
        }
        if !self.expander.forest.is_active(value) {
            return Ok(value);
        }
        self.expander.path.push(Step::Index(index));
        let walked = self.walk_edited(value);
        self.expander.path.pop();
        match walked {
            Ok(Expansion::Value(value)) => Ok(value),
            _ => Err(PlanFailure::Here),
        }
    }

    /// Plans one written item; `None` if it goes.
    fn plan_keyed_item(
        &mut self,
        node: NodeId,
        value: Val,
        key: &Key,
        lists: &Lists,
        at: usize,
    ) -> Result<Option<Change>, PlanFailure> {
        let strategy = self.expander.forest.strategy(value)?;
        let below = lists.base.get(key);
        let Some(wanted) = lists.want.get(key) else {
            return Ok(match (strategy, below) {
                (Some(Strategy::Whiteout), _) => Some(Change::Keep),
                (_, Some(below)) => {
                    self.lose(node, false);
                    let data = self.expander.forest.item_mark(below, lists.by, Data::text("whiteout"));
                    Some(Change::Set(data))
                }
                (_, None) => None,
            });
        };
        let forest = &self.expander.forest;
        let before = lists.before.as_ref().and_then(|before| before.get(key));
        let was_same = before.is_some_and(|before| forest.same(before, wanted));
        // What is wanted is what lies below: the override is over.
        let is_placed = forest.placement(value)?.is_some();
        if !was_same && !is_placed && below.is_some_and(|below| forest.same(below, wanted)) {
            return Ok(None);
        }
        if matches!(strategy, Some(Strategy::Whiteout | Strategy::Nullout)) {
            let data = match below {
                Some(below) => forest.express_item(below, wanted, lists.by, &mut self.trail())?,
                None => forest.written_out(wanted)?,
            };
            self.lose(node, false);
            return Ok(Some(Change::Set(data)));
        }
        self.place.push(at.to_string());
        self.expander.path.push(Step::Index(at));
        let planned = self.plan(node, Aim { wanted, before, below, steady: lists.steady });
        self.expander.path.pop();
        self.place.pop();
        planned.map(Some)
    }

    /// Adds items for what is not written yet and yet differs from what lies below.
    fn add_keyed(
        &self,
        lists: &Lists,
        own: &FxHashMap<Key, Val>,
        planned: &mut Vec<PlannedItem>,
    ) -> Result<(), PlanFailure> {
        let forest = &self.expander.forest;
        let mut trail = self.trail();
        let mut add = |data, key: Option<&Key>, value| {
            planned.push(PlannedItem { item: Item::New(data), key: key.cloned(), value, placement: None });
        };
        for (key, old) in lists.base.keys().filter(|(key, _)| !own.contains_key(key)) {
            match lists.want.get(key) {
                None => add(forest.item_mark(old, lists.by, Data::text("whiteout")), None, None),
                Some(new) if forest.same(old, new) => {}
                Some(new) => {
                    let data = forest.express_item(old, new, lists.by, &mut trail)?;
                    add(data, Some(key), Some(new));
                }
            }
        }
        for (key, new) in &lists.want.items {
            let known = match key {
                Some(key) => lists.base.get(key).is_some() || own.contains_key(key),
                None => lists.base.items.iter().any(|(_, old)| forest.same(*old, *new)),
            };
            if !known {
                add(forest.written_out(*new)?, key.as_ref(), Some(*new));
            }
        }
        Ok(())
    }

    /// The pieces of a list that appending cannot say, with the header that it needs.
    pub(super) fn pieces_with_header(
        &self,
        (below, wanted): (Val, Val),
        header: Option<&Header>,
        is_written: bool,
    ) -> Result<Vec<Piece>, PlanFailure> {
        let forest = &self.expander.forest;
        let mut trail = self.trail();
        let data = match header {
            None => forest.express_with_header(below, wanted, &mut trail)?,
            Some(Header::Match(by)) => match forest.express_keyed(below, wanted, by, &mut trail) {
                Ok(mut items) => {
                    if is_written {
                        items.insert(0, super::keyed::header(by));
                    }
                    items
                }
                Err(PlanFailure::Here) => forest.express_replacing(wanted)?,
                Err(stuck) => return Err(stuck),
            },
            Some(_) => forest.express_replacing(wanted)?,
        };
        Ok(data.into_iter().map(Piece::Data).collect())
    }

    /// Tells whether a plan writes a list whole so that nothing is left of what the directives bring.
    pub(super) fn inherits_nothing(
        &self,
        parts: &Parts,
        aim: Aim,
        brought: Option<Val>,
        change: &MapChange,
    ) -> bool {
        let Some(brought) = brought.filter(|_| !parts.directives.is_empty()) else { return false };
        let new_values = change.added.iter().map(|(_, data)| replaces(data));
        let new_lists = change.entries.iter().map(|(_, entry)| match entry {
            EntryChange::Value(change) => begins_replacing(change),
            _ => false,
        });
        if !new_values.chain(new_lists).any(|replaces| replaces) {
            return false;
        }
        let forest = &self.expander.forest;
        forest.entries(brought).all(|(key, value)| {
            let Some(wanted) = forest.find(aim.wanted, key) else { return true };
            let merges = forest.kind(value) == forest.kind(wanted) && forest.kind(value) != Kind::Scalar;
            let name = forest.data(key);
            if let Some((_, data)) = change.added.iter().find(|(added, _)| *added == name) {
                return !merges || replaces(data);
            }
            let own = parts.own.iter().find(|&&(_, own, _)| forest.same_key(self.val(own), key));
            let Some(&(index, _, node)) = own else { return false };
            match change.of(index) {
                Some(EntryChange::Delete) => false,
                Some(EntryChange::Value(change)) => !merges || begins_replacing(change),
                _ => !merges || matches!(forest.written_header(self.val(node)), Ok(Some(Header::Replace))),
            }
        })
    }
}

fn begins_replacing(change: &Change) -> bool {
    match change {
        Change::Set(data) => replaces(data),
        Change::List(items) => matches!(items.first(), Some(Item::New(data)) if *data == mark("replace")),
        _ => false,
    }
}

fn replaces(data: &Data) -> bool {
    match data {
        Data::List(items) => items.first() == Some(&mark("replace")),
        Data::Map(_) => data.get(STRATEGY).is_some_and(|word| word.as_str() == Some("replace")),
        Data::Scalar(_) => false,
    }
}
