//! What flags give a compilation beside manifests and data: results of calls, functions, facts, classes.

use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_eval::substitute::{ExportedResource, Substitutes};
use hierarch_hiera::facts;
use hierarch_site::{Builder, Classification, Node, NodeFacts, Site, read_answers, read_exported};
use hierarch_source::DiskFiles;

use super::super::arguments::{NodeArguments, node_failure, puppets};
use super::super::failure::Failure;
use super::super::issues;

/// What is given for one node, and for functions that cannot run here.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct GivenArguments {
    /// The trusted facts of the node: a map in YAML or JSON
    #[arg(long, value_name = "FILE")]
    trusted: Option<PathBuf>,
    /// What the classifier of nodes (ENC) printed about the node: classes, parameters, environment
    #[arg(long, value_name = "FILE")]
    enc_answer: Option<PathBuf>,
    /// Results of functions that ask the world: a list of `{function, arguments?, result}`
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// What other nodes exported, for `<<| |>>`: a catalog or a list of resources in JSON, or a folder of such files
    #[arg(long, value_name = "PATH")]
    exported: Vec<PathBuf>,
    /// A folder with functions written in Puppet that go before all others of their names
    #[arg(long, value_name = "DIR")]
    overlay: Vec<PathBuf>,
    /// Put a placeholder where a function is not there or cannot run, instead of ending; exit 3
    #[arg(long)]
    pub(crate) stub_missing: bool,
    /// A folder that Ruby of modules may read beside those of the environment
    #[arg(long, value_name = "DIR")]
    ruby_read: Vec<PathBuf>,
    /// Show the variables of this process in Ruby's ENV
    #[arg(long)]
    ruby_env: bool,
    /// Let Ruby of modules ask for names and addresses: not there yet
    #[arg(long, hide = true)]
    ruby_net: bool,
    /// A Ruby that runs what does not run here: not there yet
    #[arg(long, value_name = "PATH", hide = true)]
    ruby_command: Option<PathBuf>,
}

impl GivenArguments {
    /// Hands what stands in for functions to a site.
    pub(super) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        if self.ruby_net {
            return Err(issues::ruby_net_not_built());
        }
        if self.ruby_command.is_some() {
            return Err(issues::ruby_command_not_built());
        }
        let answers = self.answers.as_deref().map(|path| read_answers(&DiskFiles, path));
        Ok(site.with_substitutes(Substitutes {
            answers: answers.transpose().map_err(|error| puppets(&error))?.unwrap_or_default(),
            stubs: self.stub_missing,
            exported: self.exported_resources()?,
            overlays: folders(&self.overlay)?,
            ruby_read: folders(&self.ruby_read)?,
            ruby_variables: if self.ruby_env { std::env::vars().collect() } else { Vec::new() },
        }))
    }

    /// Reads what other nodes exported; without a flag there is no store of it.
    fn exported_resources(&self) -> Result<Option<std::sync::Arc<[ExportedResource]>>, Failure> {
        let read = |path: &PathBuf| read_exported(&DiskFiles, path).map_err(|error| puppets(&error));
        let all: Result<Vec<_>, Failure> = self.exported.iter().map(read).collect();
        let all: Vec<ExportedResource> = all?.into_iter().flatten().collect();
        Ok((!self.exported.is_empty()).then(|| all.into()))
    }

    /// Finds the node, with what flags say about it.
    pub(super) fn find(&self, node: &NodeArguments, site: &Site) -> Result<Node, Failure> {
        let name = node.name();
        let known = site.node_source().find(&**site.files(), &name).map_err(|error| node_failure(&error))?;
        let mut known: NodeFacts = known.unwrap_or_default();
        if let Some(path) = &self.trusted {
            known.trusted = Some(read_map(path)?);
        }
        let answer = self.enc_answer.as_deref().map(|path| Classification::read(&DiskFiles, path));
        let answer = answer.transpose().map_err(|error| puppets(&error))?;
        if let Some(environment) = answer.as_ref().and_then(|answer| answer.environment.clone()) {
            known.environment = Some(environment);
        }
        let mut found = site.node_with(&name, known.trusting(&name));
        if let Some(answer) = &answer {
            found.classify(answer);
        }
        Ok(found)
    }
}

fn read_map(path: &Path) -> Result<hierarch_pcore::Hash, Failure> {
    facts::read_map(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))
}

fn folders(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    given
        .iter()
        .map(|folder| std::fs::canonicalize(folder).map_err(|error| Failure::io("find", folder, &error)))
        .collect()
}
