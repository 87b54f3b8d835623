//! `annotate`: something said about a value, found again by whoever has the value.

use hierarch_pcore::convert;
use hierarch_pcore::types::Kind;

use crate::prelude::*;
use crate::ruby::{class_name, inspected};

/// The function `annotate`.
pub(super) static ANNOTATE: Function = Function {
    name: "annotate",
    doc: "Returns the annotation of a type that a value has. Given a hash, it makes the annotation of it; 'clear' takes it away; a block gives the hash if there is none yet. Objects, types and collections can be annotated.",
    dispatches: &[
        on(&["Type[Annotation] type", "Any value", "?&Callable[0, 0] block"], find),
        on(
            &[
                "Type[Annotation] type",
                "Any value",
                "Variant[Enum[clear],Hash[Pcore::MemberName,Any]] annotation_hash",
            ],
            replace,
        ),
        on(
            &[
                "Type[Pcore] type",
                "Any value",
                "Hash[Type[Annotation], Hash[Pcore::MemberName,Any]] annotations",
            ],
            add_all,
        ),
    ],
    examples: &[
        Gives(
            "type Note = Object[{parent => Annotation, attributes => {text => String}}] $x = [1] annotate(Note, $x, {text => 'odd'}) annotate(Note, $x).text",
            "'odd'",
        ),
        Fails("annotate(Integer, 1)", "parameter 'type' expects a Type"),
    ],
};

fn find(call: &mut Call) -> Result<Value> {
    let (Value::Type(type_), subject) = (call.take(0), call.take(1)) else { return Ok(Value::Undef) };
    if let Some(known) = position(call, &type_, &subject) {
        return Ok(call.annotations()[known].1.clone());
    }
    let declared = declared(&type_, &subject);
    let init = if declared.is_none() && call.has_block() { call.yield_values([])? } else { declared.into() };
    if init.is_undef() { Ok(init) } else { attach(call, &type_, subject, init) }
}

fn replace(call: &mut Call) -> Result<Value> {
    let (Value::Type(type_), subject, init) = (call.take(0), call.take(1), call.take(2)) else {
        return Ok(Value::Undef);
    };
    let clears = matches!(init, Value::String(_));
    if declared(&type_, &subject).is_some() {
        return Err(issues::annotation_declared(clears, &type_, &subject).into());
    }
    let known = position(call, &type_, &subject);
    if clears {
        return Ok(known.map(|known| call.annotations().remove(known).1).into());
    }
    if let Some(known) = known {
        call.annotations().remove(known);
    }
    attach(call, &type_, subject, init)
}

fn add_all(call: &mut Call) -> Result<Value> {
    let (subject, annotations) = (call.take(1), call.take(2));
    for (type_, init) in annotations.as_hash().into_iter().flatten() {
        if let Value::Type(type_) = type_ {
            attach(call, type_, subject.clone(), init.clone())?;
        }
    }
    Ok(subject)
}

fn attach(call: &mut Call, type_: &Type, subject: Value, init: Value) -> Result<Value> {
    let annotation = convert::new(type_, &[init], call.host())?;
    if !is_annotatable(&subject) {
        return Err(issues::frozen(&class_name(&subject), &inspected(&subject)).into());
    }
    call.annotations().push((subject, annotation.clone()));
    Ok(annotation)
}

/// Returns what a type says about itself in its definition.
fn declared(type_: &Type, subject: &Value) -> Option<Value> {
    let Value::Type(subject) = subject else { return None };
    match subject.resolved().kind() {
        Kind::Object(object) => object.annotations()?.as_hash()?.get(&type_.clone().into()).cloned(),
        _ => None,
    }
}

fn position(call: &mut Call, type_: &Type, subject: &Value) -> Option<usize> {
    call.annotations().iter().position(|(known, annotation)| {
        matches!(annotation, Value::Object(object) if object.type_() == type_) && is_same(known, subject)
    })
}

/// Values without identity are frozen in the reference: there is nothing to attach to.
fn is_annotatable(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Type(_) | Value::Array(_) | Value::Hash(_))
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b),
        (Value::Hash(a), Value::Hash(b)) => Arc::ptr_eq(a, b),
        (Value::Type(a), Value::Type(b)) => a == b,
        _ => false,
    }
}
