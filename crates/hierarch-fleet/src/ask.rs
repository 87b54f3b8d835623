//! The one way many nodes are asked: in parts, on all cores, facts read when they are needed and not kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_hiera::{Query, Session, Survey};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Environment, Node, NodeFacts, Site};
use hierarch_source::Error;
use rayon::prelude::*;

use crate::issues;
use crate::nodes::{KnownNode, NodeSet, no_facts};
use crate::reason::Reason;

/// A site and the nodes that are asked about it.
pub struct Fleet<'f> {
    /// The site.
    pub site: &'f Site,
    /// The nodes.
    pub nodes: &'f NodeSet,
    /// Is told how many nodes are done, of how many.
    pub progress: Option<&'f (dyn Fn(usize, usize) + Sync)>,
    /// Catalogs are compiled first, so that lookups see what manifests set.
    pub compiles: bool,
    /// Whether two secrets are equal may be told. Who may write a guess beside a secret but not see it must not learn that.
    pub tells_equal_secrets: bool,
}

/// A node that could not be asked, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnansweredNode {
    /// Its name.
    pub node: String,
    /// Why.
    pub reason: Reason,
}

/// A node whose facts are read.
pub(crate) struct Ready {
    /// Its number in the set.
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) facts: NodeFacts,
}

impl Ready {
    /// Says that its catalog does not compile, so that it cannot be asked.
    pub(crate) fn failed(&self, node: &Node, error: &Error) -> (usize, UnansweredNode) {
        let reason = Reason::of_compilation(node, error);
        (self.index, UnansweredNode { node: self.name.clone(), reason })
    }

    fn unanswered(self, message: &str) -> (usize, UnansweredNode) {
        (self.index, UnansweredNode { node: self.name, reason: message.to_owned().into() })
    }
}

/// As many nodes as one thread asks together.
const TOGETHER: usize = 64;

impl<'f> Fleet<'f> {
    /// Asks some nodes about a site.
    pub fn new(site: &'f Site, nodes: &'f NodeSet) -> Self {
        Self { site, nodes, progress: None, compiles: false, tells_equal_secrets: true }
    }

    /// Does something with parts of the nodes that are in one environment each, and returns what came of it, in order.
    pub(crate) fn in_parts<R: Send>(
        &self,
        work: impl Fn(Vec<Ready>) -> R + Sync,
    ) -> (Vec<R>, Vec<(usize, UnansweredNode)>) {
        let list: Vec<(usize, (&String, &KnownNode))> = self.nodes.nodes.iter().enumerate().collect();
        let done = AtomicUsize::new(0);
        let parts: Vec<_> = list
            .par_chunks(TOGETHER)
            .map(|part| {
                if self.nodes.is_stopped() {
                    return (Vec::new(), part.iter().map(unasked).collect());
                }
                let (ready, mut unanswered) = self.read(part);
                let mut results = Vec::new();
                for nodes in by_environment(ready) {
                    match self.problem(&nodes) {
                        None => results.push(work(nodes)),
                        Some(message) => {
                            unanswered.extend(nodes.into_iter().map(|node| node.unanswered(&message)));
                        }
                    }
                }
                let now = done.fetch_add(part.len(), Ordering::Relaxed) + part.len();
                if let Some(progress) = self.progress {
                    progress(now, list.len());
                }
                (results, unanswered)
            })
            .collect();
        let (results, unanswered): (Vec<Vec<R>>, Vec<Vec<_>>) = parts.into_iter().unzip();
        (results.into_iter().flatten().collect(), unanswered.into_iter().flatten().collect())
    }

    /// Tells what is wrong with the environment of nodes that are in one: there may be none of that name.
    fn problem(&self, nodes: &[Ready]) -> Option<String> {
        let first = nodes.first()?;
        let name = first.facts.environment.as_deref()?;
        let is_there = self.site.is_one_environment() || self.site.has_environment(name);
        (!is_there).then(|| issues::no_environment(name))
    }

    fn read(&self, part: &[(usize, (&String, &KnownNode))]) -> (Vec<Ready>, Vec<(usize, UnansweredNode)>) {
        let (mut ready, mut unanswered) = (Vec::new(), Vec::new());
        for &(index, (name, known)) in part {
            match self.nodes.facts(name, known) {
                Ok(facts) => ready.push(Ready { index, name: name.clone(), facts }),
                Err(error) => {
                    let reason = no_facts(&error);
                    unanswered.push((index, UnansweredNode { node: name.clone(), reason }));
                }
            }
        }
        (ready, unanswered)
    }
}

fn unasked(&(index, (name, _)): &(usize, (&String, &KnownNode))) -> (usize, UnansweredNode) {
    (index, UnansweredNode { node: name.clone(), reason: Reason::stopped() })
}

/// Tells whether an answer lacks nodes because the program was stopped.
pub fn is_incomplete(unanswered: &[UnansweredNode]) -> bool {
    unanswered.iter().any(|one| one.reason.is_stop)
}

/// Adds to an answer for tools that it is incomplete, if it is.
pub(crate) fn mark_incomplete(fields: Hash, unanswered: &[UnansweredNode]) -> Value {
    let mut fields = fields;
    if is_incomplete(unanswered) {
        fields.insert("incomplete", true);
    }
    Value::hash(fields)
}

/// Sorts nodes by their environments, each list in the order the nodes came.
fn by_environment(ready: Vec<Ready>) -> Vec<Vec<Ready>> {
    let mut lists: Vec<Vec<Ready>> = Vec::new();
    for node in ready {
        match lists.iter_mut().find(|list| list[0].facts.environment == node.facts.environment) {
            Some(list) => list.push(node),
            None => lists.push(vec![node]),
        }
    }
    lists
}

/// Opens nodes of one environment in a site.
pub(crate) fn open(site: &Site, ready: &[Ready]) -> Vec<Node> {
    ready.iter().map(|node| site.node_with(&node.name, node.facts.clone())).collect()
}

/// Does something with the sessions of nodes that are in one environment.
pub(crate) fn with_sessions<R>(nodes: &[Node], body: impl FnOnce(&[Session]) -> R) -> R {
    let hosts: Vec<_> = nodes.iter().map(Node::host).collect();
    let sessions: Vec<Session> =
        nodes.iter().zip(&hosts).map(|(node, host)| node.environment().hiera().session(host)).collect();
    body(&sessions)
}

/// Questions of each environment, with the answers that are known already.
pub(crate) struct Surveys<T> {
    known: Mutex<HashMap<String, Arc<Vec<Survey<T>>>>>,
    count: usize,
}

impl<T> Surveys<T> {
    /// Makes surveys for a number of questions.
    pub(crate) fn new(count: usize) -> Self {
        Self { known: Mutex::default(), count }
    }

    /// Returns those of an environment.
    pub(crate) fn of(&self, environment: &Environment) -> Arc<Vec<Survey<T>>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let made = known.entry(environment.name().to_owned());
        let new = || Arc::new((0..self.count).map(|_| Survey::new()).collect());
        Arc::clone(made.or_insert_with(new))
    }
}

/// Asks for a key that is a top-level name, dots and all.
pub(crate) fn whole(key: &str) -> Query {
    Query::new([if key.contains('.') { format!("'{key}'") } else { key.to_owned() }])
}
