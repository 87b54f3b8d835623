//! `if`, `unless`, `case` and selectors.

use hierarch_source::{Result, Span};

use super::Parser;
use crate::ast::{Expr, ExprId};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn if_expression(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        self.if_part(keyword)
    }

    /// What follows `if` or `elsif`.
    fn if_part(&mut self, keyword: Span) -> Result<ExprId> {
        let test = self.expression(0)?;
        let (then, right) = self.braced()?;
        let mut end = right;
        let otherwise = match self.kind()? {
            TokenKind::Elsif => {
                let keyword = self.next()?.span;
                let part = self.nested(|parser| parser.if_part(keyword))?;
                end = self.ast.span(part);
                Some(part)
            }
            _ => self.optional_else(&mut end)?,
        };
        self.add(Expr::If { test, then, otherwise }, keyword.to(end))
    }

    pub(super) fn unless_expression(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        let test = self.expression(0)?;
        let (then, mut end) = self.braced()?;
        let otherwise = self.optional_else(&mut end)?;
        self.add(Expr::Unless { test, then, otherwise }, keyword.to(end))
    }

    fn optional_else(&mut self, end: &mut Span) -> Result<Option<ExprId>> {
        if self.take(TokenKind::Else)?.is_none() {
            return Ok(None);
        }
        let (body, right) = self.braced()?;
        *end = right;
        Ok(body)
    }

    pub(super) fn case_expression(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        let test = self.expression(0)?;
        self.demand(TokenKind::LeftBrace)?;
        let mark = self.pending.len();
        loop {
            let option = self.case_option()?;
            self.pending.push(option);
            if let Some(right) = self.take(TokenKind::RightBrace)? {
                let options = self.list_from(mark);
                return self.add(Expr::Case { test, options }, keyword.to(right.span));
            }
        }
    }

    fn case_option(&mut self) -> Result<ExprId> {
        let mark = self.pending.len();
        loop {
            let value = self.expression(0)?;
            self.pending.push(value);
            if self.take(TokenKind::Comma)?.is_none() {
                break;
            }
        }
        let values = self.list_from(mark);
        let colon = self.demand(TokenKind::Colon)?.span;
        self.demand(TokenKind::LeftBrace)?;
        let then = self.optional_body(colon)?;
        let right = self.demand(TokenKind::RightBrace)?.span;
        self.add(Expr::CaseOption { values, then }, colon.to(right))
    }

    /// What follows `?`: entries in braces, or a single one without.
    pub(super) fn selector(&mut self, left: ExprId) -> Result<ExprId> {
        let mark = self.pending.len();
        if self.take(TokenKind::SelectorBrace)?.is_some() {
            loop {
                let entry = self.selector_entry()?;
                self.pending.push(entry);
                if self.take(TokenKind::Comma)?.is_none() || self.kind()? == TokenKind::RightBrace {
                    break;
                }
            }
            self.demand(TokenKind::RightBrace)?;
        } else {
            let entry = self.selector_entry()?;
            self.pending.push(entry);
        }
        let entries = self.list_from(mark);
        let span = self.ast.span(left);
        self.add(Expr::Selector { left, entries }, span)
    }

    fn selector_entry(&mut self) -> Result<ExprId> {
        let matching = self.expression(0)?;
        let arrow = self.demand(TokenKind::FatArrow)?.span;
        let value = self.expression(0)?;
        self.add(Expr::SelectorEntry { matching, value }, arrow)
    }
}
