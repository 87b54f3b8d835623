//! Whom a dump asks: one node, or those of a folder of fact files or of a list.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_hiera::{Hiera, Scope, facts};
use hierarch_pcore::{Hash, Value};
use hierarch_source::DiskFiles;

use super::DumpArguments;
use crate::cli::failure::Failure;
use crate::cli::world::{NodeArguments, puppets, scope_of};

/// The nodes, and the environments they are in.
pub(super) struct Nodes {
    pub(super) list: Vec<Node>,
    /// The names; none: that of the command line.
    pub(super) environments: Vec<Option<String>>,
}

/// A node.
pub(super) struct Node {
    pub(super) name: String,
    /// Which of the environments.
    pub(super) environment: usize,
    facts: Facts,
    trusted: Option<Hash>,
}

/// Where the facts of a node are. Those of many are read when they are needed, and not kept.
enum Facts {
    Flags(Box<NodeArguments>),
    File(PathBuf),
    Known(Arc<Hash>),
}

impl Nodes {
    pub(super) fn read(arguments: &DumpArguments) -> Result<Self, Failure> {
        match &arguments.nodes {
            None => {
                let facts = Facts::Flags(Box::new(arguments.node.clone()));
                let name = arguments.node.name();
                let list = vec![Node { name, environment: 0, facts, trusted: None }];
                Ok(Self { list, environments: vec![None] })
            }
            Some(path) if path.is_dir() => Ok(Self { list: in_folder(path)?, environments: vec![None] }),
            Some(path) => listed(path),
        }
    }
}

impl Node {
    /// Makes the scope of the node.
    pub(super) fn scope(&self, hiera: &Hiera) -> Result<Scope, Failure> {
        let facts = match &self.facts {
            Facts::Flags(flags) => return flags.scope(hiera),
            Facts::Known(facts) => (**facts).clone(),
            Facts::File(path) => {
                facts::read(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))?
            }
        };
        Ok(scope_of(hiera, self.name.clone(), facts, self.trusted.clone()))
    }
}

fn in_folder(folder: &Path) -> Result<Vec<Node>, Failure> {
    let failure = |error: &std::io::Error| Failure::io("read", folder, error);
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| failure(&error))? {
        let path = entry.map_err(|error| failure(&error))?.path();
        let is_facts = path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
        if let Some(name) = path.file_stem().filter(|_| is_facts) {
            files.insert(name.display().to_string(), path);
        }
    }
    let node = |(name, path)| Node { name, environment: 0, facts: Facts::File(path), trusted: None };
    Ok(files.into_iter().map(node).collect())
}

fn listed(path: &Path) -> Result<Nodes, Failure> {
    let list = facts::read_list(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))?;
    let mut nodes = Nodes { list: Vec::with_capacity(list.len()), environments: Vec::new() };
    for (index, item) in list.iter().enumerate() {
        let node = item.as_hash().and_then(|item| nodes.listed(item, path));
        nodes.list.push(node.ok_or_else(|| {
            Failure::new(format!(
                "{}: entry {} is no {{node, facts | facts_file, environment?, trusted?}}",
                path.display(),
                index + 1
            ))
        })?);
    }
    Ok(nodes)
}

impl Nodes {
    /// Reads an entry of a list; nothing if it is malformed.
    fn listed(&mut self, item: &Hash, list: &Path) -> Option<Node> {
        let name = item.get_str("node")?.as_str()?.to_owned();
        let facts = match (item.get_str("facts"), item.get_str("facts_file")) {
            (Some(Value::Hash(facts)), None) => Facts::Known(Arc::clone(facts)),
            (None, Some(Value::String(file))) => {
                Facts::File(list.parent().unwrap_or(Path::new("")).join(file.as_str()))
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
        let known = self.environments.iter().position(|known| *known == environment);
        let environment = known.unwrap_or_else(|| {
            self.environments.push(environment);
            self.environments.len() - 1
        });
        Some(Node { name, environment, facts, trusted })
    }
}
