//! Validation: what the grammar allows and the language does not.
//!
//! Every node is checked once, parents before children, in the order in which the reference visits
//! them, so that several issues come out in the same order. Each check looks at one node and at the
//! role its children play in it.

mod definition;
mod effect;
mod expression;
mod heredoc;
mod literal;
mod location;
mod resource;

use std::path::PathBuf;

use hierarch_source::{Diagnostic, Result};

use crate::ast::{Ast, Expr, ExprId};
use crate::label::{label, with_article, with_capital_article};
use crate::parser::Program;

pub use heredoc::check_syntax;

/// What validation has to know besides the program.
#[derive(Clone, Debug, Default)]
pub struct ValidateOptions {
    /// The folders that modules are in: a file below one of them may hold only what belongs there.
    pub modulepath: Vec<PathBuf>,
    /// What two equal keys of a hash are.
    pub duplicate_keys: DuplicateKeys,
}

/// What two equal keys of a hash literal are: the setting `strict` decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DuplicateKeys {
    /// Nothing to speak of: the last one counts.
    Allowed,
    /// Something to warn of.
    Warned,
    /// An error.
    #[default]
    Refused,
}

/// Checks a program and returns all that is wrong with it; an empty list if nothing is.
///
/// A heredoc whose text breaks the syntax that its tag names ends validation at once, with that error alone.
pub fn validate(program: &Program, options: &ValidateOptions) -> Result<Vec<Diagnostic>> {
    let mut validator = Validator { ast: &program.ast, options, path: Vec::new(), found: Vec::new() };
    validator.check_location(program.root);
    validator.visit(program.root)?;
    Ok(validator.found)
}

struct Validator<'a> {
    ast: &'a Ast,
    options: &'a ValidateOptions,
    /// The nodes around the current one, outermost first.
    path: Vec<ExprId>,
    found: Vec<Diagnostic>,
}

impl Validator<'_> {
    fn visit(&mut self, id: ExprId) -> Result<()> {
        self.check(id)?;
        self.path.push(id);
        let ast = self.ast;
        let mut result = Ok(());
        ast.each_child(id, |child| {
            if result.is_ok() {
                result = self.visit(child);
            }
        });
        self.path.pop();
        result
    }

    fn check(&mut self, id: ExprId) -> Result<()> {
        match self.ast.expr(id) {
            Expr::Nop
            | Expr::Undef
            | Expr::Default
            | Expr::Boolean(_)
            | Expr::Integer { .. }
            | Expr::Float(_) => {}
            Expr::String(_) | Expr::Regex(_) | Expr::Name(_) | Expr::Reference(_) | Expr::RenderString(_) => {
            }
            Expr::Concat(_) | Expr::Access { .. } | Expr::Dot { .. } | Expr::MethodCall { .. } => {}
            Expr::BigInteger { digits, .. } => self.check_big_integer(id, digits),
            Expr::Reserved(word) => self.check_reserved(id, word),
            Expr::Variable(name) => self.check_variable(id, name),
            Expr::Heredoc { syntax, text } => return self.check_heredoc(syntax, text),
            Expr::Interpolation(inner) | Expr::Render(inner) | Expr::Unary { operand: inner, .. } => {
                self.value(inner);
            }
            Expr::Array(list) => self.values(list),
            Expr::Hash(list) => self.check_hash(list),
            Expr::Entry { key, value } => {
                self.value(key);
                self.value(value);
            }
            Expr::Binary { op, left, right } => self.check_binary(id, op, left, right),
            Expr::Call { functor, .. } => self.check_call(id, functor),
            Expr::Lambda { parameters, returns, .. } => self.check_lambda(id, parameters, returns),
            Expr::Parameter { name, default, .. } | Expr::RestParameter { name, default, .. } => {
                self.check_parameter(id, name, default);
            }
            Expr::Block(list) => self.check_block(id, list),
            Expr::If { test, .. } | Expr::Unless { test, .. } => self.value(test),
            Expr::Case { test, options } => self.check_case(id, test, options),
            Expr::CaseOption { values, .. } => self.values(values),
            Expr::Selector { left, entries } => self.check_selector(id, left, entries),
            Expr::SelectorEntry { matching, .. } => self.value(matching),
            Expr::Class(definition) => self.check_class(id, definition),
            Expr::Define(definition) => self.check_define(id, definition),
            Expr::Function(definition) => self.check_function(id, definition),
            Expr::TypeDefinition(_) => self.check_type_definition(id),
            Expr::NodeDefinition { hosts, parent, body } => self.check_node(id, hosts, parent, body),
            Expr::TypeAlias { name, type_expr } => self.check_type_alias(id, name, type_expr),
            Expr::TypeMapping { left, right } => self.check_type_mapping(id, left, right),
            Expr::Resource { type_name, form, .. } => self.check_resource(id, type_name, form),
            Expr::ResourceBody { operations, .. } => self.check_resource_body(operations),
            Expr::ResourceDefaults { form, .. } | Expr::ResourceOverride { form, .. } => {
                self.check_form(id, form);
            }
            Expr::Attribute { name, append, value } => self.check_attribute(id, name, append, value),
            Expr::AttributeHash(value) => self.value(value),
            Expr::Collector { type_expr, .. } => self.check_collector(id, type_expr),
            Expr::Query { expr, .. } => expr.into_iter().for_each(|expr| self.query(expr)),
            Expr::Epp { .. } => self.check_epp(id),
        }
        Ok(())
    }

    fn report(&mut self, diagnostic: Diagnostic, at: ExprId) {
        let diagnostic = diagnostic.at(self.ast.source(), self.ast.span(at));
        self.found.push(diagnostic);
    }

    fn label(&self, id: ExprId) -> String {
        label(self.ast, id)
    }

    fn a(&self, id: ExprId) -> String {
        with_article(&self.label(id))
    }

    fn capital_a(&self, id: ExprId) -> String {
        with_capital_article(&self.label(id))
    }

    fn container(&self) -> Option<ExprId> {
        self.path.last().copied()
    }
}
