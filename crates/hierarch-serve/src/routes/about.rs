//! `GET /about`: what this server may do for whoever asks.

use crate::access::{ROLES, Role};
use crate::answer::{Answer, JSON};
use crate::json;
use crate::question::Question;
use crate::route::{Method, Outcome, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/about",
    summary: "The program's version, the caller's roles, and what the server was started with",
    role: Role::Nobody,
    parameters: &[],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"version":{"type":"string"},"generation":{"type":"integer"},"name":{"type":["string","null"]},"roles":{"type":"array","items":{"type":"string"}},"may_edit":{"type":"boolean"},"edit_url":{"type":["string","null"]},"labels":{"type":"array","items":{"type":"string"}},"has_revisions":{"type":"boolean"},"problem":{"type":["string","null"]},"warnings":{"type":"array","items":{"type":"string"}}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let (shared, caller) = (&question.shared, &question.caller);
    let roles = ROLES.into_iter().filter(|role| caller.has(*role)).map(Role::word);
    let may_edit = shared.settings.may_edit && caller.has(Role::Edit);
    let problem = question.state.problem(shared).map(|problem| problem.detail);
    let mut fields = vec![
        ("version", json::text(env!("CARGO_PKG_VERSION"))),
        ("generation", question.state.generation.to_string()),
        ("name", json::optional(caller.name.as_deref())),
        ("roles", json::texts(roles)),
        ("may_edit", may_edit.to_string()),
    ];
    // What the site is like is for those who may read it.
    if caller.has(Role::Read) {
        fields.push(("edit_url", json::optional(shared.settings.edit_url.as_deref())));
        fields.push(("labels", json::texts(shared.settings.labels.iter().map(String::as_str))));
        fields.push(("has_revisions", shared.program.revisions().is_some().to_string()));
        fields.push(("problem", json::optional(problem.as_deref())));
        let warnings = question.state.warnings(shared);
        fields.push(("warnings", json::texts(warnings.iter().map(String::as_str))));
    }
    Ok(Answer::json(json::object(fields)))
}
