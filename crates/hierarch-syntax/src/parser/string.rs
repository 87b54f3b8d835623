//! Strings with interpolations, heredocs, and the expressions of templates.

use hierarch_source::{Result, Span};

use super::Parser;
use super::statement::starts_statement;
use crate::ast::{Expr, ExprId};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn interpolated_string(&mut self) -> Result<ExprId> {
        let first = self.next()?;
        let mark = self.pending.len();
        self.segment(first.text, first.span)?;
        loop {
            let expr = self.assignment()?;
            // Located where the whole string is: so the reference has it.
            let interpolation = self.add(Expr::Interpolation(expr), Span::point(first.span.start))?;
            self.pending.push(interpolation);
            let next = self.peek()?;
            if !matches!(next.kind, TokenKind::StringMiddle | TokenKind::StringEnd) {
                return self.unexpected();
            }
            self.lexer.advance();
            self.segment(next.text, next.span)?;
            if next.kind == TokenKind::StringEnd {
                let segments = self.list_from(mark);
                return self.add(Expr::Concat(segments), first.span.to(next.span));
            }
        }
    }

    /// Adds a literal part, unless it is empty.
    fn segment(&mut self, text: crate::ast::Text, span: Span) -> Result<()> {
        if !text.is_empty() {
            let literal = self.add(Expr::String(text), span)?;
            self.pending.push(literal);
        }
        Ok(())
    }

    pub(super) fn heredoc(&mut self) -> Result<ExprId> {
        let tag = self.next()?;
        self.demand(TokenKind::HeredocText)?;
        let text = if self.kind()? == TokenKind::StringStart {
            self.interpolated_string()?
        } else {
            let token = self.demand(TokenKind::String)?;
            self.add(Expr::String(token.text), token.span)?
        };
        self.add(Expr::Heredoc { syntax: tag.text, text }, tag.span)
    }

    /// `<%= expression %>`, or `<%= { statements } %>`.
    pub(super) fn render_expression(&mut self) -> Result<ExprId> {
        let start = self.next()?.span;
        let value = if self.starts_block()? { self.rendered_block()? } else { self.expression(0)? };
        let end = self.peek()?;
        if !matches!(end.kind, TokenKind::EppEnd | TokenKind::EppEndTrim) {
            return self.unexpected();
        }
        self.lexer.advance();
        self.add(Expr::Render(value), start.to(end.span))
    }

    fn starts_block(&mut self) -> Result<bool> {
        Ok(self.kind()? == TokenKind::LeftBrace && starts_statement(self.second_kind()?))
    }

    /// Statements in braces, unless the first is followed by `=>`: then it was the first key of a hash.
    fn rendered_block(&mut self) -> Result<ExprId> {
        let left = self.next()?.span;
        if self.is_bare_keyword()? {
            let key = self.bare_keyword()?;
            return self.rendered_hash(left, key);
        }
        let mark = self.pending.len();
        let start = self.statements()?;
        let is_key = self.kind()? == TokenKind::FatArrow;
        if let (true, &[key]) = (is_key, &self.pending[start..]) {
            self.pending.truncate(mark);
            self.as_value(key);
            return self.rendered_hash(left, key);
        }
        let right = self.demand(TokenKind::RightBrace)?.span;
        self.block_or_single(start, Some(left.to(right)))
    }

    /// A hash, and the expression that it may begin.
    fn rendered_hash(&mut self, left: Span, key: ExprId) -> Result<ExprId> {
        let hash = self.hash_from_key(left, key)?;
        let operand = self.postfix(hash)?;
        self.expression_from(operand, 0)
    }

    /// Undoes the mark of a call that was taken for a statement.
    fn as_value(&mut self, id: ExprId) {
        if let Expr::Call { functor, arguments, lambda, .. } = self.ast.expr(id) {
            self.ast.set_expr(id, Expr::Call { functor, arguments, lambda, statement: false });
        }
    }
}
