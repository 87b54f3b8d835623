//! Which entries count for which nodes: those that never do are shadowed, those that hide the same value are redundant.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use hierarch_hiera::origin::{Origin, Other, TracedValue};
use hierarch_hiera::{Panel, Session};
use hierarch_pcore::Value;
use hierarch_site::Node;
use hierarch_yaml::find_at;

use super::proof::{AffectedAnswers, Candidate};
use super::{DeadKind, Evidence, dead};
use crate::ask::{Fleet, Ready, Surveys, open, whole, with_sessions};
use crate::check::{place, tree};
use crate::ground::{DataFile, Ground};

/// What an entry does for a node; the greater one wins over all nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Standing {
    /// Other levels hide it whole.
    #[default]
    Hidden,
    /// It counts, and hides values that are the same.
    Repeated,
    /// It counts.
    Needed,
}

/// What one answer shows: the standing of each file, and the knockouts that removed something.
#[derive(Default)]
struct ShownStandings {
    files: HashMap<String, Standing>,
    knockouts: Vec<(String, Option<u32>, Option<u32>)>,
    prefix: Option<String>,
    has_failed: bool,
}

/// What all nodes together show about a key.
#[derive(Default)]
struct Total {
    files: HashMap<String, Standing>,
    knockouts: BTreeSet<(String, Option<u32>, Option<u32>)>,
    prefixes: BTreeSet<String>,
    has_failed: bool,
}

impl Total {
    fn add(&mut self, shown: &ShownStandings) {
        for (file, standing) in &shown.files {
            let known = self.files.entry(file.clone()).or_default();
            *known = (*known).max(*standing);
        }
        self.knockouts.extend(shown.knockouts.iter().cloned());
        self.prefixes.extend(shown.prefix.clone());
        self.has_failed |= shown.has_failed;
    }
}

/// Asks all nodes, and returns the entries that may be taken out.
pub(super) fn candidates(ground: &Ground, fleet: &Fleet) -> Vec<Candidate> {
    let keys: Vec<&str> = ground.keys().into_iter().collect();
    let surveys: Surveys<Arc<ShownStandings>> = Surveys::new(keys.len());
    let (parts, _) = fleet.in_parts(|ready| ask(ground, fleet, &ready, &keys, &surveys));
    let mut totals: Vec<Total> = keys.iter().map(|_| Total::default()).collect();
    for part in parts {
        for (number, shown) in part.into_iter().enumerate() {
            shown.values().for_each(|shown| totals[number].add(shown));
        }
    }
    let holders = holders(ground);
    let mut found = Vec::new();
    for (key, total) in keys.iter().zip(&totals).filter(|(_, total)| !total.has_failed) {
        let holders = holders.get(key).map_or(&[][..], Vec::as_slice);
        found.extend(entries(ground, key, (total, holders), fleet.nodes.len()));
        found.extend(knockouts(ground, key, (total, holders), fleet.nodes.len()));
    }
    found
}

/// The different answers of a part of the nodes to each key, told apart by where they lie in memory.
type PartAnswers = Vec<HashMap<usize, Arc<ShownStandings>>>;

fn ask(
    ground: &Ground,
    fleet: &Fleet,
    ready: &[Ready],
    keys: &[&str],
    surveys: &Surveys<Arc<ShownStandings>>,
) -> PartAnswers {
    let nodes = open(fleet.site, ready);
    let is_here = |node: &&Node| node.environment().name() == ground.environment.name();
    let Some(_) = nodes.first().filter(is_here) else { return Vec::new() };
    let surveys = surveys.of(&ground.environment);
    with_sessions(&nodes, |sessions| {
        let panel = Panel::new(sessions);
        let look = |(number, key): (usize, &&str)| {
            let mut found = HashMap::new();
            let find = |session: &Session| Arc::new(look(session, key));
            surveys[number].ask_all(&panel, find, |_, shown| {
                found.insert(Arc::as_ptr(shown) as usize, Arc::clone(shown));
            });
            found
        };
        keys.iter().enumerate().map(look).collect()
    })
}

/// Looks at one answer.
fn look(session: &Session, key: &str) -> ShownStandings {
    let traced = match session.trace(&whole(key)) {
        Ok(traced) => traced,
        Err(error) => {
            let has_failed = error.code != hierarch_hiera::issues::NOT_FOUND;
            return ShownStandings { has_failed, ..ShownStandings::default() };
        }
    };
    let mut shown = ShownStandings::default();
    let options = session.strategy(key).ok().and_then(|strategy| strategy.options());
    let prefix = options.and_then(|options| options.get_str("knockout_prefix").map(ToString::to_string));
    shown.prefix = prefix.filter(|prefix| !prefix.is_empty() && prefix != "undef");
    for removal in traced.removals() {
        if let Some(by) = removal.by {
            shown.knockouts.push((by.file.to_string(), by.line, by.column));
            shown.files.insert(by.file.to_string(), Standing::Needed);
        }
    }
    add_leaves(&traced, &mut shown);
    shown
}

fn add_leaves(traced: &TracedValue, shown: &mut ShownStandings) {
    let whole_hides: Vec<&Other> = traced
        .collections()
        .iter()
        .filter(|part| part.path.is_empty())
        .flat_map(|part| part.hides.iter())
        .collect();
    let is_repeated_whole = whole_hides.first().is_some_and(|other| other.value == *traced.plain());
    let mut add = |origin: Option<&Origin>, standing: Standing| {
        if let Some(origin) = origin {
            let known = shown.files.entry(origin.file.to_string()).or_default();
            *known = (*known).max(standing);
        }
    };
    for leaf in traced.leaves() {
        let is_repeated =
            is_repeated_whole || leaf.hides.first().is_some_and(|other| other.value == *leaf.value);
        add(leaf.origin, if is_repeated { Standing::Repeated } else { Standing::Needed });
        leaf.hides.iter().for_each(|other| add(other.origin.as_deref(), Standing::Hidden));
    }
}

/// A file that nodes load and that has a key, and its value there.
type Holder<'g> = (&'g DataFile, &'g Value);

/// Finds the files of the site that hold each key.
fn holders(ground: &Ground) -> HashMap<&str, Vec<Holder<'_>>> {
    let mut found: HashMap<&str, Vec<Holder>> = HashMap::new();
    for file in ground.files.iter().filter(|file| file.is_loaded && file.module.is_none()) {
        for (key, value) in file.entries() {
            found.entry(key).or_default().push((file, value));
        }
    }
    found
}

/// Returns the entries of a key that never count.
fn entries(
    ground: &Ground,
    key: &str,
    (total, holders): (&Total, &[Holder]),
    nodes: usize,
) -> Vec<Candidate> {
    let one = |(file, _): &Holder| {
        let kind = match total.files.get(file.path()).copied().unwrap_or_default() {
            Standing::Hidden => DeadKind::Shadowed,
            Standing::Repeated => DeadKind::Redundant,
            Standing::Needed => return None,
        };
        let dead = dead(ground, file.path(), &[key], kind, Evidence::Fleet, nodes);
        Some(Candidate { dead, affected: AffectedAnswers::AskersOf(key.to_owned()) })
    };
    holders.iter().filter_map(one).collect()
}

/// Returns the knockouts of a key that never remove anything.
fn knockouts(
    ground: &Ground,
    key: &str,
    (total, holders): (&Total, &[Holder]),
    nodes: usize,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (file, value) in holders {
        let mut paths = Vec::new();
        knocking(value, &total.prefixes, &mut vec![key.to_owned()], &mut paths);
        let Some(tree) = (!paths.is_empty()).then(|| tree(ground, file.path())).flatten() else { continue };
        for path in paths {
            let parts: Vec<&str> = path.iter().map(String::as_str).collect();
            let Some(node) = tree.root().and_then(|root| find_at(&tree, root, &parts).ok()) else { continue };
            let (line, column) = place(&tree, node);
            if !total.knockouts.contains(&(file.path().to_owned(), line, column)) {
                let mut dead =
                    dead(ground, file.path(), &parts, DeadKind::DeadKnockout, Evidence::Fleet, nodes);
                (dead.line, dead.column) = (line, column);
                found.push(Candidate { dead, affected: AffectedAnswers::AskersOf(key.to_owned()) });
            }
        }
    }
    found
}

/// Finds texts and keys that begin with the prefix of knockouts.
fn knocking(
    value: &Value,
    prefixes: &BTreeSet<String>,
    path: &mut Vec<String>,
    found: &mut Vec<Vec<String>>,
) {
    let is_knockout = |text: &str| prefixes.iter().any(|prefix| text.starts_with(prefix.as_str()));
    let inside: BTreeMap<String, &Value> = match value {
        Value::String(text) if is_knockout(text) && path.len() > 1 => {
            found.push(path.clone());
            return;
        }
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        Value::Hash(hash) => {
            hash.iter().filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value))).collect()
        }
        _ => return,
    };
    for (name, value) in inside {
        let is_key = is_knockout(&name);
        path.push(name);
        if is_key {
            found.push(path.clone());
        } else {
            knocking(value, prefixes, path, found);
        }
        path.pop();
    }
}
