//! Data: `validate`, `sensitive`, `get_input`, `get_attribute`, `lookup`.

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::{Call, Function, Matches, function, schema};
use crate::expr::scope::Scope;
use crate::expr::{evaluate, issues, python, walk};

pub(super) static FUNCTIONS: &[Function] = &[
    function("validate", validate),
    function("validate_json", validate),
    function("sensitive", |call| Ok(Value::sensitive(call.value()?).into())),
    function("get_input", get_input).alone(),
    function("get_attribute", get_attribute).alone(),
    function("lookup", lookups).reaching_out(),
];

fn validate(call: &Call) -> Result<Matches> {
    let pair = call.list(2..=2)?;
    Ok(Value::from(schema::is_valid(&pair[0], &pair[1])?).into())
}

/// Returns an entry of the root's map `inputs`.
fn get_input(call: &Call) -> Result<Matches> {
    let arguments = call.one_or_list()?;
    let name = arguments.first().map(python::text).unwrap_or_default();
    let inputs = walk::attribute(call.scope, 0, "inputs")?.map(|item| item.value()).transpose()?;
    let found = inputs.as_ref().and_then(Value::as_hash).and_then(|inputs| inputs.get_str(&name));
    match found.or(arguments.get(1)) {
        Some(value) => Ok(value.clone().into()),
        None => Err(issues::undefined_input(&name)),
    }
}

/// Walks `::instance::key::…`, from this instance for `SELF` and from the one around it for `HOST`.
fn get_attribute(call: &Call) -> Result<Matches> {
    let list = call.list(2..=64)?;
    let tree = &call.scope.world.tree;
    let start = match python::text(&list[0]).as_str() {
        "SELF" => Some(call.scope.instance),
        "HOST" => tree.node(call.scope.instance).parent,
        name => match tree.find(name) {
            Some(node) => crate::expr::Instance::of(&node.value).map(|instance| instance.id),
            None => return Err(issues::no_such_instance(name)),
        },
    };
    let Some(start) = start else { return Ok(Matches::default()) };
    let scope = call.scope.at(tree.node(start).value.clone());
    // Keys come as values, so that they may hold what a path could not.
    let names = (0..list.len() - 1).map(|index| hierarch_pcore::Str::from(format!("k{index}")));
    let path: Vec<String> = names.clone().map(|name| format!("${name}")).collect();
    let scope = scope.with_ready(names.zip(list[1..].iter().cloned()));
    evaluate::expression(&scope, &Value::from(format!(".::{}", path.join("::"))))
}

fn lookups(call: &Call) -> Result<Matches> {
    let value = call.value()?;
    let Some((plugin, terms)) = value.as_hash().and_then(|map| map.at(0)) else {
        return Err(call.wrong("a map with a plugin and its arguments", &value));
    };
    let terms: Vec<Value> = match terms {
        Value::Array(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    let found = lookup(call.scope, &python::text(plugin), &terms)?;
    Ok(if found.len() == 1 { Matches::several(found) } else { Value::array(found).into() })
}

/// Asks a lookup plugin about each term.
pub(crate) fn lookup(scope: &Scope, plugin: &str, terms: &[Value]) -> Result<Vec<Value>> {
    let host = &scope.world.host;
    let reaches_out = matches!(plugin, "env" | "hiera");
    if scope.world.safe && reaches_out {
        return Err(issues::function_unsafe(plugin));
    }
    let one = |term: &Value| match plugin {
        "env" => Ok(host.variable(&python::text(term))?.unwrap_or_default().into()),
        "hiera" => Ok(host.hiera(&python::text(term))?.unwrap_or_default()),
        "unfurl" => Ok(evaluate::expression(scope, term)?.one()),
        other => Err(issues::unknown_lookup(other)),
    };
    terms.iter().map(one).collect()
}
