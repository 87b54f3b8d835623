//! Blocks, lambdas and methods as values, and what they close over.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::class::{Lexical, Method, Visibility};
use super::dismantle::dismantle;
use super::{ClassRef, Sym, Value};
use crate::run::{Args, Res, Vm};
use crate::syntax::tree::{Block, Parameter, Slot};

/// What a running method, class body or file knows beside its locals. Its blocks share it.
pub struct Context {
    /// `self`
    pub me: Value,
    /// The method that runs.
    pub method: Option<Rc<Method>>,
    /// The block it was given.
    pub block: Option<Rc<Proc>>,
    /// Where constants are looked for.
    pub lexical: Rc<Lexical>,
    /// Where `def` puts methods.
    pub definee: ClassRef,
    /// The file it stands in.
    pub file: Arc<str>,
    /// `$~`
    pub last_match: RefCell<Value>,
    /// Who may call the methods that are defined from here on.
    pub visibility: Cell<Visibility>,
    /// Whether methods are defined on the module as well.
    pub module_function: Cell<bool>,
}

/// The locals of one run of a method or block.
pub struct Env {
    /// Their values.
    pub slots: RefCell<SmallVec<[Value; 4]>>,
    /// The locals around.
    pub parent: Option<Rc<Env>>,
    /// What runs.
    pub context: Rc<Context>,
    /// The number of the run that `return` ends.
    pub home: u64,
    /// The number that `break` looks for.
    pub breaks: u64,
}

impl Env {
    /// Makes locals, all nil.
    #[inline]
    pub fn new(count: usize, parent: Option<Rc<Env>>, context: Rc<Context>, home: u64, breaks: u64) -> Self {
        let slots = RefCell::new(SmallVec::from_elem(Value::Nil, count));
        Self { slots, parent, context, home, breaks }
    }

    /// Reads a local.
    #[inline]
    pub fn get(&self, slot: Slot) -> Value {
        let mut env = self;
        for _ in 0..slot.depth {
            match &env.parent {
                Some(parent) => env = parent,
                None => return Value::Nil,
            }
        }
        env.slots.borrow().get(slot.index as usize).cloned().unwrap_or_default()
    }

    /// Writes a local.
    #[inline]
    pub fn set(&self, slot: Slot, value: Value) {
        let mut env = self;
        for _ in 0..slot.depth {
            match &env.parent {
                Some(parent) => env = parent,
                None => return,
            }
        }
        env.set_own(slot.index, value);
    }

    /// Writes a local of this scope.
    #[inline]
    pub fn set_own(&self, index: u32, value: Value) {
        let old = {
            let mut slots = self.slots.borrow_mut();
            match slots.get_mut(index as usize) {
                Some(slot) => std::mem::replace(slot, value),
                None => Value::Nil,
            }
        };
        drop(old);
    }

    /// Writes locals that were made just now: parameters get the values at their places.
    #[inline]
    pub(crate) fn set_first(&self, parameters: &[Parameter], values: &[Value]) {
        let mut slots = self.slots.borrow_mut();
        for (parameter, value) in parameters.iter().zip(values) {
            if let Parameter::Plain(_, slot) = parameter
                && let Some(slot) = slots.get_mut(*slot as usize)
            {
                *slot = value.clone();
            }
        }
    }

    /// Returns the locals of the method around.
    pub fn outermost(self: &Rc<Self>) -> Rc<Env> {
        let mut env = Rc::clone(self);
        while let Some(parent) = env.parent.clone() {
            env = parent;
        }
        env
    }

    pub(crate) fn take(&self) -> Vec<Value> {
        self.slots
            .try_borrow_mut()
            .map(|mut slots| std::mem::take(&mut *slots).into_vec())
            .unwrap_or_default()
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        let slots = self.slots.get_mut();
        if slots.iter().any(|value| matches!(value, Value::Proc(_) | Value::Object(_))) {
            dismantle(std::mem::take(slots).into_vec());
        }
    }
}

/// A body that is written in Rust.
pub type NativeBody = dyn Fn(&mut Vm<'_>, &Args) -> Res;

/// What a block does.
#[derive(Clone)]
pub enum Body {
    /// Ruby code.
    Code {
        /// Its text.
        block: Arc<Block>,
        /// The locals around it.
        env: Rc<Env>,
    },
    /// `&:name`
    Symbol(Sym),
    /// `method(:x)`
    Method {
        /// What it is called on.
        receiver: Value,
        /// What is called.
        method: Rc<Method>,
    },
    /// Rust code.
    Native {
        /// What runs.
        body: Rc<NativeBody>,
        /// As Ruby counts.
        arity: i64,
        /// The number of the lambda of Puppet's that it stands for.
        puppet: Option<u64>,
    },
}

/// A block, lambda or method as a value.
pub struct Proc {
    /// What it does.
    pub body: Body,
    /// Whether arguments are counted, and `return` ends only itself.
    pub is_lambda: bool,
    /// The number that `break` looks for: the call the block was given to.
    pub breaks: u64,
    /// Whether it stands for `self` that is handed over (`instance_exec`, `define_method`).
    pub frozen: Cell<bool>,
}

impl Proc {
    /// Makes a block of Rust code.
    pub fn native(arity: i64, body: impl Fn(&mut Vm<'_>, &Args) -> Res + 'static) -> Self {
        let body = Body::Native { body: Rc::new(body), arity, puppet: None };
        Self { body, is_lambda: true, breaks: 0, frozen: Cell::new(false) }
    }

    /// Makes a block of a lambda of Puppet's.
    pub fn of_puppet(arity: i64, number: u64, body: impl Fn(&mut Vm<'_>, &Args) -> Res + 'static) -> Self {
        let body = Body::Native { body: Rc::new(body), arity, puppet: Some(number) };
        Self { body, is_lambda: false, breaks: 0, frozen: Cell::new(false) }
    }

    /// Returns the number of the lambda of Puppet's that it stands for.
    pub fn puppet(&self) -> Option<u64> {
        match self.body {
            Body::Native { puppet, .. } => puppet,
            _ => None,
        }
    }

    /// Returns how many values it takes at most; nothing means any number.
    pub fn most(&self) -> Option<usize> {
        match &self.body {
            Body::Code { block, .. } => {
                block.parameters.most().map(|most| most.max(block.parameters.numbered.into()))
            }
            Body::Symbol(_) => Some(1),
            Body::Method { .. } => None,
            Body::Native { arity, .. } => usize::try_from(*arity).ok(),
        }
    }

    pub(super) fn take(self) -> Vec<Value> {
        match self.body {
            Body::Code { env, .. } => Rc::try_unwrap(env).map(|env| env.take()).unwrap_or_default(),
            Body::Method { receiver, .. } => vec![receiver],
            _ => Vec::new(),
        }
    }
}
