//! Prism's trees become ours.

mod assign;
mod call;
mod control;
mod define;
mod literal;
mod pattern;

use std::sync::Arc;

use ruby_prism::{ConstantId, ConstantList, Node as Prism, NodeList, StatementsNode};

use super::parse::{DEEPEST, Syntax};
use super::tree::{Expression, Kind, Program, Slot};
use crate::value::Sym;

/// What is known while a tree is lowered.
pub(super) struct Lowering {
    file: Arc<str>,
    /// The scopes of locals, the innermost last.
    scopes: Vec<Vec<Sym>>,
    /// Whether `break` and the like mean a loop, for each scope.
    loops: Vec<bool>,
    depth: u32,
    is_frozen: bool,
    defined: Vec<(Sym, u32)>,
}

/// What lowering gives.
type Lowered<T = Expression> = Result<T, Syntax>;

impl Lowering {
    pub(super) fn new(file: Arc<str>, is_frozen: bool) -> Self {
        Self { file, scopes: Vec::new(), loops: Vec::new(), depth: 0, is_frozen, defined: Vec::new() }
    }

    /// Lowers a whole program.
    pub(super) fn program(mut self, node: &Prism<'_>) -> Lowered<Program> {
        let Some(program) = node.as_program_node() else {
            return Err(Syntax { message: crate::issues::no_parse_thread(), line: 1 });
        };
        self.enter(&program.locals());
        let body = self.statements(Some(program.statements()))?;
        let locals = self.leave();
        Ok(Program { body, locals, file: self.file, defined: self.defined })
    }

    fn enter(&mut self, locals: &ConstantList<'_>) {
        self.scopes.push(locals.iter().map(|name| sym(&name)).collect());
        self.loops.push(false);
    }

    fn leave(&mut self) -> Vec<Sym> {
        self.loops.pop();
        self.scopes.pop().unwrap_or_default()
    }

    /// Returns the slot of a local; Prism says in which scope it lives.
    fn slot(&mut self, name: Sym, depth: u32) -> Slot {
        let place = self.scopes.len().saturating_sub(1 + depth as usize);
        let Some(scope) = self.scopes.get_mut(place) else { return Slot { depth, index: 0 } };
        let index = scope.iter().position(|known| *known == name).unwrap_or_else(|| {
            scope.push(name);
            scope.len() - 1
        });
        Slot { depth, index: index as u32 }
    }

    /// Returns the slot of a name in the innermost scope.
    fn own_slot(&mut self, name: Sym) -> u32 {
        self.slot(name, 0).index
    }

    /// Runs something inside (or outside) of a loop.
    fn in_loop<T>(&mut self, within: bool, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.loops.last().copied().unwrap_or(false);
        if let Some(last) = self.loops.last_mut() {
            *last = within;
        }
        let result = lower(self);
        if let Some(last) = self.loops.last_mut() {
            *last = before;
        }
        result
    }

    fn is_in_loop(&self) -> bool {
        self.loops.last().copied().unwrap_or(false)
    }

    fn statements(&mut self, statements: Option<StatementsNode<'_>>) -> Lowered {
        let Some(statements) = statements else { return Ok(Expression::new(0, Kind::Nil)) };
        let mut nodes = self.list(&statements.body())?;
        Ok(match nodes.len() {
            0 => Expression::new(0, Kind::Nil),
            1 => nodes.remove(0),
            _ => Expression::new(nodes[0].line, Kind::Sequence(nodes)),
        })
    }

    fn list(&mut self, list: &NodeList<'_>) -> Lowered<Vec<Expression>> {
        list.iter().map(|node| self.node(&node)).collect()
    }

    fn boxed(&mut self, node: &Prism<'_>) -> Lowered<Box<Expression>> {
        self.node(node).map(Box::new)
    }

    fn optional(&mut self, node: Option<&Prism<'_>>) -> Lowered<Option<Box<Expression>>> {
        node.map(|node| self.boxed(node)).transpose()
    }

    /// Lowers a node that may be missing, which is nil.
    fn or_nil(&mut self, node: Option<Prism<'_>>) -> Lowered {
        match node {
            Some(node) => self.node(&node),
            None => Ok(Expression::new(0, Kind::Nil)),
        }
    }

    /// Lowers any node.
    fn node(&mut self, node: &Prism<'_>) -> Lowered {
        // Where a call is spread over lines, what counts is where its name stands.
        let name = node.as_call_node().and_then(|call| call.message_loc());
        let place = name.unwrap_or_else(|| node.location());
        let line = u32::try_from(place.start_line()).unwrap_or(1);
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Syntax { message: crate::issues::nested_too_deep(DEEPEST), line });
        }
        let lowered = match (node.as_parentheses_node(), node.as_statements_node()) {
            // What stands in brackets keeps its own line.
            (Some(brackets), _) => self.or_nil(brackets.body())?,
            (_, Some(statements)) => self.statements(Some(statements))?,
            _ => Expression { line, kind: self.kind(node)? },
        };
        self.depth -= 1;
        Ok(lowered)
    }

    fn kind(&mut self, node: &Prism<'_>) -> Lowered<Kind> {
        for family in [Self::literal, Self::variable, Self::control, Self::call_like, Self::definition] {
            if let Some(kind) = family(self, node)? {
                return Ok(kind);
            }
        }
        Ok(Kind::Unsupported(unsupported_name(node)))
    }
}

/// Returns what a construct that never runs is called.
fn unsupported_name(node: &Prism<'_>) -> &'static str {
    match node {
        Prism::PreExecutionNode { .. } => "BEGIN",
        Prism::PostExecutionNode { .. } => "END",
        Prism::FlipFlopNode { .. } => "flip-flop",
        Prism::XStringNode { .. } | Prism::InterpolatedXStringNode { .. } => "`command`",
        Prism::ImaginaryNode { .. } => "Complex",
        Prism::MatchLastLineNode { .. } | Prism::InterpolatedMatchLastLineNode { .. } => "if /pattern/",
        _ => "syntax",
    }
}

/// Returns the name that Prism knows by a number.
fn sym(name: &ConstantId<'_>) -> Sym {
    Sym::of(&String::from_utf8_lossy(name.as_slice()))
}

/// Returns the text of bytes of the source.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
