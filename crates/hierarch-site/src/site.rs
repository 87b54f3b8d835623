//! A site: one control repository with its settings, shared by all who ask.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_eval::resource_types::ResourceTypes;
use hierarch_eval::substitute::Substitutes;
use hierarch_hiera::environment::control_repository;
use hierarch_hiera::{DataHash, facts};
use hierarch_pcore::value::Timestamp;
use hierarch_source::{DiskFiles, Files, Result};

use crate::builder::Builder;
use crate::environment::Environment;
use crate::facts::{NodeFacts, NodeSource};
use crate::issues;
use crate::node::Node;
use crate::settings::{Limits, Permissions, Settings};

/// Where the environments of a site are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// The folder is a control repository: the one environment, whatever it is called.
    Repository(String),
    /// The folder has a folder for each environment.
    Environments(String),
    /// There are no data and no manifests, only modules.
    Modules,
}

/// What a site is made of.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) root: Root,
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
    pub(crate) permissions: Permissions,
    pub(crate) clock: fn() -> Timestamp,
    pub(crate) memory: fn() -> Option<u64>,
    pub(crate) nodes: Arc<dyn NodeSource>,
    pub(crate) backends: Vec<Arc<dyn DataHash>>,
    pub(crate) assumed_modules: Vec<&'static str>,
    pub(crate) resource_types: Option<Arc<dyn ResourceTypes>>,
    pub(crate) substitutes: Arc<Substitutes>,
}

/// One control repository. It is opened once and asked by many threads; what it has read it keeps.
pub struct Site {
    parts: Parts,
    environments: Mutex<HashMap<String, Arc<Environment>>>,
}

impl Site {
    /// Opens the control repository that a folder of this machine is in.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let whole = DiskFiles.resolve(folder).map_err(|error| issues::unreadable(folder, &error))?;
        let found = control_repository(&DiskFiles, &whole.display().to_string());
        let repository = found.ok_or_else(|| issues::no_repository(folder))?;
        Ok(Self::on(DiskFiles).with_root(Root::Repository(repository)).build())
    }

    /// Starts putting a site together on files: of the disk, of memory, or of an overlay of both.
    pub fn on(files: impl Files + 'static) -> Builder {
        Builder::new(Arc::new(files))
    }

    pub(crate) fn of(parts: Parts) -> Self {
        Self { parts, environments: Mutex::default() }
    }

    /// Opens the same site on other files: what would be if they were there.
    #[must_use]
    pub fn over(&self, files: impl Files + 'static) -> Self {
        Self::of(Parts { files: Arc::new(files), ..self.parts.clone() })
    }

    /// Returns the files that everything is read from.
    pub fn files(&self) -> &Arc<dyn Files> {
        &self.parts.files
    }

    /// Returns how it is set up.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// Returns how much work a question may be.
    pub fn limits(&self) -> Limits {
        self.parts.limits
    }

    /// Returns what may be reached and told.
    pub fn permissions(&self) -> Permissions {
        self.parts.permissions
    }

    /// Returns where nodes and their facts come from.
    pub fn node_source(&self) -> &dyn NodeSource {
        &*self.parts.nodes
    }

    /// Returns the environment of nodes that name no other.
    pub fn environment(&self) -> Arc<Environment> {
        self.environment_named(&self.parts.settings.environment)
    }

    /// Opens an environment, once.
    pub fn environment_named(&self, name: &str) -> Arc<Environment> {
        let mut environments = self.environments.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Environment::open(&self.parts, name));
        Arc::clone(environments.entry(name.to_owned()).or_insert_with(new))
    }

    /// Tells whether there is one environment, whatever it is called.
    pub fn is_one_environment(&self) -> bool {
        !matches!(self.parts.root, Root::Environments(_))
    }

    /// Tells whether there is an environment of a name.
    pub fn has_environment(&self, name: &str) -> bool {
        match &self.parts.root {
            Root::Environments(folder) => self.parts.files.is_folder(&Path::new(folder).join(name)),
            _ => name == self.parts.settings.environment,
        }
    }

    /// Lists the names of the environments that there are.
    pub fn environment_names(&self) -> Vec<String> {
        let Root::Environments(folder) = &self.parts.root else {
            return vec![self.parts.settings.environment.clone()];
        };
        let mut names = self.parts.files.list(Path::new(folder)).unwrap_or_default();
        names.retain(|name| self.parts.files.is_folder(&Path::new(folder).join(name)));
        names
    }

    /// Finds a node and what its source knows of it.
    pub fn node(&self, name: &str) -> Result<Node> {
        let known =
            self.parts.nodes.find(&*self.parts.files, name)?.ok_or_else(|| issues::unknown_node(name))?;
        if known.trusted.is_none() {
            facts::check_known(&known.facts, name)?;
        }
        Ok(self.node_with(name, known))
    }

    /// Finds a node as [`Site::node`] does; its name is trusted where its facts do not say who it is.
    pub fn trusted_node(&self, name: &str) -> Result<Node> {
        let known = self.parts.nodes.find(&*self.parts.files, name)?;
        let known = known.ok_or_else(|| issues::unknown_node(name))?;
        Ok(self.node_with(name, known.trusting(name)))
    }

    /// Makes a node of what is known about it.
    pub fn node_with(&self, name: &str, known: NodeFacts) -> Node {
        let environment = match &known.environment {
            Some(name) => self.environment_named(name),
            None => self.environment(),
        };
        Node::new(environment, name, known, &self.parts.settings)
    }
}
