//! Ruby programs as the interpreter walks them: locals are numbered, names interned, literals made.

use std::sync::Arc;

use ecow::EcoString;
use num_bigint::BigInt;

use crate::value::{Sym, names};

/// A whole file or template.
#[derive(Debug)]
pub struct Program {
    /// What runs.
    pub body: Expression,
    /// The names of its local variables; a slot each.
    pub locals: Vec<Sym>,
    /// The name of the file, as `__FILE__` gives it.
    pub file: Arc<str>,
    /// The methods that its text defines, wherever: their names and the columns of these, which Puppet takes for lines.
    pub defined: Vec<(Sym, u32)>,
}

/// One expression, and the line it starts on.
#[derive(Debug)]
pub struct Expression {
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
pub type Pair = (Option<Expression>, Expression);

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
    Interpolated(Vec<Expression>),
    Symbol(Sym),
    InterpolatedSymbol(Vec<Expression>),
    Regexp {
        source: EcoString,
        options: u8,
    },
    InterpolatedRegexp {
        parts: Vec<Expression>,
        options: u8,
    },
    Array(Vec<Expression>),
    Hash(Vec<Pair>),
    Range {
        from: Option<Box<Expression>>,
        to: Option<Box<Expression>>,
        exclusive: bool,
    },
    File,
    Local(Slot),
    Instance(Sym),
    Global(Sym),
    ClassVariable(Sym),
    Constant(Sym),
    /// `A::B`; without a scope, `::B`.
    ConstantIn(Option<Box<Expression>>, Sym),
    GroupReference(u32),
    MatchReference(char),
    Assign(Box<Target>, Box<Expression>),
    MultipleAssign(Box<Multiple>, Box<Expression>),
    Update(Box<Update>),
    Sequence(Vec<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    If {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    Loop(Box<Loop>),
    For {
        target: Box<Target>,
        over: Box<Expression>,
        block: Arc<Block>,
    },
    Case(Box<Case>),
    CaseIn(Box<CaseIn>),
    MatchPattern {
        value: Box<Expression>,
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
    Return(Option<Box<Expression>>),
    /// `break` out of a block, or out of a loop.
    Break {
        value: Option<Box<Expression>>,
        of_loop: bool,
    },
    Next {
        value: Option<Box<Expression>>,
        of_loop: bool,
    },
    Redo {
        of_loop: bool,
    },
    Retry,
    Splat(Box<Expression>),
    Lambda(Arc<Block>),
    Define(Arc<Define>),
    Class {
        path: Box<Expression>,
        superclass: Option<Box<Expression>>,
        body: Arc<Body>,
    },
    Module {
        path: Box<Expression>,
        body: Arc<Body>,
    },
    Singleton {
        of: Box<Expression>,
        body: Arc<Body>,
    },
    Alias(Box<Expression>, Box<Expression>),
    AliasGlobal(Sym, Sym),
    Undefine(Vec<Expression>),
    Defined(Box<Expression>),
    /// `/(?<x>..)/ =~ text`, which sets locals.
    MatchWrite {
        call: Box<Expression>,
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
    ConstantIn(Option<Expression>, Sym),
    Index {
        receiver: Expression,
        arguments: Arguments,
    },
    Attribute {
        receiver: Expression,
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
pub struct Multiple {
    /// Those before the rest, or all of them.
    pub lefts: Vec<Target>,
    /// The target of `*x`; nothing inside for a bare `*`.
    pub rest: Option<Option<Box<Target>>>,
    /// Those behind the rest.
    pub rights: Vec<Target>,
}

/// `target op= value`
#[derive(Debug)]
pub struct Update {
    /// What is read and written.
    pub target: Target,
    /// What joins the old value and the new one.
    pub operator: Operator,
    /// What stands behind the `=`.
    pub value: Expression,
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
pub struct Loop {
    /// What is asked before each round.
    pub condition: Expression,
    /// What each round runs.
    pub body: Expression,
    /// Whether it goes on while the condition is false.
    pub until: bool,
    /// `begin … end while x` runs once before it asks.
    pub body_first: bool,
}

/// `case x when …`
#[derive(Debug)]
pub struct Case {
    /// What is compared; nothing where each `when` is a condition.
    pub subject: Option<Expression>,
    /// The values of each `when`, and what it runs.
    pub branches: Vec<(Vec<Expression>, Expression)>,
    /// The `else`; `nil` where there is none.
    pub otherwise: Expression,
}

/// `case x in …`
#[derive(Debug)]
pub struct CaseIn {
    /// What is matched.
    pub subject: Expression,
    /// Each `in`, in order.
    pub branches: Vec<InBranch>,
    /// The `else`; without it, a value that nothing matches is an error.
    pub otherwise: Option<Expression>,
}

/// One `in` of a `case`.
#[derive(Debug)]
pub struct InBranch {
    /// What the value must be like.
    pub pattern: Pattern,
    /// The condition, and whether it must be false (`unless`).
    pub guard: Option<(Expression, bool)>,
    /// What runs where it is.
    pub body: Expression,
}

/// Patterns of `in`.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is named after what Ruby calls it")]
pub enum Pattern {
    Value(Expression),
    Bind(Slot),
    Ignore,
    Capture(Box<Pattern>, Slot),
    Either(Box<Pattern>, Box<Pattern>),
    Array { of: Option<Expression>, before: Vec<Pattern>, rest: Option<Option<Slot>>, after: Vec<Pattern> },
    Find { of: Option<Expression>, left: Option<Slot>, middle: Vec<Pattern>, right: Option<Slot> },
    Hash { of: Option<Expression>, pairs: Vec<(Sym, Pattern)>, rest: HashRest },
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
pub struct Begin {
    /// What is tried.
    pub body: Expression,
    /// Each `rescue`, in order.
    pub rescues: Vec<Rescue>,
    /// The `else`, which runs where nothing was raised.
    pub otherwise: Option<Expression>,
    /// What runs in any case.
    pub ensure: Option<Expression>,
}

/// One `rescue`.
#[derive(Debug)]
pub struct Rescue {
    /// The exceptions it takes; none means `StandardError`.
    pub classes: Vec<Expression>,
    /// Where the exception goes: `=> e`.
    pub target: Option<Target>,
    /// What runs then.
    pub body: Expression,
}

/// What is handed over in parentheses.
#[derive(Debug, Default)]
pub struct Arguments {
    /// In order; some may be [`Kind::Splat`].
    pub items: Vec<Expression>,
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
    Pass(Box<Expression>),
}

/// A call of a method.
#[derive(Debug)]
pub struct Call {
    /// Nothing when the call is to `self`.
    pub receiver: Option<Expression>,
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
    /// The frequent form that it has, if any.
    pub shortcut: Shortcut,
}

/// Forms of calls that are so frequent that they are tried without a search for the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortcut {
    /// None of them.
    None,
    /// An operator with an integer behind it: `a + 1`
    Integer,
    /// A text that is appended: `a << "text"`
    Append,
    /// What a value says of itself, appended to a variable: `a << (b).to_s`
    Output,
    /// An entry by a text: `a["text"]`
    Entry,
    /// A comparison with a text: `a == "text"`, `a != "text"`
    Equal,
}

impl Shortcut {
    /// Returns the form of a call.
    pub fn of(
        receiver: Option<&Expression>,
        name: Sym,
        arguments: &Arguments,
        block: &BlockArgument,
    ) -> Self {
        let is_plain = arguments.keywords.is_empty() && matches!(block, BlockArgument::None);
        let (Some(receiver), [only], true) = (receiver, arguments.items.as_slice(), is_plain) else {
            return Self::None;
        };
        match (&only.kind, name) {
            (Kind::Integer(_), _) if INTEGER_OPERATORS.contains(&name) => Self::Integer,
            (Kind::Text { .. }, names::SHL) => Self::Append,
            (Kind::Text { .. }, names::INDEX) => Self::Entry,
            (Kind::Text { .. }, names::EQ | names::NEQ) => Self::Equal,
            (Kind::Call(said), names::SHL)
                if matches!(receiver.kind, Kind::Local(_)) && said.is_plain_to_s() =>
            {
                Self::Output
            }
            _ => Self::None,
        }
    }
}

const INTEGER_OPERATORS: [Sym; 7] =
    [names::PLUS, names::MINUS, names::LT, names::GT, names::LE, names::GE, names::EQ];

impl Call {
    /// Tells whether it is `(value).to_s`.
    fn is_plain_to_s(&self) -> bool {
        let is_said = self.receiver.as_ref().is_some_and(|said| !matches!(said.kind, Kind::Myself));
        let takes_nothing = self.arguments.items.is_empty() && self.arguments.keywords.is_empty();
        self.name == names::TO_S
            && is_said
            && takes_nothing
            && !self.is_safe
            && matches!(self.block, BlockArgument::None)
    }
}

/// A block, or the body of a lambda.
#[derive(Debug)]
pub struct Block {
    /// What it takes.
    pub parameters: Parameters,
    /// Whether it says so between bars.
    pub has_parameters: bool,
    /// What it runs.
    pub body: Expression,
    /// The names of its slots.
    pub locals: Vec<Sym>,
    /// The line it begins on.
    pub line: u32,
}

/// `def`
#[derive(Debug)]
pub struct Define {
    /// The method's name.
    pub name: Sym,
    /// `def self.x`
    pub on: Option<Expression>,
    /// What it takes.
    pub parameters: Parameters,
    /// What it runs.
    pub body: Expression,
    /// The names of its slots.
    pub locals: Vec<Sym>,
    /// The line it begins on.
    pub line: u32,
}

/// The body of a class or module.
#[derive(Debug)]
pub struct Body {
    /// What it runs.
    pub body: Expression,
    /// The names of its slots.
    pub locals: Vec<Sym>,
}

/// What a method, block or lambda takes.
#[derive(Debug, Default)]
pub struct Parameters {
    /// `a`, `(a, b)`
    pub required: Vec<Parameter>,
    /// `a = 1`
    pub optional: Vec<(Sym, u32, Expression)>,
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
pub struct Keyword {
    /// Its name, without the colon.
    pub name: Sym,
    /// Where its value is kept.
    pub slot: u32,
    /// What it is when it is not given; nothing where it must be.
    pub default: Option<Expression>,
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

impl Expression {
    /// Makes a node.
    pub fn new(line: u32, kind: Kind) -> Self {
        Self { line, kind }
    }
}
