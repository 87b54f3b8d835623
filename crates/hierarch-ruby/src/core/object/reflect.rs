//! What objects tell about themselves: `send`, `respond_to?`, methods, instance variables.

use super::super::prelude::*;
use crate::value::class::{Callable, Visibility};

/// The table.
pub(super) static METHODS: &[Builtin] = &[
    m("send", 0, -1, send).gives(&["'a'.send(:upcase) => \"A\"", "1.send(:+, 2) => 3"]),
    m("public_send", 0, -1, public_send).gives(&["'a'.public_send('upcase') => \"A\""]),
    m("respond_to?", 1, 2, respond_to)
        .gives(&["'a'.respond_to?(:upcase) => true", "'a'.respond_to?(:puts) => false"]),
    m("respond_to_missing?", 2, 2, |_, _, _| Ok(Value::Bool(false))).private(),
    m("method", 1, 1, method).gives(&["5.method(:+).call(3) => 8"]),
    m("public_method", 1, 1, method),
    m("methods", 0, 1, methods),
    m("public_methods", 0, 1, methods),
    m("singleton_methods", 0, 1, singleton_methods),
    m("define_singleton_method", 1, 2, define_singleton_method)
        .gives(&["o = Object.new; o.define_singleton_method(:x) { 5 }; o.x => 5"]),
    m("instance_variable_get", 1, 1, |vm, me, args| {
        let name = ivar_name(vm, &args.at(0))?;
        vm.ivar(me, name)
    }),
    m("instance_variable_set", 2, 2, |vm, me, args| {
        let name = ivar_name(vm, &args.at(0))?;
        vm.set_ivar(me, name, args.at(1))?;
        Ok(args.at(1))
    })
    .gives(&["o = Object.new; o.instance_variable_set(:@a, 1); o.instance_variables => [:@a]"]),
    m("instance_variable_defined?", 1, 1, |vm, me, args| {
        let name = ivar_name(vm, &args.at(0))?;
        Ok(Value::Bool(vm.ivar_of(me, name).is_some()))
    }),
    m("instance_variables", 0, 0, instance_variables),
    m("remove_instance_variable", 1, 1, remove_instance_variable),
];

/// `send`: names that never run are refused as elsewhere, because they stand in no table.
pub(super) fn send(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (name, args) = named_call(vm, args)?;
    vm.send_args(me, name, args)
}

fn public_send(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (name, args) = named_call(vm, args)?;
    vm.send_public(me, name, args)
}

/// Takes the name of a method from the front of arguments.
fn named_call(vm: &mut Vm<'_>, args: &Args) -> Res<(Sym, Args)> {
    if args.list.is_empty() {
        return Err(vm.raise("ArgumentError", "no method name given"));
    }
    let mut args = args.clone();
    let name = args.list.remove(0);
    Ok((vm.to_name(&name)?, args))
}

fn respond_to(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = vm.to_name(&args.at(0))?;
    if args.at(1).truthy() {
        let class = vm.class_of(me);
        if vm.find_method(&class, name).is_some() {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(vm.responds(me, name)?))
}

fn method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = vm.to_name(&args.at(0))?;
    let class = vm.class_of(me);
    match vm.find_method(&class, name) {
        Some(method) => Ok(super::super::method::bound(vm, me.clone(), method, name)),
        None => {
            let asks = names::RESPOND_TO_MISSING;
            if vm.send(me, asks, &[Value::Sym(name), Value::Bool(true)])?.truthy() {
                return Ok(super::super::method::missing(vm, me.clone(), name));
            }
            let shown = class.plain().shown();
            let message = match me {
                Value::Class(class) => {
                    format!("undefined method `{name}' for class `#<Class:{}>'", class.shown())
                }
                _ => format!("undefined method `{name}' for class `{shown}'"),
            };
            Err(vm.raise_with(
                "NameError",
                message,
                vec![("name", Value::Sym(name)), ("receiver", me.clone())],
            ))
        }
    }
}

/// Returns the public methods that a class has, those of ours included.
pub(in crate::core) fn names_of(class: &ClassRef, visible: impl Fn(Visibility) -> bool) -> Vec<Sym> {
    let mut names: Vec<Sym> = class
        .methods
        .borrow()
        .iter()
        .filter(|(_, method)| method.as_ref().is_some_and(|method| visible(method.visibility)))
        .map(|(name, _)| *name)
        .collect();
    if let Some(spec) = class.spec {
        let tables = if class.is_singleton { spec.singleton } else { spec.methods };
        let own = tables.iter().flat_map(|table| table.iter());
        let visibility = |private| if private { Visibility::Private } else { Visibility::Public };
        names.extend(
            own.filter(|entry| visible(visibility(entry.is_private))).map(|entry| Sym::of(entry.name)),
        );
    }
    names
}

fn methods(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = vm.class_of(me);
    let mut names: Vec<Sym> = Vec::new();
    for one in vm.ancestors(&class).iter() {
        for name in names_of(one, |visibility| visibility != Visibility::Private) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(vm.array(names.into_iter().map(Value::Sym).collect()))
}

fn singleton_methods(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = vm.class_of(me);
    let mut names = Vec::new();
    if class.is_singleton {
        names = names_of(&class, |visibility| visibility != Visibility::Private);
        for module in class.includes.borrow().iter() {
            names.extend(names_of(module, |visibility| visibility != Visibility::Private));
        }
    }
    Ok(vm.array(names.into_iter().map(Value::Sym).collect()))
}

fn define_singleton_method(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = vm.to_name(&args.at(0))?;
    let body = match (args.get(1), &args.block) {
        (Some(value), _) => super::super::module::callable_of(vm, value)?,
        (None, Some(block)) => Callable::Block(Rc::clone(block)),
        (None, None) => return Err(vm.raise("ArgumentError", "tried to create Proc object without a block")),
    };
    let class = vm.singleton_class(me)?;
    vm.define(&class, name, Visibility::Public, body);
    Ok(Value::Sym(name))
}

fn ivar_name(vm: &mut Vm<'_>, value: &Value) -> Res<Sym> {
    let name = vm.to_name(value)?;
    let text = name.text();
    let is_good =
        text.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    if is_good {
        return Ok(name);
    }
    Err(vm.raise("NameError", format!("`{text}' is not allowed as an instance variable name")))
}

fn instance_variables(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let names = vm.ivar_names(me).into_iter().map(Value::Sym).collect();
    Ok(vm.array(names))
}

fn remove_instance_variable(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = ivar_name(vm, &args.at(0))?;
    vm.check_frozen(me)?;
    let list = match me {
        Value::Object(object) => &object.ivars,
        Value::Class(class) => &class.ivars,
        _ => return Err(vm.unsupported("Kernel#remove_instance_variable of a core value")),
    };
    let place = list.borrow().iter().position(|(known, _)| *known == name);
    match place {
        Some(place) => Ok(list.borrow_mut().remove(place).1),
        None => {
            let shown = vm.inspect(me)?;
            Err(vm.raise("NameError", format!("instance variable {name} not defined for {shown}")))
        }
    }
}
