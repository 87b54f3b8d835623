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

#[cfg(test)]
mod tests {
    use crate::testing::check_words;

    /// Programs, and what Puppet makes of them.
    const VALUES_THAT_NOBODY_USES: &[(&str, &str)] = &[
        (
            "1\n2",
            "This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "$x\n1",
            "This Variable has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "'a'\nf()",
            "This String has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "[1]\n1",
            "This Array Expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "{a => 1}\n1",
            "This Hash Expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "a\n1",
            "This Name has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "1 + 1\n1",
            "This '+' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 3)",
        ),
        (
            "$a == 1\n1",
            "This '==' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 4)",
        ),
        ("$a =~ /b/\n1", "valid"),
        (
            "!$a\n1",
            "This 'not' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "if true { 1 }\n1",
            "This 'if' statement has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        ("if f() { 1 }\n1", "valid"),
        (
            "case 1 { 1: { 2 } }\n1",
            "This 'case' statement has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "1 ? { 1 => 2 }\n1",
            "This Selector Expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "$x[0]\n1",
            "This '[]' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        ("$x.y\n1", "valid"),
        ("f()\n1", "valid"),
        ("$x = 1\n1", "valid"),
        ("A -> B\n1", "valid"),
        (
            "undef\n1",
            "This 'undef' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "default\n1",
            "This 'default' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "A\n1",
            "This Type-Name has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "(1)\n1",
            "This Parenthesized Expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        ("(f())\n1", "valid"),
        (
            "\"a\"\n1",
            "This String has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "\"${x}\"\n1",
            "This Double Quoted String has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "/a/\n1",
            "This Regular Expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "@(E)\na\nE\n1",
            "This '@()' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
        ),
        (
            "if true { 1\n2 }",
            "This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 11)",
        ),
        (
            "function f() { 1\n2 }",
            "This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 16)",
        ),
        (
            "class a { 1\nf() }",
            "This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 11)",
        ),
        (
            "f() |$x| { 1\n2 }",
            "This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 12)",
        ),
    ];

    #[test]
    fn values_that_nobody_uses() {
        check_words(VALUES_THAT_NOBODY_USES);
    }
}
