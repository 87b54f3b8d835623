//! Kind `catalog`: the resources, edges and classes that a manifest compiles to.

use hierarch_eval::catalog::{Resource, is_reference, reference};
use hierarch_eval::{Catalog, Value};
use hierarch_source::Source;
use serde_json::{Map, Value as Json, json};

use super::{Answer, Case, Judge, Verdict, lang, session};

/// Judges compiled catalogs.
pub(super) struct Compiled;

impl Judge for Compiled {
    fn kind(&self) -> &'static str {
        "catalog"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        let code = case.text("code").unwrap_or_default();
        let mut answer = Answer::new();
        let environment = session::environment(case);
        let mut evaluator = session::evaluator(case, &environment);
        let result = evaluator.compile(&[Source::unnamed(code)]);
        session::add_logs(&mut answer, &evaluator.take_logs(), result.is_err());
        match result {
            Ok(catalog) => {
                answer.insert("catalog".to_owned(), summary(&catalog));
            }
            Err(error) => session::add_error(&mut answer, &error),
        }
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}

/// What every catalog has is not recorded.
const ALWAYS_THERE: [&str; 3] = ["Stage[main]", "Class[Settings]", "Class[main]"];

/// Returns a catalog in the recorder's form.
fn summary(catalog: &Catalog) -> Json {
    let names: Vec<String> = catalog.resources.iter().map(Resource::to_string).collect();
    let is_real = |index: usize| !catalog.resources[index].is_virtual;
    let resources: Vec<Json> = catalog
        .resources
        .iter()
        .filter(|resource| !resource.is_virtual && !ALWAYS_THERE.contains(&resource.to_string().as_str()))
        .map(resource_of)
        .collect();
    let edges: Vec<Json> = catalog
        .edges
        .iter()
        .filter(|(from, to)| is_real(*from) && is_real(*to) && names[*to] != "Class[Settings]")
        .map(|(from, to)| json!([names[*from], names[*to]]))
        .collect();
    let classes: Vec<&str> =
        catalog.classes.iter().map(|class| class.as_str()).filter(|class| *class != "settings").collect();
    json!({"resources": resources, "edges": edges, "classes": classes})
}

fn resource_of(resource: &Resource) -> Json {
    let parameters: Map<String, Json> =
        resource.parameters.iter().map(|(name, value)| (name.to_string(), plain(value))).collect();
    let mut entry = json!({
        "type": resource.type_name.as_str(),
        "title": resource.title.as_str(),
        "parameters": parameters,
    });
    if let Some(entry) = entry.as_object_mut() {
        let mut sensitive: Vec<&str> = resource.sensitive.iter().map(|name| name.as_str()).collect();
        sensitive.sort_unstable();
        if !sensitive.is_empty() {
            entry.insert("sensitive".to_owned(), json!(sensitive));
        }
        if resource.is_exported {
            entry.insert("exported".to_owned(), json!(true));
        }
    }
    entry
}

/// Returns what Ruby makes of a collection as a text.
fn ruby_text(json: &Json) -> String {
    match json {
        Json::Null => "nil".to_owned(),
        Json::Array(items) => format!("[{}]", items.iter().map(ruby_text).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("{}=>{}", json!(key), ruby_text(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Returns a value as the recorder writes it: what JSON has no words for is text.
fn plain(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => json!(truth),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Array(elements) => elements.iter().map(plain).collect(),
        Value::Hash(hash) => {
            let text = |key: &Value| match plain(key) {
                Json::String(text) => text,
                Json::Null => String::new(),
                other => ruby_text(&other),
            };
            Json::Object(hash.iter().map(|(key, value)| (text(key), plain(value))).collect())
        }
        Value::Sensitive(secret) => json!({"__sensitive": plain(secret)}),
        Value::Regexp(regexp) => json!(regexp.as_group()),
        Value::Type(type_) if is_reference(type_) => json!(reference(value).as_str()),
        other => json!(other.to_string()),
    }
}
