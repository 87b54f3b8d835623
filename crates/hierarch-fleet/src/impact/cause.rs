//! Causes, proved: an edit is the cause if the old answer is back once the edit alone is undone.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Comparison;
use super::affected::{Ground, Reach};
use super::reduce::MANY;
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
    /// Some of them may not be needed: to find out, more would have to be tried than is allowed.
    pub(crate) is_limited: bool,
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
    /// The numbers of the files that have edits.
    files: HashMap<String, usize>,
    /// Some file is read wherever another is.
    has_includes: bool,
    /// The numbers of those files that are gone: whoever would read them does so again without their edits.
    gone: HashSet<usize>,
    /// Keys that an edit changes the options of all keys by.
    options: BTreeSet<String>,
    /// The files that have no aliases.
    plain_files: Mutex<HashMap<String, bool>>,
    /// The true paths of files.
    resolved: Mutex<HashMap<PathBuf, PathBuf>>,
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
        let mut files = HashMap::new();
        for (edit, _) in &edits {
            let next = files.len();
            files.entry(edit.file.clone()).or_insert(next);
        }
        let is_gone = |file: &str| comparison.new.files().read(Path::new(file)).is_err();
        let gone = files.iter().filter(|(file, _)| is_gone(file)).map(|(_, number)| *number).collect();
        Self {
            comparison,
            ground,
            edits,
            gone,
            files,
            has_includes: ground.has_includes(),
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
    pub(super) fn is_apart(&self, number: usize) -> bool {
        let file = &self.edits[number].0.file;
        let read = || {
            let bytes = self.comparison.new.files().read(Path::new(file)).unwrap_or_default();
            !has_aliases(&bytes)
        };
        let mut known = self.plain_files.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_leaf(number) && *known.entry(file.clone()).or_insert_with(read)
    }

    /// Tells whether nodes that get the same two values of a key from the same files get the same value without some edits as well.
    ///
    /// It is so where all edits are leaves, the key asks for no other, and stands in the same files before and after: then all
    /// states have the same list of files for a node, merged in the same way, and whatever the values there read of a node was
    /// read before or after, and was the same.
    pub(super) fn has_one_answer_for_alike(&self, key: &str) -> bool {
        let has_same_options = self.options.iter().all(|key| !self.by_key.contains_key(key));
        let is_leaves_alone = !self.comparison.compiles
            && self.comparison.tracked.is_none()
            && self.of_many.is_empty()
            && has_same_options;
        let own = self.by_key.get(key);
        is_leaves_alone
            && self.ground.needs(key).len() == 1
            && self.ground.stands_in_the_same_files(key)
            && own.into_iter().flatten().all(|number| self.is_apart(*number))
    }

    /// Returns the true path of a file of the new site.
    pub(crate) fn resolved(&self, path: &Path) -> PathBuf {
        let mut known = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let resolve = || self.comparison.new.files().resolve(path).unwrap_or_else(|_| path.to_owned());
        known.entry(path.to_owned()).or_insert_with(resolve).clone()
    }

    /// Returns the edits that can have to do with a key, the likeliest first. Many leaves of the key itself in one file are one unit.
    pub(super) fn units(&self, key: &str, needs: &BTreeSet<String>) -> Vec<Vec<usize>> {
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

    /// Tells whether an edit may have to do with the answer of a node that looked into some of the edited files, by their numbers:
    /// a lookup that reads nothing of an edit goes the same way without it.
    pub(super) fn may_reach(&self, number: usize, read: &HashSet<usize>) -> bool {
        let file = self.file_number(&self.edits[number].0.file);
        let is_sure = !self.comparison.compiles && !self.has_includes && self.is_leaf(number);
        !is_sure || file.is_none_or(|file| read.contains(&file) || self.gone.contains(&file))
    }

    /// Returns the numbers of those of some files that have edits.
    pub(super) fn edited<'f>(&self, files: impl Iterator<Item = &'f str>) -> HashSet<usize> {
        let number = |file: &str| {
            let resolved = self.resolved(Path::new(file));
            self.file_number(file).or_else(|| self.file_number(&resolved.display().to_string()))
        };
        files.filter_map(number).collect()
    }

    /// Returns the number of a file, if it has edits.
    pub(super) fn file_number(&self, file: &str) -> Option<usize> {
        self.files.get(file).copied()
    }

    /// Counts another state that is tried, and tells whether that is one more than is allowed.
    pub(super) fn is_over(&self) -> bool {
        self.comparison.nodes.is_stopped()
            || self.tried.fetch_add(1, Ordering::Relaxed) >= self.comparison.most_tried
    }

    /// Tells whether more had to be tried than is allowed.
    pub(crate) fn gave_up(&self) -> bool {
        self.tried.load(Ordering::Relaxed) >= self.comparison.most_tried || self.comparison.nodes.is_stopped()
    }
}
