//! `impact`: what differs between two states of a site, for whom, and because of which edit.
//!
//! The truth is simple: every node is asked for every key on both sides, and a change is an unequal answer. Keys that no
//! edit can reach are left out (`affected.rs`), nodes share answers (`compare.rs`), and each group of changes is traced to
//! edits by undoing them (`cause.rs`).

mod affected;
mod batch;
mod catalogs;
mod cause;
mod compare;
mod confirm;
mod difference;
mod reduce;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod tracked;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hierarch_hiera::{Key, Segment, references};
use hierarch_pcore::Value;
use hierarch_site::{Environment, Node, NodeFacts, Site};
use hierarch_source::Overlay;
use rayon::prelude::*;

pub(crate) use self::affected::root_of;
use self::affected::{AffectedKeys, Ground};
pub use self::catalogs::{CatalogGroup, CatalogImpact, catalogs};
pub use self::cause::Proof;
use self::cause::{Cause, Prover};
pub(crate) use self::compare::ComparedAnswer;
use self::compare::{ComparedNodes, read_all};
pub(crate) use self::compare::{Pair, compare};
use self::confirm::{SettledChange, settle};
pub use self::difference::{Kind, part_at};
use self::difference::{Leaf, leaves};
pub use self::tracked::{TrackedFacts, keep_common};
use crate::ask::{Fleet, UnansweredNode, whole, with_sessions};
use crate::because::Because;
use crate::beside::shown_beside;
use crate::code::Code;
use crate::edits::Edit;
use crate::equality::DistinctValues;
use crate::issues;
use crate::node_list::NodeNames;
use crate::nodes::NodeSet;
use crate::values::relative;

/// Two states of a site, and what is asked about them.
pub struct Comparison<'c> {
    /// Before.
    pub old: &'c Site,
    /// After.
    pub new: &'c Site,
    /// The nodes, as the new state has them.
    pub nodes: &'c NodeSet,
    /// The facts of each state, where they are not the same on both sides.
    pub tracked: Option<&'c TrackedFacts<'c>>,
    /// The files that differ, sorted, by the paths under which both sites know them.
    pub changed: &'c [String],
    /// Opens the new site with other files.
    pub reopen: &'c (dyn Fn(Overlay) -> Site + Sync),
    /// Tells whether a key is asked for.
    pub is_wanted: &'c (dyn Fn(&str) -> bool + Sync),
    /// As many undone states are tried before causes are left open.
    pub most_tried: usize,
    /// Is told how many nodes are done, of how many.
    pub progress: Option<&'c (dyn Fn(usize, usize) + Sync)>,
    /// Catalogs are compiled first, on both sides, so that lookups see what manifests set.
    pub compiles: bool,
}

/// As many undone states are tried unless told otherwise.
pub const MOST_TRIED: usize = 20_000;

impl<'c> Comparison<'c> {
    pub(crate) fn fleet(&self, site: &'c Site) -> Fleet<'c> {
        Fleet { progress: self.progress, ..Fleet::new(site, self.nodes) }
    }

    /// Opens a node, its catalog compiled where that is asked for and possible.
    pub(crate) fn node(&self, site: &Site, name: &str, facts: NodeFacts) -> Node {
        let node = site.node_with(name, facts.clone());
        let compiled = if self.compiles { node.compiled().ok() } else { Some(node) };
        compiled.unwrap_or_else(|| site.node_with(name, facts))
    }
}

/// What differs.
#[derive(Clone, Debug)]
pub struct Impact {
    /// How many nodes were asked.
    pub asked: usize,
    /// How many of them get another answer to some key.
    pub changed: usize,
    /// The keys that either side knows.
    pub known: BTreeSet<String>,
    /// The keys that have another answer for some node.
    pub keys: BTreeSet<String>,
    /// The changes, by cause, then by key.
    pub groups: Vec<Group>,
    /// The nodes that could not be asked, on both sides for the same reason.
    pub unanswered: Vec<UnansweredNode>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Changes of one key with the same cause and at the same leaves.
#[derive(Clone, Debug)]
pub struct Group {
    /// The key.
    pub key: String,
    /// What happened.
    pub kind: Kind,
    /// The leaves that differ, each with how.
    pub paths: Vec<(Vec<String>, Kind)>,
    /// The nodes, in order.
    pub nodes: NodeNames,
    /// What these nodes have in common and no other node has.
    pub because: Option<Because>,
    /// Some different pairs of old and new, those of most nodes first.
    pub examples: Vec<Example>,
    /// How many different pairs there are.
    pub different: usize,
    /// The edits that made the change.
    pub causes: Vec<Edit>,
    /// How that was proved; nothing where no cause was found.
    pub proof: Option<Proof>,
    /// Some of the edits may not be needed: to find out, more would have to be tried than is allowed.
    pub is_limited: bool,
    /// The tokens through which the change came.
    pub through: Vec<String>,
    /// A side has a secret in it that may not be shown; beside it the other side is not shown either.
    pub hides_secrets: bool,
}

/// An old and a new answer.
#[derive(Clone, Debug)]
pub struct Example {
    /// Before; nothing where there was no value.
    pub old: Option<Value>,
    /// After.
    pub new: Option<Value>,
    /// Why a side has no value but a failure.
    pub failure: Option<String>,
    /// How many nodes.
    pub count: usize,
    /// One of them.
    pub node: String,
}

/// As many examples are kept for a group.
const EXAMPLES: usize = 3;

/// Finds out what differs between two states of a site.
pub fn impact(comparison: &Comparison) -> Impact {
    let (old, new) = read_all(comparison);
    let ground = Ground::new(&old, &new);
    let known = |list: &[Arc<Environment>]| {
        list.iter().flat_map(|environment| environment.known_keys()).collect::<BTreeSet<String>>()
    };
    let all: BTreeSet<String> = known(&old).union(&known(&new)).cloned().collect();
    let mut keys = all.clone();
    // Where catalogs are compiled, any data and all code may say what a path is.
    if !comparison.compiles
        && !comparison.has_changed_facts()
        && let AffectedKeys::Keys(some) = ground.affected(comparison.changed)
    {
        keys.retain(|key| some.contains(key));
    }
    keys.retain(|key| (comparison.is_wanted)(key));
    let keys: Vec<String> = keys.into_iter().collect();
    let hierarchies =
        new.iter().chain(&old).flat_map(|environment| environment.hiera().hierarchy_variables());
    let names = crate::because::in_order([hierarchies.collect(), ground.variables().into_iter().collect()]);
    let mut compared = compare(comparison, &keys, names);
    let prover = Prover::new(comparison, &ground);
    let mut settled = settle(&prover, &keys, std::mem::take(&mut compared.pairs));
    settled.sort_by_key(|one| one.key);
    let parts: Vec<&[SettledChange]> = settled.chunk_by(|a, b| a.key == b.key).collect();
    let mut groups: Vec<Group> = parts
        .par_iter()
        .flat_map_iter(|part| groups_of(&prover, &keys[part[0].key], part, &compared))
        .collect();
    if !comparison.new.permissions().may_show_secrets {
        let is_secret = |one: &&SettledChange| one.pair.old.is_secret() || one.pair.new.is_secret();
        let secret = settled.iter().filter(is_secret).map(|one| keys[one.key].as_str()).collect();
        groups.iter_mut().for_each(|group| hide_secrets(group, &secret, &[&old, &new]));
    }
    groups.sort_by_cached_key(order);
    let mut notes = if prover.gave_up() { vec![issues::gave_up(comparison.most_tried)] } else { Vec::new() };
    if groups.iter().any(|group| group.is_limited) {
        notes.push(issues::not_reduced(comparison.most_tried));
    }
    notes.extend(merged_by_code(&prover, &new));
    notes.extend(not_compared(comparison, &old, &new));
    let reordered =
        compared.reordered.iter().filter_map(|(number, nodes)| Some((keys.get(*number)?, nodes.len())));
    notes.extend(reordered.map(|(key, nodes)| issues::reordered(key, nodes)));
    Impact {
        asked: comparison.nodes.len(),
        changed: compared.changed,
        known: all,
        keys: groups.iter().map(|group| group.key.clone()).collect(),
        groups,
        unanswered: compared.unanswered,
        notes,
    }
}

/// How the names of files with code end.
const CODE_ENDS: [&str; 4] = [".pp", ".epp", ".erb", ".rb"];

/// Says which changed files play no part: code, and data that no node loads.
fn not_compared(comparison: &Comparison, old: &[Arc<Environment>], new: &[Arc<Environment>]) -> Vec<String> {
    let is_code = |file: &&String| CODE_ENDS.iter().any(|end| file.ends_with(end));
    let code = comparison.changed.iter().filter(is_code).count();
    let is_left_out = code > 0 && !comparison.compiles;
    let mut notes = if is_left_out { vec![issues::code_differs(code)] } else { Vec::new() };
    let all = || old.iter().chain(new);
    let loaded: BTreeSet<String> = all()
        .flat_map(|environment| environment.hiera().contents())
        .flat_map(|content| content.files.into_iter().chain([content.file]))
        .collect();
    let layouts: Vec<_> = all().flat_map(|environment| environment.hiera().layouts(&[]).0).collect();
    let is_lost =
        |file: &&String| !loaded.contains(*file) && layouts.iter().any(|layout| layout.can_name(file));
    let folder = new.first().and_then(|environment| environment.folder());
    let folder = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
    let lost: Vec<&String> = comparison.changed.iter().filter(is_lost).collect();
    notes.extend(lost.iter().take(MOST_LOST).map(|file| issues::loaded_by_nobody(relative(file, &folder))));
    if lost.len() > MOST_LOST {
        notes.push(issues::more_lost(lost.len() - MOST_LOST));
    }
    notes
}

/// As many files that no node loads are named.
const MOST_LOST: usize = 10;

/// Says of edited keys that code merges their levels in a way of its own, which only catalogs show.
fn merged_by_code(prover: &Prover, environments: &[Arc<Environment>]) -> Vec<String> {
    let keys: BTreeSet<&str> = prover.edits.iter().filter_map(|(_, reach)| reach.key()).collect();
    let keys: Vec<&str> = keys.into_iter().filter(|key| (prover.comparison.is_wanted)(key)).collect();
    let mut notes = BTreeSet::new();
    for environment in environments.iter().filter(|_| !keys.is_empty()) {
        let code = Code::read(environment);
        let folder = environment.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
        let merged = keys.iter().filter_map(|key| Some((key, code.sure_merge_of(key)?)));
        notes.extend(
            merged.map(|(key, call)| issues::merged_by_code(key, relative(&call.file, &folder), call.line)),
        );
    }
    notes.into_iter().collect()
}

/// Hides what secret keys are made of in edits, and secrets that became keys of hashes.
fn hide_secrets(group: &mut Group, secret: &BTreeSet<&str>, environments: &[&[Arc<Environment>]]) {
    let is_secret = |edit: &&mut Edit| edit.root().is_some_and(|key| secret.contains(key));
    group.causes.iter_mut().filter(is_secret).for_each(Edit::hide);
    let environments = environments.iter().flat_map(|list| list.iter());
    for part in group.paths.iter_mut().flat_map(|(path, _)| path) {
        *part = environments
            .clone()
            .fold(std::mem::take(part), |part, environment| environment.shown_text(&part));
    }
}

/// Groups are printed by cause, then by key; those without a cause come last.
fn order(group: &Group) -> impl Ord + use<> {
    let place = |edit: &Edit| (edit.file.clone(), edit.line, edit.path.clone());
    let causes: Vec<_> = group.causes.iter().map(place).collect();
    let is_direct = group.causes.first().is_some_and(|edit| edit.root() == Some(group.key.as_str()));
    (causes.is_empty(), causes, !is_direct, group.key.clone(), group.paths.clone(), group.nodes.numbers())
}

/// Sorts the changes of a key into groups.
fn groups_of(prover: &Prover, key: &str, settled: &[SettledChange], compared: &ComparedNodes) -> Vec<Group> {
    let mut sorted: BTreeMap<(Cause, Kind, Vec<Leaf>), Vec<&Pair>> = BTreeMap::new();
    for one in settled {
        let (kind, paths) = differences(&one.pair);
        sorted.entry((one.cause.clone(), kind, paths)).or_default().push(&one.pair);
    }
    let group = |((cause, kind, paths), pairs): ((Cause, Kind, Vec<Leaf>), Vec<&Pair>)| {
        group(prover, key, compared, SortedChanges { cause, kind, paths, pairs })
    };
    sorted.into_iter().map(group).collect()
}

/// Changes that make one group.
struct SortedChanges<'p> {
    cause: Cause,
    kind: Kind,
    paths: Vec<Leaf>,
    pairs: Vec<&'p Pair>,
}

fn group(prover: &Prover, key: &str, compared: &ComparedNodes, sorted: SortedChanges) -> Group {
    let comparison = prover.comparison;
    let mut nodes: Vec<usize> = sorted.pairs.iter().flat_map(|pair| pair.nodes.iter()).collect();
    nodes.sort_unstable();
    let name = |index: usize| prover.nodes.get(index).map(|(name, _)| (*name).clone()).unwrap_or_default();
    let shows_secrets = comparison.new.permissions().may_show_secrets;
    let (examples, different) = examples(&sorted.pairs, &sorted.paths, &name, shows_secrets);
    let witness = nodes.first().and_then(|node| WitnessNode::open(prover, *node));
    let reads = witness.as_ref().map(|witness| witness.reads(key)).unwrap_or_default();
    let is_secret = |pair: &&Pair| pair.old.is_secret() || pair.new.is_secret();
    Group {
        hides_secrets: !shows_secrets && sorted.pairs.iter().any(is_secret),
        key: key.to_owned(),
        kind: sorted.kind,
        because: compared.variables.because_of(&nodes, &reads),
        through: witness.map(|witness| witness.through(prover, key, &sorted)).unwrap_or_default(),
        paths: sorted.paths,
        nodes: prover.names_of(&nodes),
        examples,
        different,
        causes: sorted.cause.edits.iter().map(|number| prover.edits[*number].0.clone()).collect(),
        proof: sorted.cause.proof,
        is_limited: sorted.cause.is_limited,
    }
}

/// Returns what happened between two answers, and at which leaves.
fn differences(pair: &Pair) -> (Kind, Vec<Leaf>) {
    match (&*pair.old, &*pair.new) {
        (_, ComparedAnswer::Failed(_)) => (Kind::Failing, Vec::new()),
        (ComparedAnswer::Failed(_), _) => (Kind::Mended, Vec::new()),
        (ComparedAnswer::Missing, _) => (Kind::Added, Vec::new()),
        (_, ComparedAnswer::Missing) => (Kind::Removed, Vec::new()),
        (ComparedAnswer::Value(old, _), ComparedAnswer::Value(new, _)) => {
            let leaves = leaves(old, new);
            let kind = match leaves.first() {
                Some((_, first)) if leaves.iter().all(|(_, kind)| kind == first) => *first,
                _ => Kind::Changed,
            };
            // A leaf that came or went changes the value, which was there before and is there now.
            let is_inside = matches!(kind, Kind::Added | Kind::Removed);
            (if is_inside { Kind::Changed } else { kind }, leaves)
        }
    }
}

/// Returns some examples, secrets hidden, and how many different ones there are.
fn examples(
    pairs: &[&Pair],
    paths: &[Leaf],
    name: &dyn Fn(usize) -> String,
    shows_secrets: bool,
) -> (Vec<Example>, usize) {
    let mut distinct: DistinctValues<Option<Example>> = DistinctValues::new();
    let shown = |own: &ComparedAnswer, other: &ComparedAnswer| {
        if shows_secrets { own.shown().cloned() } else { shown_beside(own, other) }
    };
    for pair in pairs {
        let failure = match (&*pair.old, &*pair.new) {
            (_, ComparedAnswer::Failed(message)) | (ComparedAnswer::Failed(message), _) => {
                Some(message.clone())
            }
            _ => None,
        };
        // Values that differ in the same way are one example, whatever else they hold.
        let is_part = pair.old.value().is_some() && pair.new.value().is_some();
        let both = |told: &ComparedAnswer| {
            let Some(value) = told.value() else { return Value::array(Vec::new()) };
            let part = |(path, _): &Leaf| part_at(value, path).cloned().unwrap_or_default();
            let parts = paths.iter().filter(|_| is_part).map(part).collect::<Vec<Value>>();
            Value::array(if parts.is_empty() { vec![value.clone()] } else { parts })
        };
        let id =
            Value::array(vec![both(&pair.old), both(&pair.new), failure.clone().unwrap_or_default().into()]);
        let known = distinct.of(&id).get_or_insert_with(|| Example {
            old: shown(&pair.old, &pair.new),
            new: shown(&pair.new, &pair.old),
            failure,
            count: 0,
            node: pair.nodes.first().map(name).unwrap_or_default(),
        });
        known.count += pair.nodes.len();
    }
    let mut all: Vec<Example> = distinct.list.into_iter().filter_map(|(_, example)| example).collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.node.cmp(&b.node)));
    let different = all.len();
    all.truncate(EXAMPLES);
    (all, different)
}

/// Takes a key that may dig apart: its top-level name, and the names and positions that follow.
fn dug_path(key: &str) -> (String, Vec<String>) {
    let Ok(key) = Key::new(key.trim()) else { return (root_of(key).to_owned(), Vec::new()) };
    let name = |segment: &Segment| match segment {
        Segment::Name(name) => name.to_string(),
        Segment::Index(index) => index.to_string(),
    };
    (key.root().to_owned(), key.segments().iter().map(name).collect())
}

/// The first node of a group, on both sides.
struct WitnessNode {
    old: Node,
    new: Node,
}

impl WitnessNode {
    fn open(prover: &Prover, number: usize) -> Option<Self> {
        let comparison = prover.comparison;
        let &(name, known) = prover.nodes.get(number)?;
        let facts = comparison.nodes.facts(name, known).ok()?;
        let old = comparison.before(name, &facts).unwrap_or_else(|| facts.clone());
        Some(Self {
            old: comparison.node(comparison.old, name, old),
            new: comparison.node(comparison.new, name, facts),
        })
    }

    /// Returns the variables that the lookups of a key read, on either side.
    fn reads(&self, key: &str) -> Vec<String> {
        let read = |node: &Node| {
            with_sessions(std::slice::from_ref(node), |sessions| sessions[0].variables_read(&whole(key)))
        };
        crate::because::in_order([&self.new, &self.old].map(read))
    }

    /// Returns the tokens at the leaves that differ by which the edits of other keys came here.
    fn through(&self, prover: &Prover, key: &str, sorted: &SortedChanges) -> Vec<String> {
        let edits = sorted.cause.edits.iter().map(|number| &prover.edits[*number]);
        let others: Vec<(&str, &[String])> = edits
            .filter_map(|(edit, reach)| Some((reach.key()?, edit.path.get(1..)?)))
            .filter(|(edited, _)| *edited != key)
            .collect();
        if others.is_empty() {
            return Vec::new();
        }
        let leads_there = |token: &str| {
            references(&Value::from(token)).iter().any(|asked| {
                let (root, dug) = dug_path(&asked.key);
                let needs = prover.ground.needs(&root);
                // Of the key itself only what the token digs for counts; another key may come in anywhere.
                let is_meant = |path: &[String]| path.starts_with(&dug) || dug.starts_with(path);
                others.iter().any(
                    |(edited, path)| {
                        if *edited == root { is_meant(path) } else { needs.contains(*edited) }
                    },
                )
            })
        };
        let traced =
            with_sessions(std::slice::from_ref(&self.new), |sessions| sessions[0].trace(&whole(key)).ok());
        let Some(traced) = traced else { return Vec::new() };
        let is_meant = |path: &[Value]| {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            sorted.paths.iter().any(|(changed, _)| path.starts_with(changed) || changed.starts_with(&path))
        };
        let leaves = traced.leaves();
        let leaves = leaves.iter().filter(|leaf| is_meant(&leaf.path)).flat_map(|leaf| leaf.filled);
        let collections = traced.collections();
        let collections = collections.iter().filter(|part| is_meant(&part.path)).flat_map(|part| part.filled);
        let mut tokens: Vec<String> = Vec::new();
        for filled in leaves.chain(collections).filter(|filled| filled.expression.contains('(')) {
            let token = format!("%{{{}}}", filled.expression);
            if !tokens.contains(&token) && leads_there(&token) {
                tokens.push(token);
            }
        }
        tokens
    }
}
