//! Resources, their defaults and overrides, and collectors.

use hierarch_source::{Result, Span};

use super::Parser;
use crate::ast::{Expr, ExprId, Form, List};
use crate::issues;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    /// Parses an expression with any resource bodies behind it; tells whether there were none.
    pub(super) fn resource(&mut self) -> Result<(ExprId, bool)> {
        let (mut left, mut is_expression) = match self.kind()? {
            TokenKind::At | TokenKind::AtAt => return Ok((self.nested(Self::marked_resource)?, false)),
            TokenKind::Class if self.second_kind()? == TokenKind::LeftBrace => {
                (self.class_resource()?, false)
            }
            _ => (self.expression(0)?, true),
        };
        while self.kind()? == TokenKind::LeftBrace {
            left = self.resource_in_braces(left)?;
            is_expression = false;
        }
        Ok((left, is_expression))
    }

    /// `@` or `@@` and what it applies to.
    fn marked_resource(&mut self) -> Result<ExprId> {
        let mark = self.next()?;
        let (id, _) = self.resource()?;
        let form = if mark.kind == TokenKind::At { Form::Virtual } else { Form::Exported };
        let marked = match self.ast.expr(id) {
            Expr::Resource { type_name, bodies, .. } => Expr::Resource { type_name, bodies, form },
            Expr::ResourceDefaults { type_ref, operations, .. } => {
                Expr::ResourceDefaults { type_ref, operations, form }
            }
            Expr::ResourceOverride { resources, operations, .. } => {
                Expr::ResourceOverride { resources, operations, form }
            }
            _ => {
                let error = if form == Form::Virtual {
                    issues::not_virtualizable()
                } else {
                    issues::not_exportable()
                };
                return Err(self.place(error, mark.span));
            }
        };
        self.ast.set_expr(id, marked);
        let span = mark.span.to(self.ast.span(id));
        self.relocate(id, span);
        Ok(id)
    }

    /// Moves a resource, and its bodies with it: they are located where the resource is.
    fn relocate(&mut self, id: ExprId, span: Span) {
        self.ast.set_span(id, span);
        if let Expr::Resource { bodies, .. } = self.ast.expr(id) {
            for body in self.ast.list(bodies).to_vec() {
                self.ast.set_span(body, Span::point(span.start));
            }
        }
    }

    fn class_resource(&mut self) -> Result<ExprId> {
        let keyword = self.next()?;
        self.demand(TokenKind::LeftBrace)?;
        let name = self.keyword_text(keyword);
        let type_name = self.add(Expr::Name(name), Span::point(keyword.span.start))?;
        let mark = self.pending.len();
        let body = self.resource_body(keyword.span)?;
        self.pending.push(body);
        self.more_bodies(keyword.span)?;
        self.finish_resource(type_name, mark, keyword.span)
    }

    fn resource_in_braces(&mut self, left: ExprId) -> Result<ExprId> {
        let brace = self.next()?;
        if self.starts_operations()? {
            let operations = self.operations()?;
            let right = self.demand(TokenKind::RightBrace)?.span;
            return self.untitled_resource(left, brace, operations, right);
        }
        let start = self.ast.span(left);
        let mark = self.pending.len();
        let body = self.resource_body(start)?;
        self.pending.push(body);
        self.more_bodies(start)?;
        self.finish_resource(left, mark, start)
    }

    fn resource_body(&mut self, container: Span) -> Result<ExprId> {
        let title = self.expression(0)?;
        self.demand(TokenKind::Colon)?;
        let operations = self.operations()?;
        self.add(Expr::ResourceBody { title, operations }, Span::point(container.start))
    }

    /// Further bodies, each behind one `;`; one more may stand before the closing brace.
    fn more_bodies(&mut self, container: Span) -> Result<()> {
        while self.take(TokenKind::Semicolon)?.is_some() {
            if self.kind()? == TokenKind::RightBrace {
                break;
            }
            let body = self.resource_body(container)?;
            self.pending.push(body);
        }
        Ok(())
    }

    fn finish_resource(&mut self, type_name: ExprId, mark: usize, start: Span) -> Result<ExprId> {
        let right = self.demand(TokenKind::RightBrace)?.span;
        let bodies = self.list_from(mark);
        self.add(Expr::Resource { type_name, bodies, form: Form::Regular }, start.to(right))
    }

    /// Tells whether attributes follow a brace, or nothing: then there is no title.
    fn starts_operations(&mut self) -> Result<bool> {
        let kind = self.kind()?;
        Ok(match kind {
            TokenKind::RightBrace | TokenKind::Comma => true,
            TokenKind::Star => self.second_kind()? == TokenKind::FatArrow,
            _ => {
                kind.names_attribute()
                    && matches!(self.second_kind()?, TokenKind::FatArrow | TokenKind::PlusArrow)
            }
        })
    }

    /// Parses attributes and the comma that may stand behind them.
    fn operations(&mut self) -> Result<List> {
        let mark = self.pending.len();
        loop {
            if self.starts_operation()? {
                let operation = self.operation()?;
                self.pending.push(operation);
            }
            if self.take(TokenKind::Comma)?.is_none() || !self.starts_operation()? {
                return Ok(self.list_from(mark));
            }
        }
    }

    fn starts_operation(&mut self) -> Result<bool> {
        let kind = self.kind()?;
        Ok(kind == TokenKind::Star || kind.names_attribute())
    }

    fn operation(&mut self) -> Result<ExprId> {
        let name = self.next()?;
        let arrow = self.kind()?;
        let append = arrow == TokenKind::PlusArrow && name.kind != TokenKind::Star;
        if !append && arrow != TokenKind::FatArrow {
            return self.unexpected();
        }
        self.lexer.advance();
        let value = self.expression(0)?;
        let span = name.span.to(self.ast.span(value));
        if name.kind == TokenKind::Star {
            return self.add(Expr::AttributeHash(value), span);
        }
        let text = if name.kind == TokenKind::Name { name.text } else { self.keyword_text(name) };
        self.add(Expr::Attribute { name: text, append, value }, span)
    }

    /// Decides what braces without a title mean from what stands before them.
    fn untitled_resource(
        &mut self,
        left: ExprId,
        brace: Token,
        operations: List,
        right: Span,
    ) -> Result<ExprId> {
        let span = self.span_from(left, right);
        match self.ast.expr(left) {
            Expr::Name(_) => self.name_and_hash(left, operations, brace.span, span),
            Expr::Reference(_) => {
                self.add(Expr::ResourceDefaults { type_ref: left, operations, form: Form::Regular }, span)
            }
            Expr::Access { left: base, keys } if keys.len() == 1 && self.is_resource_type(base) => {
                self.add(Expr::ResourceDefaults { type_ref: left, operations, form: Form::Regular }, span)
            }
            Expr::Access { .. } => {
                self.add(Expr::ResourceOverride { resources: left, operations, form: Form::Regular }, span)
            }
            _ => Err(self.place(issues::not_a_resource(), self.ast.span(left))),
        }
    }

    fn is_resource_type(&self, id: ExprId) -> bool {
        matches!(self.ast.expr(id), Expr::Reference(name) if self.text(name).eq_ignore_ascii_case("resource"))
    }

    /// `name { a => 1 }` is a name and then a hash: a call if the name is a statement function.
    fn name_and_hash(&mut self, name: ExprId, operations: List, brace: Span, span: Span) -> Result<ExprId> {
        let mut entries = Vec::with_capacity(operations.len());
        for operation in self.ast.list(operations).to_vec() {
            let (key, value) = match self.ast.expr(operation) {
                Expr::Attribute { append: true, .. } => {
                    return Err(self.place(issues::resource_without_title_appends(), brace));
                }
                Expr::Attribute { name, value, .. } => {
                    (self.add(Expr::String(name), Span::point(brace.start))?, value)
                }
                // The reference loses both sides of `* =>` here.
                _ => {
                    let nop = self.add(Expr::Nop, Span::point(brace.start))?;
                    (nop, nop)
                }
            };
            entries.push(self.add(Expr::Entry { key, value }, Span::point(brace.start))?);
        }
        let entries = self.ast.add_list(&entries);
        let hash = self.add(Expr::Hash(entries), Span::new(brace.start, span.end))?;
        if self.is_statement_function(name) {
            let arguments = self.ast.add_list(&[hash]);
            return self.add(Expr::Call { functor: name, arguments, lambda: None, statement: true }, span);
        }
        let both = self.ast.add_list(&[name, hash]);
        self.add(Expr::Block(both), span)
    }

    /// `<| query |>` or `<<| query |>>` behind a type, and the attributes that may follow.
    pub(super) fn collector(&mut self, type_expr: ExprId) -> Result<ExprId> {
        let open = self.next()?;
        let exported = open.kind == TokenKind::ExportedCollectorStart;
        let closing = if exported { TokenKind::ExportedCollectorEnd } else { TokenKind::CollectorEnd };
        let expr = if self.kind()? == closing { None } else { Some(self.expression(0)?) };
        let close = self.demand(closing)?.span;
        let query = self.add(Expr::Query { exported, expr }, open.span.to(close))?;
        let mut end = close;
        let mut operations = List::default();
        if self.take(TokenKind::LeftBrace)?.is_some() {
            operations = self.operations()?;
            end = self.demand(TokenKind::RightBrace)?.span;
        }
        let span = self.span_from(type_expr, end);
        self.add(Expr::Collector { type_expr, query, operations }, span)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    /// Programs, and what Puppet makes of them.
    const RESOURCES_AND_THEIR_BODIES: &[(&str, &str)] = &[
        ("file { 'a': }", r#"(resource {:type (qn "file") :bodies [{:title "a" :ops []}]})"#),
        (
            "file { 'a': ensure => file }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops [(=> "ensure" (qn "file"))]}]})"#,
        ),
        (
            "file { 'a': ensure => file, }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops [(=> "ensure" (qn "file"))]}]})"#,
        ),
        (
            "file { 'a': ; 'b': }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops []} {:title "b" :ops []}]})"#,
        ),
        (
            "file { ['a', 'b']: mode => 1 }",
            r#"(resource {:type (qn "file") :bodies [{:title (array "a" "b") :ops [(=> "mode" 1)]}]})"#,
        ),
        (
            "file { default: a => 1; 'b': }",
            r#"(resource {:type (qn "file") :bodies [{:title (default) :ops [(=> "a" 1)]} {:title "b" :ops []}]})"#,
        ),
        (
            "file { 'a': * => $x }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops [(splat-hash (var "x"))]}]})"#,
        ),
        (
            "file { 'a': a => 1, * => $x }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops [(=> "a" 1) (splat-hash (var "x"))]}]})"#,
        ),
        ("File { a => 1 }", r#"(resource-defaults {:type (qr "File") :ops [(=> "a" 1)]})"#),
        (
            "File['a'] { a => 1 }",
            r#"(resource-override {:resources (access (qr "File") "a") :ops [(=> "a" 1)]})"#,
        ),
        (
            "File['a'] { a +> 1 }",
            r#"(resource-override {:resources (access (qr "File") "a") :ops [(+> "a" 1)]})"#,
        ),
        (
            "@file { 'a': }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops []}] :form "virtual"})"#,
        ),
        (
            "@@file { 'a': }",
            r#"(resource {:type (qn "file") :bodies [{:title "a" :ops []}] :form "exported"})"#,
        ),
        (
            "class { 'a': b => 1 }",
            r#"(resource {:type (qn "class") :bodies [{:title "a" :ops [(=> "b" 1)]}]})"#,
        ),
        ("a::b { 'c': }", r#"(resource {:type (qn "a::b") :bodies [{:title "c" :ops []}]})"#),
        ("::a { 'c': }", r#"(resource {:type (qn "::a") :bodies [{:title "c" :ops []}]})"#),
        (
            "Resource['file'] { 'a': }",
            r#"(resource {:type (access (qr "Resource") "file") :bodies [{:title "a" :ops []}]})"#,
        ),
        ("$x { 'a': }", r#"(resource {:type (var "x") :bodies [{:title "a" :ops []}]})"#),
        ("'file' { 'a': }", r#"(resource {:type "file" :bodies [{:title "a" :ops []}]})"#),
        ("File <| |>", r#"(collect {:type (qr "File") :query (virtual-query)})"#),
        ("File <| a == 1 |>", r#"(collect {:type (qr "File") :query (virtual-query (== (qn "a") 1))})"#),
        (
            "File <| a == 1 and b != 2 or (c == 3) |>",
            r#"(collect {:type (qr "File") :query (virtual-query (or (and (== (qn "a") 1) (!= (qn "b") 2)) (paren (== (qn "c") 3))))})"#,
        ),
        (
            "File <| |> { a => 1 }",
            r#"(collect {:type (qr "File") :query (virtual-query) :ops [(=> "a" 1)]})"#,
        ),
        ("File <<| |>>", r#"(collect {:type (qr "File") :query (exported-query)})"#),
        (
            "File <<| a == 1 |>> { b +> 1 }",
            r#"(collect {:type (qr "File") :query (exported-query (== (qn "a") 1)) :ops [(+> "b" 1)]})"#,
        ),
        (
            "file { 'a': } -> file { 'b': }",
            r#"(-> (resource {:type (qn "file") :bodies [{:title "a" :ops []}]}) (resource {:type (qn "file") :bodies [{:title "b" :ops []}]}))"#,
        ),
    ];

    #[test]
    fn resources_and_their_bodies() {
        check_trees(RESOURCES_AND_THEIR_BODIES);
    }

    #[test]
    fn resources_that_are_none() {
        check_words(&[
            ("file { 'a' }", "Syntax error at '}' (line: 1, column: 12)"),
            ("file { 'a': a 1 }", "Syntax error at '1' (line: 1, column: 15)"),
            ("file { 'a': a => }", "Syntax error at '}' (line: 1, column: 18)"),
            ("file { 'a': a => 1 b => 2 }", "Syntax error at 'b' (line: 1, column: 20)"),
            ("file { : }", "Syntax error at ':' (line: 1, column: 8)"),
            ("file { 'a': 'b': }", "Syntax error at 'b' (line: 1, column: 13)"),
            (
                "file { mode => 1 }",
                "This expression is invalid. Did you try declaring a 'file' resource without a title? (line: 1, column: 1)",
            ),
            ("file { 'a': a => 1, a => 2 }", "valid"),
            ("File['a'] { 'b': }", "valid"),
            ("@File { a => 1 }", "Resource Defaults are not virtualizable (line: 1, column: 1)"),
            ("@File['a'] { a => 1 }", "Resource Defaults are not virtualizable (line: 1, column: 1)"),
            ("@class { 'a': }", "Classes are not virtualizable (line: 1, column: 1)"),
            ("@1", "Virtual (@) can only be applied to a Resource Expression (line: 1, column: 1)"),
            ("@@$x", "Exported (@@) can only be applied to a Resource Expression (line: 1, column: 1)"),
            (
                "file { 'a': a +> 1 }",
                "Illegal +> operation on attribute a. This operator can not be used in a Resource Instance Definition (line: 1, column: 13)",
            ),
            (
                "File { a +> 1 }",
                "Illegal +> operation on attribute a. This operator can not be used in a Resource Defaults Expression (line: 1, column: 8)",
            ),
            ("1 { 'a': }", "valid"),
            ("File <| a |>", "valid"),
            (
                "File <| a > 1 |>",
                "Illegal query expression. A '>' expression cannot be used in a query (line: 1, column: 11)",
            ),
            ("File <| a == b and |>", "Syntax error at '|>' (line: 1, column: 20)"),
            (
                "file <| |>",
                "Illegal expression. A Name is unacceptable as type name in a Virtual Query (line: 1, column: 1)",
            ),
            ("File <| 1 == a |>", "valid"),
        ]);
    }
}
