//! `puts` and the like: what a script prints goes to the log, never into a template.

use super::super::prelude::*;
use crate::run::Level;

/// The table.
pub(super) static METHODS: &[Builtin] = &[
    m("puts", 0, -1, puts).private().gives(&["puts('x') => nil"]),
    m("print", 0, -1, puts).private(),
    m("p", 0, -1, p).private().gives(&["p(1) => 1"]),
    m("pp", 0, -1, p).private(),
    m("printf", 0, -1, puts).private(),
    m("warn", 0, -1, warn).private(),
    m("putc", 1, 1, |_, _, args| Ok(args.at(0))).private(),
];

/// The methods of `$stdout` and `$stderr`.
pub(super) static STREAM: &[Builtin] = &[
    m("puts", 0, -1, puts),
    m("print", 0, -1, puts),
    m("write", 0, -1, puts),
    m("printf", 0, -1, puts),
    m("<<", 1, 1, |vm, me, args| {
        puts(vm, me, args)?;
        Ok(me.clone())
    }),
    m("flush", 0, 0, |_, me, _| Ok(me.clone())),
    m("sync=", 1, 1, |_, _, args| Ok(args.at(0))),
    m("sync", 0, 0, |_, _, _| Ok(Value::Bool(true))),
    m("tty?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
];

/// Makes a stream.
pub(super) fn stream(vm: &mut Vm<'_>) -> Res {
    let class = vm.class("IO");
    Ok(Value::Object(Rc::new(Object::new(class))))
}

fn puts(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    for value in &args.list {
        let text = vm.to_s(value)?;
        vm.host.log(Level::Debug, text.to_string());
    }
    Ok(Value::Nil)
}

fn warn(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    for value in args.positional().to_vec() {
        let text = vm.to_s(&value)?;
        vm.host.log(Level::Warning, text.to_string());
    }
    Ok(Value::Nil)
}

fn p(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    for value in &args.list {
        let text = vm.inspect(value)?;
        vm.host.log(Level::Debug, text.to_string());
    }
    Ok(match args.list.as_slice() {
        [] => Value::Nil,
        [one] => one.clone(),
        many => vm.array(many.to_vec()),
    })
}
