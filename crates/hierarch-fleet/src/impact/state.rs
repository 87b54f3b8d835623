//! The new site without some edits, asked whether an old answer is back.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_hiera::{Hiera, Placement, Query};
use hierarch_site::{Environment, Node, NodeFacts, Site};
use hierarch_source::{Files, Overlay};

use super::Comparison;
use super::affected::Reach;
use super::cause::{Proof, Prover};
use super::compare::ComparedAnswer;
use crate::ask::with_sessions;
use crate::edits::{Edit, undone};
use crate::nodes::NodeSet;

/// A node of the new site, and what is known about its hierarchies there.
pub(crate) struct AskedNode {
    node: Node,
    facts: NodeFacts,
    placement: Placement,
}

impl AskedNode {
    /// Opens a node in the new site, to be asked for some keys.
    pub(crate) fn open(comparison: &Comparison, name: &str, facts: NodeFacts, queries: &[&Query]) -> Self {
        let node = comparison.node(comparison.new, name, facts.clone());
        let placement = with_sessions(std::slice::from_ref(&node), |sessions| {
            for query in queries {
                // What it answers is known; what it finds out about the node on the way is kept.
                let _ = sessions[0].lookup(query, None);
            }
            sessions[0].placement()
        });
        Self { node, facts, placement }
    }
}

/// The new site without some edits.
pub(crate) struct State {
    how: How,
    /// How what is asked here proves a cause.
    pub(crate) proof: Proof,
    /// The nodes, where facts are undone, too.
    nodes: Option<NodeSet>,
}

/// Where only leaves of data files differ, everything else that is known about the new site holds.
enum How {
    Edited { files: Arc<Overlay>, paths: Vec<PathBuf>, known: Mutex<HashMap<String, Arc<Hiera>>> },
    Reopened(Box<Site>),
}

impl State {
    /// Undoes edits.
    pub(crate) fn without(prover: &Prover, numbers: &[usize]) -> Self {
        let comparison = prover.comparison;
        let mut overlay = Overlay::new(Arc::clone(comparison.new.files()));
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for number in numbers {
            let edit = &prover.edits[*number].0;
            by_file.entry(&edit.file).or_default().push(edit);
        }
        let mut proof = Proof::Undone;
        // What a catalog makes of a leaf may be another path.
        let mut is_leaves_alone =
            !comparison.compiles && numbers.iter().all(|number| prover.is_leaf(*number));
        let paths: Vec<PathBuf> = by_file.keys().map(PathBuf::from).collect();
        for (file, edits) in by_file {
            let path = Path::new(file);
            let new = comparison.new.files().read(path).ok();
            let bytes = undone(new.as_deref(), &edits).unwrap_or_else(|| {
                proof = Proof::FileUndone;
                comparison.old.files().read(path).ok()
            });
            is_leaves_alone &= new.is_some() && bytes.is_some();
            match bytes {
                Some(bytes) => overlay.insert(path, bytes),
                None => overlay.remove(path),
            }
        }
        let how = if is_leaves_alone && proof == Proof::Undone {
            How::Edited { files: Arc::new(overlay), paths, known: Mutex::default() }
        } else {
            How::Reopened(Box::new((comparison.reopen)(overlay)))
        };
        let has_facts = numbers.iter().any(|number| prover.edits[*number].1 == Reach::Facts);
        let nodes = match (&how, comparison.tracked.filter(|_| has_facts)) {
            (How::Reopened(site), Some(facts)) => Some((facts.read)(site.files())),
            _ => None,
        };
        Self { how, proof, nodes }
    }

    /// Tells whether a node gets an answer here.
    pub(crate) fn tells(
        &self,
        prover: &Prover,
        asked: &AskedNode,
        query: &Query,
        old: &ComparedAnswer,
    ) -> bool {
        match &self.how {
            How::Reopened(site) => {
                let own = self.nodes.as_ref().and_then(|nodes| nodes.asked(asked.node.name()));
                let facts = own.unwrap_or_else(|| asked.facts.clone());
                let node = prover.comparison.node(site, asked.node.name(), facts);
                let environment = Arc::clone(node.environment());
                with_sessions(&[node], |sessions| ComparedAnswer::of(&environment, &sessions[0], query))
                    == *old
            }
            How::Edited { files, paths, known } => {
                let environment = asked.node.environment();
                let hiera = edited(prover, environment, files, paths, known);
                let host = asked.node.host();
                let session = hiera.session_at(&host, &asked.placement);
                ComparedAnswer::plain(environment, &hiera, &session, query) == *old
            }
        }
    }
}

fn edited(
    prover: &Prover,
    environment: &Environment,
    files: &Arc<Overlay>,
    paths: &[PathBuf],
    known: &Mutex<HashMap<String, Arc<Hiera>>>,
) -> Arc<Hiera> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || {
        let files: Arc<dyn Files> = Arc::<Overlay>::clone(files);
        let is_edited =
            |path: &Path| paths.iter().any(|edited| edited == path) || paths.contains(&prover.resolved(path));
        Arc::new(environment.hiera().edited(files, is_edited))
    };
    Arc::clone(known.entry(environment.name().to_owned()).or_insert_with(make))
}
