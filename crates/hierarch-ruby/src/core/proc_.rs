//! The methods of `Proc`.

use super::prelude::*;
use crate::syntax::tree::{Parameter, Parameters};
use crate::value::procs::Body;

static METHODS: &[Builtin] = &[
    m("call", 0, -1, call).gives(&[
        "->(x) { x * 2 }.call(2) => 4",
        "->(x) { x }.call !! ArgumentError: wrong number of arguments (given 0, expected 1)",
    ]),
    m("()", 0, -1, call),
    m("yield", 0, -1, call),
    m("[]", 0, -1, call).gives(&["->(x) { x * 2 }[2] => 4"]),
    m("===", 0, -1, call).gives(&["(->(x) { x > 1 } === 2) => true"]),
    m("to_proc", 0, 0, |_, me, _| Ok(me.clone())),
    m("lambda?", 0, 0, |_, me, _| Ok(Value::Bool(get(me).is_some_and(|block| block.is_lambda))))
        .gives(&["proc {}.lambda? => false"]),
    m("arity", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |block| Value::Int(arity(&block)))))
        .gives(&["->(a, b = 1) {}.arity => -2", "proc { |a, b| }.arity => 2"]),
    m("parameters", 0, 1, parameters)
        .gives(&["->(a, b = 1, *c) {}.parameters => [[:req, :a], [:opt, :b], [:rest, :c]]"]),
    m("curry", 0, 1, curry).gives(&["->(a, b) { a + b }.curry[1][2] => 3"]),
    m(">>", 1, 1, |vm, me, args| compose(vm, me.clone(), args.at(0)))
        .gives(&["(->(x) { x + 1 } >> ->(x) { x * 2 }).call(1) => 4"]),
    m("<<", 1, 1, |vm, me, args| compose(vm, args.at(0), me.clone()))
        .gives(&["(->(x) { x + 1 } << ->(x) { x * 2 }).call(1) => 3"]),
    m("binding", 0, 0, |vm, _, _| Err(vm.refused("binding"))),
    m("source_location", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("ruby2_keywords", 0, 0, |_, me, _| Ok(me.clone())),
    m("inspect", 0, 0, inspect),
    m("to_s", 0, 0, inspect),
    m("==", 1, 1, |_, me, args| Ok(Value::Bool(me.is_same(&args.at(0))))),
    m("hash", 0, 0, |_, me, _| Ok(Value::from(me.address().unwrap_or_default()))),
];

static SINGLETON: &[Builtin] = &[m("new", 0, -1, |vm, _, args| match args.block.clone() {
    Some(block) => Ok(Value::Proc(block)),
    None => Err(vm.raise("ArgumentError", "tried to create Proc object without a block")),
})
.gives(&["Proc.new { |x| x }.call(1) => 1"])];

/// `Proc`
pub(super) static PROC: ClassSpec =
    ClassSpec { methods: &[METHODS], singleton: &[SINGLETON], ..ClassSpec::class("Proc") };

fn get(me: &Value) -> Option<Rc<Proc>> {
    match me {
        Value::Proc(block) => Some(Rc::clone(block)),
        _ => None,
    }
}

fn call(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match get(me) {
        Some(block) => vm.call_block_args(&block, args.clone()),
        None => Ok(Value::Nil),
    }
}

/// Returns the arity of a block.
pub(super) fn arity(block: &Proc) -> i64 {
    match &block.body {
        Body::Code { block: code, .. } => {
            let parameters = &code.parameters;
            if block.is_lambda {
                return parameters.arity();
            }
            // A block does not need its optional ones, but a rest shows.
            let least = parameters.least() as i64;
            let is_open = parameters.rest.is_some() || !parameters.optional.is_empty();
            match (is_open, parameters.needs_keywords()) {
                (true, _) => -least - 1,
                (false, true) => least + 1,
                (false, false) => least,
            }
        }
        Body::Symbol(_) => -2,
        Body::Method { method, .. } => super::method::arity(method),
        Body::Native { arity, .. } => *arity,
    }
}

/// Shows parameters as Ruby does.
pub(super) fn parameters_of(vm: &mut Vm<'_>, parameters: &Parameters, is_lambda: bool) -> Value {
    let mut list: Vec<(&str, Option<Sym>)> = Vec::new();
    let required = if is_lambda { "req" } else { "opt" };
    let positional = |parameter: &Parameter| match parameter {
        Parameter::Plain(name, _) => Some(*name),
        Parameter::Destructured(_) => None,
    };
    list.extend(parameters.required.iter().map(|parameter| (required, positional(parameter))));
    list.extend(parameters.optional.iter().map(|(name, ..)| ("opt", Some(*name))));
    if let Some((name, _)) = parameters.rest {
        list.push(("rest", Some(name.unwrap_or_else(|| Sym::of("*")))));
    }
    list.extend(parameters.post.iter().map(|parameter| (required, positional(parameter))));
    list.extend(
        parameters
            .keywords
            .iter()
            .map(|keyword| (if keyword.default.is_some() { "key" } else { "keyreq" }, Some(keyword.name))),
    );
    if let Some((name, _)) = parameters.keyword_rest {
        list.push(("keyrest", Some(name.unwrap_or_else(|| Sym::of("**")))));
    }
    if let Some((name, _)) = parameters.block {
        list.push(("block", Some(name.unwrap_or_else(|| Sym::of("&")))));
    }
    let shown = list
        .into_iter()
        .map(|(kind, name)| {
            let parts = std::iter::once(Value::symbol(kind)).chain(name.map(Value::Sym)).collect();
            vm.array(parts)
        })
        .collect();
    vm.array(shown)
}

fn parameters(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = get(me) else { return Ok(Value::Nil) };
    let is_lambda = args.keyword("lambda").map_or(block.is_lambda, |it| it.truthy());
    match &block.body {
        Body::Code { block: code, .. } => Ok(parameters_of(vm, &code.parameters, is_lambda)),
        Body::Symbol(_) => {
            let (first, rest) = (vm.array(vec![Value::symbol("req")]), vm.array(vec![Value::symbol("rest")]));
            Ok(vm.pair(first, rest))
        }
        _ => {
            let rest = vm.array(vec![Value::symbol("rest")]);
            Ok(vm.array(vec![rest]))
        }
    }
}

fn curry(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = get(me) else { return Ok(Value::Nil) };
    let own = arity(&block);
    let wanted = if args.is_empty() { if own < 0 { -own - 1 } else { own } } else { args.int(vm, 0)? };
    if block.is_lambda && own >= 0 && wanted != own {
        let message = crate::issues::wrong_number(wanted.max(0) as usize, own as usize, Some(own as usize));
        return Err(vm.raise("ArgumentError", message));
    }
    curried(vm, block, wanted.max(0) as usize, Vec::new())
}

fn curried(vm: &mut Vm<'_>, block: Rc<Proc>, wanted: usize, given: Vec<Value>) -> Res {
    if given.len() >= wanted {
        return vm.call_block_args(&block, Args::of(&given));
    }
    let next = Proc::native(-1, move |vm, args| {
        let all = given.iter().chain(&args.list).cloned().collect();
        curried(vm, Rc::clone(&block), wanted, all)
    });
    Ok(Value::Proc(Rc::new(next)))
}

/// Makes a block that calls one and hands the result to the other.
pub(super) fn compose(vm: &mut Vm<'_>, first: Value, second: Value) -> Res {
    for value in [&first, &second] {
        if !vm.responds(value, names::CALL)? {
            return Err(vm.raise("TypeError", "callable object is expected"));
        }
    }
    Ok(Value::Proc(Rc::new(Proc::native(-1, move |vm, args| {
        let between = vm.send_args(&first, names::CALL, args.clone())?;
        vm.send(&second, names::CALL, &[between])
    }))))
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(block) = get(me) else { return Ok(Value::Nil) };
    let lambda = if block.is_lambda { " (lambda)" } else { "" };
    let from = match &block.body {
        Body::Code { block: code, env, .. } => format!(" {}:{}", env.context.file, code.line),
        Body::Symbol(name) => format!("(&{})", crate::run::inspect::symbol(*name)),
        _ => String::new(),
    };
    Ok(vm.str(format!("#<Proc:0x{:016x}{from}{lambda}>", me.address().unwrap_or_default())))
}
