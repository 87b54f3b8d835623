//! `{% if … %}`, `{% elif … %}`, `{% else %}`.

use crate::template::fault::Checked;
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::{Flow, Renderer};
use crate::template::tree::{Body, Expr, Stmt};

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let mut branches = Vec::new();
    let mut otherwise = Vec::new();
    loop {
        let test = parser.tuple(false)?;
        let (body, end) = parser.body_until("if", &["elif", "else", "endif"])?;
        branches.push((test, body));
        match end.as_str() {
            "elif" => {}
            "else" => {
                otherwise = parser.whole_body("if", "endif")?;
                break;
            }
            _ => break,
        }
    }
    out.push(Stmt::If(branches, otherwise));
    Ok(())
}

pub(super) fn run(
    renderer: &mut Renderer,
    branches: &[(Expr, Body)],
    otherwise: &Body,
    out: &mut Output,
) -> Checked<Flow> {
    for (test, body) in branches {
        let value = renderer.eval(test)?;
        if renderer.truth(&value).map_err(|fault| fault.at(test.range))? {
            return renderer.body(body, out);
        }
    }
    renderer.body(otherwise, out)
}
