//! Values that are more than data: functions, macros, methods, namespaces, dates.

use std::any::Any;

use hierarch_pcore::Str;

use super::fault::Checked;
use super::issues;
use super::renderer::Renderer;
use super::value::Val;

/// What a call is given.
#[derive(Default)]
pub(super) struct CallArguments {
    pub(super) positional: Vec<Val>,
    pub(super) named: Vec<(Str, Val)>,
}

/// A value with behaviour. What it does not say, it does not have.
pub(super) trait Object {
    /// Returns the name of its type in Python.
    fn type_name(&self) -> &'static str;

    /// Returns what Python's `repr` gives.
    fn shown(&self, renderer: &mut Renderer) -> Checked<String>;

    /// Returns what Python's `str` gives.
    fn printed(&self, renderer: &mut Renderer) -> Checked<String> {
        self.shown(renderer)
    }

    fn attribute(&self, _: &mut Renderer, _: &str) -> Checked<Option<Val>> {
        Ok(None)
    }

    fn is_callable(&self) -> bool {
        false
    }

    fn call(&self, _: &mut Renderer, _: CallArguments) -> Checked<Val> {
        Err(issues::not_callable(self.type_name()))
    }

    /// Calls one of its methods; none if it has no such method.
    fn method(&self, renderer: &mut Renderer, name: &str, given: CallArguments) -> Option<Checked<Val>> {
        match self.attribute(renderer, name) {
            Ok(Some(method)) => Some(renderer.call_value(&method, given)),
            Ok(None) => None,
            Err(fault) => Some(Err(fault)),
        }
    }

    /// Returns the tuple that it is in other respects.
    fn sequence(&self) -> Option<&Val> {
        None
    }

    /// Gives up the values in it, when nobody else holds it.
    fn parts(&mut self) -> Vec<Val> {
        Vec::new()
    }

    /// Returns the values in it.
    fn held(&self) -> Vec<Val> {
        Vec::new()
    }

    fn depth(&self) -> u32 {
        0
    }

    fn as_any(&self) -> &dyn Any;
}
