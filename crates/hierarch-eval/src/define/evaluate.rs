//! Running the body of a class, a defined type or a node.

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Error;

use super::{Definition, DefinitionId};
use crate::code::ClassKind;
use crate::compile::Compilation;
use crate::evaluator::Evaluator;
use crate::iterate::Lazy;
use crate::resource::attributes::has_iterator;
use crate::resource::{KindId, Parameter, ResourceId};
use crate::scope::{Frame, Scope, ScopeId, Variables};
use crate::{Result, Unwind, issues};

impl Evaluator<'_> {
    /// Evaluates what stands behind a resource, unless that was done.
    pub(crate) fn evaluate_resource(&mut self, id: ResourceId) -> Result<()> {
        let resource = self.compilation.resource_mut(id);
        if resource.is_evaluated {
            return Ok(());
        }
        resource.is_evaluated = true;
        let Some(definition) = resource.definition.and_then(|id| self.loading.definition(id)) else {
            return Ok(());
        };
        self.budget.enter()?;
        self.compilation.add_scope_tags(id);
        let result = self.evaluate_definition(id, &definition);
        self.budget.leave();
        result
    }

    fn evaluate_definition(&mut self, id: ResourceId, definition: &Arc<Definition>) -> Result<()> {
        let inherited = self.evaluate_parent(definition)?;
        let scope = self.compilation.new_scope(id, definition, inherited);
        if definition.kind() != ClassKind::Define {
            self.compilation.add_class(&definition.name);
        }
        let mark = self.matches.hide();
        let binding = self.stack.set_binding(None);
        let base = self.stack.top();
        let result = self.run_body(id, definition, scope);
        self.keep_variables(definition, scope, base);
        self.stack.set_binding(binding);
        self.matches.back_to(mark);
        match result {
            Err(Unwind::Next | Unwind::Return) => {
                self.stack.landed();
                Ok(())
            }
            result => result,
        }
    }

    fn run_body(&mut self, id: ResourceId, definition: &Arc<Definition>, scope: ScopeId) -> Result<()> {
        let unit = definition.unit();
        let base = self.stack.top();
        let frame = Frame { code: &definition.code, unit, base, parent: None, scope };
        self.stack.fill(&frame);
        self.compilation.scope_mut(scope).variables = Variables::Running(Arc::clone(definition), base);
        self.bind_parameters(&frame, id, definition)?;
        if definition.kind() == ClassKind::Class {
            self.compilation.add_to_stage(id)?;
        }
        self.match_node(definition)?;
        match unit.body {
            Some(body) => match self.eval(&frame, body)? {
                // The value is dropped, but the reference first makes it one for old functions.
                last if has_iterator(&last) && !Lazy::is_tree(&last) => {
                    let error = issues::no_iterator_here();
                    let is_node = definition.kind() == ClassKind::Node;
                    // No expression leads to a node, so nothing says what was evaluated.
                    Err(if is_node { issues::without_code(error) } else { error }.into())
                }
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Evaluates the class that is inherited from, and returns its scope.
    fn evaluate_parent(&mut self, definition: &Definition) -> Result<Option<ScopeId>> {
        let Some(parent) = self.parent_of(definition)? else { return Ok(None) };
        let Some(parent) = self.loading.definition(parent) else { return Ok(None) };
        if let Some(resource) = self.compilation.find(KindId::CLASS, &parent.name) {
            self.evaluate_resource(resource)?;
        }
        Ok(self.compilation.class_scopes.get(&parent.name).copied())
    }

    /// Returns the class that a definition inherits from.
    pub(crate) fn parent_of(&self, definition: &Definition) -> Result<Option<DefinitionId>> {
        let Some(parent) = definition.parent() else { return Ok(None) };
        if let Some(id) = self.loading.class(parent)? {
            return Ok(Some(id));
        }
        let place = definition.place();
        let error = issues::unknown_parent(parent, &self.environment_name());
        Err(error.on_line_of(&place.source, place.span).into())
    }

    /// Takes the variables off the stack. Those of classes and nodes can still be read; those of defined types cannot.
    fn keep_variables(&mut self, definition: &Arc<Definition>, scope: ScopeId, base: usize) {
        let slots = self.stack.take(base, definition.unit().slots.len());
        let variables = if definition.kind() == ClassKind::Define {
            Variables::None
        } else {
            Variables::Kept(Arc::clone(definition), slots)
        };
        self.compilation.scope_mut(scope).variables = variables;
    }

    /// Returns the name of the environment.
    pub(crate) fn environment_name(&self) -> String {
        self.global_named("environment").map_or_else(String::new, |name| name.to_string())
    }
}

impl Compilation {
    fn new_scope(&mut self, id: ResourceId, definition: &Definition, inherited: Option<ScopeId>) -> ScopeId {
        let resource = self.resource(id);
        let parent = inherited.unwrap_or(resource.scope);
        let source = resource.definition.unwrap_or(DefinitionId::MAIN);
        let enclosing = self.scope(parent).enclosing;
        let scope = self.add_scope(Scope {
            parent: Some(parent),
            resource: id,
            source,
            inherited,
            enclosing,
            ..Scope::top()
        });
        match definition.kind() {
            ClassKind::Class => {
                self.class_scopes.insert(definition.name.clone(), scope);
            }
            ClassKind::Node => self.scope_mut(scope).enclosing = scope,
            ClassKind::Define => {}
        }
        scope
    }

    /// Puts a class into its stage: its own, that of the class around it, or the main one.
    fn add_to_stage(&mut self, id: ResourceId) -> Result<()> {
        let given = |resource: ResourceId| {
            let value = self.resource(resource).value("stage");
            value.filter(|value| !value.is_undef()).cloned()
        };
        let own = given(id);
        let container = self.scope(self.resource(id).scope).resource;
        let Some(wanted) = own.clone().or_else(|| given(container)) else {
            self.add_edge(ResourceId::STAGE, id);
            return Ok(());
        };
        let Some(stage) = self.find(KindId::STAGE, &wanted.to_string()) else {
            let stage = own.map_or_else(|| "main".to_owned(), |own| own.to_string());
            return Err(issues::unknown_stage(&stage, &self.reference(id)).into());
        };
        if own.is_none() && stage != ResourceId::STAGE {
            let source = self.resource(id).source;
            let value = Value::from(self.resource(stage).title.clone());
            let name = "stage".into();
            self.resource_mut(id).set(Parameter { name, value, appends: false, source, place: None });
        }
        self.add_edge(stage, id);
        Ok(())
    }

    /// Says that the failure of something that was declared is that of its declaration.
    pub(crate) fn failed_declaration(&self, id: ResourceId, error: Error) -> Error {
        let place = self.resource(id).place.clone();
        issues::failed_declaration(&error, place)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    /// Programs, and what Puppet makes of them.
    const CLASSES_RUN_ONCE_AND_SEE_WHAT_THEY_MAY: &[(&str, &str)] = &[
        ("class a { $x = 1 } class { 'a': } $a::x", "1"),
        ("class a { $x = 1 } $a::x", "Evaluation Error: Unknown variable: 'a::x'. (line: 1, column: 20)"),
        (
            "class a { } class { 'a': } $a::x",
            "Evaluation Error: Unknown variable: 'a::x'. (line: 1, column: 28)",
        ),
        ("class a { class { 'b': } } class b { $y = 2 } class { 'a': } $b::y", "2"),
        ("class a { $x = 1 } class b inherits a { $y = $x } class { 'b': } $b::y", "1"),
        ("class a { $x = 1 } class b inherits a { $x = 2 } class { 'b': } [$a::x, $b::x]", "[1, 2]"),
        ("class a { $x = 1 } class b inherits a { } class { 'b': } $b::x", "1"),
        ("class a($p = 1) { } class b($q = $a::p) inherits a { } class { 'b': } $b::q", "1"),
        ("class a::b { $x = 1 } class { 'a::b': } $a::b::x", "1"),
        ("class a::b { $x = 1 } class { '::a::b': } $::a::b::x", "1"),
        ("$t = 1 class a { $x = $t } class { 'a': } $a::x", "1"),
        ("class a { $x = $t } $t = 1 class { 'a': } $a::x", "1"),
        ("class a { $t = 2 $x = $::t } $t = 1 class { 'a': } $a::x", "1"),
        ("class a { $x = $title } class { 'a': } $a::x", "'a'"),
        (
            "class a::b { $x = [$title, $name, $module_name] } class { 'a::b': } $a::b::x",
            "['a::b', 'a::b', '']",
        ),
        (
            "class a { $x = 1 $x = 2 } class { 'a': }",
            "Evaluation Error: Cannot reassign variable '$x' (line: 1, column: 21)",
        ),
        (
            "class a { function f() { 1 } }",
            "A Function Definition may only appear at toplevel (line: 1, column: 11)",
        ),
        ("class a { notify { 'n': } } class { 'a': } Notify['n']", "Notify['n']"),
        (
            "class a { } class { ['a', 'a']: }",
            "Evaluation Error: The title 'a' has already been used in this resource expression (line: 1, column: 13)",
        ),
        ("class a { } class b { } class { ['a', 'b']: }", "[Class['A'], Class['B']]"),
        (
            "class a { $v = $b::w } class b { $w = 1 } class { 'a': } class { 'b': }",
            "Evaluation Error: Unknown variable: 'b::w'. (line: 1, column: 16)",
        ),
        ("class a inherits b { } class b { $w = 1 } class { 'a': } $b::w", "1"),
        (
            "class a($x) inherits b { } class b { } class { 'a': x => $b::y }",
            "Evaluation Error: Unknown variable: 'b::y'. (line: 1, column: 58)",
        ),
        (
            "define d() { $x = $title } d { 'a': } $d::x",
            "Evaluation Error: Unknown variable: 'd::x'. (line: 1, column: 39)",
        ),
        ("define d($p = $name) { notify { $p: } } d { 'a': } Notify['a']", "Notify['a']"),
        (
            "define d() { d { 'inner': } } d { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: D[inner] is already declared at (line: 1); cannot redeclare (line: 1) (line: 1, column: 14) (line: 1)",
        ),
        (
            "define d() { class { 'c': } } class c { $z = 3 } d { 'a': } $c::z",
            "Evaluation Error: Unknown variable: 'c::z'. (line: 1, column: 61)",
        ),
        ("node default { $n = 1 } $n", "Evaluation Error: Unknown variable: 'n'. (line: 1, column: 25)"),
        ("node default { class { 'c': } } class c { $x = $n } $n = 5", "5"),
        ("class a { if true { $x = 1 } $y = $x } class { 'a': } $a::y", "1"),
    ];

    #[test]
    fn classes_run_once_and_see_what_they_may() {
        check_programs(CLASSES_RUN_ONCE_AND_SEE_WHAT_THEY_MAY);
    }
}
