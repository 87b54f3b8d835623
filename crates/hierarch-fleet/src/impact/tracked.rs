//! `--facts-at-revisions`: facts that lie in the repository, taken as each state has them.
//!
//! A fact that changed is an edit like any other: it is undone in an overlay, and the nodes are read again from there.

use std::sync::Arc;

use hierarch_site::{Node, NodeFacts, Site};
use hierarch_source::Files;

use super::Comparison;
use crate::ask::{Ready, open};
use crate::edits::{Edit, edits};
use crate::issues;
use crate::nodes::{KnownNode, NodeSet};

/// Facts that each state has of its own.
pub struct TrackedFacts<'c> {
    /// The nodes as the old state has them.
    pub old: &'c NodeSet,
    /// Reads the nodes of a state.
    pub read: &'c (dyn Fn(&Arc<dyn Files>) -> NodeSet + Sync),
    /// Tells whether a file holds facts.
    pub is_file: &'c (dyn Fn(&str) -> bool + Sync),
}

/// Keeps the nodes whose facts both states have, and says which those are not.
pub fn keep_common(nodes: &mut NodeSet, old: &NodeSet) -> Vec<String> {
    let mut notes = Vec::new();
    let is_known = |set: &NodeSet, name: &str| matches!(set.find(name), Some(Ok(_)));
    let added: Vec<String> = nodes.names().filter(|name| !is_known(old, name)).map(str::to_owned).collect();
    let gone: Vec<String> =
        old.names().filter(|name| nodes.find(name).is_none()).map(str::to_owned).collect();
    notes.extend((!added.is_empty()).then(|| issues::nodes_added(&added)));
    notes.extend((!gone.is_empty()).then(|| issues::nodes_gone(&gone)));
    nodes.retain(|name| is_known(old, name));
    notes
}

impl Comparison<'_> {
    /// Tells whether facts differ between the states.
    pub(crate) fn has_changed_facts(&self) -> bool {
        self.tracked.is_some_and(|facts| self.changed.iter().any(|file| (facts.is_file)(file)))
    }

    /// Returns the facts that a node had before; nothing where they are the same.
    pub(crate) fn before(&self, name: &str, now: &NodeFacts) -> Option<NodeFacts> {
        let old = self.tracked?.old.asked(name)?;
        let is_same = |a: &NodeFacts, b: &NodeFacts| {
            a.facts == b.facts && a.trusted == b.trusted && a.environment == b.environment
        };
        (!is_same(&old, now)).then_some(old)
    }

    /// Tells whether a node has other facts than before.
    pub(crate) fn is_moved(&self, node: usize) -> bool {
        let has_others = |name: &String, known: &KnownNode| {
            self.nodes.facts(name, known).is_ok_and(|facts| self.before(name, &facts).is_some())
        };
        self.tracked.is_some() && self.nodes.at(node).is_some_and(|(name, known)| has_others(name, known))
    }

    /// Opens nodes in the old state, with the facts of that time.
    pub(crate) fn open_old(&self, ready: &[Ready]) -> Vec<Node> {
        if self.tracked.is_none() {
            return open(self.old, ready);
        }
        let facts = |node: &Ready| self.before(&node.name, &node.facts).unwrap_or_else(|| node.facts.clone());
        ready.iter().map(|node| self.old.node_with(&node.name, facts(node))).collect()
    }

    /// Returns the facts of a node where files are others than in the new state.
    pub(crate) fn facts_in(&self, site: &Site, name: &str) -> Option<NodeFacts> {
        (self.tracked?.read)(site.files()).asked(name)
    }

    /// Lists the facts that differ, as edits of their files.
    pub(crate) fn fact_edits(&self) -> Vec<Edit> {
        let Some(tracked) = self.tracked else { return Vec::new() };
        let read = |site: &Site, file: &str| site.files().read(std::path::Path::new(file)).ok();
        let files = self.changed.iter().filter(|file| (tracked.is_file)(file));
        files
            .flat_map(|file| edits(file, read(self.old, file).as_deref(), read(self.new, file).as_deref()))
            .collect()
    }
}
