//! What an environment has: its hierarchies, all data files that some node could load, and its code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_hiera::{Content, Layout, UnlistedKeys, references};
use hierarch_pcore::{Type, Value};
use hierarch_site::{Environment, Node, NodeFacts, Site};
use hierarch_source::{Error, Files, Source};
use hierarch_yaml::Tree;

use crate::ask::{Fleet, Ready, UnansweredNode, open, with_sessions};
use crate::code::Code;
use crate::file_tree::FileTree;
use crate::reason::Reason;

/// What an environment has.
pub(crate) struct Ground {
    pub(crate) environment: Arc<Environment>,
    /// The levels of all layers.
    pub(crate) layouts: Vec<Layout>,
    /// Why a layer cannot be read.
    pub(crate) broken: Vec<Error>,
    /// The data files that a level can name.
    pub(crate) files: Vec<DataFile>,
    /// Files in the folders of data that no level can name.
    pub(crate) unnamed: Vec<String>,
    pub(crate) code: Code,
    /// The keys that tokens in data ask for.
    pub(crate) asked: BTreeSet<String>,
    /// What each key asks for by tokens.
    pub(crate) asks: BTreeMap<String, BTreeSet<String>>,
    /// The keys that ask for each key by tokens.
    askers: BTreeMap<String, BTreeSet<String>>,
    /// The modules that are there, and the first names of classes outside of modules.
    pub(crate) modules: BTreeSet<String>,
    /// The file whose text was read last, for the many questions about one.
    last_tree: Mutex<Option<(String, Option<Arc<FileTree>>)>>,
}

/// A data file.
pub(crate) struct DataFile {
    pub(crate) content: Content,
    /// The module that it belongs to.
    pub(crate) module: Option<String>,
    /// Some of the nodes loads it.
    pub(crate) is_loaded: bool,
}

impl DataFile {
    pub(crate) fn path(&self) -> &str {
        &self.content.file
    }

    /// Returns its entries, none if it cannot be read.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.content.entries.iter().flatten().map(|(key, value)| (key.as_str(), value))
    }
}

/// Folders deeper than this are not looked into: a link may lead back up.
const DEEPEST: usize = 32;

/// Reads what the nodes of a fleet see, and returns the ground of each environment, and the nodes that do not see all of their
/// hierarchy. Where no node can be read it is the site's own.
pub(crate) fn grounds(fleet: &Fleet) -> (Vec<Ground>, Vec<UnansweredNode>) {
    let (parts, unread) = fleet.in_parts(|ready| read_part(fleet, &ready));
    let mut unanswered: Vec<UnansweredNode> = unread.into_iter().map(|(_, one)| one).collect();
    let mut environments: BTreeMap<String, Arc<Environment>> = BTreeMap::new();
    for (environment, broken) in parts.into_iter().flatten() {
        environments.insert(environment.name().to_owned(), environment);
        unanswered.extend(broken);
    }
    if environments.is_empty() {
        let own = fleet.site.environment();
        environments.insert(own.name().to_owned(), own);
    }
    unanswered.sort();
    (environments.into_values().map(Ground::new).collect(), unanswered)
}

fn read_part(fleet: &Fleet, ready: &[Ready]) -> Option<(Arc<Environment>, Vec<UnansweredNode>)> {
    let nodes = open(fleet.site, ready);
    let environment = Arc::clone(nodes.first()?.environment());
    let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
    let broken = with_sessions(&nodes, |sessions| {
        let mut broken = Vec::new();
        for (ready, session) in ready.iter().zip(sessions) {
            // What is wrong with a module's own data says nothing about the levels of the site.
            let error = session.read_all(&[]).into_iter().find_map(|gap| match gap {
                UnlistedKeys::Broken(error) => Some(Reason::of(&environment, &error)),
                UnlistedKeys::Function { .. } => None,
            });
            broken.extend(error.map(|reason| UnansweredNode { node: ready.name.clone(), reason }));
            session.read_all(&modules);
        }
        broken
    });
    Some((environment, broken))
}

impl Ground {
    pub(crate) fn new(environment: Arc<Environment>) -> Self {
        let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
        let hiera = environment.hiera();
        let (layouts, broken) = hiera.layouts(&modules);
        let loaded: BTreeMap<(String, String), Content> = hiera
            .contents()
            .into_iter()
            .map(|content| ((content.file.clone(), content.backend.to_owned()), content))
            .collect();
        let (files, unnamed) = data_files(&environment, &layouts, loaded);
        let mut asks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (key, value) in files.iter().flat_map(DataFile::entries) {
            let found =
                references(value).into_iter().map(|found| crate::impact::root_of(&found.key).to_owned());
            asks.entry(key.to_owned()).or_default().extend(found);
        }
        let asked = asks.values().flatten().cloned().collect();
        let askers = turned_round(&asks);
        let mut code = Code::read(&environment);
        for file in &files {
            file.entries().for_each(|(_, value)| code.read_data(value, file.path()));
        }
        let of_classes = code.classes.keys().filter_map(|class| class.split("::").next());
        let modules = modules.into_iter().chain(of_classes.map(str::to_owned)).collect();
        let last_tree = Mutex::default();
        Self { environment, layouts, broken, files, unnamed, code, asked, asks, askers, modules, last_tree }
    }

    /// Returns the one true path of a file, links followed.
    pub(crate) fn resolved(&self, file: &str) -> PathBuf {
        let path = Path::new(file);
        self.environment.hiera().files().resolve(path).unwrap_or_else(|_| path.to_owned())
    }

    /// Lists the keys of all data files.
    pub(crate) fn keys(&self) -> BTreeSet<&str> {
        let entries = self.files.iter().flat_map(DataFile::entries);
        entries.map(|(key, _)| key).filter(|key| *key != "lookup_options").collect()
    }

    /// Returns a key and all keys that ask for it, directly or not.
    pub(crate) fn with_askers(&self, key: &str) -> BTreeSet<String> {
        reachable(&self.askers, [key.to_owned()].into())
    }

    /// Tells whether some key may come from a function, so that nobody knows all keys.
    pub(crate) fn has_functions(&self) -> bool {
        self.layouts.iter().any(|layout| !layout.reads_files)
    }

    /// Tells whether something asks for a key by its name: code, or a token in data.
    pub(crate) fn is_asked_for(&self, key: &str) -> bool {
        self.asked.contains(key) || self.code.names(key)
    }

    /// Returns the types of the keys that are class parameters.
    pub(crate) fn types(&self, site: &Site) -> BTreeMap<String, Type> {
        let nobody =
            NodeFacts { environment: Some(self.environment.name().to_owned()), ..NodeFacts::default() };
        let node = site.node_with("", nobody);
        let type_of = |key: &str| written_type(&node, self.code.parameter(key)?.1.type_text.as_deref()?);
        self.keys().into_iter().filter_map(|key| Some((key.to_owned(), type_of(key)?))).collect()
    }

    /// Returns a file as a tree, which is read once for questions that follow each other; nothing if it is not YAML.
    pub(crate) fn tree(&self, file: &str, read: impl FnOnce() -> Option<Tree>) -> Option<Arc<FileTree>> {
        let mut last = self.last_tree.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, tree)) if known == file => tree.clone(),
            _ => {
                let tree = read().map(FileTree::new).map(Arc::new);
                *last = Some((file.to_owned(), tree.clone()));
                tree
            }
        }
    }

    /// Returns the text of a file.
    pub(crate) fn text(&self, file: &str) -> Option<String> {
        String::from_utf8(self.environment.hiera().files().read(Path::new(file)).ok()?).ok()
    }
}

/// Names that lead to other names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns, for each name, those that lead to it.
pub(crate) fn turned_round(graph: &Graph) -> Graph {
    let mut turned = Graph::new();
    for (from, all) in graph {
        for to in all {
            turned.entry(to.clone()).or_default().insert(from.clone());
        }
    }
    turned
}

/// Returns some names and all that they lead to, directly or not.
pub(crate) fn reachable(graph: &Graph, mut found: BTreeSet<String>) -> BTreeSet<String> {
    let mut waiting: Vec<String> = found.iter().cloned().collect();
    while let Some(name) = waiting.pop() {
        for other in graph.get(&name).into_iter().flatten() {
            if found.insert(other.clone()) {
                waiting.push(other.clone());
            }
        }
    }
    found
}

/// Evaluates a type as it is written, aliases of modules included; nothing if that is not possible.
pub(crate) fn written_type(node: &Node, text: &str) -> Option<Type> {
    match node.evaluate(&Source::unnamed(text)).ok()? {
        Value::Type(type_) => Some(type_),
        _ => None,
    }
}

/// Finds the data files that levels can name, and other files beside them.
fn data_files(
    environment: &Environment,
    layouts: &[Layout],
    mut loaded: BTreeMap<(String, String), Content>,
) -> (Vec<DataFile>, Vec<String>) {
    let hiera = environment.hiera();
    let folders: BTreeSet<&str> = layouts.iter().filter_map(|layout| layout.folder.as_deref()).collect();
    let mut paths = BTreeSet::new();
    folders.iter().for_each(|folder| walk(hiera.files(), folder, 0, &mut paths));
    paths.extend(loaded.keys().map(|(path, _)| path.clone()));
    let (mut files, mut unnamed) = (Vec::new(), Vec::new());
    for path in paths {
        let naming: Vec<&Layout> = layouts.iter().filter(|layout| layout.can_name(&path)).collect();
        let functions: BTreeSet<&str> = naming.iter().map(|layout| layout.function.as_str()).collect();
        if functions.is_empty() {
            unnamed.push(path);
            continue;
        }
        let module = naming.iter().find_map(|layout| layout.module.clone());
        for function in functions {
            let known = loaded.remove(&(path.clone(), function.to_owned()));
            let is_loaded = known.is_some();
            if let Some(content) = known.or_else(|| hiera.content_of(function, &path)) {
                files.push(DataFile { content, module: module.clone(), is_loaded });
            }
        }
    }
    (files, unnamed)
}

fn walk(files: &dyn Files, folder: &str, depth: usize, found: &mut BTreeSet<String>) {
    if depth > DEEPEST {
        return;
    }
    for name in files.list(Path::new(folder)).unwrap_or_default() {
        let path = format!("{}/{name}", folder.trim_end_matches('/'));
        let path = if folder.is_empty() { name.clone() } else { path };
        if files.is_folder(Path::new(&path)) {
            if !name.starts_with('.') {
                walk(files, &path, depth + 1, found);
            }
        } else if files.is_file(Path::new(&path)) {
            found.insert(path);
        }
    }
}
