//! Functions of modules that are written in Ruby.

use std::path::Path;
use std::sync::Arc;

use hierarch_eval::function::{Call, ForeignInterface, ForeignSignature, ForeignSource, Language};
use hierarch_eval::issues::MISSING_FEATURE;
use hierarch_eval::{Result, Unwind};
use hierarch_pcore::Value;
use hierarch_ruby::Vm;
use hierarch_ruby::puppet::functions::RAISED;
use hierarch_ruby::puppet::{PuppetBlock, Shape};
use hierarch_ruby::run::Flow;
use hierarch_ruby::syntax::tree::Program;

use super::programs::Programs;
use super::{helper, host, outside, with_vm, with_vm_and};
use crate::issues;

/// Ruby as a language of functions.
pub(crate) static RUBY: Ruby = Ruby;

/// Ruby as a language of functions.
pub(crate) struct Ruby;

impl Language for Ruby {
    fn load(&self, call: &mut Call, source: &ForeignSource) -> Result<ForeignInterface> {
        let declared = load(call, source);
        let key = source.file.to_string_lossy();
        match declared.as_ref().err().and_then(|unwind| helper::takes_over(call, &key, unwind)) {
            Some(_) => {
                let text = read(call, &source.file)?;
                helper::load(call, source, &text)
            }
            None => declared,
        }
    }

    fn run(&self, call: &mut Call, source: &ForeignSource, signature: usize) -> Result<Value> {
        let arguments = call.take_all();
        if call.helper_source().is_none() {
            return run(call, source, signature, &arguments);
        }
        let key = source.file.to_string_lossy();
        if let Some(reason) = helper::reason(call, &key) {
            let text = read(call, &source.file)?;
            return helper::run(call, source, signature, (&text, &arguments), &reason);
        }
        let result = run(call, source, signature, &arguments);
        match result.as_ref().err().and_then(|unwind| helper::takes_over(call, &key, unwind)) {
            Some(reason) => {
                let text = read(call, &source.file)?;
                helper::run(call, source, signature, (&text, &arguments), &reason)
            }
            None => result,
        }
    }
}

/// Runs the file of a function here.
fn load(call: &mut Call, source: &ForeignSource) -> Result<ForeignInterface> {
    let program = program(call, source)?;
    let name = source.name.to_string();
    if source.is_old {
        let arity = with_vm(call, |vm| vm.load_old_function(&name, &program), left)?;
        return Ok(ForeignInterface::Old(arity));
    }
    let shapes = with_vm(call, |vm| vm.load_function(&name, &program), left)?;
    Ok(ForeignInterface::Typed(shapes.into_iter().map(signature).collect()))
}

/// Calls a function here.
fn run(call: &mut Call, source: &ForeignSource, signature: usize, arguments: &[Value]) -> Result<Value> {
    let name = source.name.to_string();
    if source.is_old {
        return with_vm(call, |vm| vm.call_old(&name, arguments), left);
    }
    let block = call.block();
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let lambda = block.map(|block| PuppetBlock { number, parameters: block.parameters() });
    let blocks = block.map(|block| (number, block)).into_iter().collect();
    with_vm_and(call, blocks, |vm| vm.call_loaded(&name, signature, arguments, lambda), left)
}
/// Lambdas are numbered, so that Ruby can name them.
static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);

/// Reads the file of a function, which has to look like one.
fn program(call: &mut Call, source: &ForeignSource) -> Result<Arc<Program>> {
    let text = read(call, &source.file)?;
    let file = source.file.display().to_string();
    let (is_one, words): (bool, fn(&str) -> String) = if source.is_old {
        (text.contains("Puppet::Parser::Functions") && text.contains("newfunction"), issues::no_newfunction)
    } else {
        (text.contains("Puppet::Functions.create_function"), issues::no_create_function)
    };
    if !is_one {
        return Err(issues::argument(words(&file)).into());
    }
    let program = call.shared::<Programs>().file(&text, &file);
    Ok(program.map_err(|error| issues::ruby_syntax(&file, &error))?)
}

pub(super) fn read(call: &Call, file: &Path) -> Result<String> {
    let bytes = call.files().read(file);
    let bytes = bytes.map_err(|error| issues::argument(format!("{}: {error}", file.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn signature(shape: Shape) -> ForeignSignature {
    ForeignSignature {
        label: shape.method,
        parameters: shape.parameters,
        returns: shape.returns,
        is_mismatch: shape.is_mismatch,
        aliases: shape.aliases,
    }
}

/// Says what ended a function.
fn left(vm: &mut Vm, flow: Flow) -> Unwind {
    let exception = match flow {
        Flow::Raise(exception) => exception,
        Flow::Puppet(jump) => return host::unwind(jump),
        other => return outside(vm, other).into(),
    };
    if let Some(error) = vm.passed(&exception) {
        return error.into();
    }
    let is_lookup = vm.is_a(&exception, "Puppet::DataBinding::LookupError");
    // What names a place of its own needs no other.
    let has_place = vm.is_a(&exception, "Puppet::Error")
        && vm.ivar(&exception, hierarch_ruby::value::Sym::of("@file")).is_ok_and(|file| !file.is_nil());
    let is_standard = vm.is_a(&exception, "StandardError");
    let is_missing = vm.is_a(&exception, "LoadError");
    let place = vm.raised_at(&exception);
    let error = match vm.left_with(exception) {
        Ok((message, number)) => match message {
            message if is_lookup => issues::lookup_error(message),
            message if !is_standard || has_place => issues::ruby_exception(&message),
            message => issues::ruby_error(&message),
        }
        .detail(RAISED, number.to_string()),
        Err(flow) => outside(vm, *flow),
    };
    let error = if is_missing { error.detail(MISSING_FEATURE, "") } else { error };
    match place {
        Some(place) => error.note(issues::raised_at(&place)).into(),
        None => error.into(),
    }
}
