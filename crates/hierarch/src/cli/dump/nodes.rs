//! Whom a dump asks: one node, or those of a folder of fact files or of a list.

use hierarch_site::{FactsFolder, Node, NodeFacts, NodeList, Site};
use hierarch_source::DiskFiles;

use super::DumpArguments;
use crate::cli::arguments::{NodeArguments, node_failure, puppets, showing_secrets};
use crate::cli::failure::Failure;

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

/// Opens the site, with the nodes that the arguments name.
pub(super) fn open(arguments: &DumpArguments) -> Result<Site, Failure> {
    let site = arguments.site.builder()?.with_permissions(showing_secrets(arguments.show_secrets));
    let site = match &arguments.nodes {
        None => arguments.node.add_to(site)?,
        Some(path) if path.is_dir() => site.with_nodes(FactsFolder(path.clone())),
        Some(path) => {
            site.with_nodes(NodeList::read(&DiskFiles, path).map_err(|error| list_failure(&error))?)
        }
    };
    Ok(site.build())
}

/// A list that cannot be read is told as Puppet tells of files; a malformed entry is our own matter.
fn list_failure(error: &hierarch_source::Error) -> Failure {
    let is_ours = error.code == hierarch_site::issues::BAD_NODE;
    if is_ours { Failure::new(error.to_string()) } else { puppets(error) }
}

impl<'s> Nodes<'s> {
    /// Lists the nodes.
    pub(super) fn list(arguments: &'s DumpArguments, site: &'s Site) -> Result<Self, Failure> {
        let mut nodes = Self { site, list: Vec::new(), environments: Vec::new(), single: None };
        if arguments.nodes.is_none() {
            nodes.single = Some(&arguments.node);
            nodes.add(arguments.node.name(), None);
            return Ok(nodes);
        }
        let source = site.node_source();
        for name in source.names(&**site.files()).map_err(|error| Failure::new(error.to_string()))? {
            let environment = source.environment(&name);
            nodes.add(name, environment);
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
