//! `ensure_resource` and `ensure_resources`: resources, declared unless they are already.

use super::defined_with_params::is_defined;
use super::reference::Reference;
use crate::collections::flattened;
use crate::prelude::*;
use issues::stdlib::requires;

/// The function `ensure_resource`.
pub(super) static ENSURE_RESOURCE: Function = Function {
    name: "ensure_resource",
    doc: "Declares a resource of a type, or several, with attributes, unless it is declared with these already.",
    dispatches: &[legacy(-1, ensure_resource)],
    examples: &[
        Gives("ensure_resource('notify', ['a', 'a'], {message => 'x'}) Notify['a']['message']", "'x'"),
        Fails("ensure_resource('notify')", "Must specify a title"),
    ],
};

/// The function `ensure_resources`.
pub(super) static ENSURE_RESOURCES: Function = Function {
    name: "ensure_resources",
    doc: "Declares the resources of a Hash of titles to attributes, and attributes for all, unless they are declared with these already.",
    dispatches: &[legacy(-1, ensure_resources)],
    examples: &[
        Gives("ensure_resources('notify', {a => {message => 'x'}}) Notify['a']['message']", "'x'"),
        Fails("ensure_resources('notify', 'a')", "ensure_resources(): Requires second argument to be a Hash"),
    ],
};

fn ensure_resource(call: &mut Call) -> Result<Value> {
    check(call)?;
    let (type_name, attributes) = (ruby_text(call.value(0)), call.value(2).clone());
    for title in flattened(&call.arguments()[1..2]) {
        ensure(call, &type_name, &title, &attributes)?;
    }
    Ok(Value::Undef)
}

fn ensure_resources(call: &mut Call) -> Result<Value> {
    check(call)?;
    let type_name = ruby_text(call.value(0));
    let resources = call.value(1).as_hash().cloned();
    let resources = resources.ok_or_else(|| requires("ensure_resources", "second argument to be a Hash"))?;
    let defaults = call.hash(2).clone();
    for (title, attributes) in &resources {
        let mut all = defaults.clone();
        for (name, value) in attributes.as_hash().into_iter().flatten() {
            all.insert(name.clone(), value.clone());
        }
        for title in flattened(std::slice::from_ref(title)) {
            ensure(call, &type_name, &title, &all.clone().into())?;
        }
    }
    Ok(Value::Undef)
}

fn check(call: &Call) -> Result<()> {
    match call.count() {
        0 => Err(issues::argument("Must specify a type").into()),
        1 => Err(issues::argument("Must specify a title").into()),
        _ => Ok(()),
    }
}

/// Declares a resource unless it is declared with these attributes.
pub(super) fn ensure(call: &mut Call, type_name: &str, title: &Value, attributes: &Value) -> Result<()> {
    let reference = Reference::read(&format!("{type_name}[{}]", ruby_text(title)))?;
    let wanted = attributes.as_hash().cloned().unwrap_or_default();
    if is_defined(call, &reference, &wanted)? {
        return Ok(());
    }
    let attributes = if attributes.is_undef() { Hash::new().into() } else { attributes.clone() };
    let mut resources = Hash::new();
    resources.insert(title.clone(), attributes);
    call.create_resources(type_name, &resources, &Hash::new())
}
