//! Which variables a piece of code assigns, not counting the lambdas in it: those have variables of their own.

use hierarch_pcore::Str;
use hierarch_syntax::ast::{Ast, BinaryOp, Expr, ExprId};

/// Adds the names that are assigned in `body` to `slots`, each once.
pub(super) fn add_assigned(ast: &Ast, body: Option<ExprId>, slots: &mut Vec<Str>) {
    if let Some(body) = body {
        walk(ast, body, slots);
    }
}

fn walk(ast: &Ast, id: ExprId, slots: &mut Vec<Str>) {
    match ast.expr(id) {
        Expr::Lambda { .. }
        | Expr::Function(_)
        | Expr::Class(_)
        | Expr::Define(_)
        | Expr::NodeDefinition { .. } => {}
        Expr::Binary { op: BinaryOp::Assign, left, right } => {
            add_targets(ast, left, slots);
            walk(ast, right, slots);
        }
        _ => ast.each_child(id, |child| walk(ast, child, slots)),
    }
}

fn add_targets(ast: &Ast, left: ExprId, slots: &mut Vec<Str>) {
    match ast.expr(left) {
        Expr::Variable(name) => {
            let name = ast.text(name);
            if !slots.iter().any(|known| known == name) {
                slots.push(name.into());
            }
        }
        _ => ast.each_child(left, |child| add_targets(ast, child, slots)),
    }
}
