//! The plan of a save: what shall become of every written node.

use std::sync::Arc;

use hierarch_yaml::{Change, Data, EntryChange, Item, Kind, MapChange, NodeId, Tree};
use rustc_hash::FxHashSet;

use super::PlanFailure;
use super::world::{Parts, World, WrittenDocument};
use crate::directive::STRATEGY;
use crate::expand::{Expander, Expansion};
use crate::forest::Val;
use crate::merge::Strategy;

/// What a node shall become, and what it was.
#[derive(Clone, Copy)]
pub(crate) struct Aim {
    /// The value it shall have in the end.
    pub(crate) wanted: Val,
    /// The value it had; `None` if there was none.
    pub(crate) before: Option<Val>,
    /// What lies below it, to be merged with.
    pub(crate) below: Option<Val>,
    /// What lies below it is what it was before.
    pub(crate) steady: bool,
}

pub(crate) struct Planner<'p, 'a> {
    pub(crate) expander: &'p mut Expander<'a>,
    pub(crate) written: WrittenDocument,
    pub(crate) old: World,
    pub(crate) new: World,
    /// Holders, aliases and merge keys that have to do without.
    pub(crate) given_up: &'p mut FxHashSet<NodeId>,
    /// Nodes whose text goes, and with it their anchors.
    pub(super) lost: FxHashSet<NodeId>,
    /// Whether what a node refers to is what it was, as far as known.
    pub(super) same_sources: Vec<Option<bool>>,
    pub(crate) sites: Vec<Site>,
    /// Nodes that stay and whose sources are what they were, with their places: sites are found in them
    /// on demand.
    pub(crate) steady: Vec<(Vec<String>, NodeId)>,
    pub(crate) place: Vec<String>,
}

/// Where in the result a holder, alias or merge key has its say.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) path: Vec<String>,
    pub(crate) node: NodeId,
    /// It brings what it brought before.
    pub(crate) steady: bool,
}

/// A step of the plan, or why there is none.
pub(super) type PlanResult<T> = Result<T, PlanFailure>;

impl<'p, 'a> Planner<'p, 'a> {
    pub(crate) fn new(
        expander: &'p mut Expander<'a>,
        tree: Arc<Tree>,
        before: Val,
        edited: Val,
        given_up: &'p mut FxHashSet<NodeId>,
    ) -> Self {
        expander.return_to(expander.main);
        let doc = expander.main.doc;
        let same_sources = vec![None; tree.len()];
        let written = WrittenDocument::new(tree, doc, expander);
        let mut new = World::new(edited);
        expander.stand_on(edited);
        // What an anchor or a name stands for is what it was edited to be.
        for (name, &node) in &written.anchors {
            match new.of(node, &written, expander) {
                Some(value) => expander.anchors.insert(name.clone(), value),
                None => expander.anchors.remove(name),
            };
        }
        for (name, &node) in &written.names {
            if let Some(value) = new.of(node, &written, expander) {
                expander.anchors.insert(name.clone(), value);
            }
        }
        Self {
            expander,
            written,
            old: World::new(before),
            new,
            given_up,
            lost: FxHashSet::default(),
            same_sources,
            sites: Vec::new(),
            steady: Vec::new(),
            place: Vec::new(),
        }
    }

    pub(crate) fn plan_top(&mut self, root: NodeId) -> PlanResult<Change> {
        let aim = Aim { wanted: self.new.value, before: Some(self.old.value), below: None, steady: true };
        self.plan(root, aim)
    }

    /// Writes every top entry anew that changes or refers to anything.
    pub(crate) fn plan_anew(&mut self, root: NodeId) -> PlanResult<Change> {
        match (self.tree().kind(root), self.expander.forest.kind(self.new.value)) {
            (Kind::Map, Kind::Map) => {}
            (Kind::List, Kind::List) => return self.plan_items_anew(root),
            _ => return Err(PlanFailure::Here),
        }
        let parts = self.written.parts(root);
        let mut change = MapChange::default();
        let others = parts.directives.iter().map(|&(index, ..)| index);
        for index in others.chain(parts.native.iter().map(|&(index, _)| index)) {
            change.entries.push((index, EntryChange::Delete));
        }
        let forest = &self.expander.forest;
        let mut known = Vec::new();
        for &(index, key, value) in &parts.own {
            let key = self.val(key);
            known.push(key);
            let stays = !self.tree().is_active(value) && !self.tree().has_alias(value);
            match forest.find(self.new.value, key) {
                None => change.entries.push((index, EntryChange::Delete)),
                Some(wanted) if stays && forest.same(self.val(value), wanted) => {}
                Some(wanted) => {
                    let data = forest.written_out(wanted)?;
                    change.entries.push((index, EntryChange::Value(Change::Set(data))));
                }
            }
        }
        change.entries.sort_by_key(|(index, _)| *index);
        for (key, value) in forest.entries(self.new.value) {
            if !known.iter().any(|&own| forest.same_key(own, key)) {
                forest.check_key(key)?;
                change.added.push((forest.data(key), forest.written_out(value)?));
            }
        }
        Ok(Change::Map(change))
    }

    /// Writes every item of a list at the top anew that changes or refers to anything, between those before and behind.
    fn plan_items_anew(&mut self, root: NodeId) -> PlanResult<Change> {
        let forest = &self.expander.forest;
        let old = self.tree().children(root);
        let new: Vec<Val> = forest.items(self.new.value).collect();
        let stays = |&(&item, &wanted): &(&NodeId, &Val)| {
            let is_still = !self.tree().is_active(item) && !self.tree().has_alias(item);
            is_still && forest.same(self.val(item), wanted)
        };
        let before = old.iter().zip(&new).take_while(stays).count();
        let (rest, wanted) = (&old[before..], &new[before..]);
        let behind = rest.iter().rev().zip(wanted.iter().rev()).take_while(stays).count();
        let mut items: Vec<Item> = (0..before).map(|place| Item::Old(place, Change::Keep)).collect();
        for &value in &wanted[..wanted.len() - behind] {
            items.push(Item::New(forest.written_out(value)?));
        }
        items.extend((old.len() - behind..old.len()).map(|place| Item::Old(place, Change::Keep)));
        Ok(Change::List(items))
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.written.tree
    }

    pub(crate) fn val(&self, node: NodeId) -> Val {
        self.expander.forest.val(self.written.doc, node)
    }

    /// Plans one node.
    pub(crate) fn plan(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        if aim.steady && self.is_as_before(node, aim)? {
            self.note_sites(node);
            return Ok(Change::Keep);
        }
        match self.tree().kind(node) {
            Kind::Alias => self.plan_alias(node, aim),
            Kind::Scalar => self.plan_scalar(node, aim),
            Kind::List => self.plan_list(node, aim),
            Kind::Map => self.plan_scope(node, aim),
        }
    }

    fn plan_scalar(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        let current = self.val(node);
        if self.fits(current, aim)? { Ok(Change::Keep) } else { self.rewrite(node, aim) }
    }

    fn plan_alias(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        self.site(node);
        if let Some(current) = self.alias_value(node)
            && self.fits(current, aim)?
        {
            return Ok(Change::Keep);
        }
        self.rewrite(node, aim)
    }

    /// Tells whether a value, merged with what lies below, is what is wanted.
    pub(crate) fn fits(&mut self, current: Val, aim: Aim) -> PlanResult<bool> {
        let forest = &mut self.expander.forest;
        let merged = match aim.below.map(|below| (below, forest.kind(below), forest.kind(current))) {
            Some((below, Kind::Map, Kind::Map)) => forest.merge(below, current),
            Some((below, Kind::Map, Kind::Scalar)) if forest.is_null(current) => Ok(below),
            Some((below, Kind::List, Kind::List)) => forest.merge_lists(below, current),
            _ => Ok(current),
        };
        // What cannot be merged does not fit.
        let Ok(merged) = merged.and_then(|merged| forest.clean(merged)) else { return Ok(false) };
        Ok(merged.is_some_and(|merged| forest.same(merged, aim.wanted)))
    }

    /// Replaces the text of a node.
    pub(crate) fn rewrite(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        let mut trail = self.trail();
        let data = self.expander.forest.express(aim.below, aim.wanted, &mut trail)?;
        self.lose(node, false);
        Ok(Change::Set(data))
    }

    /// Notes that a node's text goes; a replaced node keeps its own anchor.
    pub(crate) fn lose(&mut self, node: NodeId, with_itself: bool) {
        let tree = Arc::clone(&self.written.tree);
        if with_itself {
            self.lost.insert(node);
        }
        for &child in tree.children(node) {
            self.lose(child, true);
        }
    }

    /// Plans a map; a table of keys that it declares holds for everything in it.
    fn plan_scope(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        let Some(table) = self.expander.declared_table(self.val(node))? else {
            return self.plan_map(node, aim);
        };
        self.expander.tables.push(table);
        let planned = self.plan_map(node, aim);
        self.expander.tables.pop();
        planned
    }

    fn plan_map(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        if !self.expander.forest.is_map(aim.wanted) {
            return self.plan_away_from_map(node, aim);
        }
        let parts = self.written.parts(node);
        match self.strategy(&parts) {
            // The map means its absence, or null; now it shall be something.
            Some(Strategy::Whiteout | Strategy::Nullout) => return self.rewrite(node, aim),
            Some(Strategy::Replace) => return self.plan_entries(node, &parts, Aim { below: None, ..aim }),
            _ => {}
        }
        let below = aim.below.filter(|&below| self.expander.forest.is_map(below));
        let aim = Aim { below, ..aim };
        match self.plan_entries(node, &parts, aim) {
            // A mark that is left alone in a map would say something else.
            Ok(Change::Map(change)) if self.leaves_only_mark(node, &parts, &change) => {
                self.rewrite(node, aim)
            }
            Err(PlanFailure::Here) => self.plan_with_less(node, &parts, aim),
            other => other,
        }
    }

    fn leaves_only_mark(&self, node: NodeId, parts: &Parts, change: &MapChange) -> bool {
        let is_deleted = |(_, entry): &&(usize, EntryChange)| matches!(entry, EntryChange::Delete);
        let left = self.tree().children(node).len() / 2 - change.entries.iter().filter(is_deleted).count();
        parts.strategy.is_some() && left == 1 && change.added.is_empty()
    }

    /// A holder that cannot say it gives up its directives; a map over another replaces it.
    fn plan_with_less(&mut self, node: NodeId, parts: &Parts, aim: Aim) -> PlanResult<Change> {
        let has_sources = !parts.directives.is_empty() || !parts.native.is_empty();
        if has_sources && self.given_up.insert(node) {
            self.forget_sources(node);
            match self.plan_entries(node, parts, aim) {
                Err(PlanFailure::Here) => {}
                other => return other,
            }
        }
        if aim.below.is_none() || parts.strategy.is_some() {
            return Err(PlanFailure::Here);
        }
        let alone = Aim { below: None, steady: false, ..aim };
        let mut change = match self.plan_entries(node, parts, alone)? {
            Change::Map(change) => change,
            Change::Keep => MapChange::default(),
            other => return Ok(other),
        };
        change.added.push((Data::text(STRATEGY), Data::text("replace")));
        Ok(Change::Map(change))
    }

    pub(super) fn strategy(&self, parts: &Parts) -> Option<Strategy> {
        let (_, value) = parts.strategy?;
        match self.tree().text(self.tree().target(value)) {
            "replace" => Some(Strategy::Replace),
            "whiteout" => Some(Strategy::Whiteout),
            "nullout" => Some(Strategy::Nullout),
            _ => None,
        }
    }

    /// A map shall become something else, which its directives may bring by themselves.
    fn plan_away_from_map(&mut self, node: NodeId, aim: Aim) -> PlanResult<Change> {
        if self.tree().is_active(node) && !self.given_up.contains(&node) {
            self.site(node);
            if let Some(current) = self.current(node)?
                && self.fits(current, aim)?
            {
                return Ok(Change::Keep);
            }
        }
        self.rewrite(node, aim)
    }

    /// What a node expands to in the edited document; `None` for nothing.
    pub(crate) fn current(&mut self, node: NodeId) -> PlanResult<Option<Val>> {
        let value = self.val(node);
        if !self.expander.forest.is_active(value) {
            return Ok(Some(value));
        }
        let walked = self.walk_edited(value);
        match walked {
            // Marks inside count when it is merged.
            Ok(Expansion::Value(value) | Expansion::Splice(value)) => {
                Ok(self.expander.forest.clean(value)?.map(|_| value))
            }
            Ok(Expansion::Absent) => Ok(None),
            // What cannot be expanded here is no reason to stop: the plan is checked as a whole.
            Err(_) => Ok(None),
        }
    }

    /// Tells whether a node expands to nothing in the edited document, and not because it cannot be expanded.
    pub(crate) fn is_absent(&mut self, node: NodeId) -> PlanResult<bool> {
        match self.walk_edited(self.val(node)) {
            Ok(Expansion::Value(value) | Expansion::Splice(value)) => {
                Ok(self.expander.forest.clean(value)?.is_none())
            }
            Ok(Expansion::Absent) => Ok(true),
            Err(_) => Ok(false),
        }
    }

    /// Expands a value at the current path with the edited document as the ground.
    pub(crate) fn walk_edited(&mut self, value: Val) -> hierarch_source::Result<Expansion> {
        let path = std::mem::take(&mut self.expander.path);
        self.expander.stand_on(self.new.value);
        self.expander.path.clone_from(&path);
        let walked = self.expander.walk(value);
        self.expander.stand_on(self.new.value);
        self.expander.path = path;
        walked
    }

    /// What an alias stands for in the edited document; `None` if it has to be written out.
    pub(crate) fn alias_value(&mut self, alias: NodeId) -> Option<Val> {
        let target = self.tree().target(alias);
        if self.given_up.contains(&alias) || self.lost.contains(&target) {
            return None;
        }
        self.new.of(target, &self.written, self.expander)
    }
}
