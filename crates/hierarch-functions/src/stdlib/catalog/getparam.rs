//! `getparam` and `stdlib::str2resource`: what was declared.

use super::reference::Reference;
use crate::prelude::*;
use issues::stdlib::no_such_resource;

/// The function `getparam`.
pub(super) static GETPARAM: Function = Function {
    name: "getparam",
    doc: "Returns the value of an attribute of a declared resource, or an empty text if there is none.",
    dispatches: &[legacy(-1, getparam)],
    examples: &[
        Gives("notify { 'a': message => 'x' } getparam(Notify['a'], 'message')", "'x'"),
        Gives("getparam(Notify['a'], 'message')", "''"),
        Fails("getparam(Notify['a'])", "Must specify name of a parameter"),
    ],
};

/// The function `stdlib::str2resource`.
pub(super) static STR2RESOURCE: Function = Function {
    name: "stdlib::str2resource",
    doc: "Returns a reference to the declared resource that a text such as `File[/a]` names, and fails if there is none.",
    dispatches: &[on(&["String res_string"], str2resource).returns("Any")],
    examples: &[
        Gives("notify { 'a': } stdlib::str2resource('Notify[a]')", "Notify['a']"),
        Fails(
            "stdlib::str2resource('Notify[a]')",
            "stdlib::str2resource(): could not find Notify[a], this is parse order dependent and values should not be quoted",
        ),
    ],
};

fn getparam(call: &mut Call) -> Result<Value> {
    if call.count() == 0 {
        return Err(issues::argument("Must specify a reference").into());
    }
    let Some(name) = call.value(1).as_str().filter(|_| call.count() > 1).map(str::to_owned) else {
        return Err(issues::argument("Must specify name of a parameter").into());
    };
    if name.is_empty() {
        return Ok("".into());
    }
    let reference = Reference::of(call.value(0))?;
    let title = reference.title.unwrap_or_default();
    let attributes = call.declared_attributes(&reference.type_name, &title)?;
    let value = attributes.and_then(|attributes| attributes.get_str(&name).cloned());
    Ok(value.filter(|value| !value.is_undef()).unwrap_or_else(|| "".into()))
}

fn str2resource(call: &mut Call) -> Result<Value> {
    let reference = Reference::read(call.str(0))?;
    let title = reference.title.unwrap_or_default();
    if call.declared_attributes(&reference.type_name, &title)?.is_none() {
        return Err(no_such_resource(call.str(0)).into());
    }
    let text = format!(
        "{}[{}]",
        hierarch_pcore::types::capitalized(&reference.type_name.to_lowercase()),
        Value::from(title).program_text()
    );
    Ok(call.type_from_text(&text)?.into())
}
