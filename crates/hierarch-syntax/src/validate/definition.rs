//! Checks of classes, defined types, functions, nodes, types, and parameters.

use rustc_hash::FxHashSet;

use super::Validator;
use super::literal::Literal;
use crate::ast::{DefinitionId, Expr, ExprId, List, Text};
use crate::issues;
use crate::label::with_article;

impl Validator<'_> {
    pub(super) fn check_class(&mut self, id: ExprId, definition: DefinitionId) {
        self.check_resource_like(id, definition);
        let ast = self.ast;
        for &parameter in ast.list(ast.definition(definition).parameters) {
            self.check_literal_type(parameter);
        }
    }

    pub(super) fn check_define(&mut self, id: ExprId, definition: DefinitionId) {
        self.check_resource_like(id, definition);
    }

    pub(super) fn check_function(&mut self, id: ExprId, definition: DefinitionId) {
        let definition = *self.ast.definition(definition);
        self.check_named(id, definition.name);
        definition.returns.into_iter().for_each(|returns| self.check_type_reference(id, returns));
        self.check_unique_parameters(definition.parameters);
    }

    /// What classes and defined types have in common.
    fn check_resource_like(&mut self, id: ExprId, definition: DefinitionId) {
        let definition = *self.ast.definition(definition);
        self.check_named(id, definition.name);
        self.check_no_rest_parameter(definition.parameters, id);
        self.check_unique_parameters(definition.parameters);
        self.check_reserved_parameters(definition.parameters, id);
        self.check_end(id, definition.body);
    }

    fn check_named(&mut self, id: ExprId, name: Text) {
        self.check_top(id);
        let name = self.ast.text(name);
        if !is_definition_name(name, u8::is_ascii_lowercase) {
            let what = self.a(id);
            self.report(issues::illegal_definition_name(name, &what), id);
        }
        self.check_definition_location(id, name);
        if is_reserved_type_name(name) {
            let what = self.a(id);
            self.report(issues::reserved_type_name(name, &what), id);
        }
        self.check_future_word(id, name);
    }

    fn check_future_word(&mut self, id: ExprId, name: &str) {
        if name == "plan" {
            self.report(issues::future_reserved_word(name), id);
        }
    }

    /// Definitions stand at the top or directly inside classes; functions and types only at the very top.
    fn check_top(&mut self, id: ExprId) {
        let top_only =
            matches!(self.ast.expr(id), Expr::Function(_) | Expr::TypeAlias { .. } | Expr::TypeDefinition(_));
        for (depth, &container) in self.path.iter().enumerate().rev() {
            match self.ast.expr(container) {
                Expr::Class(_) => return,
                Expr::Block(_) if depth > 0 && top_only => {
                    let what = self.capital_a(id);
                    return self.report(issues::not_absolute_top_level(&what), id);
                }
                Expr::Block(_) => {}
                _ => return self.report(issues::not_top_level(), id),
            }
        }
    }

    pub(super) fn check_type_definition(&mut self, id: ExprId) {
        self.check_top(id);
        let what = self.a(id);
        self.report(issues::unsupported_expression(&what), id);
    }

    pub(super) fn check_type_alias(&mut self, id: ExprId, name: Text, type_expr: ExprId) {
        self.check_top(id);
        let name = self.ast.text(name);
        if !is_definition_name(name, u8::is_ascii_uppercase) {
            let what = self.a(id);
            self.report(issues::illegal_definition_name(name, &what), id);
        }
        self.check_type_reference(id, type_expr);
    }

    fn check_type_reference(&mut self, container: ExprId, reference: ExprId) {
        let base = match self.ast.expr(reference) {
            Expr::Access { left, .. } => left,
            _ => reference,
        };
        if let Expr::Reference(name) = self.ast.expr(base) {
            let name = self.ast.text(name).to_ascii_lowercase();
            self.check_future_word(reference, &name);
        } else {
            let (what, container) = (self.capital_a(reference), self.a(container));
            self.report(issues::illegal_expression(&what, "a type reference", &container), reference);
        }
    }

    /// `type Runtime[…] = …` maps names of another language; nothing else can be on the left.
    pub(super) fn check_type_mapping(&mut self, id: ExprId, left: ExprId, right: ExprId) {
        self.check_top(id);
        let Some(by_pattern) = self.runtime_mapping(left) else {
            let what = self.a(id);
            return self.report(issues::unsupported_expression(&what), id);
        };
        let fits = if by_pattern { self.is_pattern_pair(right) } else { self.is_type(right) };
        if !fits {
            let what = self.capital_a(id);
            let issue = if by_pattern {
                issues::illegal_regex_type_mapping(&what)
            } else {
                issues::illegal_single_type_mapping(&what)
            };
            self.report(issue, id);
        }
    }

    /// Tells whether a mapping's left side maps by pattern; nothing if it is not a `Runtime[…]` at all.
    fn runtime_mapping(&self, left: ExprId) -> Option<bool> {
        let Expr::Access { left: base, keys } = self.ast.expr(left) else { return None };
        let Expr::Reference(name) = self.ast.expr(base) else { return None };
        if self.ast.text(name) != "Runtime" {
            return None;
        }
        Some(matches!(self.ast.list(keys), &[_, second] if self.is_pattern_pair(second)))
    }

    fn is_pattern_pair(&self, id: ExprId) -> bool {
        let Expr::Array(list) = self.ast.expr(id) else { return false };
        match *self.ast.list(list) {
            [pattern, text] => {
                matches!((self.ast.expr(pattern), self.ast.expr(text)), (Expr::Regex(_), Expr::String(_)))
            }
            _ => false,
        }
    }

    fn is_type(&self, id: ExprId) -> bool {
        match self.ast.expr(id) {
            Expr::Access { left, .. } => matches!(self.ast.expr(left), Expr::Reference(_)),
            expr => matches!(expr, Expr::Reference(_)),
        }
    }

    pub(super) fn check_node(
        &mut self,
        id: ExprId,
        hosts: List,
        parent: Option<ExprId>,
        body: Option<ExprId>,
    ) {
        let ast = self.ast;
        for &host in ast.list(hosts) {
            self.check_host(id, host);
        }
        self.check_top(id);
        self.check_end(id, body);
        if let Some(parent) = parent {
            self.report(issues::node_inheritance(), parent);
        }
    }

    fn check_host(&mut self, node: ExprId, host: ExprId) {
        let ast = self.ast;
        match ast.expr(host) {
            Expr::String(name) => {
                let name = ast.text(name);
                if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)) {
                    self.report(issues::illegal_hostname(name), host);
                }
            }
            Expr::Concat(segments) => {
                let inner = ast.list(segments).iter().find_map(|&segment| match ast.expr(segment) {
                    Expr::Interpolation(inner) => Some(inner),
                    _ => None,
                });
                self.report(issues::illegal_hostname_interpolation(), inner.unwrap_or(host));
            }
            Expr::Default | Expr::Regex(_) => {}
            _ => {
                let (what, container) = (self.capital_a(host), self.a(node));
                self.report(issues::illegal_expression(&what, "hostname", &container), host);
            }
        }
    }

    pub(super) fn check_lambda(&mut self, id: ExprId, parameters: List, returns: Option<ExprId>) {
        let ast = self.ast;
        if let Some((_, others)) = ast.list(parameters).split_last() {
            for &parameter in others {
                if let Expr::RestParameter { name, .. } = ast.expr(parameter) {
                    self.report(issues::rest_parameter_not_last(ast.text(name)), parameter);
                }
            }
        }
        if let Some(returns) = returns {
            self.check_type_reference(id, returns);
        }
    }

    /// A template's parameters belong to the lambda around it.
    pub(super) fn check_epp(&mut self, id: ExprId) {
        let Some(Expr::Lambda { parameters, .. }) = self.container().map(|lambda| self.ast.expr(lambda))
        else {
            return;
        };
        self.check_no_rest_parameter(parameters, id);
        self.check_unique_parameters(parameters);
    }

    pub(super) fn check_parameter(&mut self, id: ExprId, name: Text, default: Option<ExprId>) {
        let name = self.ast.text(name);
        let digits = name.strip_prefix("0x").unwrap_or(name);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.report(issues::illegal_numeric_parameter(name), id);
        }
        let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_word || !name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_') {
            self.report(issues::illegal_parameter_name(name), id);
        }
        if let Some(default) = default {
            self.check_no_assignment(default);
        }
    }

    /// A default may not assign, except to what is local to a lambda in it.
    fn check_no_assignment(&mut self, id: ExprId) {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Binary { op, .. } if op.is_assignment() => {
                self.report(issues::illegal_assignment_context(), id);
            }
            Expr::Lambda { .. } => {}
            _ => ast.each_child(id, |child| self.check_no_assignment(child)),
        }
    }

    fn check_no_rest_parameter(&mut self, parameters: List, container: ExprId) {
        let ast = self.ast;
        for &parameter in ast.list(parameters) {
            if let Expr::RestParameter { name, .. } = ast.expr(parameter) {
                let place = self.a(container);
                self.report(issues::rest_parameter_not_supported(ast.text(name), &place), parameter);
            }
        }
    }

    fn check_unique_parameters(&mut self, parameters: List) {
        let ast = self.ast;
        let mut seen = FxHashSet::default();
        for &parameter in ast.list(parameters) {
            let Some(name) = self.parameter_name(parameter) else { continue };
            let name = ast.text(name);
            if !seen.insert(name) {
                self.report(issues::duplicate_parameter(name), parameter);
            }
        }
    }

    fn check_reserved_parameters(&mut self, parameters: List, container: ExprId) {
        let ast = self.ast;
        for &parameter in ast.list(parameters) {
            let Some(name) = self.parameter_name(parameter) else { continue };
            let name = ast.text(name);
            if matches!(name, "name" | "title") {
                let place = format!("the {}", self.label(container));
                self.report(issues::reserved_parameter(name, &place), parameter);
            }
        }
    }

    fn parameter_name(&self, id: ExprId) -> Option<Text> {
        match self.ast.expr(id) {
            Expr::Parameter { name, .. } | Expr::RestParameter { name, .. } => Some(name),
            _ => None,
        }
    }

    fn check_literal_type(&mut self, parameter: ExprId) {
        let (Expr::Parameter { name, type_expr, .. } | Expr::RestParameter { name, type_expr, .. }) =
            self.ast.expr(parameter)
        else {
            return;
        };
        let Some(type_expr) = type_expr else { return };
        if Literal::of(self.ast, type_expr).is_none() {
            // The words are the reference's: it names the class of its own node.
            let what = with_article("Puppet::Pops::Model::AccessExpression");
            let name = self.ast.text(name);
            self.report(issues::nonliteral_parameter_type(name, &what), parameter);
        }
    }
}

/// Segments of word characters, separated by `::`, each starting with a letter of the right case.
fn is_definition_name(name: &str, starts: fn(&u8) -> bool) -> bool {
    name.split("::").all(|segment| {
        segment.as_bytes().first().is_some_and(starts)
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn is_reserved_type_name(name: &str) -> bool {
    matches!(
        name,
        "type"
            | "any"
            | "unit"
            | "scalar"
            | "boolean"
            | "numeric"
            | "integer"
            | "float"
            | "collection"
            | "array"
            | "hash"
            | "tuple"
            | "struct"
            | "variant"
            | "optional"
            | "enum"
            | "regexp"
            | "pattern"
            | "runtime"
            | "init"
            | "object"
            | "sensitive"
            | "semver"
            | "semverrange"
            | "string"
            | "timestamp"
            | "timespan"
            | "typeset"
    )
}
