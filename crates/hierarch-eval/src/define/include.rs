//! Declaring classes: `include`, `contain`, `require`, and the class of a resource-like declaration.

use hierarch_pcore::types::{ClassType, Kind};
use hierarch_pcore::{Str, Type, Value};

use super::DefinitionId;
use crate::evaluator::Evaluator;
use crate::resource::{Declaration, KindId, Parameter, ResourceId};
use crate::scope::ScopeId;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Declares classes and evaluates those that are new. Returns their resources, those that were there first.
    pub(crate) fn include(&mut self, names: &[Str], scope: ScopeId) -> Result<Vec<ResourceId>> {
        let mut definitions = Vec::with_capacity(names.len());
        let mut known = Vec::new();
        for name in names {
            // The class of the settings is always there.
            if name.trim_start_matches("::") == "settings" {
                known.push(ResourceId::SETTINGS);
                continue;
            }
            let found = self.loading.class(name)?;
            self.log_load_warnings();
            definitions.push(found.ok_or_else(|| issues::unknown_class_for(name, &self.settings.node))?);
        }
        let mut new = Vec::new();
        for definition in definitions {
            match self.class_resource(definition) {
                Some(resource) => known.push(resource),
                None => new.push(self.ensure_class(definition, scope)?),
            }
        }
        for resource in &new {
            self.evaluate_resource(*resource)?;
        }
        known.extend(new);
        Ok(known)
    }

    /// Returns the resource of a class that was evaluated, or is being so.
    fn class_resource(&self, definition: DefinitionId) -> Option<ResourceId> {
        let definition = self.loading.definition(definition)?;
        let scope = self.compilation.class_scopes.get(&definition.name)?;
        Some(self.compilation.scope(*scope).resource)
    }

    /// Puts a class into the catalog, unless it is there.
    pub(crate) fn ensure_class(&mut self, id: DefinitionId, scope: ScopeId) -> Result<ResourceId> {
        let name = self.loading.definition(id).map(|definition| definition.name.clone()).unwrap_or_default();
        if let Some(resource) = self.compilation.find(KindId::CLASS, &name) {
            return Ok(resource);
        }
        self.declare_class(Declaration {
            kind: KindId::CLASS,
            title: name,
            definition: Some(id),
            source: id,
            ..Declaration::new(scope)
        })
    }

    /// Puts a class into the catalog, the one that it inherits from first.
    pub(crate) fn declare_class(&mut self, declaration: Declaration) -> Result<ResourceId> {
        let Some(definition) = declaration.definition.and_then(|id| self.loading.definition(id)) else {
            return self.declare(declaration);
        };
        if let Some(parent) = self.parent_of(&definition)? {
            self.budget.enter()?;
            self.ensure_class(parent, declaration.scope)?;
            self.budget.leave();
        }
        self.declare(declaration)
    }

    /// Makes the class or defined type around a scope require classes.
    pub(crate) fn require(&mut self, names: &[Str], scope: ScopeId) -> Result<()> {
        self.include(names, scope)?;
        let container = self.compilation.scope(scope).resource;
        for name in names {
            let bare = name.strip_prefix("::").unwrap_or(name);
            let reference = Value::from(Type::from(ClassType::named(bare)));
            let resource = self.compilation.resource_mut(container);
            let mut all = match resource.value("require") {
                None | Some(Value::Undef) => Vec::new(),
                Some(value) => flattened(value),
            };
            all.push(reference);
            let (name, value, source) = ("require".into(), Value::array(all), resource.source);
            resource.set(Parameter { name, value, appends: false, source, place: None });
        }
        Ok(())
    }

    /// Makes the class or defined type around a scope contain classes.
    pub(crate) fn contain(&mut self, names: &[Str], scope: ScopeId) -> Result<()> {
        let container = self.compilation.scope(scope).resource;
        for class in self.include(names, scope)? {
            self.compilation.add_edge(container, class);
        }
        Ok(())
    }
}

fn flattened(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(flattened).collect(),
        Value::Undef => Vec::new(),
        other => vec![other.clone()],
    }
}

/// Returns the names of classes that a function was given: texts and references, in arrays of any depth. They are in
/// lower case and absolute.
pub(crate) fn class_names(values: &[Value]) -> Result<Vec<Str>> {
    let mut names = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Array(elements) => names.extend(class_names(elements)?),
            other => names.push(absolute(&class_name(other)?)),
        }
    }
    Ok(names)
}

fn absolute(name: &str) -> Str {
    let name = name.to_lowercase();
    if name.starts_with("::") { name.into() } else { format!("::{name}").into() }
}

fn class_name(value: &Value) -> Result<Str> {
    let name = match value {
        Value::Undef => return Err(issues::class_name("undef").into()),
        Value::String(name) if name.is_empty() => return Err(issues::class_name("empty string").into()),
        Value::String(name) => Some(name.clone()),
        Value::Type(type_) => match type_.kind() {
            Kind::Class(class) => {
                return class.class().cloned().ok_or_else(|| issues::unspecific_class().into());
            }
            Kind::Resource(resource) => {
                let Some(name) = resource.type_name() else {
                    return Err(issues::unspecific_resource().into());
                };
                if !name.eq_ignore_ascii_case("class") {
                    return Err(issues::no_class_reference(name).into());
                }
                return resource.title().cloned().ok_or_else(|| issues::untitled_class().into());
            }
            _ => None,
        },
        _ => None,
    };
    name.ok_or_else(|| issues::not_a_class_name(value).into())
}
