//! A site to compile: where its files are, its facts, and what stands in its manifest.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use hierarch_eval::catalog::Catalog;
use hierarch_eval::resource_types::{ModuleTypes, ResourceTypes};
use hierarch_eval::{Evaluator, Limits, Settings};
use hierarch_hiera::node::Node;
use hierarch_hiera::{Environment, Hiera};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Result, Source};

use super::bench::STACK;

/// What is compiled, everything read anew each time but the resource types, which Puppet's process keeps as well.
pub(super) struct Site {
    pub(super) files: Arc<dyn Files>,
    pub(super) environment: Environment,
    pub(super) node: &'static str,
    pub(super) facts: Hash,
    pub(super) manifest: Arc<Source>,
    pub(super) types: OnceLock<Arc<ModuleTypes>>,
}

impl Site {
    /// Compiles the catalog of its node, on a thread with a stack of [`STACK`].
    pub(super) fn compile(&self) -> Result<Catalog> {
        let environment = self.environment.clone();
        let modulepath: Vec<PathBuf> = environment.modulepath.iter().map(Into::into).collect();
        let types = self
            .types
            .get_or_init(|| Arc::new(ModuleTypes::new(Arc::clone(&self.files), modulepath.clone())));
        let settings = hierarch_hiera::Settings::default();
        let hiera = Arc::new(Hiera::new(Arc::clone(&self.files), settings, environment, String::new()));
        let language = hierarch_functions::environment()
            .with_files(Arc::clone(&self.files))
            .with_modulepath(modulepath)
            .with_resource_types(Arc::clone(types) as Arc<dyn ResourceTypes>)
            .with_hiera(Arc::clone(&hiera));
        let settings = Settings { node: self.node.to_owned(), ..Settings::default() };
        let limits = Limits::default().with_stack_of(STACK);
        let mut evaluator = Evaluator::new(&language).with_settings(settings).with_limits(limits);
        for (name, value) in self.node().scope(hiera.log()).variables() {
            evaluator.set_variable(name.as_str().unwrap_or_default(), value.clone());
        }
        evaluator.compile(&[Arc::clone(&self.manifest)])
    }

    fn node(&self) -> Node {
        let mut trusted: Hash = [("certname", self.node), ("authenticated", "local")].into_iter().collect();
        trusted.insert("extensions", Value::from(Hash::new()));
        Node {
            name: self.node.to_owned(),
            facts: self.facts.clone(),
            environment: self.environment.name.clone(),
            server_facts: Hash::new(),
            trusted: Some(trusted),
        }
    }
}
