//! Statements, and calls that need no parentheses.

use hierarch_source::{Result, Span};

use super::Parser;
use crate::ast::{Expr, ExprId};
use crate::issues;
use crate::token::TokenKind;

/// One statement as written: an expression, or a comma list that must turn out to be arguments.
enum Item {
    One(ExprId),
    Many { arguments: Vec<ExprId>, comma: Span },
}

impl Parser<'_> {
    /// Parses one or more statements and leaves them on the stack of pending ids, above the returned mark.
    pub(super) fn statements(&mut self) -> Result<usize> {
        let mut items = vec![self.item()?];
        loop {
            if self.take(TokenKind::Semicolon)?.is_some() || starts_statement(self.kind()?) {
                items.push(self.item()?);
            } else {
                return self.with_calls(items);
            }
        }
    }

    /// Parses statements if there are any, as a block that is located where its container is.
    pub(super) fn optional_body(&mut self, container: Span) -> Result<Option<ExprId>> {
        if !starts_statement(self.kind()?) {
            return Ok(None);
        }
        let start = self.statements()?;
        let list = self.list_from(start);
        self.add(Expr::Block(list), Span::point(container.start)).map(Some)
    }

    /// Parses `{ statements }` as one expression; nothing for empty braces. Returns the closing brace too.
    pub(super) fn braced(&mut self) -> Result<(Option<ExprId>, Span)> {
        let left = self.demand(TokenKind::LeftBrace)?.span;
        if let Some(right) = self.take(TokenKind::RightBrace)? {
            return Ok((None, right.span));
        }
        let start = self.statements()?;
        let right = self.demand(TokenKind::RightBrace)?.span;
        let body = self.block_or_single(start, Some(left.to(right)))?;
        Ok((Some(body), right))
    }

    /// Turns pending statements into one expression: a block if there are several.
    pub(super) fn block_or_single(&mut self, start: usize, braces: Option<Span>) -> Result<ExprId> {
        if let [single] = self.pending[start..] {
            self.pending.truncate(start);
            return Ok(single);
        }
        let list = self.list_from(start);
        let statements = self.ast.list(list);
        let (first, last) = (statements[0], statements[statements.len() - 1]);
        let span = braces.unwrap_or_else(|| self.ast.span(first).to(self.ast.span(last)));
        self.add(Expr::Block(list), span)
    }

    fn item(&mut self) -> Result<Item> {
        let first = self.assignment()?;
        let Some(comma) = self.take(TokenKind::Comma)? else { return Ok(Item::One(first)) };
        let mut arguments = vec![first, self.assignment()?];
        while self.take(TokenKind::Comma)?.is_some() {
            arguments.push(self.assignment()?);
        }
        Ok(Item::Many { arguments, comma: comma.span })
    }

    /// Gives each name of a statement function the item behind it as arguments.
    fn with_calls(&mut self, items: Vec<Item>) -> Result<usize> {
        let start = self.pending.len();
        for item in items {
            let last = self.pending[start..].last().copied();
            match (last.filter(|&last| self.is_statement_function(last)), item) {
                (Some(name), Item::One(argument)) => self.call_statement(name, &[argument])?,
                (Some(name), Item::Many { arguments, .. }) => self.call_statement(name, &arguments)?,
                (None, Item::One(expr)) => {
                    self.mark_as_statement(expr);
                    self.pending.push(expr);
                }
                (None, Item::Many { comma, .. }) => return Err(self.stray_arguments(last, comma)),
            }
        }
        Ok(start)
    }

    fn call_statement(&mut self, name: ExprId, arguments: &[ExprId]) -> Result<()> {
        let span =
            arguments.last().map_or(self.ast.span(name), |&last| self.span_from(name, self.ast.span(last)));
        let arguments = self.ast.add_list(arguments);
        let call = self.add(Expr::Call { functor: name, arguments, lambda: None, statement: true }, span)?;
        self.pending.pop();
        self.pending.push(call);
        Ok(())
    }

    fn stray_arguments(&self, last: Option<ExprId>, comma: Span) -> hierarch_source::Error {
        let error = match last.map(|last| self.ast.expr(last)) {
            Some(Expr::Name(name)) => issues::arguments_without_parentheses(self.text(name)),
            _ => issues::illegal_comma_list(),
        };
        self.place(error, comma)
    }

    fn mark_as_statement(&mut self, id: ExprId) {
        if let Expr::Call { functor, arguments, lambda, .. } = self.ast.expr(id) {
            self.ast.set_expr(id, Expr::Call { functor, arguments, lambda, statement: true });
        }
    }

    /// Tells whether this is the name of a function that may be called without parentheses.
    pub(super) fn is_statement_function(&self, id: ExprId) -> bool {
        let Expr::Name(name) = self.ast.expr(id) else { return false };
        matches!(
            self.text(name),
            "require"
                | "realize"
                | "include"
                | "contain"
                | "tag"
                | "debug"
                | "info"
                | "notice"
                | "warning"
                | "err"
                | "fail"
                | "import"
                | "break"
                | "next"
                | "return"
        )
    }
}

/// Tells whether a token can be the first of a statement.
pub(super) fn starts_statement(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        At | AtAt
            | Class
            | Minus
            | Star
            | Bang
            | LeftParen
            | LineParen
            | Variable
            | Case
            | If
            | Unless
            | Define
            | Node
            | RenderString
            | RenderExpression
            | Function
            | Type
            | Attr
            | Private
            | ListStart
            | LeftBracket
            | LeftBrace
            | Regex
            | String
            | Word
            | StringStart
            | Heredoc
            | TypeName
            | Number
            | True
            | False
            | Default
            | Undef
            | Name
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    #[test]
    fn calls_without_parentheses() {
        check_trees(&[
            ("notice 1", r#"(invoke {:functor (qn "notice") :args [1]})"#),
            ("notice 1, 2", r#"(invoke {:functor (qn "notice") :args [1 2]})"#),
            ("notice $x", r#"(invoke {:functor (qn "notice") :args [(var "x")]})"#),
            ("notice [1]", r#"(invoke {:functor (qn "notice") :args [(array 1)]})"#),
            ("notice {a => 1}", r#"(invoke {:functor (qn "notice") :args [(hash (=> "a" 1))]})"#),
            ("include a, b", r#"(invoke {:functor (qn "include") :args [(qn "a") (qn "b")]})"#),
            ("include a::b", r#"(invoke {:functor (qn "include") :args [(qn "a::b")]})"#),
            ("require 'a'", r#"(invoke {:functor (qn "require") :args ["a"]})"#),
            (r#"fail "x""#, r#"(invoke {:functor (qn "fail") :args ["x"]})"#),
            (
                "notice(1)\nnotice(2)",
                r#"(block (invoke {:functor (qn "notice") :args [1]}) (invoke {:functor (qn "notice") :args [2]}))"#,
            ),
            (
                "notice 1\nnotice 2",
                r#"(block (invoke {:functor (qn "notice") :args [1]}) (invoke {:functor (qn "notice") :args [2]}))"#,
            ),
            ("realize A[1]", r#"(invoke {:functor (qn "realize") :args [(access (qr "A") 1)]})"#),
            ("contain a", r#"(invoke {:functor (qn "contain") :args [(qn "a")]})"#),
            ("tag a", r#"(invoke {:functor (qn "tag") :args [(qn "a")]})"#),
            ("return", r#"(qn "return")"#),
            ("return()", r#"(invoke {:functor (qn "return") :args []})"#),
            ("break()", r#"(invoke {:functor (qn "break") :args []})"#),
            ("next 1", r#"(invoke {:functor (qn "next") :args [1]})"#),
            (
                "f(1) |$x| { 2 }",
                r#"(invoke {:functor (qn "f") :args [1] :block (lambda {:params {:x {}} :body [2]})})"#,
            ),
            (
                "$x.f |$y| { 2 }",
                r#"(call-method {:functor (. (var "x") (qn "f")) :args [] :block (lambda {:params {:y {}} :body [2]})})"#,
            ),
            ("f |$x| { 1 }", "Syntax error at '|' (line: 1, column: 3)"),
            ("f() || { 1 }", r#"(invoke {:functor (qn "f") :args [] :block (lambda {:body [1]})})"#),
            ("f(1, 2,)", r#"(invoke {:functor (qn "f") :args [1 2]})"#),
            ("f(*$a)", r#"(invoke {:functor (qn "f") :args [(unfold (var "a"))]})"#),
        ]);
    }

    #[test]
    fn statements_that_are_none() {
        check_words(&[
            (
                "foo 1",
                "This Name has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
            ),
            (
                "foo 1, 2",
                "attempt to pass argument list to the function 'foo' which cannot be called without parentheses (line: 1, column: 6)",
            ),
            (
                "foo 'a'",
                "This Name has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
            ),
            ("include", "valid"),
            ("notice 1,", "Syntax error at end of input"),
            ("f(", "Syntax error at end of input"),
            ("f(1", "Syntax error at end of input"),
            ("f(,)", "Syntax error at ',' (line: 1, column: 3)"),
            ("f(1) |$x|", "Syntax error at end of input"),
            ("f(1) |$x { }", "Syntax error at '{' (line: 1, column: 10)"),
            (
                "f(1) { }",
                "Expression is not valid as a resource, resource-default, or resource-override (line: 1, column: 1)",
            ),
            ("|$x| { 1 }", "Syntax error at '|' (line: 1, column: 1)"),
        ]);
    }
}
