//! Causes, proved: an edit is the cause if the old answer is back once the edit alone is undone.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_hiera::Query;
use hierarch_hiera::origin::{Origin, TracedValue};
use rayon::prelude::*;

use super::Comparison;
use super::affected::{Ground, Reach};
use super::compare::Pair;
use super::state::{AskedNode, State};
use crate::ask::{whole, with_sessions};
use crate::edits::Edit;
use crate::node_list::{NodeList, NodeNames};
use crate::nodes::KnownNode;

/// How a cause was proved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Proof {
    /// The edit was undone alone, and the old answer was back.
    Undone,
    /// The edits were undone together, and none of them could be left out.
    UndoneTogether,
    /// The edit cannot be undone as text; its file was.
    FileUndone,
}

impl Proof {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undone => "undone",
            Self::UndoneTogether => "undone together",
            Self::FileUndone => "file undone",
        }
    }
}

/// Why an answer changed: edits by their numbers, and how that was proved. Without a proof there are no edits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Cause {
    pub(crate) edits: Vec<usize>,
    pub(crate) proof: Option<Proof>,
}

/// Finds causes.
pub(crate) struct Prover<'c> {
    pub(crate) comparison: &'c Comparison<'c>,
    pub(crate) ground: &'c Ground,
    pub(crate) edits: Vec<(Edit, Reach)>,
    /// The nodes by their numbers.
    pub(crate) nodes: Vec<(&'c String, &'c KnownNode)>,
    /// The names of all nodes.
    names: Arc<Vec<String>>,
    /// The nodes that some group has: groups of the same nodes share one list.
    lists: Mutex<HashSet<Arc<NodeList>>>,
    tried: AtomicUsize,
    /// Keys that an edit changes the options of all keys by.
    options: BTreeSet<String>,
    /// The true paths of files.
    resolved: Mutex<HashMap<PathBuf, PathBuf>>,
}

/// One node that stands for all that get the same two answers.
struct Witness<'p> {
    pair: &'p Pair,
    asked: AskedNode,
    /// The files that its answers come from, are merged with, hide or remove.
    files: HashSet<String>,
    facts: NewFacts,
}

/// Whether a node has other facts than before.
enum NewFacts {
    Same,
    /// In a file of its own.
    InFile(PathBuf),
    /// In a file with those of other nodes.
    AmongOthers,
}

impl Witness<'_> {
    /// Tells whether facts that a file holds may be its own, and others than before.
    fn has_facts_in(&self, file: &str) -> bool {
        match &self.facts {
            NewFacts::Same => false,
            NewFacts::InFile(own) => own == Path::new(file),
            NewFacts::AmongOthers => true,
        }
    }
}

impl<'c> Prover<'c> {
    pub(crate) fn new(comparison: &'c Comparison<'c>, ground: &'c Ground) -> Self {
        let mut edits = ground.edits(comparison);
        edits.extend(comparison.fact_edits().into_iter().map(|edit| (edit, Reach::Facts)));
        let options = ground.needs("lookup_options");
        Self {
            comparison,
            ground,
            edits,
            nodes: comparison.nodes.nodes.iter().collect(),
            names: Arc::new(comparison.nodes.names().map(str::to_owned).collect()),
            lists: Mutex::default(),
            tried: AtomicUsize::new(0),
            options,
            resolved: Mutex::default(),
        }
    }

    /// Tells whether an edit changes what a file holds for some key, and thereby neither which files are looked at nor how.
    pub(crate) fn is_leaf(&self, number: usize) -> bool {
        let is_leaf = |reach: &Reach| matches!(reach, Reach::Key(key) if !self.options.contains(key));
        !self.ground.has_functions() && is_leaf(&self.edits[number].1)
    }

    /// Returns the true path of a file of the new site.
    pub(crate) fn resolved(&self, path: &Path) -> PathBuf {
        let mut known = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let resolve = || self.comparison.new.files().resolve(path).unwrap_or_else(|_| path.to_owned());
        known.entry(path.to_owned()).or_insert_with(resolve).clone()
    }

    /// Returns the names of nodes, given by their numbers.
    pub(crate) fn names_of(&self, numbers: &[usize]) -> NodeNames {
        let list = Arc::new(numbers.iter().copied().collect::<NodeList>());
        let mut known = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(&list) {
            return NodeNames::new(&self.names, same);
        }
        known.insert(Arc::clone(&list));
        NodeNames::new(&self.names, &list)
    }

    /// Tells whether more had to be tried than is allowed.
    pub(crate) fn gave_up(&self) -> bool {
        self.tried.load(Ordering::Relaxed) >= self.comparison.most_tried || self.comparison.nodes.is_stopped()
    }

    /// Finds the cause of each pair of a key's answers.
    pub(crate) fn prove(&self, key: &str, pairs: &[Pair]) -> Vec<Cause> {
        if self.gave_up() {
            return vec![Cause::default(); pairs.len()];
        }
        let query = whole(key);
        let witnesses: Vec<Option<Witness>> =
            pairs.par_iter().map(|pair| self.witness(&query, pair)).collect();
        let needs = self.ground.needs(key);
        let far = self.comparison.compiles.then_some(u8::MAX);
        let distance = |number: &usize| self.edits[*number].1.distance(key, &needs).or(far);
        let mut candidates: Vec<usize> =
            (0..self.edits.len()).filter(|number| distance(number).is_some()).collect();
        candidates.sort_by_key(distance);
        let mut causes = vec![Cause::default(); pairs.len()];
        let mut open: Vec<usize> = (0..pairs.len()).filter(|number| witnesses[*number].is_some()).collect();
        for is_near in [true, false] {
            for &candidate in &candidates {
                let (edit, reach) = &self.edits[candidate];
                let is_asked = |witness: &Witness| {
                    if *reach == Reach::Facts {
                        return is_near && witness.has_facts_in(&edit.file);
                    }
                    let is_at = witness.files.contains(&edit.file) && matches!(reach, Reach::Key(_));
                    is_at == is_near
                };
                let some: Vec<usize> = open
                    .iter()
                    .copied()
                    .filter(|number| witnesses[*number].as_ref().is_some_and(is_asked))
                    .collect();
                let (back, proof) = self.back(&query, &witnesses, &some, &[candidate]);
                for number in &back {
                    causes[*number] = Cause { edits: vec![candidate], proof: Some(proof) };
                }
                open.retain(|number| !back.contains(number));
            }
        }
        self.prove_together(&query, &witnesses, &candidates, &open, &mut causes);
        causes
    }

    /// Undoes all candidates, then leaves them out one by one as long as the old answer is back.
    fn prove_together(
        &self,
        query: &Query,
        witnesses: &[Option<Witness>],
        candidates: &[usize],
        open: &[usize],
        causes: &mut [Cause],
    ) {
        let is_meant = |candidate: &usize, some: &[usize]| {
            let (edit, reach) = &self.edits[*candidate];
            let has = |number: &usize| {
                witnesses[*number].as_ref().is_some_and(|witness| witness.has_facts_in(&edit.file))
            };
            *reach != Reach::Facts || some.iter().any(has)
        };
        let meant = |some: &[usize]| -> Vec<usize> {
            candidates.iter().copied().filter(|one| is_meant(one, some)).collect()
        };
        let candidates = &meant(open);
        if candidates.len() < 2 {
            return;
        }
        let (back, _) = self.back(query, witnesses, open, candidates);
        // Where many answers are left, one smallest set is looked for that serves them all.
        let parts: Vec<Vec<usize>> =
            if back.len() <= EACH { back.iter().map(|number| vec![*number]).collect() } else { vec![back] };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let mut needed = meant(&part);
            for candidate in candidates {
                let without: Vec<usize> = needed.iter().copied().filter(|other| other != candidate).collect();
                let (back, _) = self.back(query, witnesses, &part, &without);
                if back.len() == part.len() && !without.is_empty() {
                    needed = without;
                }
            }
            let (back, proof) = self.back(query, witnesses, &part, &needed);
            needed.sort_unstable();
            let proof =
                if needed.len() > 1 && proof == Proof::Undone { Proof::UndoneTogether } else { proof };
            for number in back {
                causes[number] = Cause { edits: needed.clone(), proof: Some(proof) };
            }
        }
    }

    /// Undoes some edits and tells which witnesses have their old answers back.
    fn back(
        &self,
        query: &Query,
        witnesses: &[Option<Witness>],
        some: &[usize],
        edits: &[usize],
    ) -> (Vec<usize>, Proof) {
        let nobody = (Vec::new(), Proof::Undone);
        let is_over = || self.tried.fetch_add(1, Ordering::Relaxed) >= self.comparison.most_tried;
        if some.is_empty() || self.comparison.nodes.is_stopped() || is_over() {
            return nobody;
        }
        let state = State::without(self, edits);
        let is_back = |number: &&usize| {
            let witness = witnesses[**number].as_ref();
            witness.is_some_and(|witness| state.tells(self, &witness.asked, query, &witness.pair.old))
        };
        (some.par_iter().filter(is_back).copied().collect(), state.proof)
    }

    fn witness<'p>(&self, query: &Query, pair: &'p Pair) -> Option<Witness<'p>> {
        let &(name, known) = self.nodes.get(pair.nodes.first()?)?;
        let facts = self.comparison.nodes.facts(name, known).ok()?;
        let before = self.comparison.before(name, &facts);
        let own = match (&before, self.comparison.nodes.file_of(name)) {
            (None, _) => NewFacts::Same,
            (Some(_), Some(file)) => NewFacts::InFile(file.to_owned()),
            (Some(_), None) => NewFacts::AmongOthers,
        };
        let mut files = HashSet::new();
        let before = before.unwrap_or_else(|| facts.clone());
        for (site, facts) in [(self.comparison.old, &before), (self.comparison.new, &facts)] {
            let node = self.comparison.node(site, name, facts.clone());
            let traced = with_sessions(&[node], |sessions| sessions[0].trace(query).ok());
            files.extend(traced.iter().flat_map(files_of));
        }
        let asked = AskedNode::open(self.comparison, name, facts, &[query]);
        Some(Witness { pair, asked, files, facts: own })
    }
}

/// As many answers get a smallest set of edits of their own.
const EACH: usize = 8;

/// Returns the files that had a part in a value.
fn files_of(traced: &TracedValue) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut add = |origin: Option<&Origin>| files.extend(origin.map(|origin| origin.file.to_string()));
    for leaf in traced.leaves() {
        add(leaf.origin);
        leaf.hides.iter().for_each(|other| add(other.origin.as_deref()));
        leaf.filled.iter().flat_map(|filled| &filled.origins).for_each(|origin| add(Some(origin)));
    }
    for part in traced.collections() {
        part.hides.iter().for_each(|other| add(other.origin.as_deref()));
        part.filled.iter().flat_map(|filled| &filled.origins).for_each(|origin| add(Some(origin)));
    }
    for removal in traced.removals() {
        add(removal.what.origin.as_deref());
        add(removal.by);
    }
    files
}
