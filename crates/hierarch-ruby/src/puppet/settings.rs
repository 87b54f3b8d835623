//! `Puppet` itself: its version, its settings, and what it finds by name.

use std::rc::Rc;

use hierarch_pcore::Value as Pcore;
use hierarch_pcore::infer;
use hierarch_pcore::mismatch::describe_value;

use crate::core::{Builtin, ClassSpec, m};
use crate::issues;
use crate::run::{Args, Form, Level, Res, Vm};
use crate::value::convert::Foreign;
use crate::value::{Object, Value};

/// The release that Hierarch answers for.
const VERSION: &str = "8.10.0";

/// Settings and features as objects.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec { methods: &[&[m("[]", 1, 1, setting)]], ..ClassSpec::class("Puppet::Settings") },
    &ClassSpec { methods: &[FEATURES], ..ClassSpec::class("Puppet::Util::Feature") },
    &ClassSpec { methods: &[RUN_MODE], ..ClassSpec::class("Puppet::Util::RunMode") },
];

/// Methods of `Puppet`.
pub(super) static METHODS: &[Builtin] = &[
    m("version", 0, 0, |vm, _, _| Ok(vm.str(VERSION))).gives(&["Puppet.version.split('.')[0] => \"8\""]),
    m("[]", 1, 1, setting).gives(&["Puppet[:strict] => :error"]),
    m("settings", 0, 0, |vm, _, _| Ok(object(vm, "Puppet::Settings"))),
    m("features", 0, 0, |vm, _, _| Ok(object(vm, "Puppet::Util::Feature"))),
    m("run_mode", 0, 0, |vm, _, _| Ok(object(vm, "Puppet::Util::RunMode"))),
    m("lookup", 1, 1, lookup),
    m("warn_once", 3, -1, |vm, _, args| {
        let message = vm.to_s(&args.at(2))?;
        if vm.modules.warned.insert(message.to_string()) {
            vm.host.log(Level::Warning, format!("{message}\n   (file & line not available)"));
        }
        Ok(Value::Nil)
    }),
    m("log_exception", 1, 3, |vm, _, args| {
        let message = match args.get(1) {
            Some(Value::Str(text)) => text.lossy(),
            _ => vm.message_of(&args.at(0))?,
        };
        vm.host.log(Level::Err, message.to_string());
        Ok(Value::Nil)
    }),
];

/// Messages are not translated.
pub(crate) static GETTEXT: &[Builtin] = &[
    m("_", 1, 1, |_, _, args| Ok(args.at(0))).private().gives(&["_('x') => \"x\""]),
    m("n_", 3, 3, |vm, _, args| {
        let count = args.int(vm, 2)?;
        Ok(args.at(usize::from(count != 1)))
    })
    .private()
    .gives(&["n_('one', 'many', 2) => \"many\""]),
];

/// Constants of `Puppet`.
pub(super) static CONSTANTS: &[(&str, fn(&mut Vm<'_>) -> Res)] =
    &[("PUPPETVERSION", |vm| Ok(vm.str(VERSION)))];

/// Every feature may be asked for by its name; those that nobody knows are not there.
static FEATURES: &[Builtin] = &[
    m("method_missing", 1, -1, |vm, me, args| {
        let name = vm.to_s(&args.at(0))?;
        match name.strip_suffix('?') {
            Some(feature) => Ok(PRESENT.contains(&feature).into()),
            None => {
                let name = vm.intern(&name)?;
                Err(vm.no_method(me, name, Form::Explicit))
            }
        }
    }),
    m("respond_to?", 1, 2, |vm, _, args| {
        let name = vm.to_s(&args.at(0))?;
        Ok(name.strip_suffix('?').is_some_and(|feature| PRESENT.contains(&feature)).into())
    }),
];

/// The features of a server of Puppet's as its packages make it.
const PRESENT: &[&str] = &[
    "augeas",
    "hiera_eyaml",
    "hocon",
    "manages_symlinks",
    "openssl",
    "posix",
    "root",
    "syslog",
    "telnet",
    "zlib",
];

static RUN_MODE: &[Builtin] =
    &[m("name", 0, 0, |_, _, _| Ok(Value::symbol("user"))), m("server?", 0, 0, |_, _, _| Ok(false.into()))];

/// What the parts that are written in Ruby ask for.
pub(super) static HOST_CALLS: &[Builtin] = &[
    m("module_folder", 1, 1, |vm, _, args| {
        let name = vm.to_s(&args.at(0))?;
        let folder = vm.puppet("Puppet::Module.find", |puppet| puppet.module_folder(&name))?;
        Ok(folder.map_or(Value::Nil, |folder| vm.str(folder.display().to_string())))
    }),
    m("find_in_module", 2, 2, |vm, _, args| {
        let (folder, path) = (vm.to_s(&args.at(0))?, vm.to_s(&args.at(1))?);
        let found = vm.puppet("Puppet::Parser::Files", |puppet| puppet.find_in_module(&folder, &path))?;
        Ok(found.map_or(Value::Nil, |file| vm.str(file.display().to_string())))
    }),
    m("fact", 1, 1, |vm, _, args| {
        let facts = vm.puppet("Facter", |puppet| puppet.variable("::facts"))?.unwrap_or_default();
        let value = match (args.at(0), facts.as_hash()) {
            (Value::Nil, _) => facts,
            (name, Some(hash)) => hash.get_str(&vm.to_s(&name)?).cloned().unwrap_or_default(),
            (_, None) => Pcore::Undef,
        };
        vm.from_puppet(&value)
    }),
    m("infer", 2, 2, |vm, _, args| {
        let value = vm.to_puppet(&args.at(0))?;
        let type_ = if args.at(1).truthy() { infer::detailed(&value) } else { infer::reduced(&value) };
        vm.from_puppet(&type_.into())
    }),
    m("mismatch", 3, 3, |vm, _, args| {
        let (subject, value) = (vm.to_s(&args.at(0))?, vm.to_puppet(&args.at(2))?);
        let type_ = args.at(1).payload::<Foreign>().map(|foreign| foreign.0.clone());
        let Some(Pcore::Type(type_)) = type_ else { return Ok(Value::Nil) };
        Ok(vm.str(describe_value(&format!("{subject} has wrong type,"), &type_, &value)))
    }),
];

fn object(vm: &mut Vm<'_>, class: &'static str) -> Value {
    Value::Object(Rc::new(Object::new(vm.class(class))))
}

/// Those with few values are symbols; what is not a setting is nil.
fn setting(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let name = vm.to_s(&args.at(0))?;
    let known = vm.host.puppet().and_then(|puppet| puppet.setting(&name));
    match (name.as_str(), known) {
        ("strict", Some(value)) => Ok(Value::Sym(vm.intern(&value.to_string())?)),
        ("strict", None) => Ok(Value::symbol("error")),
        (_, Some(value)) => vm.from_puppet(&value),
        (_, None) => Ok(Value::Nil),
    }
}

/// `Puppet.lookup(:current_environment)`
fn lookup(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let name = vm.to_s(&args.at(0))?;
    match name.as_str() {
        "current_environment" | "root_environment" => Ok(object(vm, "Puppet::Node::Environment")),
        _ => match &args.block {
            Some(block) => vm.call_block(block, &[]),
            None => Err(vm.raise("Puppet::Error", issues::no_binding(&name))),
        },
    }
}
