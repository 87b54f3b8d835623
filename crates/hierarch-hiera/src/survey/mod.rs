//! One question asked of many nodes: nodes for which everything that the answer depends on is the same share it.
//!
//! What a lookup asks of its node, and what it is told, is recorded: which files hold the key, which lookup options
//! apply, which variables its tokens read. These questions form a tree, because the next one depends on the
//! answers before it and on nothing else:
//!
//! ```text
//! files with `motd`?  [os/Debian.yaml, common.yaml]  facts.role?  web  "Welcome to web"
//!                                                                 db   "Welcome to db"
//!                     [common.yaml]                               "Welcome"
//! ```
//!
//! Another node walks down the tree by its own answers. At the end of a branch there is the answer; where a branch is
//! missing the lookup is made, and its record becomes the branch. So the cost follows the number of different answers.

mod chain;
mod fleet;
mod panel;
mod reads;
mod walk;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;
use hierarch_pcore::{Str, Value};

use crate::session::Session;
use crate::template::Variable;

pub(crate) use chain::{Link, Root};
pub(crate) use fleet::Fleet;
use panel::AskedNode;
pub use panel::Panel;
pub(crate) use reads::level_variables;
pub(crate) use walk::{Chain, Recording, SharedOptions};

/// A question to many nodes, with the answers found so far. Threads may share it.
///
/// ```
/// use hierarch_hiera::{Hiera, Query, Scope, Survey};
/// use hierarch_source::MemoryFiles;
///
/// let files = MemoryFiles::from([("hiera.yaml", "version: 5"), ("data/common.yaml", "motd: Hello %{role}")]);
/// let hiera = Hiera::open(files, "hiera.yaml");
/// let motd = Survey::new();
/// let ask = |role: &str| {
///     let mut node = Scope::new();
///     node.set("role", role);
///     motd.ask(&hiera.session(&node), |session| session.lookup(&Query::new(["motd".to_owned()]), None))
/// };
/// assert_eq!(ask("web").as_ref().as_ref().unwrap().as_str(), Some("Hello web"));
/// ask("db");
/// ask("web");
/// assert_eq!(motd.different_answers(), 2);
/// ```
#[derive(Debug)]
pub struct Survey<T> {
    tree: RwLock<Branch<T>>,
}

#[derive(Debug)]
enum Branch<T> {
    /// Nobody came here yet.
    Unknown,
    /// The answer.
    Answer(Arc<T>),
    /// What to ask next.
    Question(Box<Question<T>>),
}

#[derive(Debug)]
struct Question<T> {
    about: About,
    branches: HashMap<Observation, Branch<T>, RandomState>,
}

/// What a lookup asks of its node.
#[derive(Clone, Debug)]
pub(crate) enum About {
    /// Which files of a layer hold a key.
    Files {
        /// The layer, by its address; layers live as long as the data they belong to.
        layer: usize,
        /// The default hierarchy of a module is meant.
        is_default: bool,
        /// The key.
        root: Arc<Root>,
    },
    /// The lookup options for the keys of a module.
    Options(Option<Str>),
    /// The value of a variable, or of something in it.
    Variable(Arc<Variable>),
}

/// What it is told.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Observation {
    /// These files, by the number of their list.
    Files(u32),
    /// These options, by their number.
    Options(u32),
    /// There is no such variable.
    Undefined,
    /// This value.
    Value(Value),
    /// The variable has this value, in which nothing can be dug for.
    Undiggable(Value),
}

/// A question and its answer, in the order they came.
pub(crate) type Note = (About, Observation);

impl About {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Files { layer, is_default, root },
                Self::Files { layer: other, is_default: default, root: name },
            ) => layer == other && is_default == default && Arc::ptr_eq(root, name),
            (Self::Options(module), Self::Options(other)) => module == other,
            (Self::Variable(variable), Self::Variable(other)) => variable.text == other.text,
            _ => false,
        }
    }
}

impl<T> Default for Survey<T> {
    fn default() -> Self {
        Self { tree: RwLock::new(Branch::Unknown) }
    }
}

impl<T> Survey<T> {
    /// Makes a survey without answers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the answer for a node: one that is known, or what `find` finds by asking the session for keys.
    /// Nothing but the session may have a say in it.
    pub fn ask(&self, session: &Session, find: impl FnOnce(&Session) -> T) -> Arc<T> {
        if let Some(known) = session.observing(|walk| self.known(|about| walk.observe(about))) {
            return known;
        }
        session.begin_recording();
        let answer = Arc::new(find(session));
        if let Some(notes) = session.end_recording() {
            self.learn(notes, Arc::clone(&answer));
        }
        answer
    }

    /// Asks nodes together, and tells each answer with the number of the node. The tree is searched for all of them at once, so
    /// that threads that share it are seldom in each other's way.
    pub fn ask_all(&self, panel: &Panel, find: impl Fn(&Session) -> T, tell: impl FnMut(usize, &T)) {
        self.ask_those(panel, panel.all(), find, tell);
    }

    /// Asks some of the nodes of a panel, by their numbers.
    pub fn ask_some(
        &self,
        panel: &Panel,
        numbers: impl Iterator<Item = usize>,
        find: impl Fn(&Session) -> T,
        tell: impl FnMut(usize, &T),
    ) {
        let asked = numbers.filter_map(|number| Some((0, u32::try_from(number).ok()?))).collect();
        self.ask_those(panel, asked, find, tell);
    }

    fn ask_those(
        &self,
        panel: &Panel,
        mut asked: Vec<AskedNode>,
        find: impl Fn(&Session) -> T,
        mut tell: impl FnMut(usize, &T),
    ) {
        let mut unknown = Vec::new();
        self.tree.read().unwrap_or_else(PoisonError::into_inner).find_all(
            panel,
            &mut asked,
            |some, answer| {
                for (_, number) in some {
                    match answer {
                        Some(answer) => tell(*number as usize, answer),
                        None => unknown.push(*number),
                    }
                }
            },
        );
        unknown.sort_unstable();
        for number in unknown {
            tell(number as usize, &self.ask(panel.session(number), &find));
        }
    }

    /// Returns how many answers were found that may differ.
    pub fn different_answers(&self) -> usize {
        self.tree.read().unwrap_or_else(PoisonError::into_inner).answers()
    }

    pub(crate) fn known(&self, observe: impl FnMut(&About) -> Option<Observation>) -> Option<Arc<T>> {
        self.tree.read().unwrap_or_else(PoisonError::into_inner).find(observe).cloned()
    }

    pub(crate) fn learn(&self, notes: Vec<Note>, answer: Arc<T>) {
        let mut tree = self.tree.write().unwrap_or_else(PoisonError::into_inner);
        let mut branch = &mut *tree;
        for (about, seen) in notes {
            if matches!(branch, Branch::Unknown) {
                let about = about.clone();
                *branch = Branch::Question(Box::new(Question { about, branches: HashMap::default() }));
            }
            match branch {
                Branch::Question(question) if question.about.is(&about) => {
                    branch = question.branches.entry(seen).or_insert(Branch::Unknown);
                }
                // Another thread was quicker, or there is no saying what the answer depends on.
                _ => return,
            }
        }
        if matches!(branch, Branch::Unknown) {
            *branch = Branch::Answer(answer);
        }
    }
}

impl<T> Branch<T> {
    /// Walks down by what a node is told.
    fn find(&self, mut observe: impl FnMut(&About) -> Option<Observation>) -> Option<&Arc<T>> {
        let mut branch = self;
        loop {
            match branch {
                Self::Unknown => return None,
                Self::Answer(answer) => return Some(answer),
                Self::Question(question) => {
                    branch = question.branches.get(&observe(&question.about)?)?;
                }
            }
        }
    }

    /// Walks down with many nodes, which part where they are told different things. Those that get the same answer are told of
    /// together; those whose branch is missing, without one.
    fn find_all<'t>(
        &'t self,
        panel: &Panel,
        asked: &mut [AskedNode],
        mut tell: impl FnMut(&[AskedNode], Option<&'t Arc<T>>),
    ) {
        let mut open: Vec<(&Self, Range<usize>)> = vec![(self, 0..asked.len())];
        while let Some((branch, range)) = open.pop() {
            let some = &mut asked[range.clone()];
            let question = match branch {
                Self::Unknown => {
                    tell(some, None);
                    continue;
                }
                Self::Answer(answer) => {
                    tell(some, Some(answer));
                    continue;
                }
                Self::Question(question) => question,
            };
            panel.ask(&question.about, some);
            let mut start = range.start;
            for same in some.chunk_by(|a, b| a.0 == b.0) {
                let range = start..start + same.len();
                start = range.end;
                let next =
                    panel.with_observation(&question.about, same[0].0, |seen| question.branches.get(seen));
                match next {
                    Some(next) => open.push((next, range)),
                    None => tell(same, None),
                }
            }
        }
    }

    fn answers(&self) -> usize {
        match self {
            Self::Unknown => 0,
            Self::Answer(_) => 1,
            Self::Question(question) => question.branches.values().map(Self::answers).sum(),
        }
    }
}
