//! What expressions give.

use std::rc::Rc;

use hierarch_pcore::Str;

use super::fault::{Checked, FaultKind};
use super::issues;
use super::library;
use super::object::CallArguments;
use super::renderer::Renderer;
use super::tree::{Arguments, Comparison, Expr, ExprKind};
use super::value::{Missing, Pairs, Val};

impl Renderer {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, expr: &Expr) -> Checked<Val> {
        match &expr.kind {
            ExprKind::Const(value) => {
                self.step()?;
                Ok(Val::of_const(value))
            }
            ExprKind::Name(name) => {
                self.step()?;
                self.name(name, expr.range).map_err(|fault| fault.at(expr.range))
            }
            _ => {
                let result = self.deeper(|renderer| renderer.inner(expr));
                result.map_err(|fault| fault.at(expr.range))
            }
        }
    }

    fn inner(&mut self, expr: &Expr) -> Checked<Val> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Val::of_const(value)),
            ExprKind::Name(name) => self.name(name, expr.range),
            ExprKind::List(items) => {
                let items = self.all(items)?;
                self.list(items)
            }
            ExprKind::Tuple(items) => {
                let items = self.all(items)?;
                self.tuple(items)
            }
            ExprKind::Dict(pairs) => self.map_of(pairs),
            ExprKind::Unary(operator, inner) => {
                let value = self.eval(inner)?;
                self.unary(*operator, &value)
            }
            ExprKind::Binary(operator, both) => {
                let (a, b) = (self.eval(&both.0)?, self.eval(&both.1)?);
                self.binary(*operator, &a, &b)
            }
            ExprKind::And(both) => self.either(&both.0, &both.1, false),
            ExprKind::Or(both) => self.either(&both.0, &both.1, true),
            ExprKind::Concat(parts) => {
                let parts = self.all(parts)?;
                self.concatenated(&parts)
            }
            ExprKind::Compare(first, others) => self.comparison(first, others),
            ExprKind::Choice(both, otherwise) => self.choice(&both.0, &both.1, otherwise.as_deref()),
            _ => self.access(expr),
        }
    }

    fn access(&mut self, expr: &Expr) -> Checked<Val> {
        match &expr.kind {
            ExprKind::Attribute(value, name) => {
                let value = self.eval(value)?;
                self.attribute(&value, name, expr.range)
            }
            ExprKind::Item(both) => {
                let (value, key) = (self.eval(&both.0)?, self.eval(&both.1)?);
                self.item(&value, &key, expr.range)
            }
            ExprKind::Slice(value, parts) => self.slice_of(value, parts),
            ExprKind::Call(callee, arguments) => self.call(callee, arguments),
            ExprKind::Filter(value, name, arguments) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Val::undefined("the filter of a block has no value"),
                };
                self.filtered(value, name, arguments)
            }
            ExprKind::Test(value, name, arguments) => {
                let value = self.eval(value)?;
                self.tested(value, name, arguments)
            }
            _ => Ok(Val::None),
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Checked<Vec<Val>> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    fn map_of(&mut self, entries: &[(Expr, Expr)]) -> Checked<Val> {
        let mut pairs = Pairs::default();
        for (key, value) in entries {
            let (key, value) = (self.eval(key)?, self.eval(value)?);
            let hashed = self.key_of(&key)?;
            match pairs.get_mut(&hashed) {
                Some((_, old)) => *old = value,
                None => drop(pairs.insert(hashed, (key, value))),
            }
        }
        self.dict(pairs)
    }

    /// Returns the first of two values if that decides.
    fn either(&mut self, first: &Expr, second: &Expr, wanted: bool) -> Checked<Val> {
        let value = self.eval(first)?;
        let truth = self.truth(&value).map_err(|fault| fault.at(first.range))?;
        if truth == wanted { Ok(value) } else { self.eval(second) }
    }

    fn comparison(&mut self, first: &Expr, others: &[(Comparison, Expr)]) -> Checked<Val> {
        let mut left = self.eval(first)?;
        for (operator, other) in others {
            let right = self.eval(other)?;
            if !self.compared(*operator, &left, &right)? {
                return Ok(Val::Bool(false));
            }
            left = right;
        }
        Ok(Val::Bool(true))
    }

    fn choice(&mut self, test: &Expr, value: &Expr, otherwise: Option<&Expr>) -> Checked<Val> {
        let tested = self.eval(test)?;
        if self.truth(&tested).map_err(|fault| fault.at(test.range))? {
            return self.eval(value);
        }
        match otherwise {
            Some(otherwise) => self.eval(otherwise),
            None => Ok(Val::Undefined(Rc::new(Missing {
                kind: FaultKind::NoElse,
                message: issues::no_else_part().into(),
                range: None,
                own: None,
            }))),
        }
    }

    fn slice_of(&mut self, value: &Expr, parts: &[Option<Expr>; 3]) -> Checked<Val> {
        let value = self.eval(value)?;
        let mut bounds = [None; 3];
        for (bound, part) in bounds.iter_mut().zip(parts) {
            *bound = match part {
                None => None,
                Some(part) => match self.eval(part)? {
                    Val::None => None,
                    Val::Int(number) => Some(number),
                    Val::Bool(truth) => Some(i128::from(truth)),
                    Val::Undefined(missing) => return Err(missing.fault()),
                    _ => return Err(issues::bad_slice()),
                },
            };
        }
        self.sliced(&value, bounds)
    }

    /// Evaluates the arguments of a call.
    pub(super) fn given(&mut self, arguments: &Arguments) -> Checked<CallArguments> {
        let mut given = CallArguments { positional: self.all(&arguments.positional)?, named: Vec::new() };
        for (name, value) in &arguments.named {
            given.named.push((name.clone(), self.eval(value)?));
        }
        if let Some(star) = &arguments.star {
            let star = self.eval(star)?;
            given.positional.extend(self.items(&star)?);
        }
        if let Some(double_star) = &arguments.double_star {
            let value = self.eval(double_star)?;
            let Some(pairs) = self.pairs(&value)? else { return Err(issues::keywords_are_a_map()) };
            for (key, value) in pairs {
                let Some(name) = key.as_text() else { return Err(issues::keywords_are_texts()) };
                given.named.push((Str::from(name), value));
            }
        }
        Ok(given)
    }

    fn filtered(&mut self, value: Val, name: &str, arguments: &Arguments) -> Checked<Val> {
        let mut given = self.given(arguments)?;
        given.positional.insert(0, value);
        self.filter(name, given)
    }

    /// Applies a filter.
    pub(super) fn filter(&mut self, name: &str, given: CallArguments) -> Checked<Val> {
        let Some(filter) = library::filter(name) else { return Err(issues::no_such_filter(name)) };
        let bound = filter.bind(self, given)?;
        let made = (filter.run)(self, &bound)?;
        self.unrolled(made)
    }

    fn tested(&mut self, value: Val, name: &str, arguments: &Arguments) -> Checked<Val> {
        let mut given = self.given(arguments)?;
        given.positional.insert(0, value);
        self.test(name, given).map(Val::Bool)
    }

    /// Asks a test.
    pub(super) fn test(&mut self, name: &str, given: CallArguments) -> Checked<bool> {
        let Some(test) = library::test(name) else { return Err(issues::no_such_test(name)) };
        let bound = test.bind(self, given)?;
        let found = (test.run)(self, &bound)?;
        self.truth(&found)
    }

    /// Refuses what is not there.
    pub(super) fn present(&self, value: &Val) -> Checked<()> {
        match value {
            Val::Undefined(missing) => self.missing(missing),
            _ => Ok(()),
        }
    }

    pub(super) fn missing(&self, missing: &Missing) -> Checked<()> {
        if self.strict() && !missing.is_soft() { Err(missing.fault()) } else { Ok(()) }
    }
}
