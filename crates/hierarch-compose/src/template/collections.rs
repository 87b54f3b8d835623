//! Ansible's filters for lists and maps.

use hierarch_pcore::{Hash, Value};
use minijinja::value::{Kwargs, Rest, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};

use super::engine::Engine;
use super::issues;
use super::names::Missing;
use super::value::{finished, from_jinja};
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("combine", combine);
    engine.add_filter("dict2items", dict2items);
    engine.add_filter("items2dict", items2dict);
    engine.add_filter("flatten", flatten);
    engine.add_filter("union", |a, b| sets(&a, &b, |a, b| [a, b].concat()));
    engine.add_filter("intersect", |a, b| sets(&a, &b, |a, b| within(&a, &b)));
    engine.add_filter("difference", |a, b| sets(&a, &b, |a, b| without(&a, &b)));
    engine.add_filter("symmetric_difference", |a, b| {
        sets(&a, &b, |a, b| [without(&a, &b), without(&b, &a)].concat())
    });
    engine.add_filter("unique", |a: JinjaValue| Ok::<_, JinjaError>(finished(distinct(list(&a)?).into())));
    engine.add_filter("ternary", ternary);
    engine.add_filter("bool", to_bool);
    engine.add_filter("default", default);
    engine.add_filter("d", default);
    engine.add_function("undef", |_: Kwargs| JinjaValue::UNDEFINED);
    engine.add_filter("mandatory", mandatory);
    engine.add_filter("extract", extract);
    engine.add_filter("type_debug", type_debug);
}

fn list(value: &JinjaValue) -> Result<Vec<Value>, JinjaError> {
    match from_jinja(value)? {
        Value::Array(items) => Ok(items.to_vec()),
        other => Err(issues::list_needed(&other)),
    }
}

fn map(value: &JinjaValue) -> Result<Hash, JinjaError> {
    match from_jinja(value)? {
        Value::Hash(map) => Ok(Hash::clone(&map)),
        other => Err(issues::map_needed(&other)),
    }
}

/// Merges maps, later ones over earlier ones; with `recursive`, maps inside them, too.
fn combine(first: JinjaValue, others: Rest<JinjaValue>, named: Kwargs) -> Made {
    let recursive = named.get::<Option<bool>>("recursive")?.unwrap_or(false);
    let lists = named.get::<Option<String>>("list_merge")?.unwrap_or_else(|| "replace".into());
    named.assert_all_used()?;
    let mut merged = Hash::new();
    // Ansible takes a list of maps in the first place, too.
    for other in std::iter::once(&first).chain(others.iter()) {
        let maps = if matches!(from_jinja(other)?, Value::Array(_)) {
            list(other)?
        } else {
            vec![from_jinja(other)?]
        };
        for other in maps {
            let Value::Hash(other) = other else { return Err(issues::combines_maps()) };
            merged = over(merged, &other, recursive, &lists)?;
        }
    }
    Ok(finished(merged.into()))
}

fn over(mut under: Hash, over_it: &Hash, recursive: bool, lists: &str) -> Result<Hash, JinjaError> {
    for (key, value) in over_it {
        let merged = match (under.get(key), value) {
            (Some(Value::Hash(old)), Value::Hash(new)) if recursive => {
                over(Hash::clone(old), new, true, lists)?.into()
            }
            (Some(Value::Array(old)), Value::Array(new)) => merged_lists(old, new, lists)?.into(),
            _ => value.clone(),
        };
        under.insert(key.clone(), merged);
    }
    Ok(under)
}

fn merged_lists(old: &[Value], new: &[Value], how: &str) -> Result<Vec<Value>, JinjaError> {
    Ok(match how {
        "replace" => new.to_vec(),
        "keep" => old.to_vec(),
        "append" => [old, new].concat(),
        "prepend" => [new, old].concat(),
        "append_rp" => [without(old, new), new.to_vec()].concat(),
        "prepend_rp" => [new.to_vec(), without(old, new)].concat(),
        other => return Err(issues::unknown_list_merge(other)),
    })
}

fn names_of(named: &Kwargs) -> Result<(String, String), JinjaError> {
    let key = named.get::<Option<String>>("key_name")?.unwrap_or_else(|| "key".into());
    let value = named.get::<Option<String>>("value_name")?.unwrap_or_else(|| "value".into());
    Ok((key, value))
}

fn dict2items(value: JinjaValue, named: Kwargs) -> Made {
    let (key_name, value_name) = names_of(&named)?;
    let pair = |(key, value)| -> Value {
        [(key_name.as_str(), key), (value_name.as_str(), value)].into_iter().collect::<Hash>().into()
    };
    Ok(finished(Value::array(map(&value)?.into_iter().map(pair).collect())))
}

fn items2dict(value: JinjaValue, named: Kwargs) -> Made {
    let (key_name, value_name) = names_of(&named)?;
    let mut made = Hash::new();
    for item in list(&value)? {
        let part = |name: &str| item.as_hash().and_then(|map| map.get_str(name)).cloned();
        let (Some(key), Some(value)) = (part(&key_name), part(&value_name)) else {
            return Err(issues::items_without(&key_name, &value_name));
        };
        made.insert(key, value);
    }
    Ok(finished(made.into()))
}

/// Unpacks lists in lists, all of them or as many levels as asked for; nulls are left out.
fn flatten(value: JinjaValue, levels: Option<i64>, named: Kwargs) -> Made {
    let levels = levels.or(named.get::<Option<i64>>("levels")?).unwrap_or(i64::MAX);
    let skip = named.get::<Option<bool>>("skip_nulls")?.unwrap_or(true);
    let mut out = Vec::new();
    flatten_into(&list(&value)?, levels, skip, &mut out);
    Ok(finished(out.into()))
}

fn flatten_into(items: &[Value], levels: i64, skip: bool, out: &mut Vec<Value>) {
    for item in items {
        match item {
            Value::Undef if skip => {}
            Value::Array(inner) if levels > 0 => flatten_into(inner, levels - 1, skip, out),
            other => out.push(other.clone()),
        }
    }
}

fn sets(a: &JinjaValue, b: &JinjaValue, make: impl Fn(Vec<Value>, Vec<Value>) -> Vec<Value>) -> Made {
    Ok(finished(distinct(make(list(a)?, list(b)?)).into()))
}

fn distinct(items: Vec<Value>) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for item in items {
        if !seen.iter().any(|known| python::equal(known, &item)) {
            seen.push(item);
        }
    }
    seen
}

fn within(items: &[Value], others: &[Value]) -> Vec<Value> {
    items.iter().filter(|item| others.iter().any(|other| python::equal(item, other))).cloned().collect()
}

fn without(items: &[Value], others: &[Value]) -> Vec<Value> {
    items.iter().filter(|item| !others.iter().any(|other| python::equal(item, other))).cloned().collect()
}

fn ternary(value: JinjaValue, yes: JinjaValue, no: JinjaValue, none: Option<JinjaValue>) -> JinjaValue {
    match none {
        Some(none) if value.is_none() => none,
        _ if value.is_true() => yes,
        _ => no,
    }
}

/// Ansible's truth: `yes`, `on`, `1`, `true` in any case; null stays null.
fn to_bool(value: JinjaValue) -> Made {
    Ok(match from_jinja(&value)? {
        Value::Undef => JinjaValue::from(()),
        Value::Boolean(truth) => truth.into(),
        other => matches!(python::text(&other).to_lowercase().as_str(), "yes" | "on" | "1" | "true").into(),
    })
}

/// Replaces what is undefined; with `true`, also what counts as false.
fn default(
    _: &mut State,
    value: JinjaValue,
    other: Option<JinjaValue>,
    falsy: Option<bool>,
    named: Kwargs,
) -> Made {
    let other = other.or(named.get("default_value")?).unwrap_or_else(|| JinjaValue::from(""));
    let falsy = falsy.or(named.get("boolean")?).unwrap_or(false);
    let missing = value.is_undefined() || value.downcast_object_ref::<Missing>().is_some();
    Ok(if missing || (falsy && !value.is_true()) { other } else { value })
}

fn mandatory(value: JinjaValue, message: Option<String>, named: Kwargs) -> Made {
    let message = message.or(named.get("msg")?);
    if value.is_undefined() || value.downcast_object_ref::<Missing>().is_some() {
        return Err(issues::mandatory(message));
    }
    Ok(value)
}

fn extract(key: JinjaValue, container: JinjaValue, more: Option<JinjaValue>) -> Made {
    let mut here = container.get_item(&key)?;
    let keys = match more {
        None => Vec::new(),
        Some(more) if more.kind() == minijinja::value::ValueKind::Seq => more.try_iter()?.collect(),
        Some(more) => vec![more],
    };
    for key in keys {
        here = here.get_item(&key)?;
    }
    Ok(here)
}

fn type_debug(value: JinjaValue) -> Result<&'static str, JinjaError> {
    if value.is_undefined() {
        return Ok("AnsibleUndefined");
    }
    Ok(match from_jinja(&value)? {
        Value::Undef => "NoneType",
        Value::Boolean(_) => "bool",
        Value::Integer(_) => "int",
        Value::Float(_) => "float",
        Value::Array(_) => "list",
        Value::Hash(_) => "dict",
        _ => "str",
    })
}
