//! Calls: of built-in functions, of functions written in the language, and of lambdas.

use std::sync::Arc;

use hierarch_pcore::types::{CallableType, IntegerType, Kind, TupleType};
use hierarch_pcore::{Str, Type, Value};
use hierarch_source::{Frame as StackFrame, Place};

use crate::code::{CallSite, Callable, Code, Id, Item, MethodSite, Unit, UnitId};
use crate::evaluator::{Evaluated, Evaluator};
use crate::function::{Arguments, Block, BlockBody, Call, CompiledFunction, ForeignFunction};
use crate::hiera::LookupContext;
use crate::load::Loading;
use crate::member::Member;
use crate::names::NameId;
use crate::scope::{Frame, ScopeId};
use crate::stack::Binding;
use crate::{Result, Unwind, issues, mismatch};

/// What a name calls.
#[derive(Clone)]
pub(crate) enum Callee {
    BuiltIn(Arc<CompiledFunction>),
    User(Arc<UserFunction>),
    Foreign(Arc<ForeignFunction>),
}

/// A function written in the language.
pub(crate) struct UserFunction {
    pub(crate) name: Str,
    pub(crate) code: Arc<Code>,
    pub(crate) unit: UnitId,
}

impl UserFunction {
    pub(crate) fn unit(&self) -> &Unit {
        self.code.unit(self.unit)
    }
}

impl Evaluator<'_> {
    pub(crate) fn call_site(&mut self, frame: &Frame, id: Id, site: &CallSite) -> Evaluated {
        let arguments = self.arguments(frame, Arguments::new(), &site.arguments)?;
        self.call_with_lambda(frame, id, site.name, arguments, site.lambda)
    }

    /// `Type(…)` calls the function `new`.
    pub(crate) fn new_site(
        &mut self,
        frame: &Frame,
        id: Id,
        type_: Id,
        items: &[Item],
        lambda: Option<UnitId>,
    ) -> Evaluated {
        let mut arguments = Arguments::new();
        arguments.push(self.eval(frame, type_)?);
        let arguments = self.arguments(frame, arguments, items)?;
        let name = self.environment.new_function();
        self.call_with_lambda(frame, id, name, arguments, lambda)
    }

    pub(crate) fn method_site(&mut self, frame: &Frame, id: Id, site: &MethodSite) -> Evaluated {
        let arguments = self.arguments(frame, Arguments::new(), &[site.receiver])?;
        if let Some(context) = arguments.first().and_then(LookupContext::of) {
            return self.context_site(frame, id, site, context, arguments);
        }
        let member = match arguments.first() {
            Some(receiver @ (Value::Object(_) | Value::Uri(_))) => {
                Member::of(receiver, &self.environment.names().text(site.name))
            }
            _ => None,
        };
        let arguments = self.arguments(frame, arguments, &site.arguments)?;
        if let Some(member) = member {
            let block = site.lambda.map(|_| Type::callable());
            return Ok(member.call(arguments.get(1..).unwrap_or_default(), block.as_ref())?);
        }
        self.call_with_lambda(frame, id, site.name, arguments, site.lambda)
    }

    fn arguments(&mut self, frame: &Frame, mut arguments: Arguments, items: &[Item]) -> Result<Arguments> {
        for item in items {
            match self.eval(frame, item.id)? {
                Value::Array(elements) if item.is_splat => arguments.extend(elements.iter().cloned()),
                value => arguments.push(value),
            }
        }
        Ok(arguments)
    }

    fn call_with_lambda(
        &mut self,
        frame: &Frame,
        id: Id,
        name: NameId,
        arguments: Arguments,
        lambda: Option<UnitId>,
    ) -> Evaluated {
        self.with_lambda(frame, lambda, |evaluator, block| {
            evaluator.call_name(frame, Some(id), name, arguments, block)
        })
    }

    /// Does something with a lambda, if there is one, as a block.
    fn with_lambda(
        &mut self,
        frame: &Frame,
        lambda: Option<UnitId>,
        body: impl FnOnce(&mut Self, Option<Block>) -> Evaluated,
    ) -> Evaluated {
        let Some(unit) = lambda.map(|lambda| frame.code.unit(lambda)) else { return body(self, None) };
        let found;
        let callable = if let Some(callable) = unit.callable.get() {
            callable
        } else {
            found = self.callable(frame, unit)?;
            if unit.is_constant { unit.callable.get_or_init(|| found) } else { &found }
        };
        body(self, Some(Block { body: BlockBody::Lambda { code: frame.code, unit, frame }, callable }))
    }

    /// Calls a method of a lookup context; what it has no method for is a function.
    fn context_site(
        &mut self,
        frame: &Frame,
        id: Id,
        site: &MethodSite,
        context: LookupContext,
        receiver: Arguments,
    ) -> Evaluated {
        let name = self.environment.names().text(site.name);
        if !LookupContext::has_member(&name) {
            let arguments = self.arguments(frame, receiver, &site.arguments)?;
            return self.call_with_lambda(frame, id, site.name, arguments, site.lambda);
        }
        let arguments = self.arguments(frame, Arguments::new(), &site.arguments)?;
        self.with_lambda(frame, site.lambda, |evaluator, block| {
            context.call(evaluator, frame, &name, &arguments, block)
        })
    }

    /// Calls a function by name; a site is where the program calls it.
    pub(crate) fn call_name(
        &mut self,
        frame: &Frame,
        id: Option<Id>,
        name: NameId,
        arguments: Arguments,
        block: Option<Block>,
    ) -> Evaluated {
        if self.substitution.given.is_needed() {
            return self.call_or_substitute(frame, id, name, arguments, block);
        }
        self.call_directly(frame, id, name, arguments, block)
    }

    /// Calls a function by its name, whatever is given in its place.
    #[inline]
    pub(crate) fn call_directly(
        &mut self,
        frame: &Frame,
        id: Option<Id>,
        name: NameId,
        arguments: Arguments,
        block: Option<Block>,
    ) -> Evaluated {
        match self.loading.callee(name)? {
            Callee::BuiltIn(compiled) => self.call_built_in(frame, id, &compiled, arguments, block),
            Callee::Foreign(function) => self.call_foreign(frame, id, &function, arguments, block),
            Callee::User(function) => {
                self.call_user(&function, arguments, block).map_err(|unwind| match unwind {
                    Unwind::Error(error) => with_stack_frame(frame, id, &function.name, error).into(),
                    other => other,
                })
            }
        }
    }

    fn call_built_in(
        &mut self,
        frame: &Frame,
        site: Option<Id>,
        compiled: &CompiledFunction,
        arguments: Arguments,
        block: Option<Block>,
    ) -> Evaluated {
        self.budget.enter()?;
        let mut call =
            Call { name: compiled.function.name, arguments, block, evaluator: &mut *self, frame, site };
        let value = call.dispatch(compiled);
        self.budget.leave();
        let value = value?;
        self.budget.check_extent(&value)?;
        Ok(value)
    }

    /// Calls a function written in the language. `next` and `return` in its body end it.
    pub(crate) fn call_user(
        &mut self,
        function: &UserFunction,
        arguments: Arguments,
        block: Option<Block>,
    ) -> Evaluated {
        self.budget.enter()?;
        let unit = function.unit();
        let (base, scope) = (self.stack.top(), ScopeId::TOP);
        let frame = Frame { code: &function.code, unit, base, parent: None, scope };
        let callable = self.user_callable(&frame, unit)?;
        check_user_call(function, callable, &arguments, block)?;
        let mark = self.matches.hide();
        let result = self.run_unit(&frame, callable, &function.name, arguments);
        self.matches.back_to(mark);
        self.stack.cut(frame.base);
        self.budget.leave();
        let value = match result {
            // What `return` gives is not held against the type that is declared.   case: lang/campaign
            Err(Unwind::Return) => return Ok(self.stack.landed()),
            Err(Unwind::Next) => self.stack.landed(),
            result => result?,
        };
        checked_result(callable, &function.name, value)
    }

    /// Returns the type of what a function says that it returns.
    pub(crate) fn declared_result(&mut self, function: &UserFunction) -> Result<Option<Type>> {
        let unit = function.unit();
        let (base, scope) = (self.stack.top(), ScopeId::TOP);
        let frame = Frame { code: &function.code, unit, base, parent: None, scope };
        Ok(self.user_callable(&frame, unit)?.returns.clone())
    }

    /// Tells whether a function takes arguments.
    pub(crate) fn user_takes(&mut self, function: &UserFunction, arguments: &[Value]) -> Result<bool> {
        let unit = function.unit();
        let (base, scope) = (self.stack.top(), ScopeId::TOP);
        let frame = Frame { code: &function.code, unit, base, parent: None, scope };
        let callable = self.user_callable(&frame, unit)?;
        let has_room = callable.max.is_none_or(|max| arguments.len() <= max);
        let type_at = |index: usize| callable.types.get(index).or_else(|| callable.types.last());
        let fits = |(index, value): (usize, &Value)| type_at(index).is_none_or(|type_| type_.has(value));
        Ok(arguments.len() >= callable.min && has_room && arguments.iter().enumerate().all(fits))
    }

    fn user_callable<'u>(&mut self, frame: &Frame, unit: &'u Unit) -> Result<&'u Callable> {
        if let Some(callable) = unit.callable.get() {
            return Ok(callable);
        }
        let callable = self.callable(frame, unit)?;
        Ok(unit.callable.get_or_init(|| callable))
    }

    /// Calls a lambda. `next` in its body ends it; `break` and `return` go on to whoever they concern.
    #[inline]
    pub(crate) fn call_block(
        &mut self,
        block: Block,
        arguments: impl IntoIterator<Item = Value>,
    ) -> Evaluated {
        let (code, unit, parent) = match block.body {
            BlockBody::Lambda { code, unit, frame } => (code, unit, frame),
            BlockBody::Foreign { .. } => {
                return self.call_foreign_block(block, arguments.into_iter().collect());
            }
        };
        self.budget.enter()?;
        let frame = Frame { code, unit, base: self.stack.top(), parent: Some(parent), scope: parent.scope };
        let mark = self.matches.mark();
        let result = self.run_unit(&frame, block.callable, "lambda", arguments);
        self.matches.back_to(mark);
        self.stack.cut(frame.base);
        self.budget.leave();
        let value = match result {
            Err(Unwind::Next) => self.stack.landed(),
            result => result?,
        };
        match &block.callable.returns {
            None => Ok(value),
            Some(_) => checked_result(block.callable, "lambda", value),
        }
    }

    /// Calls a block of another language.
    fn call_foreign_block(&mut self, block: Block, arguments: Vec<Value>) -> Evaluated {
        let BlockBody::Foreign { block, frame, site } = block.body else { return Ok(Value::Undef) };
        self.budget.enter()?;
        let mut call = Call {
            name: "lambda",
            arguments: Arguments::new(),
            block: None,
            evaluator: &mut *self,
            frame,
            site,
        };
        let value = block.call(&mut call, arguments);
        self.budget.leave();
        value
    }

    /// Gives the parameters their values and runs the body.
    fn run_unit(
        &mut self,
        frame: &Frame,
        callable: &Callable,
        name: &str,
        arguments: impl IntoIterator<Item = Value>,
    ) -> Evaluated {
        self.bind(frame, name, arguments.into_iter())?;
        if !callable.is_untyped {
            self.check_bound(frame, callable, name)?;
        }
        match frame.unit.body {
            Some(body) => self.eval(frame, body),
            None => Ok(Value::Undef),
        }
    }

    fn bind(&mut self, frame: &Frame, name: &str, mut arguments: impl Iterator<Item = Value>) -> Result<()> {
        let unit = frame.unit;
        for (index, parameter) in unit.parameters.iter().enumerate() {
            if parameter.is_rest {
                let rest = self.rest(frame, name, index, arguments.by_ref().collect())?;
                self.stack.set_last(frame, index, rest);
                continue;
            }
            let value = match (arguments.next(), parameter.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.default(frame, name, index, default)?,
                (None, None) => {
                    let error = issues::parameter_required(&parameter.name);
                    return Err(issues::at(error, &frame.code.ast, parameter.origin).into());
                }
            };
            self.stack.set_last(frame, index, value);
        }
        self.stack.fill(frame);
        Ok(())
    }

    /// Finds out the default of a parameter, which sees the parameters before it and no match variables.
    fn default(&mut self, frame: &Frame, name: &str, index: usize, default: Id) -> Evaluated {
        self.stack.fill(frame);
        let outer = self.stack.set_binding(Some(Binding { callee: name.to_owned(), parameter: index }));
        // A lambda sees the matches around it, a function does not; none keeps what a default matched.
        let mark = if frame.parent.is_some() { self.matches.mark() } else { self.matches.hide() };
        let result = self.eval(frame, default);
        self.matches.back_to(mark);
        self.stack.set_binding(outer);
        result.map_err(of_the_call)
    }

    fn rest(&mut self, frame: &Frame, name: &str, index: usize, given: Vec<Value>) -> Evaluated {
        let Some(default) = frame.unit.parameters[index].default else { return Ok(Value::array(given)) };
        if given.is_empty() || matches!(&given[..], [Value::Undef]) {
            return Ok(match self.default(frame, name, index, default)? {
                value @ Value::Array(_) => value,
                other => Value::array(vec![other]),
            });
        }
        Ok(Value::array(given))
    }

    /// Checks the values of typed parameters, defaults included.
    fn check_bound(&mut self, frame: &Frame, callable: &Callable, name: &str) -> Result<()> {
        let unit = frame.unit;
        let bound = self.stack.first_slots(frame, unit.parameters.len());
        let fits =
            unit.parameters.iter().zip(bound).zip(&callable.types).all(|((parameter, value), type_)| {
                match value {
                    Some(Value::Array(elements)) if parameter.is_rest => {
                        elements.iter().all(|element| type_.has(element))
                    }
                    Some(value) => type_.has(value),
                    None => false,
                }
            });
        let count_fits =
            !unit.parameters.last().is_some_and(|last| last.is_rest) || rest_count_fits(bound, callable);
        if fits && count_fits {
            return Ok(());
        }
        let mut all = Vec::new();
        for (parameter, value) in unit.parameters.iter().zip(bound) {
            match value {
                Some(Value::Array(elements)) if parameter.is_rest => all.extend(elements.iter().cloned()),
                value => all.push(value.clone().unwrap_or_default()),
            }
        }
        Err(mismatch::of_unit(name, unit, callable, &all, None).into())
    }

    /// Finds out the types of parameters and result.
    pub(crate) fn callable(&mut self, frame: &Frame, unit: &Unit) -> Result<Callable> {
        let mut callable = Callable {
            types: Vec::with_capacity(unit.parameters.len()),
            is_untyped: true,
            min: 0,
            max: Some(0),
            returns: None,
            type_: Type::any(),
        };
        let mut optional_before = false;
        for parameter in &unit.parameters {
            let type_ = match &parameter.type_source {
                Some(source) => self.type_at(frame, source.id)?,
                None => Type::any(),
            };
            callable.is_untyped &= matches!(type_.kind(), Kind::Any(_));
            let (type_, min, max) = parameter_range(parameter.is_rest, parameter.default.is_some(), type_);
            if min == 0 {
                optional_before = true;
            } else if optional_before {
                let error = issues::required_after_optional(&parameter.name);
                return Err(issues::at(error, &frame.code.ast, parameter.origin).into());
            }
            callable.types.push(type_);
            callable.min += min;
            callable.max = callable.max.zip(max).map(|(sum, max)| sum + max);
        }
        callable.returns = match &unit.returns {
            Some(source) => Some(self.type_at(frame, source.id)?),
            None => None,
        };
        callable.type_ = callable_type(&callable);
        Ok(callable)
    }

    pub(crate) fn type_at(&mut self, frame: &Frame, id: Id) -> Result<Type> {
        match self.eval(frame, id)? {
            Value::Type(type_) => Ok(type_),
            other => Err(issues::type_expected(&other).into()),
        }
    }
}

impl Loading<'_> {
    /// Tells whether a unit may call `break`, itself or through functions written in the language.
    pub(crate) fn may_break(&mut self, unit: &Unit) -> bool {
        unit.called.iter().any(|name| match self.callee(*name) {
            Ok(Callee::BuiltIn(compiled)) => compiled.function.name == "break",
            _ => true,
        })
    }
}

/// Notes where an error passed on its way out; a call inside it has placed it already.
fn with_stack_frame(
    frame: &Frame,
    id: Option<Id>,
    name: &str,
    error: hierarch_source::Error,
) -> hierarch_source::Error {
    match id {
        Some(id) if error.place.is_some() => {
            let place = Place::new(frame.code.source(), frame.code.span(id));
            error.called_from(StackFrame { name: name.to_owned(), place })
        }
        _ => error,
    }
}

/// A default that reads what it may not is the fault of the call as a whole.
pub(crate) fn of_the_call(unwind: Unwind) -> Unwind {
    match unwind {
        Unwind::Error(error) => issues::of_the_call(error).into(),
        other => other,
    }
}

/// Returns the type of each value, and how many of them there may be.
fn parameter_range(is_rest: bool, has_default: bool, type_: Type) -> (Type, usize, Option<usize>) {
    match type_.kind() {
        // An array type on a rest parameter says how many values of which type.
        Kind::Array(array) if is_rest => {
            let size = array.size().unwrap_or(IntegerType::ANY_SIZE);
            let min = size.min.and_then(|min| usize::try_from(min).ok()).unwrap_or(0);
            let max = size.max.and_then(|max| usize::try_from(max).ok());
            (array.of().clone(), min, max)
        }
        _ if is_rest => (type_, 0, None),
        _ if has_default => (type_, 0, Some(1)),
        _ => (type_, 1, Some(1)),
    }
}

fn callable_type(callable: &Callable) -> Type {
    let size = IntegerType::from_to(Some(callable.min as i64), callable.max.map(|max| max as i64));
    let params = TupleType::new(callable.types.clone(), Some(size));
    CallableType::new(Some(params), None, callable.returns.clone()).into()
}

fn rest_count_fits(bound: &[Option<Value>], callable: &Callable) -> bool {
    let rest = match bound.last() {
        Some(Some(Value::Array(rest))) => rest.len(),
        _ => 0,
    };
    let count = bound.len() - 1 + rest;
    count >= callable.min && callable.max.is_none_or(|max| count <= max)
}

/// Checks what was given before defaults are found out.
fn check_user_call(
    function: &UserFunction,
    callable: &Callable,
    arguments: &[Value],
    block: Option<Block>,
) -> Result<()> {
    let count_fits = arguments.len() >= callable.min && callable.max.is_none_or(|max| arguments.len() <= max);
    let last = callable.types.last();
    let fits = callable.is_untyped
        || arguments
            .iter()
            .enumerate()
            .all(|(index, value)| callable.types.get(index).or(last).is_none_or(|type_| type_.has(value)));
    if count_fits && fits && block.is_none() {
        return Ok(());
    }
    let block = block.map(|block| &block.callable.type_);
    Err(mismatch::of_unit(&function.name, function.unit(), callable, arguments, block).into())
}

fn checked_result(callable: &Callable, name: &str, value: Value) -> Evaluated {
    match &callable.returns {
        Some(type_) if !type_.has(&value) => Err(mismatch::wrong_result(name, type_, &value).into()),
        _ => Ok(value),
    }
}
