//! The variables of a run: the slots of running units one above the other, the top scope, and what is on its way through them.

use std::ops::Range;

use hierarch_pcore::Value;
use hierarch_source::Place;
use rustc_hash::FxHashMap;

use crate::names::NameId;
use crate::scope::Frame;

/// All variables that running code can reach but for those that scopes keep.
#[derive(Default)]
pub(crate) struct Stack {
    /// The slots of all running units, one after the other.
    slots: Vec<Option<Value>>,
    /// Top-scope variables by the number of their name.
    globals: Vec<Option<Value>>,
    /// Variables of other namespaces that were set from outside.
    qualified: FxHashMap<String, Value>,
    /// How often a variable was set that lookups can see.
    changes: u64,
    /// Which parameter's default is being found out.
    binding: Option<Binding>,
    /// The value of a jump on its way, and where it started.
    jump: (Value, Option<Place>),
}

/// Which parameter's default is being found out, so that a later parameter cannot be read.
#[derive(Clone)]
pub(crate) struct Binding {
    pub(crate) callee: String,
    pub(crate) parameter: usize,
}

impl Stack {
    /// Returns where the slots of the next unit start.
    #[inline]
    pub(crate) fn top(&self) -> usize {
        self.slots.len()
    }

    /// Gives a unit all its slots, those that it has not yet without a value.
    #[inline]
    pub(crate) fn fill(&mut self, frame: &Frame) {
        self.slots.resize(frame.base + frame.unit.slots.len(), None);
    }

    /// Makes a value the last of a unit's slots.
    #[inline]
    pub(crate) fn set_last(&mut self, frame: &Frame, slot: usize, value: Value) {
        self.slots.truncate(frame.base + slot);
        self.slots.push(Some(value));
    }

    /// Gives up the slots from a place on.
    #[inline]
    pub(crate) fn cut(&mut self, base: usize) {
        self.slots.truncate(base);
    }

    /// Gives up the slots from a place on, and returns the first of them.
    pub(crate) fn take(&mut self, base: usize, count: usize) -> Box<[Option<Value>]> {
        self.slots.drain(base..).take(count).collect()
    }

    /// Returns what a slot of a running unit holds.
    #[inline]
    pub(crate) fn slot(&self, frame: &Frame, slot: usize) -> Option<&Value> {
        self.slots[frame.base + slot].as_ref()
    }

    /// Returns a slot of a running unit.
    #[inline]
    pub(crate) fn slot_mut(&mut self, frame: &Frame, slot: usize) -> &mut Option<Value> {
        &mut self.slots[frame.base + slot]
    }

    /// Returns the first slots of a running unit.
    pub(crate) fn first_slots(&self, frame: &Frame, count: usize) -> &[Option<Value>] {
        &self.slots[Range { start: frame.base, end: frame.base + count }]
    }

    /// Returns all slots from a place on.
    pub(crate) fn slots_from(&self, base: usize) -> &[Option<Value>] {
        self.slots.get(base..).unwrap_or_default()
    }

    /// Returns a top-scope variable.
    #[inline]
    pub(crate) fn global(&self, name: NameId) -> Option<&Value> {
        self.globals.get(name.index())?.as_ref()
    }

    /// Returns the place of a top-scope variable, to set it.
    pub(crate) fn global_mut(&mut self, name: NameId) -> &mut Option<Value> {
        if self.globals.len() <= name.index() {
            self.globals.resize(name.index() + 1, None);
        }
        self.changes += 1;
        &mut self.globals[name.index()]
    }

    /// Returns the names of the top-scope variables that are set.
    pub(crate) fn global_names(&self) -> impl Iterator<Item = NameId> {
        let set = self.globals.iter().enumerate().filter(|(_, value)| value.is_some());
        set.map(|(index, _)| NameId::at(index))
    }

    /// Returns a variable of another namespace that was set from outside.
    pub(crate) fn qualified(&self, name: &str) -> Option<&Value> {
        self.qualified.get(name)
    }

    /// Sets a variable of another namespace.
    pub(crate) fn set_qualified(&mut self, name: &str, value: Value) {
        self.changes += 1;
        self.qualified.insert(name.to_owned(), value);
    }

    /// Returns a number that stays the same as long as all variables of the top scope do.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns which parameter's default is being found out.
    pub(crate) fn binding(&self) -> Option<&Binding> {
        self.binding.as_ref()
    }

    /// Changes which parameter's default is being found out, and returns what to go back to.
    pub(crate) fn set_binding(&mut self, binding: Option<Binding>) -> Option<Binding> {
        std::mem::replace(&mut self.binding, binding)
    }

    /// Starts a jump (`next`, `break`, `return`) from a place.
    pub(crate) fn jump(&mut self, value: Value, place: Option<Place>) {
        self.jump = (value, place);
    }

    /// Takes the value of a jump that arrived.
    pub(crate) fn landed(&mut self) -> Value {
        std::mem::take(&mut self.jump.0)
    }

    /// Takes the place where a jump started that arrives nowhere.
    pub(crate) fn jump_start(&mut self) -> Option<Place> {
        self.jump.1.take()
    }

    /// Forgets what an unwound program left behind.
    pub(crate) fn reset(&mut self) {
        self.slots.clear();
        self.binding = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assignment_of_a_visible_variable_is_a_change() {
        let mut stack = Stack::default();
        assert_eq!(stack.global(NameId::at(3)), None);
        *stack.global_mut(NameId::at(3)) = Some(Value::from(1));
        stack.set_qualified("a::b", Value::from(2));
        assert_eq!(stack.changes(), 2);
        assert_eq!(stack.global(NameId::at(3)), Some(&Value::from(1)));
        assert_eq!(stack.global_names().map(NameId::index).collect::<Vec<_>>(), [3]);
        assert_eq!(stack.qualified("a::b"), Some(&Value::from(2)));
    }

    #[test]
    fn a_reset_keeps_the_variables_of_the_top_scope() {
        let mut stack = Stack::default();
        *stack.global_mut(NameId::at(0)) = Some(Value::from(1));
        stack.slots.push(Some(Value::from(2)));
        stack.set_binding(Some(Binding { callee: "f".to_owned(), parameter: 0 }));
        stack.reset();
        assert_eq!(stack.top(), 0);
        assert!(stack.binding().is_none());
        assert_eq!(stack.global(NameId::at(0)), Some(&Value::from(1)));
    }

    #[test]
    fn a_jump_is_taken_once() {
        let mut stack = Stack::default();
        stack.jump(Value::from(7), None);
        assert_eq!(stack.landed(), Value::from(7));
        assert_eq!(stack.landed(), Value::Undef);
    }
}
