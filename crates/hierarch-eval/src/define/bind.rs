//! Parameters of classes and defined types: given values, data, defaults, and their types.

use std::sync::Arc;

use hierarch_hiera::Query;
use hierarch_pcore::mismatch::{describe_parameters, describe_types};
use hierarch_pcore::types::{Element, Kind, SensitiveType, StructType, VariantType};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Error;

use super::Definition;
use crate::Level;
use crate::call::{Callee, of_the_call};
use crate::code::{ClassKind, OWN_VARIABLES, Unit};
use crate::compile::Compilation;
use crate::evaluator::{Evaluated, Evaluator};
use crate::hiera::View;
use crate::resource::{DeclaredResource, KindId, Parameter, ResourceId};
use crate::resource_types::METAPARAMETERS;
use crate::scope::Frame;
use crate::stack::Binding;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Gives the variables of a body their first values.
    pub(super) fn bind_parameters(
        &mut self,
        frame: &Frame,
        id: ResourceId,
        definition: &Arc<Definition>,
    ) -> Result<()> {
        let [title, name, module, caller] = self.own_variables(frame, id, definition);
        // Data see the module, but no title yet.
        self.bind_own(frame, [module, caller]);
        if definition.kind() == ClassKind::Class {
            self.look_parameters_up(frame, id, definition)?;
        }
        self.bind_own(frame, [title, name]);
        self.bind_given(frame, id);
        self.bind_defaults(frame, id)?;
        self.check_parameters(frame, id)
    }

    /// Returns the variables that every body has.
    fn own_variables(
        &self,
        frame: &Frame,
        id: ResourceId,
        definition: &Definition,
    ) -> [(&'static str, Value); 4] {
        let resource = self.compilation.resource(id);
        let name = resource.value("name").filter(|name| !name.is_undef()).cloned();
        let odd = resource.odd_title.clone();
        let title = match definition.kind() {
            ClassKind::Class => definition.name.clone(),
            _ => resource.title.clone(),
        };
        let caller = self.compilation.scope(frame.scope).parent;
        let caller = caller.map(|parent| self.compilation.scope(parent).source);
        let caller_module =
            caller.and_then(|id| self.loading.definition(id)).map(|caller| caller.module.clone());
        let [own_title, own_name, module, caller] = OWN_VARIABLES;
        [
            (own_title, odd.clone().unwrap_or_else(|| title.clone().into())),
            (own_name, odd.or(name).unwrap_or_else(|| title.into())),
            (module, Value::from(definition.module.clone())),
            (caller, Value::from(caller_module.unwrap_or_default())),
        ]
    }

    fn bind_own(&mut self, frame: &Frame, variables: [(&'static str, Value); 2]) {
        for (name, value) in variables {
            if let Some(slot) = frame.unit.slot_named(name) {
                *self.stack.slot_mut(frame, slot) = Some(value);
            }
        }
    }

    /// Looks up what a class was not given in the data.
    fn look_parameters_up(
        &mut self,
        frame: &Frame,
        id: ResourceId,
        definition: &Arc<Definition>,
    ) -> Result<()> {
        for parameter in &definition.unit().parameters {
            let given = self.compilation.resource(id).value(&parameter.name);
            if given.is_some_and(|value| !value.is_undef()) {
                continue;
            }
            if let Some(value) = self.automatic_parameter(frame, &definition.name, &parameter.name)?
                && (!value.is_undef() || parameter.default.is_none())
            {
                self.compilation.set_parameter(id, parameter.name.clone(), value);
            }
        }
        Ok(())
    }

    /// Looks up the value of a class parameter in the data of the environment and its modules; none if there is none.
    ///
    /// This is the one place where a compilation asks Hiera for parameters. Tokens see the scope of the class, in which
    /// no parameter has a value yet.
    fn automatic_parameter(&mut self, frame: &Frame, class: &str, parameter: &str) -> Result<Option<Value>> {
        let query = Query::new([format!("{class}::{parameter}")]);
        Ok(self.search(View::Frame(frame), &query)?.into_option())
    }

    /// All that was given comes first, so that a default may read what comes after it.
    fn bind_given(&mut self, frame: &Frame, id: ResourceId) {
        let parameters = &frame.unit.parameters;
        let given = &self.compilation.resource(id).parameters;
        let mut extra = Vec::new();
        for parameter in given {
            match parameters.iter().position(|known| known.name == parameter.name) {
                Some(slot) => *self.stack.slot_mut(frame, slot) = Some(handed_on(&parameter.value)),
                None if METAPARAMETERS.contains(&parameter.name.as_str()) => {
                    extra.push((parameter.name.clone(), parameter.value.clone()));
                }
                None => {}
            }
        }
        self.compilation.scope_mut(frame.scope).given = extra;
    }

    fn bind_defaults(&mut self, frame: &Frame, id: ResourceId) -> Result<()> {
        for (index, parameter) in frame.unit.parameters.iter().enumerate() {
            let Some(default) = parameter.default else { continue };
            if self.stack.slot(frame, index).is_some_and(|value| !value.is_undef()) {
                continue;
            }
            let given = self.stack.slot_mut(frame, index).take();
            let callee = self.compilation.reference(id);
            let outer = self.stack.set_binding(Some(Binding { callee, parameter: index }));
            let mark = self.matches.hide();
            let result: Evaluated = self.eval(frame, default);
            self.matches.back_to(mark);
            self.stack.set_binding(outer);
            if result.is_err() {
                *self.stack.slot_mut(frame, index) = given;
            }
            let value = result.map_err(of_the_call)?;
            self.compilation.set_parameter(id, parameter.name.clone(), value.clone());
            *self.stack.slot_mut(frame, index) = Some(handed_on(&value));
        }
        Ok(())
    }

    /// Checks all attributes of a class or a defined type.
    fn check_parameters(&mut self, frame: &Frame, id: ResourceId) -> Result<()> {
        let found;
        let types = if let Some(types) = frame.unit.parameter_types.get() {
            types
        } else {
            found = self.parameter_types(frame)?;
            if frame.unit.is_constant { frame.unit.parameter_types.get_or_init(|| found) } else { &found }
        };
        let promised = self.promised_types(frame, id)?;
        let resource = self.compilation.resource_mut(id);
        if fits(frame.unit, types, resource, &promised) {
            resource.is_checked = true;
            return Ok(());
        }
        let subject = self.compilation.reference(id);
        let resource = self.compilation.resource(id);
        match mismatch(&subject, frame.unit, types, resource, &promised) {
            Some(problem) => {
                let error = issues::argument(&problem).detail(issues::PARAMETERS_OF, subject);
                Err(blaming(error, frame.unit, types, resource).into())
            }
            None => Ok(()),
        }
    }

    /// Returns what deferred values among the attributes will be: what their function says that it returns, or anything, which
    /// is warned of.
    fn promised_types(&mut self, frame: &Frame, id: ResourceId) -> Result<Vec<(Str, Type)>> {
        let is_known = |name: &Str| frame.unit.parameters.iter().any(|parameter| parameter.name == *name);
        let parameters = self.compilation.resource(id).parameters.iter();
        let deferred = parameters
            .filter(|parameter| is_deferred(&parameter.value) && is_known(&parameter.name))
            .map(|parameter| (parameter.name.clone(), parameter.value.clone()))
            .collect::<Vec<_>>();
        let mut promised = Vec::with_capacity(deferred.len());
        for (name, value) in deferred {
            promised.push((name, self.promised_type(&value)?));
        }
        Ok(promised)
    }

    /// Returns what a deferred value will be: what its function says that it returns, or anything, which is warned of.
    pub(crate) fn promised_type(&mut self, deferred: &Value) -> Result<Type> {
        let Value::Object(object) = deferred else { return Ok(Type::any()) };
        let function = object.get("name").and_then(|name| name.as_str().map(str::to_owned));
        let (function, arguments) =
            (function.unwrap_or_default(), object.get("arguments").unwrap_or_default());
        if !self.will_take(&function, arguments.as_array().unwrap_or_default())? {
            return Err(issues::deferred_arity(&function, &arguments).into());
        }
        let type_ = self.returned_type(&function)?;
        // Nobody knows yet what a variable will be.
        if type_.is_none() && !function.starts_with('$') {
            self.output.warn_once(issues::deferred_without_type(&function));
        }
        Ok(type_.unwrap_or_else(Type::any))
    }

    /// Tells whether a function takes the arguments that it will be called with.
    fn will_take(&mut self, name: &str, arguments: &[Value]) -> Result<bool> {
        match self.loading.find_callee(name)? {
            Some(Callee::BuiltIn(function)) => Ok(function.takes(arguments)?),
            Some(Callee::User(function)) => self.user_takes(&function, arguments),
            _ => Ok(true),
        }
    }

    /// Returns the type that a function says it returns, if it says so.
    fn returned_type(&mut self, name: &str) -> Result<Option<Type>> {
        match self.loading.find_callee(name)? {
            Some(Callee::User(function)) => self.declared_result(&function),
            Some(Callee::BuiltIn(_)) if matches!(name, "epp" | "inline_epp") => {
                let texts = vec![Type::string(), SensitiveType::new(&Type::string()).into()];
                Ok(Some(VariantType::of(texts)))
            }
            Some(Callee::BuiltIn(_)) if Level::parse(name).is_some() => Ok(Some(Type::undef())),
            _ => Ok(None),
        }
    }

    fn parameter_types(&mut self, frame: &Frame) -> Result<Vec<Type>> {
        let mut types = Vec::with_capacity(frame.unit.parameters.len());
        for parameter in &frame.unit.parameters {
            types.push(match &parameter.type_source {
                Some(source) => self.type_at(frame, source.id)?,
                None => Type::any(),
            });
        }
        Ok(types)
    }

    /// Checks a defined type once more at the end, as overrides may have changed it, or for the first time if it is
    /// virtual and so never ran.
    pub(crate) fn check_finished(&mut self, id: ResourceId) -> Result<()> {
        let resource = self.compilation.resource(id);
        if resource.is_checked || resource.kind == KindId::NODE {
            return Ok(());
        }
        let Some(definition) = resource.definition.and_then(|id| self.loading.definition(id)) else {
            return Ok(());
        };
        let unit = definition.unit();
        let frame = Frame {
            code: &definition.code,
            unit,
            base: self.stack.top(),
            parent: None,
            scope: crate::scope::ScopeId::TOP,
        };
        self.check_parameters(&frame, id).map_err(|unwind| match unwind {
            // Nothing is being evaluated any more, so there is no issue to wrap it in.
            crate::Unwind::Error(error) if error.place.is_none() => issues::without_code(error).into(),
            other => other,
        })
    }
}

/// Returns what a body sees of the value of an attribute: references in it are those of the catalog, whose texts have no quotes.
fn handed_on(value: &Value) -> Value {
    if !has_reference(value) {
        return value.clone();
    }
    match value {
        Value::Type(type_) => type_.as_entry().map_or_else(|| value.clone(), Value::from),
        Value::Array(elements) => Value::array(elements.iter().map(handed_on).collect()),
        Value::Hash(hash) => {
            Value::hash(hash.iter().map(|(key, value)| (key.clone(), handed_on(value))).collect())
        }
        other => other.clone(),
    }
}

fn has_reference(value: &Value) -> bool {
    match value {
        Value::Type(type_) => matches!(type_.kind(), Kind::Resource(_) | Kind::Class(_)),
        Value::Array(elements) => elements.iter().any(has_reference),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_reference(value)),
        _ => false,
    }
}

/// Tells whether a value is a call that is made later.
pub(crate) fn is_deferred(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.type_name() == "Deferred")
}

impl Compilation {
    fn set_parameter(&mut self, id: ResourceId, name: Str, value: Value) {
        let source = self.resource(id).source;
        self.resource_mut(id).set(Parameter { name, value, appends: false, source, place: None });
    }
}

fn fits(unit: &Unit, types: &[Type], resource: &DeclaredResource, promised: &[(Str, Type)]) -> bool {
    let is_known = |name: &Str| {
        name == "name"
            || unit.parameters.iter().any(|known| known.name == *name)
            || METAPARAMETERS.contains(&name.as_str())
    };
    resource.parameters.iter().all(|parameter| is_known(&parameter.name))
        && unit.parameters.iter().zip(types).all(|(parameter, type_)| match resource.value(&parameter.name) {
            Some(value) => {
                let promise = promised.iter().find(|(name, _)| *name == parameter.name);
                crate::function::is_any(type_)
                    || promise.map_or_else(
                        || type_.has(value),
                        |(_, promise)| crate::function::is_any(promise) || type_.accepts(promise),
                    )
            }
            None => parameter.default.is_some(),
        })
}

/// Adds which parameters an error is about.
fn blaming(error: Error, unit: &Unit, types: &[Type], resource: &DeclaredResource) -> Error {
    unit.parameters.iter().zip(types).fold(error, |error, (parameter, type_)| {
        match resource.value(&parameter.name) {
            None if parameter.default.is_none() => {
                error.detail(issues::MISSING_PARAMETER, parameter.name.as_str())
            }
            Some(value) if !type_.has(value) => {
                error.detail(issues::WRONG_PARAMETER, parameter.name.as_str())
            }
            _ => error,
        }
    })
}

fn mismatch(
    subject: &str,
    unit: &Unit,
    types: &[Type],
    resource: &DeclaredResource,
    promised: &[(Str, Type)],
) -> Option<String> {
    let promise_of = |name: &Str| promised.iter().find(|(known, _)| known == name).map(|(_, type_)| type_);
    let own = unit.parameters.iter().zip(types).map(|(parameter, type_)| {
        let is_promised = promise_of(&parameter.name).is_some();
        let type_ = if is_promised { Type::any() } else { type_.clone() };
        if parameter.default.is_some() {
            Element::optional(parameter.name.clone(), type_)
        } else {
            Element::required(parameter.name.clone(), type_)
        }
    });
    let every = std::iter::once("name").chain(METAPARAMETERS);
    let every = every.filter(|name| unit.parameters.iter().all(|parameter| parameter.name != *name));
    let elements = every.map(|name| Element::optional(name, Type::any())).chain(own).collect();
    let given: Hash = resource
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), parameter.value.clone()))
        .collect();
    describe_parameters(subject, &StructType::new(elements), &given, false).or_else(|| {
        let broken = unit.parameters.iter().zip(types).find_map(|(parameter, type_)| {
            let promise = promise_of(&parameter.name)?;
            (!type_.accepts(promise)).then_some((parameter, type_, promise))
        });
        let (parameter, type_, promise) = broken?;
        Some(describe_types(&format!("{subject}: parameter '{}'", parameter.name), type_, promise))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    /// Programs, and what Puppet makes of them.
    const PARAMETERS_OF_CLASSES_AND_DEFINES_ARE_CHECKED: &[(&str, &str)] = &[
        (
            "class a($x) { } class { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: expects a value for parameter 'x' (line: 1, column: 17)",
        ),
        (
            "class a(Integer $x) { } class { 'a': x => 'y' }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: parameter 'x' expects an Integer value, got String (line: 1, column: 25)",
        ),
        (
            "class a(Integer $x = 1) { } class { 'a': z => 1 }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: has no parameter named 'z' (line: 1, column: 29)",
        ),
        (
            "class a(Integer $x = 1) { } class { 'a': x => default }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: parameter 'x' expects an Integer value, got Default (line: 1, column: 29)",
        ),
        ("class a(Integer $x = 1) { } class { 'a': x => undef } $a::x", "1"),
        (
            "class a($x, $y) { } class { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]:\n  expects a value for parameter 'x'\n  expects a value for parameter 'y' (line: 1, column: 21)",
        ),
        (
            "class a(Integer $x = 'a') { } class { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: parameter 'x' expects an Integer value, got String (line: 1, column: 31)",
        ),
        (
            "class a($x = $y, $y = 1) { } class { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Class[A]: default expression for $x tries to illegally access not yet evaluated $y (line: 1, column: 30)",
        ),
        ("class a($x = 1, $y = $x) { } class { 'a': } $a::y", "1"),
        (
            "define d($x) { } d { 't': }",
            "Evaluation Error: Error while evaluating a Resource Statement, D[t]: expects a value for parameter 'x' (line: 1)",
        ),
        (
            "define d(Integer $x) { } d { 't': x => 'a' }",
            "Evaluation Error: Error while evaluating a Resource Statement, D[t]: parameter 'x' expects an Integer value, got String (line: 1)",
        ),
        ("define d($x = $title) { } d { 't': }", "[D['t']]"),
        (
            "define d() { } d { 't': nope => 1 }",
            "Evaluation Error: Error while evaluating a Resource Statement, D[t]: has no parameter named 'nope' (line: 1)",
        ),
        (
            "define d(Integer $x, String $y) { } d { 't': x => 'a', y => 1 }",
            "Evaluation Error: Error while evaluating a Resource Statement, D[t]:\n  parameter 'x' expects an Integer value, got String\n  parameter 'y' expects a String value, got Integer (line: 1)",
        ),
        (
            "class a($title) { }",
            "The parameter $title redefines a built in parameter in the Host Class Definition (line: 1, column: 9)",
        ),
        (
            "class a($name) { }",
            "The parameter $name redefines a built in parameter in the Host Class Definition (line: 1, column: 9)",
        ),
        (
            "define d($title) { }",
            "The parameter $title redefines a built in parameter in the 'define' expression (line: 1, column: 10)",
        ),
        (
            "class a { } class { 'a': } class { 'a': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Class[A] is already declared at (line: 1); cannot redeclare (line: 1) (line: 1, column: 28)",
        ),
        (
            "class a { } class { 'nope': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Could not find declared class nope (line: 1, column: 13)",
        ),
        (
            "define d() { } d { 't': } d { 't': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: D[t] is already declared at (line: 1); cannot redeclare (line: 1) (line: 1, column: 27)",
        ),
        (
            "nope { 't': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Unknown resource type: 'nope' (line: 1, column: 1)",
        ),
        (
            "class a inherits nope { } class { 'a': }",
            "Could not find parent resource type '::nope' of type hostclass in production (line: 1)",
        ),
    ];

    #[test]
    fn parameters_of_classes_and_defines_are_checked() {
        check_programs(PARAMETERS_OF_CLASSES_AND_DEFINES_ARE_CHECKED);
    }
}
