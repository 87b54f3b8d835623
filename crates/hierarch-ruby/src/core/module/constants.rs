//! `Module`: constants by their names.

use super::super::prelude::*;
use super::class;
use crate::value::class::Lexical;

/// What reads and sets constants.
pub(super) static METHODS: &[Builtin] = &[
    m("const_get", 1, 2, const_get)
        .gives(&["Object.const_get(:String) => String", "Object.const_get('Math::PI').floor => 3"]),
    m("const_set", 2, 2, const_set).gives(&["Math.const_set(:X, 1); Math::X => 1"]),
    m("const_defined?", 1, 2, const_defined).gives(&["Object.const_defined?(:Nope) => false"]),
    m("const_missing", 1, 1, const_missing).gives(&["Nope !! NameError: uninitialized constant Nope"]),
    m("constants", 0, 1, constants),
    m("private_constant", 0, -1, private_constant),
    m("remove_const", 1, 1, remove_const).private(),
];

fn const_get(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let path = vm.to_name(&args.at(0))?;
    let mut value = me.clone();
    for part in path.text().trim_start_matches("::").split("::") {
        if !part.starts_with(|c: char| c.is_uppercase()) {
            return Err(vm.raise("NameError", format!("wrong constant name {part}")));
        }
        let here = class(&value, vm)?;
        let name = vm.intern(part)?;
        value = match known(vm, &here, name)? {
            Some(found) => found,
            None => vm.missing_constant(&here, name)?,
        };
    }
    Ok(value)
}

/// Returns the constant of a module, or of `Object`, which all modules see.
fn known(vm: &mut Vm<'_>, here: &ClassRef, name: Sym) -> Res<Option<Value>> {
    if let Some(found) = vm.constant_in(here, name)? {
        return Ok(Some(found));
    }
    let object = vm.class("Object");
    vm.own_constant(&object, name)
}

fn const_set(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = vm.to_name(&args.at(0))?;
    if !name.text().starts_with(|c: char| c.is_uppercase()) {
        return Err(vm.raise("NameError", format!("wrong constant name {name}")));
    }
    let lexical = Rc::new(Lexical { module: class(me, vm)?, outer: None });
    vm.set_constant(&lexical, name, args.at(1));
    Ok(args.at(1))
}

fn const_defined(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let path = vm.to_name(&args.at(0))?;
    let mut value = me.clone();
    for part in path.text().trim_start_matches("::").split("::") {
        let Value::Class(here) = &value else { return Ok(Value::Bool(false)) };
        let here = Rc::clone(here);
        let name = vm.intern(part)?;
        match known(vm, &here, name)? {
            Some(found) => value = found,
            None => return Ok(Value::Bool(false)),
        }
    }
    Ok(Value::Bool(true))
}

fn const_missing(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let name = vm.to_name(&args.at(0))?;
    let shown = class.shown();
    let path = if shown == "Object" { name.text().to_owned() } else { format!("{shown}::{name}") };
    // What Ruby or Puppet has, and we have not, is nothing that a script may rescue.
    if let Some(refusal) = vm.refused_constant(&path) {
        return Err(refusal);
    }
    Err(vm.raise_with(
        "NameError",
        format!("uninitialized constant {path}"),
        vec![("name", Value::Sym(name)), ("receiver", me.clone())],
    ))
}

fn remove_const(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let name = vm.to_name(&args.at(0))?;
    let removed = class.constants.borrow_mut().shift_remove(&name);
    match removed {
        Some(value) => {
            vm.epoch += 1;
            Ok(value)
        }
        None => {
            let shown = class.shown();
            Err(vm.raise("NameError", format!("constant {shown}::{name} not defined")))
        }
    }
}

/// `Module.nesting`: the classes and modules around the text that runs, the innermost first.
pub(super) fn nesting(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let mut list = Vec::new();
    let mut scope = vm.frames.last().map(|frame| Rc::clone(&frame.context.lexical));
    while let Some(here) = scope {
        // The outermost is Object, which is around everything.
        if here.outer.is_some() {
            list.push(Value::Class(Rc::clone(&here.module)));
        }
        scope = here.outer.clone();
    }
    Ok(vm.array(list))
}

fn constants(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let mut names: Vec<Value> = class.constants.borrow().keys().map(|name| Value::Sym(*name)).collect();
    if let Some(spec) = class.spec {
        names.extend(spec.constants.iter().map(|(name, _)| Value::symbol(name)));
    }
    Ok(vm.array(names))
}

fn private_constant(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    for value in &args.list {
        let name = vm.to_name(value)?;
        class.private_constants.borrow_mut().push(name);
    }
    Ok(Value::Nil)
}
