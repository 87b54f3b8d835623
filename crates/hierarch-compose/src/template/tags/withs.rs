//! `{% with name = value %}…{% endwith %}`.

use crate::template::fault::Checked;
use crate::template::lexer::Kind;
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::{Flow, Renderer};
use crate::template::tree::{Body, Expr, Stmt, Target};

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let mut targets = Vec::new();
    while *parser.kind() != Kind::BlockEnd {
        if !targets.is_empty() {
            parser.sign(",")?;
        }
        let target = parser.target(&[], false)?;
        parser.sign("=")?;
        targets.push((target, parser.expression()?));
    }
    let body = parser.whole_body("with", "endwith")?;
    out.push(Stmt::With(targets, body));
    Ok(())
}

pub(super) fn run(
    renderer: &mut Renderer,
    targets: &[(Target, Expr)],
    body: &Body,
    out: &mut Output,
) -> Checked<Flow> {
    // The values do not see the names beside them.
    let values = targets.iter().map(|(_, value)| renderer.eval(value)).collect::<Checked<Vec<_>>>()?;
    renderer.framed(|renderer| {
        for ((target, _), value) in targets.iter().zip(values) {
            renderer.assign_to(target, value)?;
        }
        renderer.body(body, out)
    })
}
