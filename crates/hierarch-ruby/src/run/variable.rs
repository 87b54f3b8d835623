//! Instance, global and class variables, and what the last match left.

use std::rc::Rc;

use super::{Res, Vm};
use crate::core::match_data::MatchData;
use crate::value::{ClassRef, Env, Meta, Sym, Value};

impl Vm<'_> {
    /// Reads an instance variable.
    #[inline]
    pub fn ivar(&mut self, of: &Value, name: Sym) -> Res {
        Ok(self.ivar_of(of, name).unwrap_or_default())
    }

    /// Reads an instance variable, if it is set.
    pub fn ivar_of(&mut self, of: &Value, name: Sym) -> Option<Value> {
        let find = |list: &[(Sym, Value)]| {
            list.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
        };
        match of {
            Value::Object(object) => object.ivar(name),
            Value::Class(class) => find(&class.ivars.borrow()),
            Value::Str(text) => text.meta.borrow().as_ref().and_then(|meta| find(&meta.ivars)),
            Value::Array(array) => array.meta.borrow().as_ref().and_then(|meta| find(&meta.ivars)),
            Value::Hash(hash) => hash.meta.borrow().as_ref().and_then(|meta| find(&meta.ivars)),
            _ => None,
        }
    }

    /// Writes an instance variable.
    pub fn set_ivar(&mut self, of: &Value, name: Sym, value: Value) -> Res<()> {
        self.check_frozen(of)?;
        let meta = match of {
            Value::Object(object) => {
                object.set_ivar(name, value);
                return Ok(());
            }
            Value::Class(class) => {
                set_in(&mut class.ivars.borrow_mut(), name, value);
                return Ok(());
            }
            Value::Str(text) => &text.meta,
            Value::Array(array) => &array.meta,
            Value::Hash(hash) => &hash.meta,
            other => {
                let shown = self.inspect(other)?;
                let class = self.class_name(other);
                return Err(self.raise("FrozenError", format!("can't modify frozen {class}: {shown}")));
            }
        };
        let mut meta = meta.borrow_mut();
        let meta = meta.get_or_insert_with(|| Box::new(Meta { class: None, ivars: Vec::new() }));
        set_in(&mut meta.ivars, name, value);
        Ok(())
    }

    /// Returns the names of the instance variables.
    pub fn ivar_names(&self, of: &Value) -> Vec<Sym> {
        let names = |list: &[(Sym, Value)]| list.iter().map(|(name, _)| *name).collect();
        match of {
            Value::Object(object) => names(&object.ivars.borrow()),
            Value::Class(class) => names(&class.ivars.borrow()),
            Value::Str(text) => {
                text.meta.borrow().as_ref().map(|meta| names(&meta.ivars)).unwrap_or_default()
            }
            Value::Array(array) => {
                array.meta.borrow().as_ref().map(|meta| names(&meta.ivars)).unwrap_or_default()
            }
            Value::Hash(hash) => {
                hash.meta.borrow().as_ref().map(|meta| names(&meta.ivars)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Tells whether a value is frozen.
    pub fn is_frozen(&self, value: &Value) -> bool {
        match value {
            Value::Str(text) => text.frozen.get(),
            Value::Array(array) => array.frozen.get(),
            Value::Hash(hash) => hash.frozen.get(),
            Value::Object(object) => object.frozen.get(),
            Value::Class(class) => class.frozen.get(),
            Value::Proc(block) => block.frozen.get(),
            _ => true,
        }
    }

    /// Fails if a value is frozen.
    #[inline]
    pub fn check_frozen(&mut self, value: &Value) -> Res<()> {
        if !self.is_frozen(value) {
            return Ok(());
        }
        let class = self.class_name(value);
        let shown = self.inspect(value)?;
        Err(self.raise_with(
            "FrozenError",
            format!("can't modify frozen {class}: {shown}"),
            vec![("receiver", value.clone())],
        ))
    }

    /// Reads a global variable.
    pub(super) fn global(&mut self, name: Sym) -> Res {
        Ok(match name.text() {
            "$~" | "$LAST_MATCH_INFO" => self.last_match(),
            "$!" | "$ERROR_INFO" => self.current_error.clone(),
            "$@" => match self.current_error.clone() {
                Value::Nil => Value::Nil,
                error => self.send(&error, Sym::of("backtrace"), &[])?,
            },
            "$," | "$;" => Value::Nil,
            "$/" => self.str("\n"),
            "$0" | "$PROGRAM_NAME" => self.str("puppet"),
            "$LOAD_PATH" | "$:" | "$LOADED_FEATURES" | "$\"" => self.kept_list(name),
            "$VERBOSE" | "$DEBUG" => self.globals.get(&name).cloned().unwrap_or(Value::Bool(false)),
            "$stdout" | "$stderr" | "$stdin" | "$>" => self.stream(name),
            _ => self.globals.get(&name).cloned().unwrap_or_default(),
        })
    }

    fn kept_list(&mut self, name: Sym) -> Value {
        if let Some(list) = self.globals.get(&name) {
            return list.clone();
        }
        let list = self.array(Vec::new());
        self.globals.insert(name, list.clone());
        list
    }

    fn stream(&mut self, name: Sym) -> Value {
        if let Some(stream) = self.globals.get(&name) {
            return stream.clone();
        }
        let class = self.class("IO");
        let stream = Value::Object(Rc::new(crate::value::Object::new(class)));
        self.globals.insert(name, stream.clone());
        stream
    }

    /// Returns a group of the last match.
    pub(super) fn group(&mut self, number: usize) -> Value {
        match self.last_match().payload::<MatchData>() {
            Some(found) => found.group(self, number),
            None => Value::Nil,
        }
    }

    /// Returns `$&`, `` $` ``, `$'` and `$+`.
    pub(super) fn match_reference(&mut self, letter: char) -> Value {
        let Some(found) = self.last_match().payload::<MatchData>() else { return Value::Nil };
        match letter {
            '`' => found.before(self),
            '\'' => found.after(self),
            '+' => {
                let last = (1..found.len()).rev().find(|group| found.range(*group).is_some());
                last.map_or(Value::Nil, |group| found.group(self, group))
            }
            _ => found.group(self, 0),
        }
    }

    /// Finds the class that `@@x` belongs to.
    fn class_of_variables(&mut self, env: &Rc<Env>) -> ClassRef {
        let mut lexical = Rc::clone(&env.context.lexical);
        while lexical.module.is_singleton {
            match &lexical.outer {
                Some(outer) => lexical = Rc::clone(outer),
                None => break,
            }
        }
        Rc::clone(&lexical.module)
    }

    fn holder(&mut self, class: &ClassRef, name: Sym) -> Option<ClassRef> {
        let list = self.ancestors(class);
        list.iter().find(|one| one.class_variables.borrow().iter().any(|(known, _)| *known == name)).cloned()
    }

    /// Reads a class variable.
    pub(super) fn class_variable(&mut self, env: &Rc<Env>, name: Sym) -> Res {
        let class = self.class_of_variables(env);
        self.class_variable_of(&class, name)
    }

    /// Reads a class variable of a class.
    pub fn class_variable_of(&mut self, class: &ClassRef, name: Sym) -> Res {
        let found = self.holder(class, name).and_then(|holder| {
            let variables = holder.class_variables.borrow();
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
        });
        match found {
            Some(value) => Ok(value),
            None => {
                let shown = class.shown();
                Err(self.raise("NameError", format!("uninitialized class variable {name} in {shown}")))
            }
        }
    }

    /// Tells whether a class variable is set.
    pub(super) fn has_class_variable(&mut self, env: &Rc<Env>, name: Sym) -> bool {
        let class = self.class_of_variables(env);
        self.holder(&class, name).is_some()
    }

    /// Writes a class variable.
    pub(super) fn set_class_variable(&mut self, env: &Rc<Env>, name: Sym, value: Value) {
        let class = self.class_of_variables(env);
        self.set_class_variable_of(&class, name, value);
    }

    /// Writes a class variable of a class.
    pub fn set_class_variable_of(&mut self, class: &ClassRef, name: Sym, value: Value) {
        let holder = self.holder(class, name).unwrap_or_else(|| Rc::clone(class));
        set_in(&mut holder.class_variables.borrow_mut(), name, value);
    }
}

fn set_in(list: &mut Vec<(Sym, Value)>, name: Sym, value: Value) {
    match list.iter_mut().find(|(known, _)| *known == name) {
        Some((_, old)) => *old = value,
        None => list.push((name, value)),
    }
}
