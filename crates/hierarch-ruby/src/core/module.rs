//! `Module` and `Class`

use super::object_names_of as names_of;
use super::prelude::*;
use crate::value::class::{Callable, Lexical, Visibility};

static MODULE_METHODS: &[Builtin] = &[
    m("initialize", 0, 1, module_initialize).private(),
    m("name", 0, 0, name).gives(&["String.name => \"String\"", "Class.new.name => nil"]),
    m("to_s", 0, 0, to_s).gives(&["Comparable.to_s => \"Comparable\""]),
    m("inspect", 0, 0, to_s),
    m("===", 1, 1, |vm, me, args| {
        let class = class(me, vm)?;
        Ok(Value::Bool(vm.is_instance(&args.at(0), &class)))
    })
    .gives(&["Integer === 1 => true"]),
    m("==", 1, 1, |_, me, args| Ok(Value::Bool(me.is_same(&args.at(0))))),
    m("<", 1, 1, |vm, me, args| related(vm, me, &args.at(0), true))
        .gives(&["Integer < Numeric => true", "Integer < String => nil"]),
    m("<=", 1, 1, |vm, me, args| related(vm, me, &args.at(0), false)).gives(&["Integer <= Integer => true"]),
    m(">", 1, 1, |vm, me, args| related(vm, &args.at(0), me, true)).gives(&["Numeric > Integer => true"]),
    m(">=", 1, 1, |vm, me, args| related(vm, &args.at(0), me, false)).gives(&["Numeric >= Numeric => true"]),
    m("<=>", 1, 1, spaceship).gives(&["Integer <=> Numeric => -1"]),
    m("hash", 0, 0, |_, me, _| Ok(Value::from(me.address().unwrap_or_default()))),
    m("ancestors", 0, 0, ancestors).gives(&["Integer.ancestors.first(3) => [Integer, Numeric, Comparable]"]),
    m("include", 1, -1, include),
    m("prepend", 1, -1, prepend),
    m("include?", 1, 1, |vm, me, args| {
        let (one, other) = (class(me, vm)?, class(&args.at(0), vm)?);
        Ok(Value::Bool(!Rc::ptr_eq(&one, &other) && vm.inherits(&one, &other)))
    })
    .gives(&["String.include?(Comparable) => true"]),
    m("included_modules", 0, 0, included_modules).gives(&["Integer.included_modules.first => Comparable"]),
    m("included", 1, 1, nothing).private(),
    m("extended", 1, 1, nothing).private(),
    m("prepended", 1, 1, nothing).private(),
    m("method_added", 1, 1, nothing).private(),
    m("const_get", 1, 2, const_get)
        .gives(&["Object.const_get(:String) => String", "Object.const_get('Math::PI').floor => 3"]),
    m("const_set", 2, 2, const_set).gives(&["Math.const_set(:X, 1); Math::X => 1"]),
    m("const_defined?", 1, 2, const_defined).gives(&["Object.const_defined?(:Nope) => false"]),
    m("const_missing", 1, 1, const_missing).gives(&["Nope !! NameError: uninitialized constant Nope"]),
    m("constants", 0, 1, constants),
    m("private_constant", 0, -1, private_constant),
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
    m("instance_methods_list", 0, 0, nothing).private(),
    m("class_eval", 0, 3, class_eval),
    m("module_eval", 0, 3, class_eval),
    m("class_exec", 0, -1, class_exec),
    m("module_exec", 0, -1, class_exec),
    m("class_variable_get", 1, 1, |vm, me, args| {
        let name = vm.to_name(&args.at(0))?;
        let class = class(me, vm)?;
        vm.class_variable_of(&class, name)
    }),
    m("class_variable_set", 2, 2, |vm, me, args| {
        let name = vm.to_name(&args.at(0))?;
        let class = class(me, vm)?;
        vm.set_class_variable_of(&class, name, args.at(1));
        Ok(args.at(1))
    }),
    m("class_variable_defined?", 1, 1, class_variable_defined),
    m("class_variables", 0, 1, class_variables),
    m("module_function_list", 0, 0, nothing).private(),
    m("refine", 1, 1, |vm, _, _| Err(vm.unsupported("refinements"))),
    m("using", 1, 1, |vm, _, _| Err(vm.unsupported("refinements"))).private(),
    m("freeze", 0, 0, |_, me, _| {
        if let Value::Class(class) = me {
            class.frozen.set(true);
        }
        Ok(me.clone())
    }),
];

static CLASS_METHODS: &[Builtin] = &[
    m("initialize", 0, 1, class_initialize).private(),
    m("new", 0, -1, new).gives(&["Array.new(2, 0) => [0, 0]"]),
    m("allocate", 0, 0, |vm, me, _| {
        let class = class(me, vm)?;
        allocate(vm, &class)
    }),
    m("superclass", 0, 0, superclass).gives(&["Integer.superclass => Numeric"]),
    m("subclasses", 0, 0, subclasses),
    m("inherited", 1, 1, nothing).private(),
];

/// `Module`
pub(super) static MODULE: ClassSpec = ClassSpec {
    methods: &[MODULE_METHODS],
    allocate: Some(|vm, _| Ok(Value::Class(vm.new_class(None, true, None)))),
    ..ClassSpec::class("Module")
};

/// `Class`
pub(super) static CLASS: ClassSpec = ClassSpec {
    superclass: Some("Module"),
    methods: &[CLASS_METHODS],
    allocate: Some(|vm, _| {
        let object = vm.class("Object");
        Ok(Value::Class(vm.new_class(None, false, Some(object))))
    }),
    ..ClassSpec::class("Class")
};

fn nothing(_: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    Ok(Value::Nil)
}

fn class(me: &Value, vm: &mut Vm<'_>) -> Res<ClassRef> {
    match me {
        Value::Class(class) => Ok(Rc::clone(class)),
        _ => Err(vm.raise("TypeError", "class or module required")),
    }
}

fn name(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let name = class.name.borrow().clone();
    Ok(name.map_or(Value::Nil, |name| vm.str(name)))
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    Ok(vm.str(class.shown()))
}

fn related(vm: &mut Vm<'_>, lower: &Value, upper: &Value, strictly: bool) -> Res {
    let (Value::Class(lower), Value::Class(upper)) = (lower, upper) else {
        return Err(vm.raise("TypeError", "compared with non class/module"));
    };
    if Rc::ptr_eq(lower, upper) {
        return Ok(Value::Bool(!strictly));
    }
    if vm.inherits(lower, upper) {
        return Ok(Value::Bool(true));
    }
    Ok(if vm.inherits(upper, lower) { Value::Bool(false) } else { Value::Nil })
}

fn spaceship(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (Value::Class(one), Value::Class(other)) = (me, &args.at(0)) else { return Ok(Value::Nil) };
    if Rc::ptr_eq(one, other) {
        return Ok(Value::Int(0));
    }
    if vm.inherits(one, other) {
        return Ok(Value::Int(-1));
    }
    Ok(if vm.inherits(other, one) { Value::Int(1) } else { Value::Nil })
}

fn ancestors(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let list = vm.ancestors(&class).iter().map(|one| Value::Class(Rc::clone(one))).collect();
    Ok(vm.array(list))
}

fn included_modules(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let list = vm
        .ancestors(&class)
        .iter()
        .filter(|one| one.is_module)
        .map(|one| Value::Class(Rc::clone(one)))
        .collect();
    Ok(vm.array(list))
}

fn module_argument(vm: &mut Vm<'_>, value: &Value) -> Res<ClassRef> {
    match value {
        Value::Class(module) if module.is_module => Ok(Rc::clone(module)),
        other => {
            let name = vm.class_name(other);
            Err(vm.raise("TypeError", format!("wrong argument type {name} (expected module)")))
        }
    }
}

fn include(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    for module in args.list.iter().rev() {
        let added = module_argument(vm, module)?;
        if Rc::ptr_eq(&added, &class) || vm.inherits(&added, &class) {
            return Err(vm.raise("ArgumentError", "cyclic include detected"));
        }
        if !vm.inherits(&class, &added) {
            vm.epoch += 1;
            class.includes.borrow_mut().push(added);
        }
        vm.send(module, names::INCLUDED, std::slice::from_ref(me))?;
    }
    Ok(me.clone())
}

fn prepend(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    for module in args.list.iter().rev() {
        let added = module_argument(vm, module)?;
        if Rc::ptr_eq(&added, &class) || vm.inherits(&added, &class) {
            return Err(vm.raise("ArgumentError", "cyclic prepend detected"));
        }
        vm.epoch += 1;
        class.prepends.borrow_mut().push(added);
        vm.send(module, names::PREPENDED, std::slice::from_ref(me))?;
    }
    Ok(me.clone())
}

fn const_get(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let path = vm.to_name(&args.at(0))?;
    let mut value = me.clone();
    for part in path.text().trim_start_matches("::").split("::") {
        if !part.starts_with(|c: char| c.is_uppercase()) {
            return Err(vm.raise("NameError", format!("wrong constant name {part}")));
        }
        let here = class(&value, vm)?;
        let name = vm.intern(part)?;
        let found = match vm.constant_in(&here, name)? {
            Some(found) => Some(found),
            None => {
                let object = vm.class("Object");
                vm.own_constant(&object, name)?
            }
        };
        value = match found {
            Some(found) => found,
            None => vm.missing_constant(&here, name)?,
        };
    }
    Ok(value)
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
        let found = match vm.constant_in(&here, name)? {
            Some(found) => Some(found),
            None => {
                let object = vm.class("Object");
                vm.own_constant(&object, name)?
            }
        };
        match found {
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
    Err(vm.raise_with(
        "NameError",
        format!("uninitialized constant {path}"),
        vec![("name", Value::Sym(name)), ("receiver", me.clone())],
    ))
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
pub(super) fn callable_of(vm: &mut Vm<'_>, value: &Value) -> Res<Callable> {
    match value {
        Value::Proc(block) => Ok(Callable::Block(Rc::clone(block))),
        other => match other.payload::<super::method::MethodObject>() {
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
        Some(method) => Ok(super::method::unbound(vm, method, name)),
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

fn class_eval(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return Err(vm.refused("class_eval of a text")) };
    let class = class(me, vm)?;
    vm.call_block_as(&block, me, &class, Args::of(std::slice::from_ref(me)))
}

fn class_exec(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block(vm)?;
    let class = class(me, vm)?;
    vm.call_block_as(&block, me, &class, Args { block: None, ..args.clone() })
}

fn class_variable_defined(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let name = vm.to_name(&args.at(0))?;
    let list = vm.ancestors(&class);
    Ok(Value::Bool(
        list.iter().any(|one| one.class_variables.borrow().iter().any(|(known, _)| *known == name)),
    ))
}

fn class_variables(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let list = vm.ancestors(&class);
    let names: Vec<Value> = list
        .iter()
        .flat_map(|one| {
            one.class_variables.borrow().iter().map(|(name, _)| Value::Sym(*name)).collect::<Vec<_>>()
        })
        .collect();
    Ok(vm.array(names))
}

fn module_initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.block.is_some() {
        class_exec(vm, me, &Args { block: args.block.clone(), ..Args::of(std::slice::from_ref(me)) })?;
    }
    Ok(Value::Nil)
}

fn class_initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let made = class(me, vm)?;
    let above = match args.get(0) {
        Some(Value::Class(above)) if !above.is_module => Rc::clone(above),
        Some(other) => {
            let name = vm.class_name(other);
            return Err(vm.raise(
                "TypeError",
                format!("superclass must be an instance of Class (given an instance of {name})"),
            ));
        }
        None => vm.class("Object"),
    };
    vm.epoch += 1;
    *made.superclass.borrow_mut() = Some(Rc::clone(&above));
    // `new` has looked for `initialize` already, so that the singleton class is there and inherits from Object's.
    let inherited = vm.singleton_of_class(&above);
    if let Some(singleton) = &*made.singleton.borrow() {
        *singleton.superclass.borrow_mut() = Some(inherited);
    }
    vm.inherited(&above, &made)?;
    module_initialize(vm, me, args)
}

/// Makes an instance that is not initialized.
pub(super) fn allocate(vm: &mut Vm<'_>, class: &ClassRef) -> Res {
    if class.is_singleton {
        return Err(vm.raise("TypeError", "can't create instance of singleton class"));
    }
    let list = vm.ancestors(class);
    let allocate =
        list.iter().find_map(|one| one.spec.filter(|_| !one.is_singleton).and_then(|spec| spec.allocate));
    match allocate {
        Some(allocate) => allocate(vm, class),
        None => Err(vm.unsupported(&format!("allocator of {}", class.shown()))),
    }
}

fn new(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class(me, vm)?;
    let name = class.name.borrow().clone();
    if matches!(
        name.as_deref(),
        Some("Integer" | "Float" | "Symbol" | "NilClass" | "TrueClass" | "FalseClass" | "Rational")
    ) {
        let shown = class.shown();
        return Err(vm.raise("NoMethodError", format!("undefined method `new' for class {shown}")));
    }
    let value = allocate(vm, &class)?;
    vm.send_args(&value, names::INITIALIZE, args.clone())?;
    Ok(value)
}

fn superclass(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let above = class.superclass.borrow().clone();
    Ok(above.map_or(Value::Nil, Value::Class))
}

fn subclasses(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = class(me, vm)?;
    let is_below = |one: &&ClassRef| {
        !one.is_singleton && one.superclass.borrow().as_ref().is_some_and(|above| Rc::ptr_eq(above, &class))
    };
    let list: Vec<Value> =
        vm.all_classes.iter().rev().filter(is_below).map(|one| Value::Class(Rc::clone(one))).collect();
    Ok(vm.array(list))
}

/// Copies a class.
pub(super) fn copy(vm: &mut Vm<'_>, class: &ClassRef) -> Res {
    let twin = vm.new_class(None, class.is_module, class.superclass.borrow().clone());
    *twin.includes.borrow_mut() = class.includes.borrow().clone();
    *twin.prepends.borrow_mut() = class.prepends.borrow().clone();
    *twin.methods.borrow_mut() = class.methods.borrow().clone();
    *twin.constants.borrow_mut() = class.constants.borrow().clone();
    Ok(Value::Class(twin))
}
