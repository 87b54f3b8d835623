//! Data: `validate`, `sensitive`, `get_input`, `get_attribute`.

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function, schema};
use crate::expr::{evaluate, issues, python, walk};

pub(super) static FUNCTIONS: &[Function] = &[
    function("validate", "Tells whether data fits a JSON schema.", validate).examples(&[
        Gives("{validate: [{eval: tags}, {type: array, items: {type: string}}]}", "True"),
        Gives("{validate: [5, {type: string}]}", "False"),
    ]),
    function("validate_json", "The newer name of `validate`.", validate)
        .examples(&[Gives("{validate_json: [5, {minimum: 6}]}", "False")]),
    function("sensitive", "Marks a value as a secret: it is not shown.", |call| {
        Ok(Value::sensitive(call.value()?).into())
    })
    .examples(&[Gives("{sensitive: pw}", "<<REDACTED>>")]),
    function("get_input", "Gives an entry of the root's map `inputs`, or a default.", get_input)
        .alone()
        .examples(&[
            Gives("{get_input: region}", "'eu'"),
            Gives("{get_input: [zone, a]}", "'a'"),
            Fails("{get_input: zone}", "undefined input 'zone'"),
        ]),
    function(
        "get_attribute",
        "Follows keys from an instance, from this one (`SELF`) or from the one around it (`HOST`).",
        get_attribute,
    )
    .alone()
    .examples(&[
        Gives("{get_attribute: [web, host]}", "'w1'"),
        Fails("{get_attribute: [no, x]}", "no instance"),
    ]),
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
