//! `{% print … %}`, `{% do … %}` and `{% autoescape … %}`, which changes nothing: nothing is escaped by itself.

use crate::template::fault::Checked;
use crate::template::lexer::Kind;
use crate::template::parser::Parser;
use crate::template::tree::{Body, Stmt};

pub(super) fn parse_print(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let mut first = true;
    while *parser.kind() != Kind::BlockEnd {
        if !first {
            parser.sign(",")?;
        }
        first = false;
        out.push(Stmt::Print(parser.expression()?));
    }
    Ok(())
}

pub(super) fn parse_do(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    out.push(Stmt::Do(parser.tuple(true)?));
    Ok(())
}

pub(super) fn parse_autoescape(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    parser.expression()?;
    let body = parser.whole_body("autoescape", "endautoescape")?;
    out.push(Stmt::Scoped(body));
    Ok(())
}
