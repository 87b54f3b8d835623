//! `{% import template as name %}` and `{% from template import name, … %}`.

use std::rc::Rc;

use super::includes::context;
use crate::template::blocks::Module;
use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::lexer::Kind;
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::Renderer;
use crate::template::tree::{Body, Import, ImportedNames, Stmt};
use crate::template::value::Val;

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let template = parser.expression()?;
    parser.word("as")?;
    let names = ImportedNames::As(parser.name()?);
    let with_context = context(parser, false);
    out.push(Stmt::Import(Import { template, with_context, names }));
    Ok(())
}

pub(super) fn parse_from(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let template = parser.expression()?;
    parser.word("import")?;
    let mut names = Vec::new();
    let mut with_context = false;
    loop {
        let follows = matches!(parser.next_kind(), Kind::Name(name) if name == "context");
        if follows && (parser.is_name("with") || parser.is_name("without")) {
            with_context = context(parser, false);
            break;
        }
        if *parser.kind() == Kind::BlockEnd && !names.is_empty() {
            break;
        }
        let name = parser.name()?;
        if name.starts_with('_') {
            return Err(parser.fail(issues::private_import()));
        }
        let alias = if parser.skip_name("as") { parser.name()? } else { name.clone() };
        names.push((name, alias));
        if !parser.skip_sign(",") {
            with_context = context(parser, with_context);
            break;
        }
    }
    out.push(Stmt::Import(Import { template, with_context, names: ImportedNames::Names(names) }));
    Ok(())
}

pub(super) fn run(renderer: &mut Renderer, import: &Import) -> Checked<()> {
    let range = import.template.range;
    let name = renderer.eval(&import.template)?;
    let template = renderer.load(&name).map_err(|fault| fault.at(range))?;
    let below = import.with_context.then_some(renderer.here);
    let before = renderer.here;
    renderer.enter_below(below);
    let frame = renderer.capture();
    let mut out = Output::default();
    let result = renderer.page_of(&template, &mut out);
    renderer.leave(before)?;
    result.map_err(|fault| fault.at(range))?;
    let exported = renderer.exported(frame);
    match &import.names {
        ImportedNames::As(name) => {
            let text = out.into_text();
            let module = Module { name: template.name.clone(), names: exported, text };
            renderer.assign(name, Val::Object(Rc::new(module)));
        }
        ImportedNames::Names(names) => {
            for (name, alias) in names {
                let found = exported.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
                let missing = || Val::undefined(issues::not_exported(template.name.as_deref(), name));
                renderer.assign(alias, found.unwrap_or_else(missing));
            }
        }
    }
    Ok(())
}
