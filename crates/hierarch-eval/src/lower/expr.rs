//! Lowering of expressions, one function per kind of them.

use std::sync::{Arc, OnceLock};

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Str, Value};
use hierarch_source::Result;
use hierarch_syntax::ast::{BinaryOp, Expr, ExprId, List, Text, UnaryOp};

use super::Lowering;
use super::constant::is_constant_type;
use super::scope::Boundary;
use crate::code::{CallSite, CaseOption, Fragment, Id, Instruction, Item, MethodSite, Pattern, UnitId};

impl Lowering<'_> {
    /// Lowers an expression and all below it.
    pub(super) fn expr(&mut self, id: ExprId) -> Result<Id> {
        if is_constant_type(&self.ast, id) {
            let node = self.node(id)?;
            let inner = self.add(node, id);
            return Ok(self.add(Instruction::Constant { inner, found: OnceLock::new() }, id));
        }
        // A parenthesis does nothing but group; what it holds speaks for itself.
        if let Expr::Unary { op: UnaryOp::Paren, operand } = self.ast.expr(id) {
            return self.expr(operand);
        }
        // So does a block of one statement.
        if let Expr::Block(statements) = self.ast.expr(id)
            && let [only] = *self.ast.list(statements)
        {
            return self.expr(only);
        }
        let node = self.node(id)?;
        Ok(self.add(node, id))
    }

    fn node(&mut self, id: ExprId) -> Result<Instruction> {
        Ok(match self.ast.expr(id) {
            Expr::Undef | Expr::Nop => Instruction::Nothing,
            Expr::Default => Instruction::Literal(Value::Default),
            Expr::Boolean(truth) => Instruction::Literal(truth.into()),
            Expr::Integer { value, .. } => Instruction::Literal(value.into()),
            Expr::Float(number) => Instruction::Literal(number.into()),
            Expr::String(text) | Expr::Name(text) | Expr::Reserved(text) => {
                Instruction::Literal(self.text(text).into())
            }
            Expr::Regex(text) => self.regex(id, text)?,
            Expr::Reference(name) => Instruction::TypeName { name: self.text(name), found: OnceLock::new() },
            Expr::Variable(name) => self.variable(name),
            Expr::Concat(parts) => self.concat(parts)?,
            Expr::Interpolation(inner) => Instruction::Concat(Box::new([Fragment::Expr(self.expr(inner)?)])),
            Expr::Heredoc { syntax, text } => self.heredoc(syntax, text)?,
            Expr::Array(elements) => Instruction::Array(self.items(elements)?),
            Expr::Hash(entries) => self.hash(entries)?,
            Expr::Access { left, keys } => {
                Instruction::Access { left: self.expr(left)?, keys: self.ids(keys)? }
            }
            Expr::Binary { op, left, right } => self.binary(op, left, right)?,
            Expr::Unary { op, operand } => self.unary(op, operand)?,
            Expr::Call { functor, arguments, lambda, .. } => self.call(functor, arguments, lambda)?,
            Expr::MethodCall { functor, arguments, lambda } => self.method(functor, arguments, lambda)?,
            Expr::Block(statements) => Instruction::Block(self.ids(statements)?),
            Expr::If { test, then, otherwise } => self.conditional(id, test, then, otherwise)?,
            Expr::Unless { test, then, otherwise } => self.conditional(id, test, otherwise, then)?,
            Expr::Case { test, options } => self.case(id, test, options)?,
            Expr::Selector { left, entries } => self.selector(left, entries)?,
            Expr::Epp { body, .. } => Instruction::Epp(self.optional(id, body)?),
            Expr::RenderString(text) => Instruction::RenderText(self.text(text)),
            Expr::Render(inner) => Instruction::Render(self.expr(inner)?),
            Expr::Class(_)
            | Expr::Define(_)
            | Expr::Function(_)
            | Expr::TypeDefinition(_)
            | Expr::NodeDefinition { .. }
            | Expr::TypeAlias { .. }
            | Expr::TypeMapping { .. } => Instruction::Nothing,
            _ => self.of_catalog(id)?,
        })
    }

    fn ids(&mut self, list: List) -> Result<Box<[Id]>> {
        let ast = Arc::clone(&self.ast);
        ast.list(list).iter().map(|id| self.expr(*id)).collect()
    }

    fn optional(&mut self, owner: ExprId, id: Option<ExprId>) -> Result<Id> {
        match id {
            Some(id) => self.expr(id),
            None => Ok(self.add(Instruction::Nothing, owner)),
        }
    }

    fn items(&mut self, list: List) -> Result<Box<[Item]>> {
        let ast = Arc::clone(&self.ast);
        ast.list(list).iter().map(|id| self.item(*id)).collect()
    }

    fn item(&mut self, id: ExprId) -> Result<Item> {
        let bare = self.without_parentheses(id);
        let is_splat = matches!(self.ast.expr(bare), Expr::Unary { op: UnaryOp::Unfold, .. });
        Ok(Item { id: self.expr(bare)?, is_splat })
    }

    pub(super) fn without_parentheses(&self, mut id: ExprId) -> ExprId {
        while let Expr::Unary { op: UnaryOp::Paren, operand } = self.ast.expr(id) {
            id = operand;
        }
        id
    }

    fn regex(&mut self, id: ExprId, text: Text) -> Result<Instruction> {
        let regexp = Regexp::new(self.ast.text(text))
            .map_err(|error| error.at(self.ast.source(), self.ast.span(id)))?;
        Ok(Instruction::Literal(regexp.into()))
    }

    fn variable(&mut self, name: Text) -> Instruction {
        let ast = Arc::clone(&self.ast);
        let name = ast.text(name);
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return Instruction::Matched(name.parse().unwrap_or(usize::MAX));
        }
        match name.strip_prefix("::").unwrap_or(name) {
            bare if bare.contains("::") => Instruction::Qualified(bare.into()),
            bare if bare.len() < name.len() => Instruction::Global(self.names.id(bare)),
            bare => self.scopes.read(bare, self.names),
        }
    }

    fn concat(&mut self, parts: List) -> Result<Instruction> {
        let ast = Arc::clone(&self.ast);
        let parts = ast.list(parts).iter().map(|id| match ast.expr(*id) {
            Expr::String(text) => Ok(Fragment::Text(ast.text(text).into())),
            Expr::Interpolation(inner) => self.expr(inner).map(Fragment::Expr),
            _ => self.expr(*id).map(Fragment::Expr),
        });
        Ok(Instruction::Concat(parts.collect::<Result<_>>()?))
    }

    fn heredoc(&mut self, syntax: Text, text: ExprId) -> Result<Instruction> {
        // A text without interpolation was checked by validation.
        let syntax =
            if matches!(self.ast.expr(text), Expr::String(_)) { Str::new() } else { self.text(syntax) };
        Ok(Instruction::Heredoc { syntax, text: self.expr(text)? })
    }

    fn hash(&mut self, entries: List) -> Result<Instruction> {
        let ast = Arc::clone(&self.ast);
        let entries = ast.list(entries).iter().map(|id| match ast.expr(*id) {
            Expr::Entry { key, value } => Ok((self.expr(key)?, self.expr(value)?)),
            _ => unreachable!("a hash is a list of entries"),
        });
        Ok(Instruction::Hash(entries.collect::<Result<_>>()?))
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Result<Instruction> {
        if op == BinaryOp::Assign {
            return self.assignment(left, right);
        }
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        Ok(match op {
            op if op.is_relationship() => Instruction::Relate { op, left, right },
            BinaryOp::And => Instruction::And { left, right },
            BinaryOp::Or => Instruction::Or { left, right },
            BinaryOp::In => Instruction::In { left, right },
            BinaryOp::Match => Instruction::Match { negated: false, left, right },
            BinaryOp::NoMatch => Instruction::Match { negated: true, left, right },
            op if op.is_comparison() => Instruction::Compare { op, left, right },
            op => Instruction::Arithmetic { op, left, right },
        })
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Result<Instruction> {
        let operand = self.expr(operand)?;
        Ok(match op {
            UnaryOp::Not => Instruction::Not(operand),
            UnaryOp::Minus => Instruction::Minus(operand),
            UnaryOp::Unfold => Instruction::Unfold(operand),
            UnaryOp::Paren => unreachable!("parentheses are left out before"),
        })
    }

    fn assignment(&mut self, left: ExprId, right: ExprId) -> Result<Instruction> {
        let value = self.expr(right)?;
        Ok(match self.ast.expr(left) {
            Expr::Variable(name) => {
                let target = self.scopes.target(self.ast.text(name), self.names);
                Instruction::Assign { target, value }
            }
            _ => Instruction::Destructure { targets: self.patterns(left), value },
        })
    }

    fn patterns(&mut self, list: ExprId) -> Box<[Pattern]> {
        let mut children = Vec::new();
        self.ast.each_child(list, |child| children.push(child));
        children
            .into_iter()
            .map(|child| match self.ast.expr(child) {
                Expr::Variable(name) => {
                    let name = self.text(name);
                    let target = self.scopes.target(&name, self.names);
                    Pattern::Variable(name, target)
                }
                _ => Pattern::List(self.patterns(child)),
            })
            .collect()
    }

    fn lambda(&mut self, lambda: Option<ExprId>) -> Result<Option<UnitId>> {
        let Some(Expr::Lambda { parameters, body, returns }) = lambda.map(|id| self.ast.expr(id)) else {
            return Ok(None);
        };
        self.callable(parameters, body, returns, Boundary::Lambda, &[]).map(Some)
    }

    fn call(&mut self, functor: ExprId, arguments: List, lambda: Option<ExprId>) -> Result<Instruction> {
        let Expr::Name(name) = self.ast.expr(functor) else {
            let type_ = self.expr(functor)?;
            return Ok(Instruction::New {
                type_,
                arguments: self.items(arguments)?,
                lambda: self.lambda(lambda)?,
            });
        };
        let name = self.function_name(name);
        let arguments = self.items(arguments)?;
        let lambda = self.lambda(lambda)?;
        Ok(Instruction::Call(Box::new(CallSite { name, arguments, lambda })))
    }

    fn function_name(&mut self, name: Text) -> crate::names::NameId {
        let name = self.ast.text(name);
        let id = self.names.id(name.strip_prefix("::").unwrap_or(name));
        self.called.push(id);
        id
    }

    fn method(&mut self, functor: ExprId, arguments: List, lambda: Option<ExprId>) -> Result<Instruction> {
        let Expr::Dot { left, name } = self.ast.expr(functor) else {
            unreachable!("a method call has a dotted functor")
        };
        let name = match self.ast.expr(name) {
            Expr::Name(name) | Expr::Reserved(name) | Expr::String(name) => self.function_name(name),
            _ => self.names.id(""),
        };
        let receiver = self.item(left)?;
        let arguments = self.items(arguments)?;
        let lambda = self.lambda(lambda)?;
        Ok(Instruction::Method(Box::new(MethodSite { name, receiver, arguments, lambda })))
    }

    fn conditional(
        &mut self,
        id: ExprId,
        test: ExprId,
        then: Option<ExprId>,
        otherwise: Option<ExprId>,
    ) -> Result<Instruction> {
        let test = self.expr(test)?;
        Ok(Instruction::If { test, then: self.optional(id, then)?, otherwise: self.optional(id, otherwise)? })
    }

    fn case(&mut self, id: ExprId, test: ExprId, options: List) -> Result<Instruction> {
        let ast = Arc::clone(&self.ast);
        let test = self.expr(test)?;
        let mut otherwise = None;
        let mut lowered = Vec::with_capacity(options.len());
        for option in ast.list(options) {
            let Expr::CaseOption { values, then } = ast.expr(*option) else { continue };
            let then = self.optional(*option, then)?;
            let values = self.option_values(ast.list(values), then, &mut otherwise)?;
            lowered.push(CaseOption { values, then });
        }
        let otherwise = match otherwise {
            Some(otherwise) => otherwise,
            None => self.add(Instruction::Nothing, id),
        };
        Ok(Instruction::Case { test, options: lowered.into(), otherwise })
    }

    /// Lowers the values of an option; `default` is not a value but what remains when nothing else matched.
    fn option_values(
        &mut self,
        values: &[ExprId],
        then: Id,
        otherwise: &mut Option<Id>,
    ) -> Result<Box<[Item]>> {
        let mut items = Vec::with_capacity(values.len());
        for value in values {
            if matches!(self.ast.expr(self.without_parentheses(*value)), Expr::Default) {
                *otherwise = Some(then);
            } else {
                items.push(self.item(*value)?);
            }
        }
        Ok(items.into())
    }

    fn selector(&mut self, left: ExprId, entries: List) -> Result<Instruction> {
        let ast = Arc::clone(&self.ast);
        let test = self.expr(left)?;
        let mut otherwise = None;
        let mut options = Vec::with_capacity(entries.len());
        for entry in ast.list(entries) {
            let Expr::SelectorEntry { matching, value } = ast.expr(*entry) else { continue };
            let then = self.expr(value)?;
            let values = self.option_values(&[matching], then, &mut otherwise)?;
            options.push(CaseOption { values, then });
        }
        Ok(Instruction::Select { test, options: options.into(), otherwise })
    }
}
