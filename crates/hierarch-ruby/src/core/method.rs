//! `Method` and `UnboundMethod`

use super::prelude::*;
use crate::value::class::{Callable, Method, Visibility};
use crate::value::procs::Body;

/// What a method object holds.
pub(super) struct MethodObject {
    pub(super) receiver: Option<Value>,
    pub(super) method: Rc<Method>,
    name: Sym,
}

impl Payload for MethodObject {}

static METHODS: &[Builtin] = &[
    m("call", 0, -1, call).gives(&["5.method(:+).call(1) => 6"]),
    m("()", 0, -1, call),
    m("[]", 0, -1, call).gives(&["5.method(:+)[1] => 6"]),
    m("===", 0, -1, call),
    m("to_proc", 0, 0, |_, me, _| Ok(Value::Proc(to_proc(me))))
        .gives(&["[1, 2].map(&5.method(:+)) => [6, 7]"]),
    m("receiver", 0, 0, |_, me, _| {
        Ok(me.payload::<MethodObject>().and_then(|it| it.receiver.clone()).unwrap_or_default())
    }),
    m("unbind", 0, 0, |vm, me, _| match me.payload::<MethodObject>() {
        Some(it) => Ok(unbound(vm, Rc::clone(&it.method), it.name)),
        None => Ok(Value::Nil),
    }),
    m(">>", 1, 1, |vm, me, args| super::proc_::compose(vm, me.clone(), args.at(0)))
        .gives(&["(5.method(:+) >> ->(x) { x * 2 }).call(1) => 12"]),
    m("<<", 1, 1, |vm, me, args| super::proc_::compose(vm, args.at(0), me.clone())),
    m("curry", 0, 1, |vm, me, args| {
        let block = Value::Proc(to_proc(me));
        vm.send_args(&block, Sym::of("curry"), args.clone())
    }),
];

static SHARED: &[Builtin] = &[
    m("name", 0, 0, |_, me, _| Ok(me.payload::<MethodObject>().map_or(Value::Nil, |it| Value::Sym(it.name))))
        .gives(&["5.method(:+).name => :+"]),
    m("owner", 0, 0, |_, me, _| {
        Ok(me.payload::<MethodObject>().map_or(Value::Nil, |it| Value::Class(Rc::clone(&it.method.owner))))
    })
    .gives(&["5.method(:+).owner => Integer"]),
    m("arity", 0, 0, |_, me, _| {
        Ok(me.payload::<MethodObject>().map_or(Value::Nil, |it| Value::Int(arity(&it.method))))
    })
    .gives(&["5.method(:+).arity => 1"]),
    m("parameters", 0, 0, parameters),
    m("source_location", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("inspect", 0, 0, inspect),
    m("to_s", 0, 0, inspect),
    m("bind", 1, 1, bind),
    m("bind_call", 1, -1, |vm, me, args| {
        let bound = bind(vm, me, &Args::of(&args.list[..1]))?;
        call(vm, &bound, &Args { list: args.list[1..].iter().cloned().collect(), ..args.clone() })
    }),
];

/// `Method`
pub(super) static METHOD: ClassSpec = ClassSpec { methods: &[METHODS, SHARED], ..ClassSpec::class("Method") };

/// `UnboundMethod`
pub(super) static UNBOUND_METHOD: ClassSpec =
    ClassSpec { methods: &[SHARED], ..ClassSpec::class("UnboundMethod") };

/// Makes a method object.
pub(super) fn bound(vm: &mut Vm<'_>, receiver: Value, method: Rc<Method>, name: Sym) -> Value {
    let class = vm.class("Method");
    Value::Object(Rc::new(Object::with(class, MethodObject { receiver: Some(receiver), method, name })))
}

/// Makes a method object of a method without a receiver.
pub(super) fn unbound(vm: &mut Vm<'_>, method: Rc<Method>, name: Sym) -> Value {
    let class = vm.class("UnboundMethod");
    Value::Object(Rc::new(Object::with(class, MethodObject { receiver: None, method, name })))
}

/// Makes a method object of what `method_missing` answers.
pub(super) fn missing(vm: &mut Vm<'_>, receiver: Value, name: Sym) -> Value {
    let target = receiver.clone();
    let body = Proc::native(-1, move |vm, args| vm.send_args(&target, name, args.clone()));
    let owner = vm.class_of(&receiver);
    let method = Method { name, owner, visibility: Visibility::Public, body: Callable::Block(Rc::new(body)) };
    bound(vm, receiver, Rc::new(method), name)
}

fn call(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = me.payload::<MethodObject>() else { return Ok(Value::Nil) };
    let receiver = it.receiver.clone().unwrap_or_default();
    vm.invoke(&receiver, &it.method, args.clone())
}

/// Makes a block of a method.
pub(super) fn to_proc(me: &Value) -> Rc<Proc> {
    let body = match me.payload::<MethodObject>() {
        Some(it) => {
            Body::Method { receiver: it.receiver.clone().unwrap_or_default(), method: Rc::clone(&it.method) }
        }
        None => Body::Symbol(names::CALL),
    };
    Rc::new(Proc { body, is_lambda: true, breaks: 0, frozen: std::cell::Cell::new(false) })
}

/// Returns the arity of a method.
pub(super) fn arity(method: &Method) -> i64 {
    match &method.body {
        Callable::Builtin(builtin) => builtin.arity(),
        Callable::Code(code) => code.define.parameters.arity(),
        Callable::Block(block) => super::proc_::arity(&Proc {
            body: block.body.clone(),
            is_lambda: true,
            breaks: 0,
            frozen: std::cell::Cell::new(false),
        }),
        Callable::Reader(_) => 0,
        Callable::Writer(_) => 1,
    }
}

fn parameters(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = me.payload::<MethodObject>() else { return Ok(Value::Nil) };
    match &it.method.body {
        Callable::Code(code) => Ok(super::proc_::parameters_of(vm, &code.define.parameters, true)),
        Callable::Block(block) => {
            let block = Value::Proc(vm.to_lambda(block));
            vm.send(&block, Sym::of("parameters"), &[])
        }
        Callable::Builtin(builtin) => {
            let kind = |vm: &mut Vm<'_>, name: &str| vm.array(vec![Value::symbol(name)]);
            let mut list: Vec<Value> = (0..builtin.least).map(|_| kind(vm, "req")).collect();
            if builtin.most < 0 {
                list.push(kind(vm, "rest"));
            }
            Ok(vm.array(list))
        }
        _ => Ok(vm.array(Vec::new())),
    }
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = me.payload::<MethodObject>() else { return Ok(Value::Nil) };
    let class = vm.class_name(me);
    let owner = it.method.owner.shown();
    Ok(vm.str(format!("#<{class}: {owner}#{}(...)>", it.name)))
}

fn bind(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = me.payload::<MethodObject>() else { return Ok(Value::Nil) };
    let receiver = args.at(0);
    let owner = Rc::clone(&it.method.owner);
    if !owner.is_module && !vm.is_instance(&receiver, &owner) {
        let shown = owner.shown();
        return Err(vm.raise("TypeError", format!("bind argument must be an instance of {shown}")));
    }
    Ok(bound(vm, receiver, Rc::clone(&it.method), it.name))
}
