//! The interpreter.

mod args;
mod assign;
mod bind;
mod block;
mod call;
mod classes;
mod constant;
mod control;
mod convert;
mod define;
pub(crate) mod equal;
mod eval;
mod exception;
mod flow;
pub(crate) mod fold;
mod host;
pub mod inspect;
mod load;
mod outcome;
mod pattern;
mod quick;
mod relied;
mod variable;

use std::ops::{Deref, DerefMut};
use std::rc::{Rc, Weak};
use std::sync::Arc;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::limits::{ScriptLimits, stack_position};
use crate::syntax::tree::Program;
use crate::value::class::{Lexical, Visibility};
use crate::value::hash::Entries;
use crate::value::procs::Context;
use crate::value::{Array, ClassRef, Env, Hash, Key, Meter, Object, Str, Sym, Text, Value};

pub use args::Args;
pub(crate) use call::Form;
pub(crate) use classes::Plain;
pub use exception::{ExceptionData, Place};
pub use flow::{Flow, Res};
pub use hierarch_source::Level;
pub use host::{NoHost, ScriptHost};
#[cfg(test)]
pub(crate) use outcome::outcome_table;
pub use outcome::{Failure, outcome};

/// What a Ruby process keeps between calls: classes, constants, globals. It belongs to one environment.
pub struct Ruby {
    pub(crate) meter: Rc<Meter>,
    pub(crate) classes: FxHashMap<&'static str, ClassRef>,
    pub(crate) all_classes: Vec<ClassRef>,
    /// The most frequent of them.
    plain: [Option<ClassRef>; classes::Plain::COUNT],
    pub(crate) globals: FxHashMap<Sym, Value>,
    pub(crate) main: Value,
    /// Libraries that were required, and files that were loaded.
    pub(crate) features: Vec<EcoString>,
    /// Raised whenever something is defined, so that found methods are looked for again.
    pub(crate) epoch: u64,
    unchanged: quick::PlainMethods,
    envs: Vec<Weak<Env>>,
    next_number: u64,
    pub(crate) random: Option<crate::core::random::Twister>,
    /// Patterns that were made, by source and options: a literal in a loop is made once.
    patterns: FxHashMap<(EcoString, u8), Rc<crate::value::Regex>>,
    /// What functions and backends of modules left behind.
    pub(crate) modules: crate::puppet::Modules,
    /// How far a call has come that waits for one within it.
    waiting: Option<CallUse>,
    /// The limits of each call.
    pub limits: ScriptLimits,
}

/// What a call has used. A call within it goes on from there, so that limits hold for all of them together.
#[derive(Clone, Copy)]
struct CallUse {
    steps: u64,
    made_before: u64,
    depth: u32,
    symbols: u32,
    stack_start: usize,
}

/// Where a running method stands.
pub struct Frame {
    pub(crate) context: Rc<Context>,
    pub(crate) line: u32,
}

/// One call: what Ruby keeps, the host it runs for, and where it is.
pub struct Vm<'h> {
    ruby: Box<Ruby>,
    /// What it asks for files, clock, logs and Puppet.
    pub host: &'h mut (dyn ScriptHost + 'h),
    pub(crate) steps: u64,
    /// How many bytes were made before this call.
    pub(crate) made_before: u64,
    pub(crate) depth: u32,
    pub(crate) symbols: u32,
    pub(crate) stack_start: usize,
    pub(crate) frames: Vec<Frame>,
    /// What is being inspected or compared, so that rings end.
    pub(crate) busy: Vec<usize>,
    /// What `catch` waits for.
    pub(crate) catching: Vec<Value>,
    /// `$!`
    pub(crate) current_error: Value,
}

impl Deref for Vm<'_> {
    type Target = Ruby;

    fn deref(&self) -> &Ruby {
        &self.ruby
    }
}

impl DerefMut for Vm<'_> {
    fn deref_mut(&mut self) -> &mut Ruby {
        &mut self.ruby
    }
}

impl Default for Ruby {
    fn default() -> Self {
        Self::new(ScriptLimits::default())
    }
}

impl Ruby {
    /// Makes one in which nothing was run.
    pub fn new(limits: ScriptLimits) -> Self {
        let mut ruby = Self {
            meter: Rc::default(),
            classes: FxHashMap::default(),
            all_classes: Vec::new(),
            plain: [const { None }; classes::Plain::COUNT],
            globals: FxHashMap::default(),
            main: Value::Nil,
            features: Vec::new(),
            epoch: 1,
            unchanged: quick::PlainMethods::default(),
            envs: Vec::new(),
            next_number: 1,
            random: None,
            patterns: FxHashMap::default(),
            modules: crate::puppet::Modules::default(),
            waiting: None,
            limits,
        };
        let object = ruby.class("Object");
        ruby.main = Value::Object(Rc::new(Object::new(object)));
        ruby
    }

    /// Returns a number that no run of a method or block had before.
    pub(crate) fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Returns the number that was given last.
    pub(crate) fn newest_number(&self) -> u64 {
        self.next_number
    }

    /// Remembers locals that a block closes over: a local that holds its own block would live for ever.
    pub(crate) fn remember(&mut self, env: &Rc<Env>) {
        if self.envs.len() == self.envs.capacity() {
            self.envs.retain(|env| env.strong_count() > 0);
        }
        self.envs.push(Rc::downgrade(env));
    }

    /// Makes a string.
    pub fn str(&self, text: impl Into<EcoString>) -> Value {
        self.text(Text::Utf8(text.into()))
    }

    /// Makes a string of any encoding.
    pub fn text(&self, text: Text) -> Value {
        Value::Str(Rc::new(Str::new(&self.meter, text)))
    }

    /// Makes a string of bytes.
    pub fn binary(&self, bytes: Vec<u8>) -> Value {
        self.text(Text::Bytes(bytes, crate::value::Encoding::Binary))
    }

    /// Makes an array.
    pub fn array(&self, items: Vec<Value>) -> Value {
        Value::Array(Rc::new(Array::new(&self.meter, items)))
    }

    /// Makes an array of two.
    pub fn pair(&self, first: Value, second: Value) -> Value {
        self.array(vec![first, second])
    }

    /// Makes a hash of entries.
    pub fn hash_of(&self, entries: Entries) -> Value {
        Value::Hash(Rc::new(Hash::new(&self.meter, entries)))
    }

    /// Makes a hash with symbols as keys.
    pub fn options(&self, pairs: impl IntoIterator<Item = (Sym, Value)>) -> Value {
        let key = |name| Key { value: Value::Sym(name), identity: crate::value::hash::Identity::Sym(name) };
        self.hash_of(pairs.into_iter().map(|(name, value)| (key(name), value)).collect())
    }
}

impl Drop for Ruby {
    fn drop(&mut self) {
        for env in std::mem::take(&mut self.envs) {
            if let Some(env) = env.upgrade() {
                drop(env.take());
            }
        }
        self.globals.clear();
        self.modules = crate::puppet::Modules::default();
        for class in std::mem::take(&mut self.all_classes) {
            class.clear();
        }
    }
}

impl<'h> Vm<'h> {
    /// Starts a call.
    pub fn new(mut ruby: Box<Ruby>, host: &'h mut (dyn ScriptHost + 'h)) -> Self {
        let stack_start = match host.stack() {
            Some((start, limit)) => {
                ruby.limits.stack = limit;
                start
            }
            None => stack_position(),
        };
        let made_before = ruby.meter.made();
        let used =
            ruby.waiting.unwrap_or(CallUse { steps: 0, made_before, depth: 0, symbols: 0, stack_start });
        Self {
            ruby,
            host,
            steps: used.steps,
            made_before: used.made_before,
            depth: used.depth,
            symbols: used.symbols,
            stack_start: used.stack_start,
            frames: Vec::new(),
            busy: Vec::new(),
            catching: Vec::new(),
            current_error: Value::Nil,
        }
    }

    /// Ends it and returns what Ruby keeps.
    pub fn into_ruby(mut self) -> Box<Ruby> {
        if let Some(waiting) = &mut self.ruby.waiting {
            (waiting.steps, waiting.symbols) = (self.steps, self.symbols);
        }
        self.ruby
    }

    /// Hands Ruby to something that may run Ruby itself, and takes it back.
    pub fn lend<T>(&mut self, run: impl FnOnce(&mut (dyn ScriptHost + 'h), &mut Box<Ruby>) -> T) -> T {
        let (steps, made_before, depth) = (self.steps, self.made_before, self.depth);
        let own = CallUse { steps, made_before, depth, symbols: self.symbols, stack_start: self.stack_start };
        let before = self.ruby.waiting.replace(own);
        let result = run(self.host, &mut self.ruby);
        if let Some(own) = std::mem::replace(&mut self.ruby.waiting, before) {
            (self.steps, self.symbols) = (own.steps, own.symbols);
        }
        result
    }

    /// Runs a program at the top level.
    pub fn run(&mut self, program: &Arc<Program>) -> Res {
        let object = self.plain_class(Plain::Object);
        let lexical = Rc::new(Lexical { module: Rc::clone(&object), outer: None });
        let context = self.context_of(self.main.clone(), &lexical, object, Arc::clone(&program.file));
        // What a file defines at its top level are private methods of all objects.
        context.visibility.set(Visibility::Private);
        self.run_in(program, context)
    }

    /// Runs a program with a `self` and a class of its own, as templates are run.
    pub fn run_as(&mut self, program: &Arc<Program>, me: Value, class: &ClassRef) -> Res {
        let object = self.plain_class(Plain::Object);
        let outer = Rc::new(Lexical { module: object, outer: None });
        let lexical = Rc::new(Lexical { module: Rc::clone(class), outer: Some(outer) });
        let context = self.context_of(me, &lexical, Rc::clone(class), Arc::clone(&program.file));
        self.run_in(program, context)
    }

    /// Makes what a piece of text runs in.
    pub(crate) fn context_of(
        &self,
        me: Value,
        lexical: &Rc<Lexical>,
        definee: ClassRef,
        file: Arc<str>,
    ) -> Context {
        Context {
            me,
            method: None,
            block: None,
            lexical: Rc::clone(lexical),
            definee,
            file,
            last_match: Value::Nil.into(),
            visibility: std::cell::Cell::default(),
            module_function: std::cell::Cell::new(false),
        }
    }

    fn run_in(&mut self, program: &Arc<Program>, context: Context) -> Res {
        let context = Rc::new(context);
        let home = self.number();
        let env = Rc::new(Env::new(program.locals.len(), None, Rc::clone(&context), home, 0));
        self.frames.push(Frame { context, line: 1 });
        let result = self.eval(&env, &program.body);
        self.frames.pop();
        match result {
            Err(flow) => flow.returned(home),
            ok => ok,
        }
    }

    /// Returns the file and line that run.
    pub fn place(&self) -> (Arc<str>, u32) {
        self.frames
            .last()
            .map_or_else(|| (Arc::from("(ruby)"), 0), |frame| (Arc::clone(&frame.context.file), frame.line))
    }

    /// Returns `$~` of what runs.
    pub fn last_match(&self) -> Value {
        self.frames.last().map(|frame| frame.context.last_match.borrow().clone()).unwrap_or_default()
    }

    /// Sets `$~`.
    pub fn set_last_match(&mut self, value: Value) {
        if let Some(frame) = self.frames.last() {
            let old = frame.context.last_match.replace(value);
            drop(old);
        }
    }
}
