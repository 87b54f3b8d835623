//! Calls: of methods, functions and macros, and how arguments find their parameters.

use std::rc::Rc;

use hierarch_pcore::{Hash, Str, Value};

use super::fault::Checked;
use super::issues;
use super::methods;
use super::object::CallArguments;
use super::operators::as_float;
use super::renderer::Renderer;
use super::show::type_name;
use super::tree::{Arguments, Expr, ExprKind};
use super::value::Val;

/// A filter, a test or a function: its name, its parameters and what it does.
///
/// Parameters are written as `value`, `count?` for one that may be left out, `*rest` and `**named`.
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) parameters: &'static [&'static str],
    pub(super) run: fn(&mut Renderer, &BoundArguments) -> Checked<Val>,
    /// It deals with what is undefined.
    pub(super) takes_undefined: bool,
}

/// Makes an entry of a table.
pub(super) const fn function(
    name: &'static str,
    parameters: &'static [&'static str],
    run: fn(&mut Renderer, &BoundArguments) -> Checked<Val>,
) -> Function {
    Function { name, parameters, run, takes_undefined: false }
}

impl Function {
    pub(super) const fn with_undefined(mut self) -> Self {
        self.takes_undefined = true;
        self
    }

    /// Gives each argument to its parameter.
    pub(super) fn bind(&self, renderer: &Renderer, given: CallArguments) -> Checked<BoundArguments> {
        if !self.takes_undefined {
            given.positional.iter().try_for_each(|value| renderer.present(value))?;
            given.named.iter().try_for_each(|(_, value)| renderer.present(value))?;
        }
        let plain = self.parameters.iter().take_while(|name| !name.starts_with('*'));
        let plain: Vec<&str> = plain.map(|name| name.trim_end_matches('?')).collect();
        let takes_rest = self.parameters.iter().any(|name| name.starts_with('*') && !name.starts_with("**"));
        let takes_named = self.parameters.iter().any(|name| name.starts_with("**"));
        let mut positional = given.positional.into_iter();
        let mut values: Vec<Option<Val>> = plain.iter().map(|_| positional.next()).collect();
        let rest: Vec<Val> = positional.collect();
        if !rest.is_empty() && !takes_rest {
            return Err(issues::too_many_arguments(self.name, plain.len(), plain.len() + rest.len()));
        }
        let mut named = Vec::new();
        for (name, value) in given.named {
            match plain.iter().position(|known| name == *known) {
                Some(at) if values[at].is_some() => return Err(issues::argument_twice(self.name, &name)),
                Some(at) => values[at] = Some(value),
                None if takes_named => named.push((name, value)),
                None => return Err(issues::unknown_argument_named(self.name, &name)),
            }
        }
        for (value, parameter) in values.iter().zip(self.parameters) {
            if value.is_none() && !parameter.ends_with('?') {
                return Err(issues::missing_argument(self.name, parameter));
            }
        }
        Ok(BoundArguments { values, rest, named })
    }
}

/// Arguments, each at the place of its parameter.
pub(super) struct BoundArguments {
    values: Vec<Option<Val>>,
    pub(super) rest: Vec<Val>,
    pub(super) named: Vec<(Str, Val)>,
}

impl BoundArguments {
    /// Returns an argument; null if it was left out.
    pub(super) fn value(&self, at: usize) -> &Val {
        self.get(at).unwrap_or(&Val::None)
    }

    pub(super) fn get(&self, at: usize) -> Option<&Val> {
        self.values.get(at).and_then(Option::as_ref)
    }

    pub(super) fn text(&self, renderer: &mut Renderer, at: usize) -> Checked<String> {
        renderer.printed(self.value(at))
    }

    /// Returns an argument that must be a text, for something that calls a method of texts.
    pub(super) fn text_for(&self, at: usize, method: &str) -> Checked<String> {
        match self.value(at) {
            Val::Text(text) => Ok(text.text.to_string()),
            Val::Undefined(missing) => Err(missing.fault()),
            other => Err(issues::no_method(type_name(other), method)),
        }
    }

    /// Returns an argument that must be a path.
    pub(super) fn path(&self, at: usize) -> Checked<String> {
        match self.value(at) {
            Val::Text(text) => Ok(text.text.to_string()),
            Val::Undefined(missing) => Err(missing.fault()),
            other => Err(issues::path_needed(type_name(other))),
        }
    }

    pub(super) fn text_or(&self, renderer: &mut Renderer, at: usize, default: &str) -> Checked<String> {
        match self.get(at) {
            Some(value) => renderer.printed(value),
            None => Ok(default.to_owned()),
        }
    }

    pub(super) fn truth(&self, renderer: &mut Renderer, at: usize, default: bool) -> Checked<bool> {
        self.get(at).map_or(Ok(default), |value| renderer.truth(value))
    }

    pub(super) fn int(&self, at: usize, default: i128) -> Checked<i128> {
        self.get(at).map_or(Ok(default), int)
    }

    /// Returns a number that counts something; what is below zero is none of it.
    pub(super) fn count(&self, at: usize, default: usize) -> Checked<usize> {
        match self.get(at) {
            None => Ok(default),
            Some(value) => Ok(usize::try_from(int(value)?.max(0)).unwrap_or(usize::MAX)),
        }
    }

    pub(super) fn float(&self, at: usize) -> Checked<f64> {
        as_float(self.value(at)).ok_or_else(|| issues::number_needed(type_name(self.value(at))))
    }

    pub(super) fn float_or(&self, at: usize) -> Checked<Option<f64>> {
        match self.get(at) {
            None | Some(Val::None) => Ok(None),
            Some(_) => self.float(at).map(Some),
        }
    }

    /// Returns the named arguments that have no parameter of their own.
    pub(super) fn named(&self, name: &str) -> Option<&Val> {
        self.named.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Refuses named arguments that nobody knows.
    pub(super) fn only(&self, function: &str, known: &[&str]) -> Checked<()> {
        match self.named.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => Err(issues::unknown_argument_named(function, name)),
            None => Ok(()),
        }
    }
}

pub(super) fn int(value: &Val) -> Checked<i128> {
    match value {
        Val::Int(number) => Ok(*number),
        Val::Bool(truth) => Ok(i128::from(*truth)),
        Val::Undefined(missing) => Err(missing.fault()),
        other => Err(issues::integer_needed(type_name(other))),
    }
}

impl Renderer {
    pub(super) fn call(&mut self, callee: &Expr, arguments: &Arguments) -> Checked<Val> {
        if let ExprKind::Attribute(value, name) = &callee.kind {
            let value = self.eval(value)?;
            if methods::has(&value, name) {
                let given = self.given(arguments)?;
                return methods::call(self, &value, name, given);
            }
            if let Val::Object(object) = &value {
                let given = self.given(arguments)?;
                let object = Rc::clone(object);
                return if let Some(result) = object.method(self, name, given) {
                    result
                } else {
                    let missing = self.attribute(&value, name, callee.range)?;
                    self.call_value(&missing, CallArguments::default())
                };
            }
            let function = self.attribute(&value, name, callee.range)?;
            let given = self.given(arguments)?;
            return self.call_value(&function, given);
        }
        let function = self.eval(callee)?;
        let given = self.given(arguments)?;
        self.call_value(&function, given)
    }

    /// Calls a value.
    pub(super) fn call_value(&mut self, function: &Val, given: CallArguments) -> Checked<Val> {
        match function {
            Val::Object(object) => {
                let object = Rc::clone(object);
                self.nested(|renderer| object.call(renderer, given))
            }
            Val::Undefined(missing) => Err(missing.fault()),
            other => Err(issues::not_callable(type_name(other))),
        }
    }

    /// Makes finished values of arguments.
    pub(super) fn finished_all(&mut self, values: &[Val]) -> Checked<Vec<Value>> {
        values.iter().map(|value| self.finished(value)).collect()
    }

    pub(super) fn finished_named(&mut self, named: &[(Str, Val)]) -> Checked<Hash> {
        let mut map = Hash::new();
        for (name, value) in named {
            let value = self.finished(value)?;
            map.insert(name.as_str(), value);
        }
        Ok(map)
    }
}
