//! Whether what a node refers to is still what it was, and which nodes refer to anything.

use std::sync::Arc;

use hierarch_yaml::{Kind, NodeId};

use super::plan::{Aim, PlanResult, Planner, Site};
use super::world::{Parts, Referent, WrittenDocument};

impl Planner<'_, '_> {
    pub(super) fn is_as_before(&mut self, node: NodeId, aim: Aim) -> PlanResult<bool> {
        let same = aim.before.is_some_and(|before| self.expander.forest.same(before, aim.wanted));
        Ok(same && self.has_same_sources(node)?)
    }

    /// Tells whether every directive and alias in a node still brings what it brought.
    pub(crate) fn has_same_sources(&mut self, node: NodeId) -> PlanResult<bool> {
        if !self.tree().is_active(node) && !self.tree().has_alias(node) {
            return Ok(true);
        }
        if let Some(known) = self.same_sources[node.index()] {
            return Ok(known);
        }
        let answer = self.find_same_sources(node)?;
        self.same_sources[node.index()] = Some(answer);
        Ok(answer)
    }

    /// Asks anew whether a node, and all that it stands in, has the same sources.
    pub(super) fn forget_sources(&mut self, node: NodeId) {
        let mut next = Some(node);
        while let Some(node) = next {
            self.same_sources[node.index()] = None;
            next = self.tree().parent(node).map(|(parent, _)| parent);
        }
    }

    fn find_same_sources(&mut self, node: NodeId) -> PlanResult<bool> {
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
    pub(super) fn same_inheritance(&mut self, map: NodeId) -> PlanResult<bool> {
        if !self.tree().is_active(map) {
            return Ok(true);
        }
        let parts = self.written.parts(map);
        for (_, directive, key, value) in &parts.directives {
            let directive = (directive, *key, *value);
            let old = self.old.brought(map, directive, &self.written, self.expander)?;
            let new = self.new.brought(map, directive, &self.written, self.expander)?;
            let same = match (old, new) {
                (Referent::Value(old), Referent::Value(new)) => self.expander.forest.same(old, new),
                // What was not there and is not there now is not a change: a target that is whited out, say.
                (Referent::Nothing, Referent::Nothing) | (Referent::Gone, Referent::Gone) => true,
                _ => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tells whether a holder or an alias itself brings what it brought, whatever stands in it.
    fn is_steady(&mut self, node: NodeId) -> PlanResult<bool> {
        if self.tree().kind(node) == Kind::Alias {
            return Ok(self.alias_is_same(node));
        }
        let native = self.written.parts(node).native;
        for (_, value) in native {
            if !self.has_same_sources(value)? {
                return Ok(false);
            }
        }
        self.same_inheritance(node)
    }

    pub(super) fn site(&mut self, node: NodeId) {
        let steady = self.is_steady(node).unwrap_or(false);
        self.sites.push(Site { path: self.place.clone(), node, steady });
    }

    /// Tells whether an alias in a node has lost what it names.
    pub(crate) fn dangles(&self, node: NodeId) -> bool {
        let tree = self.tree();
        if self.lost.is_empty() || !tree.has_alias(node) {
            return false;
        }
        match tree.kind(node) {
            Kind::Alias => self.lost.contains(&tree.target(node)),
            _ => tree.children(node).iter().any(|&child| self.dangles(child)),
        }
    }

    /// Notes everything in a node that stays as it is and yet depends on what is elsewhere.
    pub(crate) fn note_sites(&mut self, node: NodeId) {
        if !self.tree().is_active(node) && !self.tree().has_alias(node) {
            return;
        }
        if self.has_same_sources(node).unwrap_or(false) {
            self.steady.push((self.place.clone(), node));
            return;
        }
        let mut found = Vec::new();
        self.written.find_sites(node, &mut self.place, &mut found);
        for mut site in found {
            site.steady = self.is_steady(site.node).unwrap_or(false);
            self.sites.push(site);
        }
    }
}

impl WrittenDocument {
    /// Finds the holders, aliases and merge keys in a node; whether they are steady the caller knows.
    pub(crate) fn find_sites(&self, node: NodeId, place: &mut Vec<String>, found: &mut Vec<Site>) {
        let tree = &self.tree;
        let kind = tree.kind(node);
        if !tree.is_active(node) && !tree.has_alias(node) {
            return;
        }
        let parts = if kind == Kind::Map { self.parts(node) } else { Parts::default() };
        if kind == Kind::Alias || !parts.directives.is_empty() || !parts.native.is_empty() {
            found.push(Site { path: place.clone(), node, steady: true });
        }
        for (_, key, value) in parts.own {
            place.push(tree.text(tree.target(key)).to_owned());
            self.find_sites(value, place, found);
            place.pop();
        }
        if kind == Kind::List {
            for (index, &item) in tree.children(node).iter().enumerate() {
                place.push(index.to_string());
                self.find_sites(item, place, found);
                place.pop();
            }
        }
    }
}
