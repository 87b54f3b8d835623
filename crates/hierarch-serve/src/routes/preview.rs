//! `POST /preview`: what an edit would write, and whom it would hit. Nothing is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_fleet::{Comparison, MOST_TRIED, impact};
use hierarch_site::{KeyEdit, Site};
use hierarch_source::{Files, Overlay, unified};

use super::impact::OneAtATime;
use super::lookup::folder;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::json;
use crate::problem::{Problem, relative};
use crate::program::Opening;
use crate::question::Question;
use crate::route::{Body, Method, Outcome, Route};
use crate::state::sum;

pub(crate) static ROUTE: Route = Route {
    method: Method::Post,
    path: "/api/v1/preview",
    summary: "The diff of an edit and its impact on all nodes; nothing is written",
    role: Role::Read,
    parameters: &[],
    body: Some(Body { schema: SCHEMA, example: EXAMPLE }),
    media: JSON,
    schema: r#"{"type":"object","properties":{"file":{"type":"string"},"level":{"type":"string"},"diff":{"type":"string"},"warnings":{"type":"array","items":{"type":"string"}},"etag":{"type":"string"},"may_edit":{"type":"boolean"},"impact":{"type":"object"}}}"#,
    run,
};

/// The schema of an edit.
pub(super) const SCHEMA: &str = r#"{"type":"object","required":["key","value","node"],"properties":{"key":{"type":"string","description":"dots lead into the value"},"value":{"description":"any JSON value"},"node":{"type":"string","description":"the node for which the value shall hold"},"level":{"type":"string","description":"the level to write to"},"file":{"type":"string","description":"the file to write to, instead of a level"}}}"#;
/// An edit that works in the example.
pub(super) const EXAMPLE: &str =
    r#"{"key":"profile::web::port","value":8000,"node":"web02.berlin.example.com","level":"Common"}"#;

/// An edit as it was planned.
pub(super) struct Planned {
    pub(super) path: PathBuf,
    pub(super) level: String,
    pub(super) old: Option<String>,
    pub(super) new: String,
    pub(super) warnings: Vec<String>,
    pub(super) folder: String,
    site: Arc<Site>,
}

impl Planned {
    /// Returns a tag of what was read and what shall be written.
    pub(super) fn tag(&self) -> String {
        let old = self.old.as_deref().unwrap_or("\0");
        format!("\"{:016x}\"", sum(&format!("{}\n{}\n{old}\n{}", self.path.display(), old.len(), self.new)))
    }

    /// Returns the file as people name it.
    pub(super) fn file(&self) -> String {
        relative(&self.path.display().to_string(), &self.folder).to_owned()
    }
}

fn run(question: &Question) -> Outcome {
    let planned = plan(question)?;
    let _one = OneAtATime::begin(question, "preview")?;
    let impact = hit(question, &planned)?;
    let may_edit = question.shared.settings.may_edit && question.caller.has(Role::Edit);
    let (old, file) = (planned.old.as_deref().unwrap_or(""), planned.file());
    Ok(Answer::json(json::object([
        ("file", json::text(&file)),
        ("level", json::text(&planned.level)),
        ("diff", json::text(&unified::diff(&file, old, &planned.new))),
        ("warnings", json::texts(planned.warnings.iter().map(String::as_str))),
        ("etag", json::text(&planned.tag())),
        ("may_edit", may_edit.to_string()),
        ("impact", impact),
    ])))
}

/// Plans an edit as `set` does: which file, what text, and the proof that it does what was asked.
pub(super) fn plan(question: &Question) -> Result<Planned, Problem> {
    let body = question.object(&["key", "value", "node", "level", "file"])?;
    let text = |name: &str| match body.get(name) {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(issues::bad_body(&format!("'{name}' is a text"))),
    };
    let missing = |name: &str| issues::bad_body(&format!("'{name}' is missing"));
    let key = text("key")?.ok_or_else(|| missing("key"))?;
    let node = text("node")?.ok_or_else(|| missing("node"))?;
    let value = body.get("value").ok_or_else(|| missing("value"))?;
    let asked = question.asked_about(&node)?;
    let folder = folder(&asked.node);
    let into = text("file")?.map(|file| inside(&file, &folder)).transpose()?;
    // JSON is YAML, but for characters that only JSON escapes by two.
    let edit = KeyEdit { key, value: value.to_string(), level: text("level")?, into, ..KeyEdit::default() };
    let plan = asked.site.plan_set(&asked.node, &edit).map_err(|error| {
        let error = asked.node.environment().shown_error(error);
        Problem::from_error(&error).below(&folder)
    })?;
    Ok(Planned {
        path: plan.path,
        level: plan.level,
        old: plan.old,
        new: plan.new,
        warnings: plan.warnings.iter().map(|text| text.replace(&format!("{folder}/"), "")).collect(),
        folder,
        site: asked.site,
    })
}

fn inside(file: &str, folder: &str) -> Result<PathBuf, Problem> {
    let path = hierarch_source::without_dots(&Path::new(folder).join(file));
    if path.starts_with(folder) { Ok(path) } else { Err(issues::outside(file)) }
}

/// Asks all nodes before and after.
fn hit(question: &Question, planned: &Planned) -> Result<String, Problem> {
    let files = question.state.files();
    let mut overlay = Overlay::new(Arc::clone(files));
    overlay.insert(&planned.path, planned.new.as_str());
    let open = |files: Arc<dyn Files>| question.shared.program.open(files, Opening::default());
    let new = open(Arc::new(overlay)).map_err(|why| issues::not_ready(&why))?;
    let nodes = question.state.nodes()?;
    let changed = [planned.path.display().to_string()];
    // What could be opened a moment ago on these files can be opened again.
    let reopen =
        |overlay: Overlay| open(Arc::new(overlay)).unwrap_or_else(|_| planned.site.over(Arc::clone(files)));
    let answer = impact(&Comparison {
        old: &planned.site,
        new: &new,
        nodes: &nodes,
        changed: &changed,
        reopen: &reopen,
        is_wanted: &|_| true,
        most_tried: MOST_TRIED,
        progress: None,
    });
    Ok(answer.to_value("now", "edited", &planned.folder).to_json())
}
