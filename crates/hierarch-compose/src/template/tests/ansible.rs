//! Ansible's tests.

use hierarch_pcore::Value;

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::filters::compiled;
use super::super::issues;
use super::super::operators::as_float;
use super::super::renderer::Renderer;
use super::super::value::Val;
use super::super::versions;
use super::jinja::is_mapping;

/// Makes an entry for a test of what a task left behind.
macro_rules! task {
    ($name:literal, $key:literal, $wanted:literal) => {
        function($name, &["result"], |renderer, given| {
            Ok(Val::Bool(is_set(renderer, given, $key, $name)? == $wanted))
        })
    };
}

pub(super) static TESTS: &[Function] = &[
    function("match", &["value", "pattern?", "ignorecase?", "multiline?"], |renderer, given| {
        let pattern = given.text_or(renderer, 1, "")?;
        finds(renderer, given, &format!("\\A(?:{pattern})"))
    }),
    function("search", &["value", "pattern?", "ignorecase?", "multiline?"], |renderer, given| {
        let pattern = given.text_or(renderer, 1, "")?;
        finds(renderer, given, &pattern)
    }),
    function(
        "regex",
        &["value?", "pattern?", "ignorecase?", "multiline?", "match_type?"],
        |renderer, given| {
            let pattern = given.text_or(renderer, 1, "")?;
            match given.text_or(renderer, 4, "search")?.as_str() {
                "match" => finds(renderer, given, &format!("\\A(?:{pattern})")),
                "fullmatch" => finds(renderer, given, &format!("\\A(?:{pattern})\\z")),
                _ => finds(renderer, given, &pattern),
            }
        },
    ),
    function("truthy", &["value", "convert_bool?"], |renderer, given| truthy(renderer, given).map(Val::Bool)),
    function("falsy", &["value", "convert_bool?"], |renderer, given| {
        truthy(renderer, given).map(|truth| Val::Bool(!truth))
    }),
    function("version", &["value", "version", "operator?", "strict?", "version_type?"], versions::compare),
    function(
        "version_compare",
        &["value", "version", "operator?", "strict?", "version_type?"],
        versions::compare,
    ),
    function("abs", &["path"], |_, given| {
        let path = given.path(0)?;
        Ok(Val::Bool(path.starts_with('/')))
    }),
    function("nan", &["value"], |_, given| Ok(Val::Bool(as_float(given.value(0)).is_some_and(f64::is_nan)))),
    function("isnan", &["value"], |_, given| {
        Ok(Val::Bool(as_float(given.value(0)).is_some_and(f64::is_nan)))
    }),
    task!("failed", "failed", true),
    task!("failure", "failed", true),
    task!("succeeded", "failed", false),
    task!("success", "failed", false),
    task!("successful", "failed", false),
    task!("skipped", "skipped", true),
    task!("skip", "skipped", true),
    task!("unreachable", "unreachable", true),
    task!("reachable", "unreachable", false),
    function("changed", &["result"], changed),
    function("change", &["result"], changed),
    function("started", &["result"], |renderer, given| once(renderer, given, "started")),
    function("finished", &["result"], |renderer, given| once(renderer, given, "finished")),
    function("vault_encrypted", &["value"], |_, _| Ok(Val::Bool(false))),
    function("uri", &["value", "schemes?"], |renderer, given| is_uri(renderer, given, |_| true))
        .with_undefined(),
    function("url", &["value", "schemes?"], |renderer, given| {
        is_uri(renderer, given, |parts| {
            let text =
                |name: &str| parts.get_str(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            !text("netloc").is_empty() || text("scheme") == "file"
        })
    })
    .with_undefined(),
    function("urn", &["value"], |_, given| {
        let text = given.value(0).as_text().unwrap_or_default();
        Ok(Val::Bool(text.to_lowercase().starts_with("urn:")))
    })
    .with_undefined(),
    function("contains", &["seq", "value"], |renderer, given| {
        renderer.contains(given.value(0), given.value(1)).map(Val::Bool)
    }),
    function("issubset", &["a", "b"], |renderer, given| is_subset(renderer, given, 0, 1)),
    function("subset", &["a", "b"], |renderer, given| is_subset(renderer, given, 0, 1)),
    function("issuperset", &["a", "b"], |renderer, given| is_subset(renderer, given, 1, 0)),
    function("superset", &["a", "b"], |renderer, given| is_subset(renderer, given, 1, 0)),
    function("all", &["seq"], |renderer, given| of_all(renderer, given, false)),
    function("any", &["seq"], |renderer, given| of_all(renderer, given, true)),
];

fn finds(renderer: &mut Renderer, given: &BoundArguments, pattern: &str) -> Checked<Val> {
    let text = given.text_or(renderer, 0, "")?;
    let (ignore_case, multiline) = (given.truth(renderer, 2, false)?, given.truth(renderer, 3, false)?);
    let regexp = compiled(renderer, pattern, ignore_case, multiline)?;
    Ok(Val::Bool(regexp.is_match(&text)?))
}

/// With `convert_bool`, words such as `no` count as what they say.
fn truthy(renderer: &mut Renderer, given: &BoundArguments) -> Checked<bool> {
    let value = given.value(0);
    if given.truth(renderer, 1, false)? {
        let word = renderer.printed(value)?.trim().to_lowercase();
        match word.as_str() {
            "y" | "yes" | "on" | "1" | "true" | "t" | "1.0" => return Ok(true),
            "n" | "no" | "off" | "0" | "false" | "f" | "0.0" => return Ok(false),
            _ => {}
        }
    }
    renderer.truth(value)
}

/// What a task left behind says of itself.
fn is_set(renderer: &mut Renderer, given: &BoundArguments, key: &str, test: &str) -> Checked<bool> {
    let result = given.value(0);
    if !is_mapping(result) {
        return Err(issues::no_task_result(test));
    }
    match renderer.entry(result, &Val::text(key))? {
        Some(value) => renderer.truth(&value),
        None => Ok(false),
    }
}

fn changed(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    if is_set(renderer, given, "changed", "changed")? {
        return Ok(Val::Bool(true));
    }
    let result = given.value(0);
    if renderer.entry(result, &Val::text("changed"))?.is_some() {
        return Ok(Val::Bool(false));
    }
    let Some(results) = renderer.entry(result, &Val::text("results"))? else { return Ok(Val::Bool(false)) };
    for one in renderer.items(&results)? {
        if !is_mapping(&one) {
            break;
        }
        if let Some(value) = renderer.entry(&one, &Val::text("changed"))?
            && renderer.truth(&value)?
        {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

/// A task that does not run in the background has both begun and ended.
fn once(renderer: &mut Renderer, given: &BoundArguments, key: &str) -> Checked<Val> {
    if !is_mapping(given.value(0)) {
        return Err(issues::no_task_result(key));
    }
    match renderer.entry(given.value(0), &Val::text(key))? {
        Some(value) => renderer.equal(&value, &Val::Int(1)).map(Val::Bool),
        None => Ok(Val::Bool(true)),
    }
}

fn is_uri(
    renderer: &mut Renderer,
    given: &BoundArguments,
    fits: fn(&hierarch_pcore::Hash) -> bool,
) -> Checked<Val> {
    let text = match given.value(0) {
        Val::Text(text) => text.text.clone(),
        Val::Undefined(_) => return Ok(Val::Bool(false)),
        // Python's reader of URLs takes what is empty for an empty text, and fails at everything else.
        other if renderer.truth(other)? => return Ok(Val::Bool(false)),
        _ => "".into(),
    };
    let parts = super::super::filters::url_parts(&text);
    let scheme = parts.get_str("scheme").and_then(Value::as_str).unwrap_or_default().to_owned();
    let known = match given.get(1) {
        None | Some(Val::None) => None,
        Some(schemes) => Some(renderer.items(schemes)?).filter(|known| !known.is_empty()),
    };
    let allowed = match known {
        None => true,
        Some(known) => known.iter().any(|known| known.as_text() == Some(&scheme)),
    };
    Ok(Val::Bool(allowed && fits(&parts)))
}

fn is_subset(renderer: &mut Renderer, given: &BoundArguments, part: usize, whole: usize) -> Checked<Val> {
    let (part, whole) = (renderer.items(given.value(part))?, renderer.items(given.value(whole))?);
    let keys =
        whole.iter().map(|item| renderer.key_of(item)).collect::<Checked<rustc_hash::FxHashSet<_>>>()?;
    for item in &part {
        if !keys.contains(&renderer.key_of(item)?) {
            return Ok(Val::Bool(false));
        }
    }
    Ok(Val::Bool(true))
}

fn of_all(renderer: &mut Renderer, given: &BoundArguments, decides: bool) -> Checked<Val> {
    for item in renderer.walk(given.value(0))? {
        renderer.step()?;
        if renderer.truth(&item)? == decides {
            return Ok(Val::Bool(decides));
        }
    }
    Ok(Val::Bool(!decides))
}
