//! `defined`: tells whether a class, type, resource or variable is there.

use crate::prelude::*;

pub(super) static DEFINED: Function = Function {
    name: "defined",
    doc: "Tells whether one of its arguments is there: a text names a class, a defined type or a resource type, or with \
          `$` in front a variable; a reference stands for a resource or class that was declared by now; a type stands \
          for itself.",
    dispatches: &[on(&["+Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] vals"], defined)],
    examples: &[
        Gives("defined('notify')", "true"),
        Gives("defined('nope', File)", "true"),
        Gives("$x = 1 [defined('$x'), defined('$y')]", "[true, false]"),
        Gives("notify { 'a': } [defined(Notify['a']), defined(Notify['b'])]", "[true, false]"),
        Fails("defined(Class)", "The given class type is a reference to all classes"),
    ],
};

fn defined(call: &mut Call) -> Result<Value> {
    for value in call.take_all() {
        let is_there = match &value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(name) if !name.is_empty() => is_variable(call, name),
                _ => call.is_type_or_class(text)?,
            },
            Value::Type(type_) => call.is_declared(type_)?,
            _ => false,
        };
        if is_there {
            return Ok(true.into());
        }
    }
    Ok(false.into())
}

/// Match variables are there only in a match; two variables are always there, if only as `undef`.
fn is_variable(call: &mut Call, name: &str) -> bool {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    match call.variable(name) {
        Some(value) => !is_number || !value.is_undef(),
        None => matches!(name, "module_name" | "caller_module_name"),
    }
}
