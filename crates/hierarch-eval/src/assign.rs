//! Assignments. A variable is set once in its scope.

use hierarch_pcore::Value;
use hierarch_source::Error;

use crate::code::{Id, Pattern, Target};
use crate::evaluator::{Evaluated, Evaluator};
use crate::scope::Frame;
use crate::{Result, issues};

impl Evaluator<'_> {
    pub(crate) fn assignment(&mut self, frame: &Frame, id: Id, target: Target, value: Id) -> Evaluated {
        let value = self.eval(frame, value)?;
        self.set(frame, target, value.clone()).map_err(|error| {
            let name = self.target_name(frame, target);
            issues::at(error(&name), &frame.code.ast, frame.code.origin(id))
        })?;
        Ok(value)
    }

    fn set(
        &mut self,
        frame: &Frame,
        target: Target,
        value: Value,
    ) -> std::result::Result<(), fn(&str) -> Error> {
        let place = match target {
            Target::Slot(slot) => &mut self.stack[frame.base + slot as usize],
            Target::Global(name) => {
                if self.globals.len() <= name.index() {
                    self.globals.resize(name.index() + 1, None);
                }
                self.lookups.changes += 1;
                &mut self.globals[name.index()]
            }
        };
        if place.is_some() {
            return Err(issues::reassigned);
        }
        *place = Some(value);
        Ok(())
    }

    fn target_name(&self, frame: &Frame, target: Target) -> String {
        match target {
            Target::Slot(slot) => frame.unit.slots[slot as usize].to_string(),
            Target::Global(name) => self.environment.names().text(name).to_string(),
        }
    }

    pub(crate) fn destructuring(
        &mut self,
        frame: &Frame,
        id: Id,
        targets: &[Pattern],
        value: Id,
    ) -> Evaluated {
        let value = self.eval(frame, value)?;
        self.assign_list(frame, id, targets, &value)?;
        Ok(value)
    }

    fn assign_list(&mut self, frame: &Frame, id: Id, targets: &[Pattern], value: &Value) -> Result<()> {
        let values = match value {
            Value::Hash(hash) => targets
                .iter()
                .map(|target| match target {
                    Pattern::Variable(name, _) => {
                        hash.get_str(name).cloned().ok_or_else(|| issues::missing_key(name))
                    }
                    Pattern::List(_) => Err(issues::missing_key("")),
                })
                .collect::<std::result::Result<Vec<_>, Error>>()?,
            Value::Type(type_) if matches!(type_.kind(), hierarch_pcore::types::Kind::Class(_)) => {
                return Err(issues::needs_catalog(&frame.code.ast, frame.code.origin(id)).into());
            }
            Value::Array(elements) => elements.to_vec(),
            other => vec![other.clone()],
        };
        if values.len() != targets.len() {
            return Err(issues::assignment_size(targets.len(), values.len()).into());
        }
        for (target, value) in targets.iter().zip(values) {
            match target {
                Pattern::Variable(name, target) => {
                    self.set(frame, *target, value).map_err(|error| error(name))?;
                }
                Pattern::List(inner) => self.assign_list(frame, id, inner, &value)?,
            }
        }
        Ok(())
    }
}
