//! What Puppet's model of programs calls a node: `LiteralInteger`, `IfExpression`. One message of the type system shows it.

use crate::ast::{BinaryOp, Expr, UnaryOp};

/// Returns the class of an expression that can stand between brackets; all others are just expressions.
pub fn class_name(expr: Expr) -> &'static str {
    match expr {
        Expr::Undef => "LiteralUndef",
        Expr::Default => "LiteralDefault",
        Expr::Boolean(_) => "LiteralBoolean",
        Expr::Integer { .. } | Expr::BigInteger { .. } => "LiteralInteger",
        Expr::Float(_) => "LiteralFloat",
        Expr::String(_) => "LiteralString",
        Expr::Regex(_) => "LiteralRegularExpression",
        Expr::Name(_) => "QualifiedName",
        Expr::Reference(_) => "QualifiedReference",
        Expr::Reserved(_) => "ReservedWord",
        Expr::Variable(_) => "VariableExpression",
        Expr::Concat(_) => "ConcatenatedString",
        Expr::Heredoc { .. } => "HeredocExpression",
        Expr::Array(_) => "LiteralList",
        Expr::Hash(_) => "LiteralHash",
        Expr::Access { .. } => "AccessExpression",
        Expr::Call { .. } => "CallNamedFunctionExpression",
        Expr::MethodCall { .. } => "CallMethodExpression",
        Expr::If { .. } => "IfExpression",
        Expr::Unless { .. } => "UnlessExpression",
        Expr::Case { .. } => "CaseExpression",
        Expr::Selector { .. } => "SelectorExpression",
        Expr::Unary { op, .. } => class_of_unary(op),
        Expr::Binary { op, .. } => class_of_binary(op),
        _ => "Expression",
    }
}

fn class_of_unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "NotExpression",
        UnaryOp::Minus => "UnaryMinusExpression",
        UnaryOp::Unfold => "UnfoldExpression",
        UnaryOp::Paren => "ParenthesizedExpression",
    }
}

fn class_of_binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "AndExpression",
        BinaryOp::Or => "OrExpression",
        BinaryOp::In => "InExpression",
        BinaryOp::Match | BinaryOp::NoMatch => "MatchExpression",
        op if op.is_comparison() => "ComparisonExpression",
        op if op.is_assignment() => "AssignmentExpression",
        op if op.is_relationship() => "RelationshipExpression",
        _ => "ArithmeticExpression",
    }
}
