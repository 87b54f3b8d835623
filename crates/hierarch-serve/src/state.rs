//! One state of the site: its files, what was read of them, and the answers that are known already.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use hierarch_fleet::{Fleet, NodeSet, undefined_in_paths};
use hierarch_hiera::Survey;
use hierarch_hiera::facts::check_known;
use hierarch_site::{Environment, Node, Site};
use hierarch_source::{Files, MemoryFiles, nearest};
use rayon::prelude::*;

use crate::issues;
use crate::problem::Problem;
use crate::program::Opening;
use crate::replies::Replies;
use crate::routes::lookup::LookupOutcome;
use crate::serve::Shared;
use crate::snapshot::{Snapshot, stamp};

/// So many nodes are kept ready to be asked.
const MOST_NODES: usize = 20_000;
/// So many keys have their answers remembered.
const MOST_SURVEYS: usize = 20_000;
/// So many long answers are remembered.
const MOST_ANSWERS: usize = 200;
/// So many bytes they may have together.
const MOST_BYTES: usize = 64 << 20;
/// So many revisions are kept open.
const MOST_REVISIONS: usize = 4;
/// So many nodes are asked which data files there are.
const ASKED_NODES: usize = 500;

/// What a survey is about: environment, key, strategy, and whether secrets are shown.
pub(crate) type SurveyId = (String, String, Option<String>, bool);

/// One state of the site.
pub(crate) struct State {
    /// Its number; a later one is larger.
    pub(crate) generation: u64,
    /// When it was made, by the program's clock.
    pub(crate) born: Duration,
    /// The files that changed since the state before.
    pub(crate) changed: Vec<PathBuf>,
    /// A number that differs when nodes or their facts may have changed.
    pub(crate) nodes_stamp: u64,
    files: Arc<dyn Files>,
    snapshot: Option<Arc<Snapshot>>,
    sites: [OnceLock<Result<Arc<Site>, String>>; 3],
    nodes: Result<Arc<NodeSet>, String>,
    known_nodes: Mutex<HashMap<(String, bool), Arc<Node>>>,
    surveys: RwLock<HashMap<SurveyId, Arc<Survey<LookupOutcome>>>>,
    answers: Mutex<Answers>,
    /// Short answers, as they were sent.
    pub(crate) replies: Replies,
    keys: OnceLock<BTreeMap<String, usize>>,
    warnings: OnceLock<Arc<Vec<String>>>,
    revisions: Mutex<Vec<(String, Arc<State>)>>,
}

#[derive(Default)]
struct Answers {
    known: HashMap<String, Arc<String>>,
    bytes: usize,
}

impl State {
    /// Makes the state of now.
    pub(crate) fn load(shared: &Shared, before: Option<&State>) -> Self {
        let program = &*shared.program;
        let old = before.and_then(|state| state.snapshot.as_deref());
        let now = || program.now();
        let passed_over = [program.node_sources(), program.bystanders()].concat();
        let snapshot = Arc::new(Snapshot::take(&program.roots(), &passed_over, old, &now));
        let changed = old.map(|old| snapshot.differences(old)).unwrap_or_default();
        let generation = before.map_or(1, |state| state.generation + 1);
        let mut state = Self::on(Arc::clone(&snapshot) as Arc<dyn Files>, generation, program.clock());
        state.snapshot = Some(snapshot);
        state.changed = changed;
        let age = program.nodes_age().map_or(0, |age| state.born.as_secs() / age.as_secs().max(1));
        state.nodes_stamp = stamp(&program.node_sources()).wrapping_add(age);
        let known = before.filter(|before| before.nodes_stamp == state.nodes_stamp && before.generation > 0);
        state.nodes = match known {
            Some(before) if before.nodes.is_ok() && !program.nodes_follow_data() => before.nodes.clone(),
            _ => state.read_nodes(shared),
        };
        if let Some(before) = known.filter(|_| !state.changed.iter().any(|path| is_hierarchy(path))) {
            state.warnings = before.warnings.clone();
        }
        state
    }

    /// Returns a state before anything was read.
    pub(crate) fn empty(born: Duration) -> Self {
        Self::on(Arc::new(MemoryFiles::default()), 0, born)
    }

    fn read_nodes(&self, shared: &Shared) -> Result<Arc<NodeSet>, String> {
        let site = self.site(shared, false).map_err(|problem| problem.detail)?;
        shared.program.nodes(&site).map(Arc::new)
    }

    fn on(files: Arc<dyn Files>, generation: u64, born: Duration) -> Self {
        Self {
            generation,
            born,
            changed: Vec::new(),
            nodes_stamp: 0,
            files,
            snapshot: None,
            sites: Default::default(),
            nodes: Ok(Arc::default()),
            known_nodes: Mutex::default(),
            surveys: RwLock::default(),
            answers: Mutex::default(),
            replies: Replies::default(),
            keys: OnceLock::new(),
            warnings: OnceLock::new(),
            revisions: Mutex::default(),
        }
    }

    /// Returns the state at a revision, with the nodes of now.
    pub(crate) fn at(self: &Arc<Self>, shared: &Shared, name: &str) -> Result<Arc<Self>, Problem> {
        let revisions = shared.program.revisions().ok_or_else(issues::no_revisions)?;
        let (id, files) = revisions.at(name).map_err(|why| issues::unknown_revision(&why))?;
        let mut known = lock(&self.revisions);
        if let Some((_, state)) = known.iter().find(|(own, _)| *own == id) {
            return Ok(Arc::clone(state));
        }
        let mut state = Self::on(files, self.generation, self.born);
        state.nodes.clone_from(&self.nodes);
        let state = Arc::new(state);
        known.truncate(MOST_REVISIONS - 1);
        known.insert(0, (id, Arc::clone(&state)));
        Ok(state)
    }

    /// Returns the site for lookups, with or without secrets.
    pub(crate) fn site(&self, shared: &Shared, shows_secrets: bool) -> Result<Arc<Site>, Problem> {
        self.opened(shared, usize::from(shows_secrets), Opening { shows_secrets, compiles: false })
    }

    /// Returns the site for catalogs.
    pub(crate) fn compiler(&self, shared: &Shared) -> Result<Arc<Site>, Problem> {
        self.opened(shared, 2, Opening { shows_secrets: false, compiles: true })
    }

    fn opened(&self, shared: &Shared, number: usize, opening: Opening) -> Result<Arc<Site>, Problem> {
        let open = || shared.program.open(Arc::clone(&self.files), opening).map(Arc::new);
        self.sites[number].get_or_init(open).clone().map_err(|why| issues::not_ready(&why))
    }

    /// Tells why nothing can be asked: the site, its nodes or a hiera.yaml cannot be read.
    pub(crate) fn problem(&self, shared: &Shared) -> Option<Problem> {
        let checked = || -> Result<(), Problem> {
            let site = self.site(shared, false)?;
            self.nodes()?;
            for environment in environments(&site) {
                let folder = environment.folder().map(|folder| folder.display().to_string());
                let found = environment.hiera().hierarchies(&[]);
                found.map_err(|error| Problem {
                    status: 503,
                    ..Problem::from_error(&error).below(&folder.unwrap_or_default())
                })?;
            }
            Ok(())
        };
        checked().err()
    }

    /// Returns what makes answers doubtful: variables in the paths of hierarchies that no node has, so that manifests may set them.
    pub(crate) fn warnings(&self, shared: &Shared) -> &[String] {
        self.warnings.get_or_init(|| Arc::new(self.find_warnings(shared).unwrap_or_default()))
    }

    fn find_warnings(&self, shared: &Shared) -> Result<Vec<String>, Problem> {
        let (site, nodes) = (self.site(shared, false)?, self.nodes()?);
        // Only hierarchies that were read are looked at.
        for environment in environments(&site) {
            let _ = environment.hiera().hierarchies(&[]);
        }
        Ok(undefined_in_paths(&Fleet::new(&site, &nodes)))
    }

    /// Returns the files.
    pub(crate) fn files(&self) -> &Arc<dyn Files> {
        &self.files
    }

    /// Tells how many files there are.
    pub(crate) fn file_count(&self) -> usize {
        self.snapshot.as_ref().map_or(0, |snapshot| snapshot.count())
    }

    /// Returns the nodes that are known.
    pub(crate) fn nodes(&self) -> Result<Arc<NodeSet>, Problem> {
        self.nodes.clone().map_err(|why| issues::not_ready(&why))
    }

    /// Returns a known node, ready to be asked. Its name may be that of a node of a later state.
    pub(crate) fn node(
        &self,
        site: &Arc<Site>,
        now: &State,
        name: &str,
        shows_secrets: bool,
    ) -> Result<Arc<Node>, Problem> {
        let id = (name.to_owned(), shows_secrets);
        if let Some(node) = lock(&self.known_nodes).get(&id) {
            return Ok(Arc::clone(node));
        }
        let node = Arc::new(now.open_node(site, name)?);
        let mut known = lock(&self.known_nodes);
        if known.len() >= MOST_NODES {
            known.clear();
        }
        Ok(Arc::clone(known.entry(id).or_insert(node)))
    }

    /// Makes a node of what is known about it.
    pub(crate) fn open_node(&self, site: &Site, name: &str) -> Result<Node, Problem> {
        let nodes = self.nodes()?;
        let Some(known) = nodes.find(name) else {
            return Err(issues::unknown_node(name, &nearest(name, nodes.names())));
        };
        let known = known.map_err(|error| issues::unusable_node(name, &error.to_string()))?;
        if known.trusted.is_none() {
            check_known(&known.facts, name)
                .map_err(|error| issues::unusable_node(name, &error.to_string()))?;
        }
        if let Some(environment) = &known.environment {
            has_environment(site, environment)?;
        }
        Ok(site.node_with(name, known))
    }

    /// Refuses an environment that there is not.
    pub(crate) fn check_environment(&self, shared: &Shared, name: &str) -> Result<(), Problem> {
        has_environment(&*self.site(shared, false)?, name)
    }

    /// Returns the answers to a question that are known already.
    pub(crate) fn survey(&self, id: SurveyId) -> Arc<Survey<LookupOutcome>> {
        if let Some(survey) = self.surveys.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Arc::clone(survey);
        }
        let mut known = self.surveys.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_SURVEYS {
            known.clear();
        }
        Arc::clone(known.entry(id).or_insert_with(|| Arc::new(Survey::new())))
    }

    /// Returns a long answer, made once.
    pub(crate) fn remembered(
        &self,
        question: &str,
        answer: impl FnOnce() -> Result<String, Problem>,
    ) -> Result<Arc<String>, Problem> {
        if let Some(known) = lock(&self.answers).known.get(question) {
            return Ok(Arc::clone(known));
        }
        let answer = Arc::new(answer()?);
        let mut answers = lock(&self.answers);
        if answers.known.len() >= MOST_ANSWERS || answers.bytes + answer.len() > MOST_BYTES {
            *answers = Answers::default();
        }
        answers.bytes += answer.len();
        answers.known.insert(question.to_owned(), Arc::clone(&answer));
        Ok(answer)
    }

    /// Returns all keys that data files hold, with the number of files.
    pub(crate) fn keys(&self, shared: &Shared) -> Result<&BTreeMap<String, usize>, Problem> {
        let site = self.site(shared, false)?;
        let nodes = self.nodes()?;
        Ok(self.keys.get_or_init(|| self.find_keys(&site, &nodes)))
    }

    /// Many nodes are asked which files they load, not all: other files in the same folders are read as those are.
    fn find_keys(&self, site: &Arc<Site>, nodes: &NodeSet) -> BTreeMap<String, usize> {
        let step = nodes.len().div_ceil(ASKED_NODES).max(1);
        let names: Vec<&str> = nodes.names().step_by(step).collect();
        names.par_iter().for_each(|name| {
            if let Ok(node) = self.open_node(site, name) {
                // What cannot be read is told when a key is asked for.
                let _ = node.environment().read_data_of(&node);
            }
        });
        let mut keys = BTreeMap::new();
        for environment in environments(site) {
            self.count_keys(&environment, &mut keys);
        }
        keys.remove("lookup_options");
        keys
    }

    fn count_keys(&self, environment: &Environment, keys: &mut BTreeMap<String, usize>) {
        let contents = environment.hiera().contents();
        let mut seen: std::collections::HashSet<(String, &'static str)> = std::collections::HashSet::new();
        for content in &contents {
            seen.insert((content.file.clone(), content.backend));
            for (key, _) in content.entries.iter().flatten() {
                *keys.entry(key.clone()).or_default() += 1;
            }
        }
        let Some(snapshot) = &self.snapshot else { return };
        let mut folders = std::collections::HashSet::new();
        for content in &contents {
            let path = Path::new(&content.file);
            if !folders.insert((path.parent().map(Path::to_owned), path.extension().map(ToOwned::to_owned))) {
                continue;
            }
            for file in snapshot.siblings(path) {
                if seen.insert((file.clone(), content.backend))
                    && let Ok(entries) = environment.hiera().read_data(content.backend, &file)
                {
                    for (key, _) in &entries {
                        *keys.entry(key.to_plain()).or_default() += 1;
                    }
                }
            }
        }
    }
}

/// Tells whether a file says which levels there are.
fn is_hierarchy(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "hiera.yaml" || name == "environment.conf")
}

/// Returns all environments of a site.
pub(crate) fn environments(site: &Site) -> Vec<Arc<Environment>> {
    site.environment_names().iter().map(|name| site.environment_named(name)).collect()
}

fn has_environment(site: &Site, name: &str) -> Result<(), Problem> {
    // A control repository is one environment, whatever it is called.
    if site.is_one_environment() {
        return Ok(());
    }
    let known = site.environment_names();
    if known.iter().any(|own| own == name) { Ok(()) } else { Err(issues::unknown_environment(name, &known)) }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a number that differs for different texts, as far as can be told.
pub(crate) fn sum(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
