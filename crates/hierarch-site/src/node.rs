//! A node: a machine that has facts, and what can be asked about it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hierarch_eval::hiera::NodeHost;
use hierarch_eval::{Catalog, Evaluator, Guard, Log, SecretRule};
use hierarch_hiera::{Scope, UnlistedKeys};
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Error, Result, Source};

use crate::classification::Classification;
use crate::compile::Compilation;
use crate::environment::Environment;
use crate::facts::NodeFacts;
use crate::failure;
use crate::lookup::{Answer, Explains, Explanation, NodeLookups, Question, TracedAnswer};
use crate::settings::Settings;
use crate::site::Site;

/// A node in its environment. Threads may share it.
pub struct Node {
    environment: Arc<Environment>,
    name: String,
    scope: Scope,
    /// What lookups see instead, where manifests have set more.
    seen: Option<Scope>,
    classes: Vec<(Str, Hash)>,
    stop: Option<Arc<AtomicBool>>,
    hides_secrets: bool,
    tells_failures: bool,
}

impl Node {
    /// Lets programs that run for it see, in place of secrets in data, what stands for them: whatever they make of it tells nothing.
    #[must_use]
    pub fn hiding_secrets(self, hides_secrets: bool) -> Self {
        Self { hides_secrets, ..self }
    }

    /// Returns the same node, whose programs see what stands for secrets in place of them.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        self.copy().hiding_secrets(true)
    }

    /// Lets failures be told in all their words, because whoever asks gets the secrets of the node anyway.
    #[must_use]
    pub fn telling_failures(self, tells_failures: bool) -> Self {
        Self { tells_failures, ..self }
    }

    /// Returns a failure to compile manifests as it may be told: what was unwrapped must not come out with it.
    pub fn shown_failure(&self, manifests: &[Arc<Source>], failure: Error) -> Error {
        failure::shown(self, manifests, failure)
    }

    pub(crate) fn hides_secrets(&self) -> bool {
        self.hides_secrets
    }

    pub(crate) fn tells_failures(&self) -> bool {
        self.tells_failures
    }

    /// Returns the same node once more.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self {
            environment: Arc::clone(&self.environment),
            name: self.name.clone(),
            scope: self.scope.clone(),
            seen: self.seen.clone(),
            classes: self.classes.clone(),
            stop: self.stop.clone(),
            hides_secrets: self.hides_secrets,
            tells_failures: self.tells_failures,
        }
    }

    /// Lets what is evaluated for it end with an error soon after a flag is set from outside.
    #[must_use]
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    pub(crate) fn new(
        environment: Arc<Environment>,
        name: &str,
        known: NodeFacts,
        settings: &Settings,
    ) -> Self {
        let hiera = environment.hiera();
        let node = hierarch_hiera::node::Node {
            name: name.to_owned(),
            facts: known.facts,
            environment: environment.name().to_owned(),
            server_facts: settings.server_facts.clone(),
            trusted: known.trusted,
        };
        let mut scope = node.scope(hiera.log());
        scope.learn_classes(hiera);
        let seen = None;
        Self {
            environment,
            name: node.name,
            scope,
            seen,
            classes: Vec::new(),
            stop: None,
            hides_secrets: false,
            tells_failures: false,
        }
    }

    /// Returns the same node in another site: what would be if its files were other ones.
    pub(crate) fn in_site(&self, site: &Site) -> Self {
        let environment = site.environment_named(self.environment.name());
        let mut scope = self.scope.clone();
        scope.learn_classes(environment.hiera());
        Self {
            environment,
            name: self.name.clone(),
            scope,
            seen: self.seen.clone(),
            classes: self.classes.clone(),
            stop: self.stop.clone(),
            hides_secrets: self.hides_secrets,
            tells_failures: self.tells_failures,
        }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the environment it is in.
    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// Returns the variables that its data and programs see: facts, trusted and server facts.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Sets a top-scope variable, as a classifier of nodes may do.
    pub fn set_variable(&mut self, name: &str, value: impl Into<Value>) {
        self.scope.set(name, value);
    }

    /// Takes over what a classifier of nodes says: variables of the top scope, and classes with their attributes.
    pub fn classify(&mut self, answer: &Classification) {
        for (name, value) in &answer.parameters {
            self.scope.set(name.as_str().unwrap_or_default(), value.clone());
        }
        self.classes.clone_from(&answer.classes);
    }

    /// Returns the classes that a classifier names.
    pub(crate) fn classes(&self) -> &[(Str, Hash)] {
        &self.classes
    }

    /// Looks a key up.
    pub fn lookup(&self, question: impl Into<Question>) -> Result<Answer> {
        self.asking(|lookups| lookups.lookup(&question.into())).0
    }

    /// Looks a key up and says, for each part of its value, where that stands.
    pub fn trace(&self, question: impl Into<Question>) -> Result<TracedAnswer> {
        self.asking(|lookups| lookups.trace(&question.into())).0
    }

    /// Looks a key up and says how it was found.
    pub fn explain(&self, question: impl Into<Question>) -> Result<Explanation> {
        self.asking(|lookups| lookups.explain(&question.into(), Explains::Everything)).0
    }

    /// Asks several questions; what is found out about the hierarchy is kept from one to the next. Returns what data
    /// functions logged meanwhile, too.
    pub fn asking<T>(&self, questions: impl FnOnce(&NodeLookups) -> T) -> (T, Vec<Log>) {
        let host = self.host();
        let answers = questions(&NodeLookups::new(&self.environment, &host));
        (answers, host.take_logs())
    }

    /// Returns what lookups of this node ask for variables, types and data functions.
    pub fn host(&self) -> NodeHost<'_> {
        let (settings, limits) = self.environment.program_settings();
        let settings = hierarch_eval::ProgramSettings { node: self.name.clone(), ..settings.clone() };
        let scope = self.seen.as_ref().unwrap_or(&self.scope);
        NodeHost::new(self.environment.language(), scope).with_settings(settings).with_limits(limits)
    }

    /// Reads all data files that this node sees, so that their keys are known. Returns what has others.
    pub(crate) fn read_data(&self, modules: &[String]) -> Vec<UnlistedKeys> {
        let host = self.host();
        self.environment.hiera().session(&host).read_all(modules)
    }

    /// Starts a run of programs that see the variables of this node.
    pub fn evaluator(&self) -> Evaluator<'_> {
        let mut evaluator = self.environment.evaluator_for(self.name.clone());
        for (name, value) in self.scope.variables() {
            evaluator.set_variable(name.as_str().unwrap_or_default(), value.clone());
        }
        if let Some(stop) = &self.stop {
            evaluator.set_stop(Arc::clone(stop));
        }
        if self.hides_secrets {
            evaluator.set_guard(Guard { secrets: SecretRule::Replaced, ..Guard::default() });
        }
        evaluator
    }

    /// Runs a program and returns the value of its last expression.
    pub fn evaluate(&self, source: &Arc<Source>) -> Result<Value> {
        self.evaluator().evaluate(source)
    }

    /// Compiles its catalog from the manifests of its environment.
    pub fn compile(&self) -> Result<Catalog> {
        self.compile_from(&self.environment.manifests()?).catalog
    }

    /// Compiles its catalog, and returns the node whose lookups see the variables that manifests have set.
    pub fn compiled(mut self) -> Result<Self> {
        let manifests = self.environment.manifests()?;
        let compilation = self.compile_from(&manifests);
        if let Err(error) = &compilation.catalog {
            return Err(error.clone());
        }
        compilation.note_secret_variables();
        let mut seen = self.scope.clone();
        for (name, value) in compilation.variables() {
            seen.set(&name, value);
        }
        drop(compilation);
        self.seen = Some(seen);
        Ok(self)
    }

    /// Compiles its catalog from other manifests, and keeps what was logged on the way.
    pub fn compile_from(&self, manifests: &[Arc<Source>]) -> Compilation<'_> {
        Compilation::run(self, manifests)
    }
}
