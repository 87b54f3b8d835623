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
];

static SINGLETON: &[Builtin] = &[
    m("exception", 0, -1, |vm, me, args| vm.send_args(me, names::NEW, args.clone())),
    m("to_tty?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
];

const KEY: Builtin = m("key", 0, 0, |_, me, _| Ok(extra(me, "key")));
const NAME: Builtin = m("name", 0, 0, |_, me, _| Ok(extra(me, "name")));
const RECEIVER: Builtin = m("receiver", 0, 0, receiver);

static KEY_ERROR: &[Builtin] = &[m("initialize", 0, -1, keep_keywords).private(), KEY, RECEIVER];
static FROZEN_ERROR: &[Builtin] = &[m("initialize", 0, -1, keep_keywords).private(), RECEIVER];
static NAME_ERROR: &[Builtin] = &[m("initialize", 0, -1, name_error_initialize).private(), NAME, RECEIVER];
static STOP_ITERATION: &[Builtin] = &[m("result", 0, 0, |_, me, _| Ok(extra(me, "result")))];
static UNCAUGHT_THROW: &[Builtin] =
    &[m("tag", 0, 0, |_, me, _| Ok(extra(me, "tag"))), m("value", 0, 0, |_, me, _| Ok(extra(me, "value")))];
static SYSTEM_EXIT: &[Builtin] = &[
    m("initialize", 0, -1, exit_initialize).private(),
    m("status", 0, 0, |_, me, _| Ok(Value::Int(status(me)))).gives(&["SystemExit.new(3).status => 3"]),
    m("success?", 0, 0, |_, me, _| Ok(Value::Bool(status(me) == 0))),
];
static SYSTEM_CALL_ERROR: &[Builtin] = &[
    m("initialize", 0, -1, errno_initialize).private(),
    m("errno", 0, 0, |vm, me, _| match errno(vm, me) {
        Some((_, number, _)) => Ok(Value::Int(*number)),
        None => Ok(Value::Nil),
    })
    .gives(&["Errno::ENOENT.new.errno => 2"]),
];

static EXCEPTION: ClassSpec = ClassSpec {
    methods: &[METHODS],
    singleton: &[SINGLETON],
    allocate: Some(|_, class| {
        Ok(Value::Object(Rc::new(Object::with(Rc::clone(class), ExceptionData::default()))))
    }),
    ..ClassSpec::class("Exception")
};

macro_rules! errors {
    ($($name:literal < $above:literal $([$methods:ident])? $(= $number:literal)?),* $(,)?) => {
        /// All classes of errors.
        pub(super) static EXCEPTIONS: &[&ClassSpec] = &[&EXCEPTION, $({
            static ERROR: ClassSpec = ClassSpec {
                methods: &[$($methods)?],
                constants: &[$(("Errno", |_| Ok(Value::Int($number))))?],
                ..ClassSpec::error($name, $above)
            };
            &ERROR
        }),*];
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
    "SystemExit" < "Exception" [SYSTEM_EXIT],
    "SystemStackError" < "Exception",
    "StandardError" < "Exception",
    "ArgumentError" < "StandardError",
    "UncaughtThrowError" < "ArgumentError" [UNCAUGHT_THROW],
    "EncodingError" < "StandardError",
    "Encoding::CompatibilityError" < "EncodingError",
    "Encoding::UndefinedConversionError" < "EncodingError",
    "Encoding::InvalidByteSequenceError" < "EncodingError",
    "Encoding::ConverterNotFoundError" < "EncodingError",
    "FiberError" < "StandardError",
    "IOError" < "StandardError",
    "EOFError" < "IOError",
    "IndexError" < "StandardError",
    "KeyError" < "IndexError" [KEY_ERROR],
    "StopIteration" < "IndexError" [STOP_ITERATION],
    "LocalJumpError" < "StandardError",
    "NameError" < "StandardError" [NAME_ERROR],
    "NoMethodError" < "NameError",
    "NoMatchingPatternError" < "StandardError",
    "NoMatchingPatternKeyError" < "NoMatchingPatternError" [KEY_ERROR],
    "RangeError" < "StandardError",
    "FloatDomainError" < "RangeError",
    "RegexpError" < "StandardError",
    "RuntimeError" < "StandardError",
    "FrozenError" < "RuntimeError" [FROZEN_ERROR],
    "SystemCallError" < "StandardError" [SYSTEM_CALL_ERROR],
    "Errno::ENOENT" < "SystemCallError" = 2,
    "Errno::EACCES" < "SystemCallError" = 13,
    "Errno::EEXIST" < "SystemCallError" = 17,
    "Errno::ENOTDIR" < "SystemCallError" = 20,
    "Errno::EISDIR" < "SystemCallError" = 21,
    "Errno::EINVAL" < "SystemCallError" = 22,
    "Errno::EDOM" < "SystemCallError" = 33,
    "ThreadError" < "StandardError",
    "TypeError" < "StandardError",
    "ZeroDivisionError" < "StandardError",
    "Math::DomainError" < "StandardError",
}

/// Errors of the system: name, number, words.
const ERRNOS: &[(&str, i64, &str)] = &[
    ("ENOENT", 2, "No such file or directory"),
    ("EACCES", 13, "Permission denied"),
    ("EEXIST", 17, "File exists"),
    ("ENOTDIR", 20, "Not a directory"),
    ("EISDIR", 21, "Is a directory"),
    ("EINVAL", 22, "Invalid argument"),
    ("EDOM", 33, "Numerical argument out of domain"),
];

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

/// Keeps what an exception was made with beside its message.
fn keep(me: &Value, name: &'static str, value: Value) {
    if let Some(it) = data(me) {
        it.extra.borrow_mut().push((name, value));
    }
}

fn keep_keywords(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    for name in ["key", "receiver"] {
        if let Some(value) = args.keyword(name) {
            keep(me, name, value);
        }
    }
    initialize(vm, me, &Args::of(args.positional()))
}

fn name_error_initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Some(name) = args.positional().get(1) {
        keep(me, "name", name.clone());
    }
    keep_keywords(vm, me, args)
}

fn receiver(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let is_kept = data(me).is_some_and(|it| it.extra.borrow().iter().any(|(name, _)| *name == "receiver"));
    if is_kept {
        Ok(extra(me, "receiver"))
    } else {
        Err(vm.raise("ArgumentError", "no receiver is available"))
    }
}

fn status(me: &Value) -> i64 {
    match extra(me, "status") {
        Value::Int(status) => status,
        _ => 0,
    }
}

/// `SystemExit.new(status = true, message = "exit")`
fn exit_initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (status, rest) = match args.positional() {
        [Value::Int(status), rest @ ..] => (*status, rest),
        [Value::Bool(is_good), rest @ ..] => (i64::from(!is_good), rest),
        rest => (0, rest),
    };
    keep(me, "status", Value::Int(status));
    let message = rest.first().cloned().unwrap_or_else(|| vm.str("exit"));
    initialize(vm, me, &Args::of(&[message]))
}

fn errno(vm: &mut Vm<'_>, me: &Value) -> Option<&'static (&'static str, i64, &'static str)> {
    let class = vm.class_of(me);
    let names: Vec<_> = vm.ancestors(&class).iter().map(|one| one.shown()).collect();
    ERRNOS.iter().find(|(name, ..)| names.iter().any(|shown| shown.strip_prefix("Errno::") == Some(name)))
}

/// The words of the system stand before those that are given.
fn errno_initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let words = errno(vm, me).map_or("unknown error", |(.., words)| words);
    let message = match args.get(0) {
        Some(given) if !given.is_nil() => format!("{words} - {}", vm.to_text(given)?),
        _ => words.to_owned(),
    };
    let message = vm.str(message);
    initialize(vm, me, &Args::of(&[message]))
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
        let shown = if class == "RuntimeError" { "unhandled exception".into() } else { class };
        return Ok(vm.str(shown));
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
        return Ok(vm.str(format!("#<{class}:{shown}>")));
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
