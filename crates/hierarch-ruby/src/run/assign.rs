//! Assignments.

use std::rc::Rc;

use super::call::Form;
use super::{Args, Flow, Res, Vm};
use crate::syntax::tree::{Expression, Kind, Multiple, Operator, Target, Update};
use crate::value::class::Lexical;
use crate::value::{Env, Sym, Value, names};

impl Vm<'_> {
    /// Assigns a value.
    pub(super) fn assign(&mut self, env: &Rc<Env>, target: &Target, value: Value, line: u32) -> Res<()> {
        match target {
            Target::Local(slot) => env.set(*slot, value),
            Target::Instance(name) => self.set_ivar(&env.context.me, *name, value)?,
            Target::Global(name) => self.set_global(*name, value)?,
            Target::ClassVariable(name) => self.set_class_variable(env, *name, value),
            Target::Constant(name) => self.set_constant(&env.context.lexical, *name, value),
            Target::ConstantIn(scope, name) => {
                let scope = match scope {
                    Some(scope) => self.eval(env, scope)?,
                    None => Value::Class(self.class("Object")),
                };
                if let Value::Class(class) = scope {
                    let lexical = Rc::new(Lexical { module: class, outer: None });
                    self.set_constant(&lexical, *name, value);
                }
            }
            Target::Index { receiver, arguments } => {
                let of = self.eval(env, receiver)?;
                let mut args = self.eval_arguments(env, arguments)?;
                args.list.push(value);
                self.at_line(line);
                self.call_method(&of, names::SET_INDEX, args, form(receiver))?;
            }
            Target::Attribute { receiver, name, safe } => {
                let of = self.eval(env, receiver)?;
                if !(*safe && of.is_nil()) {
                    self.at_line(line);
                    self.call_method(&of, name.setter(), Args::of(&[value]), form(receiver))?;
                }
            }
            Target::Multiple(multiple) => self.assign_multiple(env, multiple, &value)?,
            Target::Splat(inner) => {
                if let Some(inner) = inner {
                    let items = self.splat(&value)?;
                    let list = self.array(items);
                    self.assign(env, inner, list, line)?;
                }
            }
            Target::Unsupported(what) => return Err(self.unsupported(what)),
        }
        Ok(())
    }

    fn set_global(&mut self, name: Sym, value: Value) -> Res<()> {
        match name.text() {
            "$~" => self.set_last_match(value),
            "$stdout" | "$stderr" => return Err(self.unsupported(name.text())),
            _ => {
                self.globals.insert(name, value);
            }
        }
        Ok(())
    }

    /// Evaluates `a, b = …`.
    pub(super) fn eval_multiple(&mut self, env: &Rc<Env>, multiple: &Multiple, value: &Expression) -> Res {
        let value = self.eval(env, value)?;
        self.assign_multiple(env, multiple, &value)?;
        Ok(value)
    }

    /// Takes a value apart.
    pub(super) fn assign_multiple(&mut self, env: &Rc<Env>, multiple: &Multiple, value: &Value) -> Res<()> {
        let list = match self.to_ary(value)? {
            Some(list) => list,
            None => vec![value.clone()],
        };
        for (place, target) in multiple.lefts.iter().enumerate() {
            self.assign(env, target, list.get(place).cloned().unwrap_or_default(), 0)?;
        }
        let lefts = multiple.lefts.len();
        let rights = multiple.rights.len();
        let rest_end = list.len().saturating_sub(rights).max(lefts);
        if let Some(Some(target)) = &multiple.rest {
            let rest = list.get(lefts..rest_end).unwrap_or_default().to_vec();
            let rest = self.array(rest);
            self.assign(env, target, rest, 0)?;
        }
        for (place, target) in multiple.rights.iter().enumerate() {
            self.assign(env, target, list.get(rest_end + place).cloned().unwrap_or_default(), 0)?;
        }
        Ok(())
    }

    /// Evaluates `target op= value`.
    pub(super) fn eval_update(&mut self, env: &Rc<Env>, update: &Update, line: u32) -> Res {
        match &update.target {
            Target::Index { receiver, arguments } => {
                let of = self.eval(env, receiver)?;
                let args = self.eval_arguments(env, arguments)?;
                self.at_line(line);
                let old = self.call_method(&of, names::INDEX, args.clone(), form(receiver))?;
                let Some(new) = self.updated(env, old.clone(), update, line)? else { return Ok(old) };
                let mut args = args;
                args.list.push(new.clone());
                self.call_method(&of, names::SET_INDEX, args, form(receiver))?;
                Ok(new)
            }
            Target::Attribute { receiver, name, safe } => {
                let of = self.eval(env, receiver)?;
                if *safe && of.is_nil() {
                    return Ok(Value::Nil);
                }
                self.at_line(line);
                let old = self.call_method(&of, *name, Args::default(), form(receiver))?;
                let Some(new) = self.updated(env, old.clone(), update, line)? else { return Ok(old) };
                self.call_method(&of, name.setter(), Args::of(&[new.clone()]), form(receiver))?;
                Ok(new)
            }
            target => {
                let old = self.read_target(env, target, matches!(update.operator, Operator::Or), line)?;
                let Some(new) = self.updated(env, old.clone(), update, line)? else { return Ok(old) };
                self.assign(env, target, new.clone(), line)?;
                Ok(new)
            }
        }
    }

    /// Returns the new value; nothing where the old one stays.
    fn updated(&mut self, env: &Rc<Env>, old: Value, update: &Update, line: u32) -> Res<Option<Value>> {
        match update.operator {
            Operator::Or if old.truthy() => Ok(None),
            Operator::And if !old.truthy() => Ok(None),
            Operator::Or | Operator::And => self.eval(env, &update.value).map(Some),
            Operator::Method(name) => {
                let value = self.eval(env, &update.value)?;
                self.at_line(line);
                self.call_method(&old, name, Args::of(&[value]), Form::Explicit).map(Some)
            }
        }
    }

    /// Reads what is about to be updated; `||=` may meet what is not there.
    fn read_target(&mut self, env: &Rc<Env>, target: &Target, or_nil: bool, line: u32) -> Res {
        match target {
            Target::Local(slot) => Ok(env.get(*slot)),
            Target::Instance(name) => self.ivar(&env.context.me, *name),
            Target::Global(name) => self.global(*name),
            Target::ClassVariable(name) if or_nil && !self.has_class_variable(env, *name) => Ok(Value::Nil),
            Target::ClassVariable(name) => self.class_variable(env, *name),
            Target::Constant(name) => {
                if or_nil {
                    let lexical = Rc::clone(&env.context.lexical);
                    return Ok(self.find_constant(&lexical, *name)?.unwrap_or_default());
                }
                self.constant(&env.context.lexical, *name, line)
            }
            Target::ConstantIn(Some(scope), name) => match self.eval(env, scope)? {
                Value::Class(class) => Ok(self.constant_in(&class, *name)?.unwrap_or_default()),
                _ => Ok(Value::Nil),
            },
            _ => Ok(Value::Nil),
        }
    }

    /// Evaluates `/(?<x>..)/ =~ text`.
    pub(super) fn eval_match_write(
        &mut self,
        env: &Rc<Env>,
        call: &Expression,
        targets: &[(ecow::EcoString, crate::syntax::tree::Slot)],
    ) -> Res {
        let result = self.eval(env, call)?;
        let found = self.last_match().payload::<crate::core::match_data::MatchData>();
        for (name, slot) in targets {
            let value = match &found {
                Some(found) => found.named(self, name).unwrap_or_default(),
                None => Value::Nil,
            };
            env.set(*slot, value);
        }
        Ok(result)
    }

    /// Evaluates `defined?(x)`.
    pub(super) fn eval_defined(&mut self, env: &Rc<Env>, node: &Expression) -> Res {
        let what = match &node.kind {
            Kind::Nil => Some("nil"),
            Kind::Myself => Some("self"),
            Kind::True => Some("true"),
            Kind::False => Some("false"),
            Kind::Local(_) => Some("local-variable"),
            Kind::Assign(..) | Kind::Update(_) | Kind::MultipleAssign(..) => Some("assignment"),
            Kind::Instance(name) => {
                let me = env.context.me.clone();
                self.ivar_of(&me, *name).map(|_| "instance-variable")
            }
            Kind::Global(name) => {
                let is_set = self.globals.contains_key(name) || !self.global(*name)?.is_nil();
                is_set.then_some("global-variable")
            }
            Kind::ClassVariable(name) => self.has_class_variable(env, *name).then_some("class variable"),
            Kind::GroupReference(number) => {
                (!self.group(*number as usize).is_nil()).then_some("global-variable")
            }
            Kind::MatchReference(letter) => {
                (!self.match_reference(*letter).is_nil()).then_some("global-variable")
            }
            Kind::Constant(name) => {
                let lexical = Rc::clone(&env.context.lexical);
                self.find_constant(&lexical, *name)?.map(|_| "constant")
            }
            Kind::ConstantIn(..) => self.quietly(env, node)?.map(|_| "constant"),
            Kind::Yield(_) => env.context.block.as_ref().map(|_| "yield"),
            Kind::Super { .. } => self.has_super(env).then_some("super"),
            Kind::Call(call) => self.defined_call(env, call)?,
            _ => Some("expression"),
        };
        Ok(what.map_or(Value::Nil, |what| self.str(what)))
    }

    fn has_super(&mut self, env: &Rc<Env>) -> bool {
        let Some(method) = env.context.method.clone() else { return false };
        let class = self.class_of(&env.context.me);
        self.find_super(&class, &method.owner, method.name).is_some()
    }

    fn defined_call(&mut self, env: &Rc<Env>, call: &crate::syntax::tree::Call) -> Res<Option<&'static str>> {
        for item in &call.arguments.items {
            if self.eval_defined(env, item)?.is_nil() {
                return Ok(None);
            }
        }
        let receiver = match &call.receiver {
            None => Some(env.context.me.clone()),
            Some(node) if self.eval_defined(env, node)?.is_nil() => None,
            Some(node) => self.quietly(env, node)?,
        };
        let Some(receiver) = receiver else { return Ok(None) };
        let class = self.class_of(&receiver);
        let found = match self.find_method(&class, call.name) {
            Some(method) => {
                call.receiver.is_none() || method.visibility == crate::value::class::Visibility::Public
            }
            None => self.responds(&receiver, call.name)?,
        };
        Ok(found.then_some("method"))
    }

    /// Evaluates something whose error means only that it is not there.
    fn quietly(&mut self, env: &Rc<Env>, node: &Expression) -> Res<Option<Value>> {
        let frames = self.frames.len();
        match self.eval(env, node) {
            Ok(value) => Ok(Some(value)),
            Err(flow) => match *flow {
                Flow::Raise(_) => {
                    self.frames.truncate(frames);
                    Ok(None)
                }
                other => Err(Box::new(other)),
            },
        }
    }
}

/// Private writers of `self` may be called with `self.`.
fn form(receiver: &Expression) -> Form {
    if matches!(receiver.kind, Kind::Myself) { Form::Own } else { Form::Explicit }
}
