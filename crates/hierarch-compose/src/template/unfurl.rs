//! Filters and functions that evaluate expressions: `eval`, `map_value`, `abspath`, `get_dir`, `which`, `lookup`.

use std::path::Path;

use hierarch_pcore::{Str, Value};
use minijinja::value::{Kwargs, Rest, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};

use super::bridge::{Bridge, named_values};
use super::engine::Engine;
use super::failure::to_jinja_error;
use super::value::{from_jinja, given};
use crate::expr::{evaluate, functions, python};

type Made = Result<JinjaValue, JinjaError>;

/// Functions that are filters, too: what is piped in is their argument.
const AS_FILTERS: &[&str] =
    &["sensitive", "to_label", "to_dns_label", "to_kubernetes_label", "to_googlecloud_label"];

pub(super) fn add(engine: &mut Engine, safe: bool) {
    engine.add_filter("eval", eval);
    engine.add_filter("ref", eval);
    engine.add_filter("map_value", map_value);
    engine.add_filter("mapValue", map_value);
    for name in AS_FILTERS {
        engine.add_filter(*name, |state: &mut State, value: JinjaValue, named: Kwargs| {
            as_filter(name, state, &value, &named)
        });
    }
    engine.add_function(
        "lookup",
        |state: &mut State, plugin: String, terms: Rest<JinjaValue>, named: Kwargs| {
            look_up(state, &plugin, &terms, &named, false)
        },
    );
    for name in ["query", "q"] {
        engine.add_function(
            name,
            |state: &mut State, plugin: String, terms: Rest<JinjaValue>, named: Kwargs| {
                look_up(state, &plugin, &terms, &named, true)
            },
        );
    }
    engine.add_function("__dig", dig);
    if !safe {
        engine.add_filter("abspath", abspath);
        engine.add_filter("get_dir", get_dir);
        engine.add_filter("which", which);
    }
}

/// Evaluates a path, an expression or a function; named arguments become variables.
fn eval(state: &mut State, value: JinjaValue, named: Kwargs) -> Made {
    let bridge = Bridge::of(state)?;
    let mut variables = named_values(&named)?;
    let wants_list = variables.remove(&Value::from("wantList")).is_some_and(|value| python::is_true(&value));
    let traced = variables.remove(&Value::from("trace")).is_some_and(|value| python::is_true(&value));
    let scope = bridge.scope.with_ready(pairs(&variables));
    let expression = from_jinja(&value)?;
    let found = evaluate::expression(&scope, &expression);
    if let (true, Ok(found)) = (traced, &found) {
        evaluate::trace(&scope, &expression, found);
    }
    let found = found.map(|found| if wants_list { Value::array(found.all) } else { found.one() });
    given(&bridge.scope, found, &bridge.taint)
}

fn pairs(variables: &hierarch_pcore::Hash) -> impl Iterator<Item = (Str, Value)> {
    variables.iter().map(|(name, value)| (Str::from(name.to_string()), value.clone()))
}

/// Evaluates what a map or list holds; a plain text comes back unchanged.
fn map_value(state: &mut State, value: JinjaValue, named: Kwargs) -> Made {
    let bridge = Bridge::of(state)?;
    let scope = bridge.scope.with_ready(pairs(&named_values(&named)?));
    let value = from_jinja(&value)?;
    let mapped = if value.as_str().is_some() { Ok(value) } else { evaluate::resolve(&scope, &value) };
    given(&bridge.scope, mapped, &bridge.taint)
}

fn as_filter(name: &str, state: &mut State, value: &JinjaValue, named: &Kwargs) -> Made {
    Bridge::of(state)?.call_function(name, &from_jinja(value)?, &named_values(named)?)
}

fn abspath(
    state: &mut State,
    path: String,
    location: Option<String>,
    mkdir: Option<bool>,
    named: Kwargs,
) -> Made {
    let location = location.or(named.get::<Option<String>>("relativeTo")?);
    let make = mkdir.or(named.get::<Option<bool>>("mkdir")?).unwrap_or(false);
    let argument = vec![path.into(), location.into(), make.into()];
    Bridge::of(state)?.call_function("abspath", &argument.into(), &hierarch_pcore::Hash::new())
}

fn get_dir(state: &mut State, location: String, mkdir: Option<bool>, named: Kwargs) -> Made {
    let make = mkdir.or(named.get::<Option<bool>>("mkdir")?).unwrap_or(false);
    let argument = vec![location.into(), make.into()];
    Bridge::of(state)?.call_function("get_dir", &argument.into(), &hierarch_pcore::Hash::new())
}

/// Returns the whole path of a program, as the shell would find it.
fn which(state: &mut State, name: String) -> Made {
    let bridge = Bridge::of(state)?;
    let host = &bridge.scope.world.host;
    if name.contains('/') {
        return Ok(host.is_program(Path::new(&name)).then_some(name).into());
    }
    let folders = host.variable("PATH").map_err(to_jinja_error)?.unwrap_or_default();
    let mut paths = folders.split(':').map(|folder| Path::new(folder).join(&name));
    let found = paths.find(|path| host.is_program(path));
    Ok(found.map(|path| path.display().to_string()).into())
}

/// Asks a lookup plugin. One result is that result, several are a list; `query` always gives a list.
fn look_up(state: &mut State, plugin: &str, terms: &[JinjaValue], named: &Kwargs, as_list: bool) -> Made {
    let bridge = Bridge::of(state)?;
    let terms = terms.iter().map(from_jinja).collect::<Result<Vec<_>, _>>()?;
    let options = named_values(named)?;
    let as_list = as_list || options.get_str("wantlist").is_some_and(python::is_true);
    let found = functions::lookup(&bridge.scope, plugin, &terms, &options);
    let found = found.map(|mut found| match found.len() {
        1 if !as_list => found.remove(0),
        _ => found.into(),
    });
    given(&bridge.scope, found, &bridge.taint)
}

/// Follows keys; what is not there is undefined, however many keys follow.
fn dig(root: JinjaValue, keys: Rest<JinjaValue>) -> Made {
    let mut here = root;
    for key in keys.iter() {
        if here.is_undefined() || here.is_none() {
            return Ok(JinjaValue::UNDEFINED);
        }
        here = here.get_item(key)?;
    }
    Ok(here)
}
