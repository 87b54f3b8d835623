//! A value on the way through a path: finished, or data that may still hold expressions.

use std::sync::Arc;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::active::{is_expression, is_template};
use super::evaluate;
use super::scope::Scope;
use super::world::Place;
use crate::template;

/// A value of which only what is needed gets evaluated.
#[derive(Clone)]
pub(crate) enum Item {
    Done(Value),
    Raw(Raw),
}

/// Data, the scope its expressions stand in and, if it belongs to the tree, its place.
#[derive(Clone)]
pub(crate) struct Raw {
    pub(crate) value: Value,
    pub(crate) scope: Scope,
    pub(crate) place: Option<Place>,
}

impl Item {
    /// Returns the value as it stands, whatever it holds.
    pub(crate) fn seen(&self) -> &Value {
        match self {
            Self::Done(value) => value,
            Self::Raw(raw) => &raw.value,
        }
    }

    /// Returns the value with everything in it evaluated.
    pub(crate) fn value(self) -> Result<Value> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Raw(raw) => raw.resolve(),
        }
    }

    /// Returns the item with itself evaluated, if it is an expression or a template.
    pub(crate) fn woken(self) -> Result<Self> {
        match self {
            Self::Raw(raw) => match &raw.value {
                Value::String(text) if is_template(text) => raw.resolve().map(Self::Done),
                Value::Hash(map) if is_expression(map) => raw.resolve().map(Self::Done),
                Value::Hash(_) | Value::Array(_) => Ok(Self::Raw(raw)),
                _ => Ok(Self::Done(raw.value)),
            },
            done @ Self::Done(_) => Ok(done),
        }
    }

    /// Returns what lies in it: a part of the same data.
    pub(crate) fn part(&self, value: &Value) -> Result<Self> {
        match self {
            Self::Done(_) => Ok(Self::Done(value.clone())),
            Self::Raw(raw) => Self::Raw(raw.part(value)).woken(),
        }
    }
}

impl Raw {
    fn part(&self, value: &Value) -> Self {
        let place = self.place.map(|place| place.part(value));
        Self { value: value.clone(), scope: self.scope.clone(), place }
    }

    /// Returns the data with its expressions and templates replaced by what they give.
    pub(crate) fn resolve(&self) -> Result<Value> {
        Ok(self.resolved()?.unwrap_or_else(|| self.value.clone()))
    }

    /// Returns nothing where nothing changes, so that plain data is shared and not copied.
    fn resolved(&self) -> Result<Option<Value>> {
        match &self.value {
            Value::String(text) if is_template(text) => {
                let scope = self.scope.placed(self.place);
                self.once(|| template::render(&scope, text)).map(Some)
            }
            Value::Hash(map) if is_expression(map) => {
                let scope = self.scope.placed(self.place);
                self.once(|| Ok(evaluate::expression(&scope, &self.value)?.one())).map(Some)
            }
            Value::Hash(map) => self.resolved_map(map),
            Value::Array(items) => self.resolved_list(items),
            _ => Ok(None),
        }
    }

    fn once(&self, evaluate: impl FnOnce() -> Result<Value>) -> Result<Value> {
        match self.place {
            Some(place) => {
                let world = &self.scope.world;
                world.once(place, evaluate).map_err(|error| world.located(place, &self.value, error))
            }
            None => evaluate(),
        }
    }

    fn resolved_map(&self, map: &Arc<Hash>) -> Result<Option<Value>> {
        let mut changed: Option<Hash> = None;
        for (key, value) in map.iter() {
            if let Some(value) = self.resolved_part(value)? {
                changed.get_or_insert_with(|| Hash::clone(map)).insert(key.clone(), value);
            }
        }
        Ok(changed.map(Value::from))
    }

    fn resolved_list(&self, items: &[Value]) -> Result<Option<Value>> {
        let mut changed: Option<Vec<Value>> = None;
        for (slot, value) in items.iter().enumerate() {
            if let Some(value) = self.resolved_part(value)? {
                changed.get_or_insert_with(|| items.to_vec())[slot] = value;
            }
        }
        Ok(changed.map(Value::from))
    }

    fn resolved_part(&self, value: &Value) -> Result<Option<Value>> {
        match value {
            Value::String(text) if !is_template(text) => Ok(None),
            Value::String(_) | Value::Hash(_) | Value::Array(_) => {
                let part = self.part(value);
                let resolved = self.scope.world.nested(|| part.resolved());
                resolved.map_err(|error| self.scope.located(value, error))
            }
            _ => Ok(None),
        }
    }
}
