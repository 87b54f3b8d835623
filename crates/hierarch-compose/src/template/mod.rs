//! Jinja2 templates: an engine of its own, with Python's values and Ansible's filters, within the budgets of expressions.
//!
//! In data, `{{ 1 + 1 }}` is the number 2, `1{{ 2 }}` the number 12, and a text that is not a Python literal stays a text.
//!
//! A template is cut into tokens (`lexer`), read into a tree (`parser`, `expressions`, `tags`) and run by a `Renderer`
//! over values (`value`) that count what they take for as long as they live.

mod access;
mod blocks;
mod call;
mod compare;
mod convert;
mod dates;
mod eval;
mod expressions;
mod failure;
mod fault;
mod filters;
mod format;
mod group;
mod issues;
mod iterate;
mod lexer;
mod library;
mod lipsum;
mod load;
mod members;
mod methods;
mod namespace;
mod object;
mod operators;
mod output;
mod parser;
mod renderer;
mod settings;
mod show;
mod tags;
mod tests;
mod tree;
mod unfurl;
mod value;
mod versions;
mod yaml_text;

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::{Result, Source};

use self::failure::Origin;
use self::fault::Checked;
use self::output::Output;
use self::renderer::{Form, Renderer, Template};
use crate::expr::scope::Scope;

pub(crate) use self::convert::integer;
pub use self::filters::data_of;
pub(crate) use self::filters::{pairs_of, pretty_json, seeded};
pub use self::library::filter_parameters;
pub(crate) use self::library::{filter_names, test_names};
pub use self::settings::TemplateSettings;

/// Renders a template found in data; the result has the type that its text looks like.
pub(crate) fn render(scope: &Scope, source: &str) -> Result<Value> {
    scope.world.nested(|| rendered(scope, source, None, Form::Native))
}

/// Renders a template as text.
pub(crate) fn render_text(scope: &Scope, source: &str) -> Result<Value> {
    rendered(scope, source, None, Form::Text)
}

/// Renders a file as text.
pub(crate) fn render_file(scope: &Scope, file: &Arc<Source>) -> Result<Value> {
    rendered(scope, file.text(), Some(file), Form::Text)
}

/// Renders a file as a value of data would be.
pub(crate) fn render_file_value(scope: &Scope, file: &Arc<Source>) -> Result<Value> {
    rendered(scope, file.text(), Some(file), Form::Native)
}

fn rendered(scope: &Scope, source: &str, file: Option<&Arc<Source>>, form: Form) -> Result<Value> {
    let given = if form == Form::Native { source.trim() } else { source };
    let (settings, body) = settings::with_header(given, &scope.world.settings)?;
    let start = body.as_ptr() as usize - source.as_ptr() as usize;
    let origin = Origin { whole: source, start, file };
    match run(scope, &origin, body, &settings, form) {
        Ok(value) => Ok(value),
        Err(fault) => failure::outcome(scope, &origin, body, &fault),
    }
}

/// Gives a text as many line breaks at its end as the template has, as Ansible does.
fn with_line_breaks(mut text: String, source: &str) -> String {
    let at_end = |text: &str| text.len() - text.trim_end_matches('\n').len();
    let missing = at_end(source).saturating_sub(at_end(&text));
    text.extend(std::iter::repeat_n('\n', missing));
    text
}

fn run(
    scope: &Scope,
    origin: &Origin,
    body: &str,
    settings: &TemplateSettings,
    form: Form,
) -> Checked<Value> {
    let raw_texts = form == Form::Native;
    let settings = TemplateSettings {
        // In data, blanks at the ends were taken away already.
        keep_trailing_newline: settings.keep_trailing_newline || form == Form::Native,
        ..settings.clone()
    };
    let parsed = parser::parse(body, &settings, raw_texts)?;
    let source = origin.file.map_or_else(|| Source::unnamed(origin.whole), Arc::clone);
    let template = Template { name: None, source, offset: origin.start, parsed };
    let mut renderer = Renderer::new(scope, form, settings, template);
    match finished(&mut renderer, origin, form) {
        Ok(value) if renderer.tainted => Ok(Value::sensitive(value)),
        Err(fault) if renderer.tainted && !scope.world.reveals => Err(fault.hidden()),
        finished => finished,
    }
}

fn finished(renderer: &mut Renderer, origin: &Origin, form: Form) -> Checked<Value> {
    let mut out = Output::default();
    renderer.whole(&mut out)?;
    let value = match form {
        Form::Text => with_line_breaks(out.into_text(), origin.whole).into(),
        Form::Native => {
            let value = out.value(renderer)?;
            renderer.finished(&value)?
        }
    };
    // The text stays, as the value of an attribute.
    renderer.budget.take(value.as_str().map_or(0, str::len))?;
    Ok(value)
}
