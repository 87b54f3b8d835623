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
use crate::edits::{Edit, has_aliases};
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
    /// The edits of each key, and those that are not of a key alone.
    by_key: HashMap<String, Vec<usize>>,
    of_many: Vec<usize>,
    /// Keys that an edit changes the options of all keys by.
    options: BTreeSet<String>,
    /// The files that have no aliases.
    plain_files: Mutex<HashMap<String, bool>>,
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
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        let mut of_many = Vec::new();
        for (number, (_, reach)) in edits.iter().enumerate() {
            match reach.key() {
                Some(key) => by_key.entry(key.to_owned()).or_default().push(number),
                None => of_many.push(number),
            }
        }
        Self {
            comparison,
            ground,
            edits,
            nodes: comparison.nodes.nodes.iter().collect(),
            names: Arc::new(comparison.nodes.names().map(str::to_owned).collect()),
            lists: Mutex::default(),
            tried: AtomicUsize::new(0),
            by_key,
            of_many,
            options,
            plain_files: Mutex::default(),
            resolved: Mutex::default(),
        }
    }

    /// Tells whether an edit changes what a file holds for some key, and thereby neither which files are looked at nor how.
    pub(crate) fn is_leaf(&self, number: usize) -> bool {
        let is_leaf = |reach: &Reach| matches!(reach, Reach::Key(key) if !self.options.contains(key));
        !self.ground.has_functions() && is_leaf(&self.edits[number].1)
    }

    /// Tells whether an edit is a leaf that no alias carries elsewhere: what is undone beside it has nothing to do with it.
    fn is_apart(&self, number: usize) -> bool {
        let file = &self.edits[number].0.file;
        let read = || {
            let bytes = self.comparison.new.files().read(Path::new(file)).unwrap_or_default();
            !has_aliases(&bytes)
        };
        let mut known = self.plain_files.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_leaf(number) && *known.entry(file.clone()).or_insert_with(read)
    }

    /// Returns the true path of a file of the new site.
    pub(crate) fn resolved(&self, path: &Path) -> PathBuf {
        let mut known = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let resolve = || self.comparison.new.files().resolve(path).unwrap_or_else(|_| path.to_owned());
        known.entry(path.to_owned()).or_insert_with(resolve).clone()
    }

    /// Returns the edits that can have to do with a key, the likeliest first. Many leaves of the key itself in one file are one unit.
    fn units(&self, key: &str, needs: &BTreeSet<String>) -> Vec<Vec<usize>> {
        let far = self.comparison.compiles.then_some(u8::MAX);
        let distance = |number: &usize| self.edits[*number].1.distance(key, needs).or(far);
        let mut candidates: Vec<usize> = self.candidates_of(needs);
        candidates.retain(|number| distance(number).is_some());
        candidates.sort_by_key(distance);
        let mut units: Vec<Vec<usize>> = Vec::new();
        let mut by_place: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for number in &candidates {
            let (edit, reach) = &self.edits[*number];
            if let Some(key) = reach.key() {
                by_place.entry((&edit.file, key)).or_default().push(*number);
            }
        }
        for number in candidates {
            let (edit, reach) = &self.edits[number];
            let place = reach.key().and_then(|key| by_place.get(&(edit.file.as_str(), key)));
            match place.filter(|all| all.len() > MANY) {
                Some(all) if all.first() == Some(&number) => units.push(all.clone()),
                Some(_) => {}
                None => units.push(vec![number]),
            }
        }
        units
    }

    /// Returns the edits of some keys, and all that are not of a key alone.
    fn candidates_of(&self, needs: &BTreeSet<String>) -> Vec<usize> {
        if self.comparison.compiles {
            return (0..self.edits.len()).collect();
        }
        let own = needs.iter().filter_map(|key| self.by_key.get(key)).flatten();
        let mut numbers: Vec<usize> = own.chain(&self.of_many).copied().collect();
        numbers.sort_unstable();
        numbers
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

    /// Finds the cause of each pair of the answers of some keys. Edits that have nothing to do with each other are undone in one state.
    pub(crate) fn prove(&self, some: &[(&str, &[Pair])]) -> Vec<Vec<Cause>> {
        if self.gave_up() {
            return some.iter().map(|(_, pairs)| vec![Cause::default(); pairs.len()]).collect();
        }
        let mut searches: Vec<CauseSearch> =
            some.iter().map(|(key, pairs)| CauseSearch::new(self, key, pairs)).collect();
        let most = searches.iter().map(|search| search.units.len()).max().unwrap_or(0);
        for is_near in [true, false] {
            for number in 0..most {
                self.try_units(&mut searches, number, is_near);
            }
        }
        searches.iter_mut().for_each(|search| self.prove_together(search));
        searches.into_iter().map(|search| search.causes).collect()
    }

    /// Undoes the unit of a number of each search.
    fn try_units(&self, searches: &mut [CauseSearch], number: usize, is_near: bool) {
        let mut asked: Vec<Asked> = Vec::new();
        for (at, search) in searches.iter().enumerate() {
            let Some(unit) = search.units.get(number) else { continue };
            let witnesses = search.witnesses_of(self, unit, is_near);
            if !witnesses.is_empty() {
                asked.push(Asked { search: at, unit: unit.clone(), witnesses });
            }
        }
        let needs = asked.iter().map(|asked| &searches[asked.search].needs);
        let claims: Vec<Claim> =
            asked.iter().zip(needs).map(|(asked, needs)| Claim { edits: &asked.unit, needs }).collect();
        let mut found = Vec::new();
        for batch in batches(self, &claims) {
            let some: Vec<&Asked> = batch.iter().map(|at| &asked[*at]).collect();
            found.extend(self.back_all(searches, &some));
        }
        for (at, unit, back, proof) in found {
            searches[at].settle(&unit, &back, proof);
        }
    }

    /// Undoes units together, and tells for each which witnesses have their old answers back.
    fn back_all(&self, searches: &[CauseSearch], some: &[&Asked]) -> Vec<FoundCauses> {
        let is_over = || self.tried.fetch_add(some.len(), Ordering::Relaxed) >= self.comparison.most_tried;
        if self.comparison.nodes.is_stopped() || is_over() {
            return Vec::new();
        }
        let edits: Vec<usize> = some.iter().flat_map(|asked| asked.unit.iter().copied()).collect();
        let state = State::without(self, &edits);
        if some.len() > 1 && state.proof != Proof::Undone {
            return some.iter().flat_map(|one| self.back_all(searches, &[*one])).collect();
        }
        let questions: Vec<(usize, usize)> = some
            .iter()
            .enumerate()
            .flat_map(|(at, asked)| asked.witnesses.iter().map(move |witness| (at, *witness)))
            .collect();
        let is_back = |(at, number): &&(usize, usize)| {
            let search = &searches[some[*at].search];
            let witness = search.witnesses[*number].as_ref();
            witness.is_some_and(|witness| state.tells(self, &witness.asked, &search.query, &witness.pair.old))
        };
        let back: Vec<(usize, usize)> = questions.par_iter().filter(is_back).copied().collect();
        let of = |(at, asked): (usize, &&Asked)| {
            let own = back.iter().filter(|(one, _)| *one == at).map(|(_, witness)| *witness).collect();
            (asked.search, asked.unit.clone(), own, state.proof)
        };
        some.iter().enumerate().map(of).collect()
    }

    /// Undoes all units, then leaves them out one by one as long as the old answer is back.
    fn prove_together(&self, search: &mut CauseSearch) {
        let units = search.meant(self, &search.open);
        if units.len() < 2 {
            return;
        }
        let (back, _) = self.back(search, &search.open, &units);
        // Where many answers are left, one smallest set is looked for that serves them all.
        let parts: Vec<Vec<usize>> =
            if back.len() <= EACH { back.iter().map(|number| vec![*number]).collect() } else { vec![back] };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let mut needed = search.meant(self, &part);
            for unit in &units {
                let without: Vec<Vec<usize>> =
                    needed.iter().filter(|other| *other != unit).cloned().collect();
                let (back, _) = self.back(search, &part, &without);
                if back.len() == part.len() && !without.is_empty() {
                    needed = without;
                }
            }
            let (back, proof) = self.back(search, &part, &needed);
            let mut edits: Vec<usize> = needed.into_iter().flatten().collect();
            edits.sort_unstable();
            let proof = if edits.len() > 1 && proof == Proof::Undone { Proof::UndoneTogether } else { proof };
            for number in back {
                search.causes[number] = Cause { edits: edits.clone(), proof: Some(proof) };
            }
        }
    }

    /// Undoes units and tells which witnesses have their old answers back.
    fn back(&self, search: &CauseSearch, some: &[usize], units: &[Vec<usize>]) -> (Vec<usize>, Proof) {
        let nobody = (Vec::new(), Proof::Undone);
        let is_over = || self.tried.fetch_add(1, Ordering::Relaxed) >= self.comparison.most_tried;
        if some.is_empty() || self.comparison.nodes.is_stopped() || is_over() {
            return nobody;
        }
        let state = State::without(self, &units.concat());
        let is_back = |number: &&usize| {
            let witness = search.witnesses[**number].as_ref();
            witness.is_some_and(|witness| state.tells(self, &witness.asked, &search.query, &witness.pair.old))
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
/// More leaves than these of one key in one file are undone as one: to try each with each other would take forever.
const MANY: usize = 32;

/// The search for the causes of a key's changes.
struct CauseSearch<'p> {
    query: Query,
    witnesses: Vec<Option<Witness<'p>>>,
    /// The edits that may be the cause, the likeliest first; those of one unit are undone together.
    units: Vec<Vec<usize>>,
    /// The key, and all that it asks for.
    needs: BTreeSet<String>,
    /// The witnesses whose cause is not found yet.
    open: Vec<usize>,
    causes: Vec<Cause>,
}

/// A unit that is undone for some witnesses of a search.
struct Asked {
    search: usize,
    unit: Vec<usize>,
    witnesses: Vec<usize>,
}

/// The number of a search, the edits that were undone, the witnesses whose old answers were back, and how that proves it.
type FoundCauses = (usize, Vec<usize>, Vec<usize>, Proof);

impl<'p> CauseSearch<'p> {
    fn new(prover: &Prover, key: &str, pairs: &'p [Pair]) -> Self {
        let query = whole(key);
        let witnesses: Vec<Option<Witness>> =
            pairs.par_iter().map(|pair| prover.witness(&query, pair)).collect();
        let needs = prover.ground.needs(key);
        Self {
            units: prover.units(key, &needs),
            open: (0..pairs.len()).filter(|number| witnesses[*number].is_some()).collect(),
            causes: vec![Cause::default(); pairs.len()],
            query,
            witnesses,
            needs,
        }
    }

    /// Returns the witnesses for which a unit is worth a try: near, or not.
    fn witnesses_of(&self, prover: &Prover, unit: &[usize], is_near: bool) -> Vec<usize> {
        let is_asked = |witness: &Witness| {
            unit.iter().any(|number| {
                let (edit, reach) = &prover.edits[*number];
                if *reach == Reach::Facts {
                    return is_near && witness.has_facts_in(&edit.file);
                }
                let is_at = witness.files.contains(&edit.file) && matches!(reach, Reach::Key(_));
                is_at == is_near
            })
        };
        let asked = self.open.iter().copied();
        asked.filter(|number| self.witnesses[*number].as_ref().is_some_and(is_asked)).collect()
    }

    /// Returns the units that may have to do with some witnesses.
    fn meant(&self, prover: &Prover, some: &[usize]) -> Vec<Vec<usize>> {
        let is_meant = |number: &usize| {
            let (edit, reach) = &prover.edits[*number];
            let has = |number: &usize| {
                self.witnesses[*number].as_ref().is_some_and(|witness| witness.has_facts_in(&edit.file))
            };
            *reach != Reach::Facts || some.iter().any(has)
        };
        self.units.iter().filter(|unit| unit.iter().all(is_meant)).cloned().collect()
    }

    fn settle(&mut self, unit: &[usize], back: &[usize], proof: Proof) {
        let proof = if unit.len() > 1 && proof == Proof::Undone { Proof::UndoneTogether } else { proof };
        for number in back {
            self.causes[*number] = Cause { edits: unit.to_vec(), proof: Some(proof) };
        }
        self.open.retain(|number| !back.contains(number));
    }
}

/// Edits that are undone for changes of keys: what these need must not be touched by others that are undone with them.
pub(crate) struct Claim<'c> {
    pub(crate) edits: &'c [usize],
    pub(crate) needs: &'c BTreeSet<String>,
}

/// Sorts claims into batches that can be undone together without being in each other's way.
pub(crate) fn batches(prover: &Prover, claims: &[Claim]) -> Vec<Vec<usize>> {
    /// A batch, the keys that its members need, and those that they edit.
    type Batch<'c> = (Vec<usize>, HashSet<&'c str>, HashSet<&'c str>);
    let mut shared: Vec<Batch> = Vec::new();
    let mut found = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        if prover.comparison.compiles || !claim.edits.iter().all(|edit| prover.is_apart(*edit)) {
            found.push(vec![number]);
            continue;
        }
        let needs: Vec<&str> = claim.needs.iter().map(String::as_str).collect();
        let edited: Vec<&str> = claim.edits.iter().filter_map(|edit| prover.edits[*edit].1.key()).collect();
        let fits = |(_, needed, touched): &Batch| {
            needs.iter().all(|key| !touched.contains(key)) && edited.iter().all(|key| !needed.contains(key))
        };
        let place = shared.iter().position(fits).unwrap_or_else(|| {
            shared.push(Batch::default());
            shared.len() - 1
        });
        shared[place].0.push(number);
        shared[place].1.extend(needs);
        shared[place].2.extend(edited);
    }
    found.extend(shared.into_iter().map(|(members, _, _)| members));
    found
}

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
