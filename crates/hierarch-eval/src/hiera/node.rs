//! A node whose data are looked up without a manifest: its variables, and an evaluator as soon as one is needed.

use std::cell::RefCell;
use std::sync::Arc;

use hierarch_hiera::host::{Answer, DataFunction, LookupHost, Variable};
use hierarch_hiera::{Context, Scope, SessionMemory};
use hierarch_pcore::types::Kind;
use hierarch_pcore::{Type, Value};
use hierarch_source::Result;

use crate::environment::Codebase;
use crate::evaluator::{Evaluator, ProgramSettings};
use crate::limits::ProgramLimits;
use crate::log::Log;

/// The variables of a node, and the way to data functions and types written in the language.
///
/// Most lookups need variables only, so the evaluator is made when the first function or unknown type is asked for.
///
/// ```
/// use std::sync::Arc;
/// use hierarch_eval::{Codebase, hiera::NodeHost};
/// use hierarch_hiera::{Hiera, Query, Scope};
/// use hierarch_source::MemoryFiles;
///
/// let files = Arc::new(MemoryFiles::from([
///     ("env/hiera.yaml", "version: 5\nhierarchy: [{name: mine, data_hash: mine}]"),
///     ("env/functions/mine.pp", "function mine($options, $context) { {'greeting' => 'Hello %{name}'} }"),
/// ]));
/// let hiera = Arc::new(Hiera::open(Arc::clone(&files), "env/hiera.yaml"));
/// let environment = Codebase::default().with_files(files).with_hiera(Arc::clone(&hiera));
/// let mut scope = Scope::new();
/// scope.set("name", "World");
/// let host = NodeHost::new(&environment, &scope);
/// let greeting = hiera.session(&host).lookup(&Query::new(["greeting".to_owned()]), None)?;
/// assert_eq!(greeting.as_str(), Some("Hello World"));
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub struct NodeHost<'n> {
    environment: &'n Codebase,
    scope: &'n Scope,
    settings: ProgramSettings,
    limits: ProgramLimits,
    remembered: SessionMemory,
    evaluator: RefCell<Option<Evaluator<'n>>>,
}

impl<'n> NodeHost<'n> {
    /// Makes the host of a node's lookups.
    pub fn new(environment: &'n Codebase, scope: &'n Scope) -> Self {
        Self {
            environment,
            scope,
            settings: ProgramSettings::default(),
            limits: ProgramLimits::default(),
            remembered: SessionMemory::default(),
            evaluator: RefCell::default(),
        }
    }

    /// Changes how strict the language is.
    #[must_use]
    pub fn with_settings(self, settings: ProgramSettings) -> Self {
        Self { settings, ..self }
    }

    /// Changes how much a function may use.
    #[must_use]
    pub fn with_limits(self, limits: ProgramLimits) -> Self {
        Self { limits, ..self }
    }

    /// Returns what functions logged since the last time.
    pub fn take_logs(&self) -> Vec<Log> {
        self.evaluator.borrow_mut().as_mut().map_or_else(Vec::new, Evaluator::take_logs)
    }

    fn with_evaluator<T>(&self, body: impl FnOnce(&mut Evaluator<'n>) -> T) -> T {
        let mut evaluator = self.evaluator.borrow_mut();
        body(evaluator.get_or_insert_with(|| self.make_evaluator()))
    }

    fn make_evaluator(&self) -> Evaluator<'n> {
        let mut evaluator = Evaluator::new(self.environment)
            .with_settings(self.settings.clone())
            .with_limits(self.limits)
            .remembering(self.remembered.clone());
        for (name, value) in self.scope.variables() {
            evaluator.set_variable(name.as_str().unwrap_or_default(), value.clone());
        }
        evaluator
    }
}

impl LookupHost for NodeHost<'_> {
    fn variable(&self, name: &str) -> Variable {
        self.scope.variable(name)
    }

    fn parse_type(&self, text: &str) -> Result<Type> {
        match self.scope.parse_type(text) {
            Ok(type_) if !matches!(type_.kind(), Kind::Reference(_)) => Ok(type_),
            _ => self.with_evaluator(|evaluator| evaluator.host_of_lookups().parse_type(text)),
        }
    }

    fn remembered(&self) -> Option<SessionMemory> {
        Some(self.remembered.clone())
    }

    fn function(&self, name: &str) -> Result<Option<Box<dyn DataFunction + '_>>> {
        let returns = self.with_evaluator(|evaluator| -> Result<Option<Option<Type>>> {
            let host = evaluator.host_of_lookups();
            let function = host.function(name)?;
            Ok(function.map(|function| function.return_type()))
        })?;
        let Some(returns) = returns else { return Ok(None) };
        Ok(Some(Box::new(EvaluatorFunction { host: self, name: name.to_owned(), returns })))
    }
}

/// A data function of the evaluator's.
struct EvaluatorFunction<'h, 'n> {
    host: &'h NodeHost<'n>,
    name: String,
    returns: Option<Type>,
}

impl DataFunction for EvaluatorFunction<'_, '_> {
    fn return_type(&self) -> Option<Type> {
        self.returns.clone()
    }

    fn call(&self, arguments: Vec<Value>, context: &Arc<Context>) -> Result<Answer> {
        self.host.with_evaluator(|evaluator| {
            let host = evaluator.host_of_lookups();
            match host.function(&self.name)? {
                Some(function) => function.call(arguments, context),
                None => Ok(Answer::NotFound),
            }
        })
    }
}
