//! The functions of expressions: one table, a file per family.

mod data;
mod environment;
mod files;
mod labels;
mod logic;
mod numbers;
mod schema;
mod text;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::scope::Scope;
use super::{Matches, evaluate, issues, python};

pub(crate) use self::data::lookup;
pub(crate) use self::text::percent_encoded;

/// A function that expressions can call.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// A map with this key alone is an expression, even without `eval`.
    pub(crate) alone: bool,
    /// It reaches nothing beyond the document.
    pub(crate) safe: bool,
    pub(crate) run: fn(&Call) -> Result<Matches>,
}

/// Makes an entry of the table.
pub(crate) const fn function(name: &'static str, run: fn(&Call) -> Result<Matches>) -> Function {
    Function { name, alone: false, safe: true, run }
}

impl Function {
    const fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    const fn reaching_out(mut self) -> Self {
        self.safe = false;
        self
    }
}

/// All functions.
static FAMILIES: &[&[Function]] = &[
    logic::FUNCTIONS,
    text::FUNCTIONS,
    labels::FUNCTIONS,
    numbers::FUNCTIONS,
    data::FUNCTIONS,
    environment::FUNCTIONS,
    files::FUNCTIONS,
];

/// Functions of Unfurl that need types, jobs or Python.
const ORCHESTRATION: &[&str] = &[
    "python",
    "external",
    "secret",
    "local",
    "get_property",
    "get_nodes_of_type",
    "get_artifact",
    "get_ensemble_metadata",
    "container_image",
    "portspec",
    "find_connection",
    "scalar",
    "scalar_value",
];

/// Those of them that are expressions when they stand alone in a map.
const ORCHESTRATION_ALONE: &[&str] = &["get_property", "get_nodes_of_type", "get_artifact"];

fn find(name: &str) -> Option<&'static Function> {
    FAMILIES.iter().flat_map(|family| family.iter()).find(|function| function.name == name)
}

pub(crate) fn is_function(name: &str) -> bool {
    find(name).is_some()
}

pub(crate) fn is_orchestration(name: &str) -> bool {
    ORCHESTRATION.contains(&name)
}

pub(crate) fn stands_alone(name: &str) -> bool {
    find(name).is_some_and(|function| function.alone) || ORCHESTRATION_ALONE.contains(&name)
}

/// Calls a function. Null is no match.
pub(crate) fn call(name: &str, call: &Call) -> Result<Matches> {
    let Some(function) = find(name) else { return Err(issues::function_missing(name)) };
    if call.scope.world.safe && !function.safe {
        return Err(issues::function_unsafe(name));
    }
    let found = (function.run)(call)?;
    let nothing = name != "q" && !found.list && matches!(found.all.as_slice(), [Value::Undef]);
    Ok(if nothing { Matches::default() } else { found })
}

/// One call: where it stands, its argument as written, and the arguments beside it.
pub(crate) struct Call<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) name: &'a str,
    pub(crate) argument: &'a Value,
    pub(crate) named: &'a Hash,
    /// The arguments come from a template and are finished: what looks like one in them is text.
    pub(crate) ready: bool,
}

impl Call<'_> {
    /// Returns the argument as a value: expressions and templates in it evaluated, a text being text.
    fn value(&self) -> Result<Value> {
        self.resolve(self.argument)
    }

    fn resolve(&self, data: &Value) -> Result<Value> {
        if self.ready { Ok(data.clone()) } else { evaluate::resolve(self.scope, data) }
    }

    /// Evaluates something as an expression: a text is a path.
    fn evaluate(&self, expression: &Value) -> Result<Matches> {
        evaluate::expression(self.scope, expression)
    }

    /// Returns a named argument as a value.
    fn named(&self, name: &str) -> Result<Option<Value>> {
        self.named.get_str(name).map(|value| self.resolve(value)).transpose()
    }

    /// Returns the argument as a list of values of a certain length.
    fn list(&self, lengths: std::ops::RangeInclusive<usize>) -> Result<Vec<Value>> {
        match self.value()? {
            Value::Array(items) if lengths.contains(&items.len()) => Ok(items.to_vec()),
            other => Err(issues::wrong_shape(&python::repr(&other))),
        }
    }

    /// Returns the argument as a list, a single value being a list of one.
    fn one_or_list(&self) -> Result<Vec<Value>> {
        Ok(match self.value()? {
            Value::Array(items) => items.to_vec(),
            other => vec![other],
        })
    }

    fn wrong(&self, wanted: &str, found: &Value) -> hierarch_source::Error {
        issues::wrong_argument(self.name, wanted, &python::repr(found))
    }
}
