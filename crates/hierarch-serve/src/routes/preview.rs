//! `POST /preview`: what an edit would write, and whom it would hit. Nothing is written.

use std::collections::BTreeSet;
use std::sync::Arc;

use hierarch_fleet::{Comparison, MOST_TRIED, impact};
use hierarch_source::{Files, Overlay};

use super::edits::{self, EXAMPLE, PlannedEdit, SCHEMA};
use super::impact::OneAtATime;
use super::rights;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::json;
use crate::problem::Problem;
use crate::program::Opening;
use crate::question::Question;
use crate::route::{Body, Method, Outcome, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Post,
    path: "/api/v1/preview",
    summary: "The diff of an edit and its impact on all nodes; nothing is written",
    role: Role::Read,
    parameters: &[],
    body: Some(Body { schema: SCHEMA, example: EXAMPLE }),
    media: JSON,
    schema: r#"{"type":"object","properties":{"file":{"type":"string"},"level":{"type":"string"},"files":{"type":"array","items":{"type":"string"}},"diff":{"type":"string"},"warnings":{"type":"array","items":{"type":"string"}},"withheld":{"type":"array","items":{"type":"string"},"description":"keys of which nothing is told, because they have to do with a secret"},"etag":{"type":"string"},"may_edit":{"type":"boolean"},"impact":{"type":"object"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let planned = edits::plan(question)?;
    let _one = OneAtATime::begin(question, "preview")?;
    let (impact, withheld) = hit(question, &planned)?;
    let may_edit = question.shared.settings.may_edit && question.caller.has(Role::Edit);
    // A diff of nothing would tell that what was guessed stands there already.
    let is_told = planned.keys.is_disjoint(&withheld);
    let diffs = if is_told { rights::diff(question, &planned)? } else { String::new() };
    let mut warnings = planned.warnings.clone();
    warnings.extend((!withheld.is_empty()).then(|| issues::withheld(&withheld)));
    // One tag, in the header and in the body: it names the edit, and is what `/edit` wants back.
    let tag = planned.tag();
    let mut fields = planned.fields();
    fields.extend([
        ("diff", json::text(&diffs)),
        ("warnings", json::texts(warnings.iter().map(String::as_str))),
        ("withheld", json::texts(withheld.iter().map(String::as_str))),
        ("etag", json::text(&tag)),
        ("may_edit", may_edit.to_string()),
        ("impact", impact),
    ]);
    Ok(Answer { tag: Some(tag), ..Answer::json(json::object(fields)) })
}

/// Asks all nodes before and after. Of some keys nothing may be told.
fn hit(question: &Question, planned: &PlannedEdit) -> Result<(String, BTreeSet<String>), Problem> {
    let files = question.state.files();
    let mut overlay = Overlay::new(Arc::clone(files));
    for file in &planned.files {
        overlay.insert(&file.path, file.new.as_str());
    }
    let open = |files: Arc<dyn Files>| question.shared.program.open(files, Opening::default());
    let new = open(Arc::new(overlay)).map_err(|why| issues::not_ready(&why))?;
    let nodes = question.nodes(&question.state)?;
    let withheld = rights::withheld(question, planned, &new)?;
    let changed: Vec<String> = planned.files.iter().map(|file| file.path.display().to_string()).collect();
    // What could be opened a moment ago on these files can be opened again.
    let reopen =
        |overlay: Overlay| open(Arc::new(overlay)).unwrap_or_else(|_| planned.site.over(Arc::clone(files)));
    let answer = impact(&Comparison {
        old: &planned.site,
        new: &new,
        nodes: &nodes,
        tracked: None,
        changed: &changed,
        reopen: &reopen,
        is_wanted: &|key| !withheld.contains(key),
        most_tried: MOST_TRIED,
        progress: None,
        compiles: false,
    });
    Ok((answer.to_value("now", "edited", &planned.folder).to_json(), withheld))
}
