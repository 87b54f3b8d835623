//! Variables: slots of the running units, and the top scope.

use hierarch_pcore::Value;
use hierarch_source::Error;

use crate::code::{Code, Id, LastResort, Lookup, Unit};
use crate::evaluator::Evaluator;
use crate::names::NameId;
use crate::{Result, issues};

/// A unit that is running: its code, where its slots start, and the unit around it.
pub(crate) struct Frame<'f> {
    pub(crate) code: &'f Code,
    pub(crate) unit: &'f Unit,
    pub(crate) base: usize,
    pub(crate) parent: Option<&'f Frame<'f>>,
}

/// A successful match, for `$0`, `$1` and so on.
pub(crate) struct Matched {
    pub(crate) subject: hierarch_pcore::Str,
    pub(crate) captures: hierarch_pcore::regex::Captures,
}

/// Which parameter's default is being found out, so that a later parameter cannot be read.
#[derive(Clone)]
pub(crate) struct Binding {
    pub(crate) callee: String,
    pub(crate) parameter: usize,
}

impl Frame<'_> {
    fn outer(&self, depth: u16) -> &Frame<'_> {
        let mut frame = self;
        for _ in 0..depth {
            match frame.parent {
                Some(parent) => frame = parent,
                None => break,
            }
        }
        frame
    }
}

impl Evaluator<'_> {
    /// Reads a parameter.
    #[inline]
    pub(crate) fn parameter(&self, frame: &Frame, depth: u16, slot: u16) -> Result<Value> {
        let frame = frame.outer(depth);
        match &self.stack[frame.base + slot as usize] {
            Some(value) => Ok(value.clone()),
            None => Err(self.unbound_parameter(frame, slot).into()),
        }
    }

    /// Moves a parameter out of its slot.
    pub(crate) fn last_read(&mut self, frame: &Frame, slot: u16) -> Result<Value> {
        match self.stack[frame.base + slot as usize].take() {
            Some(value) => Ok(value),
            None => Err(self.unbound_parameter(frame, slot).into()),
        }
    }

    /// Only the default of another parameter can read a parameter before it has a value.
    #[cold]
    fn unbound_parameter(&self, frame: &Frame, slot: u16) -> Error {
        let to = &frame.unit.parameters[slot as usize].name;
        match &self.binding {
            Some(binding) if (slot as usize) < binding.parameter => {
                issues::parameter_expected(&binding.callee, to)
            }
            Some(binding) => {
                let from = &frame.unit.parameters[binding.parameter].name;
                issues::parameter_not_evaluated(&binding.callee, from, to)
            }
            None => issues::unknown_variable(to),
        }
    }

    /// Reads a variable from the first place that has it.
    pub(crate) fn lookup(&self, frame: &Frame, lookup: &Lookup, id: Id) -> Result<Value> {
        for &(depth, slot) in &lookup.slots {
            let frame = frame.outer(depth);
            if let Some(value) = &self.stack[frame.base + slot as usize] {
                return Ok(value.clone());
            }
        }
        match &lookup.last {
            LastResort::Global(name) => self.global(frame, *name, id),
            LastResort::Named(text, name) => {
                match self.local_named(frame.outermost().parent_of_template(), text) {
                    Some(value) => Ok(value),
                    None => self.global(frame, *name, id),
                }
            }
            LastResort::Never => {
                let (depth, slot) = lookup.slots[lookup.slots.len() - 1];
                Err(self.unbound_parameter(frame.outer(depth), slot).into())
            }
        }
    }

    /// Reads a top-scope variable.
    #[inline]
    pub(crate) fn global(&self, frame: &Frame, name: NameId, id: Id) -> Result<Value> {
        match self.globals.get(name.index()) {
            Some(Some(value)) => Ok(value.clone()),
            _ => self.unknown_variable(frame, id),
        }
    }

    #[cold]
    fn unknown_variable(&self, frame: &Frame, id: Id) -> Result<Value> {
        let ast = &frame.code.ast;
        let name = match ast.expr(frame.code.origin(id)) {
            hierarch_syntax::ast::Expr::Variable(name) => ast.text(name),
            _ => "",
        };
        self.missing_variable(name)
    }

    /// Returns what an unknown variable gives: an error, unless it is one that the reference always has.
    pub(crate) fn missing_variable(&self, name: &str) -> Result<Value> {
        let bare = name.strip_prefix("::").unwrap_or(name);
        if BUILT_IN.contains(&bare) || !self.settings.strict_variables {
            return Ok(Value::Undef);
        }
        Err(issues::unknown_variable(name).into())
    }

    /// Reads `$a::b`: a setting, or a variable of a class once there are classes.
    pub(crate) fn qualified(&self, name: &str) -> Result<Value> {
        match self.qualified_variables.get(name) {
            Some(value) => Ok(value.clone()),
            None => self.missing_variable(name),
        }
    }

    /// Reads a variable by its name as a place sees it.
    pub(crate) fn variable_named(&self, frame: &Frame, name: &str) -> Option<Value> {
        let bare = name.strip_prefix("::").unwrap_or(name);
        if bare.contains("::") {
            return self.qualified_variables.get(bare).cloned();
        }
        if bare.len() < name.len() {
            return self.global_named(bare);
        }
        if let Ok(group) = bare.parse::<usize>() {
            return Some(self.matched(group));
        }
        self.local_named(Some(frame), bare).or_else(|| self.global_named(bare))
    }

    fn local_named(&self, mut frame: Option<&Frame>, name: &str) -> Option<Value> {
        while let Some(running) = frame {
            let slot = running.unit.slots.iter().position(|known| known == name);
            if let Some(value) = slot.and_then(|slot| self.stack[running.base + slot].as_ref()) {
                return Some(value.clone());
            }
            frame = running.parent;
        }
        None
    }

    /// Reads a top-scope variable by name.
    pub(crate) fn global_named(&self, name: &str) -> Option<Value> {
        let id = self.environment.names().find(name)?;
        self.globals.get(id.index()).cloned().flatten()
    }

    /// Sets a top-scope variable, whatever it was.
    pub(crate) fn set_global(&mut self, name: NameId, value: Value) {
        if self.globals.len() <= name.index() {
            self.globals.resize(name.index() + 1, None);
        }
        self.lookups.changes += 1;
        self.globals[name.index()] = Some(value);
    }

    /// Reads `$0`, `$1` and so on.
    pub(crate) fn matched(&self, group: usize) -> Value {
        match self.matches[self.match_floor..].last() {
            Some(matched) => matched.captures.text(&matched.subject, group).map(Value::from).into(),
            None => Value::Undef,
        }
    }
}

impl<'f> Frame<'f> {
    /// Returns the unit of the template around a lambda in it, or the unit itself.
    fn outermost(&self) -> &Frame<'f> {
        let mut frame = self;
        while let Some(parent) = frame.parent {
            if !std::ptr::eq(parent.code, frame.code) {
                break;
            }
            frame = parent;
        }
        frame
    }

    fn parent_of_template(&self) -> Option<&Frame<'f>> {
        self.parent
    }
}

/// Variables that are never unknown: without a value they are `undef`.
pub(crate) const BUILT_IN: [&str; 2] = ["module_name", "caller_module_name"];
