//! `history`: in which states of a site the answer to one question of one node changed, and because of which edit.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_site::Site;
use hierarch_source::{Files, Overlay, Result};

use crate::ask::with_sessions;
use crate::beside::shown_beside;
use crate::edits::Edit;
use crate::impact::{ComparedAnswer, Comparison, MOST_TRIED, Proof, impact};
use crate::nodes::NodeSet;
use crate::record::{FileQuestion, RecordedFiles};

/// States of a repository, numbered from the newest on.
pub trait States: Sync {
    /// Tells how many there are.
    fn count(&self) -> usize;

    /// Returns the number of the state before one; none for the first.
    fn before(&self, number: usize) -> Option<usize>;

    /// Opens the files of a state.
    fn files(&self, number: usize) -> Result<Arc<dyn Files>>;

    /// Tells whether the same stands at a path in two states, as far as was asked.
    fn is_same(&self, a: usize, b: usize, asked: &FileQuestion) -> bool;

    /// Lists the paths of the files that differ between two states, sorted.
    fn changed(&self, old: usize, new: usize) -> Result<Vec<String>>;
}

/// What is asked about the states.
pub struct Past<'p> {
    /// The states.
    pub states: &'p dyn States,
    /// Opens a site on the files of a state.
    pub open: &'p (dyn Fn(Arc<dyn Files>) -> Site + Sync),
    /// The one node, with the facts that it has now.
    pub nodes: &'p NodeSet,
    /// The key, which digs if it has dots.
    pub key: &'p str,
    /// Is told how many states are done, of how many.
    pub progress: Option<&'p (dyn Fn(usize, usize) + Sync)>,
    /// The catalog of each state is compiled first.
    pub compiles: bool,
}

/// A state in which the answer changed, or could not be given.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// The number of the state.
    pub number: usize,
    /// What was before; nothing where there was no value.
    pub old: Option<Value>,
    /// What is since; nothing where there is no value.
    pub new: Option<Value>,
    /// Why the state could not be asked; then nothing is compared.
    pub failure: Option<String>,
    /// The edits that made the change.
    pub causes: Vec<Edit>,
    /// How that was proved.
    pub proof: Option<Proof>,
}

/// The changes, newest first, and what was there before the first of them.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The changes, newest first.
    pub moments: Vec<Moment>,
    /// The oldest state that was looked at and could be asked, with its value.
    pub first: Option<(usize, Option<Value>)>,
    /// How many states were looked at: fewer than there are where Ctrl-C ended it.
    pub seen: usize,
    /// In how many states the key was looked up; in all others nothing that the lookup reads had changed.
    pub looked_up: usize,
}

/// What is known of a state.
#[derive(Clone)]
struct KnownState {
    told: Arc<ComparedAnswer>,
    shown: Option<Value>,
    /// Secrets may not be shown.
    hides: bool,
}

/// Finds out when an answer changed.
pub fn history(past: &Past) -> History {
    let mut asking = HistoryRun { past, known: HashMap::new(), last: None, looked_up: 0 };
    let mut told = asking.all();
    let is_secret = hide_past(&mut told);
    let count = told.len();
    let mut history = History { looked_up: asking.looked_up, seen: count, ..History::default() };
    for number in 0..count {
        let own = &told[number];
        if let ComparedAnswer::Failed(failure) = &*own.told {
            // A failure that goes on is told once, in the state that it began in.
            let is_new = past
                .states
                .before(number)
                .and_then(|before| told.get(before))
                .is_none_or(|before| before.told != own.told);
            if is_new {
                let failure = Some(failure.clone());
                history.moments.push(Moment {
                    number,
                    old: None,
                    new: None,
                    failure,
                    causes: Vec::new(),
                    proof: None,
                });
            }
            continue;
        }
        let Some((before, good)) = last_good(past.states, &told, number) else { continue };
        if good.told != own.told {
            let (mut causes, proof) = causes(past, before, number);
            if is_secret {
                causes.iter_mut().for_each(Edit::hide);
            }
            let (old, new) = (good.shown.clone(), own.shown.clone());
            history.moments.push(Moment { number, old, new, failure: None, causes, proof });
        }
    }
    let oldest = (0..count).rev().find(|number| !matches!(*told[*number].told, ComparedAnswer::Failed(_)));
    history.first = oldest.map(|number| (number, told[number].shown.clone()));
    history
}

/// Hides in all states what is secret in the newest that has a secret: what was plain then may be the secret of now. Tells whether
/// there is one.
fn hide_past(told: &mut [KnownState]) -> bool {
    let newest = told.iter().find(|known| known.hides && known.told.is_secret());
    let Some(secret) = newest.map(|known| Arc::clone(&known.told)) else { return false };
    for known in told.iter_mut().filter(|known| !known.told.is_secret()) {
        known.shown = shown_beside(&known.told, &secret);
    }
    true
}

/// Finds the nearest state before one that could be asked.
fn last_good<'t>(
    states: &dyn States,
    told: &'t [KnownState],
    number: usize,
) -> Option<(usize, &'t KnownState)> {
    let mut at = states.before(number)?;
    loop {
        match told.get(at)? {
            known if matches!(*known.told, ComparedAnswer::Failed(_)) => at = states.before(at)?,
            known => return Some((at, known)),
        }
    }
}

struct HistoryRun<'a, 'p> {
    past: &'a Past<'p>,
    known: HashMap<usize, KnownState>,
    /// The last state that was looked up, and what was asked of its files.
    last: Option<(usize, Vec<FileQuestion>)>,
    looked_up: usize,
}

impl History {
    /// Tells whether the key had a value in some state that could be asked.
    pub fn has_some(&self) -> bool {
        let is_some = |moment: &Moment| moment.old.is_some() || moment.new.is_some();
        self.moments.iter().any(is_some) || self.first.as_ref().is_some_and(|(_, value)| value.is_some())
    }
}

impl HistoryRun<'_, '_> {
    /// Asks all states, the newest first, until Ctrl-C ends it.
    fn all(&mut self) -> Vec<KnownState> {
        let count = self.past.states.count();
        let mut told = Vec::new();
        for number in 0..count {
            if self.past.nodes.is_stopped() {
                break;
            }
            told.push(self.told(number));
            if let Some(progress) = self.past.progress {
                progress(number + 1, count);
            }
        }
        told
    }

    fn told(&mut self, number: usize) -> KnownState {
        let known = match &self.last {
            Some((last, asked))
                if asked.iter().all(|asked| self.past.states.is_same(*last, number, asked)) =>
            {
                self.known.get(last).cloned()
            }
            _ => None,
        };
        let known = known.unwrap_or_else(|| self.look_up(number));
        self.known.insert(number, known.clone());
        known
    }

    fn look_up(&mut self, number: usize) -> KnownState {
        self.looked_up += 1;
        let files = match self.past.states.files(number) {
            Ok(files) => files,
            Err(error) => {
                return KnownState {
                    told: Arc::new(ComparedAnswer::Failed(error.to_string())),
                    shown: None,
                    hides: true,
                };
            }
        };
        let recorded = Arc::new(RecordedFiles::new(files));
        let site = (self.past.open)(Arc::clone(&recorded) as Arc<dyn Files>);
        let known = self.ask(&site);
        self.last = Some((number, recorded.asked()));
        known
    }

    fn ask(&self, site: &Site) -> KnownState {
        let failed = |message: String| KnownState {
            told: Arc::new(ComparedAnswer::Failed(message)),
            shown: None,
            hides: true,
        };
        let Some((name, known)) = self.past.nodes.at(0) else { return failed(String::new()) };
        let facts = match self.past.nodes.facts(name, known) {
            Ok(facts) => facts,
            Err(error) => return failed(error.to_string()),
        };
        let node = site.node_with(name, facts);
        let node = match if self.past.compiles { node.compiled() } else { Ok(node) } {
            Ok(node) => node,
            Err(error) => return failed(error.to_string()),
        };
        let environment = Arc::clone(node.environment());
        let query = hierarch_hiera::Query::new([self.past.key]);
        let told = with_sessions(&[node], |sessions| ComparedAnswer::of(&environment, &sessions[0], &query));
        let shown = told.shown().cloned();
        KnownState { told: Arc::new(told), shown, hides: !environment.may_show_secrets() }
    }
}

/// Finds the edits between two states that changed the answer.
fn causes(past: &Past, old: usize, new: usize) -> (Vec<Edit>, Option<Proof>) {
    let found = || -> Result<_> {
        let (before, after) = (past.states.files(old)?, past.states.files(new)?);
        Ok((before, after, past.states.changed(old, new)?))
    };
    let Ok((before, after, changed)) = found() else { return (Vec::new(), None) };
    let root = crate::impact::root_of(past.key).to_owned();
    let answer = impact(&Comparison {
        old: &(past.open)(before),
        new: &(past.open)(after),
        nodes: past.nodes,
        tracked: None,
        changed: &changed,
        reopen: &|overlay: Overlay| (past.open)(Arc::new(overlay)),
        is_wanted: &|key| key == root,
        most_tried: MOST_TRIED,
        progress: None,
        compiles: past.compiles,
    });
    answer.groups.into_iter().next().map_or((Vec::new(), None), |group| (group.causes, group.proof))
}
