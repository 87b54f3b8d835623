//! Which expressions have an effect, and which produce a value nobody uses.

use super::Validator;
use crate::ast::{BinaryOp, Expr, ExprId, List, UnaryOp};
use crate::issues;

impl Validator<'_> {
    pub(super) fn check_block(&mut self, id: ExprId, statements: List) {
        if let Some(name) = self.name_of_untitled_resource(id) {
            let name = self.ast.text(name);
            self.report(issues::resource_without_title(name), id);
            return;
        }
        let Some((_, others)) = self.ast.list(statements).split_last() else { return };
        // Only the first is worth a message: what follows it is likely its consequence.
        if let Some(&forgotten) = others.iter().find(|&&statement| self.has_no_effect(statement)) {
            let what = self.label(forgotten);
            self.report(issues::value_forgotten(&what), forgotten);
        }
    }

    /// `file { mode => '1' }` parses as a name and a hash; that is hardly what was meant.
    fn name_of_untitled_resource(&self, id: ExprId) -> Option<crate::ast::Text> {
        let Expr::Block(statements) = self.ast.expr(id) else { return None };
        let &[name, hash] = self.ast.list(statements) else { return None };
        match (self.ast.expr(name), self.ast.expr(hash)) {
            (Expr::Name(name), Expr::Hash(_)) => Some(name),
            _ => None,
        }
    }

    /// Classes, defines and nodes may not end in a value.
    pub(super) fn check_end(&mut self, container: ExprId, body: Option<ExprId>) {
        let Some(Expr::Block(statements)) = body.map(|body| self.ast.expr(body)) else { return };
        let Some(&last) = self.ast.list(statements).last() else { return };
        if self.has_no_effect(last) && self.name_of_untitled_resource(last).is_none() {
            let (what, place) = (self.label(last), self.capital_a(container));
            self.report(issues::value_at_end(&what, &place), last);
        }
    }

    /// Tells whether an expression does nothing but produce a value.
    fn has_no_effect(&self, id: ExprId) -> bool {
        match self.ast.expr(id) {
            Expr::Nop | Expr::Undef | Expr::Default | Expr::Boolean(_) | Expr::Integer { .. } => true,
            Expr::BigInteger { .. } | Expr::Float(_) | Expr::String(_) | Expr::Regex(_) | Expr::Name(_) => {
                true
            }
            Expr::Reference(_) | Expr::Reserved(_) | Expr::Variable(_) | Expr::Concat(_) => true,
            Expr::Interpolation(_) | Expr::Heredoc { .. } | Expr::Array(_) | Expr::Hash(_) => true,
            Expr::Access { .. } | Expr::Dot { .. } | Expr::Selector { .. } => true,
            Expr::Unary { op: UnaryOp::Paren, operand } => self.has_no_effect(operand),
            Expr::Unary { .. } => true,
            // A match sets the match variables.
            Expr::Binary { op: BinaryOp::Match | BinaryOp::NoMatch, .. } => false,
            Expr::Binary { op, .. } => !op.is_assignment() && !op.is_relationship(),
            Expr::Block(list) => self.none_has_effect(list),
            Expr::If { test, then, otherwise } | Expr::Unless { test, then, otherwise } => {
                self.has_no_effect(test)
                    && [then, otherwise].into_iter().flatten().all(|part| self.has_no_effect(part))
            }
            Expr::Case { test, options } => self.has_no_effect(test) && self.none_has_effect(options),
            Expr::CaseOption { values, then } => {
                self.none_has_effect(values) && then.is_none_or(|then| self.has_no_effect(then))
            }
            _ => false,
        }
    }

    fn none_has_effect(&self, list: List) -> bool {
        self.ast.list(list).iter().all(|&id| self.has_no_effect(id))
    }

    /// Checks that an expression may stand where a value is wanted.
    pub(super) fn value(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Collector { .. }
            | Expr::Class(_)
            | Expr::Define(_)
            | Expr::Function(_)
            | Expr::TypeDefinition(_)
            | Expr::NodeDefinition { .. }
            | Expr::TypeAlias { .. }
            | Expr::TypeMapping { .. } => {
                let what = self.capital_a(id);
                self.report(issues::not_a_value(&what), id);
            }
            Expr::Unary { operand: inner, .. } | Expr::Interpolation(inner) | Expr::Render(inner) => {
                self.value(inner);
            }
            _ => {}
        }
    }

    pub(super) fn values(&mut self, list: List) {
        let ast = self.ast;
        for &id in ast.list(list) {
            self.value(id);
        }
    }
}
