//! Unfurl's filters, which evaluate expressions: `eval`, `map_value`, labels, folders, `which`.

use std::path::Path;

use hierarch_pcore::{Hash, Str, Value};

use crate::expr::item::Item;
use crate::expr::{evaluate, python};
use crate::template::call::{BoundArguments, Function, function};
use crate::template::convert::wrapped;
use crate::template::fault::Checked;
use crate::template::renderer::Renderer;
use crate::template::value::Val;

/// Makes an entry for a function of expressions that is a filter, too: what is piped in is its argument.
macro_rules! also_a_function {
    ($name:literal) => {
        function($name, &["value", "**named"], |renderer, given| {
            let argument = renderer.finished(given.value(0))?;
            let named = renderer.finished_named(&given.named)?;
            renderer.function($name, &argument, &named)
        })
    };
}

pub(super) static FILTERS: &[Function] = &[
    function("eval", &["value", "**vars"], eval),
    function("ref", &["value", "**vars"], eval),
    function("map_value", &["value", "**vars"], map_value),
    function("mapValue", &["value", "**vars"], map_value),
    also_a_function!("sensitive"),
    also_a_function!("to_label"),
    also_a_function!("to_dns_label"),
    also_a_function!("to_kubernetes_label"),
    also_a_function!("to_googlecloud_label"),
    function("abspath", &["path", "relativeTo?", "mkdir?"], |renderer, given| {
        located(renderer, given, "abspath", 2)
    }),
    function("get_dir", &["location", "mkdir?"], |renderer, given| located(renderer, given, "get_dir", 1)),
    function("which", &["name"], which),
];

/// Evaluates a path, an expression or a function; named arguments become variables.
fn eval(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let mut variables = renderer.finished_named(&given.named)?;
    let mut flag =
        |name: &str| variables.remove(&Value::from(name)).is_some_and(|value| python::is_true(&value));
    let (wants_list, traced) = (flag("wantList"), flag("trace"));
    let scope = renderer.scope.with_ready(pairs(&variables));
    let expression = renderer.finished(given.value(0))?;
    let found = evaluate::expression(&scope, &expression)?;
    if traced {
        evaluate::trace(&scope, &expression, &found);
    }
    let found = if wants_list { Value::array(found.all) } else { found.one() };
    Ok(wrapped(renderer, Item::Done(found)))
}

fn pairs(variables: &Hash) -> impl Iterator<Item = (Str, Value)> {
    variables.iter().map(|(name, value)| (Str::from(name.to_string()), value.clone()))
}

/// Evaluates what a map or list holds; a plain text comes back unchanged.
fn map_value(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let variables = renderer.finished_named(&given.named)?;
    let scope = renderer.scope.with_ready(pairs(&variables));
    let value = renderer.finished(given.value(0))?;
    let mapped = if value.as_str().is_some() { value } else { evaluate::resolve(&scope, &value)? };
    Ok(wrapped(renderer, Item::Done(mapped)))
}

fn located(renderer: &mut Renderer, given: &BoundArguments, name: &str, flag: usize) -> Checked<Val> {
    let mut arguments = Vec::new();
    for at in 0..flag {
        arguments.push(renderer.finished(given.value(at))?);
    }
    arguments.push(given.truth(renderer, flag, false)?.into());
    renderer.function(name, &arguments.into(), &Hash::new())
}

/// Returns the whole path of a program, as the shell would find it.
fn which(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let name = given.text(renderer, 0)?;
    if renderer.scope.world.safe {
        return Err(crate::expr::issues::function_unsafe("which").into());
    }
    let host = &renderer.scope.world.host;
    if name.contains('/') {
        let found = host.is_program(Path::new(&name));
        return if found { renderer.text(name) } else { Ok(Val::None) };
    }
    let folders = host.variable("PATH")?.unwrap_or_default();
    let mut paths = folders.split(':').map(|folder| Path::new(folder).join(&name));
    match paths.find(|path| host.is_program(path)) {
        Some(path) => renderer.text(path.display().to_string()),
        None => Ok(Val::None),
    }
}
