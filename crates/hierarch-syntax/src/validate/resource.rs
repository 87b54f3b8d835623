//! Checks of resources and collectors.

use super::Validator;
use crate::ast::{BinaryOp, Expr, ExprId, Form, List, Text, UnaryOp};
use crate::issues;

impl Validator<'_> {
    pub(super) fn check_resource(&mut self, id: ExprId, type_name: ExprId, form: Form) {
        let is_class = matches!(self.ast.expr(type_name), Expr::Name(name) if self.ast.text(name) == "class");
        if form != Form::Regular && is_class {
            self.report(issues::class_not_virtualizable(), id);
        }
    }

    pub(super) fn check_resource_body(&mut self, operations: List) {
        let ast = self.ast;
        let hashes =
            ast.list(operations).iter().filter(|&&id| matches!(ast.expr(id), Expr::AttributeHash(_)));
        for &repeated in hashes.skip(1) {
            self.report(issues::repeated_attribute_hash(), repeated);
        }
    }

    pub(super) fn check_form(&mut self, id: ExprId, form: Form) {
        if form != Form::Regular {
            self.report(issues::defaults_not_virtualizable(), id);
        }
    }

    pub(super) fn check_attribute(&mut self, id: ExprId, name: Text, append: bool, value: ExprId) {
        if let Some(container) = self.container().filter(|_| append) {
            let overrides =
                matches!(self.ast.expr(container), Expr::Collector { .. } | Expr::ResourceOverride { .. });
            if !overrides {
                let place = self.a(container);
                self.report(issues::illegal_append(self.ast.text(name), &place), id);
            }
        }
        self.value(value);
    }

    pub(super) fn check_collector(&mut self, id: ExprId, type_expr: ExprId) {
        if !matches!(self.ast.expr(type_expr), Expr::Reference(_)) {
            let (what, container) = (self.capital_a(type_expr), self.a(id));
            self.report(issues::illegal_expression(&what, "type name", &container), type_expr);
        }
    }

    /// A query compares with `==` and `!=` and joins with `and` and `or`.
    pub(super) fn query(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, .. } => {}
            Expr::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } => {
                self.query(left);
                self.query(right);
            }
            Expr::Unary { op: UnaryOp::Paren, operand } => self.query(operand),
            Expr::Variable(_)
            | Expr::Name(_)
            | Expr::String(_)
            | Expr::Boolean(_)
            | Expr::RenderString(_) => {}
            Expr::Integer { .. } | Expr::BigInteger { .. } | Expr::Float(_) => {}
            _ => {
                let what = self.capital_a(id);
                self.report(issues::illegal_query(&what), id);
            }
        }
    }
}
