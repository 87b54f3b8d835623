//! What flags give a compilation beside manifests and data: results of calls, functions, facts, classes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use hierarch_eval::substitute::{ExportedResource, HelperSource, Substitutes};
use hierarch_hiera::facts;
use hierarch_site::{Builder, Classification, Node, NodeFacts, Site, read_answers, read_exported};
use hierarch_source::{DiskFiles, Network, nearest};

use super::super::arguments::{NodeArguments, node_failure, puppets};
use super::super::failure::Failure;
use super::super::issues;
use super::super::report::warning_line;
use super::ruby_command::RubyCommand;
use super::ruby_net::{self, RubyNetwork};

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
    /// Let Ruby of modules ask name servers and web servers (`Resolv`, `Net::HTTP`, `open-uri`)
    #[arg(long)]
    ruby_net: bool,
    /// What name servers would answer Ruby of modules: by name addresses, or kinds of records and lists
    #[arg(long, value_name = "FILE")]
    ruby_dns: Option<PathBuf>,
    /// A Ruby that runs the templates and functions that do not run here, with all rights that it has
    #[arg(long, value_name = "PATH")]
    ruby_command: Option<PathBuf>,
    /// How many seconds one answer of --ruby-command may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, requires = "ruby_command")]
    max_ruby_time: f64,
    /// Whether exported resources are wanted, even if those of no other node are given.
    #[arg(skip)]
    pub(crate) has_store: bool,
}

/// Answers of a Ruby are kept in memory; more than this is not read of one.
const MOST_ANSWERED: usize = 256 << 20;

impl GivenArguments {
    /// Hands what stands in for functions to a site.
    pub(super) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        if let Some(path) = &self.answers {
            check_there(path)?;
        }
        let answers = self.answers.as_deref().map(|path| read_answers(&DiskFiles, path));
        Ok(site.with_substitutes(Substitutes {
            answers: answers.transpose().map_err(|error| puppets(&error))?.unwrap_or_default(),
            stubs: self.stub_missing,
            exported: self.exported_resources()?,
            overlays: overlays(&self.overlay)?,
            ruby_read: folders(&self.ruby_read)?,
            ruby_variables: if self.ruby_env { std::env::vars().collect() } else { Vec::new() },
            ruby_network: self.ruby_network()?,
            ruby_helper: self.ruby_helper(),
        }))
    }

    /// Returns the network that may be asked.
    fn ruby_network(&self) -> Result<Option<Arc<dyn Network>>, Failure> {
        if !self.ruby_net && self.ruby_dns.is_none() {
            return Ok(None);
        }
        let given = self.ruby_dns.as_deref().map(read_map).transpose()?;
        let given = given.as_ref().map(ruby_net::records);
        Ok(Some(Arc::new(RubyNetwork { is_open: self.ruby_net, given })))
    }

    /// Returns the real Ruby that may be started.
    fn ruby_helper(&self) -> Option<Arc<dyn HelperSource>> {
        let all = || std::env::vars().collect();
        Some(Arc::new(RubyCommand {
            path: self.ruby_command.clone()?,
            time: Duration::try_from_secs_f64(self.max_ruby_time).unwrap_or_default(),
            size: MOST_ANSWERED,
            variables: if self.ruby_env { all() } else { RubyCommand::usual_variables() },
        }))
    }

    /// Reads what other nodes exported; without a flag there is no store of it.
    fn exported_resources(&self) -> Result<Option<Arc<[ExportedResource]>>, Failure> {
        let read = |path: &PathBuf| {
            check_there(path)?;
            read_exported(&DiskFiles, path).map_err(|error| puppets(&error))
        };
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
fn check_there(path: &Path) -> Result<(), Failure> {
    std::fs::metadata(path).map(drop).map_err(|error| Failure::io("read", path, &error))
}

fn read_map(path: &Path) -> Result<hierarch_pcore::Hash, Failure> {
    check_there(path)?;
    facts::read_map(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))
}

/// Finds folders of functions, each of which has some.
fn overlays(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let found = folders(given)?;
    match found.iter().find(|folder| !has_functions(folder)) {
        Some(empty) => Err(issues::empty_overlay(empty)),
        None => Ok(found),
    }
}

/// Tells whether a folder has functions, or modules that have some.
fn has_functions(folder: &Path) -> bool {
    let modules = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    std::iter::once(folder.to_owned()).chain(modules).any(|folder| folder.join("functions").is_dir())
}

fn folders(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    given
        .iter()
        .map(|folder| std::fs::canonicalize(folder).map_err(|error| Failure::io("find", folder, &error)))
        .collect()
}
