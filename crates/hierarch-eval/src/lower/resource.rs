//! Lowering of what makes a catalog: classes and nodes, resources, collectors.

use std::sync::Arc;

use hierarch_pcore::Str;
use hierarch_pcore::regex::Regexp;
use hierarch_source::Result;
use hierarch_syntax::ast::{BinaryOp, DefinitionId, Expr, ExprId, List, UnaryOp};

use super::Lowering;
use super::scope::Boundary;
use crate::code::{
    Body, ClassDefinition, ClassKind, CollectSite, Instruction, NodeMatcher, OWN_VARIABLES, Operation, Query,
    ResourceSite, TypeName,
};

impl Lowering<'_> {
    pub(super) fn class(&mut self, origin: ExprId, kind: ClassKind, definition: DefinitionId) -> Result<()> {
        let definition = *self.ast.definition(definition);
        let own = OWN_VARIABLES.map(Str::from);
        let unit = self.callable(definition.parameters, definition.body, None, Boundary::Class, &own)?;
        let text = |text| {
            let name = self.ast.text(text);
            name.strip_prefix("::").unwrap_or(name).to_lowercase().into()
        };
        let (name, parent) = (text(definition.name), definition.parent.map(text));
        self.classes.push(ClassDefinition { kind, name, parent, hosts: Vec::new(), unit, origin });
        Ok(())
    }

    pub(super) fn node_definition(
        &mut self,
        origin: ExprId,
        hosts: List,
        body: Option<ExprId>,
    ) -> Result<()> {
        let own = OWN_VARIABLES.map(Str::from);
        let unit = self.callable(List::default(), body, None, Boundary::Class, &own)?;
        let ast = Arc::clone(&self.ast);
        let hosts = ast.list(hosts).iter().map(|id| self.host(*id)).collect::<Result<_>>()?;
        let kind = ClassKind::Node;
        self.classes.push(ClassDefinition { kind, name: Str::new(), parent: None, hosts, unit, origin });
        Ok(())
    }

    fn host(&self, id: ExprId) -> Result<NodeMatcher> {
        Ok(match self.ast.expr(id) {
            Expr::Regex(text) => {
                let regexp = Regexp::new(self.ast.text(text))
                    .map_err(|error| error.at(self.ast.source(), self.ast.span(id)))?;
                NodeMatcher::Pattern(Arc::new(regexp))
            }
            Expr::String(text) | Expr::Name(text) => {
                NodeMatcher::Name(self.ast.text(text).to_lowercase().into())
            }
            _ => NodeMatcher::Name("default".into()),
        })
    }

    /// Lowers an expression that changes the catalog.
    pub(super) fn of_catalog(&mut self, id: ExprId) -> Result<Instruction> {
        Ok(match self.ast.expr(id) {
            Expr::Resource { type_name, bodies, form } => {
                let kind = self.resource_type(type_name)?;
                let ast = Arc::clone(&self.ast);
                let bodies = ast.list(bodies).iter().map(|id| self.body(*id)).collect::<Result<_>>()?;
                Instruction::Resource(Box::new(ResourceSite { kind, form, bodies }))
            }
            Expr::ResourceDefaults { type_ref, operations, .. } => Instruction::Defaults {
                type_ref: self.expr(type_ref)?,
                operations: self.operations(operations)?,
            },
            Expr::ResourceOverride { resources, operations, .. } => Instruction::Override {
                resources: self.expr(resources)?,
                operations: self.operations(operations)?,
            },
            Expr::Collector { type_expr, query, operations } => {
                self.collector(type_expr, query, operations)?
            }
            // Nothing else stands on its own.
            _ => Instruction::Nothing,
        })
    }

    fn resource_type(&mut self, id: ExprId) -> Result<TypeName> {
        if let Expr::Name(name) = self.ast.expr(id) {
            let name = self.ast.text(name);
            return Ok(TypeName::Name(name.strip_prefix("::").unwrap_or(name).into()));
        }
        let may_be_type = match self.ast.expr(id) {
            Expr::Reference(_) => true,
            Expr::Access { left, .. } => matches!(self.ast.expr(left), Expr::Reference(_)),
            _ => false,
        };
        Ok(TypeName::Expr { id: self.expr(id)?, may_be_type })
    }

    fn body(&mut self, id: ExprId) -> Result<Body> {
        let Expr::ResourceBody { title, operations } = self.ast.expr(id) else {
            unreachable!("a resource is a list of bodies")
        };
        Ok(Body { title: self.expr(title)?, operations: self.operations(operations)? })
    }

    fn operations(&mut self, list: List) -> Result<Box<[Operation]>> {
        let ast = Arc::clone(&self.ast);
        ast.list(list).iter().map(|id| self.operation(*id)).collect()
    }

    fn operation(&mut self, origin: ExprId) -> Result<Operation> {
        Ok(match self.ast.expr(origin) {
            Expr::Attribute { name, append, value } => {
                Operation { name: Some(self.text(name)), appends: append, value: self.expr(value)?, origin }
            }
            Expr::AttributeHash(value) => {
                Operation { name: None, appends: false, value: self.expr(value)?, origin }
            }
            _ => unreachable!("a body is a list of attributes"),
        })
    }

    fn collector(&mut self, type_expr: ExprId, query: ExprId, operations: List) -> Result<Instruction> {
        let type_name = match self.ast.expr(type_expr) {
            Expr::Reference(name) => self.ast.text(name).to_lowercase(),
            _ => String::new(),
        };
        let (is_exported, expr) = match self.ast.expr(query) {
            Expr::Query { exported, expr } => (exported, expr),
            _ => (false, None),
        };
        let query = expr.map(|id| self.query(id)).transpose()?;
        let type_name = type_name.strip_prefix("::").unwrap_or(&type_name).into();
        let operations = self.operations(operations)?;
        Ok(Instruction::Collect(Box::new(CollectSite { type_name, is_exported, query, operations })))
    }

    fn query(&mut self, id: ExprId) -> Result<Query> {
        let id = self.without_parentheses(id);
        let Expr::Binary { op, left, right } = self.ast.expr(id) else {
            return Ok(Query::Other);
        };
        Ok(match op {
            BinaryOp::And => Query::And(Box::new(self.query(left)?), Box::new(self.query(right)?)),
            BinaryOp::Or => Query::Or(Box::new(self.query(left)?), Box::new(self.query(right)?)),
            BinaryOp::Equal | BinaryOp::NotEqual => match self.foreign_to_queries(right) {
                Some(class) => Query::Foreign(class),
                None if op == BinaryOp::Equal => Query::Equal(self.expr(left)?, self.expr(right)?),
                None => Query::NotEqual(self.expr(left)?, self.expr(right)?),
            },
            _ => Query::Other,
        })
    }

    /// Names what the reference calls an expression that no value of a query may be.
    fn foreign_to_queries(&self, id: ExprId) -> Option<&'static str> {
        Some(match self.ast.expr(self.without_parentheses(id)) {
            Expr::Array(_) => "LiteralList",
            Expr::Hash(_) => "LiteralHash",
            Expr::Regex(_) => "LiteralRegularExpression",
            Expr::Call { .. } => "CallNamedFunctionExpression",
            Expr::MethodCall { .. } => "CallMethodExpression",
            Expr::Reference(_) => "QualifiedReference",
            Expr::Default => "LiteralDefault",
            Expr::Heredoc { .. } => "HeredocExpression",
            Expr::If { .. } => "IfExpression",
            Expr::Unless { .. } => "UnlessExpression",
            Expr::Case { .. } => "CaseExpression",
            Expr::Selector { .. } => "SelectorExpression",
            Expr::Unary { op: UnaryOp::Minus, .. } => "UnaryMinusExpression",
            Expr::Unary { op: UnaryOp::Not, .. } => "NotExpression",
            Expr::Unary { op: UnaryOp::Unfold, .. } => "UnfoldExpression",
            Expr::Binary { op, .. } => match op {
                BinaryOp::And => "AndExpression",
                BinaryOp::Or => "OrExpression",
                BinaryOp::In => "InExpression",
                BinaryOp::Match | BinaryOp::NoMatch => "MatchExpression",
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight => "ArithmeticExpression",
                _ => "ComparisonExpression",
            },
            _ => return None,
        })
    }
}
