//! The evaluator as what lookups ask for variables, types and data functions.

use std::cell::RefCell;
use std::sync::Arc;

use hierarch_hiera::host::{Answer, DataFunction, LookupHost, Variable};
use hierarch_hiera::{Context, SessionMemory, issues as words};
use hierarch_pcore::{Type, Value, convert};
use hierarch_source::{Error, Result};

use super::{LookupContext, Lookups};
use crate::call::Callee;
use crate::evaluator::Evaluator;
use crate::load::Loading;
use crate::scope::{BUILT_IN, Frame, ScopeId};
use crate::substitute::is_missing;
use crate::{Unwind, issues};

/// An evaluator in the middle of a lookup.
///
/// Whoever looks up asks for a variable, or has a function called and waits for it to return: never both at once. That
/// is why the cell is never borrowed twice, whatever the function looks up meanwhile.
pub struct Surroundings<'a, 'e> {
    evaluator: RefCell<&'a mut Evaluator<'e>>,
    view: View<'a>,
    version: u64,
}

/// From where variables are seen.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    /// A scope: the top scope, or that of a class.
    Scope(ScopeId),
    /// Code that is running.
    Frame(&'a Frame<'a>),
    /// A scope, and from there code that is running in the top scope around it.
    Around(ScopeId, &'a Frame<'a>),
}

impl View<'_> {
    fn has_locals(self) -> bool {
        match self {
            Self::Scope(scope) => scope != ScopeId::TOP,
            Self::Frame(frame) => {
                frame.scope != ScopeId::TOP || frame.parent.is_some() || !frame.unit.slots.is_empty()
            }
            Self::Around(..) => true,
        }
    }

    fn scope(self) -> ScopeId {
        match self {
            Self::Scope(scope) | Self::Around(scope, _) => scope,
            Self::Frame(frame) => frame.scope,
        }
    }

    fn read(self, evaluator: &Evaluator, name: &str) -> Option<Value> {
        match self {
            Self::Scope(scope) => evaluator.variable_in(scope, name),
            Self::Frame(frame) => evaluator.variable_named(frame, name),
            Self::Around(scope, frame) => {
                let own = evaluator.compilation.scope_variable(&evaluator.stack, scope, name);
                own.or_else(|| evaluator.variable_named(frame, name))
            }
        }
    }
}

impl<'a, 'e> Surroundings<'a, 'e> {
    pub(crate) fn new(evaluator: &'a mut Evaluator<'e>, view: View<'a>) -> Self {
        // Groups of a match are seen as well, and come and go unnoticed.
        let has_locals = view.has_locals() || !evaluator.matches.is_empty();
        let version = evaluator.lookups.version(evaluator.stack.changes(), has_locals);
        Self { evaluator: RefCell::new(evaluator), view, version }
    }
}

impl LookupHost for Surroundings<'_, '_> {
    fn variable(&self, name: &str) -> Variable {
        let evaluator = self.evaluator.borrow();
        if let Some(value) = self.view.read(&evaluator, name) {
            return Variable::Value(value);
        }
        let bare = name.strip_prefix("::").unwrap_or(name);
        if BUILT_IN.contains(&bare) || is_number(bare) {
            return Variable::Value(Value::Undef);
        }
        Variable::Undefined(evaluator.loading.why_undefined(bare))
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn is_local(&self) -> bool {
        Lookups::is_local(self.version)
    }

    fn parse_type(&self, text: &str) -> Result<Type> {
        Type::parse(text, self.evaluator.borrow().host())
    }

    fn new_instance(&self, type_: &Type, arguments: &[Value]) -> Result<Value> {
        convert::new(type_, arguments, self.evaluator.borrow().host())
    }

    fn remembered(&self) -> Option<SessionMemory> {
        Some(self.evaluator.borrow().lookups.remembered.clone())
    }

    fn function(&self, name: &str) -> Result<Option<Box<dyn DataFunction + '_>>> {
        let mut evaluator = self.evaluator.borrow_mut();
        let (callee, returns) = match evaluator.loading.find_callee(name)? {
            Some(Callee::User(function)) => {
                let returns = evaluator.declared_result(&function);
                let returns = returns.map_err(|unwind| evaluator.illegal(unwind))?;
                (Callee::User(function), returns)
            }
            Some(callee @ Callee::Foreign(_)) => (callee, None),
            Some(Callee::BuiltIn(_)) | None => return Ok(None),
        };
        Ok(Some(Box::new(ModuleFunction { host: self, callee, returns })))
    }
}

/// A data function of an environment or module.
struct ModuleFunction<'h, 'a, 'e> {
    host: &'h Surroundings<'a, 'e>,
    callee: Callee,
    returns: Option<Type>,
}

impl DataFunction for ModuleFunction<'_, '_, '_> {
    fn return_type(&self) -> Option<Type> {
        self.returns.clone()
    }

    fn call(&self, mut arguments: Vec<Value>, context: &Arc<Context>) -> Result<Answer> {
        if context.is_argument() {
            arguments.push(LookupContext::value(context, self.host.view.scope()));
        }
        self.host.evaluator.borrow_mut().call_data_function(&self.callee, arguments, context)
    }
}

impl Evaluator<'_> {
    fn call_data_function(
        &mut self,
        callee: &Callee,
        arguments: Vec<Value>,
        context: &Arc<Context>,
    ) -> Result<Answer> {
        self.lookups.running.push(Arc::clone(context));
        let result = match callee {
            Callee::User(function) => self.call_user(function, arguments.into(), None),
            Callee::Foreign(function) => self.call_foreign_at_top(function, arguments),
            Callee::BuiltIn(_) => Ok(Value::Undef),
        };
        self.lookups.running.pop();
        match result {
            Ok(value) => Ok(Answer::Value(value)),
            Err(Unwind::NotFound) => Ok(Answer::NotFound),
            // A backend that cannot run is passed over, and told of as other functions are.
            Err(Unwind::Error(error)) if self.substitution.given.stubs && is_missing(&error) => {
                self.note_stub(name_of(callee), &error, None);
                Ok(Answer::NotFound)
            }
            Err(unwind) => Err(failure(self.illegal(unwind))),
        }
    }
}

/// Returns the name of a data function.
fn name_of(callee: &Callee) -> &str {
    match callee {
        Callee::BuiltIn(_) => "",
        Callee::User(function) => &function.name,
        Callee::Foreign(function) => &function.source.name,
    }
}

impl Loading<'_> {
    /// Says why there is no such variable, in words that follow the name.
    pub(crate) fn why_undefined(&self, name: &str) -> String {
        let Some((class, _)) = name.rsplit_once("::").filter(|(class, _)| !class.is_empty()) else {
            return String::new();
        };
        // What is wrong with its manifest is said by whoever includes it.
        if matches!(self.class(class), Ok(Some(_))) {
            words::class_not_evaluated(class)
        } else {
            words::class_not_found(class)
        }
    }
}

/// An error that no expression has to answer for is that of the call, which is Ruby's own to the reference.
fn failure(error: Error) -> Error {
    // To the reference, what a function must not return is an error of Puppet's all the same.
    if error.place.is_none() && error.has_detail(issues::RETURNED_FROM) {
        return issues::wrong_answer(&error.message);
    }
    if error.place.is_none() && error.code == issues::RUNTIME_ERROR {
        return words::ruby(error.message.clone()).showing(error.excerpt.clone());
    }
    error
}

fn is_number(name: &str) -> bool {
    name == "0"
        || (!name.starts_with('0') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}
