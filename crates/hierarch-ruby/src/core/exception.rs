//! `Exception` and the tree of errors.

use super::prelude::*;
use crate::run::ExceptionData;

static METHODS: &[Builtin] = &[
    m("initialize", 0, -1, initialize).private(),
    m("message", 0, 0, message).gives(&["ArgumentError.new('x').message => \"x\""]),
    m("to_s", 0, 0, to_s).gives(&["ArgumentError.new.to_s => \"ArgumentError\""]),
    m("detailed_message", 0, 1, detailed_message)
        .gives(&["ArgumentError.new('x').detailed_message => \"x (ArgumentError)\""]),
    m("full_message", 0, 1, full_message),
    m("inspect", 0, 0, inspect).gives(&["ArgumentError.new('x').inspect => \"#<ArgumentError: x>\""]),
    m("backtrace", 0, 0, backtrace),
    m("backtrace_locations", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("set_backtrace", 1, 1, set_backtrace),
    m("cause", 0, 0, |_, me, _| Ok(data(me).map(|it| it.cause.borrow().clone()).unwrap_or_default())),
    m("exception", 0, 1, exception).gives(&["ArgumentError.new('x').exception('y').message => \"y\""]),
    m("==", 1, 1, equals),
    m("result", 0, 0, |_, me, _| Ok(extra(me, "result"))),
    m("key", 0, 0, |_, me, _| Ok(extra(me, "key"))),
    m("name", 0, 0, |_, me, _| Ok(extra(me, "name"))),
    m("receiver", 0, 0, |_, me, _| Ok(extra(me, "receiver"))),
    m("status", 0, 0, |_, _, _| Ok(Value::Int(0))),
];

static SINGLETON: &[Builtin] = &[
    m("exception", 0, -1, |vm, me, args| vm.send_args(me, names::NEW, args.clone())),
    m("to_tty?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
];

static KEY_ERROR_METHODS: &[Builtin] = &[m("initialize", 0, -1, key_error_initialize).private()];

static EXCEPTION: ClassSpec = ClassSpec {
    methods: &[METHODS],
    singleton: &[SINGLETON],
    allocate: Some(|_, class| {
        Ok(Value::Object(Rc::new(Object::with(Rc::clone(class), ExceptionData::default()))))
    }),
    ..ClassSpec::class("Exception")
};

static KEY_ERROR: ClassSpec =
    ClassSpec { methods: &[KEY_ERROR_METHODS], ..ClassSpec::error("KeyError", "IndexError") };

macro_rules! errors {
    ($($name:literal < $above:literal),* $(,)?) => {
        /// All classes of errors.
        pub(super) static EXCEPTIONS: &[&ClassSpec] =
            &[&EXCEPTION, &KEY_ERROR, $({ static ERROR: ClassSpec = ClassSpec::error($name, $above); &ERROR }),*];
    };
}

errors! {
    "NoMemoryError" < "Exception",
    "ScriptError" < "Exception",
    "LoadError" < "ScriptError",
    "NotImplementedError" < "ScriptError",
    "SyntaxError" < "ScriptError",
    "SecurityError" < "Exception",
    "SignalException" < "Exception",
    "Interrupt" < "SignalException",
    "SystemExit" < "Exception",
    "SystemStackError" < "Exception",
    "StandardError" < "Exception",
    "ArgumentError" < "StandardError",
    "UncaughtThrowError" < "ArgumentError",
    "EncodingError" < "StandardError",
    "Encoding::CompatibilityError" < "EncodingError",
    "Encoding::UndefinedConversionError" < "EncodingError",
    "Encoding::InvalidByteSequenceError" < "EncodingError",
    "Encoding::ConverterNotFoundError" < "EncodingError",
    "FiberError" < "StandardError",
    "IOError" < "StandardError",
    "EOFError" < "IOError",
    "IndexError" < "StandardError",
    "StopIteration" < "IndexError",
    "LocalJumpError" < "StandardError",
    "NameError" < "StandardError",
    "NoMethodError" < "NameError",
    "NoMatchingPatternError" < "StandardError",
    "NoMatchingPatternKeyError" < "NoMatchingPatternError",
    "RangeError" < "StandardError",
    "FloatDomainError" < "RangeError",
    "RegexpError" < "StandardError",
    "RuntimeError" < "StandardError",
    "FrozenError" < "RuntimeError",
    "SystemCallError" < "StandardError",
    "Errno::ENOENT" < "SystemCallError",
    "Errno::EACCES" < "SystemCallError",
    "Errno::EISDIR" < "SystemCallError",
    "Errno::ENOTDIR" < "SystemCallError",
    "Errno::EEXIST" < "SystemCallError",
    "Errno::EINVAL" < "SystemCallError",
    "ThreadError" < "StandardError",
    "TypeError" < "StandardError",
    "ZeroDivisionError" < "StandardError",
    "Math::DomainError" < "ArgumentError",
}

/// `Errno`
pub(super) static ERRNO: ClassSpec = ClassSpec::module("Errno");

fn data(me: &Value) -> Option<Rc<ExceptionData>> {
    me.payload::<ExceptionData>()
}

fn extra(me: &Value, name: &str) -> Value {
    let found = data(me).and_then(|it| {
        it.extra.borrow().iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    });
    found.unwrap_or_default()
}

fn initialize(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Some(it) = data(me) {
        *it.message.borrow_mut() = args.at(0);
    }
    Ok(Value::Nil)
}

fn key_error_initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let (Some(it), Some(_)) = (data(me), args.keywords()) {
        let find = |name| args.keyword(name).unwrap_or_default();
        *it.extra.borrow_mut() = vec![("key", find("key")), ("receiver", find("receiver"))];
    }
    initialize(vm, me, &Args::of(args.positional()))
}

fn message(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let text = vm.send(me, names::TO_S, &[])?;
    let text = vm.to_s(&text)?;
    Ok(vm.str(text))
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let message = data(me).map(|it| it.message.borrow().clone()).unwrap_or_default();
    if message.is_nil() {
        let class = vm.class_name(me);
        return Ok(vm.str(class));
    }
    let text = vm.to_s(&message)?;
    Ok(vm.str(text))
}

fn detailed_message(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let (text, class) = (vm.message_of(me)?, vm.class_name(me));
    if text.is_empty() {
        return Ok(vm.str(class));
    }
    let (first, rest) =
        text.split_once('\n').map_or((text.as_str(), None), |(first, rest)| (first, Some(rest)));
    let rest = rest.map(|rest| format!("\n{rest}")).unwrap_or_default();
    Ok(vm.str(format!("{first} ({class}){rest}")))
}

fn full_message(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let text = detailed_message(vm, me, args)?;
    let text = vm.to_s(&text)?;
    let lines = backtrace(vm, me, &Args::default())?;
    let place = match lines.as_array().and_then(|lines| lines.get(0)) {
        Some(line) => vm.to_s(&line)?,
        None => "-e:1:in `<main>'".into(),
    };
    Ok(vm.str(format!("{place}: {text}")))
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = vm.class_name(me);
    let text = vm.send(me, names::TO_S, &[])?;
    let text = vm.to_s(&text)?;
    if text.is_empty() {
        return Ok(vm.str(class));
    }
    if text.contains('\n') {
        let shown = crate::run::inspect::quoted(&Text::Utf8(text));
        return Ok(vm.str(format!("#<{class}: {shown}>")));
    }
    Ok(vm.str(format!("#<{class}: {text}>")))
}

fn backtrace(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = data(me) else { return Ok(Value::Nil) };
    let set = it.backtrace.borrow().clone();
    if !set.is_nil() {
        return Ok(set);
    }
    if it.places.borrow().is_empty() {
        return Ok(Value::Nil);
    }
    let lines: Vec<Value> = it.places.borrow().iter().map(|place| vm.str(place.shown())).collect();
    Ok(vm.array(lines))
}

fn set_backtrace(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Some(it) = data(me) {
        *it.backtrace.borrow_mut() = args.at(0);
    }
    Ok(args.at(0))
}

fn exception(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if args.is_empty() || args.at(0).is_same(me) {
        return Ok(me.clone());
    }
    let class = vm.class_of(me).plain();
    let twin = Object::with(class, ExceptionData::default());
    if let Some(object) = me.as_object() {
        *twin.ivars.borrow_mut() = object.ivars.borrow().clone();
    }
    let twin = Value::Object(Rc::new(twin));
    if let Some(it) = data(&twin) {
        *it.message.borrow_mut() = args.at(0);
    }
    Ok(twin)
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let other = args.at(0);
    if me.is_same(&other) {
        return Ok(Value::Bool(true));
    }
    if data(&other).is_none() || !Rc::ptr_eq(&vm.plain_class_of(me), &vm.plain_class_of(&other)) {
        return Ok(Value::Bool(false));
    }
    Ok(Value::Bool(vm.message_of(me)? == vm.message_of(&other)?))
}
