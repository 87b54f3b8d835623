//! What functions need that run programs of another language: all that a place sees, and somewhere to keep things.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::{Hash, Str, Value};

use super::Call;
use crate::compile::Compilation;
use crate::limits::Limits;
use crate::resource::KindId;
use crate::scope::{Frame, ScopeId, Variables};
use crate::stack::Stack;
use crate::{Result, issues};

/// What another language keeps while one program runs; it need not be fit for other threads.
pub type Kept = Option<Box<dyn Any>>;

/// What functions keep as long as a run lasts.
#[derive(Default)]
pub(crate) struct FunctionState {
    /// What `annotate` attached: values and their annotations.
    pub(crate) annotations: Vec<(Value, Value)>,
    /// What another language keeps.
    pub(crate) foreign: Kept,
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
        let slot = self.frame.unit.slot_named(name);
        if let Some(place) = slot.map(|slot| self.evaluator.stack.slot_mut(self.frame, slot)) {
            if place.is_some() {
                return Err(issues::reassigned(name).into());
            }
            *place = Some(value);
            return Ok(());
        }
        if self.frame.scope != ScopeId::TOP {
            return Err(issues::not_available("setvar", "a variable that the code around it names").into());
        }
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
    pub fn limits(&self) -> Limits {
        self.evaluator.budget.limits
    }

    /// Returns where another language keeps what lives as long as this run.
    pub fn kept(&mut self) -> &mut Kept {
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

    /// Returns the folder of the environment and those of modules: what programs of modules may read.
    pub fn readable_folders(&self) -> Vec<std::path::PathBuf> {
        let environment = self.evaluator.environment();
        environment
            .folder()
            .map(ToOwned::to_owned)
            .into_iter()
            .chain(environment.modulepath().to_vec())
            .collect()
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
