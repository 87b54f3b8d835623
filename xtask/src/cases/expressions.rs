//! Kind `expression`: expressions and templates over a document's instances.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_compose::expr::{Context, ExpressionHost, Expressions, Options, expression_kind};
use hierarch_pcore::data::from_json;
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, MemoryFiles, Result};
use serde_json::{Map, Value as Json, json};

use super::outcome::{fails_with, gives, outcome};
use super::{Answer, Case, Judge, Verdict};

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

    fn ask(&self, case: &Case) -> Answer {
        answer(case).unwrap_or_else(|error| outcome(Err::<Json, _>(error), expression_kind))
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        let recommended = case.fields.get("recommended");
        let wanted_error = match recommended {
            Some(wanted) => wanted.get("error").and_then(Json::as_str),
            None => case.text("error_kind"),
        };
        match (wanted_error, recommended) {
            (Some(kind), _) => fails_with(answer, kind),
            (None, Some(wanted)) => gives(answer, wanted),
            (None, None) => gives(answer, &field(case, "result")).and(|| same_beside(case, answer)),
        }
    }
}

/// Compares what was recorded beside the result.
fn same_beside(case: &Case, answer: &Answer) -> Verdict {
    let sensitive = case.fields.get("sensitive").cloned().unwrap_or(Json::Bool(false));
    let mut beside = vec![("sensitive", sensitive)];
    if case.text("mode") != Some("value") {
        beside.push(("matches", field(case, "matches")));
    }
    let differing = beside.into_iter().filter(|(part, wanted)| answer.get(*part) != Some(wanted));
    Verdict::of(differing.map(|(part, wanted)| format!("{part}: expected {wanted}\ngot {}", answer[part])))
}

/// What was recorded; a field that is not there but should be fits no answer.
fn field(case: &Case, name: &str) -> Json {
    case.fields.get(name).cloned().unwrap_or_else(|| json!({ "not recorded": name }))
}

fn answer(case: &Case) -> Result<Answer> {
    let object = |field: &str| case.fields.get(field).and_then(Json::as_object).cloned().unwrap_or_default();
    let expand = |json: &Json| from_json(&with_folder(json));
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
        let sensitive = value.has_sensitive().into();
        return Ok(parts([("result", json_of(&value)), ("sensitive", sensitive)]));
    }
    let found = expressions.query(&expr, &context)?;
    let matches: Vec<Json> = found.all.iter().map(json_of).collect();
    let sensitive = found.all.iter().any(Value::has_sensitive).into();
    let result = json_of(&found.one());
    Ok(parts([("result", result), ("matches", matches.into()), ("sensitive", sensitive)]))
}

fn parts<const N: usize>(parts: [(&str, Json); N]) -> Answer {
    parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
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

/// Secrets are shown here, since the cases ask for them, and the folder as `<dir>`.
pub(super) fn json_of(value: &Value) -> Json {
    match value {
        Value::Sensitive(inner) => json_of(inner),
        Value::Array(items) => items.iter().map(json_of).collect(),
        Value::Hash(map) => {
            Json::Object(map.iter().map(|(key, value)| (key.to_string(), json_of(value))).collect())
        }
        Value::String(text) => text.as_str().replace(DIR, "<dir>").into(),
        other => match big_integer(other) {
            Some(digits) => Json::Object(Map::from_iter([("integer".to_owned(), digits.into())])),
            None => serde_json::from_str(&other.to_json()).unwrap_or_default(),
        },
    }
}

/// Returns the digits of an integer that JSON's readers would make a float of.
fn big_integer(value: &Value) -> Option<&str> {
    let Value::Foreign(foreign) = value else { return None };
    foreign.digits().filter(|digits| digits.parse::<u64>().is_err())
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

impl ExpressionHost for World {
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
