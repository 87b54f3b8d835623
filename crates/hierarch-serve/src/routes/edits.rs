//! Edits as bodies say them: a key for a node, as `set` takes it, or places in files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_hiera::{Key, Segment};
use hierarch_site::{Environment, FileEdit, FilePlan, KeyEdit, Site};
use hyper::body::Bytes;
use serde_json::{Map, Value as Json};

use super::lookup::folder;
use super::rights;
use crate::issues;
use crate::json;
use crate::problem::{Problem, relative};
use crate::question::Question;
use crate::state::sum;

/// The schema of an edit.
pub(super) const SCHEMA: &str = r#"{"oneOf":[{"type":"object","required":["key","value","node"],"properties":{"key":{"type":"string","description":"dots lead into the value"},"value":{"description":"any JSON value"},"node":{"type":"string","description":"the node for which the value shall hold"},"level":{"type":"string","description":"the level to write to"},"file":{"type":"string","description":"the file to write to, instead of a level"}}},{"type":"object","required":["edits"],"properties":{"edits":{"type":"array","items":{"type":"object","required":["file","path"],"properties":{"file":{"type":"string","description":"a data file, relative to the environment"},"path":{"type":"array","items":{"type":["string","integer"]},"description":"the way to the value, from the key on"},"value":{"description":"any JSON value"},"remove":{"type":"boolean","description":"true: what is there goes"}}}}}}]}"#;
/// An edit that works in the example.
pub(super) const EXAMPLE: &str =
    r#"{"key":"profile::web::port","value":8000,"node":"web02.berlin.example.com","level":"Common"}"#;

/// So many places may be edited at once.
const MOST: usize = 1_000;
/// What an edit of a file may say.
const FIELDS: [&str; 4] = ["file", "path", "value", "remove"];
/// What data files end in.
const ENDINGS: [&str; 4] = ["yaml", "yml", "eyaml", "json"];

/// An edit as it was planned.
pub(super) struct PlannedEdit {
    pub(super) files: Vec<FilePlan>,
    /// The level of the one file that a key is written to.
    pub(super) level: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) folder: String,
    pub(super) site: Arc<Site>,
    /// The top-level keys that are to be edited, whether or not anything comes of it.
    pub(super) keys: BTreeSet<String>,
    /// What was asked for, as it was said.
    asked: Bytes,
}

impl PlannedEdit {
    /// Returns a tag of what was asked for and what was read. What is written follows from both, but for what encryption adds by
    /// chance.
    pub(super) fn tag(&self) -> String {
        let files = self.files.iter().map(|file| {
            let old = file.old.as_deref().unwrap_or("\0");
            format!("{}\n{}\n{old}\n", file.path.display(), old.len())
        });
        let asked = String::from_utf8_lossy(&self.asked);
        format!("\"{:016x}\"", sum(&files.chain([asked.into_owned()]).collect::<String>()))
    }

    /// Returns a file as people name it.
    pub(super) fn shown(&self, file: &FilePlan) -> String {
        relative(&file.path.display().to_string(), &self.folder).to_owned()
    }

    /// Returns all files as people name them.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| self.shown(file)).collect()
    }

    /// Says what is edited, as the first fields of an answer.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let names = self.names();
        let mut fields = Vec::new();
        if let (Some(level), Some(name)) = (&self.level, names.first()) {
            fields.extend([("file", json::text(name)), ("level", json::text(level))]);
        }
        fields.push(("files", json::texts(names.iter().map(String::as_str))));
        fields
    }
}

/// Plans an edit: which files, what texts, and the proof that it does what was asked.
pub(super) fn plan(question: &Question) -> Result<PlannedEdit, Problem> {
    let body = question.object(&["key", "value", "node", "level", "file", "edits"])?;
    let planned = match body.get("edits") {
        Some(edits) if body.len() == 1 => plan_files(question, edits)?,
        Some(_) => return Err(issues::bad_body("'edits' stands alone, or 'key', 'value' and 'node' do")),
        None => plan_key(question, &body)?,
    };
    rights::check(question, &planned)?;
    Ok(planned)
}

/// What stands for values that are not shown; whoever sends it back has not seen the value.
const HIDDEN: [&str; 2] = ["Sensitive [value redacted]", "[decrypted value hidden]"];

/// Refuses a value that has something in it which only stands for another one.
fn check_seen(value: &Json) -> Result<(), Problem> {
    let is_hidden = match value {
        Json::String(text) => HIDDEN.iter().any(|hidden| text.contains(hidden)),
        Json::Array(items) => return items.iter().try_for_each(check_seen),
        Json::Object(entries) => return entries.values().try_for_each(check_seen),
        _ => false,
    };
    if is_hidden { Err(issues::hidden_value()) } else { Ok(()) }
}

/// Plans an edit as `set` does.
fn plan_key(question: &Question, body: &Map<String, Json>) -> Result<PlannedEdit, Problem> {
    let text = |name: &str| match body.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(issues::bad_body(&format!("'{name}' is a text"))),
    };
    let missing = |name: &str| issues::bad_body(&format!("'{name}' is missing"));
    let key = text("key")?.ok_or_else(|| missing("key"))?;
    let node = text("node")?.ok_or_else(|| missing("node"))?;
    let value = body.get("value").ok_or_else(|| missing("value"))?;
    check_seen(value)?;
    let asked = question.asked_about(&node)?;
    let folder = folder(&asked.node);
    let into = text("file")?.map(|file| data_file(asked.node.environment(), &file)).transpose()?;
    // A text is the text that it stands for, above all where it is encrypted. Other JSON is YAML.
    let (value, is_verbatim) = match value {
        Json::String(text) => (text.clone(), true),
        value => (value.to_string(), false),
    };
    let keys = Key::new(&key).map(|key| key.root().to_string()).into_iter().collect();
    let edit = KeyEdit { key, value, is_verbatim, level: text("level")?, into, ..KeyEdit::default() };
    let plan = asked.site.plan_set(&asked.node, &edit).map_err(|error| {
        let error = asked.node.environment().shown_error(error);
        Problem::from_error(&error).below(&folder)
    })?;
    Ok(PlannedEdit {
        files: vec![FilePlan { path: plan.path, old: plan.old, new: plan.new }],
        level: Some(plan.level),
        warnings: plan.warnings.iter().map(|text| text.replace(&format!("{folder}/"), "")).collect(),
        folder,
        site: asked.site,
        keys,
        asked: question.body.clone(),
    })
}

/// Plans edits of places in files.
fn plan_files(question: &Question, edits: &Json) -> Result<PlannedEdit, Problem> {
    let Json::Array(edits) = edits else { return Err(issues::bad_body("'edits' is a list")) };
    if edits.is_empty() || edits.len() > MOST {
        return Err(issues::bad_body(&format!("'edits' has between 1 and {MOST} entries")));
    }
    let site = question.state.site(&question.shared, false)?;
    let environment = site.environment();
    let folder = environment.folder().map(Path::to_owned).unwrap_or_default().display().to_string();
    let edits = edits.iter().enumerate().map(|(number, edit)| file_edit(number, edit, &environment));
    let edits = edits.collect::<Result<Vec<_>, _>>()?;
    let keys = edits.iter().filter_map(|edit| match edit.path.first() {
        Some(Segment::Name(name)) => Some(name.to_string()),
        _ => None,
    });
    let keys = keys.collect();
    let files = site.plan_edits(&edits).map_err(|error| {
        let error = environment.shown_error(error);
        Problem::from_error(&error).below(&folder)
    })?;
    Ok(PlannedEdit {
        files,
        level: None,
        warnings: Vec::new(),
        folder,
        site,
        keys,
        asked: question.body.clone(),
    })
}

/// Reads one edit of a file.
fn file_edit(number: usize, edit: &Json, environment: &Environment) -> Result<FileEdit, Problem> {
    let wrong = |why: &str| issues::bad_body(&format!("edits[{number}]: {why}"));
    let Json::Object(edit) = edit else { return Err(wrong("it is an object")) };
    if let Some(name) = edit.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(wrong(&format!("there is no field '{name}'; known are {}", FIELDS.join(", "))));
    }
    let file = edit.get("file").and_then(Json::as_str).ok_or_else(|| wrong("'file' is a text"))?;
    let path = edit.get("path").and_then(Json::as_array).filter(|path| !path.is_empty());
    let path = path.ok_or_else(|| wrong("'path' is a list with at least one entry"))?;
    let path = path.iter().map(segment).collect::<Option<Vec<_>>>();
    let value = match (edit.get("value"), edit.get("remove")) {
        (Some(value), None | Some(Json::Bool(false))) => {
            check_seen(value)?;
            Some(value.to_string())
        }
        (None, Some(Json::Bool(true))) => None,
        _ => return Err(wrong("it has either a 'value', or 'remove', which is true")),
    };
    Ok(FileEdit {
        file: data_file(environment, file)?,
        path: path.ok_or_else(|| wrong("'path' has texts and whole numbers"))?,
        value,
    })
}

fn segment(part: &Json) -> Option<Segment> {
    match part {
        Json::String(name) => Some(Segment::Name(name.as_str().into())),
        part => part.as_i64().map(Segment::Index),
    }
}

/// Returns the path of a file that a level could name for some node, whatever else stands in the environment's folder: who edits
/// data chooses neither which files are read nor what is known of nodes.
fn data_file(environment: &Environment, file: &str) -> Result<PathBuf, Problem> {
    let folder = environment.folder().unwrap_or(Path::new(""));
    let path = hierarch_source::without_dots(&folder.join(file));
    let ends_well = path.extension().is_some_and(|end| ENDINGS.iter().any(|known| end == *known));
    let (levels, _) = environment.hiera().layouts(&module_names(environment));
    let text = path.display().to_string();
    let is_config = path.file_name().is_some_and(|name| name == "hiera.yaml");
    let is_named = levels.iter().any(|level| level.reads_files && level.can_name(&text));
    let is_about_nodes = path.starts_with(folder.join("facts"));
    let is_data = ends_well && is_named && !is_config && !is_about_nodes;
    if path.starts_with(folder) && is_data { Ok(path) } else { Err(issues::outside(file)) }
}

fn module_names(environment: &Environment) -> Vec<String> {
    environment.modules().into_iter().map(|(name, _)| name).collect()
}
