//! `Puppet::LookupContext`: what Hiera backends ask about the lookup that they are called for.

use std::path::Path;

use hierarch_pcore::Value as Pcore;

use super::Jump;
use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Flow, Res, Vm};
use crate::value::convert::Foreign;
use crate::value::hash::Entries;
use crate::value::{Sym, Value};

/// The context.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec::module("Puppet::Pops::Lookup"),
    &ClassSpec { methods: &[METHODS], ..ClassSpec::class("Puppet::Pops::Lookup::Context") },
];

static METHODS: &[Builtin] = &[
    m("not_found", 0, 0, |_, _, _| Err(Box::new(Flow::Puppet(Jump::NotFound)))),
    m("interpolate", 1, 1, interpolate),
    m("explain", 0, 0, explain),
    m("environment_name", 0, 0, |vm, _, _| {
        let name = vm.puppet("Context#environment_name", |puppet| puppet.variable("environment"))?;
        let name = name.unwrap_or_default().to_string();
        Ok(Value::Sym(vm.intern(&name)?))
    }),
    m("module_name", 0, 0, |vm, me, _| {
        let context = of(me);
        let name = vm.puppet("Context#module_name", |puppet| puppet.context_module(&context))?;
        Ok(name.map_or(Value::Nil, |name| vm.str(name)))
    }),
    m("cache", 2, 2, |vm, me, args| {
        let cache = cache(vm, me)?;
        vm.send(&cache, Sym::of("[]="), &args.list)?;
        Ok(args.at(1))
    }),
    m("cache_all", 1, 1, |vm, me, args| {
        let cache = cache(vm, me)?;
        vm.send(&cache, Sym::of("merge!"), &args.list)?;
        Ok(Value::Nil)
    }),
    m("cache_has_key", 1, 1, |vm, me, args| {
        let cache = cache(vm, me)?;
        vm.send(&cache, Sym::of("include?"), &args.list)
    }),
    m("cached_value", 1, 1, |vm, me, args| {
        let cache = cache(vm, me)?;
        vm.send(&cache, Sym::of("[]"), &args.list)
    }),
    m("cached_entries", 0, 0, cached_entries),
    m("cached_file_data", 1, 1, cached_file_data),
    m("all_cached", 0, 0, |vm, me, _| cache(vm, me)).private(),
];

fn of(context: &Value) -> Pcore {
    context.payload::<Foreign>().map(|foreign| foreign.0.clone()).unwrap_or_default()
}

/// Returns what is remembered at this place of the hierarchy.
fn cache(vm: &mut Vm<'_>, me: &Value) -> Res {
    let context = of(me);
    let place = vm.puppet("Context#cache", |puppet| puppet.context_place(&context))?;
    if let Some(known) = vm.modules.caches.get(&place) {
        return Ok(known.clone());
    }
    let cache = vm.hash_of(Entries::default());
    vm.modules.caches.insert(place, cache.clone());
    Ok(cache)
}

fn interpolate(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let context = of(me);
    let value = vm.to_puppet(&args.at(0))?;
    let filled =
        vm.lend(|host, ruby| host.puppet().map(|puppet| puppet.context_interpolate(ruby, &context, value)));
    match filled {
        None => Err(vm.unsupported("Context#interpolate")),
        Some(Ok(value)) => vm.from_puppet(&value),
        Some(Err(interrupt)) => Err(vm.interrupted("", interrupt)),
    }
}

/// The block is called only if the lookup is explained.
fn explain(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let context = of(me);
    if !vm.puppet("Context#explain", |puppet| puppet.context_explains(&context))? {
        return Ok(Value::Nil);
    }
    let block = args.block(vm)?;
    let text = vm.call_block(&block, &[])?;
    let text = vm.to_s(&text)?.to_string();
    vm.puppet("Context#explain", |puppet| puppet.context_explain(&context, text))?;
    Ok(Value::Nil)
}

fn cached_entries(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let cache = cache(vm, me)?;
    let Some(block) = &args.block else { return vm.send(&cache, Sym::of("each_pair"), &[]) };
    let pairs = cache.as_hash().map(|hash| hash.pairs()).unwrap_or_default();
    for (key, value) in pairs {
        vm.step()?;
        if block_takes_two(vm, block)? {
            vm.call_block(block, &[key, value])?;
        } else {
            let pair = vm.pair(key, value);
            vm.call_block(block, &[pair])?;
        }
    }
    Ok(Value::Nil)
}

fn block_takes_two(vm: &mut Vm<'_>, block: &std::rc::Rc<crate::value::Proc>) -> Res<bool> {
    let arity = vm.send(&Value::Proc(std::rc::Rc::clone(block)), Sym::of("arity"), &[])?;
    Ok(matches!(arity, Value::Int(2)))
}

/// What a block makes of a file is remembered until the file changes.
fn cached_file_data(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let path = args.text(vm, 0)?.to_string();
    vm.check_read(&path)?;
    let stamp = vm.host.files().and_then(|files| files.stamp(Path::new(&path)));
    if let Some((_, known)) = vm.modules.files.get(&path).filter(|(known, _)| *known == stamp) {
        return Ok(known.clone());
    }
    let read = vm.host.files().map(|files| files.read(Path::new(&path)));
    let Some(Ok(bytes)) = read else {
        let words = format!("No such file or directory @ rb_sysopen - {path}");
        return Err(vm.raise("Errno::ENOENT", words));
    };
    let text = vm.str(String::from_utf8_lossy(&bytes).into_owned());
    let data = match &args.block {
        Some(block) => vm.call_block(block, &[text])?,
        None => text,
    };
    vm.modules.files.insert(path, (stamp, data.clone()));
    Ok(data)
}
