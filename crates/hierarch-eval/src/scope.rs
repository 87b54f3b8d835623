//! Variables: slots of the running units, scopes of classes and nodes, and the top scope.

use std::sync::Arc;

use hierarch_pcore::{Str, Value};
use hierarch_source::Error;

use hierarch_hiera::Strict;

use crate::code::{Code, Id, LastResort, Lookup, Unit};
use crate::compile::Compilation;
use crate::define::{Definition, DefinitionId};
use crate::evaluator::Evaluator;
use crate::names::NameId;
use crate::puppet_settings::{self, SettingValues};
use crate::resource::{Defaults, ResourceId};
use crate::stack::Stack;
use crate::{Result, issues};

/// A unit that is running: its code, where its slots start, the unit around it, and where it declares resources.
pub(crate) struct Frame<'f> {
    pub(crate) code: &'f Code,
    pub(crate) unit: &'f Unit,
    pub(crate) base: usize,
    pub(crate) parent: Option<&'f Frame<'f>>,
    pub(crate) scope: ScopeId,
}

/// The number of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// The top scope.
    pub(crate) const TOP: Self = Self(0);
}

/// Where a class, a defined type or a node runs: what it sees, and what its resources belong to.
pub(crate) struct Scope {
    /// The scope in which it was declared, or that of the inherited class: defaults come from there.
    pub(crate) parent: Option<ScopeId>,
    /// What contains the resources that are declared here.
    pub(crate) resource: ResourceId,
    /// Whose code runs here.
    pub(crate) source: DefinitionId,
    /// The scope of the class that is inherited from.
    pub(crate) inherited: Option<ScopeId>,
    /// The top scope, or that of the node.
    pub(crate) enclosing: ScopeId,
    pub(crate) variables: Variables,
    /// Metaparameters that were given; they are variables too.
    pub(crate) given: Vec<(Str, Value)>,
    pub(crate) defaults: Defaults,
}

/// Where the variables of a scope are.
pub(crate) enum Variables {
    /// Among the top-scope variables, or nowhere any more.
    None,
    /// On the stack, from this place on.
    Running(Arc<Definition>, usize),
    /// The scope is done; its variables stay.
    Kept(Arc<Definition>, Box<[Option<Value>]>),
}

impl Scope {
    /// Makes the top scope.
    pub(crate) fn top() -> Self {
        Self {
            parent: None,
            resource: ResourceId::MAIN,
            source: DefinitionId::MAIN,
            inherited: None,
            enclosing: ScopeId::TOP,
            variables: Variables::None,
            given: Vec::new(),
            defaults: Defaults::default(),
        }
    }

    /// Tells whether variables that are not its own can only be those of the top scope.
    fn sees_top_only(&self) -> bool {
        self.inherited.is_none() && self.enclosing == ScopeId::TOP && self.given.is_empty()
    }
}

impl Frame<'_> {
    fn outer(&self, depth: u16) -> &Frame<'_> {
        let mut frame = self;
        for _ in 0..depth {
            match frame.parent {
                Some(parent) => frame = parent,
                None => break,
            }
        }
        frame
    }
}

impl Evaluator<'_> {
    /// Reads a variable from the first place that has it.
    pub(crate) fn lookup(&mut self, frame: &Frame, lookup: &Lookup, id: Id) -> Result<Value> {
        for &(depth, slot) in &lookup.slots {
            let frame = frame.outer(depth);
            if let Some(value) = self.stack.slot(frame, slot as usize) {
                return Ok(value.clone());
            }
        }
        match &lookup.last {
            LastResort::Global(name) => self.global(frame, *name, id),
            LastResort::Outer(name) => self.outer(frame, *name, id),
            LastResort::Named(text, name) => {
                let around = self.stack.local_named(frame.outermost().parent_of_template(), text);
                match around.or_else(|| self.compilation.scope_variable(&self.stack, frame.scope, text)) {
                    Some(value) => Ok(value),
                    None => self.global(frame, *name, id),
                }
            }
            LastResort::Never => {
                let (depth, slot) = lookup.slots[lookup.slots.len() - 1];
                Err(self.stack.unbound_parameter(frame.outer(depth), slot).into())
            }
        }
    }

    /// Reads a top-scope variable.
    #[inline]
    pub(crate) fn global(&mut self, frame: &Frame, name: NameId, id: Id) -> Result<Value> {
        match self.stack.global(name) {
            Some(value) => Ok(value.clone()),
            None => self.unknown_variable(frame, id),
        }
    }

    /// Reads a variable around a class or the like.
    #[inline]
    pub(crate) fn outer(&mut self, frame: &Frame, name: NameId, id: Id) -> Result<Value> {
        if !self.compilation.scope(frame.scope).sees_top_only() {
            let text = self.environment.names().text(name);
            if let Some(value) = self.compilation.outer_variable(&self.stack, frame.scope, &text) {
                return Ok(value);
            }
        }
        self.global(frame, name, id)
    }

    /// Reads a variable by its name as a scope sees it.
    pub(crate) fn variable_in(&self, scope: ScopeId, name: &str) -> Option<Value> {
        let bare = name.strip_prefix("::").unwrap_or(name);
        if bare.contains("::") {
            return self.qualified_variable(bare);
        }
        let own = if bare.len() < name.len() {
            None
        } else {
            self.compilation.scope_variable(&self.stack, scope, bare)
        };
        own.or_else(|| self.global_named(bare))
    }

    #[cold]
    fn unknown_variable(&mut self, frame: &Frame, id: Id) -> Result<Value> {
        let ast = &frame.code.ast;
        let name = match ast.expr(frame.code.origin(id)) {
            hierarch_syntax::ast::Expr::Variable(name) => ast.text(name),
            _ => "",
        };
        let name = name.to_owned();
        let bare = name.strip_prefix("::").unwrap_or(&name);
        let is_error = self.settings.strict_variables || self.settings.strict == Strict::Error;
        if BUILT_IN.contains(&bare) {
            return Ok(Value::Undef);
        }
        let error = issues::unknown_variable(&name);
        if is_error {
            return Err(self.hint_variables(error, frame, &name).into());
        }
        if self.settings.strict == Strict::Warning {
            self.warn_at(frame, id, error.message.clone());
        }
        Ok(Value::Undef)
    }

    /// Reads `$a::b`: a variable of a class, or a setting.
    pub(crate) fn qualified(&mut self, frame: &Frame, id: Id, name: &str) -> Result<Value> {
        match self.qualified_variable(name) {
            Some(value) => Ok(value),
            None => self.unknown_variable(frame, id),
        }
    }

    fn qualified_variable(&self, name: &str) -> Option<Value> {
        let (class, variable) = name.rsplit_once("::")?;
        let of_class = self.compilation.class_scopes.get(class);
        let value =
            of_class.and_then(|scope| self.compilation.inherited_variable(&self.stack, *scope, variable));
        let value = value.or_else(|| self.stack.qualified(name).cloned());
        value.or_else(|| (class == "settings").then(|| self.puppet_setting(variable))?)
    }

    /// Reads one of Puppet's settings.
    fn puppet_setting(&self, name: &str) -> Option<Value> {
        let strict = match self.settings.strict {
            Strict::Off => "off",
            Strict::Warning => "warning",
            Strict::Error => "error",
        };
        let folders = self.environment.modulepath().iter().map(|folder| folder.display().to_string());
        let modulepath = folders.collect::<Vec<_>>().join(":");
        let environment = &self.environment.hiera().environment().name;
        let strict_variables = self.settings.strict_variables;
        let given = SettingValues { strict, strict_variables, environment, modulepath: &modulepath };
        puppet_settings::value(name, &given)
    }

    /// Reads a variable by its name as a place sees it.
    pub(crate) fn variable_named(&self, frame: &Frame, name: &str) -> Option<Value> {
        let bare = name.strip_prefix("::").unwrap_or(name);
        if bare.contains("::") {
            return self.qualified_variable(bare);
        }
        if bare.len() < name.len() {
            return self.global_named(bare);
        }
        if let Ok(group) = bare.parse::<usize>() {
            return Some(self.matches.group(group));
        }
        let own = self.stack.local_named(Some(frame), bare);
        own.or_else(|| self.compilation.scope_variable(&self.stack, frame.scope, bare))
            .or_else(|| self.global_named(bare))
    }

    /// Returns the variables that lookups see once a catalog is compiled: those of the top scope, and those of classes by their whole names.
    pub fn variables_of_catalog(&self) -> Vec<(String, Value)> {
        let names = self.environment.names();
        let top = self
            .stack
            .global_names()
            .filter_map(|id| Some((names.text(id).to_string(), self.stack.global(id).cloned()?)));
        let mut found: Vec<(String, Value)> = top.collect();
        for (class, scope) in &self.compilation.class_scopes {
            for name in self.compilation.variable_names(*scope) {
                let whole = format!("{class}::{name}");
                found.extend(self.qualified_variable(&whole).map(|value| (whole, value)));
            }
        }
        found
    }

    /// Reads a top-scope variable by name.
    pub(crate) fn global_named(&self, name: &str) -> Option<Value> {
        let id = self.environment.names().find(name)?;
        self.stack.global(id).cloned()
    }
}

impl Stack {
    /// Reads a parameter.
    #[inline]
    pub(crate) fn parameter(&self, frame: &Frame, depth: u16, slot: u16) -> Result<Value> {
        let frame = frame.outer(depth);
        match self.slot(frame, slot as usize) {
            Some(value) => Ok(value.clone()),
            None => Err(self.unbound_parameter(frame, slot).into()),
        }
    }

    /// Moves a parameter out of its slot.
    pub(crate) fn last_read(&mut self, frame: &Frame, slot: u16) -> Result<Value> {
        match self.slot_mut(frame, slot as usize).take() {
            Some(value) => Ok(value),
            None => Err(self.unbound_parameter(frame, slot).into()),
        }
    }

    /// Only the default of another parameter can read a parameter before it has a value.
    #[cold]
    pub(crate) fn unbound_parameter(&self, frame: &Frame, slot: u16) -> Error {
        let to = &frame.unit.parameters[slot as usize].name;
        match self.binding() {
            Some(binding) if (slot as usize) < binding.parameter => {
                issues::parameter_expected(&binding.callee, to)
            }
            Some(binding) => {
                let from = &frame.unit.parameters[binding.parameter].name;
                issues::parameter_not_evaluated(&binding.callee, from, to)
            }
            None => issues::unknown_variable(to),
        }
    }

    pub(crate) fn local_named(&self, mut frame: Option<&Frame>, name: &str) -> Option<Value> {
        while let Some(running) = frame {
            let slot = running.unit.slot_named(name);
            if let Some(value) = slot.and_then(|slot| self.slot(running, slot)) {
                return Some(value.clone());
            }
            frame = running.parent;
        }
        None
    }
}

impl Compilation {
    /// Finds a variable of a scope, or of those around it but the top scope.
    pub(crate) fn scope_variable(&self, stack: &Stack, scope: ScopeId, name: &str) -> Option<Value> {
        self.own_variable(stack, scope, name).or_else(|| self.outer_variable(stack, scope, name))
    }

    /// Finds a variable of the scopes around a scope but the top scope: inherited classes first, then the node.
    fn outer_variable(&self, stack: &Stack, id: ScopeId, name: &str) -> Option<Value> {
        let scope = self.scope(id);
        if let Some((_, value)) = scope.given.iter().find(|(known, _)| known == name) {
            return Some(value.clone());
        }
        if let Some(inherited) = scope.inherited
            && let Some(value) = self.inherited_variable(stack, inherited, name)
        {
            return Some(value);
        }
        (scope.enclosing != ScopeId::TOP && scope.enclosing != id)
            .then(|| self.own_variable(stack, scope.enclosing, name))
            .flatten()
    }

    /// Finds a variable of a class or of one that it inherits from.
    fn inherited_variable(&self, stack: &Stack, scope: ScopeId, name: &str) -> Option<Value> {
        let mut next = Some(scope);
        while let Some(id) = next {
            if let Some(value) = self.own_variable(stack, id, name) {
                return Some(value);
            }
            next = self.scope(id).inherited;
        }
        None
    }

    /// Lists the variables of a class and of those that it inherits from.
    fn variable_names(&self, scope: ScopeId) -> Vec<Str> {
        let (mut names, mut next) = (Vec::new(), Some(scope));
        while let Some(id) = next {
            let scope = self.scope(id);
            if let Variables::Running(definition, _) | Variables::Kept(definition, _) = &scope.variables {
                names.extend(definition.unit().slots.iter().cloned());
            }
            names.extend(scope.given.iter().map(|(name, _)| name.clone()));
            next = scope.inherited;
        }
        names
    }

    fn own_variable(&self, stack: &Stack, id: ScopeId, name: &str) -> Option<Value> {
        let scope = self.scope(id);
        let (definition, values) = match &scope.variables {
            Variables::None => return None,
            Variables::Running(definition, base) => (definition, stack.slots_from(*base)),
            Variables::Kept(definition, values) => (definition, &values[..]),
        };
        match definition.unit().slot_named(name) {
            Some(slot) => values.get(slot).cloned().flatten(),
            None => scope.given.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
        }
    }
}

impl<'f> Frame<'f> {
    /// Returns the unit of the template around a lambda in it, or the unit itself.
    fn outermost(&self) -> &Frame<'f> {
        let mut frame = self;
        while let Some(parent) = frame.parent {
            if !std::ptr::eq(parent.code, frame.code) {
                break;
            }
            frame = parent;
        }
        frame
    }

    fn parent_of_template(&self) -> Option<&Frame<'f>> {
        self.parent
    }
}

/// Variables that are never unknown: without a value they are `undef`.
pub(crate) const BUILT_IN: [&str; 2] = ["module_name", "caller_module_name"];

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn variables_are_found_where_they_are() {
        check_programs(&[
            ("$nope", "Evaluation Error: Unknown variable: 'nope'. (line: 1, column: 1)"),
            ("$nope::x", "Evaluation Error: Unknown variable: 'nope::x'. (line: 1, column: 1)"),
            ("$::nope", "Evaluation Error: Unknown variable: '::nope'. (line: 1, column: 1)"),
            ("$a = 1 $::a", "1"),
            ("[$0, $1]", "[undef, undef]"),
            ("$_x = 1 $_x", "1"),
            ("$facts['x']", "undef"),
            ("$facts", "{}"),
            ("$trusted['certname']", "undef"),
            ("$server_facts['nope']", "undef"),
            ("$title", "'main'"),
            ("$name", "'main'"),
            ("$module_name", "''"),
            ("$caller_module_name", "undef"),
            ("$environment", "'production'"),
        ]);
    }
}
