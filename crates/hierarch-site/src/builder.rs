//! How a site is put together: each part has a default, and is handed in once.

use std::sync::Arc;

use hierarch_eval::resource_types::ResourceTypes;
use hierarch_eval::substitute::Substitutes;
use hierarch_hiera::DataHash;
use hierarch_pcore::value::Timestamp;
use hierarch_source::Files;

use crate::directives::Directives;
use crate::facts::{NoFacts, NodeSource};
use crate::settings::{Limits, Permissions, Settings};
use crate::site::{Parts, Root, Site};

/// Puts a [`Site`] together.
#[must_use]
pub struct Builder {
    parts: Parts,
}

impl Builder {
    pub(crate) fn new(files: Arc<dyn Files>) -> Self {
        Self {
            parts: Parts {
                files,
                root: Root::Repository(String::new()),
                settings: Settings::default(),
                limits: Limits::default(),
                permissions: Permissions::default(),
                clock: || Timestamp(0),
                memory: || None,
                nodes: Arc::new(NoFacts),
                backends: vec![Arc::new(Directives)],
                assumed_modules: Vec::new(),
                resource_types: None,
                substitutes: Arc::default(),
            },
        }
    }

    /// Says where environments are; the root of the files is one environment unless told otherwise.
    pub fn with_root(mut self, root: Root) -> Self {
        self.parts.root = root;
        self
    }

    /// Returns where environments are.
    pub fn root(&self) -> &Root {
        &self.parts.root
    }

    /// Says how the site is set up.
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.parts.settings = settings;
        self
    }

    /// Changes some of the settings.
    pub fn changing_settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.parts.settings);
        self
    }

    /// Says how much work a question may be.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.parts.limits = limits;
        self
    }

    /// Says what may be reached and told.
    pub fn with_permissions(mut self, permissions: Permissions) -> Self {
        self.parts.permissions = permissions;
        self
    }

    /// Hands in a way to tell how much memory the process uses; without one, no program is stopped for that.
    pub fn with_memory(mut self, memory: fn() -> Option<u64>) -> Self {
        self.parts.memory = memory;
        self
    }

    /// Hands in a clock; without one, time stands still.
    pub fn with_clock(mut self, clock: fn() -> Timestamp) -> Self {
        self.parts.clock = clock;
        self
    }

    /// Says where nodes and their facts come from; without a source, a node has its name and nothing else.
    pub fn with_nodes(mut self, nodes: impl NodeSource + 'static) -> Self {
        self.parts.nodes = Arc::new(nodes);
        self
    }

    /// Adds a way to keep data, which levels use by its name as a `data_hash` function.
    pub fn with_backend(mut self, backend: Arc<dyn DataHash>) -> Self {
        self.parts.backends.push(backend);
        self
    }

    /// Hands in resource types that were read before; without them, those of Puppet and of the modules are read.
    pub fn with_resource_types(mut self, types: Arc<dyn ResourceTypes>) -> Self {
        self.parts.resource_types = Some(types);
        self
    }

    /// Treats a module as if it were on the modulepath, as far as the built-in functions go that stand in for its own.
    pub fn assuming_module(mut self, module: &'static str) -> Self {
        self.parts.assumed_modules.push(module);
        self
    }

    /// Says what stands in for functions that cannot run here.
    pub fn with_substitutes(mut self, substitutes: Substitutes) -> Self {
        self.parts.substitutes = Arc::new(substitutes);
        self
    }

    /// Opens the site. Files are read when a question needs them.
    pub fn build(self) -> Site {
        Site::of(self.parts)
    }
}
