//! Constants: where they are looked for.

use std::rc::Rc;

use ecow::EcoString;

use super::{Res, Vm};
use crate::core;
use crate::syntax::tree::Expression;
use crate::value::class::Lexical;
use crate::value::{ClassRef, Env, Sym, Value, names};

impl Vm<'_> {
    /// Reads a constant by its bare name.
    pub(super) fn constant(&mut self, lexical: &Rc<Lexical>, name: Sym, line: u32) -> Res {
        if let Some(value) = self.find_constant(lexical, name)? {
            return Ok(value);
        }
        self.at_line(line);
        let module = Rc::clone(&lexical.module);
        self.missing_constant(&module, name)
    }

    /// Finds a constant by its bare name: around the text, then in what the class inherits from.
    pub(super) fn find_constant(&mut self, lexical: &Rc<Lexical>, name: Sym) -> Res<Option<Value>> {
        let mut scope = Some(Rc::clone(lexical));
        while let Some(here) = scope {
            // The outermost is Object, which comes last.
            if here.outer.is_some()
                && let Some(value) = self.own_constant(&here.module, name)?
            {
                return Ok(Some(value));
            }
            scope = here.outer.clone();
        }
        let module = Rc::clone(&lexical.module);
        if let Some(value) = self.constant_in(&module, name)? {
            return Ok(Some(value));
        }
        let object = self.class("Object");
        self.own_constant(&object, name)
    }

    /// Finds a constant in a class and what it inherits from.
    pub fn constant_in(&mut self, class: &ClassRef, name: Sym) -> Res<Option<Value>> {
        let is_top = class.name.borrow().as_deref() == Some("Object");
        for one in self.ancestors(class).iter() {
            // What stands at the top is not reached through another class.
            let top = one.name.borrow().as_deref() == Some("Object");
            if top && !is_top && !class.is_singleton {
                break;
            }
            if let Some(value) = self.own_constant(one, name)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Finds a constant in one class alone. A class of ours is made when it is first named.
    pub(crate) fn own_constant(&mut self, class: &ClassRef, name: Sym) -> Res<Option<Value>> {
        if let Some(value) = class.constants.borrow().get(&name) {
            return Ok(Some(value.clone()));
        }
        let Some(spec) = class.spec.filter(|_| !class.is_singleton) else { return Ok(None) };
        if let Some((_, make)) = spec.constants.iter().find(|(known, _)| *known == name.text()) {
            let value = make(self)?;
            class.constants.borrow_mut().insert(name, value.clone());
            return Ok(Some(value));
        }
        let full: EcoString =
            if spec.name == "Object" { name.text().into() } else { format!("{}::{name}", spec.name).into() };
        if let Some((_, of)) = crate::library::ALIASES.iter().find(|(known, _)| full == **known) {
            return Ok(Some(Value::Class(self.class(of))));
        }
        match core::spec(&full) {
            Some(inner) if self.is_visible(inner.name) => Ok(Some(Value::Class(self.class(inner.name)))),
            _ if self.load_constant(&full)? => Ok(class.constants.borrow().get(&name).cloned()),
            _ => Ok(None),
        }
    }

    /// Tells whether a class of a library may be named: Puppet has loaded it, or the script.
    fn is_visible(&self, class: &str) -> bool {
        crate::library::owner(class).is_none_or(|library| self.is_seen(library))
    }

    /// There is no such constant: `const_missing`, or an error.
    pub(crate) fn missing_constant(&mut self, class: &ClassRef, name: Sym) -> Res {
        if let Some(refusal) = self.refused_constant(name.text()) {
            return Err(refusal);
        }
        let value = Value::Class(Rc::clone(class));
        self.send(&value, names::CONST_MISSING, &[Value::Sym(name)])
    }

    /// Evaluates `A::B` and `::B`.
    pub(super) fn eval_constant_in(
        &mut self,
        env: &Rc<Env>,
        scope: Option<&Expression>,
        name: Sym,
        line: u32,
    ) -> Res {
        let scope = match scope {
            Some(scope) => self.eval(env, scope)?,
            None => Value::Class(self.class("Object")),
        };
        self.at_line(line);
        let Value::Class(class) = &scope else {
            let shown = self.inspect(&scope)?;
            return Err(self.raise("TypeError", format!("{shown} is not a class/module")));
        };
        if class.private_constants.borrow().contains(&name) {
            let shown = class.shown();
            return Err(self.raise("NameError", format!("private constant {shown}::{name} referenced")));
        }
        match self.constant_in(class, name)? {
            Some(value) => Ok(value),
            None => self.missing_constant(class, name),
        }
    }

    /// Sets a constant; a class without a name gets this one.
    pub(crate) fn set_constant(&mut self, lexical: &Rc<Lexical>, name: Sym, value: Value) {
        let scope = &lexical.module;
        if let Value::Class(class) = &value
            && class.name.borrow().is_none()
        {
            *class.name.borrow_mut() = Some(path_in(scope, name));
        }
        let old = scope.constants.borrow_mut().insert(name, value);
        drop(old);
    }
}

/// Returns the full name of a constant in a class.
pub(crate) fn path_in(scope: &ClassRef, name: Sym) -> EcoString {
    let scope = scope.shown();
    if scope == "Object" { name.text().into() } else { format!("{scope}::{name}").into() }
}
