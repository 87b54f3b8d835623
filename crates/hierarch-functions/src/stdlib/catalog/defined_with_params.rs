//! `defined_with_params`: whether a resource is declared as one would declare it.

use super::reference::Reference;
use crate::prelude::*;
use crate::ruby::equal;

/// The function `defined_with_params`.
pub(super) static DEFINED_WITH_PARAMS: Function = Function {
    name: "defined_with_params",
    doc: "Tells whether a resource, or any of a type, is declared with all attributes of a Hash; `undef` stands for one that is not set.",
    dispatches: &[legacy(-1, defined_with_params)],
    examples: &[
        Gives("notify { 'a': message => 'x' } defined_with_params(Notify['a'], {message => 'x'})", "true"),
        Gives("notify { 'a': message => 'x' } defined_with_params('Notify[a]', {message => 'y'})", "false"),
        Fails("defined_with_params()", "Must specify a reference"),
    ],
};

fn defined_with_params(call: &mut Call) -> Result<Value> {
    if call.count() == 0 {
        return Err(issues::argument("Must specify a reference").into());
    }
    let reference = Reference::of(call.value(0))?;
    let wanted = call.hash(1).clone();
    Ok(is_defined(call, &reference, &wanted)?.into())
}

/// Tells whether a resource is declared with all of the attributes.
pub(super) fn is_defined(call: &mut Call, reference: &Reference, wanted: &Hash) -> Result<bool> {
    let resources = call.declared_resources(&reference.type_name, reference.title.as_deref())?;
    let has = |resource: &Hash, (name, value): (&Value, &Value)| {
        let known = resource.get(name).filter(|known| !known.is_undef());
        known.map_or(value.is_undef(), |known| equal(known, value))
    };
    Ok(resources.iter().any(|resource| wanted.iter().all(|entry| has(resource, entry))))
}
