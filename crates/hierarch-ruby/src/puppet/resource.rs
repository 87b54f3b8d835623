//! `Puppet::Resource`: what references are to old functions, and what the scope finds in the catalog.

use std::rc::Rc;

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Hash, Type};

use super::types::capitalized;
use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::{Object, Payload, Value};

/// A resource, and one of the catalog.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec { methods: &[METHODS], ..ClassSpec::class("Puppet::Resource") },
    &ClassSpec { superclass: Some("Puppet::Resource"), ..ClassSpec::class("Puppet::Parser::Resource") },
];

static METHODS: &[Builtin] = &[
    m("type", 0, 0, |vm, me, _| Ok(of(me).map_or(Value::Nil, |resource| vm.str(resource.kind.as_str())))),
    m("title", 0, 0, title),
    m("name", 0, 0, title),
    m("ref", 0, 0, shown),
    m("to_s", 0, 0, shown),
    m("inspect", 0, 0, |vm, me, args| {
        let (shown, attributes) = (shown(vm, me, args)?, to_hash(vm, me, args)?);
        let (shown, attributes) = (vm.to_s(&shown)?, vm.inspect(&attributes)?);
        Ok(vm.str(format!("{shown}{attributes}")))
    }),
    m("==", 1, 1, |_, me, args| {
        let (own, other) = (of(me), of(&args.at(0)));
        Ok(own.zip(other).is_some_and(|(a, b)| (&a.kind, &a.title) == (&b.kind, &b.title)).into())
    }),
    m("[]", 1, 1, attribute),
    m("to_hash", 0, 0, to_hash),
    m("class?", 0, 0, |_, me, _| Ok(of(me).is_some_and(|resource| resource.kind == "Class").into())),
];

/// What a resource is.
struct Resource {
    kind: String,
    title: String,
    attributes: Hash,
}

impl Payload for Resource {}

fn of(resource: &Value) -> Option<Rc<Resource>> {
    resource.payload::<Resource>()
}

fn title(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(of(me).map_or(Value::Nil, |resource| vm.str(resource.title.as_str())))
}

fn shown(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let shown = of(me).map(|resource| format!("{}[{}]", resource.kind, resource.title));
    Ok(vm.str(shown.unwrap_or_default()))
}

/// Attributes by symbols; the name is among them.
fn to_hash(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(resource) = of(me) else { return Ok(Value::Nil) };
    let mut entries = crate::value::hash::Entries::default();
    if resource.attributes.get_str("name").is_none() {
        let title = vm.str(resource.title.as_str());
        entries.insert(vm.key(&Value::symbol("name"))?, title);
    }
    for (name, value) in &resource.attributes {
        let name = Value::Sym(vm.intern(&name.to_string())?);
        let value = vm.from_puppet(value)?;
        entries.insert(vm.key(&name)?, value);
    }
    Ok(vm.hash_of(entries))
}

/// `resource[:name]` and its attributes.
fn attribute(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = vm.to_s(&args.at(0))?;
    let Some(resource) = of(me) else { return Ok(Value::Nil) };
    match resource.attributes.get_str(&name) {
        Some(value) => vm.from_puppet(value),
        None if matches!(name.as_str(), "name" | "title") => title(vm, me, args),
        None => Ok(Value::Nil),
    }
}

/// Returns type and title of a reference.
pub(super) fn reference(type_: &Type) -> Option<(String, String)> {
    match type_.kind() {
        Kind::Resource(resource) => {
            let (name, title) = (resource.type_name()?, resource.title()?);
            Some((capitalized(name), title.to_string()))
        }
        Kind::Class(class) => Some(("Class".to_owned(), capitalized(class.class()?))),
        _ => None,
    }
}

/// Makes a resource.
pub(super) fn object(
    vm: &mut Vm<'_>,
    class: &'static str,
    name: (String, String),
    attributes: Hash,
) -> Value {
    let (kind, title) = name;
    Value::Object(Rc::new(Object::with(vm.class(class), Resource { kind, title, attributes })))
}

/// Makes a resource of a reference as it is written: `File[/x]`.
pub(super) fn of_text(vm: &mut Vm<'_>, text: &str, attributes: Hash) -> Value {
    let (kind, title) = text.strip_suffix(']').and_then(|text| text.split_once('[')).unwrap_or((text, ""));
    object(vm, "Puppet::Parser::Resource", (kind.to_owned(), title.to_owned()), attributes)
}
