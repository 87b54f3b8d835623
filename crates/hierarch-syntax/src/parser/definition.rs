//! Classes, defined types, functions, nodes and types.

use hierarch_source::{Result, Span};

use super::Parser;
use super::collection::Elements;
use crate::ast::{Definition, Expr, ExprId, List, Text};
use crate::issues;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    pub(super) fn class_definition(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        let name = self.definition_name()?;
        self.namespace.push(name.text);
        let parameters = self.parameter_list()?;
        let parent = self.class_parent()?;
        let (body, right) = self.definition_body(keyword)?;
        self.namespace.pop();
        let name = self.qualified(name.text);
        let definition = Definition { name, parent, parameters, body, returns: None };
        self.define(Expr::Class, definition, keyword.to(right))
    }

    pub(super) fn define_definition(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        let name = self.definition_name()?;
        let parameters = self.parameter_list()?;
        let (body, right) = self.definition_body(keyword)?;
        let name = self.qualified(name.text);
        let definition = Definition { name, parent: None, parameters, body, returns: None };
        self.define(Expr::Define, definition, keyword.to(right))
    }

    pub(super) fn function_definition(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        let name = self.definition_name()?.text;
        let parameters = self.parameter_list()?;
        let returns = self.return_type()?;
        let (body, right) = self.definition_body(keyword)?;
        let definition = Definition { name, parent: None, parameters, body, returns };
        self.define(Expr::Function, definition, keyword.to(right))
    }

    fn define(
        &mut self,
        kind: fn(crate::ast::DefinitionId) -> Expr,
        definition: Definition,
        span: Span,
    ) -> Result<ExprId> {
        let definition = self.ast.add_definition(definition);
        self.remember(kind(definition), span)
    }

    /// Adds a definition and lists it.
    fn remember(&mut self, expr: Expr, span: Span) -> Result<ExprId> {
        let id = self.add(expr, span)?;
        self.definitions.push(id);
        Ok(id)
    }

    fn definition_body(&mut self, keyword: Span) -> Result<(Option<ExprId>, Span)> {
        self.demand(TokenKind::LeftBrace)?;
        let body = self.optional_body(keyword)?;
        let right = self.demand(TokenKind::RightBrace)?.span;
        Ok((body, right))
    }

    fn definition_name(&mut self) -> Result<Token> {
        let token = self.peek()?;
        match token.kind {
            TokenKind::Name | TokenKind::Word | TokenKind::TypeName => {
                self.lexer.advance();
                Ok(token)
            }
            TokenKind::Class => Err(self.place(issues::class_keyword_as_name(), token.span)),
            TokenKind::String => Err(self.place(issues::quoted_name(), token.span)),
            _ => self.unexpected(),
        }
    }

    /// Puts the names of the enclosing classes in front.
    fn qualified(&mut self, name: Text) -> Text {
        if self.namespace.is_empty() {
            return name;
        }
        let parts = self.namespace.iter().copied().chain([name]);
        let joined = parts.map(|part| self.text(part)).collect::<Vec<_>>().join("::");
        let joined = joined.strip_prefix("::").unwrap_or(&joined).to_owned();
        self.lexer.own_text(&joined)
    }

    fn class_parent(&mut self) -> Result<Option<Text>> {
        if self.take(TokenKind::Inherits)?.is_none() {
            return Ok(None);
        }
        if let Some(default) = self.take(TokenKind::Default)? {
            return Ok(Some(self.keyword_text(default)));
        }
        Ok(Some(self.definition_name()?.text))
    }

    pub(super) fn node_definition(&mut self) -> Result<ExprId> {
        let keyword = self.next()?.span;
        let mark = self.pending.len();
        loop {
            let host = self.host()?;
            self.pending.push(host);
            let more = |kind| !matches!(kind, TokenKind::LeftBrace | TokenKind::Inherits);
            if self.take(TokenKind::Comma)?.is_none() || !more(self.kind()?) {
                break;
            }
        }
        let hosts = self.list_from(mark);
        let parent = if self.take(TokenKind::Inherits)?.is_some() { Some(self.host()?) } else { None };
        let (body, right) = self.definition_body(keyword)?;
        self.remember(Expr::NodeDefinition { hosts, parent, body }, keyword.to(right))
    }

    /// What a node definition matches: a name, a string, a regular expression, or `default`.
    fn host(&mut self) -> Result<ExprId> {
        let token = self.peek()?;
        let literal = match token.kind {
            TokenKind::Name | TokenKind::Number => return self.dotted_name(),
            TokenKind::StringStart => return self.interpolated_string(),
            TokenKind::Heredoc => return self.heredoc(),
            TokenKind::String | TokenKind::Word => Expr::String(token.text),
            TokenKind::Default => Expr::Default,
            TokenKind::Regex => Expr::Regex(token.text),
            _ => return self.unexpected(),
        };
        self.lexer.advance();
        self.add(literal, token.span)
    }

    /// `www.example.com`, as one string.
    fn dotted_name(&mut self) -> Result<ExprId> {
        let first = self.next()?;
        let mut span = first.span;
        let mut name = self.text(first.text).to_owned();
        while self.take(TokenKind::Dot)?.is_some() {
            let part = self.peek()?;
            if !matches!(part.kind, TokenKind::Name | TokenKind::Number) {
                return self.unexpected();
            }
            self.lexer.advance();
            name.push('.');
            name.push_str(self.text(part.text));
            span = span.to(part.span);
        }
        let text = if span == first.span { first.text } else { self.lexer.own_text(&name) };
        self.add(Expr::String(text), span)
    }

    /// `type`: a call, an alias, a mapping, or a definition of the kind that is not supported yet.
    pub(super) fn type_keyword(&mut self) -> Result<ExprId> {
        let keyword = self.next()?;
        if self.kind()? == TokenKind::LeftParen {
            let name = self.keyword_text(keyword);
            let functor = self.add(Expr::Name(name), keyword.span)?;
            return self.call(functor);
        }
        if self.kind()? == TokenKind::TypeName
            && matches!(self.second_kind()?, TokenKind::LeftBrace | TokenKind::Inherits)
        {
            return self.type_definition(keyword.span);
        }
        let left = self.parameter_type()?;
        self.demand(TokenKind::Assign)?;
        let right = self.aliased_type()?;
        let span = self.span_from(left, self.ast.span(right));
        match self.ast.expr(left) {
            Expr::Reference(name) => {
                let type_expr = self.object_type(right)?;
                self.remember(Expr::TypeAlias { name, type_expr }, span)
            }
            _ => self.remember(Expr::TypeMapping { left, right }, span),
        }
    }

    fn type_definition(&mut self, keyword: Span) -> Result<ExprId> {
        let name = self.demand(TokenKind::TypeName)?.text;
        let parent = if self.take(TokenKind::Inherits)?.is_some() {
            Some(self.demand(TokenKind::TypeName)?.text)
        } else {
            None
        };
        let (body, right) = self.definition_body(keyword)?;
        let definition = Definition { name, parent, parameters: List::default(), body, returns: None };
        self.define(Expr::TypeDefinition, definition, keyword.to(right))
    }

    /// The right side of a type alias. `Parent { … }` comes as an entry, to be made an object type.
    fn aliased_type(&mut self) -> Result<ExprId> {
        match self.kind()? {
            TokenKind::LeftBrace => return self.hash(),
            TokenKind::ListStart | TokenKind::LeftBracket => return self.array(),
            _ => {}
        }
        let token = self.demand(TokenKind::TypeName)?;
        let name = self.add(Expr::Reference(token.text), token.span)?;
        match self.kind()? {
            TokenKind::LeftBrace => {
                let attributes = self.hash()?;
                self.add(Expr::Entry { key: name, value: attributes }, token.span)
            }
            TokenKind::LeftBracket => {
                self.lexer.advance();
                let keys = self.elements(Elements::Keys, Some(TokenKind::RightBracket))?;
                let right = self.demand(TokenKind::RightBracket)?.span;
                self.add(Expr::Access { left: name, keys }, token.span.to(right))
            }
            _ => Ok(name),
        }
    }

    /// `{ … }` and `Parent { … }` stand for `Object[{ … }]`, with the parent as one more entry.
    fn object_type(&mut self, right: ExprId) -> Result<ExprId> {
        let span = self.ast.span(right);
        match self.ast.expr(right) {
            Expr::Hash(_) => {
                let object = self.word_node("Object", Expr::Reference, span)?;
                self.access_one(object, right, span)
            }
            Expr::Entry { key: parent, value: attributes } => {
                let is_plain = matches!(self.ast.expr(parent), Expr::Reference(name) if matches!(self.text(name), "Object" | "TypeSet"));
                if is_plain {
                    return self.access_one(parent, attributes, span);
                }
                let attributes = self.with_parent(attributes, parent)?;
                let object = self.word_node("Object", Expr::Reference, span)?;
                self.access_one(object, attributes, span)
            }
            _ => Ok(right),
        }
    }

    fn with_parent(&mut self, attributes: ExprId, parent: ExprId) -> Result<ExprId> {
        let Expr::Hash(entries) = self.ast.expr(attributes) else { return Ok(attributes) };
        let span = self.ast.span(attributes);
        let key = self.word_node("parent", Expr::Name, span)?;
        let entry = self.add(Expr::Entry { key, value: parent }, Span::point(span.start))?;
        let mut ids = self.ast.list(entries).to_vec();
        ids.push(entry);
        let entries = self.ast.add_list(&ids);
        self.add(Expr::Hash(entries), span)
    }

    fn word_node(&mut self, word: &str, make: fn(Text) -> Expr, container: Span) -> Result<ExprId> {
        let text = self.lexer.own_text(word);
        self.add(make(text), Span::point(container.start))
    }

    fn access_one(&mut self, left: ExprId, key: ExprId, span: Span) -> Result<ExprId> {
        let keys = self.ast.add_list(&[key]);
        self.add(Expr::Access { left, keys }, Span::point(span.start))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    #[test]
    fn definitions_and_their_parameters() {
        check_trees(&[
            ("class a { }", r#"(class {:name "a"})"#),
            ("class a::b { }", r#"(class {:name "a::b"})"#),
            ("class a($x) { }", r#"(class {:name "a" :params {:x {}}})"#),
            ("class a($x = 1, $y) { }", r#"(class {:name "a" :params {:x {:value 1} :y {}}})"#),
            (
                "class a(Integer $x, Array[String] $y = []) { }",
                r#"(class {:name "a" :params {:x {:type (qr "Integer")} :y {:type (access (qr "Array") (qr "String")) :value (array)}}})"#,
            ),
            ("class a inherits b { }", r#"(class {:name "a" :parent "b"})"#),
            (
                "class a($x) inherits b { $y = 1 }",
                r#"(class {:name "a" :parent "b" :params {:x {}} :body [(= (var "y") 1)]})"#,
            ),
            ("class a() { }", r#"(class {:name "a"})"#),
            ("class a($x,) { }", r#"(class {:name "a" :params {:x {}}})"#),
            ("define a { }", r#"(define {:name "a"})"#),
            (
                "define a::b($x = $title) { }",
                r#"(define {:name "a::b" :params {:x {:value (var "title")}}})"#,
            ),
            ("function f() { 1 }", r#"(function {:name "f" :body [1]})"#),
            ("function f() >> Integer { 1 }", r#"(function {:name "f" :body [1] :returns (qr "Integer")})"#),
            ("function a::b() { }", r#"(function {:name "a::b"})"#),
            ("node a { }", r#"(node {:matches ["a"]})"#),
            ("node 'a', 'b' { }", r#"(node {:matches ["a" "b"]})"#),
            ("node /a/ { }", r#"(node {:matches [(regexp "a")]})"#),
            ("node default { }", "(node {:matches [(default)]})"),
            ("node a.b.c { }", r#"(node {:matches ["a.b.c"]})"#),
            ("type A = Integer", r#"(type-alias "A" (qr "Integer"))"#),
            (
                "type A::B = Variant[Integer, String]",
                r#"(type-alias "A::B" (access (qr "Variant") (qr "Integer") (qr "String")))"#,
            ),
            (
                "type A = Object[{attributes => {a => Integer}}]",
                r#"(type-alias "A" (access (qr "Object") (hash (=> (qn "attributes") (hash (=> (qn "a") (qr "Integer")))))))"#,
            ),
            (
                "type A = {attributes => {a => Integer}}",
                r#"(type-alias "A" (access (qr "Object") (hash (=> (qn "attributes") (hash (=> (qn "a") (qr "Integer")))))))"#,
            ),
            ("type A inherits B {a => 1}", "Syntax error at '=>' (line: 1, column: 22)"),
            (
                "plan p() { }",
                "Expression is not valid as a resource, resource-default, or resource-override (line: 1, column: 6)",
            ),
            ("application a { }", r#"(block (qn "application") (block (qn "a") (hash)))"#),
            ("site { }", r#"(block (qn "site") (hash))"#),
        ]);
    }

    /// Programs, and what Puppet makes of them.
    const DEFINITIONS_THAT_ARE_NONE: &[(&str, &str)] = &[
        ("class { }", "Syntax error at '}' (line: 1, column: 9)"),
        (
            "class A { }",
            "Unacceptable name. The name 'A' is unacceptable as the name of a Host Class Definition (line: 1, column: 1)",
        ),
        ("class 1 { }", "Syntax error at '1' (line: 1, column: 7)"),
        ("class 'a' { }", "A quoted string is not valid as a name here (line: 1, column: 7)"),
        ("class a", "Syntax error at end of input"),
        ("class a {", "Syntax error at end of input"),
        ("class a($x", "Syntax error at end of input"),
        ("class a(x) { }", "Syntax error at 'x' (line: 1, column: 9)"),
        ("class a($x $y) { }", "Syntax error at 'y' (line: 1, column: 12)"),
        (
            "class a($x, $x) { }",
            "The parameter 'x' is declared more than once in the parameter list (line: 1, column: 13)",
        ),
        (
            "class a($title) { }",
            "The parameter $title redefines a built in parameter in the Host Class Definition (line: 1, column: 9)",
        ),
        ("class a($1) { }", "Language validation logged 2 errors. Giving up"),
        (
            "class a($a::b) { }",
            r"Illegal parameter name. The given name 'a::b' does not conform to the naming rule /^[a-z_]\w*$/ (line: 1, column: 9)",
        ),
        (
            "class a(*$x) { }",
            "Parameter $x has 'captures rest' - not supported in a Host Class Definition (line: 1, column: 10)",
        ),
        ("class a { class b { } }", "valid"),
        ("class a { define b { } }", "valid"),
        (
            "if true { class a { } }",
            "Classes, definitions, and nodes may only appear at toplevel or inside other classes (line: 1, column: 11)",
        ),
        ("function f { }", "valid"),
        (
            "function F() { }",
            "Unacceptable name. The name 'F' is unacceptable as the name of a Function Definition (line: 1, column: 1)",
        ),
        (
            "function f() { class a { } }",
            "Classes, definitions, and nodes may only appear at toplevel or inside other classes (line: 1, column: 16)",
        ),
        (
            "if true { function f() { } }",
            "Classes, definitions, and nodes may only appear at toplevel or inside other classes (line: 1, column: 11)",
        ),
        (
            "define d(*$x) { }",
            "Parameter $x has 'captures rest' - not supported in a 'define' expression (line: 1, column: 11)",
        ),
        (
            "define A { }",
            "Unacceptable name. The name 'A' is unacceptable as the name of a 'define' expression (line: 1, column: 1)",
        ),
        (
            "node a inherits b { }",
            "Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation (line: 1, column: 17)",
        ),
        (
            r#"node "a${x}" { }"#,
            "An interpolated expression is not allowed in a hostname of a node (line: 1, column: 10)",
        ),
        (
            "node 'a b' { }",
            "The hostname 'a b' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed) (line: 1, column: 6)",
        ),
        (
            "node a { node b { } }",
            "Classes, definitions, and nodes may only appear at toplevel or inside other classes (line: 1, column: 10)",
        ),
        ("type a = Integer", "Syntax error at 'a' (line: 1, column: 6)"),
        ("type A", "Syntax error at end of input"),
        ("type A =", "Syntax error at end of input"),
        ("type Integer = String", "valid"),
        (
            "class integer { }",
            "The name: 'integer' is already defined by Puppet and can not be used as the name of a Host Class Definition. (line: 1, column: 1)",
        ),
        ("class a::integer { }", "valid"),
        (
            "class any { }",
            "The name: 'any' is already defined by Puppet and can not be used as the name of a Host Class Definition. (line: 1, column: 1)",
        ),
        (
            "define string { }",
            "The name: 'string' is already defined by Puppet and can not be used as the name of a 'define' expression. (line: 1, column: 1)",
        ),
        ("$x = class a { }", "Language validation logged 2 errors. Giving up"),
        (
            "class a { 1 }",
            "This Literal Integer has no effect. A Host Class Definition can not end with a value-producing expression without other effect (line: 1, column: 11)",
        ),
        (
            "define a { 'x' }",
            "This String has no effect. A 'define' expression can not end with a value-producing expression without other effect (line: 1, column: 12)",
        ),
        (
            "node a { 1 }",
            "This Literal Integer has no effect. A Node Definition can not end with a value-producing expression without other effect (line: 1, column: 10)",
        ),
        ("class private { }", "Syntax error at 'private' (line: 1, column: 7)"),
        ("function f() { $x = $x + 1 }", "valid"),
        ("class a($x = $y = 1) { }", "Syntax error at '=' (line: 1, column: 17)"),
    ];

    #[test]
    fn definitions_that_are_none() {
        check_words(DEFINITIONS_THAT_ARE_NONE);
    }
}
