//! Whom to ask: nodes from folders of fact files, lists, and answers of PuppetDB.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hierarch_hiera::facts;
use hierarch_hiera::read::{self, Yaml};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{ListedNode, NodeFacts, NodeSource};
use hierarch_source::{DiskFiles, Error, Files, Result};

use crate::issues;
use crate::puppetdb::{Answer, is_name};
use crate::reason::Reason;

/// Nodes by name, bytewise. Where two sources know the same node, the later one counts, whole.
#[derive(Clone, Default)]
pub struct NodeSet {
    pub(crate) nodes: BTreeMap<String, KnownNode>,
    overrides: Vec<FactOverride>,
    environment: Option<String>,
    stop: Option<Arc<AtomicBool>>,
}

/// What is known of a node. The facts of many are read when they are needed, and not kept.
#[derive(Clone)]
pub(crate) enum KnownNode {
    Facts(Arc<NodeFacts>),
    File(Arc<dyn Files>, PathBuf, Arc<NodeFacts>),
    Source(Arc<dyn NodeSource>, String),
}

/// One fact that all nodes are given: a what-if.
#[derive(Clone, Debug)]
pub struct FactOverride {
    path: Vec<String>,
    value: Value,
}

impl FactOverride {
    /// Reads `NAME=VALUE`: a dotted path, and a value in YAML.
    pub fn parse(text: &str) -> Result<Self> {
        let (name, value) = text.split_once('=').ok_or_else(|| issues::bad_fact(text))?;
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            return Err(issues::bad_fact(text));
        }
        let rules = Yaml { aliases: true, symbols: true };
        let value = read::yaml(value, rules).map_err(|why| issues::bad_fact(text).note(why))?;
        Ok(Self { path, value })
    }

    fn apply(&self, facts: &mut Hash) {
        set(facts, &self.path, &self.value);
    }
}

fn set(hash: &mut Hash, path: &[String], value: &Value) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        hash.insert(first.as_str(), value.clone());
        return;
    }
    let mut inner = hash.get_str(first).and_then(Value::as_hash).cloned().unwrap_or_default();
    set(&mut inner, rest, value);
    hash.insert(first.as_str(), inner);
}

/// How the names of files with facts end.
const ENDS: [&str; 3] = ["yaml", "yml", "json"];

impl NodeSet {
    /// Makes a set of nodes whose facts are known.
    pub fn of(nodes: impl IntoIterator<Item = (String, NodeFacts)>) -> Self {
        let mut set = Self::default();
        set.add(nodes);
        set
    }

    /// Adds nodes whose facts are known; they replace those of the same names.
    pub fn add(&mut self, nodes: impl IntoIterator<Item = (String, NodeFacts)>) {
        self.nodes.extend(nodes.into_iter().map(|(name, facts)| (name, KnownNode::Facts(Arc::new(facts)))));
    }

    /// Adds the nodes that a source lists; their facts are read when they are needed, and not kept.
    pub fn add_source(&mut self, source: &Arc<dyn NodeSource>) -> Result<()> {
        for name in source.names(&DiskFiles)? {
            self.nodes.insert(name.clone(), KnownNode::Source(Arc::clone(source), name));
        }
        Ok(())
    }

    /// Adds the nodes of a folder of fact files, of a list, or of an answer of PuppetDB.
    pub fn add_path(&mut self, files: &Arc<dyn Files>, path: &Path) -> Result<()> {
        if files.is_folder(path) {
            return self.add_folder(files, path);
        }
        if !files.is_file(path) {
            return Err(issues::no_source(&path.display().to_string()));
        }
        self.add_list(files, path)
    }

    fn add_folder(&mut self, files: &Arc<dyn Files>, folder: &Path) -> Result<()> {
        let shown = folder.display().to_string();
        let names = files.list(folder).map_err(|error| issues::unreadable(&shown, &error.to_string()))?;
        for name in names {
            let Some((stem, end)) = name.rsplit_once('.') else { continue };
            if ENDS.contains(&end) && is_name(stem) {
                self.nodes.insert(
                    stem.to_owned(),
                    KnownNode::File(Arc::clone(files), folder.join(&name), Arc::default()),
                );
            }
        }
        Ok(())
    }

    fn add_list(&mut self, files: &Arc<dyn Files>, path: &Path) -> Result<()> {
        let shown = path.display().to_string();
        let mut answer = Answer::default();
        for (index, item) in facts::read_list(&**files, &shown)?.iter().enumerate() {
            let item = item.as_hash().ok_or_else(|| issues::bad_entry(&shown, index + 1))?;
            if item.contains_str("node") {
                let (name, known) =
                    listed(item, files, path).ok_or_else(|| issues::bad_entry(&shown, index + 1))?;
                self.nodes.insert(name, known);
            } else {
                answer.add(item).ok_or_else(|| issues::bad_entry(&shown, index + 1))?;
            }
        }
        self.add(answer.nodes);
        Ok(())
    }

    /// Keeps the nodes whose names match one of some patterns in which `*` stands for any text.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&str) -> bool) {
        self.nodes.retain(|name, _| is_wanted(name));
    }

    /// Gives all nodes a fact.
    pub fn override_fact(&mut self, fact: FactOverride) {
        self.overrides.push(fact);
    }

    /// Puts all nodes into one environment, whatever they say.
    pub fn put_into(&mut self, environment: &str) {
        self.environment = Some(environment.to_owned());
    }

    /// Asks the nodes until a flag is set from outside; the rest is told as unanswered.
    pub fn until(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }

    /// Returns the flag that ends the asking.
    pub(crate) fn stop(&self) -> Option<Arc<AtomicBool>> {
        self.stop.clone()
    }

    /// Tells whether no more nodes are to be asked.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.nodes.keys().map(String::as_str)
    }

    /// Tells how many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns what is known of a node.
    pub fn find(&self, name: &str) -> Option<Result<NodeFacts>> {
        self.nodes.get(name).map(|known| self.known(known))
    }

    /// Returns a node by its number.
    pub(crate) fn at(&self, index: usize) -> Option<(&String, &KnownNode)> {
        self.nodes.iter().nth(index)
    }

    /// Reads what is known of a node that is asked. Its name is trusted where its facts do not say who it is: that is how it
    /// gets its own data, as in `dump` and in catalogs.
    pub(crate) fn facts(&self, name: &str, known: &KnownNode) -> Result<NodeFacts> {
        self.known(known).map(|known| known.trusting(name))
    }

    /// Returns what is known of a node that is asked, if that can be read.
    pub(crate) fn asked(&self, name: &str) -> Option<NodeFacts> {
        self.nodes.get(name).and_then(|known| self.facts(name, known).ok())
    }

    /// Returns the file that the facts of a node are in, where they have one of their own.
    pub(crate) fn file_of(&self, name: &str) -> Option<&Path> {
        match self.nodes.get(name)? {
            KnownNode::File(_, path, _) => Some(path),
            KnownNode::Facts(_) | KnownNode::Source(..) => None,
        }
    }

    /// Reads what is known of a node, overrides included.
    fn known(&self, known: &KnownNode) -> Result<NodeFacts> {
        let mut found = match known {
            KnownNode::Facts(facts) => (**facts).clone(),
            KnownNode::File(files, path, rest) => {
                NodeFacts { facts: facts::read(&**files, &path.display().to_string())?, ..(**rest).clone() }
            }
            KnownNode::Source(source, name) => {
                source.find(&DiskFiles, name)?.ok_or_else(|| issues::lost_node(name))?
            }
        };
        // PuppetDB keeps trusted facts among the others.
        if found.trusted.is_none() {
            found.trusted = found.facts.get_str("trusted").and_then(Value::as_hash).cloned();
        }
        if let Some(environment) = &self.environment {
            found.environment = Some(environment.clone());
        }
        self.overrides.iter().for_each(|fact| fact.apply(&mut found.facts));
        Ok(found)
    }
}

impl NodeSource for NodeSet {
    fn names(&self, _: &dyn Files) -> Result<Vec<String>> {
        Ok(self.nodes.keys().cloned().collect())
    }

    fn find(&self, _: &dyn Files, name: &str) -> Result<Option<NodeFacts>> {
        self.find(name).transpose()
    }

    fn environment(&self, name: &str) -> Option<String> {
        match (&self.environment, self.nodes.get(name)?) {
            (Some(environment), _) => Some(environment.clone()),
            (None, KnownNode::Facts(facts) | KnownNode::File(_, _, facts)) => facts.environment.clone(),
            (None, KnownNode::Source(source, name)) => source.environment(name),
        }
    }
}

/// Reads an entry of a list; nothing if it is malformed.
fn listed(item: &Hash, files: &Arc<dyn Files>, list: &Path) -> Option<(String, KnownNode)> {
    let ListedNode { name, known, file } = ListedNode::read(item, list)?;
    if !is_name(&name) {
        return None;
    }
    let known = Arc::new(known);
    let node = match file {
        Some(path) => KnownNode::File(Arc::clone(files), path, known),
        None => KnownNode::Facts(known),
    };
    Some((name, node))
}

/// Says why the facts of a node cannot be read.
pub(crate) fn no_facts(error: &Error) -> Reason {
    Reason {
        words: issues::no_facts(&error.to_string()),
        place: error.shown_place().cloned(),
        is_stop: false,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    fn fact(set: &NodeSet, node: &str, name: &str) -> Option<String> {
        let facts = set.find(node)?.expect("readable").facts;
        facts.get_str(name).map(Value::to_json)
    }

    #[test]
    fn the_later_source_counts_whole() {
        let files: Arc<dyn Files> = Arc::new(MemoryFiles::from([
            ("facts/a.yaml", "role: web\nsite: north\n"),
            ("facts/b.json", "{\"role\": \"db\"}"),
            ("facts/README.md", ""),
            (
                "list.yaml",
                "- {node: a, facts: {role: mail}, environment: dev}\n- {node: c, facts_file: facts/b.json}\n",
            ),
        ]));
        let mut set = NodeSet::default();
        set.add_path(&files, Path::new("facts")).expect("a folder");
        assert_eq!(set.names().collect::<Vec<_>>(), ["a", "b"]);
        set.add_path(&files, Path::new("list.yaml")).expect("a list");
        assert_eq!(set.names().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(fact(&set, "a", "role").as_deref(), Some("\"mail\""));
        assert_eq!(fact(&set, "a", "site"), None, "facts of two sources are never mixed");
        assert_eq!(fact(&set, "c", "role").as_deref(), Some("\"db\""));
        let known = set.find("a").expect("known").expect("readable");
        assert_eq!(known.environment.as_deref(), Some("dev"));
    }

    #[test]
    fn answers_of_puppetdb_are_understood() {
        let files: Arc<dyn Files> = Arc::new(MemoryFiles::from([
            (
                "inventory.json",
                r#"[{"certname": "a", "environment": "production", "timestamp": "t", "facts": {"role": "web"}, "trusted": {"certname": "a"}}]"#,
            ),
            (
                "facts.json",
                r#"[{"certname": "b", "environment": "dev", "name": "role", "value": "db"},
                    {"certname": "b", "environment": "dev", "name": "trusted", "value": {"certname": "b.x"}}]"#,
            ),
            (
                "factsets.json",
                r#"[{"certname": "c", "environment": null, "facts": {"href": "/x", "data": [{"name": "role", "value": {"x": 1}}]}}]"#,
            ),
            ("bad.json", r#"[{"certname": "c"}]"#),
            ("red.json", "[{\"node\": \"\\u001b[31mred\", \"facts\": {}}]"),
            ("nobody.json", r#"[{"certname": "", "facts": {}}]"#),
        ]));
        for path in ["red.json", "nobody.json"] {
            let error = NodeSet::default().add_path(&files, Path::new(path)).expect_err("no name");
            assert!(error.to_string().contains("entry 1"), "{error}");
        }
        let mut set = NodeSet::default();
        for path in ["inventory.json", "facts.json", "factsets.json"] {
            set.add_path(&files, Path::new(path)).expect("an answer");
        }
        assert_eq!(fact(&set, "a", "role").as_deref(), Some("\"web\""));
        assert_eq!(fact(&set, "c", "role").as_deref(), Some("{\"x\":1}"));
        let b = set.find("b").expect("known").expect("readable");
        assert_eq!(b.environment.as_deref(), Some("dev"));
        let certname = b.trusted.expect("among the facts").get_str("certname").map(ToString::to_string);
        assert_eq!(certname.as_deref(), Some("b.x"));
        let error = set.add_path(&files, Path::new("bad.json")).expect_err("no facts");
        assert!(error.to_string().contains("bad.json: entry 1 is neither"), "{error}");
    }

    #[test]
    fn a_fact_is_overridden_on_all_nodes() {
        let files: Arc<dyn Files> =
            Arc::new(MemoryFiles::from([("f/a.yaml", "os: {family: RedHat, name: Rocky}\n")]));
        let mut set = NodeSet::default();
        set.add_path(&files, Path::new("f")).expect("a folder");
        set.override_fact(FactOverride::parse("os.family=Debian").expect("a fact"));
        set.override_fact(FactOverride::parse("n.m=[1, 'x']").expect("a fact"));
        assert_eq!(fact(&set, "a", "os").as_deref(), Some(r#"{"family":"Debian","name":"Rocky"}"#));
        assert_eq!(fact(&set, "a", "n").as_deref(), Some(r#"{"m":[1,"x"]}"#));
        assert!(FactOverride::parse("x").is_err() && FactOverride::parse("a..b=1").is_err());
    }
}
