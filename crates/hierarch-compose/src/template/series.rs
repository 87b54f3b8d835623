//! Filters and functions that make lists of lists: combinations, products, pairs, random picks, and things to count with.

use std::sync::{Arc, Mutex, PoisonError};

use hierarch_pcore::{Hash, Value};
use minijinja::value::{Kwargs, Object, ObjectRepr, Rest, Value as JinjaValue};
use minijinja::{Error as JinjaError, ErrorKind, State};

use super::bridge::Bridge;
use super::engine::Engine;
use super::failure::to_jinja_error;
use super::issues;
use super::value::{finished, from_jinja};
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("zip", |first: JinjaValue, others: Rest<JinjaValue>| zipped(&first, &others, None));
    engine.add_filter("zip_longest", |first: JinjaValue, others: Rest<JinjaValue>, named: Kwargs| {
        let fill = named.get::<Option<JinjaValue>>("fillvalue")?;
        let fill = fill.as_ref().map(from_jinja).transpose()?.unwrap_or_default();
        zipped(&first, &others, Some(fill))
    });
    engine.add_filter("product", |first: JinjaValue, others: Rest<JinjaValue>| product(&first, &others));
    engine.add_filter("permutations", |list: JinjaValue, size: Option<usize>| picks(&list, size, true));
    engine.add_filter("combinations", |list: JinjaValue, size: usize| picks(&list, Some(size), false));
    engine.add_filter("subelements", subelements);
    engine.add_filter("rekey_on_member", rekey_on_member);
    engine.add_filter("random", random);
    engine.add_filter("shuffle", shuffle);
    engine.add_function("cycler", |items: Rest<JinjaValue>| {
        JinjaValue::from_object(Cycler { items: items.to_vec(), next: Mutex::new(0) })
    });
    engine.add_function("joiner", |between: Option<String>| {
        JinjaValue::from_object(Joiner {
            between: between.unwrap_or_else(|| ", ".into()),
            used: Mutex::new(false),
        })
    });
}

/// No list of lists has more members than this.
const MOST: usize = 100_000;

/// Returns what can be walked as a list: of a map, its keys.
pub(super) fn items(value: &JinjaValue) -> Result<Vec<Value>, JinjaError> {
    match from_jinja(value)? {
        Value::Array(items) => Ok(items.to_vec()),
        Value::Hash(map) => Ok(map.keys().cloned().collect()),
        Value::String(text) => Ok(text.chars().map(|c| Value::from(c.to_string())).collect()),
        other => Err(issues::list_needed(&other)),
    }
}

fn lists(first: &JinjaValue, others: &[JinjaValue]) -> Result<Vec<Vec<Value>>, JinjaError> {
    std::iter::once(first).chain(others).map(items).collect()
}

/// Puts first with first, second with second; up to the shortest list, or to the longest with something to fill up.
fn zipped(first: &JinjaValue, others: &[JinjaValue], fill: Option<Value>) -> Made {
    let lists = lists(first, others)?;
    let lengths = lists.iter().map(Vec::len);
    let length = if fill.is_some() { lengths.max() } else { lengths.min() }.unwrap_or(0);
    let fill = fill.unwrap_or_default();
    let row = |index: usize| {
        Value::array(lists.iter().map(|list| list.get(index).unwrap_or(&fill).clone()).collect())
    };
    Ok(finished(Value::array((0..length).map(row).collect())))
}

fn product(first: &JinjaValue, others: &[JinjaValue]) -> Made {
    let lists = lists(first, others)?;
    Ok(finished(all_of(&lists)?))
}

/// Returns every choice of one item from each list.
pub(super) fn all_of(lists: &[Vec<Value>]) -> Result<Value, JinjaError> {
    let count = lists.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len()));
    if count.is_none_or(|count| count > MOST) {
        return Err(issues::product_too_large(MOST));
    }
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for list in lists {
        let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
            list.iter().map(|item| [row.as_slice(), std::slice::from_ref(item)].concat()).collect()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    Ok(Value::array(rows.into_iter().map(Value::from).collect()))
}

/// Returns every way to pick some items: in any order, or in theirs.
fn picks(list: &JinjaValue, size: Option<usize>, any_order: bool) -> Made {
    let items = items(list)?;
    let size = size.unwrap_or(items.len());
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size.min(items.len() + 1) {
        let mut longer = Vec::new();
        for row in &rows {
            let from = if any_order { 0 } else { row.last().map_or(0, |last| last + 1) };
            for index in (from..items.len()).filter(|index| !row.contains(index)) {
                longer.push([row.as_slice(), &[index]].concat());
            }
            if longer.len() > MOST {
                return Err(issues::too_many_picks(MOST, size));
            }
        }
        rows = longer;
    }
    let picked = |row: Vec<usize>| Value::array(row.into_iter().map(|index| items[index].clone()).collect());
    Ok(finished(Value::array(rows.into_iter().map(picked).collect())))
}

/// Puts each element with each item of one of its lists.
fn subelements(value: JinjaValue, path: JinjaValue, skip_missing: Option<bool>, named: Kwargs) -> Made {
    let skip = skip_missing.or(named.get("skip_missing")?).unwrap_or(false);
    let elements = match from_jinja(&value)? {
        Value::Hash(map) => map.values().cloned().collect(),
        Value::Array(items) => items.to_vec(),
        _ => return Err(issues::subelements_of_neither()),
    };
    let keys: Vec<String> = match from_jinja(&path)? {
        Value::Array(keys) => keys.iter().map(python::text).collect(),
        other => python::text(&other).split('.').map(str::to_owned).collect(),
    };
    Ok(finished(pairs_of(elements, &keys, skip).map_err(to_jinja_error)?.into()))
}

/// Returns pairs of an element and an item of the list that the keys lead to.
pub(crate) fn pairs_of(
    elements: Vec<Value>,
    keys: &[String],
    skip: bool,
) -> hierarch_source::Result<Vec<Value>> {
    let mut pairs = Vec::new();
    for element in elements {
        let found = keys.iter().try_fold(&element, |here, key| here.as_hash()?.get_str(key));
        match found {
            Some(Value::Array(items)) => {
                pairs.extend(items.iter().map(|item| Value::array(vec![element.clone(), item.clone()])));
            }
            None if skip => {}
            None => {
                return Err(issues::subelements_missing(keys, &element));
            }
            Some(other) => {
                return Err(issues::subelements_no_list(keys, other));
            }
        }
    }
    Ok(pairs)
}

fn rekey_on_member(value: JinjaValue, key: String, duplicates: Option<String>, named: Kwargs) -> Made {
    let duplicates = duplicates.or(named.get("duplicates")?).unwrap_or_else(|| "error".into());
    let rows = match from_jinja(&value)? {
        Value::Hash(map) => map.values().cloned().collect(),
        Value::Array(items) => items.to_vec(),
        _ => return Err(issues::rekey_of_neither()),
    };
    let mut made = Hash::new();
    for row in rows {
        let Some(name) = row.as_hash().and_then(|map| map.get_str(&key)).cloned() else {
            return Err(issues::rekey_without(&key));
        };
        if duplicates != "overwrite" && made.contains_key(&name) {
            return Err(issues::rekey_twice(&name));
        }
        made.insert(name, row);
    }
    Ok(finished(made.into()))
}

/// Returns a number below a bound that nobody can guess.
fn chance(state: &State, below: usize) -> Result<usize, JinjaError> {
    let mut bytes = [0; 8];
    Bridge::of(state)?.scope.world.host.random(&mut bytes).map_err(to_jinja_error)?;
    Ok((u64::from_le_bytes(bytes) % below.max(1) as u64) as usize)
}

fn refuse_seed(named: &Kwargs) -> Result<(), JinjaError> {
    if named.get::<Option<JinjaValue>>("seed")?.is_some() {
        return Err(issues::no_seed());
    }
    Ok(())
}

fn random(state: &mut State, value: JinjaValue, named: Kwargs) -> Made {
    refuse_seed(&named)?;
    if let Some(below) = value.as_usize() {
        let start = named.get::<Option<usize>>("start")?.unwrap_or(0);
        let step = named.get::<Option<usize>>("step")?.unwrap_or(1).max(1);
        let choices = below.saturating_sub(start).div_ceil(step);
        return Ok((start + step * chance(state, choices)?).into());
    }
    let items = items(&value)?;
    if items.is_empty() {
        return Err(issues::nothing_to_choose());
    }
    Ok(finished(items[chance(state, items.len())?].clone()))
}

fn shuffle(state: &mut State, value: JinjaValue, named: Kwargs) -> Made {
    refuse_seed(&named)?;
    let mut items = items(&value)?;
    for last in (1..items.len()).rev() {
        items.swap(last, chance(state, last + 1)?);
    }
    Ok(finished(items.into()))
}

/// Gives its items in turn.
#[derive(Debug)]
pub(super) struct Cycler {
    pub(super) items: Vec<JinjaValue>,
    next: Mutex<usize>,
}

impl Object for Cycler {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &JinjaValue) -> Option<JinjaValue> {
        let next = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
        (key.as_str() == Some("current")).then(|| self.items.get(next).cloned()).flatten()
    }

    fn call_method(self: &Arc<Self>, _: &mut State, method: &str, _: &[JinjaValue]) -> Made {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        match method {
            "next" if !self.items.is_empty() => {
                let item = self.items[*next].clone();
                *next = (*next + 1) % self.items.len();
                Ok(item)
            }
            "reset" => {
                *next = 0;
                Ok(JinjaValue::from(()))
            }
            _ => Err(JinjaError::from(ErrorKind::UnknownMethod)),
        }
    }
}

/// Nothing when it is first called, then always the same text.
#[derive(Debug)]
struct Joiner {
    between: String,
    used: Mutex<bool>,
}

impl Object for Joiner {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &mut State, _: &[JinjaValue]) -> Made {
        let used = std::mem::replace(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner), true);
        Ok(if used { self.between.as_str().into() } else { "".into() })
    }
}
