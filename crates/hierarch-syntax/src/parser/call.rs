//! What follows an expression directly: calls, methods, accesses, and lambdas behind calls.

use hierarch_source::{Result, Span};

use super::Parser;
use super::collection::Elements;
use crate::ast::{Expr, ExprId, List};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn call(&mut self, functor: ExprId) -> Result<ExprId> {
        self.demand(TokenKind::LeftParen)?;
        let arguments = if self.kind()? == TokenKind::RightParen {
            List::default()
        } else {
            self.elements(Elements::Arguments, Some(TokenKind::RightParen))?
        };
        let right = self.demand(TokenKind::RightParen)?.span;
        let lambda = self.optional_lambda()?;
        let end = lambda.map_or(right, |lambda| self.ast.span(lambda));
        let span = self.span_from(functor, end);
        self.add(Expr::Call { functor, arguments, lambda, statement: false }, span)
    }

    /// `left.name`, `left.name(…)`; located at the parenthesis if there is one, else at the dot.
    pub(super) fn method_call(&mut self, left: ExprId) -> Result<ExprId> {
        let dot = self.next()?.span;
        let token = self.peek()?;
        let name = match token.kind {
            TokenKind::Name => token.text,
            TokenKind::Type => self.keyword_text(token),
            _ => return self.unexpected(),
        };
        self.lexer.advance();
        let access_span = dot.to(token.span);
        let name = self.add(Expr::Name(name), Span::point(dot.start))?;
        let functor = self.add(Expr::Dot { left, name }, access_span)?;
        let (arguments, span) = self.method_arguments(access_span)?;
        let lambda = self.optional_lambda()?;
        self.add(Expr::MethodCall { functor, arguments, lambda }, span)
    }

    fn method_arguments(&mut self, access: Span) -> Result<(List, Span)> {
        let Some(left) = self.take(TokenKind::LeftParen)? else { return Ok((List::default(), access)) };
        if self.take(TokenKind::RightParen)?.is_some() {
            return Ok((List::default(), left.span));
        }
        // Unlike a function call, a method call takes no comma before its closing parenthesis.
        let arguments = self.elements(Elements::Arguments, None)?;
        let right = self.demand(TokenKind::RightParen)?.span;
        Ok((arguments, left.span.to(right)))
    }

    pub(super) fn access(&mut self, left: ExprId) -> Result<ExprId> {
        self.demand(TokenKind::LeftBracket)?;
        let keys = self.elements(Elements::Keys, Some(TokenKind::RightBracket))?;
        let right = self.demand(TokenKind::RightBracket)?.span;
        let span = self.span_from(left, right);
        self.add(Expr::Access { left, keys }, span)
    }

    fn optional_lambda(&mut self) -> Result<Option<ExprId>> {
        if self.kind()? != TokenKind::Pipe {
            return Ok(None);
        }
        let start = self.peek()?.span;
        let parameters = self.piped_parameters()?;
        let returns = self.return_type()?;
        self.demand(TokenKind::LeftBrace)?;
        let body = self.optional_body(start)?;
        let right = self.demand(TokenKind::RightBrace)?.span;
        self.add(Expr::Lambda { parameters, body, returns }, start.to(right)).map(Some)
    }
}
