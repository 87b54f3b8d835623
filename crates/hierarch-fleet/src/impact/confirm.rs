//! Causes confirmed: what was proved with one node of each answer is asked of all the others.
//!
//! Nodes that get the same two answers may still differ in between: with one edit undone, a file that no longer counts
//! on either side may count for some of them. Such nodes are told apart here, and get a cause of their own.

use std::collections::{BTreeMap, BTreeSet};

use hierarch_hiera::Query;
use rayon::prelude::*;

use super::cause::{Cause, Claim, Proof, Prover, batches};
use super::compare::Pair;
use super::state::{AskedNode, State};
use crate::ask::whole;

/// A change and its cause.
pub(crate) struct SettledChange {
    /// The number of the key.
    pub(crate) key: usize,
    pub(crate) pair: Pair,
    pub(crate) cause: Cause,
}

/// As many pairs of answers are looked at together: their edits share states.
const TOGETHER: usize = 1_024;
/// As many states are kept open at a time.
const AT_ONCE: usize = 32;
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
    for (number, one) in proved.iter().enumerate() {
        // One node was asked already.
        if one.cause.proof.is_some() && one.pair.nodes.len() > 1 {
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
    let mut by_node: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (state, (_, numbers)) in states.iter().enumerate() {
        for number in numbers {
            for node in proved[*number].pair.nodes.iter().skip(1) {
                by_node.entry(node).or_default().push((state, *number));
            }
        }
    }
    let questions: Vec<(usize, Vec<(usize, usize)>)> = by_node.into_iter().collect();
    let one = |(node, asked): &(usize, Vec<(usize, usize)>)| -> Vec<(usize, usize)> {
        let Some(&(name, known)) = prover.nodes.get(*node) else { return Vec::new() };
        let Ok(facts) = prover.comparison.nodes.facts(name, known) else { return Vec::new() };
        let keys: BTreeSet<usize> = asked.iter().map(|(_, number)| proved[*number].key).collect();
        let known: Vec<&Query> = keys.into_iter().map(|key| &queries[key]).collect();
        let opened = AskedNode::open(prover.comparison, name, facts, &known);
        let is_failed = |(state, number): &(usize, usize)| {
            let change = &proved[*number];
            !states[*state].0.tells(prover, &opened, &queries[change.key], &change.pair.old)
        };
        asked.iter().filter(|one| is_failed(one)).map(|(_, number)| (*number, *node)).collect()
    };
    questions.par_iter().flat_map_iter(one).collect()
}
