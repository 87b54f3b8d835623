//! What a map inherits in the edited document, through its directives and its native merge keys.

use std::sync::Arc;

use hierarch_yaml::{Kind, NodeId};
use rustc_hash::FxHashMap;

use super::plan::{Aim, PlanResult, Planner};
use super::world::{Parts, Referent};
use crate::directive::Directive;
use crate::forest::{Forest, Val};

/// What a map inherits.
#[derive(Default)]
pub(super) struct Inheritance {
    /// What the directives bring, merged.
    pub(super) deep: Option<Val>,
    /// What native merge keys bring.
    pub(super) native: Option<Val>,
    /// Entries whose directive or merge key has to go.
    pub(super) gone: Vec<usize>,
    /// Directives whose target has another key now, with the key that they need.
    pub(super) moved: Vec<(usize, String)>,
    /// All of it, and what lies below, is what it was.
    pub(super) steady: bool,
}

impl Planner<'_, '_> {
    /// What a map inherits in the edited document.
    pub(super) fn inheritance(&mut self, node: NodeId, parts: &Parts, aim: Aim) -> PlanResult<Inheritance> {
        let mut found = Inheritance { steady: aim.steady, ..Inheritance::default() };
        if self.given_up.contains(&node) {
            found.gone = parts.directives.iter().map(|&(index, ..)| index).collect();
            found.gone.extend(parts.native.iter().map(|&(index, _)| index));
            // An optional directive that brings nothing waits on.
            for (index, directive, key, value) in &parts.directives {
                let directive = (directive, *key, *value);
                if matches!(
                    self.new.brought(node, directive, &self.written, self.expander)?,
                    Referent::Nothing
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
                Referent::Value(value) if !self.expander.forest.is_map(value) && keys > 1 => {
                    found.gone.push(*index);
                }
                Referent::Value(value) => targets.push(value),
                missing => match self.moved_target(node, directive)? {
                    Some((key, value)) => {
                        found.moved.push((*index, key));
                        targets.push(value);
                    }
                    None if matches!(missing, Referent::Gone) => found.gone.push(*index),
                    None => {}
                },
            }
        }
        found.steady = found.steady && self.same_inheritance(node)?;
        found.deep = self.merge_targets(node, &targets, found.steady)?;
        self.native(parts, &mut found)?;
        Ok(found)
    }

    /// A target whose key was renamed: the key of a directive that finds it, and what it brings, a map.
    fn moved_target(
        &mut self,
        holder: NodeId,
        (directive, key, value): (&Directive, NodeId, NodeId),
    ) -> PlanResult<Option<(String, Val)>> {
        let Some(moved) = self.renamed_path(directive) else { return Ok(None) };
        let key_text = moved.absolute_key();
        let moved = (&moved, key, value);
        let old = self.old.brought(holder, (directive, key, value), &self.written, self.expander)?;
        let new = self.new.brought(holder, moved, &self.written, self.expander)?;
        Ok(match (old, new) {
            (Referent::Value(old), Referent::Value(new))
                if self.expander.forest.is_map(new) && self.expander.forest.same(old, new) =>
            {
                Some((key_text, new))
            }
            _ => None,
        })
    }

    /// Follows an absolute path in both worlds at once; where a key is gone and another stands in its place,
    /// with the same value, the path goes on there.
    fn renamed_path(&self, directive: &Directive) -> Option<Directive> {
        if directive.include || directive.anchor.is_some() || directive.dots > 0 {
            return None;
        }
        let forest = &self.expander.forest;
        let (mut old, mut new) = (self.old.value, self.new.value);
        let mut pointer = Vec::with_capacity(directive.pointer.len());
        for segment in &directive.pointer {
            let was = forest.child(old, segment)?;
            let (name, is) = match forest.child(new, segment) {
                Some(value) => (segment.clone(), value),
                None => forest.renamed_entry(old, new, segment)?,
            };
            pointer.push(name);
            (old, new) = (was, is);
        }
        Some(Directive { pointer, ..directive.clone() })
    }

    /// What lies below and what the directives bring, merged. As long as it is what it was, it is taken
    /// from the expansion, which also knows what relative paths in a target meant at this place.
    fn merge_targets(&mut self, node: NodeId, targets: &[Val], steady: bool) -> PlanResult<Option<Val>> {
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
    pub(super) fn native(&mut self, parts: &Parts, found: &mut Inheritance) -> PlanResult<()> {
        let tree = Arc::clone(&self.written.tree);
        let mut entries: Vec<(Val, Val)> = Vec::new();
        let mut known: FxHashMap<u64, usize> = FxHashMap::default();
        for &(index, value) in &parts.native {
            let is_list = tree.kind(tree.target(value)) == Kind::List;
            // A list of sources that is no longer what it was brings what nobody wrote.
            if is_list && !self.alias_or_plain_is_same(value) {
                found.gone.push(index);
                found.steady = false;
                continue;
            }
            let sources = if is_list { tree.children(tree.target(value)).to_vec() } else { vec![value] };
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
                    let forest = &self.expander.forest;
                    let is_key = |&(known, _): &(Val, Val)| forest.same_key(known, key);
                    let first = *known.entry(forest.hash(key)).or_insert(entries.len());
                    let is_new =
                        first == entries.len() || !(is_key(&entries[first]) || entries.iter().any(is_key));
                    if is_new {
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
}

impl Forest {
    /// What stands in a map in the place that a key had in another, if only the key is another.
    fn renamed_entry(&self, old: Val, new: Val, key: &str) -> Option<(String, Val)> {
        if !self.is_map(old) || !self.is_map(new) || self.len(old) != self.len(new) {
            return None;
        }
        let place = self.position_text(old, key)?;
        let (name, value) = self.entry(new, place);
        let only_renamed = self.position(old, name).is_none() && self.same(self.entry(old, place).1, value);
        only_renamed.then(|| (self.text(name).into_owned(), value))
    }
}
