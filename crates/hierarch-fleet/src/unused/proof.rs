//! Proof by removal: a state without some entries, in which all answers of all nodes must be the same.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_site::Site;
use hierarch_source::Overlay;

use super::{DeadEntry, DeadKind, Search};
use crate::ask::{open, with_sessions};
use crate::edits::{without, without_keys};
use crate::ground::Ground;
use crate::impact::{Comparison, compare};

/// Something that may be dead.
pub(super) struct Candidate {
    pub(super) dead: DeadEntry,
    pub(super) affected: AffectedAnswers,
}

/// Which answers could be others without it.
pub(super) enum AffectedAnswers {
    /// None: no node loads it.
    Nothing,
    /// It is only told of, never taken out.
    Reported,
    /// Those of a key, and of the keys that ask for it.
    AskersOf(String),
    /// Those of the keys that ask for a key; the key itself goes.
    OthersThan(String),
    /// All.
    Everything,
}

/// New texts of files; nothing for files that go.
#[derive(Clone, Debug, Default)]
pub struct FixedTexts {
    /// By path.
    pub files: BTreeMap<PathBuf, Option<String>>,
}

impl FixedTexts {
    /// Returns the files of a site with the new texts.
    pub(super) fn over(&self, site: &Site) -> Overlay {
        let mut overlay = Overlay::new(Arc::clone(site.files()));
        for (path, text) in &self.files {
            match text {
                Some(text) => overlay.insert(path.clone(), text.as_bytes()),
                None => overlay.remove(path.clone()),
            }
        }
        overlay
    }

    pub(super) fn add(&mut self, other: Self) {
        self.files.extend(other.files);
    }
}

/// Which nodes load a file, by their numbers.
type LoadingNodes = BTreeSet<usize>;

pub(super) struct Prover<'p> {
    search: &'p Search<'p>,
    ground: &'p Ground,
    loaded: BTreeMap<String, LoadingNodes>,
}

impl<'p> Prover<'p> {
    pub(super) fn new(search: &'p Search<'p>, ground: &'p Ground) -> Self {
        let fleet = search.fleet;
        let (parts, _) = fleet.in_parts(|ready| {
            let nodes = open(fleet.site, &ready);
            let key = hierarch_hiera::Key::new("lookup_options");
            with_sessions(&nodes, |sessions| {
                let mut found = Vec::new();
                for (ready, session) in ready.iter().zip(sessions) {
                    let places =
                        key.as_ref().ok().and_then(|key| session.places(key).ok()).unwrap_or_default();
                    found.extend(
                        places
                            .into_iter()
                            .filter(|place| place.exists)
                            .map(|place| (place.path, ready.index)),
                    );
                }
                found
            })
        });
        let mut loaded: BTreeMap<String, LoadingNodes> = BTreeMap::new();
        for (file, node) in parts.into_iter().flatten() {
            loaded.entry(file).or_default().insert(node);
        }
        Self { search, ground, loaded }
    }

    /// Tells of each candidate whether all answers stay the same without it.
    pub(super) fn prove_each(&self, candidates: &[Candidate]) -> Vec<bool> {
        let mut is_dead: Vec<bool> = candidates.iter().map(|one| !one.needs_proof()).collect();
        let mut waiting: Vec<usize> =
            (0..candidates.len()).filter(|number| candidates[*number].needs_proof()).collect();
        let nothing = FixedTexts::default();
        while !waiting.is_empty() {
            let round = self.round(candidates, &waiting);
            leave(&mut waiting, &round);
            for number in self.hold(candidates, &round, &nothing) {
                is_dead[number] = true;
            }
        }
        is_dead
    }

    /// Takes out all that can be taken out, each on what the ones before have left.
    pub(super) fn remove_all(&self, candidates: Vec<Candidate>) -> (Vec<DeadEntry>, FixedTexts) {
        let (mut state, mut removed) = (FixedTexts::default(), Vec::new());
        let may_go = |candidate: &Candidate| {
            candidate.dead.is_certain() && !matches!(candidate.affected, AffectedAnswers::Reported)
        };
        let mut waiting: Vec<usize> =
            (0..candidates.len()).filter(|number| may_go(&candidates[*number])).collect();
        while !waiting.is_empty() {
            let round = self.round(&candidates, &waiting);
            leave(&mut waiting, &round);
            let held = self.hold(&candidates, &round, &state);
            let taken = self.take_out_all(&candidates, &held, &mut state);
            removed.extend(taken.into_iter().map(|number| candidates[number].dead.clone()));
        }
        (removed, state)
    }

    /// Chooses candidates that have nothing to do with each other: of one key only in files that no node loads both of.
    fn round(&self, candidates: &[Candidate], waiting: &[usize]) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut taken: BTreeMap<String, Vec<&LoadingNodes>> = BTreeMap::new();
        let none = LoadingNodes::new();
        for &number in waiting {
            let candidate = &candidates[number];
            let nodes = self.loaded.get(&candidate.dead.file).unwrap_or(&none);
            let keys = candidate.keys(self.ground);
            let is_free = |key: &String| {
                taken.get(key).is_none_or(|others| {
                    !nodes.is_empty() && others.iter().all(|other| other.is_disjoint(nodes))
                })
            };
            if keys.iter().all(is_free) {
                keys.into_iter().for_each(|key| taken.entry(key).or_default().push(nodes));
                chosen.push(number);
            }
        }
        chosen
    }

    /// Returns those of some candidates without which all answers are the same.
    fn hold(&self, candidates: &[Candidate], round: &[usize], state: &FixedTexts) -> Vec<usize> {
        let mut next = state.clone();
        let taken = self.take_out_all(candidates, round, &mut next);
        let mut keys: BTreeSet<String> = BTreeSet::new();
        taken.iter().for_each(|number| keys.extend(candidates[*number].keys(self.ground)));
        let different = self.different(state, &next, keys);
        let none = LoadingNodes::new();
        let holds = |number: &usize| {
            let candidate = &candidates[*number];
            let loaded = self.loaded.get(&candidate.dead.file).unwrap_or(&none);
            candidate.keys(self.ground).iter().all(|key| {
                let nodes = different.get(key);
                nodes.is_none_or(|nodes| !loaded.is_empty() && nodes.is_disjoint(loaded))
            })
        };
        taken.into_iter().filter(holds).collect()
    }

    /// Returns the keys by which two states differ, with the nodes.
    fn different(
        &self,
        old: &FixedTexts,
        new: &FixedTexts,
        keys: BTreeSet<String>,
    ) -> BTreeMap<String, LoadingNodes> {
        let keys: Vec<String> = keys.into_iter().collect();
        let (old, new) = (self.open(old), self.open(new));
        let comparison = Comparison {
            old: &old,
            new: &new,
            nodes: self.search.fleet.nodes,
            tracked: None,
            changed: &[],
            reopen: self.search.reopen,
            is_wanted: &|_| true,
            most_tried: 0,
            progress: self.search.fleet.progress,
            compiles: false,
        };
        let compared = compare(&comparison, &keys, Vec::new());
        let nodes = |pairs: Vec<crate::impact::Pair>| {
            pairs.iter().flat_map(|pair| pair.nodes.iter()).collect::<LoadingNodes>()
        };
        // What templates and loops show is the order, too.
        let mut reordered = compared.reordered;
        let all = keys.into_iter().zip(compared.pairs.into_iter().map(nodes)).enumerate();
        let found = all.map(|(number, (key, mut nodes))| {
            nodes.extend(reordered.remove(&number).unwrap_or_default().iter());
            (key, nodes)
        });
        found.filter(|(_, nodes)| !nodes.is_empty()).collect()
    }

    fn open(&self, state: &FixedTexts) -> Site {
        (self.search.reopen)(state.over(self.search.fleet.site))
    }

    /// Takes candidates out of a state, and returns those for which that is possible.
    fn take_out_all(&self, candidates: &[Candidate], some: &[usize], state: &mut FixedTexts) -> Vec<usize> {
        let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let is_key = |number: &&usize| candidates[**number].dead.path.len() == 1;
        for number in some.iter().filter(is_key) {
            by_file.entry(&candidates[*number].dead.file).or_default().push(*number);
        }
        let mut gone: HashSet<usize> = HashSet::new();
        for (file, numbers) in by_file {
            let keys = numbers.iter().map(|number| candidates[*number].dead.path[0].as_str()).collect();
            if let Some(text) = self.text(file, state).and_then(|text| without_keys(&text, &keys)) {
                state.files.insert(file.into(), Some(text));
                gone.extend(numbers);
            }
        }
        let is_taken =
            |number: &usize| gone.contains(number) || self.take_out(&candidates[*number].dead, state);
        some.iter().copied().filter(is_taken).collect()
    }

    /// Returns the text of a file in a state.
    fn text(&self, file: &str, state: &FixedTexts) -> Option<String> {
        state.files.get(Path::new(file)).map_or_else(|| self.ground.text(file), Clone::clone)
    }

    /// Takes something out of a state; nothing happens where that would touch more.
    fn take_out(&self, dead: &DeadEntry, state: &mut FixedTexts) -> bool {
        let path = Path::new(&dead.file).to_owned();
        if dead.kind == DeadKind::UnloadedFile {
            state.files.insert(path, None);
            return true;
        }
        let changed = self.text(&dead.file, state).and_then(|text| without(&text, &dead.path));
        let is_possible = changed.is_some();
        if is_possible {
            state.files.insert(path, changed);
        }
        is_possible
    }
}

/// Takes what is chosen out of what waits.
fn leave(waiting: &mut Vec<usize>, chosen: &[usize]) {
    let chosen: HashSet<usize> = chosen.iter().copied().collect();
    waiting.retain(|number| !chosen.contains(number));
}

impl Candidate {
    fn needs_proof(&self) -> bool {
        matches!(self.affected, AffectedAnswers::AskersOf(_))
    }

    /// Returns the keys whose answers could be others without it.
    fn keys(&self, ground: &Ground) -> BTreeSet<String> {
        match &self.affected {
            AffectedAnswers::Nothing | AffectedAnswers::Reported => BTreeSet::new(),
            AffectedAnswers::AskersOf(key) => ground.with_askers(key),
            AffectedAnswers::OthersThan(key) => {
                let mut keys = ground.with_askers(key);
                keys.remove(key);
                keys
            }
            AffectedAnswers::Everything => ground.keys().into_iter().map(str::to_owned).collect(),
        }
    }
}
