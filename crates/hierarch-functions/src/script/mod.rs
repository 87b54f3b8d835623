//! Ruby of modules: how templates and functions that are written in it are run within a compilation.

mod functions;
mod helper;
mod host;
mod programs;

use std::sync::Arc;

use hierarch_eval::function::{Block, Call};
use hierarch_eval::issues::MISSING_FEATURE;
use hierarch_eval::{Result, Unwind};
use hierarch_pcore::Value;
use hierarch_ruby::puppet::wrapper::instance_variable;
use hierarch_ruby::run::Flow;
use hierarch_ruby::value::Sym;
use hierarch_ruby::{Ruby, ScriptLimits, Vm};
use hierarch_source::{Error, Source};

use crate::issues;
pub(crate) use functions::RUBY;
use host::CallHost;
use programs::{FileTemplate, Programs, ScriptProgram};

/// Why a text is not Ruby: what is wrong, and in which line.
pub use hierarch_ruby::syntax::Syntax as UnreadableRuby;

/// Says what is wrong with a text that should be Ruby; nothing if it can be run.
pub fn unreadable_ruby(text: &str, file: &str) -> Option<UnreadableRuby> {
    hierarch_ruby::syntax::parse(text, file).err()
}

/// A template: its text, and what errors call it.
pub(crate) struct Template<'t> {
    /// Its program.
    program: Arc<ScriptProgram>,
    /// The name it was asked for by; none for a text.
    name: Option<&'t str>,
    /// The file it is in.
    file: Option<&'t str>,
    /// Its text; none for one in a file, which is read again if a helper needs it.
    text: Option<&'t str>,
}

/// Renders the template in a file; it sees what the call sees.
pub(crate) fn render_file(call: &mut Call, name: &str) -> Result<Value> {
    let programs = call.shared::<Programs>();
    let found = programs.named(name, |programs| read_template(call, programs, name))?;
    let program = Arc::clone(&found.program);
    let template = Template { program, name: Some(name), file: Some(&found.path), text: None };
    template.render(call)
}

/// Renders a template given as text.
pub(crate) fn render_text(call: &mut Call, text: &str) -> Result<Value> {
    let program = program_of(&call.shared::<Programs>(), text, "(erb)")?;
    Template { program, name: None, file: None, text: Some(text) }.render(call)
}

fn read_template(call: &Call, programs: &Programs, name: &str) -> std::result::Result<FileTemplate, Error> {
    let Some(path) = call.find_in_module("templates", name) else {
        return Err(if name.starts_with('/') {
            issues::no_template_file(name)
        } else {
            issues::no_template(name)
        });
    };
    let bytes = call.files().read(&path).map_err(|error| issues::template_unreadable(name, &path, &error))?;
    let path = path.display().to_string();
    let source = Source::from_bytes(path.as_str(), bytes)?;
    Ok(FileTemplate { program: program_of(programs, source.text(), &path)?, path })
}

fn program_of(
    programs: &Programs,
    text: &str,
    shown: &str,
) -> std::result::Result<Arc<ScriptProgram>, Error> {
    programs.template(text, shown).map_err(|error| issues::ruby_syntax(shown, &error))
}

impl Template<'_> {
    /// Runs it, here if it can; it sees what the call sees.
    fn render(&self, call: &mut Call) -> Result<Value> {
        let Some(key) = self.file.or(self.text).filter(|_| call.helper_source().is_some()) else {
            return self.render_here(call);
        };
        if let Some(reason) = helper::reason(call, key) {
            return self.render_there(call, &reason);
        }
        let rendered = self.render_here(call);
        match rendered.as_ref().err().and_then(|unwind| helper::takes_over(call, key, unwind)) {
            Some(reason) => self.render_there(call, &reason),
            None => rendered,
        }
    }

    /// Has a real Ruby run it.
    fn render_there(&self, call: &mut Call, reason: &str) -> Result<Value> {
        let read = match (self.text, self.file) {
            (Some(text), _) => text.to_owned(),
            (None, file) => functions::read(call, std::path::Path::new(file.unwrap_or_default()))?,
        };
        let text = read.strip_prefix('\u{feff}').unwrap_or(&read);
        match helper::render(call, text, self.file, reason)? {
            helper::JobEnd::Value(value) => Ok(value),
            helper::JobEnd::Failure(failure) if !failure.is_standard => {
                Err(issues::ruby_error(&failure.message).into())
            }
            helper::JobEnd::Failure(failure) => Err(match self.name {
                Some(name) => {
                    let (file, line) = (failure.file.unwrap_or_default(), failure.line.unwrap_or_default());
                    issues::template_failed(name, &file, &line, &failure.message)
                }
                None => issues::inline_template_failed(&failure.message),
            }
            .into()),
        }
    }

    /// Runs it here.
    fn render_here(&self, call: &mut Call) -> Result<Value> {
        let variables = self.variables(call);
        with_vm(
            call,
            |vm| {
                let wrapper = vm.template_wrapper(self.file, variables)?;
                let value = vm.run_in_wrapper(&self.program.code, wrapper)?;
                vm.to_s(&value)
            },
            |vm, flow| self.failure(vm, flow).into(),
        )
        .map(Value::from)
    }

    /// Returns the variables that it can see.
    fn variables(&self, call: &mut Call) -> Vec<(Sym, Value)> {
        let all = |call: &Call| {
            let seen = call.visible_variables().into_iter();
            seen.map(|(name, value)| (instance_variable(&name), value)).collect()
        };
        let Some(names) = &self.program.mentioned else { return all(call) };
        let mut seen = Vec::with_capacity(names.len());
        for (name, variable) in names {
            match call.variable(name) {
                Some(Value::Undef) => {}
                Some(value) => seen.push((*variable, value)),
                // It may be that of a fact whose name has other characters.
                None if name.contains('_') => return all(call),
                None => {}
            }
        }
        seen
    }

    /// Says what went wrong as Puppet does: errors of scripts are wrapped with their place, others are not.
    fn failure(&self, vm: &mut Vm, flow: Flow) -> Error {
        let exception = match flow {
            Flow::Raise(exception) => exception,
            other => return outside(vm, other),
        };
        let message = vm.message_of(&exception).unwrap_or_default();
        if !vm.is_a(&exception, "StandardError") {
            let error = issues::ruby_error(&message);
            let is_missing = vm.is_a(&exception, "LoadError");
            return if is_missing { error.detail(MISSING_FEATURE, "") } else { error };
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
fn outside(_: &mut Vm, flow: Flow) -> Error {
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

/// What a run keeps for Ruby: that of our own, and a real one.
#[derive(Default)]
struct Session {
    ruby: Option<Box<Ruby>>,
    helper: helper::HelperState,
}

#[expect(clippy::unnecessary_box_returns, reason = "the box is put back as it is")]
fn take_session(call: &mut Call) -> Box<Session> {
    call.kept().take().and_then(|kept| kept.downcast::<Session>().ok()).unwrap_or_default()
}

fn keep_session(call: &mut Call, session: Box<Session>) {
    *call.kept() = Some(session);
}

/// Takes the Ruby of this compilation, or makes one.
fn take_ruby(call: &mut Call) -> Box<Ruby> {
    let mut session = take_session(call);
    let kept = session.ruby.take();
    keep_session(call, session);
    kept.unwrap_or_else(|| {
        let limits = call.limits();
        let usual = ScriptLimits::default();
        Box::new(Ruby::new(ScriptLimits { steps: limits.steps.min(usual.steps), size: limits.size, ..usual }))
    })
}

fn keep_ruby(call: &mut Call, ruby: Box<Ruby>) {
    let mut session = take_session(call);
    session.ruby = Some(ruby);
    keep_session(call, session);
}
