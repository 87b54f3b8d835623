//! `{% include template %}`.

use std::rc::Rc;

use crate::template::fault::{Checked, FaultKind};
use crate::template::lexer::Kind;
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::{Renderer, Template};
use crate::template::tree::{Body, Include, Stmt};
use crate::template::value::Val;

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let template = parser.expression()?;
    let ignores =
        parser.is_name("ignore") && matches!(parser.next_kind(), Kind::Name(name) if name == "missing");
    if ignores {
        parser.advance();
        parser.advance();
    }
    let with_context = context(parser, true);
    out.push(Stmt::Include(Include { template, ignore_missing: ignores, with_context }));
    Ok(())
}

/// Reads `with context` or `without context`.
pub(super) fn context(parser: &mut Parser, default: bool) -> bool {
    let follows = matches!(parser.next_kind(), Kind::Name(name) if name == "context");
    let with = match parser.kind() {
        Kind::Name(name) if follows && name == "with" => true,
        Kind::Name(name) if follows && name == "without" => false,
        _ => return default,
    };
    parser.advance();
    parser.advance();
    with
}

pub(super) fn run(renderer: &mut Renderer, include: &Include, out: &mut Output) -> Checked<()> {
    if out.muted {
        return Ok(());
    }
    let names = renderer.eval(&include.template)?;
    let template = match renderer.load_first(&names) {
        Ok(template) => template,
        Err(fault) if include.ignore_missing && fault.inner().kind == FaultKind::NotFound => return Ok(()),
        Err(fault) => return Err(fault.at(include.template.range)),
    };
    let below = include.with_context.then_some(renderer.here);
    renderer.included(&template, below, out)
}

impl Renderer {
    /// Prints another template in place.
    fn included(&mut self, template: &Rc<Template>, below: Option<usize>, out: &mut Output) -> Checked<()> {
        let before = self.here;
        self.enter_below(below);
        let result = self.page_of(template, out);
        self.leave(before)?;
        result
    }

    /// Loads the first of several templates that is there.
    pub(in crate::template) fn load_first(&mut self, names: &Val) -> Checked<Rc<Template>> {
        let several = matches!(names, Val::List(_) | Val::Tuple(_))
            || matches!(names, Val::Branch(node) if node.is_list());
        if !several {
            return self.load(names);
        }
        let names = self.items(names)?;
        for name in &names {
            match self.load(name) {
                Err(fault) if fault.inner().kind == FaultKind::NotFound => {}
                other => return other,
            }
        }
        let shown = names.iter().map(|name| self.printed(name)).collect::<Checked<Vec<_>>>()?;
        Err(crate::template::issues::none_of_templates(&shown))
    }
}
