//! Running blocks, lambdas and methods as values.

use std::rc::Rc;
use std::sync::Arc;

use super::{Args, Flow, Frame, Res, Vm};
use crate::syntax::tree::Block;
use crate::value::class::Method;
use crate::value::procs::{Body, Context};
use crate::value::{ClassRef, Env, Proc, Value};

impl Vm<'_> {
    /// Calls a block with values.
    #[inline]
    pub fn call_block(&mut self, block: &Rc<Proc>, values: &[Value]) -> Res {
        if let Body::Code { block: code, env } = &block.body
            && !block.is_lambda
            && code.parameters.is_simple
        {
            return self.run_simple(block, code, env, values);
        }
        self.call_block_args(block, Args::of(values))
    }

    /// The common case: a plain block that takes nothing but values.
    fn run_simple(&mut self, block: &Rc<Proc>, code: &Arc<Block>, env: &Rc<Env>, values: &[Value]) -> Res {
        let parameters = code.parameters.required.as_slice();
        if let ([_, _, ..], [value]) = (parameters, values)
            && !matches!(value, Value::Array(_))
        {
            // It may be something that becomes a list.
            return self.run_code(block, code, env, Rc::clone(&env.context), Args::of(values));
        }
        self.step()?;
        let inner = Rc::new(Env::new(
            code.locals.len(),
            Some(Rc::clone(env)),
            Rc::clone(&env.context),
            env.home,
            block.breaks,
        ));
        match (parameters, values) {
            ([_, _, ..], [Value::Array(array)]) => inner.set_first(parameters, &array.items()),
            _ => inner.set_first(parameters, values),
        }
        self.run_body(&inner, code)
    }

    /// Calls a block with arguments of all kinds.
    pub fn call_block_args(&mut self, block: &Rc<Proc>, args: Args) -> Res {
        match &block.body {
            Body::Code { block: code, env } => self.run_code(block, code, env, Rc::clone(&env.context), args),
            Body::Symbol(name) => {
                if args.list.is_empty() {
                    return Err(self.raise("ArgumentError", "no receiver given"));
                }
                let mut args = args;
                let receiver = args.list.remove(0);
                self.send_public(&receiver, *name, args)
            }
            Body::Method { receiver, method } => self.invoke(receiver, method, args),
            Body::Native { body, .. } => {
                self.step()?;
                body(self, &args)
            }
        }
    }

    /// Calls a block with another `self`, as `instance_exec` does.
    pub fn call_block_as(&mut self, block: &Rc<Proc>, me: &Value, definee: &ClassRef, args: Args) -> Res {
        let Body::Code { block: code, env } = &block.body else { return self.call_block_args(block, args) };
        let context = self.adopted(&env.context, me, definee, None, None);
        self.run_code(block, code, env, context, args)
    }

    /// Calls a block that `define_method` made a method of.
    pub(super) fn call_as_method(
        &mut self,
        block: &Rc<Proc>,
        me: &Value,
        method: &Rc<Method>,
        args: Args,
    ) -> Res {
        let Body::Code { block: code, env } = &block.body else {
            if let Body::Symbol(_) = block.body {
                let mut args = args;
                args.list.insert(0, me.clone());
                return self.call_block_args(block, args);
            }
            return self.call_block_args(block, args);
        };
        let context =
            self.adopted(&env.context, me, &method.owner, Some(Rc::clone(method)), args.block.clone());
        let lambda = Rc::new(Proc {
            body: block.body.clone(),
            is_lambda: true,
            breaks: block.breaks,
            frozen: std::cell::Cell::new(false),
        });
        self.run_code(&lambda, code, env, context, args)
    }

    fn adopted(
        &mut self,
        context: &Rc<Context>,
        me: &Value,
        definee: &ClassRef,
        method: Option<Rc<Method>>,
        block: Option<Rc<Proc>>,
    ) -> Rc<Context> {
        let is_method = method.is_some();
        Rc::new(Context {
            me: me.clone(),
            method: method.or_else(|| context.method.clone()),
            block: if is_method { block } else { context.block.clone() },
            lexical: Rc::clone(&context.lexical),
            definee: Rc::clone(definee),
            file: Arc::clone(&context.file),
            last_match: Value::Nil.into(),
            visibility: std::cell::Cell::default(),
            module_function: std::cell::Cell::new(false),
        })
    }

    fn run_code(
        &mut self,
        block: &Rc<Proc>,
        code: &Arc<Block>,
        env: &Rc<Env>,
        context: Rc<Context>,
        args: Args,
    ) -> Res {
        self.step()?;
        if block.is_lambda {
            return self.run_lambda(code, env, context, args);
        }
        let inner = Rc::new(Env::new(
            code.locals.len(),
            Some(Rc::clone(env)),
            Rc::clone(&context),
            env.home,
            block.breaks,
        ));
        let is_other = !Rc::ptr_eq(&context, &env.context);
        if is_other {
            self.frames.push(Frame { context, line: code.line });
        }
        let result =
            self.bind_block(&inner, &code.parameters, args).and_then(|()| self.run_body(&inner, code));
        if is_other {
            self.frames.pop();
        }
        result
    }

    fn run_lambda(&mut self, code: &Arc<Block>, env: &Rc<Env>, context: Rc<Context>, args: Args) -> Res {
        let home = self.number();
        let inner =
            Rc::new(Env::new(code.locals.len(), Some(Rc::clone(env)), Rc::clone(&context), home, home));
        self.depth += 1;
        self.frames.push(Frame { context, line: code.line });
        let result =
            self.bind_method(&inner, &code.parameters, args).and_then(|()| self.run_body(&inner, code));
        self.frames.pop();
        self.depth -= 1;
        match result {
            Ok(value) => Ok(value),
            Err(flow) => match *flow {
                Flow::Return(number, value) if number == home => Ok(value),
                Flow::Break(number, value) if number == home => Ok(value),
                other => Err(Box::new(other)),
            },
        }
    }

    /// Runs the body; `next` ends it, `redo` starts it again.
    fn run_body(&mut self, env: &Rc<Env>, code: &Arc<Block>) -> Res {
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        // A block runs in the frame of the method around it, which may have moved on to another line.
        let frame = self.frames.len();
        let line = self.frames.last().map_or(0, |frame| frame.line);
        let foreign = self.frames.last().is_none_or(|frame| !Rc::ptr_eq(&frame.context, &env.context));
        if foreign {
            self.frames.push(Frame { context: Rc::clone(&env.context), line: code.line });
        }
        self.depth += 1;
        let result = loop {
            match self.eval(env, &code.body) {
                Ok(value) => break Ok(value),
                Err(flow) => match *flow {
                    Flow::Next(value) => break Ok(value),
                    Flow::Redo => self.step()?,
                    other => break Err(Box::new(other)),
                },
            }
        };
        self.depth -= 1;
        self.frames.truncate(frame);
        if result.is_ok() {
            self.at_line(line);
        }
        result
    }

    /// Tells whether a block was written at the call that runs: nothing was numbered since it was.
    pub fn is_newest(&self, block: &Proc) -> bool {
        block.breaks == self.newest_number()
    }

    /// Makes a lambda of a block's code.
    pub fn to_lambda(&mut self, block: &Rc<Proc>) -> Rc<Proc> {
        Rc::new(Proc {
            body: block.body.clone(),
            is_lambda: true,
            breaks: block.breaks,
            frozen: std::cell::Cell::new(false),
        })
    }
}
