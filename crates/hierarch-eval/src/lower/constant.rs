//! Which expressions always give the same type, so that it is enough to find it out once.

use hierarch_syntax::ast::{Ast, Expr, ExprId};

/// Tells whether an expression is a parametrized type that depends on nothing but names of types and literals.
pub(super) fn is_constant_type(ast: &Ast, id: ExprId) -> bool {
    let Expr::Access { left, keys } = ast.expr(id) else { return false };
    let is_type = matches!(ast.expr(left), Expr::Reference(_)) || is_constant_type(ast, left);
    is_type && !is_reference(ast, left) && ast.list(keys).iter().all(|key| is_constant(ast, *key))
}

/// Tells whether all types of parameters and of the result are constant.
pub(super) fn all_constant(ast: &Ast, parameters: &[ExprId], returns: Option<ExprId>) -> bool {
    let type_of = |id: &ExprId| match ast.expr(*id) {
        Expr::Parameter { type_expr, .. } | Expr::RestParameter { type_expr, .. } => type_expr,
        _ => None,
    };
    parameters.iter().filter_map(type_of).chain(returns).all(|id| is_constant(ast, id))
}

/// References to resources may give what a catalog holds, which changes.
fn is_reference(ast: &Ast, left: ExprId) -> bool {
    match ast.expr(left) {
        Expr::Access { .. } => true,
        Expr::Reference(name) => matches!(ast.text(name), "Class" | "Resource"),
        _ => false,
    }
}

fn is_constant(ast: &Ast, id: ExprId) -> bool {
    match ast.expr(id) {
        Expr::Undef
        | Expr::Default
        | Expr::Boolean(_)
        | Expr::Integer { .. }
        | Expr::Float(_)
        | Expr::String(_)
        | Expr::Regex(_)
        | Expr::Name(_)
        | Expr::Reference(_) => true,
        Expr::Access { .. } => is_constant_type(ast, id),
        Expr::Array(_) | Expr::Hash(_) | Expr::Entry { .. } => {
            let mut all = true;
            ast.each_child(id, |child| all &= is_constant(ast, child));
            all
        }
        _ => false,
    }
}
