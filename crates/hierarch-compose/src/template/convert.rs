//! Values here and values in templates: data is wrapped and not copied, what is not asked for is not evaluated.

use std::rc::Rc;
use std::sync::Arc;

use hierarch_pcore::value::symbol::BigInteger;
use hierarch_pcore::{Hash, Value};

use super::fault::Checked;
use super::renderer::Renderer;
use super::value::{Branch, Key, Pairs, Val};
use crate::expr::Instance;
use crate::expr::budget::NODE;
use crate::expr::item::Item;
use crate::expr::walk;

/// Makes a template's value of data that is evaluated as far as it is needed.
pub(super) fn wrapped(renderer: &mut Renderer, item: Item) -> Val {
    match item.seen() {
        Value::Undef => Val::None,
        Value::Boolean(truth) => Val::Bool(*truth),
        Value::Integer(number) => Val::Int(i128::from(*number)),
        Value::Float(number) => Val::Float(*number),
        Value::String(text) => Val::text(text.clone()),
        Value::Sensitive(inner) => {
            renderer.tainted = true;
            wrapped(renderer, Item::Done(Value::clone(inner)))
        }
        Value::Array(_) | Value::Hash(_) => Val::Branch(Branch::new(item)),
        value if Instance::of(value).is_some() => Val::Branch(Branch::new(item)),
        other => match big_integer(other) {
            Some(number) => Val::Int(number),
            None => Val::text(other.to_string()),
        },
    }
}

fn big_integer(value: &Value) -> Option<i128> {
    match value {
        Value::Foreign(foreign) => foreign.digits()?.parse().ok(),
        _ => None,
    }
}

fn attribute(renderer: &mut Renderer, id: u32, name: &str) -> Checked<Option<Val>> {
    let scope = renderer.scope.clone();
    Ok(walk::attribute(&scope, id, name)?.map(|item| wrapped(renderer, item)))
}

impl Branch {
    /// Returns what lies in it.
    fn part(&self, renderer: &mut Renderer, value: &Value) -> Checked<Val> {
        let item = self.item.part(value)?;
        Ok(wrapped(renderer, item))
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.item.seen(), Value::Array(_))
    }

    pub(super) fn len(&self, renderer: &Renderer) -> usize {
        match self.item.seen() {
            Value::Array(items) => items.len(),
            Value::Hash(map) => map.len(),
            value => Instance::of(value)
                .map_or(0, |instance| renderer.scope.world.tree.node(instance.id).attributes.len()),
        }
    }

    /// Returns the value of a key that is a text, without looking at others.
    pub(super) fn entry(&self, renderer: &mut Renderer, key: &str) -> Checked<Option<Val>> {
        match self.item.seen() {
            Value::Hash(map) => match map.get_str(key) {
                Some(value) => self.part(renderer, value).map(Some),
                None => Ok(None),
            },
            value => match Instance::of(value) {
                Some(instance) => attribute(renderer, instance.id, key),
                None => Ok(None),
            },
        }
    }

    /// Returns an item of a list, without looking at others.
    pub(super) fn item_at(&self, renderer: &mut Renderer, at: usize) -> Checked<Option<Val>> {
        match self.item.seen() {
            Value::Array(items) => match items.get(at) {
                Some(value) => self.part(renderer, value).map(Some),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Returns the same as a list or map of its own.
    pub(super) fn owned(&self, renderer: &mut Renderer) -> Checked<Val> {
        if let Some(owned) = self.owned.get() {
            return Ok(owned.clone());
        }
        let owned = match self.item.seen() {
            Value::Array(items) => {
                let parts = items.iter().map(|value| self.part(renderer, value)).collect::<Checked<_>>()?;
                renderer.list(parts)?
            }
            Value::Hash(map) => {
                let mut pairs = Pairs::default();
                for (key, value) in map.iter() {
                    let key = wrapped(renderer, Item::Done(key.clone()));
                    let value = self.part(renderer, value)?;
                    pairs.insert(renderer.key_of(&key)?, (key, value));
                }
                renderer.dict(pairs)?
            }
            value => {
                let id = Instance::of(value).map_or(0, |instance| instance.id);
                let world = Arc::clone(&renderer.scope.world);
                let mut pairs = Pairs::default();
                for key in world.tree.node(id).attributes.keys() {
                    let name = key.to_string();
                    if let Some(value) = attribute(renderer, id, &name)? {
                        let key = Val::text(name.as_str());
                        pairs.insert(Key::Text(name.into()), (key, value));
                    }
                }
                renderer.dict(pairs)?
            }
        };
        Ok(self.owned.get_or_init(|| owned).clone())
    }
}

impl Renderer {
    /// Makes a finished value of ours of a template's.
    pub(super) fn finished(&mut self, value: &Val) -> Checked<Value> {
        let mut left = self.scope.world.limits.size;
        let found = self.finish(value, &mut left, 0)?;
        Ok(found)
    }

    fn finish(&mut self, value: &Val, left: &mut usize, depth: usize) -> Checked<Value> {
        let bytes = NODE + value.as_text().map_or(0, str::len);
        match left.checked_sub(bytes) {
            Some(less) => *left = less,
            None => self.fits(usize::MAX)?,
        }
        self.go_through(bytes)?;
        self.budget.fits_depth(depth)?;
        Ok(match value {
            Val::Undefined(missing) if self.strict() && !missing.is_soft() => return Err(missing.fault()),
            Val::Undefined(_) => self.printed(value)?.into(),
            Val::None => Value::Undef,
            Val::Bool(truth) => (*truth).into(),
            Val::Int(number) => integer(*number),
            Val::Float(number) => (*number).into(),
            Val::Text(text) => text.text.clone().into(),
            Val::Branch(node) if node.owned.get().is_none() || Instance::of(node.item.seen()).is_some() => {
                let found = node.item.clone().value()?;
                self.budget.check(&found)?;
                found
            }
            Val::Branch(_) | Val::Rolled(_) => {
                let plain = self.plain(value)?;
                return self.finish(&plain, left, depth + 1);
            }
            Val::List(list) | Val::Tuple(list) => {
                let items = list.items.borrow().clone();
                let parts = items.iter().map(|item| self.finish(item, left, depth + 1));
                Value::array(parts.collect::<Checked<_>>()?)
            }
            Val::Dict(dict) => {
                let entries: Vec<(Val, Val)> = dict.pairs.borrow().values().cloned().collect();
                let mut map = Hash::new();
                for (key, value) in &entries {
                    let key = self.finish(key, left, depth + 1)?;
                    map.insert(key, self.finish(value, left, depth + 1)?);
                }
                map.into()
            }
            Val::Object(object) if object.sequence().is_some() => {
                let plain = self.plain(value)?;
                return self.finish(&plain, left, depth + 1);
            }
            Val::Object(object) => {
                let object = Rc::clone(object);
                object.printed(self)?.into()
            }
        })
    }
}

/// Makes an integer, which may be beyond 64 bits.
pub(crate) fn integer(number: i128) -> Value {
    match i64::try_from(number) {
        Ok(number) => number.into(),
        Err(_) => BigInteger::value(number.to_string()),
    }
}
