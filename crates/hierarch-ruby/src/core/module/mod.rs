//! `Module` and `Class`, a file per family of methods.

mod constants;
mod methods;

pub(super) use methods::callable_of;

use super::prelude::*;

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
    methods: &[MODULE_METHODS, constants::METHODS, methods::METHODS],
    singleton: &[&[m("nesting", 0, 0, constants::nesting)]],
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
            Err(vm.raise("TypeError", format!("wrong argument type {name} (expected Module)")))
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
        vm.may_prepend(&class, &added)?;
        class.prepends.borrow_mut().push(added);
        vm.send(module, names::PREPENDED, std::slice::from_ref(me))?;
    }
    Ok(me.clone())
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
        Some(Value::Class(above)) if above.name.borrow().as_deref() == Some("Class") => {
            return Err(vm.raise("TypeError", "can't make subclass of Class"));
        }
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
