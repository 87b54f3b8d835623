//! Pattern matching.

use std::rc::Rc;

use super::{Res, Vm};
use crate::syntax::tree::{CaseIn, Expression, HashRest, Pattern, Slot};
use crate::value::hash::Identity;
use crate::value::{Env, Sym, Value, names};

impl Vm<'_> {
    /// Evaluates `case … in`.
    pub(super) fn eval_case_in(&mut self, env: &Rc<Env>, case: &CaseIn, line: u32) -> Res {
        let subject = self.eval(env, &case.subject)?;
        for branch in &case.branches {
            if !self.matches(env, &branch.pattern, &subject)? {
                continue;
            }
            let holds = match &branch.guard {
                Some((guard, negated)) => self.eval(env, guard)?.truthy() != *negated,
                None => true,
            };
            if holds {
                return self.eval(env, &branch.body);
            }
        }
        match &case.otherwise {
            Some(otherwise) => self.eval(env, otherwise),
            None => {
                self.at_line(line);
                Err(self.no_matching_pattern(&subject)?)
            }
        }
    }

    fn no_matching_pattern(&mut self, subject: &Value) -> Res<Box<super::Flow>> {
        let shown = self.inspect(subject)?;
        Ok(self.raise("NoMatchingPatternError", shown))
    }

    /// Evaluates `x in pattern` and `x => pattern`.
    pub(super) fn eval_match_pattern(
        &mut self,
        env: &Rc<Env>,
        value: &Expression,
        pattern: &Pattern,
        required: bool,
        line: u32,
    ) -> Res {
        let value = self.eval(env, value)?;
        let matches = self.matches(env, pattern, &value)?;
        if !required {
            return Ok(Value::Bool(matches));
        }
        if matches {
            return Ok(Value::Nil);
        }
        self.at_line(line);
        self.explain_mismatch(pattern, &value)
    }

    fn explain_mismatch(&mut self, pattern: &Pattern, value: &Value) -> Res {
        let shown = self.inspect(value)?;
        if let (Pattern::Hash { pairs, .. }, Value::Hash(hash)) = (pattern, value)
            && let Some((key, _)) = pairs.iter().find(|(key, _)| hash.get(&Identity::Sym(*key)).is_none())
        {
            let message = format!("{shown}: key not found: :{key}");
            return Err(self.raise("NoMatchingPatternKeyError", message));
        }
        Err(self.raise("NoMatchingPatternError", shown))
    }

    fn matches(&mut self, env: &Rc<Env>, pattern: &Pattern, value: &Value) -> Res<bool> {
        self.step()?;
        match pattern {
            Pattern::Ignore => Ok(true),
            Pattern::Value(node) => {
                let expected = self.eval(env, node)?;
                self.case_equal(&expected, value)
            }
            Pattern::Bind(slot) => {
                env.set(*slot, value.clone());
                Ok(true)
            }
            Pattern::Capture(inner, slot) => {
                let matches = self.matches(env, inner, value)?;
                if matches {
                    env.set(*slot, value.clone());
                }
                Ok(matches)
            }
            Pattern::Either(left, right) => {
                Ok(self.matches(env, left, value)? || self.matches(env, right, value)?)
            }
            Pattern::Array { of, before, rest, after } => {
                if !self.is_of(env, of.as_ref(), value)? {
                    return Ok(false);
                }
                let Some(items) = self.deconstruct(value)? else { return Ok(false) };
                self.matches_array(env, &items, (before, rest.as_ref(), after))
            }
            Pattern::Find { of, left, middle, right } => {
                if !self.is_of(env, of.as_ref(), value)? {
                    return Ok(false);
                }
                let Some(items) = self.deconstruct(value)? else { return Ok(false) };
                self.matches_find(env, &items, (*left, middle, *right))
            }
            Pattern::Hash { of, pairs, rest } => self
                .is_of(env, of.as_ref(), value)
                .and_then(|is_of| Ok(is_of && self.matches_hash(env, pairs, rest, value)?)),
        }
    }

    fn is_of(&mut self, env: &Rc<Env>, class: Option<&Expression>, value: &Value) -> Res<bool> {
        match class {
            Some(node) => {
                let class = self.eval(env, node)?;
                self.case_equal(&class, value)
            }
            None => Ok(true),
        }
    }

    fn deconstruct(&mut self, value: &Value) -> Res<Option<Vec<Value>>> {
        if let Value::Array(array) = value {
            return Ok(Some(array.to_vec()));
        }
        if !self.responds(value, names::DECONSTRUCT)? {
            return Ok(None);
        }
        match self.send(value, names::DECONSTRUCT, &[])? {
            Value::Array(array) => Ok(Some(array.to_vec())),
            _ => Err(self.raise("TypeError", "deconstruct must return Array")),
        }
    }

    fn matches_array(
        &mut self,
        env: &Rc<Env>,
        items: &[Value],
        (before, rest, after): (&[Pattern], Option<&Option<Slot>>, &[Pattern]),
    ) -> Res<bool> {
        let least = before.len() + after.len();
        if items.len() < least || (rest.is_none() && items.len() > least) {
            return Ok(false);
        }
        for (pattern, item) in before.iter().zip(items) {
            if !self.matches(env, pattern, item)? {
                return Ok(false);
            }
        }
        let end = items.len() - after.len();
        if let Some(Some(slot)) = rest {
            let rest = self.array(items[before.len()..end].to_vec());
            env.set(*slot, rest);
        }
        for (pattern, item) in after.iter().zip(&items[end..]) {
            if !self.matches(env, pattern, item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matches_find(
        &mut self,
        env: &Rc<Env>,
        items: &[Value],
        (left, middle, right): (Option<Slot>, &[Pattern], Option<Slot>),
    ) -> Res<bool> {
        let Some(last) = items.len().checked_sub(middle.len()) else { return Ok(false) };
        for start in 0..=last {
            let end = start + middle.len();
            if !self.matches_array(env, &items[start..end], (middle, None, &[]))? {
                continue;
            }
            for (slot, part) in [(left, &items[..start]), (right, &items[end..])] {
                if let Some(slot) = slot {
                    let part = self.array(part.to_vec());
                    env.set(slot, part);
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn matches_hash(
        &mut self,
        env: &Rc<Env>,
        pairs: &[(Sym, Pattern)],
        rest: &HashRest,
        value: &Value,
    ) -> Res<bool> {
        let hash = match value {
            Value::Hash(hash) => Rc::clone(hash),
            other => {
                if !self.responds(other, names::DECONSTRUCT_KEYS)? {
                    return Ok(false);
                }
                let keys = pairs.iter().map(|(key, _)| Value::Sym(*key)).collect();
                let keys = if matches!(rest, HashRest::Bind(_)) { Value::Nil } else { self.array(keys) };
                match self.send(other, names::DECONSTRUCT_KEYS, &[keys])? {
                    Value::Hash(hash) => hash,
                    _ => return Err(self.raise("TypeError", "deconstruct_keys must return Hash")),
                }
            }
        };
        for (key, pattern) in pairs {
            let Some(item) = hash.get(&Identity::Sym(*key)) else { return Ok(false) };
            if !self.matches(env, pattern, &item)? {
                return Ok(false);
            }
        }
        match rest {
            HashRest::Any => Ok(!pairs.is_empty() || hash.is_empty()),
            HashRest::None => Ok(hash.len() == pairs.len()),
            HashRest::Bind(slot) => {
                let mut others = hash.entries().clone();
                others.retain(|key, _| !pairs.iter().any(|(named, _)| key.identity == Identity::Sym(*named)));
                let others = self.hash_of(others);
                env.set(*slot, others);
                Ok(true)
            }
        }
    }
}
