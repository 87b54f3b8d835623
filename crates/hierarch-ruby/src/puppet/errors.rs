//! Puppet's classes of errors: some know a file and a line.

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, ExceptionData, Res, Vm};
use crate::value::{Sym, Value};

/// All of them.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec::error("Puppet::Error", "RuntimeError"),
    &ClassSpec { methods: &[PLACED], ..ClassSpec::error("Puppet::ParseError", "Puppet::Error") },
    &ClassSpec::error("Puppet::ParseErrorWithIssue", "Puppet::ParseError"),
    &ClassSpec::error("Puppet::PreformattedError", "Puppet::ParseErrorWithIssue"),
    &ClassSpec::error("Puppet::DevError", "Puppet::Error"),
    &ClassSpec { methods: &[PLACED], ..ClassSpec::error("Puppet::ResourceError", "Puppet::Error") },
    &ClassSpec::error("Puppet::DataBinding::LookupError", "Puppet::PreformattedError"),
    &ClassSpec::error("Puppet::DataBinding::RecursiveLookupError", "Puppet::DataBinding::LookupError"),
];

static PLACED: &[Builtin] = &[
    m("initialize", 0, 6, initialize).private(),
    m("file", 0, 0, |vm, me, _| vm.ivar(me, Sym::of("@file"))),
    m("line", 0, 0, |vm, me, _| vm.ivar(me, Sym::of("@line"))),
    m("pos", 0, 0, |vm, me, _| vm.ivar(me, Sym::of("@pos"))),
    m("basic_message", 0, 0, |_, me, _| Ok(words(me))),
    m("to_s", 0, 0, to_s),
];

/// Message, file, line, column, and what some say besides.
fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let message = args.at(0);
    let data = ExceptionData::default();
    *data.message.borrow_mut() = message;
    if let Some(object) = me.as_object() {
        object.set_payload(data);
    }
    for (index, name) in ["@file", "@line", "@pos"].into_iter().enumerate() {
        vm.set_ivar(me, Sym::of(name), args.at(index + 1))?;
    }
    Ok(Value::Nil)
}

fn words(me: &Value) -> Value {
    me.payload::<ExceptionData>().map(|data| data.message.borrow().clone()).unwrap_or_default()
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let message = words(me);
    let message = if message.is_nil() { vm.class_name(me) } else { vm.to_s(&message)? };
    let mut parts = Vec::new();
    for (name, label) in [("@file", "file"), ("@line", "line"), ("@pos", "column")] {
        let value = vm.ivar(me, Sym::of(name))?;
        if !value.is_nil() {
            parts.push(format!("{label}: {}", vm.to_s(&value)?));
        }
    }
    let place = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    Ok(vm.str(format!("{message}{place}")))
}
