//! What a lookup asks of its surroundings: variables, types, and data functions written in Puppet.
//!
//! Alone, the host is a [`Scope`]: a map of variables. Inside a compilation it is the evaluator.

use std::cell::RefCell;
use std::sync::Arc;

use hierarch_pcore::types::NoDefinitions;
use hierarch_pcore::{Hash, Str, Type, Value, convert};
use hierarch_source::Result;

use crate::classes::Classes;
use crate::hiera::Hiera;
use crate::issues;
use crate::lookup::Context;
use crate::session::SessionMemory;

/// The surroundings of a lookup.
pub trait LookupHost {
    /// Reads a variable by its name, which may be qualified: `::kernel`, `profile::x`.
    fn variable(&self, name: &str) -> Variable;

    /// Returns a number that changes when a variable may have got another value.
    fn version(&self) -> u64 {
        0
    }

    /// Tells whether that number will never come again: whoever asks has variables of his own.
    fn is_local(&self) -> bool {
        false
    }

    /// Understands a type written as text.
    fn parse_type(&self, text: &str) -> Result<Type> {
        Type::parse(text, &NoDefinitions)
    }

    /// Makes an instance of a type: what the function `new` does.
    fn new_instance(&self, type_: &Type, arguments: &[Value]) -> Result<Value> {
        convert::new(type_, arguments, &NoDefinitions)
    }

    /// Returns what is remembered from lookup to lookup, where the host looks up on its own as well.
    fn remembered(&self) -> Option<SessionMemory> {
        None
    }

    /// Finds a data function written in Puppet.
    fn function(&self, name: &str) -> Result<Option<Box<dyn DataFunction + '_>>> {
        let _ = name;
        Ok(None)
    }
}

/// A data function written in Puppet.
pub trait DataFunction {
    /// Returns the declared type of what it returns.
    fn return_type(&self) -> Option<Type>;

    /// Calls it. The context lets the function report, interpolate and remember.
    fn call(&self, arguments: Vec<Value>, context: &Arc<Context>) -> Result<Answer>;
}

/// What a data function answers.
pub enum Answer {
    /// A value.
    Value(Value),
    /// It called `context.not_found()`.
    NotFound,
}

/// What is known about a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Variable {
    /// Its value.
    Value(Value),
    /// There is none; why, in words that may be empty.
    Undefined(String),
}

/// A host that takes note of the variables that it is asked for.
pub(crate) struct NotingHost<'h> {
    host: &'h dyn LookupHost,
    reads: RefCell<Vec<(Str, Variable)>>,
}

impl<'h> NotingHost<'h> {
    pub(crate) fn new(host: &'h dyn LookupHost) -> Self {
        Self { host, reads: RefCell::default() }
    }

    /// Returns the variables and what they were, each once.
    pub(crate) fn into_reads(self) -> Vec<(Str, Variable)> {
        self.reads.into_inner()
    }
}

impl LookupHost for NotingHost<'_> {
    fn variable(&self, name: &str) -> Variable {
        let read = self.host.variable(name);
        let mut reads = self.reads.borrow_mut();
        if !reads.iter().any(|(known, _)| known == name) {
            reads.push((name.into(), read.clone()));
        }
        read
    }

    fn version(&self) -> u64 {
        self.host.version()
    }

    fn is_local(&self) -> bool {
        self.host.is_local()
    }

    fn parse_type(&self, text: &str) -> Result<Type> {
        self.host.parse_type(text)
    }

    fn new_instance(&self, type_: &Type, arguments: &[Value]) -> Result<Value> {
        self.host.new_instance(type_, arguments)
    }

    fn remembered(&self) -> Option<SessionMemory> {
        self.host.remembered()
    }

    fn function(&self, name: &str) -> Result<Option<Box<dyn DataFunction + '_>>> {
        self.host.function(name)
    }
}

/// Variables and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    variables: Hash,
    classes: Option<Arc<Classes>>,
}

impl Scope {
    /// Makes a scope without variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a top-scope variable.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.variables.insert(name, value.into());
    }

    /// Returns all variables.
    pub fn variables(&self) -> &Hash {
        &self.variables
    }

    /// Makes the classes known that modules have, so that a message can tell unknown ones from unevaluated ones.
    pub fn learn_classes(&mut self, hiera: &Hiera) {
        self.classes = Some(Arc::clone(hiera.classes()));
    }

    fn why_undefined(&self, name: &str) -> String {
        match name.rsplit_once("::") {
            None | Some(("", _)) => String::new(),
            Some((class, _)) if self.classes.as_ref().is_some_and(|classes| classes.has(class)) => {
                issues::class_not_evaluated(class)
            }
            Some((class, _)) => issues::class_not_found(class),
        }
    }
}

impl LookupHost for Scope {
    fn variable(&self, name: &str) -> Variable {
        let bare = name.strip_prefix("::").unwrap_or(name);
        match self.variables.get_str(bare) {
            Some(value) => Variable::Value(value.clone()),
            // The name of the module is empty outside of all modules.
            None if bare == "module_name" => Variable::Value(Value::from("")),
            // These exist in every scope, with or without a value: the caller, and the groups of a match.
            None if bare == "caller_module_name" || is_number(bare) => Variable::Value(Value::Undef),
            None => Variable::Undefined(self.why_undefined(bare)),
        }
    }
}

fn is_number(name: &str) -> bool {
    name == "0"
        || (!name.starts_with('0') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}
