//! The calls in a manifest or template that nothing answers.

use std::collections::HashSet;

use hierarch_source::{Diagnostic, Place, Severity};
use hierarch_syntax::Program;
use hierarch_syntax::ast::{Ast, Expr, ExprId};

use super::Obstacle;
use super::functions::{Functions, Origin};

/// A call that cannot be answered.
pub(super) struct ForeignCall {
    pub(super) obstacle: Obstacle,
    /// What is called.
    pub(super) name: String,
    pub(super) diagnostic: Diagnostic,
}

/// Looks at all calls of a program.
pub(super) fn look(program: &Program, functions: &Functions) -> Vec<ForeignCall> {
    let ast = &program.ast;
    let nodes = nodes(ast, program.root);
    // A manifest may define functions of its own, before or after it calls them.
    let own: HashSet<&str> = nodes
        .iter()
        .filter_map(|&id| match ast.expr(id) {
            Expr::Function(definition) => Some(ast.text(ast.definition(definition).name)),
            _ => None,
        })
        .collect();
    let calls = nodes.into_iter().filter_map(|id| called(ast, id));
    calls.filter(|call| !own.contains(call.name)).filter_map(|call| call.finding(ast, functions)).collect()
}

/// Lists all nodes of a tree in the order of the text.
fn nodes(ast: &Ast, root: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        found.push(id);
        let first = waiting.len();
        ast.each_child(id, |child| waiting.push(child));
        waiting[first..].reverse();
    }
    found
}

struct CallByName<'a> {
    name: &'a str,
    /// Where the name stands.
    at: ExprId,
}

/// Returns what a node calls by name. A call of a type is `new`, which is built in.
fn called(ast: &Ast, id: ExprId) -> Option<CallByName<'_>> {
    let (Expr::Call { functor, .. } | Expr::MethodCall { functor, .. }) = ast.expr(id) else { return None };
    let at = match ast.expr(functor) {
        Expr::Dot { name, .. } => name,
        _ => functor,
    };
    let Expr::Name(name) = ast.expr(at) else { return None };
    Some(CallByName { name: ast.text(name), at })
}

impl CallByName<'_> {
    fn finding(&self, ast: &Ast, functions: &Functions) -> Option<ForeignCall> {
        let name = self.name.strip_prefix("::").unwrap_or(self.name);
        let (obstacle, code, message, note) = match functions.origin(name) {
            Origin::Native => return None,
            Origin::Broken(path, wrong) => {
                let message = format!("{name} is a function in Ruby that cannot be read: {}", path.display());
                let note = format!("line {}: {}", wrong.line, wrong.message);
                (Obstacle::RubyFunction, "RUBY_FUNCTION", message, note)
            }
            Origin::Nowhere => {
                let message = format!("{name} is neither built in nor a function of any module here");
                let note = "is its module missing from the modulepath?".to_owned();
                (Obstacle::UnknownFunction, "UNKNOWN_FUNCTION", message, note)
            }
        };
        let mut diagnostic = Diagnostic::new(Severity::Error, code, message).note(note);
        diagnostic.place = Some(Place::new(ast.source(), ast.span(self.at)));
        Some(ForeignCall { obstacle, name: name.to_owned(), diagnostic })
    }
}
