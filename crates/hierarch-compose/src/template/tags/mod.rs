//! The tags of templates, a file for each: how it is read, and what it does.

mod blocks;
mod conditions;
mod filters;
mod imports;
mod includes;
mod loops;
mod macros;
mod others;
mod sets;
mod withs;

use super::fault::Checked;
use super::output::Output;
use super::parser::Parser;
use super::renderer::{Flow, Renderer};
use super::settings::TemplateSettings;
use super::tree::{Body, Stmt};

/// A tag that begins a statement.
pub(super) struct Tag {
    name: &'static str,
    pub(super) parse: fn(&mut Parser, &mut Body) -> Checked<()>,
    /// Which settings it needs.
    is_there: fn(&TemplateSettings) -> bool,
}

const fn tag(name: &'static str, parse: fn(&mut Parser, &mut Body) -> Checked<()>) -> Tag {
    Tag { name, parse, is_there: |_| true }
}

static TAGS: &[Tag] = &[
    tag("if", conditions::parse),
    tag("for", loops::parse),
    tag("set", sets::parse),
    tag("macro", macros::parse),
    tag("call", macros::parse_call),
    tag("filter", filters::parse),
    tag("with", withs::parse),
    tag("block", blocks::parse),
    tag("extends", blocks::parse_extends),
    tag("include", includes::parse),
    tag("import", imports::parse),
    tag("from", imports::parse_from),
    tag("autoescape", others::parse_autoescape),
    tag("print", others::parse_print),
    Tag { name: "do", parse: others::parse_do, is_there: |settings| settings.has_do },
    Tag { name: "break", parse: loops::parse_break, is_there: |settings| settings.has_loop_controls },
    Tag { name: "continue", parse: loops::parse_continue, is_there: |settings| settings.has_loop_controls },
];

/// Returns the tag with a name, if the settings have it.
pub(super) fn find(name: &str, settings: &TemplateSettings) -> Option<&'static Tag> {
    TAGS.iter().find(|tag| tag.name == name && (tag.is_there)(settings))
}

/// Runs a statement.
pub(super) fn run(renderer: &mut Renderer, statement: &Stmt, out: &mut Output) -> Checked<Flow> {
    match statement {
        Stmt::If(branches, otherwise) => return conditions::run(renderer, branches, otherwise, out),
        Stmt::For(tag) => return loops::run(renderer, tag, out),
        Stmt::Set(target, value) => sets::run(renderer, target, value)?,
        Stmt::SetBlock(target, filter, body) => sets::run_block(renderer, target, filter.as_ref(), body)?,
        Stmt::Macro(def) => macros::run(renderer, def),
        Stmt::CallBlock(def, call) => macros::run_call(renderer, def, call, out)?,
        Stmt::FilterBlock(filter, body) => filters::run(renderer, filter, body, out)?,
        Stmt::With(targets, body) => return withs::run(renderer, targets, body, out),
        Stmt::Scoped(body) => return renderer.framed(|renderer| renderer.body(body, out)),
        Stmt::Block(block) => blocks::run(renderer, block, out)?,
        Stmt::Extends(parent) => blocks::run_extends(renderer, parent, out)?,
        Stmt::Include(include) => includes::run(renderer, include, out)?,
        Stmt::Import(import) => imports::run(renderer, import)?,
        Stmt::Do(expr) => drop(renderer.eval(expr)?),
        Stmt::Break => return Ok(Flow::Break),
        Stmt::Continue => return Ok(Flow::Continue),
        Stmt::Data(_) | Stmt::Print(_) => {}
    }
    Ok(Flow::On)
}
