//! `{% filter name %}…{% endfilter %}`.

use crate::template::fault::Checked;
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::Renderer;
use crate::template::tree::{Body, Expr, Stmt};

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let filter = parser.block_filters()?;
    let body = parser.whole_body("filter", "endfilter")?;
    out.push(Stmt::FilterBlock(filter, body));
    Ok(())
}

pub(super) fn run(renderer: &mut Renderer, filter: &Expr, body: &Body, out: &mut Output) -> Checked<()> {
    if out.muted {
        return Ok(());
    }
    let value = renderer.captured(|renderer, out| renderer.framed(|renderer| renderer.body(body, out)))?;
    let value = renderer.block_filtered(filter, value)?;
    out.print(renderer, value)
}
