//! Primary expressions: what starts with a token of its own.

use hierarch_source::Result;

use super::Parser;
use crate::ast::{Expr, ExprId, UnaryOp};
use crate::number::{Number, read_number};
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<ExprId> {
        let token = self.peek()?;
        let literal = match token.kind {
            TokenKind::Name => Expr::Name(token.text),
            TokenKind::TypeName => Expr::Reference(token.text),
            TokenKind::String | TokenKind::Word => Expr::String(token.text),
            TokenKind::Variable => Expr::Variable(token.text),
            TokenKind::Regex => Expr::Regex(token.text),
            TokenKind::RenderString => Expr::RenderString(token.text),
            TokenKind::True => Expr::Boolean(true),
            TokenKind::False => Expr::Boolean(false),
            TokenKind::Default => Expr::Default,
            TokenKind::Undef => Expr::Undef,
            TokenKind::Number => self.number(token)?,
            TokenKind::Attr | TokenKind::Private => Expr::Reserved(self.keyword_text(token)),
            _ => return self.compound(token),
        };
        self.lexer.advance();
        self.add(literal, token.span)
    }

    fn compound(&mut self, token: Token) -> Result<ExprId> {
        match token.kind {
            TokenKind::StringStart => self.interpolated_string(),
            TokenKind::Heredoc => self.heredoc(),
            TokenKind::LeftParen | TokenKind::LineParen => self.parenthesized(),
            TokenKind::ListStart | TokenKind::LeftBracket => self.array(),
            TokenKind::LeftBrace => self.hash(),
            TokenKind::If => self.if_expression(),
            TokenKind::Unless => self.unless_expression(),
            TokenKind::Case => self.case_expression(),
            TokenKind::Class => self.class_definition(),
            TokenKind::Define => self.define_definition(),
            TokenKind::Function => self.function_definition(),
            TokenKind::Node => self.node_definition(),
            TokenKind::Type => self.type_keyword(),
            TokenKind::RenderExpression => self.render_expression(),
            _ => self.unexpected(),
        }
    }

    fn parenthesized(&mut self) -> Result<ExprId> {
        let left = self.next()?;
        let operand = self.assignment()?;
        self.demand(TokenKind::RightParen)?;
        self.add(Expr::Unary { op: UnaryOp::Paren, operand }, left.span)
    }

    fn number(&mut self, token: Token) -> Result<Expr> {
        let number = read_number(self.text(token.text)).map_err(|error| self.place(error, token.span))?;
        Ok(match number {
            Number::Integer { value, radix } => Expr::Integer { value, radix },
            Number::TooLarge { radix } => Expr::BigInteger { digits: token.text, radix },
            Number::Float(value) => Expr::Float(value),
        })
    }

    /// Returns the text of a keyword that stands for a word.
    pub(super) fn keyword_text(&mut self, token: Token) -> crate::ast::Text {
        self.lexer.own_text(token.kind.spelling().unwrap_or_default())
    }
}
