//! Parameters of definitions, lambdas and templates, and the types they are given.

use hierarch_source::Result;

use super::Parser;
use super::collection::Elements;
use crate::ast::{Expr, ExprId, List};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `( … )`, or nothing.
    pub(super) fn parameter_list(&mut self) -> Result<List> {
        if !matches!(self.kind()?, TokenKind::LeftParen | TokenKind::LineParen) {
            return Ok(List::default());
        }
        self.lexer.advance();
        if self.take(TokenKind::RightParen)?.is_some() {
            return Ok(List::default());
        }
        self.parameters(TokenKind::RightParen)
    }

    /// `| … |`
    pub(super) fn piped_parameters(&mut self) -> Result<List> {
        self.demand(TokenKind::Pipe)?;
        if self.take(TokenKind::Pipe)?.is_some() {
            return Ok(List::default());
        }
        self.parameters(TokenKind::Pipe)
    }

    fn parameters(&mut self, closing: TokenKind) -> Result<List> {
        let mark = self.pending.len();
        loop {
            let parameter = self.parameter()?;
            self.pending.push(parameter);
            if self.take(TokenKind::Comma)?.is_none() || self.kind()? == closing {
                break;
            }
        }
        self.demand(closing)?;
        Ok(self.list_from(mark))
    }

    fn parameter(&mut self) -> Result<ExprId> {
        let type_expr = if self.kind()? == TokenKind::TypeName { Some(self.parameter_type()?) } else { None };
        let is_rest = self.take(TokenKind::Star)?.is_some();
        let variable = self.demand(TokenKind::Variable)?;
        let default = if self.take(TokenKind::Assign)?.is_some() { Some(self.expression(0)?) } else { None };
        let name = variable.text;
        let parameter = if is_rest {
            Expr::RestParameter { name, default, type_expr }
        } else {
            Expr::Parameter { name, default, type_expr }
        };
        self.add(parameter, variable.span)
    }

    /// A type name, with keys or without. Here no comma may stand before the closing bracket.
    pub(super) fn parameter_type(&mut self) -> Result<ExprId> {
        let token = self.demand(TokenKind::TypeName)?;
        let name = self.add(Expr::Reference(token.text), token.span)?;
        if self.take(TokenKind::LeftBracket)?.is_none() {
            return Ok(name);
        }
        let keys = self.elements(Elements::Keys, None)?;
        let right = self.demand(TokenKind::RightBracket)?.span;
        self.add(Expr::Access { left: name, keys }, token.span.to(right))
    }

    /// `>> Type`, or nothing.
    pub(super) fn return_type(&mut self) -> Result<Option<ExprId>> {
        if self.take(TokenKind::ShiftRight)?.is_none() {
            return Ok(None);
        }
        self.parameter_type().map(Some)
    }
}
