//! `File['/tmp/a']['mode']`: attributes of resources that were declared.

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Type, Value};
use hierarch_source::Error;

use super::defaults::value_of;
use super::{KindId, ResourceId};
use crate::compile::Compilation;
use crate::evaluator::Evaluator;
use crate::resource_types::METAPARAMETERS;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Reads attributes of the resource or class that a type refers to; nothing if it refers to none.
    pub(crate) fn attributes_of(&mut self, type_: &Type, keys: &[Value]) -> Result<Option<Value>> {
        let (kind, type_name, title) = match type_.kind() {
            Kind::Resource(resource) => {
                let (Some(name), Some(title)) = (resource.type_name(), resource.title()) else {
                    return Ok(None);
                };
                (self.find_kind(name)?, name.clone(), title.clone())
            }
            Kind::Class(class) => {
                let Some(name) = class.class() else { return Ok(None) };
                (Some(KindId::CLASS), "Class".into(), name.clone())
            }
            _ => return Ok(None),
        };
        let gives_list = keys.len() > 1 || matches!(keys, [Value::Array(_)]);
        let mut names = Vec::new();
        flatten(keys, &mut names);
        if names.is_empty() {
            return Ok(Some(if gives_list { Value::array(Vec::new()) } else { Value::Undef }));
        }
        let Some(id) = kind.and_then(|kind| self.compilation.find(kind, &title)) else {
            return Err(issues::unknown_resource(&type_name, &title).into());
        };
        let mut values = Vec::with_capacity(names.len());
        for name in names {
            let unknown = |name: &Value| -> Error { issues::unknown_attribute(&type_name, &title, name) };
            let Value::String(text) = &name else { return Err(unknown(&name).into()) };
            if !self.may_have(id, text) {
                return Err(unknown(&name).into());
            }
            values.push(self.compilation.attribute_value(id, text));
        }
        Ok(Some(if gives_list { Value::array(values) } else { values.pop().unwrap_or_default() }))
    }

    fn may_have(&self, id: ResourceId, name: &str) -> bool {
        let resource = self.compilation.resource(id);
        if let Some(native) = &self.compilation.kind(resource.kind).native {
            return native.has_parameter(name);
        }
        let definition = resource.definition.and_then(|id| self.loading.definition(id));
        let has_own = |name: &str| {
            definition.is_some_and(|definition| {
                definition.unit().parameters.iter().any(|parameter| parameter.name == name)
            })
        };
        name == "name" || METAPARAMETERS.contains(&name) || has_own(name)
    }
}

impl Compilation {
    fn attribute_value(&self, id: ResourceId, name: &str) -> Value {
        let resource = self.resource(id);
        match resource.value(name) {
            Some(value) if !value.is_undef() => value.clone(),
            _ => {
                let defaults = self.defaults(resource.scope, resource.kind);
                value_of(&defaults, name).unwrap_or_default()
            }
        }
    }
}

fn flatten(keys: &[Value], into: &mut Vec<Value>) {
    for key in keys {
        match key {
            Value::Array(elements) => flatten(elements, into),
            Value::Undef => {}
            other => into.push(other.clone()),
        }
    }
}
