//! Where a name is found, as far as the text of a program tells.

use hierarch_pcore::Str;

use crate::code::{Instruction, LastResort, Lookup, Target};
use crate::names::Names;

/// What kind of unit a scope belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// The main program: its variables are those of the top scope.
    Main,
    /// A function sees its own variables and the top scope.
    Function,
    /// A lambda sees what is around it.
    Lambda,
    /// A template sees what is around its call, which only its call knows.
    Template,
    /// A class, a defined type or a node sees what is around it when it runs.
    Class,
}

struct Scope {
    boundary: Boundary,
    slots: Vec<Str>,
    /// So many of the slots are parameters, which are always set.
    parameters: usize,
}

/// The scopes around the current place, outermost first.
pub(super) struct Scopes(Vec<Scope>);

impl Scopes {
    pub(super) fn new(boundary: Boundary) -> Self {
        Self(vec![Scope { boundary, slots: Vec::new(), parameters: 0 }])
    }

    pub(super) fn enter(&mut self, boundary: Boundary, slots: Vec<Str>, parameters: usize) {
        self.0.push(Scope { boundary, slots, parameters });
    }

    pub(super) fn leave(&mut self) -> Vec<Str> {
        self.0.pop().map(|scope| scope.slots).unwrap_or_default()
    }

    /// Returns the node that reads a variable without a namespace.
    pub(super) fn read(&self, name: &str, names: &Names) -> Instruction {
        let mut slots = Vec::new();
        for (depth, scope) in self.0.iter().rev().enumerate() {
            if let Some(slot) = scope.slots.iter().position(|known| known == name) {
                let place = (depth as u16, slot as u16);
                if slot < scope.parameters {
                    return read_until_parameter(slots, place);
                }
                slots.push(place);
            }
            match scope.boundary {
                Boundary::Lambda => {}
                Boundary::Template => return template_read(slots, name, names),
                Boundary::Class => return class_read(slots, name, names),
                Boundary::Main | Boundary::Function => break,
            }
        }
        let global = names.id(name);
        if slots.is_empty() {
            return Instruction::Global(global);
        }
        Instruction::Variable(Box::new(Lookup { slots: slots.into(), last: LastResort::Global(global) }))
    }

    /// Returns what an assignment to a name changes.
    pub(super) fn target(&self, name: &str, names: &Names) -> Target {
        // This name is reserved in every scope: it is always set at the top, so setting it fails.
        if name == "server_facts" {
            return Target::Global(names.id(name));
        }
        let slot = self.0.last().and_then(|scope| scope.slots.iter().position(|known| known == name));
        slot.map_or_else(|| Target::Global(names.id(name)), |slot| Target::Slot(slot as u16))
    }
}

fn read_until_parameter(mut slots: Vec<(u16, u16)>, parameter: (u16, u16)) -> Instruction {
    if slots.is_empty() {
        return Instruction::Parameter { depth: parameter.0, slot: parameter.1 };
    }
    slots.push(parameter);
    Instruction::Variable(Box::new(Lookup { slots: slots.into(), last: LastResort::Never }))
}

fn class_read(slots: Vec<(u16, u16)>, name: &str, names: &Names) -> Instruction {
    let outer = names.id(name);
    if slots.is_empty() {
        return Instruction::Outer(outer);
    }
    Instruction::Variable(Box::new(Lookup { slots: slots.into(), last: LastResort::Outer(outer) }))
}

fn template_read(slots: Vec<(u16, u16)>, name: &str, names: &Names) -> Instruction {
    let last = LastResort::Named(name.into(), names.id(name));
    Instruction::Variable(Box::new(Lookup { slots: slots.into(), last }))
}
