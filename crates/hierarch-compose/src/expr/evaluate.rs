//! Evaluating expressions: paths, functions, and the clauses `vars`, `strict`, `select` and `foreach`.

use std::cell::Cell;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::active::{is_expression, is_template, main_key};
use super::functions::{self, Call};
use super::item::Raw;
use super::looping;
use super::scope::Scope;
use super::{Matches, issues, python, walk};
use crate::template;

/// Evaluates an expression: a path, a template, or a map.
pub(crate) fn expression(scope: &Scope, expression: &Value) -> Result<Matches> {
    let found = scope.world.nested(|| match expression {
        Value::Hash(map) => match main_key(map) {
            Some(main) => clauses(scope, map, main),
            None => function(scope, map),
        },
        other => simple(scope, other),
    });
    found.map_err(|error| scope.located(expression, error))
}

/// Evaluates what is not a map.
fn simple(scope: &Scope, expression: &Value) -> Result<Matches> {
    match expression {
        Value::Undef => Ok(Matches::default()),
        Value::String(text) if text.trim().is_empty() => Ok(Matches::default()),
        Value::String(text) if is_template(text) => Ok(template::render(scope, text)?.into()),
        Value::String(text) => path(scope, text),
        Value::Array(items) => {
            let items = items.iter().map(|item| resolve(scope, item));
            Ok(Matches::several(items.collect::<Result<_>>()?))
        }
        other => Ok(other.clone().into()),
    }
}

fn path(scope: &Scope, text: &hierarch_pcore::Str) -> Result<Matches> {
    let path = scope.world.path(text)?;
    let found = walk::matches(scope, &path)?;
    Ok(Matches::several(found.into_iter().map(|item| item.value()).collect::<Result<_>>()?))
}

/// Returns data with its expressions and templates evaluated.
pub(crate) fn resolve(scope: &Scope, data: &Value) -> Result<Value> {
    let raw = Raw { value: data.clone(), scope: scope.clone(), place: None };
    raw.resolve().map_err(|error| scope.located(data, error))
}

fn clauses(scope: &Scope, map: &Hash, main: &str) -> Result<Matches> {
    let inner = map.get_str(main).unwrap_or(&Value::Undef);
    let scope = &clause_scope(scope, map)?;
    let mut found = expression(scope, inner)?;
    if let Some(form) = map.get_str("foreach") {
        found = looping::foreach(scope, found, form)?;
    } else if let Some(form) = map.get_str("select")
        && !found.all.is_empty()
    {
        found = looping::select(scope, found, form)?;
    }
    check_strictness(map, inner, &found)?;
    if map.get_str("trace").is_some_and(python::is_true) {
        trace(scope, inner, &found);
    }
    Ok(found)
}

/// Tells the host what an expression gave; secrets are not told.
pub(crate) fn trace(scope: &Scope, expression: &Value, found: &Matches) {
    let all: Vec<String> = found.all.iter().map(python::repr).collect();
    scope.world.host.trace(&issues::traced(&python::text(expression), &all));
}

/// Returns the scope inside an expression: with its variables, its strictness, and where `start` moves it.
fn clause_scope(scope: &Scope, map: &Hash) -> Result<Scope> {
    let mut scope = scope.clone();
    if let Some(Value::Boolean(strict)) = map.get_str("strict") {
        scope.strict = *strict;
    }
    let Some(Value::Hash(variables)) = map.get_str("vars") else { return Ok(scope) };
    let scope = scope.with_raw(variables);
    if !variables.contains_str("start") {
        return Ok(scope);
    }
    let start = scope.variable("start")?.map(|start| start.value()).transpose()?.unwrap_or_default();
    Ok(if super::tree::Instance::of(&start).is_some() { scope.at(start) } else { scope })
}

fn check_strictness(map: &Hash, inner: &Value, found: &Matches) -> Result<()> {
    let words = || python::text(inner);
    match map.get_str("strict").and_then(Value::as_str) {
        Some("required" | "notnull") if found.all.is_empty() => Err(issues::must_return_results(&words())),
        Some("notnull") if matches!(found.all.as_slice(), [Value::Undef]) => {
            Err(issues::must_not_be_null(&words()))
        }
        _ => Ok(()),
    }
}

/// Calls the first function that a map names; its other keys are named arguments.
fn function(scope: &Scope, map: &Hash) -> Result<Matches> {
    let mut keys = map.iter().filter_map(|(key, value)| Some((key.as_str()?, value)));
    let Some((name, argument)) = keys.find(|(name, _)| functions::is_function(name)) else {
        return Err(missing_function(map));
    };
    let stray = ["var", "foreach"].into_iter().find(|key| *key != name && map.contains_str(key));
    if let Some(key) = stray {
        return Err(issues::misplaced(key));
    }
    functions::call(
        name,
        &Call { scope, name, argument, named: map, ready: false, has_secret: Cell::default() },
    )
}

fn missing_function(map: &Hash) -> hierarch_source::Error {
    let mut keys = map.keys().filter_map(Value::as_str);
    if let Some(name) = keys.find(|name| functions::is_orchestration(name)) {
        return issues::orchestration(&format!("the function {name}"));
    }
    let near = map.keys().filter_map(Value::as_str).find_map(functions::like);
    issues::function_missing(&python::repr(&map.clone().into()), &near.unwrap_or_default())
}

/// Evaluates what a loop does with an item: a path, a template, an expression, or data.
pub(crate) fn form(scope: &Scope, form: &Value) -> Result<Matches> {
    match form {
        Value::Hash(map) if !is_expression(map) => Ok(resolve(scope, form)?.into()),
        _ => expression(scope, form),
    }
}
