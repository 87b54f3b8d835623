//! Assignments, relationships and operators, by precedence.

use hierarch_source::Result;

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Parses an assignment: the level that statements, arguments and parentheses hold.
    pub(super) fn assignment(&mut self) -> Result<ExprId> {
        self.assignment_or_expression().map(|(id, _)| id)
    }

    /// Parses an assignment and tells whether it is a mere expression, which is all some places take.
    pub(super) fn assignment_or_expression(&mut self) -> Result<(ExprId, bool)> {
        let (left, is_expression) = self.relationship()?;
        let op = match self.kind()? {
            TokenKind::Assign => BinaryOp::Assign,
            TokenKind::PlusAssign => BinaryOp::PlusAssign,
            TokenKind::MinusAssign => BinaryOp::MinusAssign,
            _ => return Ok((left, is_expression)),
        };
        let operator = self.next()?;
        let right = self.nested(Self::assignment)?;
        Ok((self.add(Expr::Binary { op, left, right }, operator.span)?, false))
    }

    fn relationship(&mut self) -> Result<(ExprId, bool)> {
        let (mut left, mut is_expression) = self.resource()?;
        loop {
            let op = match self.kind()? {
                TokenKind::Before => BinaryOp::Before,
                TokenKind::NotifyArrow => BinaryOp::Notify,
                TokenKind::After => BinaryOp::After,
                TokenKind::SubscribeArrow => BinaryOp::Subscribe,
                _ => return Ok((left, is_expression)),
            };
            let operator = self.next()?;
            let (right, _) = self.resource()?;
            left = self.add(Expr::Binary { op, left, right }, operator.span)?;
            is_expression = false;
        }
    }

    /// Parses an expression whose operators bind tighter than `power`; 0 takes them all.
    pub(super) fn expression(&mut self, power: u8) -> Result<ExprId> {
        let left = self.operand()?;
        self.expression_from(left, power)
    }

    /// Goes on behind the first operand of an expression.
    pub(super) fn expression_from(&mut self, first: ExprId, power: u8) -> Result<ExprId> {
        let mut left = first;
        loop {
            let token = self.peek()?;
            if token.kind == TokenKind::Question {
                if SELECTOR_POWER <= power {
                    return Ok(left);
                }
                self.lexer.advance();
                left = self.nested(|parser| parser.selector(left))?;
                // The grammar takes calls, accesses and methods behind the whole selector.
                left = self.postfix(left)?;
                continue;
            }
            let Some((op, binding)) = infix(token.kind).filter(|&(_, binding)| binding > power) else {
                return Ok(left);
            };
            self.lexer.advance();
            let right = self.expression(binding)?;
            left = self.add(Expr::Binary { op, left, right }, token.span)?;
        }
    }

    /// Parses what operators stand between: prefixes, a primary, and what follows it directly.
    fn operand(&mut self) -> Result<ExprId> {
        let token = self.peek()?;
        let op = match token.kind {
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Star => UnaryOp::Unfold,
            _ => {
                return self.nested(|parser| {
                    let primary = parser.primary()?;
                    parser.postfix(primary)
                });
            }
        };
        self.lexer.advance();
        let operand = self.nested(Self::operand)?;
        self.add(Expr::Unary { op, operand }, token.span)
    }

    /// Parses calls, accesses, methods and collectors behind an expression; they bind tightest.
    pub(super) fn postfix(&mut self, mut left: ExprId) -> Result<ExprId> {
        loop {
            left = match self.kind()? {
                TokenKind::LeftParen => self.call(left)?,
                TokenKind::Dot => self.method_call(left)?,
                TokenKind::LeftBracket => self.access(left)?,
                TokenKind::CollectorStart | TokenKind::ExportedCollectorStart => self.collector(left)?,
                _ => return Ok(left),
            };
        }
    }
}

const SELECTOR_POWER: u8 = 3;

/// Returns the operator that a token is and how tightly it binds; all bind to the left.
fn infix(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::Or => (BinaryOp::Or, 1),
        TokenKind::And => (BinaryOp::And, 2),
        TokenKind::Less => (BinaryOp::Less, 4),
        TokenKind::LessEqual => (BinaryOp::LessEqual, 4),
        TokenKind::Greater => (BinaryOp::Greater, 4),
        TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, 4),
        TokenKind::Equal => (BinaryOp::Equal, 5),
        TokenKind::NotEqual => (BinaryOp::NotEqual, 5),
        TokenKind::ShiftLeft => (BinaryOp::ShiftLeft, 6),
        TokenKind::ShiftRight => (BinaryOp::ShiftRight, 6),
        TokenKind::Plus => (BinaryOp::Add, 7),
        TokenKind::Minus => (BinaryOp::Subtract, 7),
        TokenKind::Star => (BinaryOp::Multiply, 8),
        TokenKind::Slash => (BinaryOp::Divide, 8),
        TokenKind::Percent => (BinaryOp::Modulo, 8),
        TokenKind::Match => (BinaryOp::Match, 9),
        TokenKind::NoMatch => (BinaryOp::NoMatch, 9),
        TokenKind::In => (BinaryOp::In, 10),
        _ => return None,
    })
}
