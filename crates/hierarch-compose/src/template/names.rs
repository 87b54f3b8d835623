//! The names a template sees: variables, `SELF`, `__unfurl`, `__now`.

use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};

use super::bridge::{Bridge, Taint};
use super::failure::to_jinja_error;
use super::issues;
use super::value::to_jinja;
use crate::expr::item::Item;
use crate::expr::scope::Scope;

/// Functions that templates call by name; they are no missing variables.
const GLOBALS: &[&str] = &[
    "range",
    "dict",
    "namespace",
    "debug",
    "lookup",
    "query",
    "q",
    "loop",
    "caller",
    "now",
    "cycler",
    "joiner",
    "undef",
    "__dig",
];

/// The outermost names of a template, each found when it is used.
pub(super) struct Names {
    scope: Scope,
    taint: Taint,
}

impl Names {
    pub(super) fn new(scope: &Scope, taint: &Taint) -> Self {
        Self { scope: scope.clone(), taint: taint.clone() }
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.scope.names()).finish()
    }
}

impl Object for Names {
    fn get_value(self: &Arc<Self>, key: &JinjaValue) -> Option<JinjaValue> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<JinjaValue> {
        match self.scope.variable(name) {
            Ok(Some(item)) => return Some(to_jinja(&self.scope, item, &self.taint)),
            Ok(None) => {}
            Err(error) => return Some(JinjaValue::from(to_jinja_error(error))),
        }
        let world = &self.scope.world;
        match name {
            "__unfurl" => Some(JinjaValue::from_object(Bridge::new(&self.scope, &self.taint))),
            "SELF" => {
                let instance = world.tree.node(self.scope.instance).value.clone();
                Some(to_jinja(&self.scope, Item::Done(instance), &self.taint))
            }
            "__now" => world.host.now().map(JinjaValue::from),
            _ if self.scope.strict || GLOBALS.contains(&name) => None,
            _ => Some(JinjaValue::from_object(Missing(name.to_owned()))),
        }
    }
}

/// A name that nobody defines, where that is no error: it prints as it is written.
#[derive(Debug)]
pub(super) struct Missing(String);

impl Object for Missing {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, _: &JinjaValue) -> Option<JinjaValue> {
        Some(JinjaValue::from_dyn_object(Arc::clone(self)))
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    fn call(self: &Arc<Self>, _: &mut State, _: &[JinjaValue]) -> Result<JinjaValue, JinjaError> {
        Err(self.undefined())
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State,
        _: &str,
        _: &[JinjaValue],
    ) -> Result<JinjaValue, JinjaError> {
        Err(self.undefined())
    }

    fn render(self: &Arc<Self>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{{{{ {} }}}}", self.0)
    }
}

impl Missing {
    fn undefined(&self) -> JinjaError {
        issues::undefined(&self.0)
    }
}
