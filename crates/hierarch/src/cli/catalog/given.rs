//! What flags give a compilation beside manifests and data: results of calls, functions, facts, classes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hierarch_eval::substitute::{ExportedResource, Substitutes};
use hierarch_hiera::facts;
use hierarch_site::{Builder, Classification, Node, NodeFacts, Site};
use hierarch_source::{DiskFiles, nearest};

use super::super::arguments::{NodeArguments, node_failure, puppets};
use super::super::failure::Failure;
use super::super::fleet::nodes::PuppetdbArguments;
use super::super::issues;
use super::super::report::warning_line;
use super::super::ruby::StandInArguments;
use super::exported;

/// What is given for one node, and for functions that cannot run here.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct GivenArguments {
    /// The trusted facts of the node: a map in YAML or JSON
    #[arg(long, value_name = "FILE")]
    trusted: Option<PathBuf>,
    /// What the classifier of nodes (ENC) printed about the node: classes, parameters, environment
    #[arg(long, value_name = "FILE")]
    enc_answer: Option<PathBuf>,
    /// What other nodes exported, for `<<| |>>`: a catalog, a list of resources or an answer of PuppetDB in JSON, a folder of
    /// such files, a store `sqlite:FILE` or `postgres://…`, or `puppetdb:https://host:8081`
    #[arg(long, value_name = "SOURCE")]
    exported: Vec<String>,
    #[command(flatten)]
    puppetdb: PuppetdbArguments,
    /// Put a placeholder where a function is not there or cannot run, instead of ending; exit 3
    #[arg(long)]
    pub(crate) stub_missing: bool,
    #[command(flatten)]
    pub(super) stand_ins: StandInArguments,
    /// Whether exported resources are wanted, even if those of no other node are given.
    #[arg(skip)]
    pub(crate) has_store: bool,
}

impl GivenArguments {
    /// Gives only what stands in for functions.
    pub(super) fn of(stand_ins: StandInArguments) -> Self {
        Self { stand_ins, ..Self::default() }
    }

    /// Hands what stands in for functions to a site.
    pub(super) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        Ok(site.with_substitutes(Substitutes {
            stubs: self.stub_missing,
            exported: self.exported_resources()?,
            ..self.stand_ins.substitutes()?
        }))
    }

    /// Reads what other nodes exported; without a flag there is no store of it.
    fn exported_resources(&self) -> Result<Option<Arc<[ExportedResource]>>, Failure> {
        let read = |source: &String| exported::read(source, &self.puppetdb);
        let all: Result<Vec<_>, Failure> = self.exported.iter().map(read).collect();
        let all: Vec<ExportedResource> = all?.into_iter().flatten().collect();
        Ok((self.has_store || !self.exported.is_empty()).then(|| all.into()))
    }

    /// Finds the node, with what flags say about it.
    pub(super) fn find(&self, node: &NodeArguments, site: &Site) -> Result<Node, Failure> {
        let name = node.name();
        let known = site.node_source().find(&**site.files(), &name).map_err(|error| node_failure(&error))?;
        let mut known: NodeFacts = known.unwrap_or_default();
        if known.facts.is_empty() && node.facts.is_none() {
            warn_of_no_facts(site, &name);
        }
        if let Some(path) = &self.trusted {
            known.trusted = Some(read_map(path)?);
        }
        if let Some(path) = &self.enc_answer {
            check_there(path)?;
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

/// Says that a node has no facts where others have some: its name may be misspelt.
fn warn_of_no_facts(site: &Site, name: &str) {
    let names = site.node_source().names(&**site.files()).unwrap_or_default();
    if !names.is_empty() && !names.iter().any(|known| known == name) {
        let near = nearest(name, names.iter().map(String::as_str));
        warning_line(&issues::no_facts_of(name, near.first().copied()));
    }
}

/// Fails unless a file that a flag names is there: what reads it would say so in Ruby's words.
pub(super) fn check_there(path: &Path) -> Result<(), Failure> {
    std::fs::metadata(path).map(drop).map_err(|error| Failure::io("read", path, &error))
}

fn read_map(path: &Path) -> Result<hierarch_pcore::Hash, Failure> {
    check_there(path)?;
    facts::read_map(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))
}
