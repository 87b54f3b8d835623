//! The parser: tokens to a tree, by recursive descent.
//!
//! It stops at the first error, at the same token as the reference. Its levels are those of the
//! grammar, from loose to tight: *statements*, *assignment*, *relationship*, *resource*, *expression*.
//! A resource's braces, for instance, may follow an argument of a call but not an attribute's value,
//! because an argument is an assignment and a value only an expression.

mod call;
mod collection;
mod conditional;
mod definition;
mod expression;
mod open;
mod parameter;
mod primary;
mod resource;
mod statement;
mod string;

use std::sync::Arc;

use hierarch_source::{Diagnostic, Error, Result, Source, Span};

use crate::ast::{Ast, Expr, ExprId, List, Text};
use crate::issues;
use crate::lexer::Lexer;
use crate::token::{Token, TokenKind};

/// A manifest or template that follows the grammar; validation has not seen it yet.
#[derive(Clone, Debug)]
pub struct Program {
    /// The tree.
    pub ast: Ast,
    /// Its top: a block, a single expression, or [`Expr::Nop`].
    pub root: ExprId,
    /// All definitions at any depth, in the order in which they end.
    pub definitions: Vec<ExprId>,
}

/// What parsing gave: a program or the first error, and the warnings met on the way.
#[derive(Debug)]
pub struct ParseOutcome {
    /// The program, or what is wrong with it.
    pub program: Result<Program>,
    /// What is odd about it all the same.
    pub warnings: Vec<Diagnostic>,
}

/// How deep a tree may be. Real manifests stay below 30; the reference's own stack ends not far above this.
pub const DEEPEST_NESTING: usize = 1_000;

/// Parses a manifest.
///
/// ```
/// use hierarch_source::Source;
/// let parsed = hierarch_syntax::parse(&Source::new("site.pp", "notice('hello')"));
/// assert!(parsed.program.is_ok());
/// ```
pub fn parse(source: &Arc<Source>) -> ParseOutcome {
    ParseOutcome::from(source, Lexer::new(source, source.text()), Parser::manifest)
}

/// Parses a template.
pub fn parse_epp(source: &Arc<Source>) -> ParseOutcome {
    ParseOutcome::from(source, Lexer::new_epp(source, source.text()), Parser::template)
}

impl ParseOutcome {
    fn from<'t>(
        source: &Arc<Source>,
        lexer: Result<Lexer<'t>>,
        parse: fn(&mut Parser<'t>) -> Result<ExprId>,
    ) -> ParseOutcome {
        let lexer = match lexer {
            Ok(lexer) => lexer,
            Err(error) => return ParseOutcome { program: Err(error), warnings: Vec::new() },
        };
        let mut parser = Parser::new(source, lexer);
        let root = parse(&mut parser);
        let (own_texts, warnings) = parser.lexer.finish();
        let mut ast = parser.ast;
        ast.set_own_texts(own_texts);
        let definitions = parser.definitions;
        ParseOutcome { program: root.map(|root| Program { ast, root, definitions }), warnings }
    }
}

struct Parser<'t> {
    source: Arc<Source>,
    lexer: Lexer<'t>,
    ast: Ast,
    definitions: Vec<ExprId>,
    /// The names of the classes around the current place.
    namespace: Vec<Text>,
    /// Ids that will become lists, a stack of unfinished lists one above the other.
    pending: Vec<ExprId>,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn new(source: &Arc<Source>, lexer: Lexer<'t>) -> Self {
        Self {
            source: Arc::clone(source),
            lexer,
            ast: Ast::new(source),
            definitions: Vec::new(),
            namespace: Vec::new(),
            pending: Vec::new(),
            depth: 0,
        }
    }

    fn manifest(&mut self) -> Result<ExprId> {
        if self.kind()? == TokenKind::EndOfInput {
            let end = self.peek()?.span;
            return self.add(Expr::Nop, end);
        }
        let start = self.statements()?;
        let root = self.block_or_single(start, None)?;
        self.demand(TokenKind::EndOfInput)?;
        Ok(root)
    }

    fn template(&mut self) -> Result<ExprId> {
        let start = self.demand(TokenKind::EppStart)?.span;
        let given = self.kind()? == TokenKind::Pipe;
        let parameters = if given { self.piped_parameters()? } else { List::default() };
        let body = self.optional_body(start)?;
        self.demand(TokenKind::EndOfInput)?;
        let body = self.add(Expr::Epp { parameters_given: given, body }, start)?;
        self.add(Expr::Lambda { parameters, body: Some(body), returns: None }, start)
    }

    fn peek(&mut self) -> Result<Token> {
        self.lexer.peek(0)
    }

    fn kind(&mut self) -> Result<TokenKind> {
        Ok(self.lexer.peek(0)?.kind)
    }

    fn second_kind(&mut self) -> Result<TokenKind> {
        Ok(self.lexer.peek(1)?.kind)
    }

    fn next(&mut self) -> Result<Token> {
        let token = self.lexer.peek(0)?;
        self.lexer.advance();
        Ok(token)
    }

    /// Takes the token if it is of this kind.
    fn take(&mut self, kind: TokenKind) -> Result<Option<Token>> {
        let token = self.lexer.peek(0)?;
        if token.kind != kind {
            return Ok(None);
        }
        self.lexer.advance();
        Ok(Some(token))
    }

    /// Takes a token that must be of this kind.
    fn demand(&mut self, kind: TokenKind) -> Result<Token> {
        match self.take(kind)? {
            Some(token) => Ok(token),
            None => self.unexpected(),
        }
    }

    /// Fails at the current token.
    fn unexpected<T>(&mut self) -> Result<T> {
        let token = self.lexer.peek(0)?;
        if token.kind == TokenKind::EndOfInput {
            return Err(open::error_at_end(&self.lexer));
        }
        let text = match token.kind {
            TokenKind::Regex => hierarch_regex::as_group(self.lexer.token_text(token)),
            _ => self.lexer.token_text(token).to_owned(),
        };
        Err(self.place(issues::syntax_error(&text), token.span))
    }

    fn place(&self, error: Error, span: Span) -> Error {
        error.at(&self.source, span)
    }

    /// Adds a node, unless the tree would get too deep.
    fn add(&mut self, expr: Expr, span: Span) -> Result<ExprId> {
        let (id, height) = self.ast.add(expr, span);
        if usize::from(height) > DEEPEST_NESTING {
            return Err(self.place(issues::nesting_too_deep(DEEPEST_NESTING), span));
        }
        Ok(id)
    }

    /// Runs a part of the parser that may call itself again, unless that went too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEEPEST_NESTING {
            let span = self.peek()?.span;
            return Err(self.place(issues::nesting_too_deep(DEEPEST_NESTING), span));
        }
        let result = parse(self)?;
        self.depth -= 1;
        Ok(result)
    }

    /// Makes a list of the ids gathered since `start`.
    fn list_from(&mut self, start: usize) -> List {
        let list = self.ast.add_list(&self.pending[start..]);
        self.pending.truncate(start);
        list
    }

    /// Returns the span from the start of one node to the end of a token.
    fn span_from(&self, id: ExprId, end: Span) -> Span {
        self.ast.span(id).to(end)
    }

    fn text(&self, text: Text) -> &str {
        self.lexer.text_of(text)
    }
}
