//! Ansible's tests: `is match`, `is search`, `is subset`, and what undefined names mean.

use minijinja::value::{Kwargs, Value as JinjaValue, ValueKind};
use minijinja::{Error as JinjaError, State};

use super::engine::Engine;
use super::failure::to_jinja_error;
use super::issues;
use super::names::Missing;
use super::regexes::compiled;
use super::value::from_jinja;
use super::versions;
use crate::expr::python;
use hierarch_pcore::Value;

type Truth = Result<bool, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_test("match", |state: &mut State, value: JinjaValue, pattern: String, named: Kwargs| {
        finds(state, &value, &format!("\\A(?:{pattern})"), &named)
    });
    engine.add_test("search", |state: &mut State, value: JinjaValue, pattern: String, named: Kwargs| {
        finds(state, &value, &pattern, &named)
    });
    engine.add_test("regex", |state: &mut State, value: JinjaValue, pattern: String, named: Kwargs| {
        finds(state, &value, &pattern, &named)
    });
    engine.add_test("defined", |value: JinjaValue| !is_missing(&value));
    engine.add_test("undefined", |value: JinjaValue| is_missing(&value));
    engine.add_test("truthy", |value: JinjaValue, named: Kwargs| is_truthy(&value, &named));
    engine
        .add_test("falsy", |value: JinjaValue, named: Kwargs| is_truthy(&value, &named).map(|truth| !truth));
    engine.add_test("version", versions::compare);
    engine.add_test("version_compare", versions::compare);
    engine.add_test("abs", |path: String| path.starts_with('/'));
    engine.add_test("nan", |value: f64| value.is_nan());
    engine.add_test("callable", |value: JinjaValue| value.kind() == ValueKind::Plain);
    for (name, key) in
        [("failed", "failed"), ("failure", "failed"), ("changed", "changed"), ("change", "changed")]
    {
        engine.add_test(name, |value: JinjaValue| is_set(&value, key));
    }
    for (name, key) in [("skipped", "skipped"), ("skip", "skipped"), ("unreachable", "unreachable")] {
        engine.add_test(name, |value: JinjaValue| is_set(&value, key));
    }
    for name in ["succeeded", "success", "successful"] {
        engine.add_test(name, |value: JinjaValue| is_set(&value, "failed").map(|failed| !failed));
    }
    engine.add_test("uri", |value: String, schemes: Option<Vec<String>>| is_uri(&value, schemes.as_deref()));
    engine.add_test("url", |value: String, schemes: Option<Vec<String>>| {
        is_uri(&value, schemes.as_deref()) && (value.contains("://") || value.starts_with("file:"))
    });
    engine.add_test("urn", |value: String| value.starts_with("urn:"));
    engine.add_test("contains", |list: JinjaValue, item: JinjaValue| contains(&list, &item));
    engine.add_test("issubset", |a: JinjaValue, b: JinjaValue| is_subset(&a, &b));
    engine.add_test("issuperset", |a: JinjaValue, b: JinjaValue| is_subset(&b, &a));
    engine.add_test("subset", |a: JinjaValue, b: JinjaValue| is_subset(&a, &b));
    engine.add_test("superset", |a: JinjaValue, b: JinjaValue| is_subset(&b, &a));
    engine
        .add_test("all", |list: JinjaValue| Ok::<_, JinjaError>(list.try_iter()?.all(|item| item.is_true())));
    engine
        .add_test("any", |list: JinjaValue| Ok::<_, JinjaError>(list.try_iter()?.any(|item| item.is_true())));
}

fn is_missing(value: &JinjaValue) -> bool {
    value.is_undefined() || value.downcast_object_ref::<Missing>().is_some()
}

/// With `convert_bool`, words such as `no` count as what they say.
fn is_truthy(value: &JinjaValue, named: &Kwargs) -> Truth {
    let convert = named.get::<Option<bool>>("convert_bool")?.unwrap_or(false);
    let word = python::text(&from_jinja(value)?).to_lowercase();
    let negative = ["no", "n", "off", "0", "0.0", "false", "f"].contains(&word.as_str());
    Ok(value.is_true() && !(convert && negative))
}

/// What a task left behind says of itself.
fn is_set(result: &JinjaValue, key: &str) -> Truth {
    match from_jinja(result)? {
        Value::Hash(map) => Ok(map.get_str(key).is_some_and(python::is_true)),
        _ => Err(issues::no_task_result()),
    }
}

fn is_uri(text: &str, schemes: Option<&[String]>) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    schemes.is_none_or(|known| known.iter().any(|known| known == scheme))
}

fn finds(state: &State, value: &JinjaValue, pattern: &str, named: &Kwargs) -> Truth {
    let ignore_case = named.get::<Option<bool>>("ignorecase")?.unwrap_or(false);
    let multiline = named.get::<Option<bool>>("multiline")?.unwrap_or(false);
    let regexp = compiled(state, pattern, ignore_case, multiline)?;
    regexp.is_match(&python::text(&from_jinja(value)?)).map_err(to_jinja_error)
}

fn items(value: &JinjaValue) -> Result<Vec<Value>, JinjaError> {
    Ok(match from_jinja(value)? {
        Value::Array(items) => items.to_vec(),
        Value::Hash(map) => map.keys().cloned().collect(),
        other => vec![other],
    })
}

fn contains(list: &JinjaValue, item: &JinjaValue) -> Truth {
    let item = from_jinja(item)?;
    if let (Some(text), Some(part)) = (list.as_str(), item.as_str()) {
        return Ok(text.contains(part));
    }
    Ok(items(list)?.iter().any(|known| python::equal(known, &item)))
}

fn is_subset(part: &JinjaValue, whole: &JinjaValue) -> Truth {
    let whole = items(whole)?;
    Ok(items(part)?.iter().all(|item| whole.iter().any(|known| python::equal(known, item))))
}
