//! Ruby of modules: how templates and functions that are written in it are run within a compilation.

mod functions;
mod host;
mod programs;

use std::path::Path;
use std::sync::Arc;

use hierarch_eval::function::{Block, Call};
use hierarch_eval::{Result, Unwind};
use hierarch_pcore::Value;
use hierarch_ruby::run::Flow;
use hierarch_ruby::{Limits, Ruby, Vm};

use crate::issues;
pub(crate) use functions::RUBY;
use host::CallHost;
use programs::Programs;

/// A template: its text, and what errors call it.
pub(crate) struct Template<'t> {
    /// Its text.
    pub(crate) text: &'t str,
    /// The name it was asked for by; none for a text.
    pub(crate) name: Option<&'t str>,
    /// The file it is in.
    pub(crate) file: Option<&'t Path>,
}

impl Template<'_> {
    /// Runs it; it sees what the call sees.
    pub(crate) fn render(&self, call: &mut Call) -> Result<Value> {
        let file = self.file.map(|file| file.display().to_string());
        let shown = file.as_deref().unwrap_or("(erb)");
        let program = call
            .shared::<Programs>()
            .template(self.text, shown)
            .map_err(|error| issues::ruby_syntax(shown, &error))?;
        let variables: Vec<_> =
            call.visible_variables().into_iter().filter(|(name, _)| program.mentions(name)).collect();
        with_vm(
            call,
            |vm| {
                let wrapper = vm.template_wrapper(file.as_deref(), &variables)?;
                let value = vm.run_in_wrapper(&Arc::clone(&program.code), wrapper)?;
                vm.to_s(&value)
            },
            |vm, flow| self.failure(vm, flow).into(),
        )
        .map(Value::from)
    }

    /// Says what went wrong as Puppet does: errors of scripts are wrapped with their place, others are not.
    fn failure(&self, vm: &mut Vm, flow: Flow) -> hierarch_source::Error {
        let exception = match flow {
            Flow::Raise(exception) => exception,
            other => return outside(vm, other),
        };
        let message = vm.message_of(&exception).unwrap_or_default();
        if !vm.is_a(&exception, "StandardError") {
            return issues::ruby_error(&message);
        }
        match (self.name, vm.raised_at(&exception)) {
            (Some(name), place) => {
                // Puppet cuts the line of the backtrace at its colons, so `<internal:kernel>` falls apart.
                let shown = place.map(|place| place.shown()).unwrap_or_default();
                let mut parts = shown.split(':');
                let (file, line) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                issues::template_failed(name, file, line, &message)
            }
            (None, _) => issues::inline_template_failed(&message),
        }
    }
}

/// Returns the error of what is not an exception.
fn outside(_: &mut Vm, flow: Flow) -> hierarch_source::Error {
    match flow {
        Flow::Stop(error) => *error,
        Flow::Throw(..) => issues::ruby_error("uncaught throw"),
        _ => issues::ruby_error("unexpected return"),
    }
}

/// Runs Ruby within a call; what it defined before in this compilation is there.
fn with_vm<T>(
    call: &mut Call,
    run: impl FnOnce(&mut Vm) -> std::result::Result<T, Box<Flow>>,
    failure: impl FnOnce(&mut Vm, Flow) -> Unwind,
) -> Result<T> {
    with_vm_and(call, Vec::new(), run, failure)
}

/// Runs Ruby that may call some lambdas.
fn with_vm_and<T>(
    call: &mut Call,
    blocks: Vec<(u64, Block)>,
    run: impl FnOnce(&mut Vm) -> std::result::Result<T, Box<Flow>>,
    failure: impl FnOnce(&mut Vm, Flow) -> Unwind,
) -> Result<T> {
    let ruby = take_ruby(call);
    let mut host = CallHost::new(call, blocks);
    let mut vm = Vm::new(ruby, &mut host);
    let result = run(&mut vm).map_err(|flow| failure(&mut vm, *flow));
    let ruby = vm.into_ruby();
    keep_ruby(call, ruby);
    result
}

/// Takes the Ruby of this compilation, or makes one.
fn take_ruby(call: &mut Call) -> Box<Ruby> {
    let kept = call.kept().take().and_then(|kept| kept.downcast::<Ruby>().ok());
    kept.unwrap_or_else(|| {
        let limits = call.limits();
        let usual = Limits::default();
        Box::new(Ruby::new(Limits { steps: limits.steps.min(usual.steps), size: limits.size, ..usual }))
    })
}

fn keep_ruby(call: &mut Call, ruby: Box<Ruby>) {
    *call.kept() = Some(ruby);
}
