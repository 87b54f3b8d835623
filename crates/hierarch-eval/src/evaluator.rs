//! One run of programs in an environment, with variables, logs and limits of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hierarch_hiera::Strict;
use hierarch_pcore::types::Definitions;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Diagnostic, Error, Severity, Source};
use hierarch_syntax::{CheckedText, DuplicateKeys, ValidateOptions, check};

use crate::Level;
use crate::catalog::Catalog;
use crate::code::Code;
use crate::compile::Compilation;
use crate::environment::Codebase;
use crate::function::FunctionState;
use crate::guard::{Guard, SecretRule};
use crate::hiera::Lookups;
use crate::limits::{Budget, ProgramLimits};
use crate::load::Loading;
use crate::log::Log;
use crate::lower;
use crate::matches::Matches;
use crate::metadata::Refusal;
use crate::output::Output;
use crate::patterns::Patterns;
use crate::resource::ResourceId;
use crate::scope::{Frame, ScopeId};
use crate::stack::Stack;
use crate::substitute::Substitution;
use crate::{Result, Unwind, issues};

/// Runs programs. Variables and definitions stay from one program to the next.
pub struct Evaluator<'e> {
    pub(crate) environment: &'e Codebase,
    pub(crate) settings: ProgramSettings,
    /// What the run has used of its limits.
    pub(crate) budget: Budget<'e>,
    /// The variables of running code and of the top scope.
    pub(crate) stack: Stack,
    /// The match variables.
    pub(crate) matches: Matches,
    /// Functions, types, classes and nodes: the program's own and those of modules.
    pub(crate) loading: Loading<'e>,
    pub(crate) patterns: Patterns,
    /// The catalog in the making.
    pub(crate) compilation: Compilation,
    pub(crate) lookups: Lookups,
    /// Texts in the making, and messages.
    pub(crate) output: Output,
    /// What functions keep from one call to the next.
    pub(crate) functions: FunctionState,
    /// How many refused modules this run has told of.
    told_refusals: usize,
    /// What stands in for functions.
    pub(crate) substitution: Substitution,
}

/// How strict the language is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSettings {
    /// What happens where the language would rather not guess.
    pub strict: Strict,
    /// Whether reading an unknown variable is an error.
    pub strict_variables: bool,
    /// Whether programs of the machine may be run (`generate`).
    pub may_run_programs: bool,
    /// The name of the node, for functions that need one.
    pub node: String,
}

impl Default for ProgramSettings {
    /// The defaults of Puppet 8.
    fn default() -> Self {
        Self { strict: Strict::Error, strict_variables: true, may_run_programs: false, node: String::new() }
    }
}

impl ProgramSettings {
    /// Returns how programs are checked.
    pub(crate) fn validation(&self) -> ValidateOptions {
        let duplicate_keys = match self.strict {
            Strict::Off => DuplicateKeys::Allowed,
            Strict::Warning => DuplicateKeys::Warned,
            Strict::Error => DuplicateKeys::Refused,
        };
        ValidateOptions { duplicate_keys, ..ValidateOptions::default() }
    }
}

impl<'e> Evaluator<'e> {
    /// Starts a run in which only the built-in variables are set.
    pub fn new(environment: &'e Codebase) -> Self {
        let mut evaluator = Self {
            environment,
            settings: ProgramSettings::default(),
            budget: Budget::new(environment, ProgramLimits::default()),
            stack: Stack::default(),
            matches: Matches::default(),
            loading: Loading::new(environment),
            patterns: Patterns::default(),
            compilation: Compilation::new(),
            lookups: Lookups::default(),
            output: Output::default(),
            functions: FunctionState::default(),
            told_refusals: 0,
            substitution: Substitution::of(environment),
        };
        let own = [("name", "main"), ("title", "main"), ("module_name", ""), ("environment", "production")];
        for (name, value) in own {
            evaluator.set_variable(name, Value::from(value));
        }
        for name in ["facts", "trusted", "server_facts"] {
            evaluator.set_variable(name, Value::from(Hash::new()));
        }
        evaluator
    }

    /// Changes how strict the language is.
    #[must_use]
    pub fn with_settings(mut self, settings: ProgramSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Changes how much a program may use.
    #[must_use]
    pub fn with_limits(mut self, limits: ProgramLimits) -> Self {
        self.budget = Budget::new(self.environment, limits);
        self.loading.largest = limits.size;
        self
    }

    /// Lets programs end with an error soon after a flag is set from outside.
    pub fn set_stop(&mut self, stop: Arc<AtomicBool>) {
        self.budget.stop = Some(stop);
    }

    /// Bounds what programs may do from now on.
    pub fn set_guard(&mut self, guard: Guard) {
        self.loading.set_guard(guard);
        self.lookups.secrets = guard.secrets;
    }

    /// Sets `$facts`, and each fact as a top-scope variable.
    pub fn set_facts(&mut self, facts: Hash) {
        for (name, value) in &facts {
            if let Value::String(name) = name {
                self.set_variable(name, value.clone());
            }
        }
        self.set_variable("facts", facts.into());
    }

    /// Sets a top-scope variable; a name with `::` is one of another namespace.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        let name = name.strip_prefix("::").unwrap_or(name);
        if name.contains("::") {
            self.stack.set_qualified(name, value);
        } else {
            let id = self.environment.names().id(name);
            *self.stack.global_mut(id) = Some(value);
        }
    }

    /// Returns a top-scope variable.
    pub fn variable(&self, name: &str) -> Option<Value> {
        self.global_named(name)
    }

    /// Runs a manifest, and all that it declares, and returns the value of its last expression.
    pub fn evaluate(&mut self, source: &Arc<Source>) -> hierarch_source::Result<Value> {
        let code = self.load_manifest(source)?;
        self.run(&code)
    }

    /// Compiles the catalog of a node from the manifests of a site.
    pub fn compile(&mut self, manifests: &[Arc<Source>]) -> hierarch_source::Result<Catalog> {
        let mut codes = Vec::with_capacity(manifests.len());
        for source in manifests {
            codes.push(self.load_manifest(source)?);
        }
        self.budget.start();
        let result = self.run_all(&codes);
        self.reset();
        result.map_err(|unwind| self.illegal(unwind))?;
        Ok(self.finished_catalog())
    }

    /// Parses, checks and lowers a manifest, and makes its definitions known.
    pub fn load_manifest(&mut self, source: &Arc<Source>) -> hierarch_source::Result<Arc<Code>> {
        let checked = check(source, &self.settings.validation());
        let program = self.accept(checked)?;
        let code = Arc::new(lower::manifest(program, self.environment.names())?);
        self.loading.define_all(&code)?;
        self.log_load_warnings();
        Ok(code)
    }

    /// Logs what checking found; its errors are logged only if there are several.
    pub(crate) fn accept(
        &mut self,
        checked: CheckedText,
    ) -> hierarch_source::Result<hierarch_syntax::Program> {
        let failure = checked.failure();
        let logs_errors = checked.errors().count() > 1;
        for diagnostic in checked.diagnostics {
            match diagnostic.severity {
                Severity::Warning => self.log_diagnostic(Level::Warning, diagnostic),
                Severity::Error if logs_errors => self.log_diagnostic(Level::Err, diagnostic),
                Severity::Error => {}
            }
        }
        match (failure, checked.program) {
            (None, Some(program)) => Ok(program),
            (Some(failure), _) => Err(failure),
            (None, None) => unreachable!("a text without a program has an error"),
        }
    }

    fn log_diagnostic(&mut self, level: Level, diagnostic: Diagnostic) {
        self.output.log(Log {
            level,
            message: diagnostic.message,
            place: diagnostic.place,
            scope: None,
            excerpt: None,
        });
    }

    /// Runs a program that was loaded, and all that it declares.
    pub fn run(&mut self, code: &Arc<Code>) -> hierarch_source::Result<Value> {
        self.budget.start();
        let result = self.run_all(std::slice::from_ref(code));
        self.reset();
        result.map_err(|unwind| self.illegal(unwind))
    }

    /// Runs programs one after the other, then the node's definition and what waits to be evaluated.
    fn run_all(&mut self, codes: &[Arc<Code>]) -> Evaluated {
        let mut last = Value::Undef;
        for code in codes {
            let (base, scope) = (self.stack.top(), ScopeId::TOP);
            let frame = Frame { code, unit: code.unit(lower::MAIN), base, parent: None, scope };
            last = self.eval(&frame, code.root)?;
        }
        self.evaluate_node()?;
        self.declare_node_classes()?;
        self.generate()?;
        self.finish()?;
        Ok(last)
    }

    /// Runs an EPP template given as text in the top scope.
    pub fn render_epp(
        &mut self,
        template: &str,
        parameters: Option<&Hash>,
    ) -> hierarch_source::Result<Value> {
        self.budget.start();
        let result = self.inline_epp(template, parameters, None);
        self.finish_alone(result)
    }

    /// Runs the EPP template in a file, `MODULE/FILE` or an absolute path.
    pub fn render_epp_file(
        &mut self,
        file: &str,
        parameters: Option<&Hash>,
    ) -> hierarch_source::Result<Value> {
        self.budget.start();
        let result = self.epp_file(file, parameters, ScopeId::TOP);
        self.finish_alone(result)
    }

    /// Ends what no expression called: a failure without a place has no issue that it could be wrapped in.
    fn finish_alone(&mut self, result: Evaluated) -> hierarch_source::Result<Value> {
        self.reset();
        result.map_err(|unwind| {
            let mut diagnostic = self.illegal(unwind).into_diagnostic();
            if diagnostic.place.is_none() && diagnostic.code == issues::RUNTIME_ERROR {
                diagnostic.code = "";
            }
            diagnostic.into()
        })
    }

    /// Forgets what an unwound program left behind.
    fn reset(&mut self) {
        self.stack.reset();
        self.matches.clear();
        self.output.reset();
    }

    /// Returns the error of something that went further out than it may.
    pub(crate) fn illegal(&mut self, unwind: Unwind) -> Error {
        let word = match unwind {
            Unwind::Error(error) => return self.without_secrets(error),
            Unwind::Next => "next",
            Unwind::Break => "break",
            Unwind::Return => "return",
            Unwind::NotFound => return issues::not_found_nowhere(),
            Unwind::Foreign => return issues::foreign_jump(),
        };
        let error = issues::illegal_jump(word);
        match self.stack.jump_start() {
            Some(place) => error.on_line_of(&place.source, place.span),
            None => error,
        }
    }

    /// What lookups decrypted may have been unwrapped and got into the words of an error.
    fn without_secrets(&self, error: Error) -> Error {
        let hiera = self.environment.hiera();
        // A program that saw only what stands for secrets tells of none.
        if !hiera.has_secrets() || self.lookups.secrets == SecretRule::Replaced {
            return error;
        }
        let message = hiera.without_secrets(&error.message);
        error.with_message(message)
    }

    /// Returns what was logged since the last time.
    pub fn take_logs(&mut self) -> Vec<Log> {
        let refusals = self.environment.refusals(self.told_refusals);
        self.told_refusals += refusals.len();
        for Refusal { message, place: excerpt } in refusals {
            self.output.log(Log { level: Level::Err, message, place: None, scope: None, excerpt });
        }
        self.output.take_logs()
    }

    /// Returns the settings.
    pub fn settings(&self) -> &ProgramSettings {
        &self.settings
    }

    /// Returns the environment.
    pub fn environment(&self) -> &'e Codebase {
        self.environment
    }

    /// Returns where types are looked up.
    pub fn definitions(&self) -> &dyn Definitions {
        &self.loading
    }

    /// Returns what conversions ask of their surroundings.
    pub(crate) fn host(&self) -> &Loading<'e> {
        &self.loading
    }

    /// Returns the resources that were declared, in order, without those that only hold others together.
    pub fn resource_references(&self) -> Vec<String> {
        let all = (0..).map(ResourceId).zip(&self.compilation.resources);
        let shown = all.filter(|(id, _)| *id > ResourceId::MAIN).map(|(id, resource)| {
            let sign = if resource.is_virtual { "@" } else { "" };
            format!("{sign}{}", self.compilation.reference(id))
        });
        shown.collect()
    }

    /// Returns the classes that were declared, in order.
    pub fn class_names(&self) -> Vec<String> {
        let names = self.compilation.classes.iter().map(ToString::to_string);
        names.filter(|name| name != "settings").collect()
    }

    /// Returns the names of all top-scope variables that are set.
    pub fn variable_names(&self) -> Vec<Str> {
        let names = self.environment.names();
        self.stack.global_names().map(|name| Str::from(&*names.text(name))).collect()
    }
}

/// A plain result of the evaluator's own.
pub(crate) type Evaluated = Result<Value>;
