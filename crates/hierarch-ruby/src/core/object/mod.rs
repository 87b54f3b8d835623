//! `BasicObject`, `Object` and `Kernel`: what everything has.

mod convert;
mod io;
mod kernel;
mod reflect;

use super::prelude::*;

pub(super) use convert::{to_float, to_integer};
pub(super) use reflect::names_of;

/// `BasicObject`
pub(super) static BASIC_OBJECT: ClassSpec = ClassSpec {
    superclass: None,
    methods: &[BASIC],
    allocate: Some(|_, class| Ok(Value::Object(Rc::new(Object::new(Rc::clone(class)))))),
    ..ClassSpec::class("BasicObject")
};

/// `Object`
pub(super) static OBJECT: ClassSpec = ClassSpec {
    superclass: Some("BasicObject"),
    includes: &["Kernel"],
    constants: &[
        ("RUBY_VERSION", |vm| Ok(vm.str("3.3.8"))),
        ("RUBY_PLATFORM", |vm| Ok(vm.str("x86_64-linux-gnu"))),
        ("RUBY_ENGINE", |vm| Ok(vm.str("ruby"))),
        ("RUBY_PATCHLEVEL", |_| Ok(Value::Int(144))),
        ("ENV", environment),
        ("ARGV", |vm| Ok(vm.array(Vec::new()))),
        ("STDOUT", |vm| io::stream(vm)),
        ("STDERR", |vm| io::stream(vm)),
    ],
    ..ClassSpec::class("Object")
};

/// `Kernel`
pub(super) static KERNEL: ClassSpec = ClassSpec {
    methods: &[
        METHODS,
        reflect::METHODS,
        kernel::METHODS,
        convert::METHODS,
        io::METHODS,
        crate::library::json::KERNEL,
        crate::library::uri::KERNEL,
        crate::library::yaml::KERNEL,
        crate::puppet::settings::GETTEXT,
    ],
    singleton: &[kernel::METHODS, convert::METHODS, io::METHODS],
    ..ClassSpec::module("Kernel")
};

/// `IO`
pub(super) static IO: ClassSpec = ClassSpec { methods: &[io::STREAM], ..ClassSpec::class("IO") };

static BASIC: &[Builtin] = &[
    m("initialize", 0, -1, initialize).private(),
    m("==", 1, 1, same).gives(&["Object.new == 1 => false"]),
    m("equal?", 1, 1, same).gives(&["'a'.equal?('a') => false", ":a.equal?(:a) => true"]),
    m("!", 0, 0, |_, me, _| Ok(Value::Bool(!me.truthy()))).gives(&["1.! => false"]),
    m("!=", 1, 1, |vm, me, args| Ok(Value::Bool(!vm.send(me, names::EQ, &[args.at(0)])?.truthy())))
        .gives(&["1 != 2 => true"]),
    m("__id__", 0, 0, object_id),
    m("__send__", 1, -1, reflect::send).gives(&["'a'.__send__(:upcase) => \"A\""]),
    m("instance_eval", 0, 3, instance_eval).gives(&["'ab'.instance_eval { size } => 2"]),
    m("instance_exec", 0, -1, instance_exec).gives(&["'ab'.instance_exec(1) { |x| size + x } => 3"]),
    m("method_missing", 1, -1, method_missing).private(),
];

static METHODS: &[Builtin] = &[
    m("===", 1, 1, case_equal).gives(&["1 === 1 => true"]),
    m("!~", 1, 1, |vm, me, args| Ok(Value::Bool(!vm.send(me, names::MATCH, &[args.at(0)])?.truthy())))
        .gives(&["'a' !~ /b/ => true"]),
    m("eql?", 1, 1, eql).gives(&["'a'.eql?('a') => true", "1.eql?(1.0) => false"]),
    m("<=>", 1, 1, |vm, me, args| Ok(if vm.equal(me, &args.at(0))? { Value::Int(0) } else { Value::Nil }))
        .gives(&["nil <=> nil => 0"]),
    m("hash", 0, 0, |vm, me, _| Ok(Value::Int(vm.identity(me)?.number())))
        .gives(&["'a'.hash == 'a'.hash => true"]),
    m("object_id", 0, 0, object_id).gives(&["1.object_id => 3", "nil.object_id => 4"]),
    m("class", 0, 0, |vm, me, _| Ok(Value::Class(vm.plain_class_of(me)))).gives(&["1.class => Integer"]),
    m("singleton_class", 0, 0, |vm, me, _| Ok(Value::Class(vm.singleton_class(me)?))),
    m("nil?", 0, 0, |_, me, _| Ok(Value::Bool(me.is_nil()))).gives(&["nil.nil? => true"]),
    m("to_s", 0, 0, to_s),
    m("inspect", 0, 0, inspect),
    m("itself", 0, 0, |_, me, _| Ok(me.clone())).gives(&["1.itself => 1"]),
    m("tap", 0, 0, |vm, me, args| {
        let block = args.block(vm)?;
        vm.call_block(&block, std::slice::from_ref(me))?;
        Ok(me.clone())
    })
    .gives(&["1.tap { 2 } => 1"]),
    m("then", 0, 0, then).gives(&["1.then { |x| x + 1 } => 2"]),
    m("yield_self", 0, 0, then).gives(&["1.yield_self { |x| x + 1 } => 2"]),
    m("dup", 0, 0, |vm, me, _| copy(vm, me, false)).gives(&["'a'.dup => \"a\""]),
    m("clone", 0, 0, clone).takes(&["freeze"]).gives(&["'a'.freeze.clone.frozen? => true"]),
    m("initialize_copy", 1, 1, |_, me, _| Ok(me.clone())).private(),
    m("freeze", 0, 0, freeze).gives(&["'a'.freeze.frozen? => true"]),
    m("frozen?", 0, 0, |vm, me, _| Ok(Value::Bool(vm.is_frozen(me)))).gives(&["1.frozen? => true"]),
    m("is_a?", 1, 1, is_a).gives(&["1.is_a?(Comparable) => true"]),
    m("kind_of?", 1, 1, is_a).gives(&["1.kind_of?(Integer) => true"]),
    m("instance_of?", 1, 1, instance_of).gives(&["1.instance_of?(Numeric) => false"]),
    m("extend", 1, -1, extend).gives(&["Object.new.extend(Comparable).is_a?(Comparable) => true"]),
    m("to_enum", 0, -1, to_enum).gives(&["[1, 2].to_enum.next => 1"]),
    m("enum_for", 0, -1, to_enum).gives(&["[1, 2].enum_for(:each).to_a => [1, 2]"]),
    m("display", 0, 0, |_, _, _| Ok(Value::Nil)),
];

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    // `Object.new(1)` is refused, unless the class initializes in a way of its own and hands arguments up.
    let class = vm.class_of(me);
    let own = vm.find_method(&class, names::INITIALIZE);
    let is_plain = own.is_some_and(|method| matches!(method.body, crate::value::class::Callable::Builtin(_)));
    if !args.is_empty() && is_plain {
        return Err(vm.raise("ArgumentError", crate::issues::wrong_number(args.len(), 0, Some(0))));
    }
    Ok(Value::Nil)
}

fn same(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(Value::Bool(me.is_same(&args.at(0))))
}

fn case_equal(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    Ok(Value::Bool(me.is_same(&other) || vm.equal(me, &other)?))
}

fn eql(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    if std::mem::discriminant(me) != std::mem::discriminant(&other) {
        return Ok(Value::Bool(false));
    }
    Ok(Value::Bool(vm.identity(me)? == vm.identity(&other)?))
}

/// Small values have the numbers that Ruby gives them; others the place where they live.
fn object_id(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(match me {
        Value::Nil => Value::Int(4),
        Value::Bool(true) => Value::Int(20),
        Value::Bool(false) => Value::Int(0),
        Value::Int(number) => (i128::from(*number) * 2 + 1).into(),
        Value::Sym(name) => Value::Int(Identity::Sym(*name).number().abs()),
        Value::Float(number) => Value::Int((number.to_bits() >> 2) as i64),
        other => Value::from(other.address().unwrap_or_default()),
    })
}

fn instance_eval(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return Err(vm.refused("instance_eval of a text")) };
    let definee = match me {
        Value::Int(_) | Value::Sym(_) | Value::Float(_) | Value::Big(_) => vm.class_of(me),
        other => vm.singleton_class(other)?,
    };
    vm.call_block_as(&block, me, &definee, Args::of(std::slice::from_ref(me)))
}

fn instance_exec(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block(vm)?;
    let definee = match me {
        Value::Int(_) | Value::Sym(_) | Value::Float(_) | Value::Big(_) => vm.class_of(me),
        other => vm.singleton_class(other)?,
    };
    vm.call_block_as(&block, me, &definee, Args { block: None, ..args.clone() })
}

fn method_missing(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.at(0) {
        Value::Sym(name) => Err(vm.no_method(me, name, crate::run::Form::Explicit)),
        _ => Err(vm.raise("ArgumentError", "no method name given")),
    }
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    if me.is_same(&vm.main) {
        return Ok(vm.str("main"));
    }
    let text = address(vm, me);
    Ok(vm.str(format!("#<{text}>")))
}

fn address(vm: &mut Vm<'_>, me: &Value) -> String {
    let class = vm.class_name(me);
    format!("{class}:0x{:016x}", me.address().unwrap_or_default())
}

fn inspect(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let names = vm.ivar_names(me);
    if names.is_empty() || !matches!(me, Value::Object(_)) {
        let class = vm.class_of(me);
        let own = vm.find_method(&class, names::TO_S);
        // Without instance variables it is the same text, a `to_s` of one's own is not asked.
        let _ = own;
        return to_s(vm, me, args);
    }
    let head = address(vm, me);
    let shown = vm.guarded(me, &format!("#<{head} ...>"), |vm| {
        let mut parts = Vec::new();
        for name in names {
            let value = vm.ivar(me, name)?;
            parts.push(format!("{name}={}", vm.inspect(&value)?));
        }
        Ok(format!("#<{head} {}>", parts.join(", ")))
    })?;
    Ok(vm.str(shown))
}

fn then(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match &args.block {
        Some(block) => vm.call_block(&Rc::clone(block), std::slice::from_ref(me)),
        None => vm.enumerator(me, "then", args),
    }
}

/// Copies a value.
pub(super) fn copy(vm: &mut Vm<'_>, me: &Value, keeps_singleton: bool) -> Res {
    let class = vm.class_of(me);
    let class = if keeps_singleton { class } else { class.plain() };
    let meta = |meta: &std::cell::RefCell<Option<Box<crate::value::Meta>>>| {
        meta.borrow().as_ref().map(|meta| {
            Box::new(crate::value::Meta {
                class: meta.class.as_ref().map(|_| Rc::clone(&class)),
                ivars: meta.ivars.clone(),
            })
        })
    };
    let twin = match me {
        Value::Str(text) => {
            let twin = vm.text(text.get());
            if let Value::Str(new) = &twin {
                *new.meta.borrow_mut() = meta(&text.meta);
            }
            twin
        }
        Value::Array(array) => {
            let twin = vm.array(array.to_vec());
            if let Value::Array(new) = &twin {
                *new.meta.borrow_mut() = meta(&array.meta);
            }
            twin
        }
        Value::Hash(hash) => {
            let twin = vm.hash_of(hash.entries().clone());
            if let Value::Hash(new) = &twin {
                *new.default.borrow_mut() = hash.default.borrow().clone();
                *new.default_block.borrow_mut() = hash.default_block.borrow().clone();
                new.by_identity.set(hash.by_identity.get());
                *new.meta.borrow_mut() = meta(&hash.meta);
            }
            twin
        }
        Value::Object(object) => {
            let twin = Object::new(class);
            *twin.ivars.borrow_mut() = object.ivars.borrow().clone();
            *twin.data.borrow_mut() = object.data.borrow().clone();
            Value::Object(Rc::new(twin))
        }
        Value::Class(class) => return super::module::copy(vm, class),
        other => return Ok(other.clone()),
    };
    if matches!(me, Value::Object(_)) {
        vm.send(&twin, names::INITIALIZE_COPY, std::slice::from_ref(me))?;
    }
    Ok(twin)
}

/// Copies a value without its singleton class.
pub(super) fn copy_plain(vm: &mut Vm<'_>, me: &Value) -> Res {
    copy(vm, me, false)
}

/// `ENV`: what the host shows of the process, by itself nothing.
fn environment(vm: &mut Vm<'_>) -> Res {
    let mut entries = Entries::default();
    for (name, value) in vm.host.process_variables() {
        let (name, value) = (vm.str(name), vm.str(value));
        entries.insert(vm.key(&name)?, value);
    }
    let shown = vm.hash_of(entries);
    freeze(vm, &shown, &Args::default())
}

fn clone(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let frozen = args.keyword("freeze");
    let was_frozen = vm.is_frozen(me);
    let twin = copy(vm, me, true)?;
    let freezes = match frozen {
        Some(Value::Bool(freezes)) => freezes,
        None | Some(Value::Nil) => was_frozen,
        Some(other) => {
            let class = vm.class_name(&other);
            return Err(vm.raise("ArgumentError", format!("unexpected value for freeze: {class}")));
        }
    };
    if freezes { freeze(vm, &twin, &Args::default()) } else { Ok(twin) }
}

fn freeze(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    match me {
        Value::Str(text) => text.frozen.set(true),
        Value::Array(array) => array.frozen.set(true),
        Value::Hash(hash) => hash.frozen.set(true),
        Value::Object(object) => object.frozen.set(true),
        Value::Class(class) => class.frozen.set(true),
        Value::Proc(block) => block.frozen.set(true),
        _ => {}
    }
    Ok(me.clone())
}

fn class_argument(vm: &mut Vm<'_>, value: &Value) -> Res<ClassRef> {
    match value {
        Value::Class(class) => Ok(Rc::clone(class)),
        _ => Err(vm.raise("TypeError", "class or module required")),
    }
}

fn is_a(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class_argument(vm, &args.at(0))?;
    Ok(Value::Bool(vm.is_instance(me, &class)))
}

fn instance_of(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let class = class_argument(vm, &args.at(0))?;
    Ok(Value::Bool(Rc::ptr_eq(&vm.plain_class_of(me), &class)))
}

fn extend(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let singleton = vm.singleton_class(me)?;
    for module in args.list.iter().rev() {
        let module_class = class_argument(vm, module)?;
        vm.epoch += 1;
        let is_new = !singleton.includes.borrow().iter().any(|known| Rc::ptr_eq(known, &module_class));
        if is_new {
            singleton.includes.borrow_mut().push(module_class);
        }
        vm.send(module, names::EXTENDED, std::slice::from_ref(me))?;
    }
    Ok(me.clone())
}

fn to_enum(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut args = args.clone();
    let method = if args.is_empty() { names::EACH } else { vm.to_name(&args.list.remove(0))? };
    args.block = None;
    Ok(super::enumerator::make(vm, me.clone(), method, args))
}
