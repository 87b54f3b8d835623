//! `POST /edit`: writes what a preview showed, whole or not at all.

use hierarch_site::FilePlan;
use hierarch_source::{FileChange, NotSaved};

use super::edits::{EXAMPLE, SCHEMA, plan};
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::json;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{Body, Method, Outcome, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Post,
    path: "/api/v1/edit",
    summary: "Writes an edit; needs --allow-edit, the role 'edit', and If-Match with the etag of its preview",
    role: Role::Read,
    parameters: &[],
    body: Some(Body { schema: SCHEMA, example: EXAMPLE }),
    media: JSON,
    schema: r#"{"type":"object","properties":{"file":{"type":"string"},"level":{"type":"string"},"files":{"type":"array","items":{"type":"string"}},"warnings":{"type":"array","items":{"type":"string"}},"generation":{"type":"integer"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    if !question.shared.settings.may_edit {
        return Err(issues::edits_are_off());
    }
    question.caller.check(Role::Edit)?;
    let wanted = question.if_match.as_deref().ok_or_else(issues::no_match_header)?;
    let planned = plan(question)?;
    let names = planned.names().join(", ");
    if wanted != "*" && bare(wanted) != bare(&planned.tag()) {
        return Err(issues::changed_meanwhile(&names));
    }
    let changes: Vec<FileChange> = planned.files.iter().filter_map(change).collect();
    if changes.is_empty() {
        return Err(issues::nothing_to_edit());
    }
    let losses = question.shared.program.save(&changes).map_err(|reason| match reason {
        NotSaved::Changed(_) => issues::changed_meanwhile(&names),
        reason => Problem { status: 409, ..Problem::from_error(&reason.into()) },
    })?;
    let mut warnings = planned.warnings.clone();
    warnings.extend(losses.iter().map(ToString::to_string));
    // Whoever asks next sees the edit.
    question.shared.reload_now();
    let mut fields = planned.fields();
    fields.extend([
        ("warnings", json::texts(warnings.iter().map(String::as_str))),
        ("generation", question.shared.state().generation.to_string()),
    ]);
    Ok(Answer::json(json::object(fields)))
}

/// Takes off what stands around a tag: clients differ in what they send back.
fn bare(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/").trim_matches('"')
}

/// Returns what is written to a file; nothing if it stays as it is.
fn change(file: &FilePlan) -> Option<FileChange<'_>> {
    match &file.old {
        Some(old) if *old == file.new => None,
        Some(old) => Some(FileChange::replace(&file.path, old.as_bytes(), file.new.as_bytes())),
        None => Some(FileChange::create(&file.path, file.new.as_bytes())),
    }
}
