//! Whether what a node refers to is still what it was, and which nodes refer to anything.

use std::sync::Arc;

use hierarch_yaml::{Kind, NodeId};

use super::plan::{Aim, Planned, Planner, Site};
use super::world::Brought;

impl Planner<'_, '_> {
    pub(super) fn is_as_before(&mut self, node: NodeId, aim: Aim) -> Planned<bool> {
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

    pub(super) fn alias_is_same(&mut self, alias: NodeId) -> bool {
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
    pub(super) fn same_inheritance(&mut self, map: NodeId) -> Planned<bool> {
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

    pub(super) fn site(&mut self, node: NodeId) {
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
}
