//! Assignments. A variable is set once in its scope.

use hierarch_pcore::Value;
use hierarch_pcore::types::Kind;
use hierarch_source::Error;
use hierarch_syntax::ast::{Expr, ExprId};

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
            Target::Slot(slot) => self.stack.slot_mut(frame, slot as usize),
            Target::Global(name) => self.stack.global_mut(name),
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

    /// Reads the variables of a class that are named as those to be set.
    fn class_variables(&self, frame: &Frame, id: Id, targets: &[Pattern], class: &str) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(targets.len());
        for (index, target) in targets.iter().enumerate() {
            let name = match target {
                Pattern::Variable(name, _) => name.as_str(),
                Pattern::List(_) => "",
            };
            let Some(value) = self.variable_named(frame, &format!("{class}::{name}")) else {
                let error = issues::missing_class_variable(class, name);
                return Err(issues::at(error, &frame.code.ast, target_origin(frame, id, index)).into());
            };
            values.push(value);
        }
        Ok(values)
    }

    fn assign_list(&mut self, frame: &Frame, id: Id, targets: &[Pattern], value: &Value) -> Result<()> {
        let values = match value {
            Value::Hash(hash) => targets
                .iter()
                .map(|target| {
                    let key = key_of(target);
                    hash.get(&key).cloned().ok_or_else(|| issues::missing_key(&key))
                })
                .collect::<std::result::Result<Vec<_>, Error>>()?,
            Value::Type(type_) => match type_.kind() {
                Kind::Class(class) if class.class().is_some() => {
                    let class = class.class().map_or("", |name| name.as_str());
                    if !self.compilation.class_scopes.contains_key(class) {
                        let error = issues::unknown_resource("Class", class);
                        return Err(issues::at(error, &frame.code.ast, assigned_origin(frame, id)).into());
                    }
                    self.class_variables(frame, id, targets, class)?
                }
                _ => vec![value.clone()],
            },
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

/// Returns the key that a target stands for: its name, or of a list the names in it.
fn key_of(target: &Pattern) -> Value {
    match target {
        Pattern::Variable(name, _) => name.clone().into(),
        Pattern::List(inner) => Value::array(inner.iter().map(key_of).collect()),
    }
}

/// Returns where the value of an assignment stands.
fn assigned_origin(frame: &Frame, id: Id) -> ExprId {
    let origin = frame.code.origin(id);
    match frame.code.ast.expr(origin) {
        Expr::Binary { right, .. } => right,
        _ => origin,
    }
}

/// Returns where one of several targets stands.
fn target_origin(frame: &Frame, id: Id, index: usize) -> ExprId {
    let ast = &frame.code.ast;
    let origin = frame.code.origin(id);
    let Expr::Binary { left, .. } = ast.expr(origin) else { return origin };
    let mut targets = Vec::new();
    ast.each_child(left, |child| targets.push(child));
    targets.get(index).copied().unwrap_or(origin)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn names_get_values_once() {
        check_programs(&[
            ("$a = 1 $a", "1"),
            ("$a = 1 $a = 2", "Evaluation Error: Cannot reassign variable '$a' (line: 1, column: 11)"),
            ("[$a, $b] = [1, 2] [$b, $a]", "[2, 1]"),
            (
                "[$a, $b] = [1]",
                "Evaluation Error: Mismatched number of assignable entries and values, expected 2, got 1 (line: 1, column: 10)",
            ),
            (
                "[$a, $b] = [1, 2, 3]",
                "Evaluation Error: Mismatched number of assignable entries and values, expected 2, got 3 (line: 1, column: 10)",
            ),
            ("[$a, [$b]] = [1, [2]] $b", "2"),
            ("[$a, $b] = {a => 1, b => 2} [$a, $b]", "[1, 2]"),
            (
                "[$a, $b] = {a => 1}",
                "Evaluation Error: No value for required key 'b' in assignment to variables from hash (line: 1, column: 10)",
            ),
            (
                "[$a, $b] = 5",
                "Evaluation Error: Mismatched number of assignable entries and values, expected 2, got 1 (line: 1, column: 10)",
            ),
            ("[$a] = 5", "5"),
            ("[$a, $a] = [1, 2]", "Evaluation Error: Cannot reassign variable '$a' (line: 1, column: 10)"),
            ("$a = $b = 3 [$a, $b]", "[3, 3]"),
            ("$a = $nope", "Evaluation Error: Unknown variable: 'nope'. (line: 1, column: 6)"),
            (
                "$facts = 1",
                "Evaluation Error: Attempt to assign to a reserved variable name: '$facts' (line: 1, column: 8)",
            ),
            (
                "$trusted = 1",
                "Evaluation Error: Attempt to assign to a reserved variable name: '$trusted' (line: 1, column: 10)",
            ),
            (
                "$server_facts = 1",
                "Evaluation Error: Attempt to assign to a reserved variable name: '$server_facts' (line: 1, column: 15)",
            ),
            (
                "$::a = 1 $a",
                "Illegal attempt to assign to '::a'. Cannot assign to variables in other namespaces (line: 1, column: 1)",
            ),
        ]);
    }
}
