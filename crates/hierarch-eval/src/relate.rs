//! Arrows: `a -> b` and its kin, kept until all resources are known and then made attributes.

use std::sync::Arc;

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Str, Type, Value};
use hierarch_syntax::ast::BinaryOp;

use crate::catalog::reference;
use crate::code::Id;
use crate::collect::CollectorValue;
use crate::compile::Compilation;
use crate::evaluator::{Evaluated, Evaluator};
use crate::resource::{Parameter, ResourceId};
use crate::scope::Frame;
use crate::{Result, issues};

/// One side of an arrow.
#[derive(Clone, PartialEq)]
pub(crate) enum Operand {
    Resource(Str),
    Collector(usize),
}

/// One thing comes before another.
pub(crate) struct Relationship {
    before: Operand,
    after: Operand,
    notifies: bool,
}

impl Evaluator<'_> {
    pub(crate) fn relationship(
        &mut self,
        frame: &Frame,
        id: Id,
        op: BinaryOp,
        (left, right): (Id, Id),
    ) -> Evaluated {
        let left = self.eval(frame, left)?;
        let right = self.eval(frame, right)?;
        let fail = |error| issues::at(error, &frame.code.ast, frame.code.origin(id));
        let mut sides = [Side::default(), Side::default()];
        for (side, value) in sides.iter_mut().zip([left, right]) {
            self.operands(&value, side).map_err(|unwind| match unwind {
                crate::Unwind::Error(error) if error.code == issues::ILLEGAL_OPERAND => fail(error).into(),
                other => other,
            })?;
        }
        let [left, right] = sides;
        let notifies = matches!(op, BinaryOp::Notify | BinaryOp::Subscribe);
        let is_reversed = matches!(op, BinaryOp::After | BinaryOp::Subscribe);
        let (before, after) = if is_reversed { (&right, &left) } else { (&left, &right) };
        for source in &before.operands {
            for target in &after.operands {
                let (before, after) = (source.clone(), target.clone());
                self.compilation.relationships.push(Relationship { before, after, notifies });
            }
        }
        Ok(self.compilation.value_of_chain(left, right))
    }

    fn operands(&mut self, value: &Value, side: &mut Side) -> Result<()> {
        match value {
            Value::Array(elements) => elements.iter().try_for_each(|element| self.operands(element, side)),
            Value::Foreign(foreign) => match foreign.as_any().downcast_ref::<CollectorValue>() {
                Some(collector) => {
                    side.add(Operand::Collector(collector.number), value);
                    Ok(())
                }
                None => Err(issues::illegal_operand(value).into()),
            },
            Value::String(text) => {
                let type_ = Type::parse(text, self.definitions()).map_err(|_| issues::no_type_text(text))?;
                add_type(&type_.into(), side)
            }
            Value::Type(_) => add_type(value, side),
            other => Err(issues::illegal_operand(other).into()),
        }
    }
}

/// What stands on one side of an arrow: everything once.
#[derive(Default)]
struct Side {
    operands: Vec<Operand>,
    values: Vec<Value>,
    known: rustc_hash::FxHashSet<Str>,
}

impl Side {
    fn add(&mut self, operand: Operand, value: &Value) {
        let is_new = match &operand {
            Operand::Resource(text) => self.known.insert(text.clone()),
            Operand::Collector(_) => !self.operands.contains(&operand),
        };
        if is_new {
            self.operands.push(operand);
            self.values.push(value.clone());
        }
    }
}

fn add_type(value: &Value, side: &mut Side) -> Result<()> {
    match value.as_type().map(Type::kind) {
        Some(Kind::Resource(_) | Kind::Class(_)) => {
            side.add(Operand::Resource(reference(value)), value);
            Ok(())
        }
        _ => Err(issues::no_catalog_type(value).into()),
    }
}

impl Compilation {
    /// A link of a chain has its right side as value. A collector in its place remembers what to use if it is empty.
    fn value_of_chain(&mut self, left: Side, right: Side) -> Value {
        if right.operands.is_empty() {
            return Value::array(left.values);
        }
        // A collector of an earlier program, kept in a variable, is not there any more.
        if let [Operand::Collector(number)] = &right.operands[..]
            && let Some(collector) = self.collectors.get_mut(*number)
        {
            collector.otherwise = Some(left.operands);
        }
        Value::array(right.values)
    }

    fn relate(&mut self, source: &Str, target: &Str, notifies: bool) -> Result<()> {
        let found = |text: &Str| self.find_reference(text).ok().flatten();
        let Some(id) = found(source) else {
            return Err(issues::unrelated(source, "on", target).into());
        };
        if found(target).is_none() {
            return Err(issues::unrelated(target, "from", source).into());
        }
        let name = if notifies { "notify" } else { "before" };
        self.append(id, name, target.clone());
        Ok(())
    }

    /// Makes all arrows attributes of the resources on their left.
    pub(crate) fn apply_relationships(&mut self) -> Result<()> {
        for relationship in std::mem::take(&mut self.relationships) {
            let sources = self.left_side(&relationship.before);
            let targets = self.right_side(&relationship.after);
            for source in &sources {
                for target in &targets {
                    self.relate(source, target, relationship.notifies)?;
                }
            }
        }
        Ok(())
    }

    /// Returns what stands left of an arrow: for an empty collector, what stands left of that.
    fn left_side(&self, operand: &Operand) -> Vec<Str> {
        match operand {
            Operand::Resource(text) => vec![text.clone()],
            Operand::Collector(number) => {
                let mut number = *number;
                // A chain is never longer than there are collectors.
                for _ in 0..=self.collectors.len() {
                    let Some(collector) = self.collectors.get(number) else { break };
                    if !collector.collected.is_empty() {
                        return self.references(&collector.collected);
                    }
                    match collector.otherwise.as_deref() {
                        None => break,
                        Some([Operand::Collector(next)]) => number = *next,
                        Some(operands) => {
                            return operands
                                .iter()
                                .filter_map(|operand| match operand {
                                    Operand::Resource(text) => Some(text.clone()),
                                    Operand::Collector(_) => None,
                                })
                                .collect();
                        }
                    }
                }
                Vec::new()
            }
        }
    }

    fn right_side(&self, operand: &Operand) -> Vec<Str> {
        match operand {
            Operand::Resource(text) => vec![text.clone()],
            Operand::Collector(number) => {
                let collector = self.collectors.get(*number);
                collector.map(|collector| self.references(&collector.collected)).unwrap_or_default()
            }
        }
    }

    fn references(&self, ids: &[ResourceId]) -> Vec<Str> {
        ids.iter().map(|id| self.reference(*id).into()).collect()
    }

    /// Adds a reference to an attribute, which becomes an array.
    fn append(&mut self, id: ResourceId, name: &str, target: Str) {
        let resource = self.resource_mut(id);
        let source = resource.source;
        let index = resource.parameters.iter().position(|parameter| parameter.name == name);
        let index = index.unwrap_or_else(|| {
            let value = Value::array(Vec::new());
            let parameter = Parameter { name: name.into(), value, appends: false, source, place: None };
            resource.parameters.push(parameter);
            resource.parameters.len() - 1
        });
        let parameter = &mut resource.parameters[index];
        if !matches!(parameter.value, Value::Array(_)) {
            let value = std::mem::take(&mut parameter.value);
            // The reference sets the attribute anew here, so that it has no line of its own any more.
            parameter.place = None;
            parameter.value = Value::array(if value.is_undef() { Vec::new() } else { vec![value] });
        }
        if let Value::Array(elements) = &mut parameter.value {
            Arc::make_mut(elements).push(Value::from(target));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn arrows_between_resources() {
        check_programs(&[
            ("notify { 'a': } -> notify { 'b': }", "[Notify['b']]"),
            ("notify { 'a': } ~> Notify['b'] notify { 'b': }", "[Notify['b']]"),
            (
                "'a' -> 'b'",
                "Evaluation Error: Error while evaluating a '->' expression, The expression <a> is not a valid type specification. (line: 1, column: 5)",
            ),
            (
                "1 -> 2",
                "Evaluation Error: Illegal relationship operand, can not form a relationship with an Integer. A Catalog type is required. (line: 1, column: 3)",
            ),
            ("[Notify['a']] -> [] notify { 'a': }", "[Notify['a']]"),
            ("notify { 'a': } -> notify { 'b': } -> Notify['a']", "[Notify['a']]"),
        ]);
    }
}
