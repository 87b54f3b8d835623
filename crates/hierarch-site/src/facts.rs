//! Where nodes and their facts come from: files, folders, lists, memory, or whatever implements [`NodeSource`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hierarch_hiera::facts;
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Result, nearest_nodes};

use crate::issues;

/// What is known of a node before anything is compiled.
#[derive(Clone, Debug, Default)]
pub struct NodeFacts {
    /// Its facts.
    pub facts: Hash,
    /// Its trusted facts, where they are known otherwise than by the fact `clientcert`.
    pub trusted: Option<Hash>,
    /// Its environment; none: the usual one.
    pub environment: Option<String>,
}

impl From<Hash> for NodeFacts {
    fn from(facts: Hash) -> Self {
        Self { facts, ..Self::default() }
    }
}

/// A place that knows nodes.
pub trait NodeSource: Send + Sync {
    /// Lists the names of all nodes, in order; none where every name is as good as another.
    fn names(&self, files: &dyn Files) -> Result<Vec<String>>;

    /// Returns what is known of a node.
    fn find(&self, files: &dyn Files, name: &str) -> Result<Option<NodeFacts>>;

    /// Returns the environment of a node, where that is known without its facts; none: the usual one.
    fn environment(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }
}

/// Nothing is known of a node but its name, which is therefore trusted.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFacts;

impl NodeSource for NoFacts {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn find(&self, _: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        Ok(Some(NodeFacts { trusted: Some(trusted(name)), ..NodeFacts::default() }))
    }
}

fn trusted(name: &str) -> Hash {
    let (host, domain) =
        name.split_once('.').map_or((name, Value::Undef), |(host, domain)| (host, domain.into()));
    let mut trusted: Hash = [("authenticated", "local"), ("certname", name)].into_iter().collect();
    trusted.insert("extensions", Hash::new());
    trusted.insert("hostname", host);
    trusted.insert("domain", domain);
    trusted.insert("external", Hash::new());
    trusted
}

impl NodeFacts {
    /// Trusts the name of a node of which nothing else says who it is.
    ///
    /// What is given without a name is of this node, and what it does not say is as for all nodes.
    #[must_use]
    pub fn trusting(mut self, name: &str) -> Self {
        if let Some(given) = self.trusted.as_mut().filter(|given| !given.contains_str("certname")) {
            let mut whole = trusted(name);
            for (key, value) in given.iter() {
                whole.insert(key.clone(), value.clone());
            }
            *given = whole;
        }
        if self.trusted.is_none() && !self.facts.contains_str("clientcert") {
            self.trusted = Some(trusted(name));
        }
        self
    }
}

/// Several sources: the first that knows a node counts.
#[derive(Default)]
pub struct FirstOf {
    sources: Vec<Box<dyn NodeSource>>,
}

impl FirstOf {
    /// Adds a source that is asked after those before it.
    #[must_use]
    pub fn then(mut self, source: impl NodeSource + 'static) -> Self {
        self.sources.push(Box::new(source));
        self
    }
}

impl NodeSource for FirstOf {
    fn names(&self, files: &dyn Files) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for source in &self.sources {
            names.extend(source.names(files)?);
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn find(&self, files: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        for source in &self.sources {
            match source.find(files, name) {
                Ok(Some(known)) => return Ok(Some(known)),
                Err(error) if error.code != issues::UNKNOWN_NODE => return Err(error),
                _ => {}
            }
        }
        // What cannot be listed has no names to suggest.
        let names = self.names(files).unwrap_or_default();
        Err(issues::no_facts(name, &nearest_nodes(name, names.iter().map(String::as_str))))
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.sources.iter().find_map(|source| source.environment(name))
    }
}

/// One file, read as `puppet lookup --facts` reads it: who says who a node is must say all of it.
#[derive(Clone, Debug)]
pub struct LookupFacts(pub PathBuf);

impl NodeSource for LookupFacts {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn find(&self, files: &dyn Files, _: &str) -> Result<Option<NodeFacts>> {
        let path = self.0.display().to_string();
        let facts = facts::read_given(files, &path)?;
        facts::check_trusted(&facts, &path)?;
        Ok(Some(facts.into()))
    }
}

/// One file: whichever node is asked for has its facts.
#[derive(Clone, Debug)]
pub struct FactsFile(pub PathBuf);

impl NodeSource for FactsFile {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn find(&self, files: &dyn Files, _: &str) -> Result<Option<NodeFacts>> {
        facts::read_given(files, &self.0.display().to_string()).map(|facts| Some(facts.into()))
    }
}

/// A folder with a file of facts for each node, named after it.
#[derive(Clone, Debug)]
pub struct FactsFolder(pub PathBuf);

/// How the names of files with facts end; the first that is there counts.
const ENDS: [&str; 3] = ["yaml", "yml", "json"];

impl NodeSource for FactsFolder {
    fn names(&self, files: &dyn Files) -> Result<Vec<String>> {
        let names = files.list(&self.0).map_err(|error| issues::unreadable(&self.0, &error))?;
        let stems = names.iter().filter_map(|name| {
            let (stem, end) = name.rsplit_once('.')?;
            ENDS.contains(&end).then(|| stem.to_owned())
        });
        let mut stems: Vec<String> = stems.filter(|stem| !stem.is_empty()).collect();
        stems.sort();
        stems.dedup();
        Ok(stems)
    }

    fn find(&self, files: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        let mut paths = ENDS.iter().map(|end| self.0.join(format!("{name}.{end}")));
        match paths.find(|path| files.is_file(path)) {
            Some(path) => facts::read(files, &path.display().to_string()).map(|facts| Some(facts.into())),
            None => Err(issues::no_facts_in(name, &self.0.display().to_string())),
        }
    }
}

/// Nodes that are known already.
#[derive(Clone, Debug, Default)]
pub struct KnownNodes {
    nodes: BTreeMap<String, NodeFacts>,
}

impl KnownNodes {
    /// Adds or replaces a node.
    pub fn insert(&mut self, name: &str, known: NodeFacts) {
        self.nodes.insert(name.to_owned(), known);
    }
}

impl<F, K, V, const N: usize> From<[(&str, F); N]> for KnownNodes
where
    F: IntoIterator<Item = (K, V)>,
    Hash: FromIterator<(K, V)>,
{
    fn from(nodes: [(&str, F); N]) -> Self {
        let known = |(name, facts): (&str, F)| (name.to_owned(), facts.into_iter().collect::<Hash>().into());
        Self { nodes: nodes.into_iter().map(known).collect() }
    }
}

impl NodeSource for KnownNodes {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(self.nodes.keys().cloned().collect())
    }

    fn find(&self, _: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        Ok(self.nodes.get(name).cloned())
    }
}

/// A list of nodes in YAML or JSON: `{node, facts | facts_file, environment?, trusted?}`. Files of facts are read when
/// they are needed, and not kept.
#[derive(Clone, Debug)]
pub struct NodeList {
    names: Vec<String>,
    nodes: BTreeMap<String, ListedNode>,
}

/// A node as a list has it.
#[derive(Clone, Debug)]
pub struct ListedNode {
    /// Its name.
    pub name: String,
    /// What the list itself says; without facts where they stand in a file.
    pub known: NodeFacts,
    /// The file of its facts.
    pub file: Option<PathBuf>,
}

impl NodeList {
    /// Reads a list; what it names files relatively to is its own folder.
    pub fn read(files: &dyn Files, path: &Path) -> Result<Self> {
        let list = path.display().to_string();
        let mut nodes = Self { names: Vec::new(), nodes: BTreeMap::new() };
        for (index, item) in facts::read_list(files, &list)?.iter().enumerate() {
            let node = item.as_hash().and_then(|item| ListedNode::read(item, path));
            let node = node.ok_or_else(|| issues::bad_entry(&list, index + 1))?;
            nodes.names.push(node.name.clone());
            nodes.nodes.insert(node.name.clone(), node);
        }
        Ok(nodes)
    }
}

impl ListedNode {
    /// Reads `{node, facts | facts_file, environment?, trusted?}`; nothing if it is malformed. A file is named as the list sees it.
    pub fn read(item: &Hash, list: &Path) -> Option<Self> {
        let name = item.get_str("node")?.as_str()?.to_owned();
        let (facts, file) = match (item.get_str("facts"), item.get_str("facts_file")) {
            (Some(Value::Hash(facts)), None) => ((**facts).clone(), None),
            (None, Some(Value::String(file))) => {
                (Hash::new(), Some(list.parent().unwrap_or(Path::new("")).join(file.as_str())))
            }
            _ => return None,
        };
        let trusted = match item.get_str("trusted") {
            None | Some(Value::Undef) => None,
            Some(Value::Hash(trusted)) => Some((**trusted).clone()),
            Some(_) => return None,
        };
        let environment = match item.get_str("environment") {
            None | Some(Value::Undef) => None,
            Some(Value::String(name)) => Some(name.to_string()),
            Some(_) => return None,
        };
        Some(Self { name, known: NodeFacts { facts, trusted, environment }, file })
    }
}

impl NodeSource for NodeList {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(self.names.clone())
    }

    fn find(&self, files: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        let Some(ListedNode { known, file, .. }) = self.nodes.get(name) else { return Ok(None) };
        let Some(file) = file else { return Ok(Some(known.clone())) };
        let facts = facts::read(files, &file.display().to_string())?;
        Ok(Some(NodeFacts { facts, ..known.clone() }))
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.nodes.get(name)?.known.environment.clone()
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    fn fact(source: &dyn NodeSource, files: &dyn Files, node: &str, name: &str) -> Option<String> {
        let known = source.find(files, node).expect("facts that can be read")?;
        known.facts.get_str(name).map(ToString::to_string)
    }

    #[test]
    fn a_folder_has_a_file_per_node() {
        let files = MemoryFiles::from([
            ("facts/a.example.com.yaml", "role: web"),
            ("facts/b.json", "{\"role\": \"db\"}"),
            ("facts/b.yaml", "role: cache"),
            ("facts/README.md", "no facts"),
        ]);
        let folder = FactsFolder("facts".into());
        assert_eq!(folder.names(&files).expect("a folder"), ["a.example.com", "b"]);
        assert_eq!(fact(&folder, &files, "a.example.com", "role").as_deref(), Some("web"));
        assert_eq!(fact(&folder, &files, "b", "role").as_deref(), Some("cache"));
        let missing = folder.find(&files, "c").expect_err("there is no such file");
        assert_eq!(missing.code, issues::UNKNOWN_NODE);
    }

    #[test]
    fn a_list_names_facts_or_their_files() {
        let files = MemoryFiles::from([
            (
                "n/list.yaml",
                "- {node: a, facts: {role: web}, environment: dev}\n- {node: b, facts_file: b.yaml}\n",
            ),
            ("n/b.yaml", "role: db"),
            ("n/bad.yaml", "- {node: a, facts: {}}\n- {node: b}\n"),
        ]);
        let list = NodeList::read(&files, Path::new("n/list.yaml")).expect("a list");
        assert_eq!(list.names(&files).expect("names"), ["a", "b"]);
        assert_eq!(fact(&list, &files, "a", "role").as_deref(), Some("web"));
        assert_eq!(fact(&list, &files, "b", "role").as_deref(), Some("db"));
        assert_eq!(fact(&list, &files, "c", "role"), None);
        let environment = list.find(&files, "a").expect("facts").and_then(|known| known.environment);
        assert_eq!(environment.as_deref(), Some("dev"));
        let bad = NodeList::read(&files, Path::new("n/bad.yaml")).expect_err("the second has no facts");
        assert!(bad.to_string().contains("n/bad.yaml: entry 2 is no {node, facts"), "{bad}");
    }

    #[test]
    fn a_node_without_facts_has_a_trusted_name() {
        let known =
            NoFacts.find(&MemoryFiles::default(), "web.example.com").expect("no error").expect("any name");
        let trusted = known.trusted.expect("a trusted name");
        let text = |name: &str| trusted.get_str(name).map(ToString::to_string).unwrap_or_default();
        assert_eq!(
            (text("certname"), text("hostname"), text("domain")),
            ("web.example.com".into(), "web".into(), "example.com".into())
        );
    }
}
