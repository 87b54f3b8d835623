//! What leads from a template back to its expression: `__unfurl`, with every function as a method.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hierarch_pcore::{Hash, Value};
use minijinja::value::{Kwargs, Object, ObjectRepr, Value as JinjaValue, from_args};
use minijinja::{Error as JinjaError, State};

use super::failure::to_jinja_error;
use super::issues;
use super::value::{from_jinja, given};
use crate::expr::functions::{self, Call};
use crate::expr::scope::Scope;

/// Remembers whether a template has touched a secret.
#[derive(Clone, Debug, Default)]
pub(super) struct Taint(Arc<AtomicBool>);

impl Taint {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes a secret of what came out of secrets.
    pub(super) fn mark(&self, value: Value) -> Value {
        if self.0.load(Ordering::Relaxed) { Value::sensitive(value) } else { value }
    }
}

/// The scope that a template is rendered in.
pub(super) struct Bridge {
    pub(super) scope: Scope,
    pub(super) taint: Taint,
}

impl std::fmt::Debug for Bridge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<context>")
    }
}

impl Bridge {
    pub(super) fn new(scope: &Scope, taint: &Taint) -> Self {
        Self { scope: scope.clone(), taint: taint.clone() }
    }

    /// Returns the bridge of the template that is being rendered.
    pub(super) fn of(state: &State) -> Result<Arc<Self>, JinjaError> {
        let found = state.lookup("__unfurl").and_then(|value| value.downcast_object::<Self>());
        found.ok_or_else(issues::bridge_is_gone)
    }

    /// Calls a function with the values a template gives.
    pub(super) fn call_function(
        &self,
        name: &str,
        argument: &Value,
        named: &Hash,
    ) -> Result<JinjaValue, JinjaError> {
        let call = Call { scope: &self.scope, name, argument, named, ready: true };
        given(&self.scope, functions::call(name, &call).map(|found| found.one()), &self.taint)
    }
}

impl Object for Bridge {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State,
        method: &str,
        arguments: &[JinjaValue],
    ) -> Result<JinjaValue, JinjaError> {
        if !functions::is_function(method) {
            let near = functions::like(method).unwrap_or_default();
            return Err(to_jinja_error(crate::expr::issues::function_missing(method, &near)));
        }
        let (arguments, named): (&[JinjaValue], Kwargs) = from_args(arguments)?;
        let mut values = arguments.iter().map(from_jinja).collect::<Result<Vec<_>, _>>()?;
        let argument = if values.len() == 1 { values.remove(0) } else { values.into() };
        self.call_function(method, &argument, &named_values(&named)?)
    }
}

/// Returns named arguments as values.
pub(super) fn named_values(named: &Kwargs) -> Result<Hash, JinjaError> {
    let mut values = Hash::new();
    for name in named.args() {
        let value: JinjaValue = named.get(name)?;
        values.insert(name, from_jinja(&value)?);
    }
    Ok(values)
}
