//! Whom a dump asks: one node, or those of a folder of fact files or of a list.

#[cfg(feature = "parquet")]
use std::collections::BTreeMap;
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

use hierarch_fleet::NodeSet;
use hierarch_site::{FactsFolder, Node, NodeFacts, NodeList, Site};
use hierarch_source::DiskFiles;

use super::DumpArguments;
use crate::cli::arguments::{NodeArguments, node_failure, puppets, showing_secrets};
use crate::cli::failure::Failure;
use crate::cli::report::warning_line;
use crate::cli::{fleet, issues};
#[cfg(feature = "parquet")]
use crate::cli::{report::error_line, ruby::tell_help, star};

/// The nodes, and the environments they are in.
pub(super) struct Nodes<'s> {
    site: &'s Site,
    pub(super) list: Vec<ListedNode>,
    /// The names; none: that of the command line.
    pub(super) environments: Vec<Option<String>>,
    /// Set where there is one node, which flags describe.
    single: Option<&'s NodeArguments>,
}

/// A node that is asked. What is known of it is read when it is needed, and not kept.
pub(super) struct ListedNode {
    pub(super) name: String,
    /// Which of the environments.
    pub(super) environment: usize,
}

/// Completes the arguments: where nodes are to be chosen, they come from where all questions about many nodes find them.
pub(super) fn with_sources(arguments: &DumpArguments) -> Result<DumpArguments, Failure> {
    let mut whole = arguments.clone();
    let chooses = !whole.only.is_empty() || whole.condition.is_some();
    if chooses && whole.nodes.is_empty() {
        whole.nodes = fleet::nodes::NodesArguments::default().sources(&whole.site.builder()?.build())?;
    }
    Ok(whole)
}

/// Opens the site, with the nodes that the arguments name.
pub(super) fn open(arguments: &DumpArguments) -> Result<Site, Failure> {
    let site = arguments.site.builder()?.with_permissions(showing_secrets(arguments.show_secrets));
    let site = arguments.ruby.add_to(site)?;
    let site = match arguments.nodes.as_slice() {
        [] => arguments.node.add_to(site)?,
        [path] if Path::new(path).is_dir() => site.with_nodes(FactsFolder(path.into())),
        [path] if Path::new(path).exists() => match NodeList::read(&DiskFiles, Path::new(path)) {
            Ok(list) => site.with_nodes(list),
            // It may be an answer of PuppetDB.
            Err(error) if error.code == hierarch_site::issues::BAD_NODE => site.with_nodes(read(arguments)?),
            Err(error) => return Err(list_failure(&error)),
        },
        _ => site.with_nodes(read(arguments)?),
    };
    Ok(site.build())
}

/// Reads the nodes of all sources.
fn read(arguments: &DumpArguments) -> Result<NodeSet, Failure> {
    let mut set = NodeSet::default();
    for source in &arguments.nodes {
        fleet::nodes::add(&mut set, source, &arguments.puppetdb)?;
    }
    Ok(set)
}

/// The names that are left of many nodes; `None`: all of them.
fn chosen(arguments: &DumpArguments, site: &Site) -> Result<Option<HashSet<String>>, Failure> {
    if arguments.only.is_empty() && arguments.condition.is_none() {
        return Ok(None);
    }
    let nodes = fleet::nodes::NodesArguments {
        nodes: arguments.nodes.clone(),
        only: arguments.only.clone(),
        condition: arguments.condition.clone(),
        puppetdb: arguments.puppetdb.clone(),
        ..fleet::nodes::NodesArguments::default()
    };
    let set = nodes.read(&arguments.site, site)?;
    Ok(Some(set.names().map(str::to_owned).collect()))
}

/// Writes what all nodes answer as tables.
#[cfg(feature = "parquet")]
pub(super) fn export(arguments: &DumpArguments, target: &Path) -> Result<ExitCode, Failure> {
    use hierarch_fleet::{known_keys, table};

    let site = open(arguments)?;
    let mut nodes = read(arguments)?;
    if nodes.is_empty() {
        return Err(issues::parquet_needs_nodes());
    }
    if let Some(chosen) = chosen(arguments, &site)? {
        nodes.retain(|name| chosen.contains(name));
    }
    if let Some(environment) = &arguments.site.environment {
        nodes.put_into(environment);
    }
    let wanted = super::keys::wanted(arguments)?;
    let is_list = !wanted.is_empty() && wanted.iter().all(|key| !key.contains('*'));
    let mut unanswered = Vec::new();
    let keys = if is_list {
        wanted
    } else {
        let mut known = fleet::nodes::ask(&site, &nodes, false, known_keys);
        known.keys.retain(|key| wanted.is_empty() || wanted.iter().any(|glob| star::matches(glob, key)));
        unanswered.extend(known.unanswered);
        known.keys.into_iter().collect()
    };
    let answers = fleet::nodes::ask(&site, &nodes, false, |fleet| table(fleet, keys));
    unanswered.extend(answers.unanswered.iter().cloned());
    let known = fleet::sql::known_nodes(&nodes, &BTreeMap::new(), &mut unanswered);
    fleet::export::answers(target, &answers, &known)?;
    for one in &unanswered {
        error_line(&issues::of_node(&one.node, &one.reason.words).to_string());
    }
    fleet::nodes::show_places(&unanswered);
    tell_help(&site.environment());
    Ok(if unanswered.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says that this build writes no Parquet.
#[cfg(not(feature = "parquet"))]
pub(super) fn export(arguments: &DumpArguments, _: &Path) -> Result<ExitCode, Failure> {
    if arguments.nodes.is_empty() {
        return Err(issues::parquet_needs_nodes());
    }
    Err(issues::without_parquet())
}

/// A list that cannot be read is told as Puppet tells of files; a malformed entry is our own matter.
fn list_failure(error: &hierarch_source::Error) -> Failure {
    let is_ours = error.code == hierarch_site::issues::BAD_NODE;
    if is_ours { Failure::from(error.clone()) } else { puppets(error) }
}

impl<'s> Nodes<'s> {
    /// Lists the nodes.
    pub(super) fn list(arguments: &'s DumpArguments, site: &'s Site) -> Result<Self, Failure> {
        let mut nodes = Self { site, list: Vec::new(), environments: Vec::new(), single: None };
        if arguments.nodes.is_empty() {
            let name = arguments.node.name();
            if arguments.node.is_unknown_machine(site) {
                warning_line(&issues::this_machine_without_facts(&name));
            }
            nodes.single = Some(&arguments.node);
            nodes.add(name, None);
            return Ok(nodes);
        }
        let chosen = chosen(arguments, site)?;
        let source = site.node_source();
        for name in source.names(&**site.files()).map_err(Failure::from)? {
            if chosen.as_ref().is_none_or(|chosen| chosen.contains(&name)) {
                let environment = source.environment(&name);
                nodes.add(name, environment);
            }
        }
        Ok(nodes)
    }

    fn add(&mut self, name: String, environment: Option<String>) {
        let known = self.environments.iter().position(|known| *known == environment);
        let environment = known.unwrap_or_else(|| {
            self.environments.push(environment);
            self.environments.len() - 1
        });
        self.list.push(ListedNode { name, environment });
    }

    /// Reads what is known of a node.
    pub(super) fn find(&self, node: &ListedNode) -> Result<Node, Failure> {
        if let Some(arguments) = self.single {
            return arguments.find_trusted(self.site);
        }
        let files = &**self.site.files();
        let known = self.site.node_source().find(files, &node.name).map_err(|error| node_failure(&error))?;
        let known = known.unwrap_or_else(NodeFacts::default).trusting(&node.name);
        Ok(self.site.node_with(&node.name, known))
    }

    /// Opens the environments.
    pub(super) fn open_environments(&self) -> Vec<std::sync::Arc<hierarch_site::Environment>> {
        let open = |name: &Option<String>| match name {
            Some(name) => self.site.environment_named(name),
            None => self.site.environment(),
        };
        self.environments.iter().map(open).collect()
    }
}
