//! The new site without some edits, asked whether an old answer is back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_hiera::{Hiera, Placement, Query, Session};
use hierarch_site::{Environment, Node, NodeFacts, Site};
use hierarch_source::{Files, Overlay};

use super::Comparison;
use super::affected::Reach;
use super::cause::{Proof, Prover};
use super::compare::ComparedAnswer;
use crate::edits::{Edit, undone};
use crate::nodes::NodeSet;

/// A node of the new site, and what is known about its hierarchies there.
pub(crate) struct AskedNode {
    node: Node,
    facts: NodeFacts,
    placement: Placement,
}

impl AskedNode {
    /// Opens a node in the new site.
    pub(crate) fn open(comparison: &Comparison, name: &str, facts: NodeFacts) -> Self {
        let node = comparison.node(comparison.new, name, facts.clone());
        Self { node, facts, placement: Placement::default() }
    }

    /// Returns the node as the new site has it.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// Adds what was found out about the node there.
    pub(crate) fn placed(self, placement: Placement) -> Self {
        Self { placement, ..self }
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
    Edited { files: Arc<Overlay>, paths: HashSet<PathBuf>, known: Mutex<HashMap<String, Arc<Hiera>>> },
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
        let paths: HashSet<PathBuf> = by_file.keys().map(PathBuf::from).collect();
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

    /// Opens nodes here and does something with them, in the order they are given.
    pub(crate) fn inside<R>(
        &self,
        prover: &Prover,
        asked: &[&AskedNode],
        body: impl FnOnce(&[InsideNode]) -> R,
    ) -> R {
        match &self.how {
            How::Reopened(site) => {
                let open = |asked: &&AskedNode| {
                    let own = self.nodes.as_ref().and_then(|nodes| nodes.asked(asked.node.name()));
                    let facts = own.unwrap_or_else(|| asked.facts.clone());
                    prover.comparison.node(site, asked.node.name(), facts)
                };
                let nodes: Vec<Node> = asked.iter().map(open).collect();
                let hosts: Vec<_> = nodes.iter().map(Node::host).collect();
                let mut inside = Vec::new();
                for (node, host) in nodes.iter().zip(&hosts) {
                    let environment = node.environment();
                    let session = environment.hiera().session(host);
                    inside.push(InsideNode { session, environment, hiera: None });
                }
                body(&inside)
            }
            How::Edited { files, paths, known } => {
                let hieras: Vec<Arc<Hiera>> = asked
                    .iter()
                    .map(|asked| edited(prover, asked.node.environment(), files, paths, known))
                    .collect();
                let hosts: Vec<_> = asked.iter().map(|asked| asked.node.host()).collect();
                let mut inside = Vec::new();
                for ((asked, host), hiera) in asked.iter().zip(&hosts).zip(&hieras) {
                    let session = hiera.session_at(host, &asked.placement);
                    inside.push(InsideNode {
                        session,
                        environment: asked.node.environment(),
                        hiera: Some(hiera),
                    });
                }
                body(&inside)
            }
        }
    }
}

/// A node in a state without some edits.
pub(crate) struct InsideNode<'s> {
    pub(crate) session: Session<'s>,
    pub(crate) environment: &'s Environment,
    /// The data, where they belong to no environment of their own.
    hiera: Option<&'s Hiera>,
}

impl InsideNode<'_> {
    /// Asks for a key, in a session of this node.
    pub(crate) fn answer(&self, session: &Session, query: &Query) -> ComparedAnswer {
        match self.hiera {
            Some(hiera) => ComparedAnswer::plain(self.environment, hiera, session, query),
            None => ComparedAnswer::of(self.environment, session, query),
        }
    }
}

fn edited(
    prover: &Prover,
    environment: &Environment,
    files: &Arc<Overlay>,
    paths: &HashSet<PathBuf>,
    known: &Mutex<HashMap<String, Arc<Hiera>>>,
) -> Arc<Hiera> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || {
        let files: Arc<dyn Files> = Arc::<Overlay>::clone(files);
        let is_edited = |path: &Path| paths.contains(path) || paths.contains(&prover.resolved(path));
        Arc::new(environment.hiera().edited(files, is_edited))
    };
    Arc::clone(known.entry(environment.name().to_owned()).or_insert_with(make))
}
