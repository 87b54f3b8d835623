//! Jinja2 templates in data: native types as Ansible gives them, and the filters that reach back into expressions.
//!
//! `{{ 1 + 1 }}` is the number 2, `1{{ 2 }}` the number 12, and a text that is no Python literal stays a text.

mod ansible_tests;
mod bridge;
mod collections;
mod compile;
mod dates;
mod encoding;
mod engine;
mod failure;
mod header;
mod held;
mod issues;
mod methods;
mod names;
mod numbers;
mod operators;
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

use hierarch_pcore::Value;
use hierarch_source::{Place, Result, Source, Span};
use minijinja::machinery::{self, make_string_output};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value as JinjaValue;
use minijinja::{AutoEscape, ErrorKind, Output, State, UndefinedBehavior};

use self::bridge::Taint;
use self::compile::Piece;
use self::engine::Engine;
use self::names::Names;
use crate::expr::scope::Scope;
use crate::expr::world::World;
use crate::expr::{issues as limits, python};

pub(crate) use self::encoding::pretty_json;
pub use self::encoding::{data_of, value_of};
pub(crate) use self::series::pairs_of;

/// The template engines of a world: with undefined names as errors, and without.
pub(crate) struct Engines {
    strict: Engine,
    lenient: Engine,
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
        run(engine, syntax, scope, body, taint).map_err(|error| (Cow::Borrowed(body), error))
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
    engine: &Engine,
    scope: &Scope,
    source: Cow<'s, str>,
    taint: &Taint,
) -> std::result::Result<Rendered, (Cow<'s, str>, minijinja::Error)> {
    let error = match run(engine, engine.syntax.clone(), scope, &source, taint) {
        Ok(rendered) => return Ok(rendered),
        Err(error) => error,
    };
    let kinder =
        (error.kind() == ErrorKind::UndefinedError).then(|| scan::with_safe_chains(&source)).flatten();
    match kinder {
        None => Err((source, error)),
        Some(kinder) => run(engine, engine.syntax.clone(), scope, &kinder, taint)
            .map_err(|error| (Cow::Owned(kinder), error)),
    }
}

fn run(
    engine: &Engine,
    syntax: SyntaxConfig,
    scope: &Scope,
    source: &str,
    taint: &Taint,
) -> std::result::Result<Rendered, minijinja::Error> {
    let template = compile::compiled(source, syntax)?;
    let names = JinjaValue::from_object(Names::new(scope, taint));
    let mut text = String::new();
    let mut output = make_string_output(&mut text);
    let (_, mut state) = machinery::eval(
        &engine.environment,
        &template.instructions,
        names,
        &template.blocks,
        &mut output,
        AutoEscape::None,
    )?;
    let printed = std::mem::take(state.get_or_insert_extension(Printed::default()));
    let native = match printed.only {
        Some((value, piece)) if printed.count == 1 && piece == text && stays(&value) => {
            Some(value::from_jinja(&value)?)
        }
        // Ansible makes null of nothing at all.
        None if printed.count == 0 && text.is_empty() => Some(Value::Undef),
        _ => None,
    };
    // The text stays, as the value of an attribute.
    scope.world.budget.take(text.len()).map_err(failure::to_jinja_error)?;
    Ok(Rendered { text, native })
}

/// Tells whether a value is what it is, and not what its text looks like: no text, or one that a filter has marked.
fn stays(value: &JinjaValue) -> bool {
    value.as_str().is_none() || value.is_safe()
}

impl Engines {
    pub(crate) fn new(world: &World) -> Self {
        let mut strict = Engine::new(world);
        let most = world.limits.size;
        strict.environment.set_formatter(move |out, state, value| print(out, state, value, most));
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
        lenient.environment.set_undefined_behavior(UndefinedBehavior::Lenient);
        Self { strict, lenient }
    }

    /// Returns the names of all filters.
    pub(crate) fn filters(&self) -> Vec<String> {
        self.strict.filters.iter().map(ToString::to_string).collect()
    }

    /// Returns the names of all tests.
    pub(crate) fn tests(&self) -> Vec<String> {
        self.strict.tests.iter().map(ToString::to_string).collect()
    }
}

/// Prints a value, and remembers it in case it is the only one.
fn print(
    out: &mut Output,
    state: &mut State,
    value: &JinjaValue,
    most: usize,
) -> std::result::Result<(), minijinja::Error> {
    let text = match value.downcast_object_ref::<Piece>() {
        Some(Piece(text)) => Cow::Borrowed(&**text),
        None => Cow::Owned(value::printed(value)?),
    };
    let printed = state.get_or_insert_extension(Printed::default());
    printed.bytes += text.len();
    // What is printed into variables does not reach the output, and its size is bounded all the same.
    if printed.bytes > most {
        return Err(minijinja::Error::from(ErrorKind::WriteFailure));
    }
    if let Cow::Owned(text) = &text {
        printed.count += 1;
        printed.only = (printed.count == 1).then(|| (value.clone(), text.clone()));
    }
    out.write_str(&text).map_err(minijinja::Error::from)
}

/// Says that a template wrote too much.
fn too_much(scope: &Scope) -> hierarch_source::Error {
    limits::too_much_output(scope.world.limits.size)
}
