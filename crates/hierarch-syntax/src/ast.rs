//! The tree of a manifest or template: compact nodes in one vector, addressed by id.
//!
//! Nodes hold ids of other nodes, ranges of ids, and ranges of text; nothing in the tree is allocated
//! on its own. Names and strings without escapes point into the source, the others into one shared
//! buffer. A node's span starts where Puppet locates it: a binary expression at its operator, a method
//! call at its parenthesis, a hash entry at its arrow.

mod operator;

pub use operator::{BinaryOp, Form, UnaryOp};

use std::num::NonZeroU32;
use std::sync::Arc;

use hierarch_source::{Source, Span};

/// The id of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprId(NonZeroU32);

/// A range of the source, or of the tree's own text buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text {
    start: u32,
    len: u32,
}

/// A range of node ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct List {
    start: u32,
    len: u32,
}

/// The id of a [`Definition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefinitionId(u32);

/// An expression: what it is, where it stands, and how deep the tree below it is.
#[derive(Clone, Copy, Debug)]
pub struct PlacedExpr {
    /// What it is.
    pub expr: Expr,
    /// Where Puppet locates it.
    pub span: Span,
    height: u16,
}

/// What an expression is. Optional parts that are absent are `None`; lists may be empty.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the fields are the parts that the language's grammar names")]
pub enum Expr {
    /// An empty program or an empty branch.
    Nop,
    Undef,
    Default,
    Boolean(bool),
    Integer {
        value: i64,
        radix: u8,
    },
    /// An integer beyond 64 bits: it parses, and validation refuses it.
    BigInteger {
        digits: Text,
        radix: u8,
    },
    Float(f64),
    String(Text),
    /// The source of a regular expression, `\/` already turned into `/`.
    Regex(Text),
    /// A bare name: `a::b`.
    Name(Text),
    /// A type name: `A::B`.
    Reference(Text),
    Reserved(Text),
    /// A variable, without its `$`.
    Variable(Text),
    /// A string with interpolations: [`Expr::String`] and [`Expr::Interpolation`] in turn.
    Concat(List),
    Interpolation(ExprId),
    Heredoc {
        syntax: Text,
        text: ExprId,
    },
    Array(List),
    /// A hash: a list of [`Expr::Entry`].
    Hash(List),
    Entry {
        key: ExprId,
        value: ExprId,
    },
    Access {
        left: ExprId,
        keys: List,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    /// `left.name`, always the functor of a method call.
    Dot {
        left: ExprId,
        name: ExprId,
    },
    Call {
        functor: ExprId,
        arguments: List,
        lambda: Option<ExprId>,
        /// True where the call stands for its effect alone.
        statement: bool,
    },
    MethodCall {
        functor: ExprId,
        arguments: List,
        lambda: Option<ExprId>,
    },
    Lambda {
        parameters: List,
        body: Option<ExprId>,
        returns: Option<ExprId>,
    },
    Parameter {
        name: Text,
        default: Option<ExprId>,
        type_expr: Option<ExprId>,
    },
    /// `*$rest`
    RestParameter {
        name: Text,
        default: Option<ExprId>,
        type_expr: Option<ExprId>,
    },
    Block(List),
    If {
        test: ExprId,
        then: Option<ExprId>,
        otherwise: Option<ExprId>,
    },
    Unless {
        test: ExprId,
        then: Option<ExprId>,
        otherwise: Option<ExprId>,
    },
    /// A case: its options are [`Expr::CaseOption`].
    Case {
        test: ExprId,
        options: List,
    },
    CaseOption {
        values: List,
        then: Option<ExprId>,
    },
    /// `left ? { … }`: its entries are [`Expr::SelectorEntry`].
    Selector {
        left: ExprId,
        entries: List,
    },
    SelectorEntry {
        matching: ExprId,
        value: ExprId,
    },
    Class(DefinitionId),
    Define(DefinitionId),
    Function(DefinitionId),
    TypeDefinition(DefinitionId),
    NodeDefinition {
        hosts: List,
        parent: Option<ExprId>,
        body: Option<ExprId>,
    },
    TypeAlias {
        name: Text,
        type_expr: ExprId,
    },
    TypeMapping {
        left: ExprId,
        right: ExprId,
    },
    /// `type { title: … }`: its bodies are [`Expr::ResourceBody`].
    Resource {
        type_name: ExprId,
        bodies: List,
        form: Form,
    },
    ResourceBody {
        title: ExprId,
        operations: List,
    },
    ResourceDefaults {
        type_ref: ExprId,
        operations: List,
        form: Form,
    },
    ResourceOverride {
        resources: ExprId,
        operations: List,
        form: Form,
    },
    /// `name => value`, or `name +> value` where `append`.
    Attribute {
        name: Text,
        append: bool,
        value: ExprId,
    },
    /// `* => value`
    AttributeHash(ExprId),
    Collector {
        type_expr: ExprId,
        query: ExprId,
        operations: List,
    },
    Query {
        exported: bool,
        expr: Option<ExprId>,
    },
    Epp {
        parameters_given: bool,
        body: Option<ExprId>,
    },
    RenderString(Text),
    Render(ExprId),
}

/// A class, defined type, function or (unsupported) type definition.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The name, with the names of the enclosing classes in front.
    pub name: Text,
    /// The class or type it inherits from.
    pub parent: Option<Text>,
    /// Its parameters.
    pub parameters: List,
    /// What it does.
    pub body: Option<ExprId>,
    /// The type a function returns.
    pub returns: Option<ExprId>,
}

/// Texts that start at or above this are in the tree's own buffer; a source is never that long.
const OWN_TEXT: u32 = 1 << 31;

impl Text {
    /// Makes a text that is a part of the source.
    pub(crate) fn in_source(start: u32, end: u32) -> Self {
        Self { start, len: end - start }
    }

    /// Tells whether there is no text.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// The buffer for texts that do not stand in the source as they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnTexts(String);

impl OwnTexts {
    pub(crate) fn add(&mut self, text: &str) -> Text {
        let start = self.0.len() as u32;
        self.0.push_str(text);
        Text { start: start | OWN_TEXT, len: text.len() as u32 }
    }

    /// Tells whether the buffer could still take a text as long as the source.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= OWN_TEXT as usize
    }
}

impl List {
    /// Tells how many ids there are.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Tells whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A whole tree with the source it was read from.
#[derive(Clone, Debug)]
pub struct Ast {
    source: Arc<Source>,
    own_texts: OwnTexts,
    nodes: Vec<PlacedExpr>,
    lists: Vec<ExprId>,
    definitions: Vec<Definition>,
}

impl Ast {
    pub(crate) fn new(source: &Arc<Source>) -> Self {
        // About one node for every eight bytes: enough for most files without growing.
        let expected = source.text().len() / 8;
        let mut nodes = Vec::with_capacity(expected + 1);
        nodes.push(PlacedExpr { expr: Expr::Nop, span: Span::default(), height: 0 });
        Self {
            source: Arc::clone(source),
            own_texts: OwnTexts::default(),
            nodes,
            lists: Vec::with_capacity(expected),
            definitions: Vec::new(),
        }
    }

    pub(crate) fn set_own_texts(&mut self, texts: OwnTexts) {
        self.own_texts = texts;
    }

    /// Returns the source.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns what a node is.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.nodes[id.0.get() as usize].expr
    }

    /// Returns where a node stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes[id.0.get() as usize].span
    }

    /// Returns the ids in a list.
    pub fn list(&self, list: List) -> &[ExprId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Returns a text.
    pub fn text(&self, text: Text) -> &str {
        text_in(self.source.text(), &self.own_texts, text)
    }

    /// Returns a definition.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// Tells how many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Tells whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn set_span(&mut self, id: ExprId, span: Span) {
        self.nodes[id.0.get() as usize].span = span;
    }

    pub(crate) fn set_expr(&mut self, id: ExprId, expr: Expr) {
        self.nodes[id.0.get() as usize].expr = expr;
    }

    pub(crate) fn add_list(&mut self, ids: &[ExprId]) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(ids);
        List { start, len: ids.len() as u32 }
    }

    pub(crate) fn add_definition(&mut self, definition: Definition) -> DefinitionId {
        self.definitions.push(definition);
        DefinitionId(self.definitions.len() as u32 - 1)
    }

    /// Adds a node and returns its id and the height of the tree below it.
    pub(crate) fn add(&mut self, expr: Expr, span: Span) -> (ExprId, u16) {
        let mut height = 0;
        self.each_child_of(expr, |child| height = height.max(self.nodes[child.0.get() as usize].height + 1));
        let id = NonZeroU32::new(self.nodes.len() as u32).expect("there is always the unused first node");
        self.nodes.push(PlacedExpr { expr, span, height });
        (ExprId(id), height)
    }

    /// Visits the direct children of a node, in the order in which Puppet visits them.
    pub fn each_child(&self, id: ExprId, visit: impl FnMut(ExprId)) {
        self.each_child_of(self.expr(id), visit);
    }

    fn each_child_of(&self, expr: Expr, mut visit: impl FnMut(ExprId)) {
        use Expr::*;
        match expr {
            Nop
            | Undef
            | Default
            | Boolean(_)
            | Integer { .. }
            | BigInteger { .. }
            | Float(_)
            | String(_)
            | Regex(_)
            | Name(_)
            | Reference(_)
            | Reserved(_)
            | Variable(_)
            | RenderString(_) => {}
            Interpolation(a) | AttributeHash(a) | Render(a) => visit(a),
            Heredoc { text: a, .. } | Unary { operand: a, .. } | TypeAlias { type_expr: a, .. } => visit(a),
            Attribute { value: a, .. } => visit(a),
            Concat(list) | Array(list) | Hash(list) | Block(list) => self.each_of(list, visit),
            Entry { key: a, value: b }
            | Binary { left: a, right: b, .. }
            | Dot { left: a, name: b }
            | SelectorEntry { matching: a, value: b }
            | TypeMapping { left: a, right: b } => {
                visit(a);
                visit(b);
            }
            Access { left: a, keys: list }
            | Case { test: a, options: list }
            | Selector { left: a, entries: list }
            | Resource { type_name: a, bodies: list, .. }
            | ResourceBody { title: a, operations: list }
            | ResourceDefaults { type_ref: a, operations: list, .. }
            | ResourceOverride { resources: a, operations: list, .. } => {
                visit(a);
                self.each_of(list, visit);
            }
            Call { functor, arguments, lambda, .. } | MethodCall { functor, arguments, lambda } => {
                visit(functor);
                self.each_of(arguments, &mut visit);
                lambda.into_iter().for_each(visit);
            }
            Lambda { parameters, body, returns } => {
                self.each_of(parameters, &mut visit);
                body.into_iter().chain(returns).for_each(visit);
            }
            Parameter { default, type_expr, .. } | RestParameter { default, type_expr, .. } => {
                default.into_iter().chain(type_expr).for_each(visit);
            }
            If { test, then, otherwise } | Unless { test, then, otherwise } => {
                visit(test);
                then.into_iter().chain(otherwise).for_each(visit);
            }
            CaseOption { values, then } => {
                self.each_of(values, &mut visit);
                then.into_iter().for_each(visit);
            }
            Class(id) | Define(id) | Function(id) | TypeDefinition(id) => {
                let definition = self.definitions[id.0 as usize];
                self.each_of(definition.parameters, &mut visit);
                definition.body.into_iter().chain(definition.returns).for_each(visit);
            }
            NodeDefinition { hosts, parent, body } => {
                parent.into_iter().for_each(&mut visit);
                self.each_of(hosts, &mut visit);
                body.into_iter().for_each(visit);
            }
            Collector { type_expr, query, operations } => {
                visit(type_expr);
                visit(query);
                self.each_of(operations, visit);
            }
            Query { expr, .. } => expr.into_iter().for_each(visit),
            Epp { body, .. } => body.into_iter().for_each(visit),
        }
    }

    fn each_of(&self, list: List, mut visit: impl FnMut(ExprId)) {
        for &id in self.list(list) {
            visit(id);
        }
    }
}

pub(crate) fn text_in<'a>(source: &'a str, own: &'a OwnTexts, text: Text) -> &'a str {
    let (whole, start) = if text.start & OWN_TEXT == 0 {
        (source, text.start as usize)
    } else {
        (own.0.as_str(), (text.start & !OWN_TEXT) as usize)
    };
    &whole[start..start + text.len as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small() {
        assert!(size_of::<Expr>() <= 24, "{}", size_of::<Expr>());
        assert!(size_of::<PlacedExpr>() <= 40, "{}", size_of::<PlacedExpr>());
    }
}
