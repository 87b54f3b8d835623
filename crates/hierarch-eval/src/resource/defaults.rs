//! `Type { attributes }`: what resources of a type have unless they say otherwise.

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Value, infer};

use super::Parameter;
use crate::code::{Id, Operation};
use crate::evaluator::{Evaluated, Evaluator};
use crate::scope::Frame;
use crate::{Result, issues};

impl Evaluator<'_> {
    pub(crate) fn resource_defaults(
        &mut self,
        frame: &Frame,
        type_ref: Id,
        operations: &[Operation],
    ) -> Evaluated {
        let value = self.eval(frame, type_ref)?;
        let name = match value.as_type().map(hierarch_pcore::Type::kind) {
            Some(Kind::Resource(resource)) if resource.title().is_none() => resource.type_name().cloned(),
            _ => None,
        };
        let Some(name) = name else {
            let error = issues::illegal_resource_type(&infer::generic(&value).to_string());
            return Err(issues::at(error, &frame.code.ast, frame.code.origin(type_ref)).into());
        };
        let parameters = self.attributes(frame, operations)?;
        let kind = self.find_kind(&name)?.ok_or_else(|| issues::unknown_resource_type(&name))?;
        self.compilation.kinds[kind.0 as usize].has_defaults = true;
        for parameter in parameters {
            let known = self.compilation.scope_mut(frame.scope).defaults.entry(kind).or_default();
            add_default(known, parameter, &name)?;
        }
        Ok(value)
    }
}

fn add_default(known: &mut Vec<Parameter>, parameter: Parameter, type_name: &str) -> Result<()> {
    if known.iter().any(|known| known.name == parameter.name) {
        let error = issues::default_redefined(type_name, &parameter.name);
        return Err(match &parameter.place {
            Some(place) => error.on_line_of(&place.source, place.span).into(),
            None => error.into(),
        });
    }
    known.push(parameter);
    Ok(())
}

/// Returns a value that only a default gives, for whoever asks a resource for an attribute.
pub(super) fn value_of(defaults: &[Parameter], name: &str) -> Option<Value> {
    defaults.iter().find(|default| default.name == name).map(|default| default.value.clone())
}
