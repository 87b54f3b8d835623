//! Jinja2 templates in data: native types as Ansible gives them, and the filters that reach back into expressions.
//!
//! `{{ 1 + 1 }}` is the number 2, `1{{ 2 }}` the number 12, and a text that is no Python literal stays a text.

mod ansible_tests;
mod bridge;
mod collections;
mod dates;
mod encoding;
mod failure;
mod header;
mod methods;
mod names;
mod numbers;
mod paths;
mod regexes;
mod scan;
mod series;
mod texts;
mod unfurl;
mod value;
mod versions;
mod yaml_text;

use std::borrow::Cow;
use std::io;

use hierarch_pcore::Value;
use hierarch_source::{Place, Result, Source, Span};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value as JinjaValue;
use minijinja::{Environment, ErrorKind, Output, State, UndefinedBehavior};

use self::bridge::Taint;
use self::names::Names;
use crate::expr::scope::Scope;
use crate::expr::world::World;
use crate::expr::{issues, python};

pub(crate) use self::encoding::pretty_json;
pub use self::encoding::{data_of, value_of};

/// The template engines of a world: with undefined names as errors, and without.
pub(crate) struct Engines {
    strict: Environment<'static>,
    lenient: Environment<'static>,
}

/// Renders a template found in data; the result has the type that its text looks like.
pub(crate) fn render(scope: &Scope, source: &str) -> Result<Value> {
    let taint = Taint::default();
    let value = match scope.world.nested(|| rendered(scope, source, &taint, Form::Native))? {
        Rendered { native: Some(value), .. } => value,
        Rendered { text, .. } => native(text),
    };
    Ok(taint.mark(value))
}

/// Returns the value that a text looks like. A text in quotes stays one, quotes included, as in Ansible.
fn native(text: String) -> Value {
    match python::literal(&text) {
        Some(Value::String(inside)) => {
            let quote = &text[..1];
            format!("{quote}{inside}{quote}").into()
        }
        Some(value) => value,
        None => text.into(),
    }
}

/// Renders a template as text.
pub(crate) fn render_text(scope: &Scope, source: &str) -> Result<Value> {
    let taint = Taint::default();
    let Rendered { text, .. } = rendered(scope, source, &taint, Form::Text)?;
    Ok(taint.mark(text.into()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Native,
    Text,
}

/// What a template gave: its text and, if it printed one thing and nothing else, that thing.
#[derive(Default)]
struct Rendered {
    text: String,
    native: Option<Value>,
}

impl From<String> for Rendered {
    fn from(text: String) -> Self {
        Self { text, native: None }
    }
}

/// What a template has printed so far.
#[derive(Default)]
struct Printed {
    count: usize,
    bytes: usize,
    only: Option<(JinjaValue, String)>,
}

fn rendered(scope: &Scope, source: &str, taint: &Taint, form: Form) -> Result<Rendered> {
    let engines = scope.world.engines.get_or_init(|| Engines::new(&scope.world));
    let engine = if scope.strict { &engines.strict } else { &engines.lenient };
    let given = if form == Form::Native { source.trim() } else { source };
    let (syntax, body) = header::split(given, form == Form::Text)?;
    let mut origin =
        Origin { whole: source, start: body.as_ptr() as usize - source.as_ptr() as usize, added: Vec::new() };
    let result = if let Some(syntax) = syntax {
        let mut engine = engine.clone();
        engine.set_syntax(syntax);
        run(&engine, scope, body, taint).map_err(|error| (Cow::Borrowed(body), error))
    } else {
        let mut text = Cow::Borrowed(body);
        if form == Form::Native {
            (text, origin.added) = scan::with_backslashes_kept(body);
        }
        run_kindly(engine, scope, text, taint)
    };
    result.or_else(|(text, error)| failure::outcome(scope, &origin, &text, &error))
}

/// Where a template stands in the text it was given as, and what was added to it.
struct Origin<'s> {
    whole: &'s str,
    start: usize,
    added: Vec<usize>,
}

impl Origin<'_> {
    /// Returns the place of a range of the template, in the text it was given as.
    fn place(&self, range: std::ops::Range<usize>) -> Place {
        let shift = |at: usize| {
            let at = self.start + at - self.added.iter().filter(|added| **added < at).count();
            at.min(self.whole.len()) as u32
        };
        Place::new(&Source::unnamed(self.whole), Span::new(shift(range.start), shift(range.end)))
    }
}

/// Runs a template; where it fails for a name that is not there, once more with what deals with that taken into account.
fn run_kindly<'s>(
    engine: &Environment<'_>,
    scope: &Scope,
    source: Cow<'s, str>,
    taint: &Taint,
) -> std::result::Result<Rendered, (Cow<'s, str>, minijinja::Error)> {
    let error = match run(engine, scope, &source, taint) {
        Ok(rendered) => return Ok(rendered),
        Err(error) => error,
    };
    let kinder =
        (error.kind() == ErrorKind::UndefinedError).then(|| scan::with_safe_chains(&source)).flatten();
    match kinder {
        None => Err((source, error)),
        Some(kinder) => run(engine, scope, &kinder, taint).map_err(|error| (Cow::Owned(kinder), error)),
    }
}

fn run(
    engine: &Environment<'_>,
    scope: &Scope,
    source: &str,
    taint: &Taint,
) -> std::result::Result<Rendered, minijinja::Error> {
    let template = engine.template_from_str(source)?;
    let names = JinjaValue::from_object(Names::new(scope, taint));
    let mut output = Bounded { bytes: Vec::new(), left: scope.world.limits.output };
    let mut captured = template.render_captured_to(names, &mut output)?;
    let printed =
        captured.with_state_mut(|state| std::mem::take(state.get_or_insert_extension(Printed::default())));
    let text = String::from_utf8_lossy(&output.bytes).into_owned();
    let native = match printed.only {
        Some((value, piece)) if printed.count == 1 && piece == text && stays(&value) => {
            Some(value::from_jinja(&value)?)
        }
        // Ansible makes null of nothing at all.
        None if printed.count == 0 && text.is_empty() => Some(Value::Undef),
        _ => None,
    };
    Ok(Rendered { text, native })
}

/// Tells whether a value is what it is, and not what its text looks like: no text, or one that a filter has marked.
fn stays(value: &JinjaValue) -> bool {
    value.as_str().is_none() || value.is_safe()
}

/// Collects output up to a limit.
struct Bounded {
    bytes: Vec<u8>,
    left: usize,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.left {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.left -= bytes.len();
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How deep macros and blocks may nest.
const RECURSION: usize = 60;

impl Engines {
    fn new(world: &World) -> Self {
        let mut strict = Environment::new();
        strict.set_undefined_behavior(UndefinedBehavior::Strict);
        strict.set_unknown_method_callback(methods::call);
        strict.set_fuel(Some(world.limits.fuel));
        strict.set_recursion_limit(RECURSION);
        strict.set_debug(true);
        let most = world.limits.output;
        strict.set_formatter(move |out, state, value| print(out, state, value, most));
        if let Ok(syntax) = SyntaxConfig::builder().keep_trailing_newline(true).build() {
            strict.set_syntax(syntax);
        }
        unfurl::add(&mut strict, world.safe);
        collections::add(&mut strict);
        encoding::add(&mut strict);
        texts::add(&mut strict);
        numbers::add(&mut strict);
        paths::add(&mut strict);
        series::add(&mut strict);
        dates::add(&mut strict);
        regexes::add(&mut strict);
        ansible_tests::add(&mut strict);
        let mut lenient = strict.clone();
        lenient.set_undefined_behavior(UndefinedBehavior::Lenient);
        Self { strict, lenient }
    }
}

/// Prints a value, and remembers it in case it is the only one.
fn print(
    out: &mut Output,
    state: &mut State,
    value: &JinjaValue,
    most: usize,
) -> std::result::Result<(), minijinja::Error> {
    let text = value::printed(value)?;
    let printed = state.get_or_insert_extension(Printed::default());
    printed.count += 1;
    printed.bytes += text.len();
    // What is printed into variables does not reach the output, and its size is bounded all the same.
    if printed.bytes > most {
        return Err(minijinja::Error::new(ErrorKind::WriteFailure, "too much is printed"));
    }
    printed.only = (printed.count == 1).then(|| (value.clone(), text.clone()));
    out.write_str(&text).map_err(minijinja::Error::from)
}

/// Says that a template wrote too much.
fn too_much(scope: &Scope) -> hierarch_source::Error {
    issues::too_much_output(scope.world.limits.output)
}
