//! The clauses `select` and `foreach`: something evaluated for each match.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::value::Foreign;
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Result;

use super::budget::NODE;
use super::scope::Scope;
use super::{Matches, evaluate, python};

/// What an item's expression can return to steer the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Signal {
    Continue,
    Break,
}

impl Foreign for Signal {
    fn inferred(&self) -> Type {
        RuntimeType::ruby("Signal").into()
    }

    fn text(&self) -> String {
        format!("{self:?}").to_lowercase()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Signal {
    fn value(self) -> Value {
        Value::Foreign(Arc::new(self))
    }

    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Foreign(foreign) => foreign.as_any().downcast_ref().copied(),
            _ => None,
        }
    }
}

/// What a loop has made: values, and with `key` a map of them.
#[derive(Default)]
struct LoopResult {
    values: Vec<Value>,
    map: Option<Hash>,
}

/// Evaluates a form for each match. The result is a list even if it has one item.
pub(crate) fn foreach(scope: &Scope, found: Matches, form: &Value) -> Result<Matches> {
    if form.as_str() == Some("$true") {
        return Ok(Matches { list: true, ..found });
    }
    let made = run(scope, items(found), form)?;
    let all = made.map.map_or(made.values, |map| vec![map.into()]);
    Ok(Matches { all, list: true })
}

/// Evaluates a form for each match. One result is that result.
pub(crate) fn select(scope: &Scope, found: Matches, form: &Value) -> Result<Matches> {
    let made = run(scope, items(found), form)?;
    Ok(match made.map {
        Some(map) => Value::from(map).into(),
        None => Matches::several(made.values),
    })
}

/// Evaluates a form for one value: `foreach` called as a function.
pub(crate) fn single(scope: &Scope, item: Value, form: &Value) -> Result<Matches> {
    let made = run(scope, vec![item], form)?;
    let all = made.map.map_or(made.values, |map| vec![map.into()]);
    Ok(Matches::several(all))
}

/// A single match that is a list stands for its items.
fn items(found: Matches) -> Vec<Value> {
    match found.all.as_slice() {
        [Value::Array(items)] => items.to_vec(),
        _ => found.all,
    }
}

fn run(scope: &Scope, items: Vec<Value>, form: &Value) -> Result<LoopResult> {
    let (key, value) = parts(form);
    let mut made = LoopResult { map: key.map(|_| Hash::new()), ..LoopResult::default() };
    let collection = Value::array(items.clone());
    for (index, item) in items.into_iter().enumerate() {
        let scope = item_scope(scope, item, index, &collection);
        let found = evaluate::form(&scope, value)?;
        match found.all.first().and_then(Signal::of) {
            Some(Signal::Continue) => continue,
            Some(Signal::Break) => break,
            None => {}
        }
        if found.all.is_empty() {
            continue;
        }
        scope.world.budget.take(NODE)?;
        match (&mut made.map, key) {
            (Some(map), Some(key)) => {
                let key = evaluate::form(&scope, key)?.one();
                let key = if key.as_str().is_some() { key } else { python::text(&key).into() };
                map.insert(key, found.one());
            }
            _ => made.values.push(found.one()),
        }
    }
    Ok(made)
}

/// Splits a form with `key` or `value` and nothing else.
fn parts(form: &Value) -> (Option<&Value>, &Value) {
    static ITEM: Value = Value::String(Str::inline("$item"));
    let Some(map) = form.as_hash() else { return (None, form) };
    let only = map.keys().all(|key| matches!(key.as_str(), Some("key" | "value")));
    if map.is_empty() || !only {
        return (None, form);
    }
    (map.get_str("key"), map.get_str("value").unwrap_or(&ITEM))
}

fn item_scope(scope: &Scope, item: Value, index: usize, collection: &Value) -> Scope {
    let variables = [
        ("item", item.clone()),
        ("index", index.into()),
        ("key", index.into()),
        ("collection", collection.clone()),
        ("continue", Signal::Continue.value()),
        ("break", Signal::Break.value()),
    ];
    let named = variables.into_iter().map(|(name, value)| (Str::from(name), value));
    scope.at_item(item).with_ready(named)
}
