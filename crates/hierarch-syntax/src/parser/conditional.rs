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

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    #[test]
    fn branches() {
        check_trees(&[
            ("if $a { 1 }", r#"(if {:test (var "a") :then [1]})"#),
            ("if $a { 1 } else { 2 }", r#"(if {:test (var "a") :then [1] :else [2]})"#),
            (
                "if $a { 1 } elsif $b { 2 } elsif $c { 3 } else { 4 }",
                r#"(if {:test (var "a") :then [1] :else [(if {:test (var "b") :then [2] :else [(if {:test (var "c") :then [3] :else [4]})]})]})"#,
            ),
            ("unless $a { 1 }", r#"(unless {:test (var "a") :then [1]})"#),
            ("unless $a { 1 } else { 2 }", r#"(unless {:test (var "a") :then [1] :else [2]})"#),
            ("if $a { }", r#"(if {:test (var "a")})"#),
            ("case $a { 1: { 2 } }", r#"(case (var "a") [{:when [1] :then [2]}])"#),
            (
                "case $a { 1, 2: { 3 } default: { 4 } }",
                r#"(case (var "a") [{:when [1 2] :then [3]} {:when [(default)] :then [4]}])"#,
            ),
            (
                "case $a { /b/: { } *$c: { } }",
                r#"(case (var "a") [{:when [(regexp "b")] :then [(nop)]} {:when [(unfold (var "c"))] :then [(nop)]}])"#,
            ),
            ("$a ? { 1 => 2 }", r#"(? (var "a") [(=> 1 2)])"#),
            ("$a ? { 1 => 2, default => 3, }", r#"(? (var "a") [(=> 1 2) (=> (default) 3)])"#),
            ("$a ? 1", "Syntax error at end of input"),
            ("if (true) { 1 } [2]", "(block (if {:test (paren true) :then [1]}) (array 2))"),
        ]);
    }

    #[test]
    fn branches_that_are_none() {
        check_words(&[
            ("if { 1 }", "Syntax error at '}' (line: 1, column: 8)"),
            ("if $a", "Syntax error at end of input"),
            ("if $a { 1", "Syntax error at end of input"),
            ("if $a { 1 } else", "Syntax error at end of input"),
            ("if $a { 1 } elsif { 2 }", "Syntax error at '}' (line: 1, column: 23)"),
            ("else { 1 }", "Syntax error at 'else' (line: 1, column: 1)"),
            ("unless $a { 1 } elsif $b { 2 }", "Syntax error at 'elsif' (line: 1, column: 17)"),
            ("case $a { }", "Syntax error at '}' (line: 1, column: 11)"),
            ("case { 1: { } }", "Syntax error at ':' (line: 1, column: 9)"),
            ("case $a { 1 { } }", "Syntax error at '{' (line: 1, column: 13)"),
            ("case $a { 1: }", "Syntax error at '}' (line: 1, column: 14)"),
            (
                "case $a { default: { } default: { } }",
                "This 'case' statement already has a 'default' entry - this is a duplicate (line: 1, column: 24)",
            ),
            ("$a ? { }", "Syntax error at '}' (line: 1, column: 8)"),
            ("$a ? { 1 }", "Syntax error at '}' (line: 1, column: 10)"),
            (
                "$a ? { default => 1, default => 2 }",
                "This Selector Expression already has a 'default' entry - this is a duplicate (line: 1, column: 22)",
            ),
        ]);
    }
}
