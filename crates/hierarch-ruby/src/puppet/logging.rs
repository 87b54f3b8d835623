//! Log messages: `Puppet.warning("x")`, `warning("x")` in a template.

use crate::core::{Builtin, m};
use crate::run::{Args, Level, Res, Vm};
use crate::value::Value;

/// One method per level, and what counts as one.
pub(super) static METHODS: &[Builtin] = &[
    m("debug", 0, -1, |vm, _, args| log(vm, Level::Debug, args)),
    m("info", 0, -1, |vm, _, args| log(vm, Level::Info, args)),
    m("notice", 0, -1, |vm, _, args| log(vm, Level::Notice, args)),
    m("warning", 0, -1, |vm, _, args| log(vm, Level::Warning, args)),
    m("err", 0, -1, |vm, _, args| log(vm, Level::Err, args)),
    m("alert", 0, -1, |vm, _, args| log(vm, Level::Alert, args)),
    m("emerg", 0, -1, |vm, _, args| log(vm, Level::Emerg, args)),
    m("crit", 0, -1, |vm, _, args| log(vm, Level::Crit, args)),
    m("deprecation_warning", 1, -1, deprecation),
];

fn log(vm: &mut Vm<'_>, level: Level, args: &Args) -> Res {
    let mut words = Vec::new();
    if let Some(block) = &args.block {
        let message = vm.call_block(block, &[])?;
        words.push(vm.to_s(&message)?);
    }
    for word in args.positional() {
        words.push(vm.to_s(word)?);
    }
    vm.host.log(level, words.join(" "));
    Ok(Value::Nil)
}

/// A warning that says where it comes from, once for each place.
fn deprecation(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let message = vm.to_s(&args.at(0))?;
    let place = vm.places().first().map(crate::run::Place::shown);
    let message = match place {
        Some(place) => format!("{message}\n   (location: {place})"),
        None => message.to_string(),
    };
    if vm.modules.warned.insert(message.clone()) {
        vm.host.log(Level::Warning, message);
    }
    Ok(Value::Nil)
}
