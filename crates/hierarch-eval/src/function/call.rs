//! One call of a built-in function: its arguments, its block, and what of the evaluator it may use.

use std::path::PathBuf;
use std::sync::Arc;

use hierarch_hiera::{Found, Hiera, Query};
use hierarch_pcore::convert::ConversionHost;
use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::{Error, Files, Place};
use smallvec::SmallVec;

use super::{ForeignBlock, GrowingList};
use crate::Level;
use crate::code::{Callable, Code, Id, Unit};
use crate::evaluator::{Evaluator, ProgramSettings};
use crate::hiera::{LookupContext, View};
use crate::iterate::Items;
use crate::log::Log;
use crate::scope::Frame;
use crate::{Result, issues};

/// The arguments of a call; few of them need no allocation.
pub type Arguments = SmallVec<[Value; 4]>;

/// A lambda, and where it stands.
#[derive(Clone, Copy)]
pub struct Block<'c> {
    pub(crate) body: BlockBody<'c>,
    pub(crate) callable: &'c Callable,
}

/// What a block does.
#[derive(Clone, Copy)]
pub(crate) enum BlockBody<'c> {
    /// It is written in the language.
    Lambda { code: &'c Code, unit: &'c Unit, frame: &'c Frame<'c> },
    /// Another language has it, and the function that it is given to was called here.
    Foreign { block: &'c dyn ForeignBlock, frame: &'c Frame<'c>, site: Option<Id> },
}

/// A call of a built-in function.
pub struct Call<'c, 'e> {
    pub(crate) name: &'c str,
    pub(crate) arguments: Arguments,
    pub(crate) block: Option<Block<'c>>,
    pub(crate) evaluator: &'c mut Evaluator<'e>,
    pub(crate) frame: &'c Frame<'c>,
    pub(crate) site: Option<Id>,
}

impl<'c, 'e> Call<'c, 'e> {
    /// Returns the name of the function.
    pub fn name(&self) -> &'c str {
        self.name
    }

    /// Returns all arguments.
    pub fn arguments(&self) -> &[Value] {
        &self.arguments
    }

    /// Tells how many arguments were given.
    pub fn count(&self) -> usize {
        self.arguments.len()
    }

    /// Returns an argument; `undef` if it was not given.
    pub fn value(&self, index: usize) -> &Value {
        self.arguments.get(index).unwrap_or(&Value::Undef)
    }

    /// Takes an argument out, so that it can be changed in place or kept while a block runs.
    pub fn take(&mut self, index: usize) -> Value {
        self.arguments.get_mut(index).map(std::mem::take).unwrap_or_default()
    }

    /// Takes all arguments out.
    pub fn take_all(&mut self) -> Arguments {
        std::mem::take(&mut self.arguments)
    }

    /// Returns the text of a string argument.
    pub fn str(&self, index: usize) -> &str {
        self.value(index).as_str().unwrap_or_default()
    }

    /// Returns an integer argument.
    pub fn integer(&self, index: usize) -> i64 {
        self.value(index).as_integer().unwrap_or_default()
    }

    /// Returns the elements of an array argument.
    pub fn array(&self, index: usize) -> &[Value] {
        self.value(index).as_array().unwrap_or_default()
    }

    /// Returns a hash argument.
    pub fn hash(&self, index: usize) -> &Hash {
        static EMPTY: std::sync::LazyLock<Hash> = std::sync::LazyLock::new(Hash::new);
        self.value(index).as_hash().unwrap_or(&EMPTY)
    }

    /// Tells whether an optional boolean argument is true.
    pub fn is_true(&self, index: usize) -> bool {
        matches!(self.value(index), Value::Boolean(true))
    }

    /// Tells whether a block was given.
    pub fn has_block(&self) -> bool {
        self.block.is_some()
    }

    /// Returns how many parameters the block has at least and at most; without a maximum any number.
    pub fn block_arity(&self) -> (usize, Option<usize>) {
        self.block.map_or((0, Some(0)), |block| (block.callable.min, block.callable.max))
    }

    /// Calls the block.
    pub fn yield_values<const N: usize>(&mut self, values: [Value; N]) -> Result<Value> {
        match self.block {
            Some(block) => self.evaluator.call_block(block, values),
            None => Ok(Value::Undef),
        }
    }

    /// Calls the block with any number of values.
    pub fn yield_all(&mut self, values: Vec<Value>) -> Result<Value> {
        match self.block {
            Some(block) => self.evaluator.call_block(block, values),
            None => Ok(Value::Undef),
        }
    }

    /// Tells whether the block may end the iteration: it calls `break`, or something written in the language that may.
    pub fn block_may_break(&mut self) -> bool {
        match self.block.map(|block| block.body) {
            Some(BlockBody::Lambda { unit, .. }) => self.evaluator.loading.may_break(unit),
            Some(BlockBody::Foreign { .. }) | None => false,
        }
    }

    /// Walks over the elements of an iterable argument. Hashes give pairs.
    pub fn items(&mut self, index: usize) -> Items {
        let value = self.take(index);
        // What stands for a result is walked over as one thing, not letter by letter.
        if self.evaluator.is_placeholder(&value) {
            return Items::of(Value::array(vec![value]));
        }
        Items::of(value)
    }

    /// Counts a turn of a loop that calls no block, so that endless work ends.
    pub fn step(&mut self) -> Result<()> {
        self.evaluator.budget.step()
    }

    /// Counts what a built-in does that goes through its arguments letter by letter, or part by part with a text for each:
    /// that takes longer than what most built-ins do, of which a call counts little.
    pub fn count_slow_work(&mut self) -> Result<()> {
        /// How many times as long.
        const SLOWNESS: u64 = 16;
        let size: u64 = self.arguments.iter().map(|argument| argument.extent().size).sum();
        self.evaluator.budget.work(size.saturating_mul(SLOWNESS))
    }

    /// Counts so many steps, for what takes as long as they do.
    pub fn count_steps(&mut self, steps: u64) -> Result<()> {
        self.evaluator.budget.spend(steps)
    }

    /// Returns an empty collection that fails when it grows beyond the limits.
    pub fn growing(&self) -> GrowingList {
        GrowingList::new(self.evaluator.budget.limits.size, 0)
    }

    /// Returns such a collection for what comes of each element of an argument.
    pub fn growing_with(&self, index: usize) -> GrowingList {
        GrowingList::new(self.evaluator.budget.limits.size, Items::room_for(self.value(index)))
    }

    /// Fails if a text or collection of this size is more than the limits allow.
    pub fn check_size(&self, size: usize) -> Result<()> {
        self.evaluator.budget.check_size(size)
    }

    /// Logs what the program has to say.
    pub fn log(&mut self, level: Level, message: impl Into<String>) {
        let place = self.place();
        let compilation = &self.evaluator.compilation;
        let scope = Some(compilation.reference(compilation.scope(self.frame.scope).resource));
        self.evaluator.output.log(Log { level, message: message.into(), place, scope, excerpt: None });
    }

    /// Logs a warning about the program.
    pub fn warn(&mut self, message: impl Into<String>) {
        let place = self.place();
        self.evaluator.output.log(Log {
            level: Level::Warning,
            message: message.into(),
            place,
            scope: None,
            excerpt: None,
        });
    }

    /// Logs a warning that was not logged before.
    pub fn warn_once(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.evaluator.output.has_logged(&message) {
            self.warn(message);
        }
    }

    /// Notes that there is a warning about a use, which a key names; false if it was noted before.
    pub fn notes_use(&mut self, key: &str) -> bool {
        self.evaluator.output.notes_use(key)
    }

    /// Returns where the call stands.
    pub fn place(&self) -> Option<Place> {
        self.site.map(|site| Place::new(self.frame.code.source(), self.frame.code.span(site)))
    }

    /// Returns the value of a variable as the place of the call sees it.
    pub fn variable(&mut self, name: &str) -> Option<Value> {
        self.evaluator.variable_named(self.frame, name)
    }

    /// Calls a function by name, without a block or with the block of this call.
    pub fn call_function(&mut self, name: &str, arguments: Vec<Value>, with_block: bool) -> Result<Value> {
        let block = self.block.filter(|_| with_block);
        let name = self.evaluator.environment().names().id(name.strip_prefix("::").unwrap_or(name));
        // Called here as far as anyone can see: what it declares or warns of has the place of this call.
        self.evaluator.call_name(self.frame, self.site, name, arguments.into(), block)
    }

    /// Tells whether there is a function of a name, built in, in the program or in a module.
    pub fn has_function(&mut self, name: &str) -> Result<bool> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let is_given = self.evaluator.substitution.given.has_answers(name);
        Ok(is_given || self.evaluator.loading.find_callee(name)?.is_some())
    }

    /// Reads a type, the program's own included.
    pub fn type_from_text(&mut self, text: &str) -> Result<Type> {
        Ok(Type::parse(text, self.evaluator.host())?)
    }

    /// Compiles a pattern that is given as a text; the same text is compiled once.
    pub fn pattern(&self, source: &str) -> Result<Arc<Regexp>> {
        Ok(self.evaluator.patterns.get(source)?)
    }

    /// Returns what conversions ask of their surroundings.
    pub fn host(&self) -> &dyn ConversionHost {
        self.evaluator.host()
    }

    /// Runs a template as `inline_epp` does: it sees what the call sees.
    pub fn inline_epp(&mut self, template: &str, parameters: Option<&Hash>) -> Result<Value> {
        self.evaluator.inline_epp(template, parameters, Some(self.frame))
    }

    /// Runs the template in a file as `epp` does: it sees the top scope or that of the node.
    pub fn epp(&mut self, file: &str, parameters: Option<&Hash>) -> Result<Value> {
        self.evaluator.epp_file(file, parameters, self.frame.scope)
    }

    /// Ends the lambda or function at hand with a value.
    pub fn next(&mut self, value: Value) -> crate::Unwind {
        self.evaluator.stack.jump(value, self.place());
        crate::Unwind::Next
    }

    /// Ends the iteration at hand.
    pub fn stop(&mut self) -> crate::Unwind {
        self.evaluator.stack.jump(Value::Undef, self.place());
        crate::Unwind::Break
    }

    /// Ends the function around with a value.
    pub fn leave(&mut self, value: Value) -> crate::Unwind {
        self.evaluator.stack.jump(value, self.place());
        crate::Unwind::Return
    }

    /// Returns what `annotate` attached in this run: values and their annotations.
    pub fn annotations(&mut self) -> &mut Vec<(Value, Value)> {
        &mut self.evaluator.functions.annotations
    }

    /// Returns the settings.
    pub fn settings(&self) -> &ProgramSettings {
        self.evaluator.settings()
    }

    /// Returns where files come from.
    pub fn files(&self) -> Arc<dyn Files> {
        self.evaluator.environment().files()
    }

    /// Finds `module/path` below a folder of the module, such as `files` or `templates`; an absolute path as it is.
    pub fn find_in_module(&self, folder: &str, path: &str) -> Option<PathBuf> {
        self.evaluator.environment().find_in_module(folder, path)
    }

    /// Finds the folder of a module.
    pub fn module_folder(&self, module: &str) -> Option<PathBuf> {
        self.evaluator.environment().module_folder(module)
    }

    /// Looks for the names of a query in overrides, data and default values, with the variables of the place of the call.
    pub fn search(&mut self, query: &Query) -> Result<Found> {
        self.evaluator.search(View::Frame(self.frame), query)
    }

    /// Decrypts a value and fills in its tokens, for the data function whose context an argument is.
    pub fn decrypt(&mut self, context: &Value, value: Value, options: &Hash, key: &str) -> Result<Value> {
        match LookupContext::of(context) {
            Some(context) => self.evaluator.decrypt(View::Frame(self.frame), &context, value, options, key),
            None => Ok(value),
        }
    }

    /// Gives an object of the type `Puppet::LookupContext` its methods; other values stay what they are.
    pub fn as_lookup_context(&self, value: Value) -> Value {
        LookupContext::alone(&value, self.frame.scope).unwrap_or(value)
    }

    /// Says that the data function around has nothing for the key.
    pub fn not_found(&self) -> crate::Unwind {
        crate::Unwind::NotFound
    }

    /// Returns where data are looked up.
    pub fn hiera(&self) -> &Arc<Hiera> {
        self.evaluator.environment().hiera()
    }

    /// Says that a function cannot work yet.
    pub fn needs(&self, what: &str) -> Error {
        issues::not_available(self.name, what)
    }
}
