//! Values here and values in templates: collections are wrapped and not copied, what is not asked for is not evaluated.

use std::sync::Arc;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;
use minijinja::Error as JinjaError;
use minijinja::value::{Enumerator, Object, ObjectRepr, Value as JinjaValue, ValueKind};

use super::bridge::Taint;
use super::failure::to_jinja_error;
use super::held::Held;
use super::issues;
use super::names::Missing;
use crate::expr::Instance;
use crate::expr::item::Item;
use crate::expr::scope::Scope;
use crate::expr::walk;

/// A collection or an instance, as templates see it.
pub(super) struct Node {
    item: Item,
    scope: Scope,
    taint: Taint,
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.item.seen())
    }
}

/// Makes a template's value; one that cannot be had is an error when it is used.
pub(super) fn to_jinja(scope: &Scope, item: Item, taint: &Taint) -> JinjaValue {
    match item.woken() {
        Ok(item) => wrapped(scope, item, taint),
        Err(error) => JinjaValue::from(to_jinja_error(error)),
    }
}

fn wrapped(scope: &Scope, item: Item, taint: &Taint) -> JinjaValue {
    match item.seen() {
        Value::Undef => JinjaValue::from(()),
        Value::Boolean(truth) => JinjaValue::from(*truth),
        Value::Integer(number) => JinjaValue::from(*number),
        Value::Float(number) => JinjaValue::from(*number),
        Value::String(text) => match scope.world.texts.copy_of(text) {
            Some(copy) => JinjaValue::from(copy),
            None => JinjaValue::from(text.as_str()),
        },
        Value::Sensitive(inner) => {
            taint.set();
            wrapped(scope, Item::Done(Value::clone(inner)), taint)
        }
        Value::Array(_) | Value::Hash(_) => {
            JinjaValue::from_object(Node { item, scope: scope.clone(), taint: taint.clone() })
        }
        value if Instance::of(value).is_some() => {
            JinjaValue::from_object(Node { item, scope: scope.clone(), taint: taint.clone() })
        }
        other => JinjaValue::from(other.to_string()),
    }
}

impl Node {
    fn part(&self, value: &Value) -> JinjaValue {
        match self.item.part(value) {
            Ok(item) => wrapped(&self.scope, item, &self.taint),
            Err(error) => JinjaValue::from(to_jinja_error(error)),
        }
    }

    fn attribute(&self, id: u32, name: &str) -> Option<JinjaValue> {
        match walk::attribute(&self.scope, id, name) {
            Ok(item) => item.map(|item| wrapped(&self.scope, item, &self.taint)),
            Err(error) => Some(JinjaValue::from(to_jinja_error(error))),
        }
    }
}

impl Object for Node {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        if matches!(self.item.seen(), Value::Array(_)) { ObjectRepr::Seq } else { ObjectRepr::Map }
    }

    fn get_value(self: &Arc<Self>, key: &JinjaValue) -> Option<JinjaValue> {
        match self.item.seen() {
            Value::Array(items) => items.get(key.as_usize()?).map(|value| self.part(value)),
            Value::Hash(map) => match key.as_str() {
                Some(name) => map.get_str(name).map(|value| self.part(value)),
                None => map.get(&from_jinja(key).ok()?).map(|value| self.part(value)),
            },
            value => self.attribute(Instance::of(value)?.id, key.as_str()?),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let keys = |map: &Hash| {
            map.keys().map(|key| wrapped(&self.scope, Item::Done(key.clone()), &self.taint)).collect()
        };
        match self.item.seen() {
            Value::Array(items) => Enumerator::Seq(items.len()),
            Value::Hash(map) => Enumerator::Values(keys(map)),
            value => match Instance::of(value) {
                Some(instance) => {
                    Enumerator::Values(keys(&self.scope.world.tree.node(instance.id).attributes))
                }
                None => Enumerator::NonEnumerable,
            },
        }
    }

    fn render(self: &Arc<Self>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match from_jinja(&JinjaValue::from_dyn_object(Arc::clone(self))) {
            Ok(value) => f.write_str(&crate::expr::python::text(&value)),
            Err(error) => write!(f, "{error}"),
        }
    }
}

/// Makes a finished value of ours of a template's.
pub(super) fn from_jinja(value: &JinjaValue) -> std::result::Result<Value, JinjaError> {
    if let Some(node) = value.downcast_object_ref::<Node>() {
        let found = node.item.clone().value().map_err(to_jinja_error)?;
        node.scope.world.budget.check(&found).map_err(to_jinja_error)?;
        return Ok(found);
    }
    if let Some(held) = value.downcast_object_ref::<Held>() {
        let found = from_jinja(&held.inner())?;
        held.unmeasured().map_or(Ok(()), |budget| budget.check(&found)).map_err(to_jinja_error)?;
        return Ok(found);
    }
    if value.downcast_object_ref::<Missing>().is_some() {
        return Ok(value.to_string().into());
    }
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => Ok(Value::Undef),
        ValueKind::Bool => Ok(value.is_true().into()),
        ValueKind::Number => match value.as_i64() {
            Some(number) if value.is_integer() => Ok(number.into()),
            _ => f64::try_from(value.clone()).map(Value::from),
        },
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter()?.map(|item| defined(&item));
            Ok(Value::array(items.collect::<std::result::Result<_, _>>()?))
        }
        ValueKind::Map => {
            let mut map = Hash::new();
            for key in value.try_iter()? {
                map.insert(from_jinja(&key)?, defined(&value.get_item(&key)?)?);
            }
            Ok(map.into())
        }
        ValueKind::Invalid => match value.try_iter() {
            Err(error) => Err(error),
            Ok(_) => Err(issues::invalid_value()),
        },
        _ => Ok(value.to_string().into()),
    }
}

/// A collection holds no undefined values.
fn defined(value: &JinjaValue) -> std::result::Result<Value, JinjaError> {
    if value.is_undefined() {
        return Err(issues::undefined_part());
    }
    from_jinja(value)
}

/// Makes a template's value of a finished one, for what filters return.
pub(super) fn finished(value: Value) -> JinjaValue {
    match value {
        Value::Array(items) => items.iter().cloned().map(finished).collect(),
        Value::Hash(map) => JinjaValue::from_pairs(
            map.iter().map(|(key, value)| (finished(key.clone()), finished(value.clone()))),
        ),
        Value::Undef => JinjaValue::from(()),
        Value::Boolean(truth) => JinjaValue::from(truth),
        Value::Integer(number) => JinjaValue::from(number),
        Value::Float(number) => JinjaValue::from(number),
        Value::String(text) => JinjaValue::from(text.as_str()),
        other => JinjaValue::from(other.to_string()),
    }
}

/// Returns the text that is printed for a value.
pub(super) fn printed(value: &JinjaValue) -> std::result::Result<String, JinjaError> {
    match value.downcast_object_ref::<Node>() {
        Some(_) => Ok(crate::expr::python::text(&from_jinja(value)?)),
        None if value.is_tuple() => from_jinja(value).map(|_| value.to_string()),
        None => match value.kind() {
            ValueKind::Number if !value.is_integer() => Ok(crate::expr::python::text(&from_jinja(value)?)),
            ValueKind::Invalid => from_jinja(value).map(|_| String::new()),
            ValueKind::Seq | ValueKind::Map => from_jinja(value).map(|_| value.to_string()),
            _ => Ok(value.to_string()),
        },
    }
}

/// Makes a template's value of what an expression gave.
pub(super) fn given(
    scope: &Scope,
    value: Result<Value>,
    taint: &Taint,
) -> std::result::Result<JinjaValue, JinjaError> {
    Ok(wrapped(scope, Item::Done(value.map_err(to_jinja_error)?), taint))
}
