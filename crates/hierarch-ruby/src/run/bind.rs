//! Arguments become locals.

use std::rc::Rc;

use super::{Args, Res, Vm};
use crate::issues;
use crate::syntax::tree::{Parameter, Parameters};
use crate::value::hash::Identity;
use crate::value::{Env, Hash, Value};

impl Vm<'_> {
    /// Binds the arguments of a method or lambda, whose number must be right.
    pub(super) fn bind_method(&mut self, env: &Rc<Env>, parameters: &Parameters, mut args: Args) -> Res<()> {
        if parameters.is_simple && args.list.len() == parameters.required.len() {
            for (parameter, value) in parameters.required.iter().zip(args.list) {
                if let Parameter::Plain(_, slot) = parameter {
                    env.set_own(*slot, value);
                }
            }
            return Ok(());
        }
        let keywords = self.take_keywords(parameters, &mut args)?;
        let given = args.list.len();
        let (least, most) = (parameters.least(), parameters.most());
        if given < least || most.is_some_and(|most| given > most) {
            let mut message = issues::wrong_number(given, least, most);
            if parameters.needs_keywords() && keywords.is_none() {
                let names: Vec<&str> = parameters
                    .keywords
                    .iter()
                    .filter(|keyword| keyword.default.is_none())
                    .map(|keyword| keyword.name.text())
                    .collect();
                let plural = if names.len() == 1 { "" } else { "s" };
                message.pop();
                message = format!("{message}; required keyword{plural}: {})", names.join(", "));
            }
            return Err(self.raise("ArgumentError", message));
        }
        self.bind_positional(env, parameters, &args.list)?;
        self.bind_keywords(env, parameters, keywords.as_ref())?;
        self.bind_block_parameter(env, parameters, &args);
        Ok(())
    }

    /// Binds the arguments of a block: what is missing is nil, what is too much is dropped, an array is taken apart.
    pub(super) fn bind_block(&mut self, env: &Rc<Env>, parameters: &Parameters, mut args: Args) -> Res<()> {
        let wants = parameters.least() + parameters.optional.len();
        let takes_apart =
            parameters.has_excess_comma || wants > 1 || (wants == 1 && parameters.rest.is_some());
        let keywords = self.take_keywords(parameters, &mut args)?;
        if takes_apart
            && args.list.len() == 1
            && let Some(list) = self.to_ary(&args.at(0))?
        {
            args.list = list.into();
        }
        let least = parameters.least();
        if args.list.len() < least {
            args.list.resize(least, Value::Nil);
        }
        if let Some(most) = parameters.most()
            && args.list.len() > most
        {
            args.list.truncate(most);
        }
        self.bind_positional(env, parameters, &args.list)?;
        self.bind_keywords(env, parameters, keywords.as_ref())?;
        self.bind_block_parameter(env, parameters, &args);
        Ok(())
    }

    /// Takes the keywords from the arguments, if they are wanted as such.
    fn take_keywords(&mut self, parameters: &Parameters, args: &mut Args) -> Res<Option<Rc<Hash>>> {
        if parameters.no_keywords && args.has_keywords {
            return Err(self.raise("ArgumentError", "no keywords accepted"));
        }
        if !parameters.has_keywords() || !args.has_keywords {
            return Ok(None);
        }
        args.has_keywords = false;
        Ok(args.list.pop().and_then(|hash| hash.as_hash().cloned()))
    }

    fn bind_positional(&mut self, env: &Rc<Env>, parameters: &Parameters, list: &[Value]) -> Res<()> {
        let before = parameters.required.len();
        let after = parameters.post.len();
        let middle = list.len().saturating_sub(before + after);
        let optional = middle.min(parameters.optional.len());
        for (parameter, value) in parameters.required.iter().zip(list) {
            self.bind_parameter(env, parameter, value)?;
        }
        for (place, (_, slot, default)) in parameters.optional.iter().enumerate() {
            let value =
                if place < optional { list[before + place].clone() } else { self.eval(env, default)? };
            env.set_own(*slot, value);
        }
        let rest_end = list.len().saturating_sub(after).max(before + optional);
        if let Some((_, slot)) = parameters.rest {
            let rest = list.get(before + optional..rest_end).unwrap_or_default().to_vec();
            let rest = self.array(rest);
            env.set_own(slot, rest);
        }
        for (parameter, value) in parameters.post.iter().zip(list.get(rest_end..).unwrap_or_default()) {
            self.bind_parameter(env, parameter, value)?;
        }
        Ok(())
    }

    fn bind_parameter(&mut self, env: &Rc<Env>, parameter: &Parameter, value: &Value) -> Res<()> {
        match parameter {
            Parameter::Plain(_, slot) => {
                env.set_own(*slot, value.clone());
                Ok(())
            }
            Parameter::Destructured(multiple) => self.assign_multiple(env, multiple, value),
        }
    }

    fn bind_keywords(&mut self, env: &Rc<Env>, parameters: &Parameters, given: Option<&Rc<Hash>>) -> Res<()> {
        if !parameters.has_keywords() {
            return Ok(());
        }
        let mut missing = Vec::new();
        for keyword in &parameters.keywords {
            let value = given.and_then(|hash| hash.get(&Identity::Sym(keyword.name)));
            let value = match (value, &keyword.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.eval(env, default)?,
                (None, None) => {
                    missing.push(format!(":{}", keyword.name));
                    continue;
                }
            };
            env.set_own(keyword.slot, value);
        }
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            return Err(
                self.raise("ArgumentError", format!("missing keyword{plural}: {}", missing.join(", ")))
            );
        }
        self.bind_keyword_rest(env, parameters, given)
    }

    fn bind_keyword_rest(
        &mut self,
        env: &Rc<Env>,
        parameters: &Parameters,
        given: Option<&Rc<Hash>>,
    ) -> Res<()> {
        let mut others = crate::value::hash::Entries::default();
        if let Some(given) = given {
            let is_named = |key: &Value| matches!(key, Value::Sym(name) if parameters.keywords.iter().any(|keyword| keyword.name == *name));
            for (key, value) in given.entries().iter().filter(|(key, _)| !is_named(&key.value)) {
                others.insert(key.clone(), value.clone());
            }
        }
        if let Some((_, slot)) = parameters.keyword_rest {
            let rest = self.hash_of(others);
            env.set_own(slot, rest);
            return Ok(());
        }
        if others.is_empty() {
            return Ok(());
        }
        let mut names = Vec::new();
        for key in others.keys() {
            names.push(self.inspect(&key.value)?.to_string());
        }
        let plural = if names.len() == 1 { "" } else { "s" };
        Err(self.raise("ArgumentError", format!("unknown keyword{plural}: {}", names.join(", "))))
    }

    fn bind_block_parameter(&mut self, env: &Rc<Env>, parameters: &Parameters, args: &Args) {
        if let Some((_, slot)) = parameters.block {
            env.set_own(slot, args.block.clone().map_or(Value::Nil, Value::Proc));
        }
    }
}
