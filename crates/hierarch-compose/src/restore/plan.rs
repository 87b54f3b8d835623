//! The plan of a save: what shall become of every written node.

use std::sync::Arc;

use hierarch_yaml::{Change, Data, EntryChange, Kind, MapChange, NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Stuck;
use super::express::mark;
use super::world::{Brought, Parts, World, Written};
use crate::directive::STRATEGY;
use crate::expand::{Expander, Step, Walked};
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
    pub(crate) written: Written,
    pub(crate) old: World,
    pub(crate) new: World,
    /// Holders, aliases and merge keys that have to do without.
    pub(crate) given_up: &'p mut FxHashSet<NodeId>,
    /// Nodes whose text goes, and with it their anchors.
    lost: FxHashSet<NodeId>,
    same_sources: FxHashMap<NodeId, bool>,
    pub(crate) sites: Vec<Site>,
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

type Planned<T> = Result<T, Stuck>;

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
        let written = Written::new(tree, doc, expander);
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
            same_sources: FxHashMap::default(),
            sites: Vec::new(),
            place: Vec::new(),
        }
    }

    pub(crate) fn plan_top(&mut self, root: NodeId) -> Planned<Change> {
        let aim = Aim { wanted: self.new.value, before: Some(self.old.value), below: None, steady: true };
        self.plan(root, aim)
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.written.tree
    }

    pub(crate) fn val(&self, node: NodeId) -> Val {
        self.expander.forest.val(self.written.doc, node)
    }

    /// Plans one node.
    pub(crate) fn plan(&mut self, node: NodeId, aim: Aim) -> Planned<Change> {
        if aim.steady && self.is_as_before(node, aim)? {
            self.note_sites(node);
            return Ok(Change::Keep);
        }
        match self.tree().kind(node) {
            Kind::Alias => self.plan_alias(node, aim),
            Kind::Scalar => self.plan_scalar(node, aim),
            Kind::List => self.plan_list(node, aim),
            Kind::Map => self.plan_map(node, aim),
        }
    }

    fn is_as_before(&mut self, node: NodeId, aim: Aim) -> Planned<bool> {
        let same = aim.before.is_some_and(|before| self.expander.forest.same(before, aim.wanted));
        Ok(same && self.has_same_sources(node)?)
    }

    /// Tells whether every directive and alias in a node still brings what it brought.
    pub(crate) fn has_same_sources(&mut self, node: NodeId) -> Planned<bool> {
        if let Some(&known) = self.same_sources.get(&node) {
            return Ok(known);
        }
        let answer = self.find_same_sources(node)?;
        self.same_sources.insert(node, answer);
        Ok(answer)
    }

    fn find_same_sources(&mut self, node: NodeId) -> Planned<bool> {
        let tree = Arc::clone(&self.written.tree);
        match tree.kind(node) {
            Kind::Scalar => Ok(true),
            Kind::Alias => Ok(self.alias_is_same(node)),
            Kind::List => {
                for &item in tree.children(node) {
                    if !self.has_same_sources(item)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Map => {
                if self.given_up.contains(&node) && (tree.has_merge_key(node) || tree.is_active(node)) {
                    let parts = self.written.parts(node);
                    if !parts.directives.is_empty() || !parts.native.is_empty() {
                        return Ok(false);
                    }
                }
                if !self.same_inheritance(node)? {
                    return Ok(false);
                }
                for (_, value) in tree.entries(node) {
                    if !self.has_same_sources(value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    fn alias_is_same(&mut self, alias: NodeId) -> bool {
        let target = self.tree().target(alias);
        if self.given_up.contains(&alias) || self.lost.contains(&target) {
            return false;
        }
        let old = self.old.of(target, &self.written, self.expander);
        let new = self.new.of(target, &self.written, self.expander);
        match (old, new) {
            (Some(old), Some(new)) => self.expander.forest.same(old, new),
            (None, None) => true,
            _ => false,
        }
    }

    /// Tells whether a holder's own directives bring what they brought.
    fn same_inheritance(&mut self, map: NodeId) -> Planned<bool> {
        if !self.tree().is_active(map) {
            return Ok(true);
        }
        let parts = self.written.parts(map);
        for (_, directive, key, value) in &parts.directives {
            let directive = (directive, *key, *value);
            let old = self.old.brought(map, directive, &self.written, self.expander)?;
            let new = self.new.brought(map, directive, &self.written, self.expander)?;
            let same = match (old, new) {
                (Brought::Value(old), Brought::Value(new)) => self.expander.forest.same(old, new),
                (Brought::Nothing, Brought::Nothing) => true,
                _ => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn site(&mut self, node: NodeId) {
        let steady = self.has_same_sources(node).unwrap_or(false);
        self.sites.push(Site { path: self.place.clone(), node, steady });
    }

    /// Tells whether an alias in a node has lost what it names.
    pub(crate) fn dangles(&self, node: NodeId) -> bool {
        if self.lost.is_empty() {
            return false;
        }
        let tree = self.tree();
        match tree.kind(node) {
            Kind::Alias => self.lost.contains(&tree.target(node)),
            _ => tree.children(node).iter().any(|&child| self.dangles(child)),
        }
    }

    /// Notes everything in a node that stays as it is and yet depends on what is elsewhere.
    pub(crate) fn note_sites(&mut self, node: NodeId) {
        let tree = Arc::clone(&self.written.tree);
        if tree.kind(node) == Kind::Alias {
            return self.site(node);
        }
        if !tree.is_active(node) {
            return;
        }
        if tree.kind(node) == Kind::Map {
            let parts = self.written.parts(node);
            if !parts.directives.is_empty() || !parts.native.is_empty() {
                self.site(node);
            }
            for (_, key, value) in parts.own {
                self.place.push(tree.text(tree.target(key)).to_owned());
                self.note_sites(value);
                self.place.pop();
            }
        }
        if tree.kind(node) == Kind::List {
            for (index, &item) in tree.children(node).iter().enumerate() {
                self.place.push(index.to_string());
                self.note_sites(item);
                self.place.pop();
            }
        }
    }

    // ---- scalars and aliases

    fn plan_scalar(&mut self, node: NodeId, aim: Aim) -> Planned<Change> {
        let current = self.val(node);
        if self.fits(current, aim)? { Ok(Change::Keep) } else { self.rewrite(node, aim) }
    }

    fn plan_alias(&mut self, node: NodeId, aim: Aim) -> Planned<Change> {
        self.site(node);
        if let Some(current) = self.alias_value(node)
            && self.fits(current, aim)?
        {
            return Ok(Change::Keep);
        }
        self.rewrite(node, aim)
    }

    /// Tells whether a value, merged with what lies below, is what is wanted.
    pub(crate) fn fits(&mut self, current: Val, aim: Aim) -> Planned<bool> {
        let forest = &mut self.expander.forest;
        let Some(below) = aim.below else { return Ok(forest.same(current, aim.wanted)) };
        let merged = match (forest.kind(below), forest.kind(current)) {
            (Kind::Map, Kind::Map) => forest.merge(below, current)?,
            (Kind::Map, Kind::Scalar) if forest.is_null(current) => below,
            (Kind::List, Kind::List) => forest.merge_lists(below, current)?,
            _ => current,
        };
        Ok(forest.same(merged, aim.wanted))
    }

    /// Replaces the text of a node.
    pub(crate) fn rewrite(&mut self, node: NodeId, aim: Aim) -> Planned<Change> {
        let data = self.expander.forest.express(aim.below, aim.wanted)?;
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

    // ---- maps

    fn plan_map(&mut self, node: NodeId, aim: Aim) -> Planned<Change> {
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
            Err(Stuck::Here) => self.plan_with_less(node, &parts, aim),
            other => other,
        }
    }

    /// A holder that cannot say it gives up its directives; a map over another replaces it.
    fn plan_with_less(&mut self, node: NodeId, parts: &Parts, aim: Aim) -> Planned<Change> {
        let has_sources = !parts.directives.is_empty() || !parts.native.is_empty();
        if has_sources && self.given_up.insert(node) {
            self.same_sources.clear();
            match self.plan_entries(node, parts, aim) {
                Err(Stuck::Here) => {}
                other => return other,
            }
        }
        if aim.below.is_none() || parts.strategy.is_some() {
            return Err(Stuck::Here);
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

    fn strategy(&self, parts: &Parts) -> Option<Strategy> {
        let (_, value) = parts.strategy?;
        match self.tree().text(self.tree().target(value)) {
            "replace" => Some(Strategy::Replace),
            "whiteout" => Some(Strategy::Whiteout),
            "nullout" => Some(Strategy::Nullout),
            _ => None,
        }
    }

    /// A map shall become something else, which its directives may bring by themselves.
    fn plan_away_from_map(&mut self, node: NodeId, aim: Aim) -> Planned<Change> {
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
    pub(crate) fn current(&mut self, node: NodeId) -> Planned<Option<Val>> {
        let value = self.val(node);
        if !self.expander.forest.is_active(value) {
            return Ok(Some(value));
        }
        let walked = self.walk_edited(value);
        match walked {
            Ok(Walked::Value(value) | Walked::Splice(value)) => Ok(self.expander.forest.clean(value)?),
            Ok(Walked::Absent) => Ok(None),
            // What cannot be expanded here is no reason to stop: the plan is checked as a whole.
            Err(_) => Ok(None),
        }
    }

    /// Expands a value at the current path with the edited document as the ground.
    pub(crate) fn walk_edited(&mut self, value: Val) -> hierarch_source::Result<Walked> {
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

    /// What a map inherits in the edited document.
    fn inheritance(&mut self, node: NodeId, parts: &Parts, aim: Aim) -> Planned<Inheritance> {
        let mut found = Inheritance { steady: aim.steady, ..Inheritance::default() };
        if self.given_up.contains(&node) {
            found.gone = parts.directives.iter().map(|&(index, ..)| index).collect();
            found.gone.extend(parts.native.iter().map(|&(index, _)| index));
            // An optional directive that brings nothing waits on.
            for (index, directive, key, value) in &parts.directives {
                let directive = (directive, *key, *value);
                if matches!(
                    self.new.brought(node, directive, &self.written, self.expander)?,
                    Brought::Nothing
                ) {
                    found.gone.retain(|gone| gone != index);
                }
            }
            found.gone.sort_unstable();
            found.steady = found.steady && found.gone.is_empty();
            return Ok(found);
        }
        let mut targets = Vec::new();
        let keys = self.tree().children(node).len() / 2;
        for (index, directive, key, value) in &parts.directives {
            let directive = (directive, *key, *value);
            match self.new.brought(node, directive, &self.written, self.expander)? {
                // Beside other keys only a map can be merged.
                Brought::Value(value) if !self.expander.forest.is_map(value) && keys > 1 => {
                    found.gone.push(*index);
                }
                Brought::Value(value) => targets.push(value),
                Brought::Nothing => {}
                Brought::Gone => found.gone.push(*index),
            }
        }
        found.steady = found.steady && self.same_inheritance(node)?;
        found.deep = self.merge_targets(node, &targets, found.steady)?;
        self.native(parts, &mut found)?;
        Ok(found)
    }

    /// What lies below and what the directives bring, merged. As long as it is what it was, it is taken
    /// from the expansion, which also knows what relative paths in a target meant at this place.
    fn merge_targets(&mut self, node: NodeId, targets: &[Val], steady: bool) -> Planned<Option<Val>> {
        if steady && let Some(held) = self.expander.held_before.get(&node).copied() {
            let Some(inherited) = held.inherited else { return Ok(None) };
            return Ok(if self.expander.forest.is_map(inherited) {
                Some(self.expander.forest.clean_map(inherited)?)
            } else {
                Some(inherited)
            });
        }
        let mut merged: Option<Val> = None;
        for &target in targets {
            merged = Some(match merged {
                Some(below) if self.expander.forest.is_map(below) && self.expander.forest.is_map(target) => {
                    self.expander.forest.merge(below, target)?
                }
                _ => target,
            });
        }
        Ok(merged)
    }

    /// What native merge keys bring: the first source wins.
    fn native(&mut self, parts: &Parts, found: &mut Inheritance) -> Planned<()> {
        let tree = Arc::clone(&self.written.tree);
        let mut entries: Vec<(Val, Val)> = Vec::new();
        for &(index, value) in &parts.native {
            let sources = if tree.kind(tree.target(value)) == Kind::List {
                tree.children(tree.target(value)).to_vec()
            } else {
                vec![value]
            };
            for source in sources {
                let Some(map) = self.merge_source(source) else {
                    found.gone.push(index);
                    found.steady = false;
                    continue;
                };
                if !self.alias_or_plain_is_same(source) {
                    found.steady = false;
                }
                for (key, value) in self.expander.forest.entries(map).collect::<Vec<_>>() {
                    if !entries.iter().any(|&(known, _)| self.expander.forest.same_key(known, key)) {
                        entries.push((key, value));
                    }
                }
            }
        }
        found.gone.sort_unstable();
        found.gone.dedup();
        if !entries.is_empty() {
            found.native = Some(self.expander.forest.map(entries, None)?);
        }
        Ok(())
    }

    fn alias_or_plain_is_same(&mut self, source: NodeId) -> bool {
        self.tree().kind(source) != Kind::Alias || self.alias_is_same(source)
    }

    /// The map that a `<<` names, as it is in the edited document; `None` if it is gone.
    fn merge_source(&mut self, source: NodeId) -> Option<Val> {
        let target = self.tree().target(source);
        if self.tree().kind(source) != Kind::Alias {
            return Some(self.val(target));
        }
        if self.lost.contains(&target) {
            return None;
        }
        let value = self.new.of(target, &self.written, self.expander);
        value.filter(|&value| self.expander.forest.is_map(value))
    }

    fn plan_entries(&mut self, node: NodeId, parts: &Parts, aim: Aim) -> Planned<Change> {
        let found = self.inheritance(node, parts, aim)?;
        if !parts.directives.is_empty() || !parts.native.is_empty() {
            self.site(node);
        }
        if let Some(deep) = found.deep.filter(|&deep| !self.expander.forest.is_map(deep)) {
            // The target took the place of the holder; a map can only be written out.
            let _ = deep;
            return self.rewrite(node, aim);
        }
        let deep = match (aim.below, found.deep) {
            (Some(below), Some(over)) => Some(self.expander.forest.merge(below, over)?),
            (below, over) => over.or(below),
        };
        let ground = Ground { deep, native: found.native, steady: found.steady };
        let mut change = MapChange::default();
        for &index in &found.gone {
            change.entries.push((index, EntryChange::Delete));
        }
        for &(index, key, value) in &parts.own {
            if let Some(entry) = self.plan_entry(key, value, aim, &ground)? {
                change.entries.push((index, entry));
            }
        }
        change.entries.sort_by_key(|(index, _)| *index);
        self.add_inherited(parts, aim, &ground, &mut change)?;
        self.add_new(parts, aim, &ground, &mut change)?;
        self.delete_waiting(parts, aim, &mut change);
        Ok(if change.is_empty() { Change::Keep } else { Change::Map(change) })
    }

    /// A holder that only waits is not there at all; to be an empty map it must not wait.
    fn delete_waiting(&self, parts: &Parts, aim: Aim, change: &mut MapChange) {
        let own_left = parts.own.iter().any(|&(index, ..)| {
            !change
                .entries
                .iter()
                .any(|(entry, change)| *entry == index && matches!(change, EntryChange::Delete))
        });
        let gone = |change: &MapChange, index| change.entries.iter().any(|(entry, _)| *entry == index);
        let empty = self.expander.forest.len(aim.wanted) == 0 && !own_left && change.added.is_empty();
        let waits =
            !change.entries.is_empty() && parts.directives.iter().any(|(index, ..)| !gone(change, *index));
        if empty && waits && !self.place.is_empty() {
            for (index, directive, ..) in &parts.directives {
                if !gone(change, *index) && directive.optional && !directive.include {
                    change.entries.push((*index, EntryChange::Delete));
                }
            }
            change.entries.sort_by_key(|(index, _)| *index);
        }
    }

    /// Plans one own entry; `None` if it stays.
    fn plan_entry(
        &mut self,
        key: NodeId,
        value: NodeId,
        aim: Aim,
        ground: &Ground,
    ) -> Planned<Option<EntryChange>> {
        let key_val = self.val(key);
        let forest = &self.expander.forest;
        let below = ground.deep.and_then(|deep| forest.find(deep, key_val));
        let before = aim.before.filter(|&b| forest.is_map(b)).and_then(|before| forest.find(before, key_val));
        let wanted = forest.find(aim.wanted, key_val);
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

    fn plan_value(&mut self, value: NodeId, aim: Aim, native: Option<Val>) -> Planned<Option<EntryChange>> {
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
    fn keeps(&mut self, value: NodeId, aim: Aim) -> Planned<bool> {
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
    ) -> Planned<Option<EntryChange>> {
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
            return Err(Stuck::Here);
        }
        if below.is_some() {
            self.lose(value, false);
            return Ok(Some(EntryChange::Value(Change::Set(mark("whiteout")))));
        }
        self.expander.path.push(Step::Key(key));
        let current = self.current(value);
        self.expander.path.pop();
        if current?.is_none() && tree.kind(value) == Kind::Map {
            return Ok(None);
        }
        self.lose(value, true);
        Ok(Some(EntryChange::Delete))
    }

    /// Writes over what is inherited where it is not what is wanted.
    fn add_inherited(
        &mut self,
        parts: &Parts,
        aim: Aim,
        ground: &Ground,
        change: &mut MapChange,
    ) -> Planned<()> {
        for key in self.inherited_keys(parts, ground) {
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
                _ if forest.check_key(key).is_err() => return Err(Stuck::Here),
                Some(wanted) => {
                    let data = forest.express(below, wanted)?;
                    change.added.push((forest.data(key), data));
                }
                // The native merge key cannot delete.
                None if native.is_some() => return Err(Stuck::Here),
                None => change.added.push((forest.data(key), mark("whiteout"))),
            }
        }
        Ok(())
    }

    fn inherited_keys(&self, parts: &Parts, ground: &Ground) -> Vec<Val> {
        let forest = &self.expander.forest;
        let own = self.own_keys(parts);
        let is_own = |key: Val| {
            own.get(&forest.hash(key)).is_some_and(|keys| keys.iter().any(|&own| forest.same_key(own, key)))
        };
        let mut keys: Vec<Val> = Vec::new();
        for map in ground.deep.into_iter().chain(ground.native) {
            for (key, _) in forest.entries(map) {
                let repeated = ground
                    .deep
                    .is_some_and(|deep| Some(map) == ground.native && forest.find(deep, key).is_some());
                if !is_own(key) && !repeated {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// The own keys of a map by their hash.
    fn own_keys(&self, parts: &Parts) -> FxHashMap<u64, Vec<Val>> {
        let mut keys: FxHashMap<u64, Vec<Val>> = FxHashMap::default();
        for &(_, key, _) in &parts.own {
            let key = self.val(key);
            keys.entry(self.expander.forest.hash(key)).or_default().push(key);
        }
        keys
    }

    /// Adds what is neither written nor inherited.
    fn add_new(&mut self, parts: &Parts, aim: Aim, ground: &Ground, change: &mut MapChange) -> Planned<()> {
        let forest = &self.expander.forest;
        let own = self.own_keys(parts);
        for (key, value) in forest.entries(aim.wanted) {
            let written = own
                .get(&forest.hash(key))
                .is_some_and(|keys| keys.iter().any(|&own| forest.same_key(own, key)));
            let inherited = [ground.deep, ground.native]
                .into_iter()
                .flatten()
                .any(|map| forest.position(map, key).is_some());
            if !written && !inherited {
                forest.check_key(key)?;
                change.added.push((forest.data(key), forest.written_out(value)?));
            }
        }
        Ok(())
    }
}

fn same_place(forest: &crate::forest::Forest, before: Val, key: Val, wanted: Option<Val>) -> bool {
    let before = if forest.is_map(before) { forest.find(before, key) } else { None };
    match (before, wanted) {
        (Some(before), Some(wanted)) => forest.same(before, wanted),
        (None, None) => true,
        _ => false,
    }
}

/// What a map inherits.
#[derive(Default)]
struct Inheritance {
    /// What the directives bring, merged.
    deep: Option<Val>,
    /// What native merge keys bring.
    native: Option<Val>,
    /// Entries whose directive or merge key has to go.
    gone: Vec<usize>,
    /// All of it, and what lies below, is what it was.
    steady: bool,
}

/// What own entries are merged with.
struct Ground {
    deep: Option<Val>,
    native: Option<Val>,
    steady: bool,
}
