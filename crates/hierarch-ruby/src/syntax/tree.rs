//! Ruby programs as the interpreter walks them: locals are numbered, names interned, literals made.

use std::sync::Arc;

use ecow::EcoString;
use num_bigint::BigInt;

use crate::value::Sym;

/// A whole file or template.
#[derive(Debug)]
pub struct Program {
    /// What runs.
    pub body: Node,
    /// The names of its local variables; a slot each.
    pub locals: Vec<Sym>,
    /// The name of the file, as `__FILE__` gives it.
    pub file: Arc<str>,
    /// The methods that its text defines, wherever: their names and the columns of these, which Puppet takes for lines.
    pub defined: Vec<(Sym, u32)>,
}

/// One expression, and the line it starts on.
#[derive(Debug)]
pub struct Node {
    /// Counted from 1.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
}

/// A local variable: how many scopes out, and which slot there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// 0 is the innermost scope.
    pub depth: u32,
    /// Its place in that scope.
    pub index: u32,
}

/// A key and a value of a hash; without a key, a hash that is spread (`**h`).
pub type Pair = (Option<Node>, Node);

/// All kinds of expressions.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is named after what Ruby calls it")]
pub enum Kind {
    Nil,
    True,
    False,
    Myself,
    Integer(i64),
    Big(Arc<BigInt>),
    Float(f64),
    Rational(Arc<(BigInt, BigInt)>),
    Text {
        text: EcoString,
        frozen: bool,
    },
    Bytes(Arc<[u8]>),
    Interpolated(Vec<Node>),
    Symbol(Sym),
    InterpolatedSymbol(Vec<Node>),
    Regexp {
        source: EcoString,
        options: u8,
    },
    InterpolatedRegexp {
        parts: Vec<Node>,
        options: u8,
    },
    Array(Vec<Node>),
    Hash(Vec<Pair>),
    Range {
        from: Option<Box<Node>>,
        to: Option<Box<Node>>,
        exclusive: bool,
    },
    File,
    Local(Slot),
    Instance(Sym),
    Global(Sym),
    ClassVariable(Sym),
    Constant(Sym),
    /// `A::B`; without a scope, `::B`.
    ConstantIn(Option<Box<Node>>, Sym),
    GroupReference(u32),
    MatchReference(char),
    Assign(Box<Target>, Box<Node>),
    MultipleAssign(Box<Multiple>, Box<Node>),
    Update(Box<Update>),
    Sequence(Vec<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Not(Box<Node>),
    If {
        condition: Box<Node>,
        then: Box<Node>,
        otherwise: Box<Node>,
    },
    Loop(Box<Loop>),
    For {
        target: Box<Target>,
        over: Box<Node>,
        block: Arc<Block>,
    },
    Case(Box<Case>),
    CaseIn(Box<CaseIn>),
    MatchPattern {
        value: Box<Node>,
        pattern: Box<Pattern>,
        required: bool,
    },
    Begin(Box<Begin>),
    Call(Box<Call>),
    Super {
        arguments: Option<Arguments>,
        block: BlockArgument,
    },
    Yield(Arguments),
    Return(Option<Box<Node>>),
    /// `break` out of a block, or out of a loop.
    Break {
        value: Option<Box<Node>>,
        of_loop: bool,
    },
    Next {
        value: Option<Box<Node>>,
        of_loop: bool,
    },
    Redo {
        of_loop: bool,
    },
    Retry,
    Splat(Box<Node>),
    Lambda(Arc<Block>),
    Define(Arc<Define>),
    Class {
        path: Box<Node>,
        superclass: Option<Box<Node>>,
        body: Arc<Body>,
    },
    Module {
        path: Box<Node>,
        body: Arc<Body>,
    },
    Singleton {
        of: Box<Node>,
        body: Arc<Body>,
    },
    Alias(Box<Node>, Box<Node>),
    AliasGlobal(Sym, Sym),
    Undefine(Vec<Node>),
    Defined(Box<Node>),
    /// `/(?<x>..)/ =~ text`, which sets locals.
    MatchWrite {
        call: Box<Node>,
        targets: Vec<(EcoString, Slot)>,
    },
    /// A construct that never runs here.
    Unsupported(&'static str),
}

/// What can be assigned to.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is named after what Ruby calls it")]
pub enum Target {
    Local(Slot),
    Instance(Sym),
    Global(Sym),
    ClassVariable(Sym),
    Constant(Sym),
    ConstantIn(Option<Node>, Sym),
    Index {
        receiver: Node,
        arguments: Arguments,
    },
    Attribute {
        receiver: Node,
        name: Sym,
        safe: bool,
    },
    Multiple(Multiple),
    /// `*x`, inside of [`Multiple`] only; nothing for a bare `*`.
    Splat(Option<Box<Target>>),
    /// Anything else, which never runs here.
    Unsupported(&'static str),
}

/// `a, (b, *c), d`
#[derive(Debug)]
#[expect(missing_docs, reason = "in the order in which they are written")]
pub struct Multiple {
    pub lefts: Vec<Target>,
    /// The target of `*x`; nothing inside for a bare `*`.
    pub rest: Option<Option<Box<Target>>>,
    pub rights: Vec<Target>,
}

/// `target op= value`
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Update {
    pub target: Target,
    pub operator: Operator,
    pub value: Node,
}

/// What stands before the `=` of an update.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "`||`, `&&`, or the name of a method")]
pub enum Operator {
    Or,
    And,
    Method(Sym),
}

/// `while` and `until`.
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Loop {
    pub condition: Node,
    pub body: Node,
    pub until: bool,
    /// `begin … end while x` runs once before it asks.
    pub body_first: bool,
}

/// `case x when …`
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Case {
    pub subject: Option<Node>,
    pub branches: Vec<(Vec<Node>, Node)>,
    pub otherwise: Node,
}

/// `case x in …`
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct CaseIn {
    pub subject: Node,
    pub branches: Vec<InBranch>,
    pub otherwise: Option<Node>,
}

/// One `in` of a `case`.
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct InBranch {
    pub pattern: Pattern,
    /// The condition, and whether it must be false (`unless`).
    pub guard: Option<(Node, bool)>,
    pub body: Node,
}

/// Patterns of `in`.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is named after what Ruby calls it")]
pub enum Pattern {
    Value(Node),
    Bind(Slot),
    Ignore,
    Capture(Box<Pattern>, Slot),
    Either(Box<Pattern>, Box<Pattern>),
    Array { of: Option<Node>, before: Vec<Pattern>, rest: Option<Option<Slot>>, after: Vec<Pattern> },
    Find { of: Option<Node>, left: Option<Slot>, middle: Vec<Pattern>, right: Option<Slot> },
    Hash { of: Option<Node>, pairs: Vec<(Sym, Pattern)>, rest: HashRest },
}

/// What a pattern says of the keys it does not name.
#[derive(Debug)]
#[expect(missing_docs, reason = "`{a:}`, `{a:, **nil}`, `{a:, **rest}`")]
pub enum HashRest {
    Any,
    None,
    Bind(Slot),
}

/// `begin … rescue … else … ensure … end`
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Begin {
    pub body: Node,
    pub rescues: Vec<Rescue>,
    pub otherwise: Option<Node>,
    pub ensure: Option<Node>,
}

/// One `rescue`.
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Rescue {
    pub classes: Vec<Node>,
    pub target: Option<Target>,
    pub body: Node,
}

/// What is handed over in parentheses.
#[derive(Debug, Default)]
pub struct Arguments {
    /// In order; some may be [`Kind::Splat`].
    pub items: Vec<Node>,
    /// `a: 1, **h`; an empty list where there are none.
    pub keywords: Vec<Pair>,
    /// Whether an item is a splat.
    pub has_splat: bool,
}

/// The block of a call.
#[derive(Debug)]
pub enum BlockArgument {
    /// None is given.
    None,
    /// `{ … }` or `do … end`.
    Literal(Arc<Block>),
    /// `&x`
    Pass(Box<Node>),
}

/// A call of a method.
#[derive(Debug)]
pub struct Call {
    /// Nothing when the call is to `self`.
    pub receiver: Option<Node>,
    /// The method's name.
    pub name: Sym,
    /// What is handed over.
    pub arguments: Arguments,
    /// The block.
    pub block: BlockArgument,
    /// `a&.b`
    pub is_safe: bool,
    /// A bare name, which might have been a variable.
    pub is_bare: bool,
    /// `a.b = c`, whose value is `c`.
    pub is_assignment: bool,
}

/// A block, or the body of a lambda.
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Block {
    pub parameters: Parameters,
    pub has_parameters: bool,
    pub body: Node,
    pub locals: Vec<Sym>,
    pub line: u32,
}

/// `def`
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Define {
    pub name: Sym,
    /// `def self.x`
    pub on: Option<Node>,
    pub parameters: Parameters,
    pub body: Node,
    pub locals: Vec<Sym>,
    pub line: u32,
}

/// The body of a class or module.
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Body {
    pub body: Node,
    pub locals: Vec<Sym>,
}

/// What a method, block or lambda takes.
#[derive(Debug, Default)]
pub struct Parameters {
    /// `a`, `(a, b)`
    pub required: Vec<Parameter>,
    /// `a = 1`
    pub optional: Vec<(Sym, u32, Node)>,
    /// `*a`, with its slot.
    pub rest: Option<(Option<Sym>, u32)>,
    /// Required ones after optional ones or a rest.
    pub post: Vec<Parameter>,
    /// `a:`, `a: 1`
    pub keywords: Vec<Keyword>,
    /// `**a`, with its slot.
    pub keyword_rest: Option<(Option<Sym>, u32)>,
    /// `**nil`
    pub no_keywords: bool,
    /// `&a`
    pub block: Option<(Option<Sym>, u32)>,
    /// `|a,|`: one parameter that takes an array apart all the same.
    pub has_excess_comma: bool,
    /// Only required ones without destructuring: the common case.
    pub is_simple: bool,
    /// How many of `_1`, `_2` a block mentions.
    pub numbered: u8,
}

/// A positional parameter.
#[derive(Debug)]
#[expect(missing_docs, reason = "a name, or a pattern")]
pub enum Parameter {
    Plain(Sym, u32),
    Destructured(Multiple),
}

/// A keyword parameter.
#[derive(Debug)]
#[expect(missing_docs, reason = "the parts as they are written")]
pub struct Keyword {
    pub name: Sym,
    pub slot: u32,
    /// What it is when it is not given; nothing where it must be.
    pub default: Option<Node>,
}

impl Parameters {
    /// Tells how many positional arguments must be given.
    pub fn least(&self) -> usize {
        self.required.len() + self.post.len()
    }

    /// Tells how many may be given; nothing where there is no end.
    pub fn most(&self) -> Option<usize> {
        self.rest.is_none().then(|| self.least() + self.optional.len())
    }

    /// Tells whether keywords are taken as such.
    pub fn has_keywords(&self) -> bool {
        !self.keywords.is_empty() || self.keyword_rest.is_some()
    }

    /// Tells whether a keyword must be given.
    pub fn needs_keywords(&self) -> bool {
        self.keywords.iter().any(|keyword| keyword.default.is_none())
    }

    /// Returns the arity of a method or lambda as Ruby counts it.
    pub fn arity(&self) -> i64 {
        let required = self.least() as i64 + i64::from(self.needs_keywords());
        let is_open = self.rest.is_some() || !self.optional.is_empty();
        if is_open || (self.has_keywords() && !self.needs_keywords()) { -required - 1 } else { required }
    }
}

impl Node {
    /// Makes a node.
    pub fn new(line: u32, kind: Kind) -> Self {
        Self { line, kind }
    }
}
