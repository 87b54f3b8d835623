//! A site to compile: where its files are, its facts, and what stands in its manifest.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use hierarch_eval::catalog::Catalog;
use hierarch_eval::resource_types::{ModuleTypes, ResourceTypes};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Environment, Limits, NodeFacts, Root, Settings, Site};
use hierarch_source::{Files, MemoryFiles, Result, Source};

use super::bench::STACK;

/// What is compiled, everything read anew each time but the resource types, which Puppet's process keeps as well.
pub(super) struct CompiledSite {
    pub(super) files: Arc<dyn Files>,
    pub(super) root: Root,
    /// The folders with modules, instead of those of the environment.
    pub(super) modulepath: Option<Vec<String>>,
    pub(super) node: &'static str,
    pub(super) facts: Hash,
    pub(super) manifest: Arc<Source>,
    pub(super) types: OnceLock<Arc<ModuleTypes>>,
}

impl CompiledSite {
    /// Compiles the catalog of its node, on a thread with a stack of [`STACK`].
    pub(super) fn compile(&self) -> Result<Catalog> {
        let site = self.open();
        let site = match self.types.get() {
            Some(types) => site.with_resource_types(Arc::clone(types) as Arc<dyn ResourceTypes>),
            None => site,
        };
        let mut trusted: Hash = [("certname", self.node), ("authenticated", "local")].into_iter().collect();
        trusted.insert("extensions", Value::from(Hash::new()));
        let known = NodeFacts { facts: self.facts.clone(), trusted: Some(trusted), environment: None };
        let node = site.build().node_with(self.node, known);
        node.compile_from(&[Arc::clone(&self.manifest)]).catalog
    }

    /// Reads the resource types of the modules, to be kept from now on.
    pub(super) fn keep_types(&self) {
        let modulepath: Vec<PathBuf> = self.open().build().environment().modulepath().to_vec();
        self.types.get_or_init(|| Arc::new(ModuleTypes::new(Arc::clone(&self.files), modulepath)));
    }

    fn open(&self) -> hierarch_site::Builder {
        let modulepath = self.modulepath.clone();
        let settings = Settings { modulepath, server_facts: Hash::new(), ..Settings::default() };
        Site::on(Arc::clone(&self.files))
            .with_root(self.root.clone())
            .with_settings(settings)
            .with_limits(Limits::default().with_stack_of(STACK))
    }
}

/// Opens an environment without files, for programs that are nothing but code.
pub(super) fn bare(limits: hierarch_eval::ProgramLimits, modules: &[&'static str]) -> Arc<Environment> {
    let limits = Limits { evaluation: limits, ..Limits::default() };
    let site = Site::on(MemoryFiles::default()).with_root(Root::Modules).with_limits(limits);
    modules.iter().fold(site, |site, module| site.assuming_module(module)).build().environment()
}
