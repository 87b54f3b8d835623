//! The functions of `Kernel` that steer the run: `raise`, `catch`, `loop`, `require`.

use super::super::prelude::*;
use crate::value::procs::Body;

/// The table.
pub(super) static METHODS: &[Builtin] = &[
    m("raise", 0, -1, raise)
        .private()
        .gives(&["raise 'x' !! RuntimeError: x", "raise ArgumentError !! ArgumentError: ArgumentError"]),
    m("fail", 0, -1, raise).private().gives(&["fail 'x' !! RuntimeError: x"]),
    m("catch", 0, 1, catch).private().gives(&["catch(:a) { throw :a, 5 } => 5"]),
    m("throw", 1, 2, throw).private().gives(&["throw :x !! UncaughtThrowError: uncaught throw :x"]),
    m("loop", 0, 0, looping).private().gives(&["i = 0; loop { i += 1; break i if i > 2 } => 3"]),
    m("lambda", 0, 0, lambda).private().gives(&["lambda { |x| x }.call(1) => 1"]),
    m("proc", 0, 0, proc_).private().gives(&["proc { |x| x }.call(1, 2) => 1"]),
    m("block_given?", 0, 0, block_given).private(),
    m("require", 1, 1, require)
        .private()
        .gives(&["require 'nope' !! LoadError: cannot load such file -- nope"]),
    m("require_relative", 1, 1, require_relative).private(),
    m("binding", 0, 0, |vm, _, _| Err(vm.refused("binding"))).private(),
    m("rand", 0, 1, super::super::random::kernel_rand).private(),
    m("srand", 0, 1, super::super::random::srand).private(),
    m("caller", 0, 2, caller).private(),
    m("__method__", 0, 0, method_name).private(),
    m("__dir__", 0, 0, dir).private(),
    m("local_variables", 0, 0, |vm, _, _| Ok(vm.array(Vec::new()))).private(),
    m("global_variables", 0, 0, global_variables).private(),
    m("exit", 0, 1, |vm, _, args| exit(vm, &args.list)).private(),
    m("abort", 0, 1, |vm, _, args| {
        let message = if args.is_empty() { "exit".into() } else { args.text(vm, 0)? };
        let message = vm.str(message);
        exit(vm, &[Value::Int(1), message])
    })
    .private(),
    m("include", 1, -1, |vm, me, args| of_main(vm, me, "include", args)).private(),
    m("public", 0, -1, |vm, me, args| of_main(vm, me, "public", args)).private(),
    m("private", 0, -1, |vm, me, args| of_main(vm, me, "private", args)).private(),
    m("gem", 1, -1, |_, _, _| Ok(Value::Bool(false))).private(),
];

/// Makes the exception that `raise` is asked for.
pub(in crate::core) fn exception_of(vm: &mut Vm<'_>, args: &Args) -> Res {
    let positional = args.positional();
    let exception = match positional {
        [] => match vm.current_error.clone() {
            Value::Nil => vm.exception("RuntimeError", ""),
            error => error,
        },
        [Value::Str(_)] => {
            let class = Value::Class(vm.class("RuntimeError"));
            vm.send(&class, names::NEW, &positional[..1])?
        }
        [first, rest @ ..] => {
            if !matches!(first, Value::Object(_) | Value::Class(_))
                || !vm.responds(first, names::EXCEPTION)?
            {
                return Err(vm.raise("TypeError", "exception class/object expected"));
            }
            let mut message = Args::of(&rest[..rest.len().min(1)]);
            // Keywords other than `cause` belong to the exception.
            if let Some(keywords) = args.keywords() {
                let mut others = keywords.entries().clone();
                others.shift_remove(&Identity::Sym(Sym::of("cause")));
                if !others.is_empty() {
                    message.list.push(vm.hash_of(others));
                    message.has_keywords = true;
                }
            }
            vm.send_args(first, names::EXCEPTION, message)?
        }
    };
    let Some(data) = exception.payload::<crate::run::ExceptionData>() else {
        return Err(vm.raise("TypeError", "exception object expected"));
    };
    if let Some(backtrace) = positional.get(2) {
        *data.backtrace.borrow_mut() = backtrace.clone();
    }
    if let Some(cause) = args.keyword("cause") {
        if !cause.is_nil() && cause.payload::<crate::run::ExceptionData>().is_none() {
            return Err(vm.raise("TypeError", "exception object expected"));
        }
        *data.cause.borrow_mut() = cause;
        data.has_cause.set(true);
    }
    Ok(exception)
}

fn raise(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let exception = exception_of(vm, args)?;
    Err(vm.raised(exception))
}

fn exit(vm: &mut Vm<'_>, with: &[Value]) -> Res {
    let class = Value::Class(vm.class("SystemExit"));
    let exception = vm.send(&class, names::NEW, with)?;
    Err(vm.raised(exception))
}

fn catch(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return Err(vm.raise("LocalJumpError", "no block given")) };
    let tag = match args.get(0) {
        Some(tag) => tag.clone(),
        None => {
            let class = vm.class("Object");
            Value::Object(Rc::new(Object::new(class)))
        }
    };
    let (frames, depth) = (vm.frames.len(), vm.depth);
    vm.catching.push(tag.clone());
    let result = vm.call_block(&block, std::slice::from_ref(&tag));
    vm.catching.pop();
    match result {
        Err(flow) => match *flow {
            Flow::Throw(thrown, value) if thrown.is_same(&tag) => {
                vm.frames.truncate(frames);
                vm.depth = depth;
                Ok(value)
            }
            other => Err(Box::new(other)),
        },
        ok => ok,
    }
}

fn throw(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let tag = args.at(0);
    if !vm.catching.iter().any(|known| known.is_same(&tag)) {
        let shown = vm.inspect(&tag)?;
        let extra = vec![("tag", tag), ("value", args.at(1))];
        return Err(vm.raise_with("UncaughtThrowError", format!("uncaught throw {shown}"), extra));
    }
    Err(Box::new(Flow::Throw(tag, args.at(1))))
}

fn looping(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "loop", args) };
    let (frames, depth) = (vm.frames.len(), vm.depth);
    loop {
        match vm.call_block(&block, &[]) {
            Ok(_) => {}
            Err(flow) => match *flow {
                Flow::Raise(error) if vm.is_a(&error, "StopIteration") => {
                    vm.frames.truncate(frames);
                    vm.depth = depth;
                    return vm.send(&error, Sym::of("result"), &[]);
                }
                other => return Err(Box::new(other)),
            },
        }
    }
}

fn lambda(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else {
        return Err(vm.raise("ArgumentError", "tried to create Proc object without a block"));
    };
    if block.is_lambda || !matches!(block.body, Body::Code { .. }) {
        return Ok(Value::Proc(block));
    }
    if !vm.is_newest(&block) {
        return Err(vm.raise("ArgumentError", "the lambda method requires a literal block"));
    }
    Ok(Value::Proc(vm.to_lambda(&block)))
}

fn proc_(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    match args.block.clone() {
        Some(block) => Ok(Value::Proc(block)),
        None => Err(vm.raise("ArgumentError", "tried to create Proc object without a block")),
    }
}

fn block_given(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    Ok(Value::Bool(vm.frames.last().is_some_and(|frame| frame.context.block.is_some())))
}

fn require(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let feature = args.text(vm, 0)?;
    let is_known = vm.features.contains(&feature);
    if let Some(library) = crate::library::find(&feature) {
        for name in library.features {
            if !vm.features.iter().any(|known| known == name) {
                vm.features.push((*name).into());
            }
        }
        vm.load_library(library)?;
        return Ok(Value::Bool(!is_known && !library.is_loaded));
    }
    if crate::library::EMPTY_FEATURES.contains(&feature.as_str()) {
        return Ok(Value::Bool(false));
    }
    match vm.load_feature(&feature)? {
        Some(loaded) => Ok(Value::Bool(loaded)),
        // A real Ruby may have it: whoever would rescue the error would go on without.
        None if vm.host.has_helper() => Err(vm.unsupported(&format!("require '{feature}'"))),
        None => Err(vm.raise("LoadError", format!("cannot load such file -- {feature}"))),
    }
}

fn require_relative(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let feature = args.text(vm, 0)?;
    let (file, _) = vm.place();
    let folder = std::path::Path::new(&*file).parent().map(std::path::Path::to_path_buf).unwrap_or_default();
    let path = hierarch_source::without_dots(&folder.join(feature.as_str()));
    let path = path.to_string_lossy().into_owned();
    match vm.load_file(&path)? {
        Some(loaded) => Ok(Value::Bool(loaded)),
        None => Err(vm.raise("LoadError", format!("cannot load such file -- {path}"))),
    }
}

fn caller(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let skip = if args.is_empty() { 1 } else { args.int(vm, 0)?.max(0) as usize };
    let places = vm.places();
    let lines: Vec<Value> = places.iter().skip(skip).map(|place| vm.str(place.shown())).collect();
    Ok(vm.array(lines))
}

fn method_name(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let name = vm.frames.last().and_then(|frame| frame.context.method.as_ref().map(|method| method.name));
    // A template runs in the method of the wrapper that renders it.
    let is_template = name.is_none() && vm.is_a(me, "Puppet::Parser::TemplateWrapper");
    Ok(name.or_else(|| is_template.then(|| Sym::of("result"))).map_or(Value::Nil, Value::Sym))
}

fn dir(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let (file, _) = vm.place();
    let folder = std::path::Path::new(&*file).parent().map(|folder| folder.to_string_lossy().into_owned());
    Ok(folder.map_or(Value::Nil, |folder| vm.str(folder)))
}

fn global_variables(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let names = vm.globals.keys().map(|name| Value::Sym(*name)).collect();
    Ok(vm.array(names))
}

/// What only the object at the top has: it speaks for `Object`.
fn of_main(vm: &mut Vm<'_>, me: &Value, name: &str, args: &Args) -> Res {
    let name = Sym::of(name);
    if !me.is_same(&vm.main) {
        return Err(vm.no_method(me, name, crate::run::Form::Own));
    }
    let object = Value::Class(vm.class("Object"));
    vm.send_args(&object, name, args.clone())
}
