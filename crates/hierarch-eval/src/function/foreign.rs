//! What functions need that run programs of another language: all that a place sees, and somewhere to keep things.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::{CallableType, IntegerType, TupleType};
use hierarch_pcore::{Hash, Str, Type, Value};

use super::{Block, BlockBody, Call, ForeignBlock};
use crate::code::Callable;
use crate::compile::Compilation;
use crate::hiera::LookupContext;
use crate::limits::ProgramLimits;
use crate::resource::KindId;
use crate::scope::{Frame, ScopeId, Variables};
use crate::stack::Stack;
use crate::substitute::{Help, HelperSource};
use crate::{Result, issues};

/// What another language keeps while one program runs; it need not be fit for other threads.
pub type ForeignState = Option<Box<dyn Any>>;

/// What functions keep as long as a run lasts.
#[derive(Default)]
pub(crate) struct FunctionState {
    /// What `annotate` attached: values and their annotations.
    pub(crate) annotations: Vec<(Value, Value)>,
    /// What another language keeps.
    pub(crate) foreign: ForeignState,
}

impl Call<'_, '_> {
    /// Returns all variables that the place of the call sees. One that is undef hides others of its name, and is left out.
    pub fn visible_variables(&self) -> Vec<(Str, Value)> {
        let evaluator = &*self.evaluator;
        let mut seen = Hash::new();
        for name in evaluator.variable_names() {
            if let Some(value) = evaluator.global_named(&name) {
                seen.insert(name, value);
            }
        }
        evaluator.compilation.add_variables(&evaluator.stack, self.frame.scope, &mut seen);
        evaluator.stack.add_frames(Some(self.frame), &mut seen);
        let is_set = |(name, value): (&Value, &Value)| {
            (!value.is_undef()).then(|| Some((Str::from(name.as_str()?), value.clone()))).flatten()
        };
        seen.iter().filter_map(is_set).collect()
    }

    /// Says why a variable is not known: nothing, or something about the class it would be in.
    pub fn why_undefined(&self, name: &str) -> String {
        match name.rsplit_once("::") {
            Some((class, _)) if self.evaluator.compilation.class_scopes.contains_key(class) => String::new(),
            _ => self.evaluator.loading.why_undefined(name),
        }
    }

    /// Sets a variable where the call stands.
    pub fn set_variable(&mut self, name: &str, value: Value) -> Result<()> {
        if let Some(name) = name.strip_prefix("::") {
            return self.set_at_top(name, value);
        }
        let slot = self.frame.unit.slot_named(name);
        if let Some(place) = slot.map(|slot| self.evaluator.stack.slot_mut(self.frame, slot)) {
            if place.is_some() {
                return Err(issues::reassigned(name).into());
            }
            *place = Some(value);
            return Ok(());
        }
        if self.frame.scope == ScopeId::TOP {
            return self.set_at_top(name, value);
        }
        // The code around it never names the variable, so it has no slot; who asks for it by name finds it with what was given.
        let given = &mut self.evaluator.compilation.scope_mut(self.frame.scope).given;
        if given.iter().any(|(known, _)| known == name) {
            return Err(issues::reassigned(name).into());
        }
        given.push((name.into(), value));
        Ok(())
    }

    /// Returns the first number of the release of a module.
    pub fn module_release(&self, module: &str) -> Option<u64> {
        self.evaluator.environment().module_release(module)
    }

    /// Returns a number for the scope that the call stands in.
    pub fn scope_number(&self) -> u32 {
        self.frame.scope.0
    }

    fn set_at_top(&mut self, name: &str, value: Value) -> Result<()> {
        if self.evaluator.global_named(name).is_some() {
            return Err(issues::reassigned(name).into());
        }
        self.evaluator.set_variable(name, value);
        Ok(())
    }

    /// Returns the names of all classes in the catalog, in order.
    pub fn class_names(&self) -> Vec<Str> {
        let resources = self.evaluator.compilation.resources.iter();
        let classes = resources.filter(|resource| resource.kind == KindId::CLASS);
        let names = classes.map(|class| class.title.to_lowercase()).filter(|name: &Str| name != "main");
        let settings = std::iter::once(Str::from("settings"));
        settings.chain(names.filter(|name| name != "settings")).collect()
    }

    /// Returns the class or resource that the call stands in, as a reference.
    pub fn container(&self) -> String {
        let compilation = &self.evaluator.compilation;
        let shown = compilation.reference(compilation.scope(self.frame.scope).resource);
        if shown == "Class[Main]" { "Class[main]".to_owned() } else { shown }
    }

    /// Returns the tags of the catalog.
    pub fn catalog_tags(&self) -> Vec<Str> {
        let compilation = &self.evaluator.compilation;
        compilation.tag_names.words(&compilation.tags)
    }

    /// Returns what a program may use.
    pub fn limits(&self) -> ProgramLimits {
        self.evaluator.budget.limits
    }

    /// Returns where another language keeps what lives as long as this run.
    pub fn kept(&mut self) -> &mut ForeignState {
        &mut self.evaluator.functions.foreign
    }

    /// Returns what another language keeps for all runs in this environment.
    pub fn shared<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        self.evaluator.environment().shared()
    }

    /// Returns the current time in nanoseconds since 1970.
    pub fn now(&self) -> i128 {
        self.evaluator.environment().now().0
    }

    /// Returns the variables that `ENV` shows.
    pub fn process_variables(&self) -> &[(String, String)] {
        &self.evaluator.environment().substitutes().ruby_variables
    }

    /// Returns what asks the network, if that is allowed.
    pub fn network(&self) -> Option<Arc<dyn hierarch_source::Network>> {
        self.evaluator.environment().substitutes().ruby_network.clone()
    }

    /// Returns what starts a real Ruby, if that is allowed.
    pub fn helper_source(&self) -> Option<Arc<dyn HelperSource>> {
        self.evaluator.environment().substitutes().ruby_helper.clone()
    }

    /// Notes that a helper ran something, and why it did not run here.
    pub fn note_help(&mut self, what: &str, reason: &str) {
        Help::count(&mut self.evaluator.substitution.help, what, reason);
        if let Some(source) = self.helper_source() {
            source.note(what, reason);
        }
    }

    /// Returns the folder of the environment and those of modules: what programs of modules may read.
    pub fn readable_folders(&self) -> Vec<std::path::PathBuf> {
        let environment = self.evaluator.environment();
        environment
            .folder()
            .map(ToOwned::to_owned)
            .into_iter()
            .chain(environment.modulepath().to_vec())
            .chain(environment.substitutes().ruby_read.clone())
            .collect()
    }
}

impl<'c> Call<'c, '_> {
    /// Returns the block of the call.
    pub fn block(&self) -> Option<Block<'c>> {
        self.block
    }

    /// Calls a block: that of this call, or of one around it.
    pub fn yield_to(&mut self, block: Block, arguments: Vec<Value>) -> Result<Value> {
        self.evaluator.call_block(block, arguments)
    }

    /// Calls a function by name, with a block of another language that takes so many values at most, or with one that
    /// there is already.
    pub fn call_with(&mut self, name: &str, arguments: Vec<Value>, block: GivenBlock) -> Result<Value> {
        let name = self.evaluator.environment().names().id(name.strip_prefix("::").unwrap_or(name));
        let (foreign, most) = match block {
            GivenBlock::None => {
                return self.evaluator.call_name(self.frame, self.site, name, arguments.into(), None);
            }
            GivenBlock::Known(block) => {
                return self.evaluator.call_name(self.frame, self.site, name, arguments.into(), Some(block));
            }
            GivenBlock::Foreign(block, most) => (block, most),
        };
        let callable = Callable::of_foreign(most);
        let body = BlockBody::Foreign { block: foreign, frame: self.frame, site: self.site };
        let block = Some(Block { body, callable: &callable });
        self.evaluator.call_name(self.frame, self.site, name, arguments.into(), block)
    }

    /// Finds the file of a function with the interface that knows no types.
    pub fn old_function(&self, name: &str) -> Option<std::path::PathBuf> {
        self.evaluator.environment().old_function(name)
    }

    /// Returns one of Puppet's settings.
    pub fn setting(&mut self, name: &str) -> Option<Value> {
        self.variable(&format!("::settings::{name}"))
    }

    /// Returns the folders of all modules.
    pub fn module_folders(&self) -> Arc<[std::path::PathBuf]> {
        self.evaluator.environment().module_folders()
    }

    /// Tells where the stack was when the run started, and how much of it there is.
    pub fn stack(&self) -> (usize, usize) {
        self.evaluator.budget.stack()
    }

    /// Returns the lookup that an argument of a data function stands for.
    pub fn lookup_context(&self, value: &Value) -> Option<LookupContext> {
        LookupContext::of(value)
    }

    /// Fills in the tokens of a value on behalf of the lookup that a data function was called for.
    pub fn interpolate(&mut self, context: &LookupContext, value: Value) -> Result<Value> {
        context.fill_in(self.evaluator, self.frame, value)
    }
}

/// The block that a function is called with.
pub enum GivenBlock<'b> {
    /// None.
    None,
    /// One that a function was called with before.
    Known(Block<'b>),
    /// One of another language, and how many values it takes; nothing means any number.
    Foreign(&'b dyn ForeignBlock, Option<usize>),
}

impl Block<'_> {
    /// Returns the parameters of a lambda: how each is taken (`req`, `opt`, `rest`), and its name.
    pub fn parameters(&self) -> Vec<(&'static str, Str)> {
        let BlockBody::Lambda { unit, .. } = self.body else { return Vec::new() };
        let kind = |parameter: &crate::code::Parameter| match parameter {
            parameter if parameter.is_rest => "rest",
            parameter if parameter.default.is_some() => "opt",
            _ => "req",
        };
        unit.parameters.iter().map(|parameter| (kind(parameter), parameter.name.clone())).collect()
    }
}

impl Callable {
    /// What is known of a block of another language: such a block takes fewer values as well.
    fn of_foreign(most: Option<usize>) -> Self {
        let types = vec![Type::any(); most.unwrap_or(1)];
        let size = IntegerType::from_to(Some(0), most.map(|most| most as i64));
        let parameters = TupleType::new(types.clone(), Some(size));
        let type_ = CallableType::new(Some(parameters), None, None).into();
        Self { types, is_untyped: true, min: 0, max: most, returns: None, type_ }
    }
}

impl Compilation {
    /// Adds the variables of the node, of inherited classes and of a scope, in this order.
    fn add_variables(&self, stack: &Stack, id: ScopeId, seen: &mut Hash) {
        if id == ScopeId::TOP {
            return;
        }
        let scope = self.scope(id);
        if scope.enclosing != ScopeId::TOP && scope.enclosing != id {
            self.add_own(stack, scope.enclosing, seen);
        }
        let mut inherited = Vec::new();
        let mut next = scope.inherited;
        while let Some(id) = next {
            inherited.push(id);
            next = self.scope(id).inherited;
        }
        inherited.into_iter().rev().for_each(|id| self.add_own(stack, id, seen));
        self.add_own(stack, id, seen);
    }

    fn add_own(&self, stack: &Stack, id: ScopeId, seen: &mut Hash) {
        let scope = self.scope(id);
        for (name, value) in &scope.given {
            seen.insert(name.clone(), value.clone());
        }
        let (definition, values) = match &scope.variables {
            Variables::None => return,
            Variables::Running(definition, base) => (definition, stack.slots_from(*base)),
            Variables::Kept(definition, values) => (definition, &values[..]),
        };
        add_slots(&definition.unit().slots, values, seen);
    }
}

impl Stack {
    fn add_frames(&self, frame: Option<&Frame>, seen: &mut Hash) {
        let Some(frame) = frame else { return };
        self.add_frames(frame.parent, seen);
        add_slots(&frame.unit.slots, self.slots_from(frame.base), seen);
    }
}

fn add_slots(names: &[Str], values: &[Option<Value>], seen: &mut Hash) {
    for (name, value) in names.iter().zip(values) {
        if let Some(value) = value {
            seen.insert(name.clone(), value.clone());
        }
    }
}
