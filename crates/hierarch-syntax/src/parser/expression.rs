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

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    #[test]
    fn operators_and_their_places() {
        check_trees(&[
            ("1 + 2 * 3", "(+ 1 (* 2 3))"),
            ("(1 + 2) * 3", "(* (paren (+ 1 2)) 3)"),
            ("-1 + 2", "(+ -1 2)"),
            ("!true == false", "(== (! true) false)"),
            ("!$a and $b", r#"(and (! (var "a")) (var "b"))"#),
            ("$a or $b and $c", r#"(or (var "a") (and (var "b") (var "c")))"#),
            ("1 - -1", "(- 1 -1)"),
            ("$a = $b = 1", r#"(= (var "a") (= (var "b") 1))"#),
            ("$a =~ /b/ and $c", r#"(and (=~ (var "a") (regexp "b")) (var "c"))"#),
            ("$a in $b in $c", r#"(in (in (var "a") (var "b")) (var "c"))"#),
            ("1 < 2 == true", "(< 1 (== 2 true))"),
            ("1 << 2 + 3", "(<< 1 (+ 2 3))"),
            ("$a ? { 1 => 2 } + 1", r#"(+ (? (var "a") [(=> 1 2)]) 1)"#),
            ("*$a", r#"(unfold (var "a"))"#),
            ("[*$a, 1]", r#"(array (unfold (var "a")) 1)"#),
            (
                "$a.b.c",
                r#"(call-method {:functor (. (call-method {:functor (. (var "a") (qn "b")) :args []}) (qn "c")) :args []})"#,
            ),
            (
                "$a.b[0].c",
                r#"(call-method {:functor (. (access (call-method {:functor (. (var "a") (qn "b")) :args []}) 0) (qn "c")) :args []})"#,
            ),
            ("$a[1][2]", r#"(access (access (var "a") 1) 2)"#),
            ("$a[1, 2]", r#"(access (var "a") 1 2)"#),
            ("f(1)[0]", r#"(access (call {:functor (qn "f") :args [1]}) 0)"#),
            ("(1)", "(paren 1)"),
            ("((1))", "(paren (paren 1))"),
            ("-(1)", "(- (paren 1))"),
            (
                "$a -> $b ~> $c <- $d <~ $e",
                r#"(<~ (<- (~> (-> (var "a") (var "b")) (var "c")) (var "d")) (var "e"))"#,
            ),
        ]);
    }

    #[test]
    fn operators_without_what_they_need() {
        check_words(&[
            ("1 +", "Syntax error at end of input"),
            ("+ 1", "Syntax error at '+' (line: 1, column: 1)"),
            ("1 + + 2", "Syntax error at '+' (line: 1, column: 5)"),
            ("* 1", "valid"),
            ("1 ==", "Syntax error at end of input"),
            ("and 1", "Syntax error at 'and' (line: 1, column: 1)"),
            ("1 in", "Syntax error at end of input"),
            ("$a =", "Syntax error at end of input"),
            ("= 1", "Syntax error at '=' (line: 1, column: 1)"),
            ("!", "Syntax error at end of input"),
            ("-", "Syntax error at end of input"),
            ("()", "Syntax error at ')' (line: 1, column: 2)"),
            (
                "1 2",
                "This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
            ),
            ("1, 2", "illegal comma separated argument list (line: 1, column: 2)"),
        ]);
    }
}
