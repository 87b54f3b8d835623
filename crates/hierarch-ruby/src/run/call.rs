//! Calls: arguments are evaluated, methods found and run.

use std::rc::Rc;
use std::sync::Arc;

use super::exception::{ExceptionData, Place};
use super::{Args, Flow, Frame, Res, Vm};
use crate::core::Builtin;
use crate::issues;
use crate::syntax::tree::{Arguments, BlockArgument, Call, Expression, Kind, Shortcut};
use crate::value::class::{Callable, Code, Method, Visibility};
use crate::value::procs::{Body, Context};
use crate::value::{Env, Proc, Sym, Value, names};

/// How a call is written, which decides who may be called and what an error says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `a.b`
    Explicit,
    /// `b()` or `self.b`
    Own,
    /// `b`, which might have been a variable.
    Bare,
}

impl Vm<'_> {
    /// Evaluates a call.
    pub(super) fn eval_call(&mut self, env: &Rc<Env>, call: &Call, line: u32) -> Res {
        let (receiver, form) = match &call.receiver {
            Some(node) => {
                let form = if matches!(node.kind, Kind::Myself) { Form::Own } else { Form::Explicit };
                (self.eval(env, node)?, form)
            }
            None => (env.context.me.clone(), if call.is_bare { Form::Bare } else { Form::Own }),
        };
        if call.is_safe && receiver.is_nil() {
            return Ok(Value::Nil);
        }
        if call.shortcut != Shortcut::None
            && let Some(value) = self.take_shortcut(env, &receiver, call, line)?
        {
            return Ok(value);
        }
        let mut args = self.eval_arguments(env, &call.arguments)?;
        let breaks = self.eval_block_argument(env, &call.block, &mut args)?;
        self.at_line(line);
        let kept = call.is_assignment.then(|| args.list.last().cloned().unwrap_or_default());
        let result = self.call_method(&receiver, call.name, args, form);
        let result = match (result, breaks) {
            (Err(flow), Some(number)) => match *flow {
                Flow::Break(target, value) if target == number => Ok(value),
                other => Err(Box::new(other)),
            },
            (result, _) => result,
        };
        match kept {
            Some(value) => result.map(|_| value),
            None => result,
        }
    }

    /// Notes which line runs.
    #[inline]
    pub(super) fn at_line(&mut self, line: u32) {
        if line != 0
            && let Some(frame) = self.frames.last_mut()
        {
            frame.line = line;
        }
    }

    /// Evaluates arguments.
    pub(super) fn eval_arguments(&mut self, env: &Rc<Env>, arguments: &Arguments) -> Res<Args> {
        let mut args = Args::default();
        for item in &arguments.items {
            match &item.kind {
                Kind::Splat(inner) => {
                    let value = self.eval(env, inner)?;
                    args.list.extend(self.splat(&value)?);
                }
                _ => args.list.push(self.eval(env, item)?),
            }
        }
        if !arguments.keywords.is_empty() {
            let keywords = self.eval_hash(env, &arguments.keywords)?;
            let is_empty = keywords.as_hash().is_some_and(|hash| hash.is_empty());
            // `f(**{})` hands over nothing.
            if !is_empty || arguments.keywords.iter().any(|(key, _)| key.is_some()) {
                args.list.push(keywords);
                args.has_keywords = true;
            }
        }
        Ok(args)
    }

    /// Evaluates the block of a call. A literal one gets a number that `break` looks for.
    pub(super) fn eval_block_argument(
        &mut self,
        env: &Rc<Env>,
        block: &BlockArgument,
        args: &mut Args,
    ) -> Res<Option<u64>> {
        match block {
            BlockArgument::None => Ok(None),
            BlockArgument::Literal(block) => {
                let number = self.number();
                args.block = Some(Rc::new(self.close(env, block, false, number)));
                Ok(Some(number))
            }
            BlockArgument::Pass(node) => {
                let value = self.eval(env, node)?;
                args.block = self.to_block(&value)?;
                // So that a block that was made elsewhere is not taken for the one of this call.
                self.number();
                Ok(None)
            }
        }
    }

    /// Makes a block of a literal.
    pub(super) fn close(
        &mut self,
        env: &Rc<Env>,
        block: &Arc<crate::syntax::tree::Block>,
        is_lambda: bool,
        breaks: u64,
    ) -> Proc {
        self.remember(env);
        let body = Body::Code { block: Arc::clone(block), env: Rc::clone(env) };
        Proc { body, is_lambda, breaks, frozen: std::cell::Cell::new(false) }
    }

    /// Makes a block of what stands after `&`.
    pub(crate) fn to_block(&mut self, value: &Value) -> Res<Option<Rc<Proc>>> {
        match value {
            Value::Nil => Ok(None),
            Value::Proc(block) => Ok(Some(Rc::clone(block))),
            Value::Sym(name) => {
                let body = Body::Symbol(*name);
                Ok(Some(Rc::new(Proc {
                    body,
                    is_lambda: true,
                    breaks: 0,
                    frozen: std::cell::Cell::new(false),
                })))
            }
            other => {
                let class = self.class_of(other);
                if self.find_method(&class, names::TO_PROC).is_some()
                    && let Value::Proc(block) = self.send(other, names::TO_PROC, &[])?
                {
                    return Ok(Some(block));
                }
                let name = self.class_name(other);
                Err(self.raise("TypeError", format!("wrong argument type {name} (expected Proc)")))
            }
        }
    }

    /// Spreads a value as `*` does.
    pub(crate) fn splat(&mut self, value: &Value) -> Res<Vec<Value>> {
        match value {
            Value::Array(array) => Ok(array.to_vec()),
            Value::Nil => Ok(Vec::new()),
            Value::Hash(hash) => {
                let pairs = hash.pairs();
                Ok(pairs.into_iter().map(|(key, value)| self.pair(key, value)).collect())
            }
            Value::Str(_) | Value::Int(_) | Value::Sym(_) | Value::Bool(_) | Value::Float(_) => {
                Ok(vec![value.clone()])
            }
            other => {
                let class = self.class_of(other);
                if self
                    .find_method(&class, names::TO_A)
                    .is_some_and(|method| method.visibility == Visibility::Public)
                    && let Value::Array(array) = self.send(other, names::TO_A, &[])?
                {
                    return Ok(array.to_vec());
                }
                Ok(vec![value.clone()])
            }
        }
    }

    /// Calls a method, public or not.
    pub fn send(&mut self, receiver: &Value, name: Sym, values: &[Value]) -> Res {
        self.call_method(receiver, name, Args::of(values), Form::Own)
    }

    /// Calls a method with arguments of all kinds, public or not.
    pub fn send_args(&mut self, receiver: &Value, name: Sym, args: Args) -> Res {
        self.call_method(receiver, name, args, Form::Own)
    }

    /// Calls a public method.
    pub fn send_public(&mut self, receiver: &Value, name: Sym, args: Args) -> Res {
        self.call_method(receiver, name, args, Form::Explicit)
    }

    /// Finds a method and runs it.
    pub(crate) fn call_method(&mut self, receiver: &Value, name: Sym, args: Args, form: Form) -> Res {
        let class = self.class_of(receiver);
        let Some(method) = self.find_method(&class, name) else {
            return self.missing(receiver, name, args, form);
        };
        if method.visibility != Visibility::Public && form == Form::Explicit && !self.may_call(&method, name)
        {
            return self.not_visible(receiver, &method, name, args);
        }
        self.invoke(receiver, &method, args)
    }

    fn may_call(&mut self, method: &Rc<Method>, name: Sym) -> bool {
        // A writer of `self` may always be called as `self.x = …`, which is not told apart here from others.
        let _ = name;
        if method.visibility == Visibility::Private {
            return false;
        }
        let me = self.frames.last().map(|frame| frame.context.me.clone()).unwrap_or_default();
        let owner = Rc::clone(&method.owner);
        self.is_instance(&me, &owner)
    }

    fn not_visible(&mut self, receiver: &Value, method: &Rc<Method>, name: Sym, args: Args) -> Res {
        let class = self.class_of(receiver);
        if self.has_own_missing(&class) {
            return self.missing(receiver, name, args, Form::Explicit);
        }
        let kind = if method.visibility == Visibility::Private { "private" } else { "protected" };
        let described = self.described(receiver);
        let message = format!("{kind} method `{name}' called for {described}");
        Err(self.raise_with(
            "NoMethodError",
            message,
            vec![("name", Value::Sym(name)), ("receiver", receiver.clone())],
        ))
    }

    fn has_own_missing(&mut self, class: &crate::value::ClassRef) -> bool {
        let method = self.find_method(class, names::METHOD_MISSING);
        method.is_some_and(|method| method.owner.shown() != "BasicObject")
    }

    /// There is no such method: `method_missing`, or an error.
    fn missing(&mut self, receiver: &Value, name: Sym, args: Args, form: Form) -> Res {
        let class = self.class_of(receiver);
        if self.has_own_missing(&class) {
            let mut args = args;
            args.list.insert(0, Value::Sym(name));
            return self.call_method(receiver, names::METHOD_MISSING, args, Form::Own);
        }
        Err(self.no_method(receiver, name, form))
    }

    /// Returns the error of a method that is not there.
    pub(crate) fn no_method(&mut self, receiver: &Value, name: Sym, form: Form) -> Box<Flow> {
        let class = self.class_of(receiver);
        if let Some(owner) = crate::core::known::owner(self, &class, name) {
            let is_private = owner == "Kernel#" && crate::permissions::REFUSED.contains(&name.text());
            if is_private && form == Form::Explicit {
                return self.private_called(receiver, name);
            }
            return self.refused_or_unsupported(&owner, name);
        }
        if form != Form::Explicit && crate::permissions::REFUSED.contains(&name.text()) {
            return self.refused(name.text());
        }
        let described = self.described(receiver);
        let extra = vec![("name", Value::Sym(name)), ("receiver", receiver.clone())];
        if form == Form::Bare {
            let message = format!("undefined local variable or method `{name}' for {described}");
            return self.raise_with("NameError", message, extra);
        }
        self.raise_with("NoMethodError", format!("undefined method `{name}' for {described}"), extra)
    }

    fn private_called(&mut self, receiver: &Value, name: Sym) -> Box<Flow> {
        let described = self.described(receiver);
        let extra = vec![("name", Value::Sym(name)), ("receiver", receiver.clone())];
        self.raise_with("NoMethodError", format!("private method `{name}' called for {described}"), extra)
    }

    fn refused_or_unsupported(&mut self, owner: &str, name: Sym) -> Box<Flow> {
        if crate::permissions::REFUSED.contains(&name.text()) {
            return self.refused(name.text());
        }
        self.unsupported(&format!("{owner}{name}"))
    }

    /// Runs a method that was found.
    pub(crate) fn invoke(&mut self, receiver: &Value, method: &Rc<Method>, args: Args) -> Res {
        self.step()?;
        match &method.body {
            Callable::Builtin(builtin) => {
                let result = self.invoke_builtin(receiver, builtin, &args);
                if let Err(flow) = &result {
                    self.add_internal_place(method, flow);
                }
                result
            }
            Callable::Code(code) => self.invoke_code(receiver, method, code, args),
            Callable::Block(block) => self.call_as_method(block, receiver, method, args),
            Callable::Reader(name) => {
                args.check(self, 0, Some(0))?;
                self.ivar(receiver, *name)
            }
            Callable::Writer(name) => {
                args.check(self, 1, Some(1))?;
                self.set_ivar(receiver, *name, args.at(0))?;
                Ok(args.at(0))
            }
        }
    }

    fn invoke_builtin(&mut self, receiver: &Value, builtin: &Builtin, args: &Args) -> Res {
        let takes_keywords = !builtin.keywords.is_empty();
        let given = if takes_keywords { args.positional().len() } else { args.list.len() };
        if given < builtin.least as usize || (builtin.most >= 0 && given > builtin.most as usize) {
            let most = usize::try_from(builtin.most).ok();
            let least = if builtin.counts_one { 1 } else { builtin.least.into() };
            let message = issues::wrong_number(given, least, most);
            return Err(self.raise("ArgumentError", message));
        }
        if takes_keywords {
            self.check_keywords(builtin, args)?;
        }
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        for value in std::iter::once(receiver).chain(args.list.first()) {
            if let Value::Big(number) = value {
                self.count_pass(number)?;
            }
        }
        self.count_walk(receiver, args.list.first(), builtin.name)?;
        (builtin.body)(self, receiver, args)
    }

    fn check_keywords(&mut self, builtin: &Builtin, args: &Args) -> Res<()> {
        let Some(keywords) = args.keywords() else { return Ok(()) };
        let mut unknown = Vec::new();
        for (key, _) in keywords.pairs() {
            if !matches!(&key, Value::Sym(name) if builtin.keywords.contains(&name.text())) {
                unknown.push(self.inspect(&key)?);
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        Err(self.raise("ArgumentError", issues::unknown_keywords(&unknown)))
    }

    /// Where a core method that is written in Ruby raises, its own file is the innermost place.
    #[cold]
    fn add_internal_place(&mut self, method: &Method, flow: &Flow) {
        let Flow::Raise(exception) = flow else { return };
        let Some(file) = crate::core::internal::file_of(&method.owner.shown(), method.name.text()) else {
            return;
        };
        let Some(data) = exception.payload::<ExceptionData>() else { return };
        let mut places = data.places.borrow_mut();
        let is_internal = places.first().is_some_and(|place| place.file.starts_with("<internal:"));
        // One that a block raised is from deeper down.
        if data.depth.get() == self.depth && !is_internal {
            places.insert(0, Place { file: file.into(), line: 1, label: method.name.text().to_owned() });
        }
    }

    fn invoke_code(&mut self, receiver: &Value, method: &Rc<Method>, code: &Rc<Code>, args: Args) -> Res {
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        let context = Rc::new(Context {
            me: receiver.clone(),
            method: Some(Rc::clone(method)),
            block: args.block.clone(),
            lexical: Rc::clone(&code.lexical),
            definee: Rc::clone(&code.lexical.module),
            file: Arc::clone(&code.file),
            last_match: Value::Nil.into(),
            visibility: std::cell::Cell::default(),
            module_function: std::cell::Cell::new(false),
        });
        let home = self.number();
        let env = Rc::new(Env::new(code.define.locals.len(), None, Rc::clone(&context), home, 0));
        self.depth += 1;
        self.frames.push(Frame { context, line: code.define.line });
        let result = self
            .bind_method(&env, &code.define.parameters, args)
            .and_then(|()| self.eval(&env, &code.define.body));
        self.frames.pop();
        self.depth -= 1;
        match result {
            Ok(value) => Ok(value),
            Err(flow) => flow.returned(home),
        }
    }

    /// Evaluates `super`.
    pub(super) fn eval_super(
        &mut self,
        env: &Rc<Env>,
        arguments: Option<&Arguments>,
        block: &BlockArgument,
        line: u32,
    ) -> Res {
        let Some(method) = env.context.method.clone() else {
            return Err(self.raise("RuntimeError", "super called outside of method"));
        };
        let mut args = match arguments {
            Some(arguments) => self.eval_arguments(env, arguments)?,
            None => self.own_arguments(env, &method)?,
        };
        let breaks = self.eval_block_argument(env, block, &mut args)?;
        if matches!(block, BlockArgument::None) {
            args.block.clone_from(&env.context.block);
        }
        self.at_line(line);
        let me = env.context.me.clone();
        let class = self.class_of(&me);
        let result = match self.find_super(&class, &method.owner, method.name) {
            Some(above) => self.invoke(&me, &above, args),
            None => self.no_super(&me, &method, args),
        };
        match (result, breaks) {
            (Err(flow), Some(number)) => match *flow {
                Flow::Break(target, value) if target == number => Ok(value),
                other => Err(Box::new(other)),
            },
            (result, _) => result,
        }
    }

    fn no_super(&mut self, me: &Value, method: &Rc<Method>, mut args: Args) -> Res {
        if matches!(
            method.name,
            names::INHERITED | names::INCLUDED | names::EXTENDED | names::PREPENDED | names::METHOD_ADDED
        ) {
            return Ok(Value::Nil);
        }
        let class = self.class_of(me);
        if method.name != names::METHOD_MISSING && self.has_own_missing(&class) {
            args.list.insert(0, Value::Sym(method.name));
            return self.call_method(me, names::METHOD_MISSING, args, Form::Own);
        }
        if method.name == names::METHOD_MISSING
            && let Some(Value::Sym(name)) = args.get(0)
        {
            return Err(self.no_method(me, *name, Form::Explicit));
        }
        let described = self.described(me);
        Err(self
            .raise("NoMethodError", format!("super: no superclass method `{}' for {described}", method.name)))
    }

    /// Returns the arguments that the running method has now, for a bare `super`.
    fn own_arguments(&mut self, env: &Rc<Env>, method: &Rc<Method>) -> Res<Args> {
        let Callable::Code(code) = &method.body else {
            let message = "implicit argument passing of super from method defined by define_method() is not supported. \
                           Specify all arguments explicitly.";
            return Err(self.raise("RuntimeError", message));
        };
        let home = env.outermost();
        let parameters = &code.define.parameters;
        let read = |slot: u32| home.slots.borrow().get(slot as usize).cloned().unwrap_or_default();
        let mut args = Args::default();
        for parameter in &parameters.required {
            if let crate::syntax::tree::Parameter::Plain(_, slot) = parameter {
                args.list.push(read(*slot));
            }
        }
        args.list.extend(parameters.optional.iter().map(|(_, slot, _)| read(*slot)));
        if let Some((_, slot)) = parameters.rest {
            args.list.extend(self.splat(&read(slot))?);
        }
        for parameter in &parameters.post {
            if let crate::syntax::tree::Parameter::Plain(_, slot) = parameter {
                args.list.push(read(*slot));
            }
        }
        if parameters.has_keywords() {
            let mut pairs: Vec<(Sym, Value)> =
                parameters.keywords.iter().map(|keyword| (keyword.name, read(keyword.slot))).collect();
            if let Some((_, slot)) = parameters.keyword_rest
                && let Value::Hash(rest) = read(slot)
            {
                pairs.extend(rest.pairs().into_iter().filter_map(|(key, value)| match key {
                    Value::Sym(name) => Some((name, value)),
                    _ => None,
                }));
            }
            if !pairs.is_empty() {
                let keywords = self.options(pairs);
                args.list.push(keywords);
                args.has_keywords = true;
            }
        }
        Ok(args)
    }

    /// Evaluates `yield`.
    pub(super) fn eval_yield(&mut self, env: &Rc<Env>, arguments: &Arguments, node: &Expression) -> Res {
        let Some(block) = env.context.block.clone() else {
            self.at_line(node.line);
            return Err(self.raise("LocalJumpError", "no block given (yield)"));
        };
        let args = self.eval_arguments(env, arguments)?;
        self.at_line(node.line);
        self.call_block_args(&block, args)
    }
}
