//! `{% block name %}` and `{% extends template %}`.

use std::rc::Rc;

use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::Renderer;
use crate::template::tree::{Block, Body, Expr, Stmt};

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let range = parser.range();
    let name = parser.name()?;
    let scoped = parser.skip_name("scoped");
    let required = parser.skip_name("required");
    if parser.is_sign("-") {
        return Err(parser.fail(issues::block_name_with_hyphen()));
    }
    if parser.blocks.iter().any(|block| block.name == name) {
        return Err(parser.fail(issues::block_twice(&name)));
    }
    let body = parser.whole_body("block", "endblock")?;
    parser.skip_name(&name);
    let blank = |statement: &Stmt| matches!(statement, Stmt::Data(text) if text.trim().is_empty());
    if required && !body.iter().all(blank) {
        return Err(parser.fail(issues::required_block_not_empty()));
    }
    let block = Rc::new(Block { name, body, scoped, required, range });
    parser.blocks.push(Rc::clone(&block));
    out.push(Stmt::Block(block));
    Ok(())
}

pub(super) fn parse_extends(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    out.push(Stmt::Extends(parser.expression()?));
    Ok(())
}

pub(super) fn run(renderer: &mut Renderer, block: &Rc<Block>, out: &mut Output) -> Checked<()> {
    if out.muted {
        return Ok(());
    }
    let below = if block.scoped { renderer.here } else { renderer.page.frame };
    renderer.block(&block.name, 0, below, out).map_err(|fault| fault.at(block.range))
}

pub(super) fn run_extends(renderer: &mut Renderer, parent: &Expr, out: &mut Output) -> Checked<()> {
    let name = renderer.eval(parent)?;
    let result = renderer.load(&name).and_then(|template| renderer.extend(template));
    result.map_err(|fault| fault.at(parent.range))?;
    out.muted = true;
    Ok(())
}
