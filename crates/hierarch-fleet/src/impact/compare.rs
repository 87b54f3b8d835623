//! Both sides asked for all keys that may differ, of all nodes: pairs of unequal answers, with the nodes that get them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_hiera::{Hiera, Panel, Query, Session};
use hierarch_pcore::Value;
use hierarch_site::{Environment, Node, Site};

use super::Comparison;
use crate::ask::{Fleet, Ready, Surveys, UnansweredNode, open, whole, with_sessions};
use crate::because::Variables;
use crate::equality::same_order;
use crate::node_list::NodeList;

/// What a lookup gave.
#[derive(Clone, Debug)]
pub(crate) enum ComparedAnswer {
    Missing,
    Failed(String),
    /// The value, and what may be shown of it.
    Value(Value, Value),
}

/// Equality is decided on the real values.
impl PartialEq for ComparedAnswer {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Missing, Self::Missing) => true,
            (Self::Failed(a), Self::Failed(b)) => a == b,
            (Self::Value(a, _), Self::Value(b, _)) => a == b,
            _ => false,
        }
    }
}

impl ComparedAnswer {
    pub(crate) fn of(environment: &Environment, session: &Session, query: &Query) -> Self {
        match session.lookup(query, None) {
            Ok(value) => {
                let shown = environment.shown_answer(session, query, &value);
                Self::Value(value, shown)
            }
            Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => Self::Missing,
            Err(error) => Self::Failed(shortened(&environment.shown_text(&error.to_string()))),
        }
    }

    /// Asks data that belong to no environment of their own. What may be shown of the value is not found out.
    pub(crate) fn plain(environment: &Environment, hiera: &Hiera, session: &Session, query: &Query) -> Self {
        match session.lookup(query, None) {
            Ok(value) => Self::Value(value.clone(), value),
            Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => Self::Missing,
            Err(error) if environment.may_show_secrets() => Self::Failed(shortened(&error.to_string())),
            Err(error) => {
                Self::Failed(shortened(&environment.shown_text(&hiera.without_secrets(&error.to_string()))))
            }
        }
    }

    /// Returns the value, if there is one.
    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value, _) => Some(value),
            _ => None,
        }
    }

    /// Tells whether the hashes of two answers that are equal have the same order.
    fn has_order_of(&self, other: &Self) -> bool {
        self.value().zip(other.value()).is_none_or(|(a, b)| same_order(a, b))
    }

    /// Tells whether there is a secret in it: then what stands in a file may be one, too.
    pub(crate) fn is_secret(&self) -> bool {
        matches!(self, Self::Value(value, shown) if hierarch_eval::has_secret(value, shown))
    }

    /// Returns what may be shown of the value, if there is one.
    pub(crate) fn shown(&self) -> Option<&Value> {
        match self {
            Self::Value(_, shown) => Some(shown),
            _ => None,
        }
    }
}

/// Leaves what is encrypted out of a message: of two values that no key opens nobody can say whether they are the same.
fn shortened(message: &str) -> String {
    let mut parts = message.split("ENC[");
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        short.push_str("ENC[…");
        short.push_str(part.find(']').map_or("", |end| &part[end..]));
    }
    short
}

/// Two answers that differ, and the nodes that get them.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) old: Arc<ComparedAnswer>,
    pub(crate) new: Arc<ComparedAnswer>,
    pub(crate) nodes: NodeList,
}

impl Pair {
    /// Tells whether there is a value before and after.
    pub(crate) fn has_values(&self) -> bool {
        self.old.value().is_some() && self.new.value().is_some()
    }
}

/// All that differs.
pub(crate) struct ComparedNodes {
    /// The pairs of each key, in the order of the keys.
    pub(crate) pairs: Vec<Vec<Pair>>,
    pub(crate) unanswered: Vec<UnansweredNode>,
    pub(crate) variables: Variables,
    /// How many nodes get another answer to some key.
    pub(crate) changed: usize,
    /// The keys whose answers differ by the order of hashes alone, by their numbers, with the nodes.
    pub(crate) reordered: BTreeMap<usize, NodeList>,
}

/// Reads the data files that nodes see on both sides, and returns the environments that they are in.
pub(crate) fn read_all(comparison: &Comparison) -> (Vec<Arc<Environment>>, Vec<Arc<Environment>>) {
    let fleet = comparison.fleet(comparison.new);
    let (names, _) = fleet.in_parts(|ready| {
        for nodes in [comparison.open_old(&ready), open(comparison.new, &ready)] {
            let nodes: Vec<Node> = nodes
                .into_iter()
                .map(|node| if comparison.compiles { compiled_or_plain(node) } else { node })
                .collect();
            let modules: Vec<String> = nodes.first().map_or_else(Vec::new, modules_of);
            with_sessions(&nodes, |sessions| {
                for session in sessions {
                    session.read_all(&modules);
                }
            });
        }
        ready.first().map(|node| node.facts.environment.clone())
    });
    let names: BTreeSet<Option<String>> = names.into_iter().flatten().collect();
    let all = |site: &Site| names.iter().map(|name| environment_of(site, name.as_deref())).collect();
    (all(comparison.old), all(comparison.new))
}

/// Compiles a node's catalog; one that does not compile is asked without.
fn compiled_or_plain(node: Node) -> Node {
    let plain = node.copy();
    node.compiled().unwrap_or(plain)
}

fn environment_of(site: &Site, name: Option<&str>) -> Arc<Environment> {
    name.map_or_else(|| site.environment(), |name| site.environment_named(name))
}

fn modules_of(node: &Node) -> Vec<String> {
    node.environment().modules().into_iter().map(|(name, _)| name).collect()
}

/// Pairs of answers, told apart by where the answers lie in memory. A node with other facts than before has its own: its cause
/// may be one of them.
type KnownPairs = HashMap<PairId, Pair>;
type PairId = (usize, usize, Option<usize>);

fn id_of((old, new): (&Arc<ComparedAnswer>, &Arc<ComparedAnswer>), own: Option<usize>) -> PairId {
    (Arc::as_ptr(old) as usize, Arc::as_ptr(new) as usize, own)
}

struct ComparisonRun<'c> {
    comparison: &'c Comparison<'c>,
    queries: Vec<Query>,
    old: Surveys<Arc<ComparedAnswer>>,
    new: Surveys<Arc<ComparedAnswer>>,
    names: Vec<String>,
    pairs: Vec<Mutex<KnownPairs>>,
}

/// What a part of the nodes says about itself.
#[derive(Default)]
struct PartComparison {
    variables: Vec<(usize, Vec<Option<Value>>)>,
    unanswered: Vec<(usize, UnansweredNode)>,
    changed: Vec<usize>,
    /// Keys and nodes whose answers differ by the order of hashes alone.
    reordered: Vec<(usize, usize)>,
    /// The nodes that have other facts than before.
    moved: BTreeSet<usize>,
}

/// Asks both sides for some keys.
pub(crate) fn compare(comparison: &Comparison, keys: &[String], names: Vec<String>) -> ComparedNodes {
    let asking = ComparisonRun {
        comparison,
        queries: keys.iter().map(|key| whole(key)).collect(),
        old: Surveys::new(keys.len()),
        new: Surveys::new(keys.len()),
        names,
        pairs: keys.iter().map(|_| Mutex::default()).collect(),
    };
    let fleet: Fleet = comparison.fleet(comparison.new);
    let (parts, unread) = fleet.in_parts(|ready| asking.ask(&ready));
    let mut unanswered: Vec<(usize, UnansweredNode)> = unread;
    let mut variables = Variables::new(asking.names.clone(), comparison.nodes.len());
    let mut changed = BTreeSet::new();
    let mut reordered: BTreeMap<usize, NodeList> = BTreeMap::new();
    for part in parts {
        for (key, node) in part.reordered {
            reordered.entry(key).or_default().push(node);
        }
        part.variables.into_iter().for_each(|(node, values)| variables.put(node, values));
        unanswered.extend(part.unanswered);
        changed.extend(part.changed);
    }
    unanswered.sort();
    unanswered.dedup();
    ComparedNodes {
        pairs: asking.pairs.into_iter().map(sorted).collect(),
        unanswered: unanswered.into_iter().map(|(_, unanswered)| unanswered).collect(),
        variables,
        changed: changed.len(),
        reordered,
    }
}

/// Puts pairs in the order of their first nodes.
fn sorted(known: Mutex<KnownPairs>) -> Vec<Pair> {
    let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut pairs: Vec<Pair> = known.into_values().collect();
    for pair in &mut pairs {
        pair.nodes = pair.nodes.sorted();
    }
    pairs.sort_by(|a, b| a.nodes.cmp(&b.nodes));
    pairs
}

impl ComparisonRun<'_> {
    fn ask(&self, ready: &[Ready]) -> PartComparison {
        let old = self.comparison.open_old(ready);
        let mut part = PartComparison::default();
        if self.comparison.compiles {
            let new = open(self.comparison.new, ready);
            for (ready, (old, new)) in ready.chunks(1).zip(old.into_iter().zip(new)) {
                let (plain_old, plain_new) = (old.copy(), new.copy());
                match (old.compiled(), new.compiled()) {
                    (Ok(old), Ok(new)) => self.ask_both(ready, &[old], &[new], &mut part),
                    (Err(error), _) => {
                        part.unanswered.extend(ready.iter().map(|node| node.failed(&plain_old, &error)));
                    }
                    (_, Err(error)) => {
                        part.unanswered.extend(ready.iter().map(|node| node.failed(&plain_new, &error)));
                    }
                }
            }
            return part;
        }
        let mut done = 0;
        // Facts of another time may name other environments.
        for some in old.chunk_by(|a, b| a.environment().name() == b.environment().name()) {
            self.ask_some(&ready[done..done + some.len()], some, &mut part);
            done += some.len();
        }
        part
    }

    /// Asks nodes that are in one environment on each side.
    fn ask_some(&self, ready: &[Ready], old: &[Node], part: &mut PartComparison) {
        self.ask_both(ready, old, &open(self.comparison.new, ready), part);
    }

    fn ask_both(&self, ready: &[Ready], old: &[Node], new: &[Node], part: &mut PartComparison) {
        let is_moved = |node: &&Ready| self.comparison.before(&node.name, &node.facts).is_some();
        part.moved.extend(ready.iter().filter(is_moved).map(|node| node.index));
        let (Some(before), Some(after)) = (old.first(), new.first()) else { return };
        let (before, after) = (before.environment(), after.environment());
        let (old_surveys, new_surveys) = (self.old.of(before), self.new.of(after));
        let mut changed = vec![false; ready.len()];
        with_sessions(old, |old_sessions| {
            with_sessions(new, |new_sessions| {
                let (old_panel, new_panel) = (Panel::new(old_sessions), Panel::new(new_sessions));
                for (number, query) in self.queries.iter().enumerate() {
                    let old = answers(&old_surveys[number], &old_panel, before, query);
                    let new = answers(&new_surveys[number], &new_panel, after, query);
                    self.note(number, ready, (&old, &new), &mut changed, part);
                }
                for (ready, session) in ready.iter().zip(new_sessions) {
                    part.variables.push((ready.index, Variables::read(&self.names, session)));
                }
            });
        });
        let changed = ready.iter().zip(changed).filter(|(_, is_changed)| *is_changed);
        part.changed.extend(changed.map(|(ready, _)| ready.index));
    }

    /// Notes what became of the answers to one key: nodes that get the same two are looked at together.
    fn note(
        &self,
        number: usize,
        ready: &[Ready],
        (old, new): (&PartAnswers, &PartAnswers),
        changed: &mut [bool],
        part: &mut PartComparison,
    ) {
        let width = new.distinct.len();
        let places = old.places.iter().zip(&new.places).enumerate();
        let mut met: Vec<(usize, usize)> = places.map(|(at, (old, new))| (old * width + new, at)).collect();
        met.sort_unstable();
        let mut known = self.pairs[number].lock().unwrap_or_else(PoisonError::into_inner);
        for nodes in met.chunk_by(|a, b| a.0 == b.0) {
            let both = (&old.distinct[nodes[0].0 / width], &new.distinct[nodes[0].0 % width]);
            let nodes = nodes.iter().map(|(_, at)| *at);
            // Answers that differed for other nodes are not compared again.
            if !known.contains_key(&id_of(both, None)) && both.0 == both.1 {
                part.note_equal(number, ready, both, nodes);
                continue;
            }
            for at in nodes {
                changed[at] = true;
                let node = ready[at].index;
                let own = part.moved.contains(&node).then_some(node);
                let pair =
                    || Pair { old: Arc::clone(both.0), new: Arc::clone(both.1), nodes: NodeList::default() };
                known.entry(id_of(both, own)).or_insert_with(pair).nodes.push(node);
            }
        }
    }
}

impl PartComparison {
    /// Notes what is still worth telling of answers that are equal.
    fn note_equal(
        &mut self,
        number: usize,
        ready: &[Ready],
        (old, new): (&Arc<ComparedAnswer>, &Arc<ComparedAnswer>),
        nodes: impl Iterator<Item = usize> + Clone,
    ) {
        if !old.has_order_of(new) {
            self.reordered.extend(nodes.clone().map(|at| (number, ready[at].index)));
        }
        if let ComparedAnswer::Failed(message) = &**new {
            let unanswered = |at: usize| {
                let reason = message.clone().into();
                (ready[at].index, UnansweredNode { node: ready[at].name.clone(), reason })
            };
            self.unanswered.extend(nodes.map(unanswered));
        }
    }
}

/// The answers of some nodes to one key: those that differ by where they lie in memory, and which of them each node gets.
#[derive(Default)]
struct PartAnswers {
    distinct: Vec<Arc<ComparedAnswer>>,
    places: Vec<usize>,
}

impl PartAnswers {
    fn place_of(&mut self, told: &Arc<ComparedAnswer>) -> usize {
        // Nodes beside each other often get the same.
        let known = self.distinct.iter().rposition(|known| Arc::ptr_eq(known, told));
        known.unwrap_or_else(|| {
            self.distinct.push(Arc::clone(told));
            self.distinct.len() - 1
        })
    }
}

fn answers(
    survey: &hierarch_hiera::Survey<Arc<ComparedAnswer>>,
    panel: &Panel,
    environment: &Environment,
    query: &Query,
) -> PartAnswers {
    let mut found = PartAnswers { places: vec![usize::MAX; panel.len()], ..PartAnswers::default() };
    let find = |session: &Session| Arc::new(ComparedAnswer::of(environment, session, query));
    survey.ask_all(panel, find, |number, told| {
        let place = found.place_of(told);
        found.places[number] = place;
    });
    if found.places.contains(&usize::MAX) {
        let missing = found.place_of(&Arc::new(ComparedAnswer::Missing));
        found.places.iter_mut().filter(|place| **place == usize::MAX).for_each(|place| *place = missing);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_the_same_whatever_was_encrypted() {
        for (message, expected) in [
            ("no key", "no key"),
            ("decrypting ENC[PKCS7,MIIB=] when looking", "decrypting ENC[…] when looking"),
            ("ENC[a]ENC[b] c", "ENC[…]ENC[…] c"),
            ("x ENC[never closed", "x ENC[…"),
        ] {
            assert_eq!(shortened(message), expected);
        }
    }
}
