//! Attributes as they are written: `name => value`, `name +> value` and `* => hash`.

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Str, Value, infer};
use hierarch_source::{Error, Place};

use super::Parameter;
use crate::code::Operation;
use crate::collect::CollectorValue;
use crate::compile::line_of;
use crate::define::DefinitionId;
use crate::evaluator::Evaluator;
use crate::scope::Frame;
use crate::{Result, issues};

impl Evaluator<'_> {
    /// Evaluates attributes in order.
    pub(crate) fn attributes(&mut self, frame: &Frame, operations: &[Operation]) -> Result<Vec<Parameter>> {
        let source = self.compilation.scope(frame.scope).source;
        let mut parameters = Vec::with_capacity(operations.len());
        for operation in operations {
            let value = self.eval(frame, operation.value)?;
            if let Some(error) = unreferable(&value) {
                return Err(issues::failed(error, &frame.code.ast, operation.origin).into());
            }
            match &operation.name {
                Some(name) => {
                    parameters.push(attribute(frame, operation, (name.clone(), value), source)?);
                }
                None => self.splat(frame, operation, &value, &mut parameters)?,
            }
        }
        Ok(parameters)
    }

    fn splat(
        &mut self,
        frame: &Frame,
        operation: &Operation,
        value: &Value,
        parameters: &mut Vec<Parameter>,
    ) -> Result<()> {
        let Value::Hash(hash) = value else {
            let error = issues::type_mismatch("Hash", &infer::generic(value).to_string());
            let origin = frame.code.origin(operation.value);
            return Err(issues::at(error, &frame.code.ast, origin).into());
        };
        let source = self.compilation.scope(frame.scope).source;
        for (name, value) in hash.iter() {
            let pair = (Str::from(name.to_string()), value.clone());
            parameters.push(attribute(frame, operation, pair, source)?);
        }
        Ok(())
    }
}

/// Says why a value, or one in it, cannot be a reference in a catalog: a class without a name, or any entry of a catalog.
pub(crate) fn unreferable(value: &Value) -> Option<Error> {
    match value {
        Value::Type(type_) => match type_.kind() {
            Kind::Class(class) if class.class().is_none() => Some(issues::class_without_title()),
            Kind::CatalogEntry(_) => Some(issues::unspecific_entry()),
            _ => None,
        },
        Value::Array(elements) => elements.iter().find_map(unreferable),
        Value::Hash(hash) => {
            hash.iter().find_map(|(key, value)| unreferable(key).or_else(|| unreferable(value)))
        }
        _ => None,
    }
}

fn attribute(
    frame: &Frame,
    operation: &Operation,
    (name, value): (Str, Value),
    source: DefinitionId,
) -> Result<Parameter> {
    if has_iterator(&value) {
        let error = issues::no_iterator_here();
        return Err(issues::failed(error, &frame.code.ast, operation.origin).into());
    }
    let place = Place::new(frame.code.source(), frame.code.ast.span(operation.origin));
    Ok(Parameter { name, value, appends: operation.appends, source, place: Some(line_of(&place)) })
}

/// Tells whether something lazy is in a value: a catalog has no room for it.
pub(crate) fn has_iterator(value: &Value) -> bool {
    match value {
        Value::Foreign(foreign) => foreign.as_any().downcast_ref::<CollectorValue>().is_none(),
        Value::Array(elements) => elements.iter().any(has_iterator),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_iterator(key) || has_iterator(value)),
        _ => false,
    }
}
