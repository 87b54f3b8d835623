//! Causes confirmed: what was proved with one node of each answer is asked of all the others.
//!
//! Nodes that get the same two answers may still differ in between: with one edit undone, a file that no longer counts
//! on either side may count for some of them. Such nodes are told apart here, and get a cause of their own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hierarch_hiera::{Panel, Query, Session};
use rayon::prelude::*;

use super::batch::{Claim, batches};
use super::cause::{Cause, Proof, Prover};
use super::compare::{ComparedAnswer, Pair};
use super::state::{AskedNode, InsideNode, State};
use crate::ask::{Surveys, whole};

/// A change and its cause.
pub(crate) struct SettledChange {
    /// The number of the key.
    pub(crate) key: usize,
    pub(crate) pair: Pair,
    pub(crate) cause: Cause,
}

/// As many pairs of answers are looked at together: their edits share states.
const TOGETHER: usize = 16_384;
/// As many states are kept open at a time.
const AT_ONCE: usize = 4;
/// As often nodes are told apart before their cause is left open.
const ROUNDS: usize = 8;

/// Finds the causes of all changes.
pub(crate) fn settle(prover: &Prover, keys: &[String], pairs: Vec<Vec<Pair>>) -> Vec<SettledChange> {
    let mut open: Vec<(usize, Vec<Pair>)> = pairs.into_iter().enumerate().collect();
    let mut settled = Vec::new();
    for _ in 0..ROUNDS {
        let mut proved = Vec::new();
        let mut waiting = std::mem::take(&mut open);
        while !waiting.is_empty() {
            let rest = waiting.split_off(together(&waiting));
            let some: Vec<(&str, &[Pair])> =
                waiting.iter().map(|(key, pairs)| (keys[*key].as_str(), pairs.as_slice())).collect();
            let causes = prover.prove(&some);
            for ((key, pairs), causes) in std::mem::replace(&mut waiting, rest).into_iter().zip(causes) {
                let settled = |(pair, cause)| SettledChange { key, pair, cause };
                proved.extend(pairs.into_iter().zip(causes).map(settled));
            }
        }
        let failed = confirm(prover, keys, &proved);
        for (number, mut one) in proved.into_iter().enumerate() {
            if let Some(nodes) = failed.get(&number) {
                let (others, own): (Vec<usize>, Vec<usize>) =
                    one.pair.nodes.iter().partition(|node| nodes.contains(node));
                let others = Pair { nodes: others.into_iter().collect(), ..one.pair.clone() };
                one.pair.nodes = own.into_iter().collect();
                match open.iter_mut().find(|(key, _)| *key == one.key) {
                    Some((_, pairs)) => pairs.push(others),
                    None => open.push((one.key, vec![others])),
                }
            }
            settled.push(one);
        }
        if open.is_empty() {
            break;
        }
    }
    let left = open.into_iter().flat_map(|(key, pairs)| pairs.into_iter().map(move |pair| (key, pair)));
    settled.extend(left.map(|(key, pair)| SettledChange { key, pair, cause: Cause::default() }));
    settled
}

/// Counts the keys at the beginning of a list that are looked at together: one at least.
fn together(list: &[(usize, Vec<Pair>)]) -> usize {
    let mut pairs = 0;
    let fits = |(_, own): &&(usize, Vec<Pair>)| {
        pairs += own.len();
        pairs <= TOGETHER
    };
    list.iter().take_while(fits).count().clamp(1, list.len().max(1))
}

/// Nodes for which a cause does not hold, by the number of the change.
type FailedNodes = BTreeMap<usize, BTreeSet<usize>>;

fn confirm(prover: &Prover, keys: &[String], proved: &[SettledChange]) -> FailedNodes {
    let mut by_cause: BTreeMap<&[usize], Vec<usize>> = BTreeMap::new();
    let stable: Vec<bool> = keys.iter().map(|key| prover.has_one_answer_for_alike(key)).collect();
    for (number, one) in proved.iter().enumerate() {
        // One node was asked already.
        let is_open = one.cause.proof.is_some() && one.pair.nodes.len() > 1;
        if is_open && !(stable[one.key] && one.pair.has_values()) {
            by_cause.entry(&one.cause.edits).or_default().push(number);
        }
    }
    let queries: Vec<Query> = keys.iter().map(|key| whole(key)).collect();
    let causes: Vec<(&[usize], Vec<usize>)> = by_cause.into_iter().collect();
    let needs = |(_, numbers): &(&[usize], Vec<usize>)| {
        let own = numbers.iter().map(|number| proved[*number].key).collect::<BTreeSet<usize>>();
        own.into_iter().flat_map(|key| prover.ground.needs(&keys[key])).collect::<BTreeSet<String>>()
    };
    let needs: Vec<BTreeSet<String>> = causes.iter().map(needs).collect();
    let claims: Vec<Claim> =
        causes.iter().zip(&needs).map(|((edits, _), needs)| Claim { edits, needs }).collect();
    let mut failed = FailedNodes::new();
    for some in batches(prover, &claims).chunks(AT_ONCE) {
        let states: Vec<(State, Vec<usize>)> =
            some.par_iter().flat_map_iter(|batch| states_of(prover, &causes, batch)).collect();
        for (number, node) in ask(prover, &queries, proved, &states) {
            failed.entry(number).or_default().insert(node);
        }
    }
    failed
}

/// Opens the state without the causes of a batch, with the numbers of its changes. Where that takes more than leaves, each cause
/// has a state of its own.
fn states_of(
    prover: &Prover,
    causes: &[(&[usize], Vec<usize>)],
    batch: &[usize],
) -> Vec<(State, Vec<usize>)> {
    let edits: Vec<usize> = batch.iter().flat_map(|at| causes[*at].0.iter().copied()).collect();
    let numbers = batch.iter().flat_map(|at| causes[*at].1.iter().copied()).collect();
    let state = State::without(prover, &edits);
    if batch.len() == 1 || state.proof == Proof::Undone {
        return vec![(state, numbers)];
    }
    batch.iter().flat_map(|at| states_of(prover, causes, &[*at])).collect()
}

/// Asks all nodes of some changes in the states without their causes; returns those whose old answers are not back.
fn ask(
    prover: &Prover,
    queries: &[Query],
    proved: &[SettledChange],
    states: &[(State, Vec<usize>)],
) -> Vec<(usize, usize)> {
    let one = |(state, numbers): &(State, Vec<usize>)| {
        let asking = Confirmation::new(prover, queries, proved, state, numbers);
        asking.parts.par_iter().flat_map_iter(|part| asking.ask(part)).collect::<Vec<_>>()
    };
    states.par_iter().flat_map_iter(one).collect()
}

/// As many nodes are asked together: those of a change that are among them are the bits of a number.
const NODES: usize = u64::BITS as usize;

/// Changes, by their numbers, and which of the nodes of a part they are about.
type PartChanges = Vec<(usize, u64)>;

/// Some nodes of one environment, by their bits, asked together.
struct NodesPanel<'s, 'h> {
    list: Vec<(usize, &'s InsideNode<'h>)>,
    panel: Panel<'s, 'h>,
}

impl<'s, 'h> NodesPanel<'s, 'h> {
    fn new(list: Vec<(usize, &'s InsideNode<'h>)>) -> Self {
        let panel = Panel::new(list.iter().map(|(_, node)| &node.session));
        Self { list, panel }
    }
}

/// A state that is asked whether old answers are back.
struct Confirmation<'s> {
    prover: &'s Prover<'s>,
    queries: &'s [Query],
    proved: &'s [SettledChange],
    state: &'s State,
    /// The place of each key's survey.
    places: HashMap<usize, usize>,
    surveys: Surveys<ComparedAnswer>,
    /// Parts of the nodes, by their numbers, with the changes that they are asked about.
    parts: Vec<(usize, PartChanges)>,
}

impl<'s> Confirmation<'s> {
    fn new(
        prover: &'s Prover<'s>,
        queries: &'s [Query],
        proved: &'s [SettledChange],
        state: &'s State,
        numbers: &[usize],
    ) -> Self {
        let mut parts: BTreeMap<usize, PartChanges> = BTreeMap::new();
        let mut places = HashMap::new();
        for number in numbers {
            let change = &proved[*number];
            let next = places.len();
            places.entry(change.key).or_insert(next);
            // One node was asked already.
            for node in change.pair.nodes.iter().skip(1) {
                let part = parts.entry(node / NODES).or_default();
                match part.last_mut() {
                    Some((last, nodes)) if last == number => *nodes |= 1 << (node % NODES),
                    _ => part.push((*number, 1 << (node % NODES))),
                }
            }
        }
        let surveys = Surveys::new(places.len());
        Self { prover, queries, proved, state, places, surveys, parts: parts.into_iter().collect() }
    }

    /// Asks some nodes; returns the changes and nodes whose old answers are not back.
    fn ask(&self, (part, changes): &(usize, PartChanges)) -> Vec<(usize, usize)> {
        let comparison = self.prover.comparison;
        let meant = changes.iter().fold(0, |all, (_, nodes)| all | nodes);
        let open = |bit: usize| {
            let &(name, known) = self.prover.nodes.get(part * NODES + bit)?;
            let facts = comparison.nodes.facts(name, known).ok()?;
            Some((bit, AskedNode::open(comparison, name, facts)))
        };
        let opened: Vec<(usize, AskedNode)> =
            (0..NODES).filter(|bit| meant >> bit & 1 == 1).filter_map(open).collect();
        let nodes: Vec<&AskedNode> = opened.iter().map(|(_, node)| node).collect();
        self.state.inside(self.prover, &nodes, |inside| {
            let mut by_environment: BTreeMap<&str, Vec<(usize, &InsideNode)>> = BTreeMap::new();
            for ((bit, _), node) in opened.iter().zip(inside) {
                by_environment.entry(node.environment.name()).or_default().push((*bit, node));
            }
            let panels: Vec<NodesPanel> = by_environment.into_values().map(NodesPanel::new).collect();
            let of_change = |(number, meant): &(usize, u64)| {
                let failed = panels.iter().flat_map(|some| self.failed(*number, *meant, some));
                failed.map(|bit| (*number, part * NODES + bit)).collect::<Vec<_>>()
            };
            changes.iter().flat_map(of_change).collect()
        })
    }

    /// Asks the nodes of a change that are among some of one environment, and returns those whose old answer is not back.
    fn failed(&self, number: usize, meant: u64, nodes: &NodesPanel) -> Vec<usize> {
        let (Some((_, first)), change) = (nodes.list.first(), &self.proved[number]) else {
            return Vec::new();
        };
        let surveys = self.surveys.of(first.environment);
        let Some(survey) = self.places.get(&change.key).and_then(|place| surveys.get(*place)) else {
            return Vec::new();
        };
        let mut failed = Vec::new();
        let mut last: Option<(*const ComparedAnswer, bool)> = None;
        let bits = nodes.list.iter().map(|(bit, _)| *bit).enumerate();
        let meant = bits.filter(|(_, bit)| meant >> bit & 1 == 1).map(|(at, _)| at);
        let find = |session: &Session| first.answer(session, &self.queries[change.key]);
        survey.ask_some(&nodes.panel, meant, find, |at, told| {
            let id = std::ptr::from_ref(told);
            let known = last.filter(|(known, _)| *known == id).map(|(_, is_back)| is_back);
            let is_back = known.unwrap_or_else(|| *told == *change.pair.old);
            last = Some((id, is_back));
            if !is_back {
                failed.push(nodes.list[at].0);
            }
        });
        failed
    }
}
