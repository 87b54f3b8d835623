//! Kind `expression`: expressions and templates over a document's instances.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_compose::expr::{Context, Expressions, Host, Options, expression_kind};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, MemoryFiles, Result};
use serde_json::{Map, Value as Json, json};

use super::{Case, Judge, Verdict};

/// Where the files of a case stand: `@DIR@` in its texts, `<dir>` in its results.
const DIR: &str = "/srv/of-this-case";

/// Judges cases of kind `expression`.
pub(super) struct Expression;

impl Judge for Expression {
    fn kind(&self) -> &'static str {
        "expression"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        let has = |field: &str| case.fields.contains_key(field);
        match (has("recommended"), has("error_kind"), has("matches")) {
            (true, ..) => &["recommended"],
            (false, true, _) => &["error_kind", "recommended"],
            (false, false, true) => &["result", "matches", "recommended", "error_kind", "sensitive"],
            (false, false, false) => &["result", "recommended", "error_kind", "sensitive"],
        }
    }

    fn judge(&self, case: &Case) -> Verdict {
        let recommended = case.fields.get("recommended");
        let wanted_error = match recommended {
            Some(wanted) => wanted.get("error").and_then(Json::as_str),
            None => case.text("error_kind"),
        };
        match (answer(case), wanted_error) {
            (Ok(answer), None) => compare(case, recommended, &answer),
            (Ok(answer), Some(kind)) => Verdict::failed(format!("expected an error {kind}\ngot {answer}")),
            (Err(error), None) => Verdict::failed(format!("failed: {error}")),
            (Err(error), Some(kind)) if expression_kind(&error) == kind => Verdict::Passed,
            (Err(error), Some(kind)) => {
                Verdict::failed(format!("expected an error {kind}\ngot {}: {error}", expression_kind(&error)))
            }
        }
    }
}

/// Compares with the recommended result, or with everything that was recorded.
fn compare(case: &Case, recommended: Option<&Json>, answer: &Json) -> Verdict {
    let expected = recommended.map_or_else(|| recorded(case), |wanted| json!({ "result": wanted }));
    let differs =
        expected.as_object().into_iter().flatten().find(|(field, wanted)| answer.get(field) != Some(wanted));
    match differs {
        None => Verdict::Passed,
        Some((field, wanted)) => {
            Verdict::failed(format!("{field}: expected {wanted}\ngot {}", answer[field]))
        }
    }
}

/// What was recorded; a field that is not there but should be fits no answer.
fn recorded(case: &Case) -> Json {
    let field =
        |name: &str| case.fields.get(name).cloned().unwrap_or_else(|| json!({ "not recorded": name }));
    let sensitive = case.fields.get("sensitive").cloned().unwrap_or(Json::Bool(false));
    let mut wanted = json!({ "result": field("result"), "sensitive": sensitive });
    if case.text("mode") != Some("value") {
        wanted["matches"] = field("matches");
    }
    wanted
}

fn answer(case: &Case) -> Result<Json> {
    let object = |field: &str| case.fields.get(field).and_then(Json::as_object).cloned().unwrap_or_default();
    let expand = |json: &Json| value_of(&with_folder(json));
    let options = Options {
        root: case.text("root").unwrap_or("root").to_owned(),
        host: Arc::new(World::new(&object("files"), &object("env"))),
        ..Options::default()
    };
    let document = object("data").iter().map(|(key, value)| (key.as_str(), expand(value))).collect::<Hash>();
    let expressions = Expressions::with(document, options)?;
    let context = Context {
        start: case.text("start").map(str::to_owned),
        variables: object("vars").iter().map(|(key, value)| (key.as_str(), expand(value))).collect(),
        strict: case.fields.get("strict") != Some(&Json::Bool(false)),
    };
    let expr = case.fields.get("expr").map(expand).unwrap_or_default();
    if case.text("mode") == Some("value") {
        let value = expressions.resolve(&expr, &context)?;
        return Ok(json!({ "result": json_of(&value), "sensitive": value.has_sensitive() }));
    }
    let found = expressions.query(&expr, &context)?;
    let matches: Vec<Json> = found.all.iter().map(json_of).collect();
    let sensitive = found.all.iter().any(Value::has_sensitive);
    Ok(json!({ "result": json_of(&found.one()), "matches": matches, "sensitive": sensitive }))
}

fn with_folder(json: &Json) -> Json {
    match json {
        Json::String(text) => text.replace("@DIR@", DIR).into(),
        Json::Array(items) => items.iter().map(with_folder).collect(),
        Json::Object(map) => {
            Json::Object(map.iter().map(|(key, value)| (key.clone(), with_folder(value))).collect())
        }
        other => other.clone(),
    }
}

pub(super) fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => (*truth).into(),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| number.as_f64().unwrap_or_default().into(), Value::from)
        }
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::array(items.iter().map(value_of).collect()),
        Json::Object(map) => {
            map.iter().map(|(key, value)| (key.as_str(), value_of(value))).collect::<Hash>().into()
        }
    }
}

/// Secrets are shown here, since the cases ask for them, and the folder as `<dir>`.
pub(super) fn json_of(value: &Value) -> Json {
    match value {
        Value::Sensitive(inner) => json_of(inner),
        Value::Array(items) => items.iter().map(json_of).collect(),
        Value::Hash(map) => {
            Json::Object(map.iter().map(|(key, value)| (key.to_string(), json_of(value))).collect())
        }
        Value::String(text) => text.as_str().replace(DIR, "<dir>").into(),
        other => serde_json::from_str(&other.to_json()).unwrap_or_default(),
    }
}

/// The files and the environment of a case, in memory. A shell is on the path, as on every machine.
struct World {
    files: Mutex<MemoryFiles>,
    environment: Map<String, Json>,
}

impl World {
    fn new(given: &Map<String, Json>, environment: &Map<String, Json>) -> Self {
        let mut files = MemoryFiles::from([("/bin/sh", "")]);
        for (name, text) in given {
            files.insert(format!("{DIR}/{name}"), text.as_str().unwrap_or_default());
        }
        let mut variables = Map::from_iter([("PATH".to_owned(), Json::from("/bin"))]);
        variables.extend(environment.iter().map(|(name, value)| (name.clone(), with_folder(value))));
        Self { files: Mutex::new(files), environment: variables }
    }

    fn files(&self) -> std::sync::MutexGuard<'_, MemoryFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for World {
    fn base(&self) -> PathBuf {
        DIR.into()
    }

    fn variable(&self, name: &str) -> Result<Option<String>> {
        Ok(self.environment.get(name).and_then(Json::as_str).map(str::to_owned))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files().read(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files().insert(path, bytes);
        Ok(())
    }

    fn make_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn is_program(&self, path: &Path) -> bool {
        self.files().is_file(path)
    }
}
