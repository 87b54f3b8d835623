//! The search for causes: edits are undone alone, many keys at a time, then together.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_hiera::origin::{Origin, TracedValue};
use hierarch_hiera::{Query, Session};
use hierarch_pcore::Value;
use hierarch_site::Node;
use rayon::prelude::*;

use super::affected::Reach;
use super::batch::{Claim, batches};
use super::cause::{Cause, Proof, Prover};
use super::compare::{ComparedAnswer, Pair};
use super::difference::{Kind, Leaf, leaves};
use super::reduce::{MANY, smallest};
use super::state::{AskedNode, State};
use crate::ask::{whole, with_sessions};

/// The search for the causes of a key's changes.
pub(crate) struct CauseSearch<'p> {
    query: Query,
    /// One for each pair; nothing where the node cannot be asked.
    witnesses: Vec<Option<Witness<'p>>>,
    /// The edits that may be the cause, the likeliest first; those of one unit are undone together.
    units: Vec<Vec<usize>>,
    /// The key, and all that it asks for.
    needs: BTreeSet<String>,
    /// The witnesses whose cause is not found yet.
    open: Vec<usize>,
    causes: Vec<Cause>,
}

/// One node that stands for all that get the same two answers.
struct Witness<'p> {
    pair: &'p Pair,
    asked: Arc<AskedNode>,
    /// The edited files, by their numbers, that its answers come from, are merged with, hide or remove.
    files: Box<[usize]>,
    /// Those that lookups of the node look into.
    read: Arc<HashSet<usize>>,
    facts: Arc<NewFacts>,
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
        match &*self.facts {
            NewFacts::Same => false,
            NewFacts::InFile(own) => own == Path::new(file),
            NewFacts::AmongOthers => true,
        }
    }
}

/// A unit that is undone for some witnesses of a search.
struct AskedUnit {
    /// What it is for, by a number of the asker's.
    number: usize,
    search: usize,
    unit: Vec<usize>,
    witnesses: Vec<usize>,
}

/// What came of it: the witnesses whose old answers were back, and how that proves it.
struct UndoneUnit<'a> {
    asked: &'a AskedUnit,
    back: Vec<usize>,
    proof: Proof,
}

/// What is asked about, or a search, and a witness, by their numbers.
type WitnessId = (usize, usize);

/// Where many answers are left, one smallest set of edits is looked for that serves them all; up to so many get one each.
const EACH: usize = 8;

impl Prover<'_> {
    /// Finds the cause of each pair of the answers of some keys. Edits that have nothing to do with each other are undone in one state.
    pub(crate) fn prove(&self, some: &[(&str, &[Pair])]) -> Vec<Vec<Cause>> {
        if self.gave_up() {
            return some.iter().map(|(_, pairs)| vec![Cause::default(); pairs.len()]).collect();
        }
        let mut searches: Vec<CauseSearch> =
            some.iter().map(|(key, pairs)| CauseSearch::new(self, key, pairs.len())).collect();
        self.call_witnesses(&mut searches, some);
        let most = searches.iter().map(|search| search.units.len()).max().unwrap_or(0);
        for is_near in [true, false] {
            for number in 0..most {
                self.try_units(&mut searches, number, is_near);
            }
        }
        self.prove_together(&mut searches);
        searches.into_iter().map(|search| search.causes).collect()
    }

    /// Opens the first node of each pair, and finds out which edited files its answers have to do with. A node that stands for
    /// several pairs is opened once.
    fn call_witnesses<'p>(&self, searches: &mut [CauseSearch<'p>], some: &[(&str, &'p [Pair])]) {
        let mut by_node: BTreeMap<usize, Vec<(WitnessId, &'p Pair)>> = BTreeMap::new();
        for (at, (_, pairs)) in some.iter().enumerate() {
            for (number, pair) in pairs.iter().enumerate() {
                let node = pair.nodes.first();
                by_node.entry(node.unwrap_or(usize::MAX)).or_default().push(((at, number), pair));
            }
        }
        let by_node: Vec<_> = by_node.into_iter().collect();
        let queries: Vec<&Query> = searches.iter().map(|search| &search.query).collect();
        let called: Vec<(WitnessId, Witness)> = by_node
            .par_iter()
            .flat_map_iter(|(node, pairs)| self.witnesses(*node, pairs, &queries))
            .collect();
        for ((search, number), witness) in called {
            searches[search].open.push(number);
            searches[search].witnesses[number] = Some(witness);
        }
        searches.iter_mut().for_each(|search| search.open.sort_unstable());
    }

    fn witnesses<'p>(
        &self,
        node: usize,
        pairs: &[(WitnessId, &'p Pair)],
        queries: &[&Query],
    ) -> Vec<(WitnessId, Witness<'p>)> {
        let Some(&(name, known)) = self.nodes.get(node) else { return Vec::new() };
        let Ok(facts) = self.comparison.nodes.facts(name, known) else { return Vec::new() };
        let before = self.comparison.before(name, &facts);
        let own = Arc::new(match (&before, self.comparison.nodes.file_of(name)) {
            (None, _) => NewFacts::Same,
            (Some(_), Some(file)) => NewFacts::InFile(file.to_owned()),
            (Some(_), None) => NewFacts::AmongOthers,
        });
        let old = self.comparison.node(self.comparison.old, name, before.unwrap_or_else(|| facts.clone()));
        let asked = AskedNode::open(self.comparison, name, facts);
        let traced = |node: &Node| {
            let trace = |session: &Session, ((search, _), _): &(WitnessId, _)| {
                let traced = session.trace(queries[*search]);
                traced.map(|traced| self.edited_files(&traced)).unwrap_or_default()
            };
            with_sessions(std::slice::from_ref(node), |sessions| {
                let files: Vec<BTreeSet<usize>> =
                    pairs.iter().map(|pair| trace(&sessions[0], pair)).collect();
                (files, sessions[0].placement())
            })
        };
        let (before, _) = traced(&old);
        let (after, placement) = traced(asked.node());
        let read = Arc::new(self.edited(placement.files()));
        let asked = Arc::new(asked.placed(placement));
        let files =
            before.into_iter().zip(after).map(|(before, after)| before.into_iter().chain(after).collect());
        let witness = |((id, pair), files): (&(WitnessId, &'p Pair), Box<[usize]>)| {
            let (asked, read, facts) = (Arc::clone(&asked), Arc::clone(&read), Arc::clone(&own));
            (*id, Witness { pair, asked, files, read, facts })
        };
        pairs.iter().zip(files).map(witness).collect()
    }

    /// Returns the edited files that had a part in a value.
    fn edited_files(&self, traced: &TracedValue) -> BTreeSet<usize> {
        let mut files = BTreeSet::new();
        let mut add =
            |origin: Option<&Origin>| files.extend(origin.and_then(|origin| self.file_number(&origin.file)));
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

    /// Undoes the unit of a number of each search.
    fn try_units(&self, searches: &mut [CauseSearch], number: usize, is_near: bool) {
        let mut asked: Vec<AskedUnit> = Vec::new();
        for (at, search) in searches.iter().enumerate() {
            let Some(unit) = search.units.get(number) else { continue };
            let witnesses = search.witnesses_of(self, unit, is_near, &search.open);
            if !witnesses.is_empty() {
                asked.push(AskedUnit { number: at, search: at, unit: unit.clone(), witnesses });
            }
        }
        for undone in self.undo_all(searches, &asked) {
            self.settle(&mut searches[undone.asked.search], undone);
        }
    }

    /// Undoes units, those that have nothing to do with each other in one state. What comes of none of them is told when enough was tried.
    fn undo_all<'a>(&self, searches: &[CauseSearch], asked: &'a [AskedUnit]) -> Vec<UndoneUnit<'a>> {
        let needs = asked.iter().map(|asked| &searches[asked.search].needs);
        let claims: Vec<Claim> =
            asked.iter().zip(needs).map(|(asked, needs)| Claim { edits: &asked.unit, needs }).collect();
        let mut found = Vec::new();
        for batch in batches(self, &claims) {
            let some: Vec<&AskedUnit> = batch.iter().map(|at| &asked[*at]).collect();
            found.extend(self.undo_units(searches, &some));
        }
        found
    }

    /// Undoes units together, and tells for each which witnesses have their old answers back.
    fn undo_units<'a>(&self, searches: &[CauseSearch], some: &[&'a AskedUnit]) -> Vec<UndoneUnit<'a>> {
        if self.is_over() {
            return Vec::new();
        }
        let edits: Vec<usize> = some.iter().flat_map(|asked| asked.unit.iter().copied()).collect();
        let state = State::without(self, &edits);
        if some.len() > 1 && state.proof != Proof::Undone {
            return some.iter().flat_map(|one| self.undo_units(searches, &[*one])).collect();
        }
        let questions = some.iter().enumerate().flat_map(|(at, asked)| {
            let search = &searches[asked.search];
            asked.witnesses.iter().filter_map(move |number| search.question((at, *number)))
        });
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); some.len()];
        for (at, number) in self.back(&state, questions) {
            back[at].push(number);
        }
        let undone =
            |(asked, back): (&&'a AskedUnit, Vec<usize>)| UndoneUnit { asked, back, proof: state.proof };
        some.iter().zip(back).map(undone).collect()
    }

    /// Asks witnesses in a state, and returns those whose old answers are back. A node that is asked for several keys is opened once.
    fn back<'a>(
        &self,
        state: &State,
        questions: impl Iterator<Item = WitnessQuestion<'a>>,
    ) -> Vec<WitnessId> {
        let mut by_node: BTreeMap<usize, Vec<WitnessQuestion>> = BTreeMap::new();
        for question in questions {
            by_node.entry(Arc::as_ptr(question.asked) as usize).or_default().push(question);
        }
        let by_node: Vec<Vec<WitnessQuestion>> = by_node.into_values().collect();
        let ask = |questions: &Vec<WitnessQuestion>| {
            state.inside(self, &[questions[0].asked], |nodes| {
                let is_back =
                    |one: &&WitnessQuestion| nodes[0].answer(&nodes[0].session, one.query) == *one.old;
                questions.iter().filter(is_back).map(|one| one.id).collect::<Vec<WitnessId>>()
            })
        };
        let mut back: Vec<WitnessId> = by_node.par_iter().flat_map_iter(ask).collect();
        back.sort_unstable();
        back
    }

    /// Undoes edits and tells which witnesses of a search have their old answers back. Nothing is told when enough was tried.
    fn back_without(
        &self,
        search: &CauseSearch,
        some: &[usize],
        edits: &[usize],
    ) -> Option<(Vec<usize>, Proof)> {
        if some.is_empty() || self.is_over() {
            return None;
        }
        let state = State::without(self, edits);
        let questions = some.iter().filter_map(|number| search.question((0, *number)));
        let back = self.back(&state, questions).into_iter().map(|(_, number)| number).collect();
        Some((back, state.proof))
    }

    /// Looks for edits that bring old answers back together: those in files that a witness has to do with, else all. What can be left
    /// out is left out.
    fn prove_together(&self, searches: &mut [CauseSearch]) {
        for is_near in [true, false] {
            let (mut asked, mut units) = (Vec::new(), Vec::new());
            for (at, search) in searches.iter().enumerate() {
                for (some, witnesses) in search.together(self, is_near) {
                    asked.push(AskedUnit { number: units.len(), search: at, unit: some.concat(), witnesses });
                    units.push(some);
                }
            }
            let mut leavings: Vec<Leaving> = Vec::new();
            for UndoneUnit { asked, back, proof } in self.undo_all(searches, &asked) {
                searches[asked.search].open.retain(|number| !back.contains(number));
                let leaving =
                    |witnesses| Leaving::new(asked.search, witnesses, units[asked.number].clone(), proof);
                leavings.extend(in_parts(back).into_iter().map(leaving));
            }
            self.leave_out(searches, &mut leavings);
            for leaving in leavings {
                let search = &mut searches[leaving.search];
                let cause = self.smallest_cause(search, &leaving);
                leaving.witnesses.iter().for_each(|number| search.causes[*number] = cause.clone());
            }
        }
    }

    /// Leaves units out one by one, of many causes at a time, as long as old answers are back.
    fn leave_out(&self, searches: &[CauseSearch], leavings: &mut [Leaving]) {
        loop {
            let ask = |(number, leaving): (usize, &Leaving)| {
                let (unit, witnesses) = (leaving.without_one()?, leaving.witnesses.clone());
                Some(AskedUnit { number, search: leaving.search, unit, witnesses })
            };
            let asked: Vec<AskedUnit> = leavings.iter().enumerate().filter_map(ask).collect();
            if asked.is_empty() {
                return;
            }
            let told: HashMap<usize, (usize, Proof)> = self
                .undo_all(searches, &asked)
                .into_iter()
                .map(|undone| (undone.asked.number, (undone.back.len(), undone.proof)))
                .collect();
            for asked in &asked {
                leavings[asked.number].learn(told.get(&asked.number).copied());
            }
        }
    }

    /// Notes that a unit is the cause of some witnesses: as many of its edits as bring the old answers back.
    fn settle(&self, search: &mut CauseSearch, undone: UndoneUnit) {
        search.open.retain(|number| !undone.back.contains(number));
        for witnesses in in_parts(undone.back) {
            let search_number = undone.asked.search;
            let leaving =
                Leaving::new(search_number, witnesses, vec![undone.asked.unit.clone()], undone.proof);
            let cause = self.smallest_cause(search, &leaving);
            leaving.witnesses.iter().for_each(|number| search.causes[*number] = cause.clone());
        }
    }

    /// Returns the smallest cause of what units bring back together: of many units, and of large ones, as few edits as do.
    fn smallest_cause(&self, search: &CauseSearch, leaving: &Leaving) -> Cause {
        let Leaving { witnesses, units, proof, is_limited, .. } = leaving;
        if let Some(edits) = self.needed_leaves(search, leaving)
            && let Some((back, Proof::Undone)) = self.back_without(search, witnesses, &edits)
            && back.len() == witnesses.len()
        {
            return Cause { edits, proof: Some(Proof::UndoneTogether), is_limited: false };
        }
        let left = Cell::new(self.comparison.most_tried / 4);
        let does_work = |edits: &[usize], proves: fn(Proof) -> bool| {
            // Many edits take longer to undo.
            let cost = 1 + edits.len() / 64;
            left.set(left.get().checked_sub(cost)?);
            let (back, proof) = self.back_without(search, witnesses, edits)?;
            Some(back.len() == witnesses.len() && proves(proof))
        };
        let mut cause = Cause { is_limited: *is_limited, ..Cause::default() };
        let mut units = units.clone();
        if units.len() > MANY {
            let some = smallest(&units, |units| does_work(&units.concat(), |_| true));
            cause.is_limited |= some.is_limited;
            units = some.items;
        }
        let (many, few): (Vec<_>, Vec<_>) = units.into_iter().partition(|unit| unit.len() > 1);
        let few = few.concat();
        if many.is_empty() || *proof == Proof::FileUndone {
            cause.edits.extend(many.into_iter().flatten());
        } else {
            let reduced = smallest(&many.concat(), |some| {
                does_work(&[&few, some].concat(), |proof| proof == Proof::Undone)
            });
            cause.edits.extend(reduced.items);
            cause.is_limited |= reduced.is_limited;
        }
        cause.edits.extend(few);
        cause.edits.sort_unstable();
        let is_alone = cause.edits.len() == 1;
        cause.proof = Some(if *proof == Proof::Undone && !is_alone { Proof::UndoneTogether } else { *proof });
        cause
    }
}

impl Prover<'_> {
    /// Returns those of many edits that stand at the leaves by which the two answers differ, if each of them is needed for sure.
    ///
    /// It is so for scalars in hashes: no edit at another path has a say in what stands at a leaf, so that without the only one at
    /// its path the leaf is the new one.
    fn needed_leaves(&self, search: &CauseSearch, leaving: &Leaving) -> Option<Vec<usize>> {
        let all = leaving.units.concat();
        let key = search.needs.first()?;
        if all.len() <= MANY || leaving.proof != Proof::Undone || !self.has_one_answer_for_alike(key) {
            return None;
        }
        let pair_of = |number: &usize| search.witnesses[*number].as_ref().map(|witness| witness.pair);
        let mut differing = leaving.witnesses.iter().map(|number| pair_of(number).and_then(differing_leaves));
        let leaves = differing.next()??;
        if differing.any(|other| other.as_ref() != Some(&leaves)) {
            return None;
        }
        let mut by_path: HashMap<&[String], usize> = HashMap::new();
        for number in all {
            let path = self.edits[number].0.path.get(1..)?;
            if leaves.contains(path) && by_path.insert(path, number).is_some() {
                return None;
            }
        }
        let mut edits: Vec<usize> = by_path.into_values().collect();
        let is_scalar = |value: &Option<Value>| {
            value.as_ref().is_some_and(|value| !matches!(value, Value::Hash(_) | Value::Array(_)))
        };
        let is_change = |number: &usize| {
            let edit = &self.edits[*number].0;
            is_scalar(&edit.old) && is_scalar(&edit.new)
        };
        edits.sort_unstable();
        (edits.len() == leaves.len() && edits.len() > 1 && edits.iter().all(is_change)).then_some(edits)
    }
}

/// Returns the paths of the leaves by which two answers differ, if all of them are in hashes, before and after.
fn differing_leaves(pair: &Pair) -> Option<HashSet<Vec<String>>> {
    let (old, new) = (pair.old.value()?, pair.new.value()?);
    let is_in_hashes = |value: &Value, path: &[String]| {
        path.iter().try_fold(value, |value, name| value.as_hash()?.get_str(name)).is_some()
    };
    let leaves = leaves(old, new);
    let is_plain =
        |(path, kind): &Leaf| *kind == Kind::Changed && is_in_hashes(old, path) && is_in_hashes(new, path);
    leaves.iter().all(is_plain).then(|| leaves.into_iter().map(|(path, _)| path).collect())
}

/// Units that bring the old answers of some witnesses back together, and from which each is left out in turn.
struct Leaving {
    search: usize,
    witnesses: Vec<usize>,
    units: Vec<Vec<usize>>,
    /// The one that is left out next.
    at: usize,
    proof: Proof,
    is_limited: bool,
}

impl Leaving {
    fn new(search: usize, witnesses: Vec<usize>, units: Vec<Vec<usize>>, proof: Proof) -> Self {
        Self { search, witnesses, units, at: 0, proof, is_limited: false }
    }

    /// Returns the edits without the next unit; nothing where each was left out, or halving them takes fewer tries.
    fn without_one(&self) -> Option<Vec<usize>> {
        let is_over = self.at >= self.units.len() || self.units.len() < 2 || self.units.len() > MANY;
        let others = |(at, unit): (usize, &Vec<usize>)| (at != self.at).then(|| unit.clone());
        (!is_over).then(|| self.units.iter().enumerate().filter_map(others).flatten().collect())
    }

    /// Takes how many witnesses had their old answers back without the unit; nothing where enough was tried.
    fn learn(&mut self, told: Option<(usize, Proof)>) {
        match told {
            None => {
                self.is_limited = true;
                self.at = self.units.len();
            }
            Some((back, proof)) if back == self.witnesses.len() => {
                self.units.remove(self.at);
                self.proof = proof;
            }
            Some(_) => self.at += 1,
        }
    }
}

/// Sorts witnesses into those that get a cause together: each its own, unless there are many.
fn in_parts(witnesses: Vec<usize>) -> Vec<Vec<usize>> {
    match witnesses.len() {
        0 => Vec::new(),
        1..=EACH => witnesses.into_iter().map(|number| vec![number]).collect(),
        _ => vec![witnesses],
    }
}

/// A key that a witness is asked for, and what it answered before.
struct WitnessQuestion<'a> {
    id: WitnessId,
    asked: &'a Arc<AskedNode>,
    query: &'a Query,
    old: &'a ComparedAnswer,
}

impl CauseSearch<'_> {
    fn new(prover: &Prover, key: &str, pairs: usize) -> Self {
        let needs = prover.ground.needs(key);
        Self {
            query: whole(key),
            units: prover.units(key, &needs),
            witnesses: (0..pairs).map(|_| None).collect(),
            open: Vec::new(),
            causes: vec![Cause::default(); pairs],
            needs,
        }
    }

    fn question(&self, id: WitnessId) -> Option<WitnessQuestion<'_>> {
        let witness = self.witnesses[id.1].as_ref()?;
        Some(WitnessQuestion { id, asked: &witness.asked, query: &self.query, old: &witness.pair.old })
    }

    /// Returns those of some witnesses for which a unit is worth a try: near, or not.
    fn witnesses_of(&self, prover: &Prover, unit: &[usize], is_near: bool, some: &[usize]) -> Vec<usize> {
        let is_asked = |witness: &Witness| {
            unit.iter().any(|number| {
                let (edit, reach) = &prover.edits[*number];
                if *reach == Reach::Facts {
                    return is_near && witness.has_facts_in(&edit.file);
                }
                let is_at = matches!(reach, Reach::Key(_))
                    && prover.file_number(&edit.file).is_some_and(|file| witness.files.contains(&file));
                is_at == is_near && (is_at || prover.may_reach(*number, &witness.read))
            })
        };
        let asked = some.iter().copied();
        asked.filter(|number| self.witnesses[*number].as_ref().is_some_and(is_asked)).collect()
    }

    /// Sorts the witnesses whose cause is open by the units that are undone together for them: those in files that they have to do
    /// with, or all. What was undone alone already is not undone again.
    fn together(&self, prover: &Prover, is_near: bool) -> Vec<(Vec<Vec<usize>>, Vec<usize>)> {
        let mut sorted: BTreeMap<Vec<Vec<usize>>, Vec<usize>> = BTreeMap::new();
        for number in &self.open {
            let mut units = self.meant(prover, &[*number]);
            let is_of =
                |unit: &Vec<usize>, is_near| !self.witnesses_of(prover, unit, is_near, &[*number]).is_empty();
            units.retain(|unit| is_of(unit, true) || (!is_near && is_of(unit, false)));
            if units.len() > 1 {
                sorted.entry(units).or_default().push(*number);
            }
        }
        sorted.into_iter().collect()
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
}
