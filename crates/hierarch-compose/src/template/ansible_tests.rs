//! Ansible's tests: `is match`, `is search`, `is subset`, and what undefined names mean.

use minijinja::value::{Kwargs, Value as JinjaValue};
use minijinja::{Environment, Error as JinjaError};

use super::failure::to_jinja_error;
use super::names::Missing;
use super::regexes::compiled;
use super::value::from_jinja;
use crate::expr::python;
use hierarch_pcore::Value;

type Truth = Result<bool, JinjaError>;

pub(super) fn add(engine: &mut Environment) {
    engine.add_test("match", |value, pattern, named| finds(&value, pattern, &named, "\\A(?:", ")"));
    engine.add_test("search", |value, pattern, named| finds(&value, pattern, &named, "", ""));
    engine.add_test("regex", |value, pattern, named| finds(&value, pattern, &named, "", ""));
    engine.add_test("defined", |value: JinjaValue| !is_missing(&value));
    engine.add_test("undefined", |value: JinjaValue| is_missing(&value));
    engine.add_test("truthy", |value: JinjaValue| value.is_true());
    engine.add_test("falsy", |value: JinjaValue| !value.is_true());
    engine.add_test("contains", |list: JinjaValue, item: JinjaValue| contains(&list, &item));
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

fn finds(value: &JinjaValue, pattern: String, named: &Kwargs, before: &str, after: &str) -> Truth {
    let ignore_case = named.get::<Option<bool>>("ignorecase")?.unwrap_or(false);
    let multiline = named.get::<Option<bool>>("multiline")?.unwrap_or(false);
    let regexp = compiled(&format!("{before}{pattern}{after}"), ignore_case, multiline)?;
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
