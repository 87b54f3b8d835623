//! A template as a tree: expressions and statements, each with the range of its source.

use std::rc::Rc;

use hierarch_pcore::Str;

/// A range of bytes of a template's source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Range {
    pub(super) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(super) fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// An expression, where it stands, and how deep it is.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) range: Range,
    pub(super) depth: u16,
}

impl Expr {
    /// Tells whether it is the same whatever the variables are. A part that a constant decides about is not looked at; whether
    /// a constant counts as true is asked for, where that takes an evaluation.
    pub(super) fn is_constant(&self, truth: Truth) -> bool {
        match &self.kind {
            ExprKind::Const(_) => true,
            ExprKind::Name(_) | ExprKind::Call(..) => false,
            ExprKind::List(parts) | ExprKind::Tuple(parts) | ExprKind::Concat(parts) => {
                parts.iter().all(|part| part.is_constant(truth))
            }
            ExprKind::Dict(pairs) => {
                pairs.iter().all(|(key, value)| key.is_constant(truth) && value.is_constant(truth))
            }
            ExprKind::Unary(_, inner) | ExprKind::Attribute(inner, _) => inner.is_constant(truth),
            ExprKind::And(pair) => {
                pair.0.is_constant(truth) && pair.1.is_constant_unless(&pair.0, false, truth)
            }
            ExprKind::Or(pair) => {
                pair.0.is_constant(truth) && pair.1.is_constant_unless(&pair.0, true, truth)
            }
            ExprKind::Binary(_, pair) | ExprKind::Item(pair) => {
                pair.0.is_constant(truth) && pair.1.is_constant(truth)
            }
            ExprKind::Compare(first, others) => {
                first.is_constant(truth) && others.iter().all(|(_, other)| other.is_constant(truth))
            }
            ExprKind::Choice(pair, otherwise) => {
                pair.0.is_constant(truth)
                    && match (truth(&pair.0), otherwise) {
                        (Some(true), _) | (Some(false), None) => pair.1.is_constant(truth),
                        (Some(false), Some(otherwise)) => otherwise.is_constant(truth),
                        (None, _) => false,
                    }
            }
            ExprKind::Slice(value, parts) => {
                value.is_constant(truth) && parts.iter().flatten().all(|part| part.is_constant(truth))
            }
            // These are given the names that a template sees, so that Jinja2 does not evaluate them before it runs.
            ExprKind::Filter(_, name, _)
                if matches!(name.as_str(), "map" | "select" | "reject" | "selectattr" | "rejectattr") =>
            {
                false
            }
            ExprKind::Filter(value, _, arguments) => {
                value.as_ref().is_some_and(|value| value.is_constant(truth)) && arguments.are_constant(truth)
            }
            ExprKind::Test(value, _, arguments) => value.is_constant(truth) && arguments.are_constant(truth),
        }
    }

    /// Tells whether it is constant, or not looked at because another constant decides.
    fn is_constant_unless(&self, decisive: &Expr, by: bool, truth: Truth) -> bool {
        truth(decisive) == Some(by) || self.is_constant(truth)
    }
}

/// Tells whether a constant counts as true; none if it cannot be evaluated.
pub(super) type Truth<'t> = &'t mut dyn FnMut(&Expr) -> Option<bool>;

impl Arguments {
    fn are_constant(&self, truth: Truth) -> bool {
        self.star.is_none()
            && self.double_star.is_none()
            && self.positional.iter().all(|value| value.is_constant(truth))
            && self.named.iter().all(|(_, value)| value.is_constant(truth))
    }
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Const(Const),
    Name(Str),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<(Expr, Expr)>),
    And(Box<(Expr, Expr)>),
    Or(Box<(Expr, Expr)>),
    Concat(Vec<Expr>),
    Compare(Box<Expr>, Vec<(Comparison, Expr)>),
    /// `a if test else b`: test, a, b.
    Choice(Box<(Expr, Expr)>, Option<Box<Expr>>),
    Attribute(Box<Expr>, Str),
    Item(Box<(Expr, Expr)>),
    Slice(Box<Expr>, Box<[Option<Expr>; 3]>),
    Call(Box<Expr>, Arguments),
    /// Without a value, the filter of a block.
    Filter(Option<Box<Expr>>, Str, Arguments),
    Test(Box<Expr>, Str, Arguments),
}

#[derive(Clone, Debug)]
pub(super) enum Const {
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(Str),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Unary {
    Not,
    Minus,
    Plus,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
}

impl Binary {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::FloorDivide => "//",
            Self::Modulo => "%",
            Self::Power => "** or pow()",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Expr>,
    pub(super) named: Vec<(Str, Expr)>,
    pub(super) star: Option<Box<Expr>>,
    pub(super) double_star: Option<Box<Expr>>,
}

pub(super) type Body = Vec<Stmt>;

#[derive(Debug)]
pub(super) enum Stmt {
    Data(Str),
    Print(Expr),
    If(Vec<(Expr, Body)>, Body),
    For(Rc<For>),
    Set(Target, Expr),
    SetBlock(Target, Option<Expr>, Body),
    Macro(Rc<MacroDef>),
    CallBlock(Rc<MacroDef>, Expr),
    FilterBlock(Expr, Body),
    With(Vec<(Target, Expr)>, Body),
    Scoped(Body),
    Block(Rc<Block>),
    Extends(Expr),
    Include(Include),
    Import(Import),
    Do(Expr),
    Break,
    Continue,
}

/// What is assigned to.
#[derive(Debug)]
pub(super) enum Target {
    Name(Str),
    Tuple(Vec<Target>, Range),
    /// An attribute of a namespace.
    Attribute(Str, Str, Range),
}

#[derive(Debug)]
pub(super) struct For {
    pub(super) target: Target,
    pub(super) items: Expr,
    pub(super) test: Option<Expr>,
    pub(super) body: Body,
    pub(super) otherwise: Body,
    pub(super) recursive: bool,
}

/// A macro, or the body of a call block.
#[derive(Debug)]
pub(super) struct MacroDef {
    /// Nothing for the body of a call block.
    pub(super) name: Option<Str>,
    pub(super) parameters: Vec<(Str, Option<Expr>)>,
    pub(super) body: Body,
    pub(super) takes_varargs: bool,
    pub(super) takes_kwargs: bool,
    pub(super) takes_caller: bool,
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) name: Str,
    pub(super) body: Body,
    pub(super) scoped: bool,
    pub(super) required: bool,
    pub(super) range: Range,
}

#[derive(Debug)]
pub(super) struct Include {
    pub(super) template: Expr,
    pub(super) ignore_missing: bool,
    pub(super) with_context: bool,
}

/// `import … as name`, or `from … import names`.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) template: Expr,
    pub(super) with_context: bool,
    pub(super) names: ImportedNames,
}

#[derive(Debug)]
pub(super) enum ImportedNames {
    As(Str),
    Names(Vec<(Str, Str)>),
}
