//! Checks of names, operators, calls, hashes and conditionals.

use rustc_hash::FxHashSet;

use super::literal::Literal;
use super::{DuplicateKeys, Validator};
use crate::ast::{BinaryOp, Expr, ExprId, List, Text};
use crate::issues;
use crate::number::in_radix;

impl Validator<'_> {
    pub(super) fn check_big_integer(&mut self, id: ExprId, digits: Text) {
        let hexadecimal = in_radix(self.ast.text(digits), 16);
        self.report(issues::numeric_overflow(&hexadecimal), id);
    }

    pub(super) fn check_reserved(&mut self, id: ExprId, word: Text) {
        let word = self.ast.text(word);
        self.report(issues::reserved_word(word), id);
    }

    pub(super) fn check_variable(&mut self, id: ExprId, name: Text) {
        let name = self.ast.text(name);
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            if !is_match_variable(name) {
                self.report(issues::illegal_numeric_variable_name(name), id);
            }
        } else if !is_variable_name(name) {
            self.report(issues::illegal_variable_name(name), id);
        }
    }

    pub(super) fn check_binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) {
        match op {
            BinaryOp::Assign => {
                self.assignable(left);
                self.value(right);
            }
            BinaryOp::PlusAssign | BinaryOp::MinusAssign => {
                self.report(issues::operator_no_longer_supported(op.symbol()), id);
            }
            _ if op.is_relationship() => {
                self.related(left);
                self.related(right);
            }
            _ => {
                self.value(left);
                self.value(right);
            }
        }
    }

    /// Relationships take collectors and other relationships besides values.
    fn related(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Collector { .. } => {}
            Expr::Binary { op, .. } if op.is_relationship() => {}
            _ => self.value(id),
        }
    }

    fn assignable(&mut self, id: ExprId) {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Variable(name) => {
                let name = ast.text(name);
                if is_match_variable(name) {
                    self.report(issues::illegal_numeric_assignment(name), id);
                }
                if name.contains("::") {
                    self.report(issues::cross_scope_assignment(name), id);
                }
            }
            Expr::Access { .. } => self.report(issues::illegal_indexed_assignment(), id),
            Expr::Array(list) => ast.list(list).iter().for_each(|&element| self.assignable(element)),
            _ => {
                let what = self.a(id);
                self.report(issues::illegal_assignment(&what), id);
            }
        }
    }

    pub(super) fn check_call(&mut self, id: ExprId, functor: ExprId) {
        match self.ast.expr(functor) {
            Expr::Name(_) | Expr::Reference(_) => {}
            Expr::Access { left, .. } if matches!(self.ast.expr(left), Expr::Reference(_)) => {}
            Expr::RenderString(_) => self.report(issues::illegal_epp_parameters(), id),
            _ => {
                let (what, container) = (self.capital_a(functor), self.a(id));
                self.report(issues::illegal_expression(&what, "function name", &container), functor);
            }
        }
    }

    pub(super) fn check_hash(&mut self, entries: List) {
        let ast = self.ast;
        if entries.len() < 2 {
            return;
        }
        let mut seen = FxHashSet::default();
        for &entry in ast.list(entries) {
            let Expr::Entry { key, .. } = ast.expr(entry) else { continue };
            let Some(key) = Literal::of(ast, key) else { continue };
            let text = key.to_string();
            if !seen.insert(key) {
                match self.options.duplicate_keys {
                    DuplicateKeys::Allowed => {}
                    DuplicateKeys::Warned => self.report(issues::repeated_key(&text), entry),
                    DuplicateKeys::Refused => self.report(issues::duplicate_key(&text), entry),
                }
            }
        }
    }

    pub(super) fn check_case(&mut self, id: ExprId, test: ExprId, options: List) {
        let ast = self.ast;
        self.value(test);
        let mut has_default = false;
        for &option in ast.list(options) {
            let Expr::CaseOption { values, .. } = ast.expr(option) else { continue };
            for &value in ast.list(values).iter().filter(|&&value| matches!(ast.expr(value), Expr::Default)) {
                if has_default {
                    let place = self.label(id);
                    self.report(issues::duplicate_default(&place), value);
                }
                has_default = true;
            }
        }
    }

    pub(super) fn check_selector(&mut self, id: ExprId, left: ExprId, entries: List) {
        let ast = self.ast;
        self.value(left);
        let second_default = ast
            .list(entries)
            .iter()
            .filter_map(|&entry| match ast.expr(entry) {
                Expr::SelectorEntry { matching, .. } => Some(matching),
                _ => None,
            })
            .filter(|&matching| matches!(ast.expr(matching), Expr::Default))
            .nth(1);
        if let Some(second) = second_default {
            let place = self.label(id);
            self.report(issues::duplicate_default(&place), second);
        }
    }
}

/// `0`, or a decimal number without a leading zero.
fn is_match_variable(name: &str) -> bool {
    let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    digits && (name == "0" || !name.starts_with('0'))
}

/// An optional `::`, then segments that start with a lower case letter; the last may start with `_`.
fn is_variable_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    let (space, last) = name.rsplit_once("::").map_or((None, name), |(space, last)| (Some(space), last));
    let is_word = |segment: &str| segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let starts = |segment: &str, underscore: bool| {
        segment
            .bytes()
            .next()
            .is_some_and(|first| first.is_ascii_lowercase() || (underscore && first == b'_'))
    };
    starts(last, true)
        && is_word(last)
        && space
            .is_none_or(|space| space.split("::").all(|segment| starts(segment, false) && is_word(segment)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_words;

    #[test]
    fn variable_names_follow_the_rule() {
        for name in ["a", "_a", "a::b", "::a::_b", "aB1"] {
            assert!(is_variable_name(name), "{name}");
        }
        for name in ["", "A", "a::B", "_a::b", "a::", "::", "1a"] {
            assert!(!is_variable_name(name), "{name}");
        }
    }

    #[test]
    fn match_variables_are_plain_decimals() {
        assert!(is_match_variable("0") && is_match_variable("10"));
        assert!(!is_match_variable("01") && !is_match_variable("0x1") && !is_match_variable(""));
    }

    #[test]
    fn what_may_be_assigned_and_what_may_not() {
        check_words(&[
            ("$x = 1", "valid"),
            (
                "$1 = 1",
                "Illegal attempt to assign to the numeric match result variable '$1'. Numeric variables are not assignable (line: 1, column: 1)",
            ),
            (
                "$a::b = 1",
                "Illegal attempt to assign to 'a::b'. Cannot assign to variables in other namespaces (line: 1, column: 1)",
            ),
            (
                "1 = 2",
                "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference (line: 1, column: 1)",
            ),
            (
                "'a' = 1",
                "Illegal attempt to assign to 'a String'. Not an assignable reference (line: 1, column: 1)",
            ),
            (
                "$x[0] = 1",
                "Illegal attempt to assign via [index/key]. Not an assignable reference (line: 1, column: 1)",
            ),
            ("[$a, $b] = [1, 2]", "valid"),
            (
                "[$a, 1] = [1, 2]",
                "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference (line: 1, column: 6)",
            ),
            ("[] = []", "valid"),
            (
                "$x += 1",
                "The operator '+=' is no longer supported. See http://links.puppet.com/remove-plus-equals (line: 1, column: 4)",
            ),
            (
                "$x -= 1",
                "The operator '-=' is no longer supported. See http://links.puppet.com/remove-plus-equals (line: 1, column: 4)",
            ),
            (
                "f() = 1",
                "Illegal attempt to assign to 'a Function Call'. Not an assignable reference (line: 1, column: 1)",
            ),
            (
                "$x.y = 1",
                "Illegal attempt to assign to 'a Method call'. Not an assignable reference (line: 1, column: 3)",
            ),
            ("if $x = 1 { }", "Syntax error at '=' (line: 1, column: 7)"),
            ("[$x = 1]", "valid"),
            ("f($x = 1)", "valid"),
            ("$x = $y = 1", "valid"),
        ]);
    }
}
