//! `Module`: methods, who may call them, and attributes.

use super::super::object_names_of as names_of;
use super::super::prelude::*;
use super::class;
use crate::value::class::{Callable, Visibility};

/// What defines, hides and lists methods.
pub(super) static METHODS: &[Builtin] = &[
    m("attr_accessor", 0, -1, |vm, me, args| attr(vm, me, args, true, true)),
    m("attr_reader", 0, -1, |vm, me, args| attr(vm, me, args, true, false)),
    m("attr_writer", 0, -1, |vm, me, args| attr(vm, me, args, false, true)),
    m("attr", 0, -1, |vm, me, args| attr(vm, me, args, true, false)),
    m("define_method", 1, 2, define_method)
        .gives(&["c = Class.new { define_method(:x) { |a| a * 2 } }; c.new.x(3) => 6"]),
    m("alias_method", 2, 2, alias_method),
    m("remove_method", 0, -1, remove_method),
    m("undef_method", 0, -1, undef_method),
    m("public", 0, -1, |vm, me, args| visibility(vm, me, args, Visibility::Public)),
    m("private", 0, -1, |vm, me, args| visibility(vm, me, args, Visibility::Private)),
    m("protected", 0, -1, |vm, me, args| visibility(vm, me, args, Visibility::Protected)),
    m("module_function", 0, -1, module_function),
    m("private_class_method", 0, -1, |vm, me, args| class_visibility(vm, me, args, Visibility::Private)),
    m("public_class_method", 0, -1, |vm, me, args| class_visibility(vm, me, args, Visibility::Public)),
    m("instance_methods", 0, 1, |vm, me, args| {
        instance_methods(vm, me, args, |it| it != Visibility::Private)
    }),
    m("public_instance_methods", 0, 1, |vm, me, args| {
        instance_methods(vm, me, args, |it| it == Visibility::Public)
    }),
    m("private_instance_methods", 0, 1, |vm, me, args| {
        instance_methods(vm, me, args, |it| it == Visibility::Private)
    }),
    m("instance_method", 1, 1, instance_method),
    m("method_defined?", 1, 2, |vm, me, args| method_defined(vm, me, args, |it| it != Visibility::Private))
        .gives(&["String.method_defined?(:upcase) => true"]),
    m("public_method_defined?", 1, 2, |vm, me, args| {
        method_defined(vm, me, args, |it| it == Visibility::Public)
    }),
    m("private_method_defined?", 1, 2, |vm, me, args| {
        method_defined(vm, me, args, |it| it == Visibility::Private)
    }),
];

/// Returns who may call methods that are defined now.
fn current_visibility(vm: &Vm<'_>) -> Visibility {
    vm.frames.last().map(|frame| frame.context.visibility.get()).unwrap_or_default()
}

fn attr(vm: &mut Vm<'_>, me: &Value, args: &Args, reads: bool, writes: bool) -> Res {
    let class = class(me, vm)?;
    let visibility = current_visibility(vm);
    let mut defined = Vec::new();
    for value in &args.list {
        let name = vm.to_name(value)?;
        let is_name = crate::run::inspect::is_plain_symbol(name.text());
        if !is_name || !name.text().ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            return Err(vm.raise("NameError", format!("invalid attribute name `{name}'")));
        }
        let variable = vm.intern(&format!("@{name}"))?;
        if reads {
            vm.define(&class, name, visibility, Callable::Reader(variable));
            defined.push(Value::Sym(name));
        }
        if writes {
            vm.define(&class, name.setter(), visibility, Callable::Writer(variable));
            defined.push(Value::Sym(name.setter()));
        }
    }
    Ok(vm.array(defined))
}

/// Returns what a method object or block does.
pub(in super::super) fn callable_of(vm: &mut Vm<'_>, value: &Value) -> Res<Callable> {
    match value {
        Value::Proc(block) => Ok(Callable::Block(Rc::clone(block))),
        other => match other.payload::<super::super::method::MethodObject>() {
            Some(object) => Ok(object.method.body.clone()),
            None => {
                let name = vm.class_name(other);
                Err(vm.raise(
                    "TypeError",
                    format!("wrong argument type {name} (expected Proc/Method/UnboundMethod)"),
                ))
            }
        },
    }
}

fn define_method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let name = vm.to_name(&args.at(0))?;
    let body = match (args.get(1), &args.block) {
        (Some(value), _) => callable_of(vm, value)?,
        (None, Some(block)) => Callable::Block(Rc::clone(block)),
        (None, None) => return Err(vm.raise("ArgumentError", "tried to create Proc object without a block")),
    };
    vm.may_define(&class, name)?;
    let is_own = vm.frames.last().is_some_and(|frame| frame.context.me.is_same(me));
    let visibility = if is_own { current_visibility(vm) } else { Visibility::Public };
    vm.define(&class, name, visibility, body);
    Ok(Value::Sym(name))
}

fn alias_method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let (new, old) = (vm.to_name(&args.at(0))?, vm.to_name(&args.at(1))?);
    vm.alias_method(&class, new, old)?;
    Ok(Value::Sym(new))
}

fn remove_method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    for value in &args.list {
        let name = vm.to_name(value)?;
        vm.epoch += 1;
        let removed = class.methods.borrow_mut().shift_remove(&name);
        if removed.flatten().is_none() {
            let shown = class.shown();
            return Err(vm.raise("NameError", format!("method `{name}' not defined in {shown}")));
        }
    }
    Ok(me.clone())
}

fn undef_method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    for value in &args.list {
        let name = vm.to_name(value)?;
        vm.undefine(&class, name)?;
    }
    Ok(me.clone())
}

fn names_in(vm: &mut Vm<'_>, args: &Args) -> Res<Vec<Sym>> {
    let mut names = Vec::new();
    for value in &args.list {
        match value {
            Value::Array(array) => {
                for inner in array.to_vec() {
                    names.push(vm.to_name(&inner)?);
                }
            }
            other => names.push(vm.to_name(other)?),
        }
    }
    Ok(names)
}

fn visibility(vm: &mut Vm<'_>, me: &Value, args: &Args, visibility: Visibility) -> Res {
    let class = class(me, vm)?;
    if args.is_empty() {
        if let Some(frame) = vm.frames.last() {
            frame.context.visibility.set(visibility);
            frame.context.module_function.set(false);
        }
        return Ok(Value::Nil);
    }
    set_visibility(vm, &class, args, visibility)?;
    Ok(if args.len() == 1 { args.at(0) } else { vm.array(args.list.to_vec()) })
}

fn set_visibility(vm: &mut Vm<'_>, class: &ClassRef, args: &Args, visibility: Visibility) -> Res<()> {
    for name in names_in(vm, args)? {
        vm.may_define(class, name)?;
        match vm.find_method(class, name) {
            Some(method) => vm.define(class, name, visibility, method.body.clone()),
            None => {
                let kind = if class.is_module { "module" } else { "class" };
                let shown = class.shown();
                return Err(vm.raise("NameError", format!("undefined method `{name}' for {kind} `{shown}'")));
            }
        }
    }
    Ok(())
}

fn class_visibility(vm: &mut Vm<'_>, me: &Value, args: &Args, visibility: Visibility) -> Res {
    let class = class(me, vm)?;
    let singleton = vm.singleton_of_class(&class);
    set_visibility(vm, &singleton, args, visibility)?;
    Ok(Value::Nil)
}

fn module_function(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    if args.is_empty() {
        if let Some(frame) = vm.frames.last() {
            frame.context.module_function.set(true);
        }
        return Ok(Value::Nil);
    }
    let singleton = vm.singleton_of_class(&class);
    for name in names_in(vm, args)? {
        if let Some(method) = vm.find_method(&class, name) {
            vm.define(&singleton, name, Visibility::Public, method.body.clone());
            vm.define(&class, name, Visibility::Private, method.body.clone());
        }
    }
    Ok(Value::Nil)
}

fn instance_methods(vm: &mut Vm<'_>, me: &Value, args: &Args, visible: fn(Visibility) -> bool) -> Res {
    let class = class(me, vm)?;
    let only_own = matches!(args.get(0), Some(Value::Bool(false)));
    let mut names: Vec<Sym> = Vec::new();
    let classes = if only_own { Rc::from([class]) } else { vm.ancestors(&class) };
    for one in classes.iter() {
        for name in names_of(one, visible) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(vm.array(names.into_iter().map(Value::Sym).collect()))
}

fn instance_method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let name = vm.to_name(&args.at(0))?;
    match vm.find_method(&class, name) {
        Some(method) => Ok(super::super::method::unbound(vm, method, name)),
        None => {
            let kind = if class.is_module { "module" } else { "class" };
            let shown = class.shown();
            Err(vm.raise("NameError", format!("undefined method `{name}' for {kind} `{shown}'")))
        }
    }
}

fn method_defined(vm: &mut Vm<'_>, me: &Value, args: &Args, visible: fn(Visibility) -> bool) -> Res {
    let class = class(me, vm)?;
    let name = vm.to_name(&args.at(0))?;
    Ok(Value::Bool(vm.find_method(&class, name).is_some_and(|method| visible(method.visibility))))
}
