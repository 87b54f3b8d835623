//! `Puppet::Parser::Scope`: variables, functions and the catalog, as templates and old functions ask for them.

use std::rc::Rc;

use hierarch_pcore::Value as Pcore;

use super::types::capitalized;
use super::{Strictness, resource};
use crate::core::{Builtin, ClassSpec, m};
use crate::issues;
use crate::run::{Args, Form, Level, Res, Vm};
use crate::value::{Object, Payload, Sym, Value};

/// The scope, and what is reached through it.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec { methods: &[METHODS, super::logging::METHODS], ..ClassSpec::class("Puppet::Parser::Scope") },
    &ClassSpec { methods: &[CATALOG], ..ClassSpec::class("Puppet::Resource::Catalog") },
    &ClassSpec { methods: &[COMPILER], ..ClassSpec::class("Puppet::Parser::Compiler") },
    &ClassSpec { methods: &[ENVIRONMENT], ..ClassSpec::class("Puppet::Node::Environment") },
    &ClassSpec { methods: &[NODE], ..ClassSpec::class("Puppet::Node") },
    &ClassSpec { methods: &[FACTS], ..ClassSpec::class("Puppet::Node::Facts") },
];

static METHODS: &[Builtin] = &[
    m("lookupvar", 1, 2, lookup),
    m("[]", 1, 2, lookup),
    m("include?", 1, 1, |vm, me, args| {
        let value = variable(vm, me, args)?;
        Ok(value.is_some_and(|value| !value.is_undef()).into())
    }),
    m("exist?", 1, 1, |vm, me, args| Ok(variable(vm, me, args)?.is_some().into())),
    m("bound?", 1, 1, |vm, me, args| Ok(variable(vm, me, args)?.is_some().into())),
    m("to_hash", 0, 2, to_hash),
    m("setvar", 2, 3, set),
    m("[]=", 2, 3, set),
    m("call_function", 1, 2, call_function),
    m("catalog", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Resource::Catalog"))),
    m("compiler", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Parser::Compiler"))),
    m("environment", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Node::Environment"))),
    m("resource", 0, 0, |vm, _, _| {
        let shown = vm.puppet("Scope#resource", |puppet| puppet.resource())?;
        let name = shown.strip_suffix(']').and_then(|text| text.split_once('['));
        let attributes = match name {
            Some((kind, title)) => vm.puppet("Scope#resource", |puppet| puppet.find_resource(kind, title))?,
            None => None,
        };
        Ok(resource::of_text(vm, &shown, attributes.unwrap_or_default()))
    }),
    m("findresource", 1, 2, find_resource),
    m("find_global_scope", 0, 0, |vm, _, _| Ok(top(vm))),
    m("to_s", 0, 0, |vm, me, _| {
        let around = if me.payload::<Top>().is_some() {
            "Class[main]".to_owned()
        } else {
            vm.puppet("Scope#to_s", |puppet| puppet.resource())?
        };
        Ok(vm.str(format!("Scope({around})")))
    }),
    m("is_topscope?", 0, 0, |_, me, _| Ok(me.payload::<Top>().is_some().into())),
    m("equal?", 1, 1, |_, me, args| {
        let both_top = me.payload::<Top>().is_some() && args.at(0).payload::<Top>().is_some();
        Ok((both_top || me.is_same(&args.at(0))).into())
    }),
    m("respond_to_missing?", 1, 2, |vm, _, args| {
        let name = vm.to_s(&args.at(0))?;
        let name = name.strip_prefix("function_").unwrap_or_default();
        Ok((is_built_in(name) || vm.knows_old_function(name)?).into())
    }),
    m("method_missing", 1, -1, old_function),
];

static CATALOG: &[Builtin] = &[
    m("classes", 0, 0, |vm, _, _| {
        let names = vm.puppet("Catalog#classes", |puppet| puppet.classes())?;
        let names = names.into_iter().map(|name| vm.str(name)).collect();
        Ok(vm.array(names))
    }),
    m("tags", 0, 0, |vm, _, _| {
        let tags = vm.puppet("Catalog#tags", |puppet| puppet.all_tags())?;
        tag_set(vm, tags)
    }),
    m("name", 0, 0, node_name),
    m("environment", 0, 0, environment_name),
    m("resource", 1, 2, find_resource),
    m("resources", 0, 0, |vm, _, _| {
        let names = vm.puppet("Catalog#resources", |puppet| puppet.resources())?;
        let resources = names.into_iter().map(|(name, attributes)| resource::of_text(vm, &name, attributes));
        let resources = resources.collect();
        Ok(vm.array(resources))
    }),
];

static COMPILER: &[Builtin] = &[
    m("environment", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Node::Environment"))),
    m("node", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Node"))),
    m("catalog", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Resource::Catalog"))),
    m("topscope", 0, 0, |vm, _, _| Ok(top(vm))),
];

static ENVIRONMENT: &[Builtin] = &[
    m("name", 0, 0, |vm, me, args| {
        let name = environment_name(vm, me, args)?;
        let name = vm.to_s(&name)?;
        Ok(Value::Sym(vm.intern(&name)?))
    }),
    m("to_s", 0, 0, environment_name),
    m("module", 1, 1, |vm, _, args| {
        let name = vm.to_s(&args.at(0))?;
        let folder = vm.puppet("Environment#module", |puppet| puppet.module_folder(&name))?;
        match folder {
            Some(folder) => module(vm, &folder),
            None => Ok(Value::Nil),
        }
    }),
    m("modules", 0, 0, |vm, _, _| {
        let folders = vm.puppet("Environment#modules", |puppet| puppet.module_folders())?;
        let modules = folders.iter().map(|folder| module(vm, folder)).collect::<Res<Vec<_>>>()?;
        Ok(vm.array(modules))
    }),
    m("modulepath", 0, 0, modulepath),
    m("full_modulepath", 0, 0, modulepath),
];

/// Makes the set of tags.
pub(super) fn tag_set(vm: &mut Vm<'_>, tags: Vec<hierarch_pcore::Str>) -> Res {
    let object = Value::Class(vm.class("Object"));
    let path = vm.str("Puppet::Util::TagSet");
    let class = vm.send(&object, Sym::of("const_get"), &[path])?;
    let tags = tags.into_iter().map(|tag| vm.str(tag)).collect();
    let tags = vm.array(tags);
    vm.send(&class, Sym::of("new"), &[tags])
}

/// Makes the object of a module.
fn module(vm: &mut Vm<'_>, folder: &std::path::Path) -> Res {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (name, path) = (vm.str(name), vm.str(folder.display().to_string()));
    let puppet = Value::Class(vm.class("Puppet"));
    let class = vm.send(&puppet, Sym::of("const_get"), &[Value::symbol("Module")])?;
    vm.send(&class, Sym::of("new"), &[name, path, Value::Nil])
}

fn modulepath(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let path = vm.puppet("Environment#modulepath", |puppet| puppet.setting("modulepath"))?;
    let path = path.unwrap_or_default().to_string();
    let folders = path.split(':').filter(|folder| !folder.is_empty()).map(|folder| vm.str(folder)).collect();
    Ok(vm.array(folders))
}

static NODE: &[Builtin] = &[
    m("name", 0, 0, node_name),
    m("to_s", 0, 0, node_name),
    m("environment", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Node::Environment"))),
    m("facts", 0, 0, |vm, _, _| Ok(plain(vm, "Puppet::Node::Facts"))),
    m("parameters", 0, 0, facts),
    m("classes", 0, 0, |vm, _, _| Ok(vm.array(Vec::new()))),
];

static FACTS: &[Builtin] =
    &[m("values", 0, 0, facts), m("to_data_hash", 0, 0, facts), m("name", 0, 0, node_name)];

fn facts(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let facts = vm.puppet("Node#facts", |puppet| puppet.variable("::facts"))?;
    vm.from_puppet(&facts.unwrap_or_default())
}

/// Built-in functions that the old interface can call.
const OLD: &[&str] = &[
    "alert",
    "contain",
    "create_resources",
    "crit",
    "debug",
    "digest",
    "emerg",
    "err",
    "fail",
    "file",
    "fqdn_rand",
    "generate",
    "include",
    "info",
    "inline_template",
    "md5",
    "notice",
    "realize",
    "require",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "sprintf",
    "tag",
    "tagged",
    "template",
    "versioncmp",
    "warning",
];

/// Functions that are there for the old interface only to say that they are new.
const NEW_ONLY: &[&str] = &[
    "assert_type",
    "binary_file",
    "break",
    "defined",
    "dig",
    "each",
    "epp",
    "filter",
    "find_file",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "inline_epp",
    "lest",
    "lookup",
    "map",
    "match",
    "new",
    "next",
    "reduce",
    "regsubst",
    "return",
    "reverse_each",
    "slice",
    "split",
    "step",
    "strftime",
    "then",
    "type",
    "with",
];

/// Makes a scope: all of them are the one at hand.
pub(super) fn object(vm: &mut Vm<'_>) -> Value {
    plain(vm, "Puppet::Parser::Scope")
}

/// Makes the top scope.
pub(super) fn top(vm: &mut Vm<'_>) -> Value {
    Value::Object(Rc::new(Object::with(vm.class("Puppet::Parser::Scope"), Top)))
}

/// Marks the top scope.
struct Top;

impl Payload for Top {}

/// Tells whether the old interface can call a built-in function.
pub(super) fn is_old(name: &str) -> bool {
    OLD.contains(&name)
}

/// Tells whether Puppet has an old function of this name.
pub(super) fn is_built_in(name: &str) -> bool {
    OLD.contains(&name) || NEW_ONLY.contains(&name)
}

fn plain(vm: &mut Vm<'_>, class: &'static str) -> Value {
    Value::Object(Rc::new(Object::new(vm.class(class))))
}

fn variable(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res<Option<Pcore>> {
    let mut name = vm.to_s(&args.at(0))?.to_string();
    if me.payload::<Top>().is_some() && !name.starts_with("::") {
        name.insert_str(0, "::");
    }
    vm.puppet("Scope", |puppet| puppet.variable(&name))
}

/// Returns by what a variable that scripts set is remembered; those with other names are not.
fn remembered(vm: &mut Vm<'_>, me: &Value, name: &str) -> Res<(u32, String)> {
    let bare = name.strip_prefix("::");
    let is_top = bare.is_some() || me.payload::<Top>().is_some();
    let scope = vm.puppet("Scope", |puppet| puppet.scope_number())?;
    Ok((if is_top { 0 } else { scope }, bare.unwrap_or(name).to_owned()))
}

fn lookup(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if !matches!(args.at(0), Value::Str(_) | Value::Sym(_)) {
        let (shown, class) = (vm.inspect(&args.at(0))?, vm.class_name(&args.at(0)));
        let words = format!("Scope variable name {shown} is a {class}, not a string");
        return Err(vm.raise("Puppet::ParseError", words));
    }
    if !vm.modules.set.is_empty() {
        let name = vm.to_s(&args.at(0))?;
        let key = remembered(vm, me, &name)?;
        if let Some(value) = vm.modules.set.get(&key) {
            return Ok(value.clone());
        }
    }
    if let Some(value) = variable(vm, me, args)? {
        return vm.from_puppet(&value);
    }
    let name = vm.to_s(&args.at(0))?;
    let bare = name.strip_prefix("::").unwrap_or(&name);
    let (why, strictness) =
        vm.puppet("Scope#lookupvar", |puppet| (puppet.why_undefined(bare), puppet.strictness()))?;
    let words = issues::undefined_variable(&name, &why);
    match strictness {
        Strictness::Error => Err(vm.raise("ArgumentError", words)),
        Strictness::Warning => {
            vm.host.log(Level::Warning, words);
            Ok(Value::Nil)
        }
        Strictness::Off => Ok(Value::Nil),
    }
}

fn to_hash(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let variables = vm.puppet("Scope#to_hash", |puppet| puppet.variables())?;
    let mut entries = crate::value::hash::Entries::default();
    for (name, value) in variables {
        let name = vm.str(name);
        let value = vm.from_puppet(&value)?;
        entries.insert(vm.key(&name)?, value);
    }
    Ok(vm.hash_of(entries))
}

fn set(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut name = vm.to_s(&args.at(0))?.to_string();
    if me.payload::<Top>().is_some() && !name.starts_with("::") {
        name.insert_str(0, "::");
    }
    let value = vm.to_puppet(&args.at(1))?;
    let done = vm.puppet("Scope#setvar", |puppet| puppet.set_variable(&name, value))?;
    done.map_err(|error| vm.raise_puppet(error))?;
    let key = remembered(vm, me, &name)?;
    vm.modules.set.insert(key, args.at(1));
    Ok(args.at(1))
}

/// `call_function(name, arguments)`; what is not a list stands for one argument.
fn call_function(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let name = vm.to_s(&args.at(0))?;
    let arguments = match args.get(1) {
        None => Vec::new(),
        Some(Value::Array(list)) => list.to_vec(),
        Some(other) => vec![other.clone()],
    };
    if !vm.puppet("Scope#call_function", |puppet| puppet.has_function(&name))? {
        return Err(vm.raise("Puppet::ParseError", issues::unknown_function(&name)));
    }
    vm.call_puppet(&name, &arguments, args.block.as_ref())
}

/// `function_x([…])`
fn old_function(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let method = vm.to_s(&args.at(0))?;
    let Some(name) = method.strip_prefix("function_") else {
        return Err(vm.no_method(me, Sym::of(&method), Form::Explicit));
    };
    if NEW_ONLY.contains(&name) {
        return Err(vm.raise("Puppet::ParseError", issues::new_function_only(name)));
    }
    if !vm.knows_old_function(name)? {
        let shown = vm.inspect(me)?;
        return Err(vm.raise("NoMethodError", issues::no_old_function(&method, &shown)));
    }
    match args.get(1) {
        Some(Value::Array(list)) if args.len() == 2 && OLD.contains(&name) => {
            let arguments = list.to_vec();
            super::old_functions::check(vm, name, &arguments)?;
            let value = vm.call_puppet(name, &arguments, None)?;
            let words = issues::through_the_scope(name);
            let is_deprecated = matches!(name, "include" | "contain" | "require");
            if is_deprecated && vm.modules.warned.insert(words.clone()) {
                vm.host.log(Level::Warning, words);
            }
            Ok(value)
        }
        Some(Value::Array(list)) if args.len() == 2 => vm.call_real(name, list.to_vec()),
        _ => Err(vm.raise("ArgumentError", issues::arguments_in_a_list())),
    }
}

/// `findresource('File[/x]')`, or with type and title.
fn find_resource(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let first = vm.to_s(&args.at(0))?;
    let (kind, title) = match args.get(1) {
        Some(title) => (first.to_string(), vm.to_s(title)?.to_string()),
        None => match first.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((kind, title)) => (kind.to_owned(), title.to_owned()),
            None => return Err(vm.raise("ArgumentError", issues::no_title(&first))),
        },
    };
    let found = vm.puppet("Scope#findresource", |puppet| puppet.find_resource(&kind, &title))?;
    // As references are written: `Class[A::B]`, `File[/x]`.
    let kind = capitalized(&kind);
    let title = if kind == "Class" { capitalized(&title) } else { title };
    let shown = format!("{kind}[{title}]");
    Ok(found.map_or(Value::Nil, |attributes| resource::of_text(vm, &shown, attributes)))
}

fn node_name(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let name = vm.puppet("Node#name", |puppet| puppet.node())?;
    Ok(vm.str(name))
}

fn environment_name(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let name = vm.puppet("Environment#name", |puppet| puppet.variable("environment"))?;
    Ok(vm.str(name.unwrap_or_default().to_string()))
}
