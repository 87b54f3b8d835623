//! Values that can be told without evaluating, to find equal keys and types that are not literal.

use std::fmt;

use crate::ast::{Ast, Expr, ExprId, List, UnaryOp};
use crate::number::{float_text, in_radix};

/// A value as Ruby would compare it: numbers by kind, names and strings alike.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Literal {
    Undef,
    Default,
    Boolean(bool),
    /// In decimal, so that its length does not matter.
    Integer(String),
    /// The bits of a float.
    Float(u64),
    Text(String),
    Regex(String),
    Array(Vec<Literal>),
    Hash(Vec<(Literal, Literal)>),
}

impl Literal {
    /// Returns the value of a literal expression, if it is one.
    pub(super) fn of(ast: &Ast, id: ExprId) -> Option<Self> {
        Some(match ast.expr(id) {
            Expr::Undef => Self::Undef,
            Expr::Default => Self::Default,
            Expr::Boolean(value) => Self::Boolean(value),
            Expr::Integer { value, .. } => Self::Integer(value.to_string()),
            Expr::BigInteger { digits, .. } => Self::Integer(in_radix(ast.text(digits), 10)),
            Expr::Float(value) => Self::Float(value.to_bits()),
            Expr::String(text) | Expr::Name(text) | Expr::RenderString(text) => {
                Self::Text(ast.text(text).to_owned())
            }
            Expr::Reference(text) => Self::Text(ast.text(text).to_ascii_lowercase()),
            Expr::Regex(text) => Self::Regex(ast.text(text).to_owned()),
            Expr::Unary { op: UnaryOp::Minus, operand } => Self::of(ast, operand)?.negated()?,
            // Only the keys count: to the reference `A[1]` and `B[1]` are equal keys.
            Expr::Access { keys, .. } if !is_single_array(ast, keys) => Self::Array(Self::list(ast, keys)?),
            Expr::Array(list) => Self::Array(Self::list(ast, list)?),
            Expr::Hash(list) => {
                Self::Hash(ast.list(list).iter().map(|&id| Self::entry(ast, id)).collect::<Option<_>>()?)
            }
            Expr::Concat(list) => match *ast.list(list) {
                [single] if matches!(ast.expr(single), Expr::String(_)) => Self::of(ast, single)?,
                _ => return None,
            },
            _ => return None,
        })
    }

    fn list(ast: &Ast, list: List) -> Option<Vec<Self>> {
        ast.list(list).iter().map(|&id| Self::of(ast, id)).collect()
    }

    fn entry(ast: &Ast, id: ExprId) -> Option<(Self, Self)> {
        match ast.expr(id) {
            Expr::Entry { key, value } => Some((Self::of(ast, key)?, Self::of(ast, value)?)),
            _ => None,
        }
    }

    fn negated(self) -> Option<Self> {
        match self {
            Self::Integer(digits) => Some(Self::Integer(format!("-{digits}"))),
            Self::Float(bits) => Some(Self::Float((-f64::from_bits(bits)).to_bits())),
            // Minus a string is the string itself in Ruby.
            Self::Text(text) => Some(Self::Text(text)),
            _ => None,
        }
    }
}

/// `Optional[[String]]` is not a literal type.
fn is_single_array(ast: &Ast, keys: List) -> bool {
    matches!(ast.list(keys), &[only] if matches!(ast.expr(only), Expr::Array(_)))
}

/// The value as a message shows it: plain on top, quoted inside collections.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undef => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Default => f.write_str("default"),
            Self::Regex(source) => f.write_str(&hierarch_regex::as_group(source)),
            other => other.inspect(f),
        }
    }
}

impl Literal {
    fn inspect(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undef => f.write_str("nil"),
            Self::Default => f.write_str(":default"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Integer(digits) => f.write_str(digits),
            Self::Float(bits) => f.write_str(&float_text(f64::from_bits(*bits))),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Regex(source) => write!(f, "/{source}/"),
            Self::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    item.inspect(f)?;
                }
                f.write_str("]")
            }
            Self::Hash(entries) => {
                f.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    key.inspect(f)?;
                    f.write_str("=>")?;
                    value.inspect(f)?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_words;

    #[test]
    fn reserved_words_and_type_names() {
        check_words(&[
            (
                "attr",
                "Use of reserved word: attr, must be quoted if intended to be a String value (line: 1, column: 1)",
            ),
            (
                "private",
                "Use of reserved word: private, must be quoted if intended to be a String value (line: 1, column: 1)",
            ),
            (
                "$x = attr",
                "Use of reserved word: attr, must be quoted if intended to be a String value (line: 1, column: 6)",
            ),
            (
                "$x = private",
                "Use of reserved word: private, must be quoted if intended to be a String value (line: 1, column: 6)",
            ),
            ("$x = type", "Syntax error at end of input"),
            ("$x = function", "Syntax error at end of input"),
            ("$x = application", "valid"),
            ("$x = consumes", "valid"),
            ("$x = produces", "valid"),
            ("$x = site", "valid"),
            ("$x = plan", "valid"),
            ("$x = apply", "valid"),
            ("$x = node", "Syntax error at end of input"),
            ("$x = class", "Syntax error at end of input"),
            ("$x = define", "Syntax error at end of input"),
            ("$x = inherits", "Syntax error at 'inherits' (line: 1, column: 6)"),
            ("$x = if", "Syntax error at end of input"),
            ("$x = in", "Syntax error at 'in' (line: 1, column: 6)"),
        ]);
    }
}
