//! Functions of modules: how their files are run, and how they are called.

use std::rc::Rc;
use std::sync::Arc;

use hierarch_pcore::Value as Pcore;

use super::{Interrupt, scope};
use crate::core::{Builtin, ClassSpec, m};
use crate::issues;
use crate::run::{Args, Flow, Res, Vm};
use crate::syntax::tree::Program;
use crate::value::{Proc, Sym, Value};

/// The detail of an error that an exception became: its number.
pub const RAISED: &str = "raised exception";

/// What the parts that are written in Ruby ask for.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec {
        singleton: &[HOST_CALLS, super::settings::HOST_CALLS],
        ..ClassSpec::module("Puppet::Pops::HostCalls")
    },
    &ClassSpec::module("Puppet::Pops::Loader"),
    &ClassSpec::class("Puppet::Pops::Loader::RubyFunctionInstantiator"),
    &ClassSpec::class("Puppet::Pops::Loader::RubyLegacyFunctionInstantiator"),
];

static HOST_CALLS: &[Builtin] = &[
    m("call", 3, 3, call_from),
    m("rename", 2, 2, |vm, _, args| {
        let name = vm.to_s(&args.at(1))?;
        if let Value::Class(class) = args.at(0) {
            *class.name.borrow_mut() = Some(name);
        }
        Ok(args.at(0))
    }),
    m("load_old", 1, 1, |vm, _, args| {
        let name = vm.to_s(&args.at(0))?;
        let is_there = vm.knows_old_function(&name)?;
        Ok(if is_there { vm.str(format!("function_{name}")) } else { Value::Bool(false) })
    }),
];

/// What functions and backends of modules left behind.
#[derive(Default)]
pub struct Modules {
    /// Functions that were loaded, by name.
    functions: rustc_hash::FxHashMap<String, LoadedFunction>,
    /// What a block ended with that Puppet called; it goes on where Ruby called Puppet.
    pub escaping: Option<Box<Flow>>,
    /// The last exception that left a function, and its number.
    raised: Option<(u64, Value)>,
    /// How many exceptions left functions.
    raised_count: u64,
    /// The last error of Puppet's that became an exception: it leaves Ruby as it came.
    pub(super) passing: Option<(Value, hierarch_source::Error)>,
    /// Deprecations that were logged.
    pub(super) warned: rustc_hash::FxHashSet<String>,
    /// What backends remember, by the place in the hierarchy.
    pub(super) caches: rustc_hash::FxHashMap<usize, Value>,
    /// What scripts set as variables, by the number of the scope: who looks one up gets the same object and may change it.
    pub(super) set: rustc_hash::FxHashMap<(u32, String), Value>,
    /// What backends made of files, with what the files were like.
    pub(super) files: rustc_hash::FxHashMap<String, (Option<u64>, Value)>,
}

/// A function that was loaded.
struct LoadedFunction {
    instance: Value,
    methods: Vec<(Sym, Vec<Value>)>,
}

/// One way to call a function, as its file says it.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The method that is called.
    pub method: String,
    /// Whether it only says why arguments will not do.
    pub is_mismatch: bool,
    /// The type of its result.
    pub returns: Option<String>,
    /// Marks, type and name of each parameter.
    pub parameters: Vec<(String, String, String)>,
    /// Types that only the function knows.
    pub aliases: Vec<String>,
}

/// A lambda of Puppet's.
pub struct PuppetBlock {
    /// What the host knows it by.
    pub number: u64,
    /// How its parameters are taken, and their names.
    pub parameters: Vec<(&'static str, hierarch_pcore::Str)>,
}

impl Vm<'_> {
    /// Runs the file of a function and returns its signatures.
    pub fn load_function(&mut self, name: &str, program: &Arc<Program>) -> Res<Vec<Shape>> {
        let made = self.run_for_loader(program, "Puppet::Pops::Loader::RubyFunctionInstantiator")?;
        let file = Arc::clone(&program.file);
        let base = self.path("Puppet::Pops::Functions::Function")?;
        let is_function = match (&made, &base) {
            (Value::Class(made), Value::Class(base)) => self.inherits(made, base),
            _ => false,
        };
        if !is_function {
            let class = self.class_name(&made);
            return Err(self.raise("ArgumentError", issues::not_a_function(&file, &class)));
        }
        let own = self.send(&made, Sym::of("name"), &[])?;
        let own = self.to_s(&own)?;
        if own != name {
            return Err(self.raise("ArgumentError", issues::other_function(&file, name, &own)));
        }
        let (shapes, methods) = self.shapes(&made)?;
        let scope = scope::top(self);
        let instance = self.send(&made, Sym::of("new"), &[scope, Value::Nil])?;
        self.modules.functions.insert(name.to_owned(), LoadedFunction { instance, methods });
        Ok(shapes)
    }

    /// Runs a file of functions: it stands in a class of Puppet's loader.
    fn run_for_loader(&mut self, program: &Arc<Program>, class: &'static str) -> Res {
        let class = self.class(class);
        self.run_as(program, Value::Class(Rc::clone(&class)), &class)
    }

    /// Reads the signatures of a function.
    fn shapes(&mut self, function: &Value) -> Res<(Vec<Shape>, Vec<(Sym, Vec<Value>)>)> {
        let (mut shapes, mut methods) = (Vec::new(), Vec::new());
        let dispatches = self.send(function, Sym::of("dispatches"), &[])?;
        for dispatch in self.elements(&dispatches)? {
            let shape = self.send(&dispatch, Sym::of("__shape"), &[])?;
            let parts = self.elements(&shape)?;
            let [method, is_mismatch, returns, parameters, injections, aliases] = &parts[..] else {
                continue;
            };
            let name = self.to_name(method)?;
            let mut shape = Shape {
                method: name.text().to_owned(),
                is_mismatch: is_mismatch.truthy(),
                returns: if returns.is_nil() { None } else { Some(self.to_s(returns)?.to_string()) },
                ..Shape::default()
            };
            for parameter in self.elements(parameters)? {
                let texts = self.texts(&parameter)?;
                if let [marks, type_, name] = &texts[..] {
                    shape.parameters.push((marks.clone(), type_.clone(), name.clone()));
                }
            }
            shape.aliases = self.texts(aliases)?;
            shapes.push(shape);
            methods.push((name, self.elements(injections)?));
        }
        Ok((shapes, methods))
    }

    fn texts(&mut self, list: &Value) -> Res<Vec<String>> {
        let items = self.elements(list)?;
        items.iter().map(|item| self.to_s(item).map(|text| text.to_string())).collect()
    }

    /// Finds a class by its path.
    fn path(&mut self, path: &str) -> Res {
        let object = Value::Class(self.class("Object"));
        let path = self.str(path);
        self.send(&object, Sym::of("const_get"), &[path])
    }

    /// Calls one of the methods of a function that was loaded.
    pub fn call_loaded(
        &mut self,
        name: &str,
        index: usize,
        arguments: &[Pcore],
        block: Option<PuppetBlock>,
    ) -> Res<Pcore> {
        let Some(function) = self.modules.functions.get(name) else { return Ok(Pcore::Undef) };
        let Some((method, injections)) = function.methods.get(index).cloned() else {
            return Ok(Pcore::Undef);
        };
        let instance = function.instance.clone();
        let mut list = Vec::with_capacity(arguments.len());
        for injection in &injections {
            list.push(self.injected(injection)?);
        }
        for argument in arguments {
            list.push(self.from_puppet(argument)?);
        }
        let args = Args::with_block(&list, block.map(puppet_proc));
        let value = self.send_args(&instance, method, args)?;
        self.to_puppet(&value)
    }

    fn injected(&mut self, what: &Value) -> Res {
        match self.to_s(what)?.as_str() {
            "scope" => Ok(scope::object(self)),
            "cache" => {
                let class = self.path("Puppet::Pops::Adapters::ObjectIdCacheAdapter")?;
                self.send(&class, Sym::of("new"), &[])
            }
            other => Err(self.raise("Puppet::Error", issues::no_binding(other))),
        }
    }

    /// Runs the file of an old function and returns its arity.
    pub fn load_old_function(&mut self, name: &str, program: &Arc<Program>) -> Res<i32> {
        let file = Arc::clone(&program.file);
        if let Some((method, column)) = program.defined.first() {
            return Err(self.raise("SecurityError", issues::illegal_definition(*method, &file, *column)));
        }
        let made = self.run_for_loader(program, "Puppet::Pops::Loader::RubyLegacyFunctionInstantiator")?;
        let entry = |name: &str| made.as_hash().and_then(|hash| hash.get_sym(name));
        let Some(own) = entry("name") else {
            let class = self.class_name(&made);
            return Err(self.raise("ArgumentError", issues::not_an_old_function(&file, &class)));
        };
        let (own, arity) = (self.to_s(&own)?, entry("arity").unwrap_or(Value::Int(-1)));
        if own != format!("function_{name}") {
            return Err(self.raise("ArgumentError", issues::other_old_function(&file, name, &own)));
        }
        let arity = self.to_int(&arity)?;
        Ok(i32::try_from(arity).unwrap_or(-1))
    }

    /// Calls an old function that was loaded, with what Puppet gave.
    pub fn call_old(&mut self, name: &str, arguments: &[Pcore]) -> Res<Pcore> {
        let mut list = Vec::with_capacity(arguments.len());
        for argument in arguments {
            list.push(self.from_puppet_old(argument)?);
        }
        let value = self.call_real(name, list)?;
        self.to_puppet(&value)
    }

    /// Runs the block of an old function that was loaded.
    pub(super) fn call_real(&mut self, name: &str, arguments: Vec<Value>) -> Res {
        let scope = scope::object(self);
        let functions = self.path("Puppet::Parser::Functions")?;
        let key = self.str(name);
        let known = self.send(&functions, Sym::of("get_function"), &[key])?;
        let entry = |name: &str| known.as_hash().and_then(|hash| hash.get_sym(name)).unwrap_or_default();
        let arity = self.to_int(&entry("arity")).unwrap_or(-1);
        let given = arguments.len() as i64;
        let fits = if arity < 0 { given >= -arity - 1 } else { given == arity };
        if !fits {
            return Err(self.raise("ArgumentError", issues::wrong_count_of_old(name, given, arity)));
        }
        let list = self.array(arguments);
        let method = self.intern(&format!("real_function_{name}"))?;
        let value = self.send(&scope, method, &[list])?;
        let is_statement = matches!(entry("type"), Value::Sym(kind) if kind.text() == "statement");
        Ok(if is_statement { Value::Nil } else { value })
    }

    /// Tells whether there is an old function, and loads that of a module.
    pub(super) fn knows_old_function(&mut self, name: &str) -> Res<bool> {
        if scope::is_built_in(name) {
            return Ok(true);
        }
        let functions = self.path("Puppet::Parser::Functions")?;
        let key = self.str(name);
        if !self.send(&functions, Sym::of("get_function"), &[key])?.is_nil() {
            return Ok(true);
        }
        let Some(file) = self.puppet("Functions.function", |puppet| puppet.old_function(name))? else {
            return Ok(false);
        };
        let loaded = self.load_file(&file.to_string_lossy())?;
        Ok(loaded.is_some())
    }

    /// Returns the error of Puppet's that an exception was made of.
    pub fn passed(&mut self, exception: &Value) -> Option<hierarch_source::Error> {
        let (own, error) = self.modules.passing.take()?;
        own.is_same(exception).then_some(error)
    }

    /// Remembers an exception that leaves a function, so that Ruby further out gets the same one. Returns its words, and the
    /// number that the error made of it carries as the detail [`RAISED`].
    pub fn left_with(&mut self, exception: Value) -> Res<(String, u64)> {
        let message = self.message_of(&exception)?.to_string();
        self.modules.raised_count += 1;
        let number = self.modules.raised_count;
        self.modules.raised = Some((number, exception));
        Ok((message, number))
    }

    /// Keeps what ended a block that Puppet called, for the Ruby that called Puppet.
    pub fn set_escaping(&mut self, flow: Flow) {
        self.modules.escaping = Some(Box::new(flow));
    }

    /// Goes on with what ended a call of Puppet's.
    pub(super) fn interrupted(&mut self, function: &str, interrupt: Interrupt) -> Box<Flow> {
        match interrupt {
            Interrupt::Error(error) => {
                let raised = self.modules.raised.take();
                let is_own =
                    |number: u64| error.details(RAISED).any(|detail| detail == number.to_string().as_str());
                match raised.filter(|(number, _)| error.place.is_none() && is_own(*number)) {
                    Some((_, exception)) => Box::new(Flow::Raise(exception)),
                    None => self.raise_from(function, error),
                }
            }
            Interrupt::Jump(jump) => Box::new(Flow::Puppet(jump)),
            Interrupt::Escaped => match self.modules.escaping.take() {
                Some(flow) => flow,
                None => self.raise("LocalJumpError", "unexpected return"),
            },
        }
    }
}

/// Makes the block that Ruby sees of a lambda.
fn puppet_proc(block: PuppetBlock) -> Rc<Proc> {
    let required = block.parameters.iter().filter(|(kind, _)| *kind == "req").count() as i64;
    let is_exact = block.parameters.iter().all(|(kind, _)| *kind == "req");
    let arity = if is_exact { required } else { -required - 1 };
    let number = block.number;
    Rc::new(Proc::of_puppet(arity, number, move |vm, args| vm.yield_to_puppet(number, args)))
}

/// `call_function(name, …)` in a function; its name comes first.
fn call_from(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let (caller, name) = (vm.to_s(&args.at(0))?, vm.to_s(&args.at(1))?);
    let arguments = vm.elements(&args.at(2))?;
    if !vm.puppet("call_function", |puppet| puppet.has_function(&name))? {
        return Err(vm.raise("ArgumentError", issues::unknown_function_in(&caller, &name)));
    }
    vm.call_puppet(&name, &arguments, args.block.as_ref())
}

impl Vm<'_> {
    /// Calls a lambda of Puppet's.
    fn yield_to_puppet(&mut self, number: u64, args: &Args) -> Res {
        let mut values = Vec::with_capacity(args.len());
        for argument in &args.list {
            values.push(self.to_puppet(argument)?);
        }
        let called =
            self.lend(|host, ruby| host.puppet().map(|puppet| puppet.yield_to(ruby, number, values)));
        match called {
            None => Err(self.unsupported("call of a lambda")),
            Some(Ok(value)) => self.from_puppet(&value),
            Some(Err(interrupt)) => Err(self.interrupted("", interrupt)),
        }
    }

    /// Calls a function of Puppet's.
    pub(crate) fn call_puppet(&mut self, name: &str, arguments: &[Value], block: Option<&Rc<Proc>>) -> Res {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.to_puppet(argument)?);
        }
        let called =
            self.lend(|host, ruby| host.puppet().map(|puppet| puppet.call(ruby, name, values, block)));
        match called {
            None => Err(self.unsupported(&format!("call of Puppet's function {name}"))),
            Some(Ok(value)) => self.from_puppet(&value),
            Some(Err(interrupt)) => Err(self.interrupted(name, interrupt)),
        }
    }

    /// Calls a block that Puppet was given.
    pub fn call_given(&mut self, block: &Rc<Proc>, arguments: &[Pcore]) -> Res<Pcore> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.from_puppet(argument)?);
        }
        let value = self.call_block(block, &values)?;
        self.to_puppet(&value)
    }
}
