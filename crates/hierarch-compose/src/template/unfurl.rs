//! What leads from a template back to its expression: `__unfurl`, with every function as a method, and `lookup`.

use std::any::Any;

use hierarch_pcore::Value;

use super::call::BoundArguments;
use super::convert::wrapped;
use super::fault::Checked;
use super::object::{CallArguments, Object};
use super::renderer::Renderer;
use super::value::Val;
use crate::expr::functions;
use crate::expr::issues;
use crate::expr::item::Item;

/// The variable `__unfurl`.
pub(super) struct Bridge;

impl Object for Bridge {
    fn type_name(&self) -> &'static str {
        "RefContext"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        Ok("<context>".into())
    }

    fn method(&self, renderer: &mut Renderer, name: &str, given: CallArguments) -> Option<Checked<Val>> {
        Some(called(renderer, name, given))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn called(renderer: &mut Renderer, name: &str, given: CallArguments) -> Checked<Val> {
    if !functions::is_function(name) {
        let near = functions::like(name).unwrap_or_default();
        return Err(issues::function_missing(name, &near).into());
    }
    let mut values = renderer.finished_all(&given.positional)?;
    let argument = if values.len() == 1 { values.remove(0) } else { values.into() };
    let named = renderer.finished_named(&given.named)?;
    renderer.function(name, &argument, &named)
}

/// The errors of a plugin that `errors='ignore'` and `errors='warn'` pass over.
fn is_forgiven(error: &hierarch_source::Error, options: &hierarch_pcore::Hash) -> bool {
    let way = options.get_str("errors").and_then(|way| way.as_str());
    matches!(way, Some("ignore" | "warn"))
        && matches!(error.code, "EXPR_NO_FILE" | "EXPR_FILE" | "EXPR_LOOKUP")
}

/// Asks a lookup plugin. One result is that result, several are a list; `query` always gives a list.
pub(super) fn look_up(renderer: &mut Renderer, given: &BoundArguments, as_list: bool) -> Checked<Val> {
    let plugin = given.text(renderer, 0)?;
    let terms = renderer.finished_all(&given.rest)?;
    let options = renderer.finished_named(&given.named)?;
    let as_list = as_list || options.get_str("wantlist").is_some_and(crate::expr::python::is_true);
    let plugin = plugin.strip_prefix("ansible.builtin.").unwrap_or(&plugin);
    let mut found = match functions::lookup(&renderer.scope, plugin, &terms, &options) {
        Ok(found) => found,
        // What is missing is forgiven where the template says so; what is forbidden or too much is not.
        Err(error) if is_forgiven(&error, &options) => {
            return Ok(if as_list { wrapped(renderer, Item::Done(Vec::new().into())) } else { Val::None });
        }
        Err(error) => return Err(error.into()),
    };
    if IN_TUPLES.contains(&plugin) {
        return tuples(renderer, &found, as_list);
    }
    let found = match found.len() {
        1 if !as_list => found.remove(0),
        _ => found.into(),
    };
    Ok(wrapped(renderer, Item::Done(found)))
}

/// The plugins whose results are tuples; data know only lists.
const IN_TUPLES: [&str; 2] = ["indexed_items", "subelements"];

fn tuples(renderer: &mut Renderer, found: &[Value], as_list: bool) -> Checked<Val> {
    let mut rows = Vec::with_capacity(found.len());
    for row in found {
        let items = row.as_array().unwrap_or_default().iter();
        let items = items.map(|item| wrapped(renderer, Item::Done(item.clone()))).collect();
        rows.push(renderer.tuple(items)?);
    }
    if rows.len() == 1 && !as_list { Ok(rows.remove(0)) } else { renderer.list(rows) }
}
