//! `{% set name = value %}`, `{% set name %}…{% endset %}`, and assignments in general.

use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::namespace;
use crate::template::parser::Parser;
use crate::template::renderer::Renderer;
use crate::template::show::type_name;
use crate::template::tree::{Body, Expr, ExprKind, Stmt, Target};
use crate::template::value::Val;

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let target = parser.target(&[], true)?;
    if parser.skip_sign("=") {
        let value = parser.tuple(true)?;
        out.push(Stmt::Set(target, value));
        return Ok(());
    }
    let filter = if parser.skip_sign("|") { Some(parser.block_filters()?) } else { None };
    let body = parser.whole_body("set", "endset")?;
    out.push(Stmt::SetBlock(target, filter, body));
    Ok(())
}

pub(super) fn run(renderer: &mut Renderer, target: &Target, value: &Expr) -> Checked<()> {
    let value = renderer.eval(value)?;
    renderer.assign_to(target, value)
}

pub(super) fn run_block(
    renderer: &mut Renderer,
    target: &Target,
    filter: Option<&Expr>,
    body: &Body,
) -> Checked<()> {
    let value = renderer.captured(|renderer, out| renderer.framed(|renderer| renderer.body(body, out)))?;
    let value = match filter {
        Some(filter) => renderer.block_filtered(filter, value)?,
        None => value,
    };
    renderer.assign_to(target, value)
}

impl Renderer {
    /// Assigns a value: to a name, its items to several, or to an attribute of a namespace.
    pub(in crate::template) fn assign_to(&mut self, target: &Target, value: Val) -> Checked<()> {
        match target {
            Target::Name(name) => {
                self.assign(name, value);
                Ok(())
            }
            Target::Tuple(targets, range) => {
                let items = self.unpacked(&value, targets.len()).map_err(|fault| fault.at(*range))?;
                targets.iter().zip(items).try_for_each(|(target, item)| self.assign_to(target, item))
            }
            Target::Attribute(space, name, range) => {
                let object = self.name(space, *range)?;
                namespace::set(self, &object, name, value).map_err(|fault| fault.at(*range))
            }
        }
    }

    fn unpacked(&mut self, value: &Val, count: usize) -> Checked<Vec<Val>> {
        if let Val::Undefined(missing) = value {
            return Err(missing.fault());
        }
        let items = self
            .items(value)
            .map_err(|fault| if fault.is_final() { fault } else { issues::not_unpacked(type_name(value)) })?;
        match items.len() {
            length if length == count => Ok(items),
            length if length < count => Err(issues::too_few_to_unpack(count, length)),
            _ => Err(issues::too_many_to_unpack(count)),
        }
    }

    /// Sends what a block printed through the filters that it names.
    pub(in crate::template) fn block_filtered(&mut self, filter: &Expr, value: Val) -> Checked<Val> {
        let ExprKind::Filter(inner, name, arguments) = &filter.kind else { return Ok(value) };
        let value = match inner {
            Some(inner) => self.block_filtered(inner, value)?,
            None => value,
        };
        let mut given = self.given(arguments)?;
        given.positional.insert(0, value);
        self.filter(name, given).map_err(|fault| fault.at(filter.range))
    }
}
