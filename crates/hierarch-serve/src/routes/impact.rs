//! `GET /impact`: what differs between two revisions, as `impact --render-as json` tells it.

use std::sync::PoisonError;

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{Method, Outcome, Parameter, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/impact",
    summary: "What changes for whom between two revisions, each change with the line that causes it",
    role: Role::Read,
    parameters: &[
        Parameter::text("from", "the revision before").required("HEAD"),
        Parameter::text("to", "the revision after; the files as they are now without it"),
    ],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"format":{"const":"hierarch.impact/1"},"from":{"type":"string"},"to":{"type":"string"},"asked":{"type":"integer"},"changed":{"type":"integer"},"groups":{"type":"array"},"unanswered":{"type":"array"},"notes":{"type":"array"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let revisions = question.shared.program.revisions().ok_or_else(issues::no_revisions)?;
    let range = match question.get("to") {
        Some(to) => format!("{}..{to}", question.required("from")),
        None => question.required("from").to_owned(),
    };
    for name in [question.get("from"), question.get("to")].into_iter().flatten() {
        revisions.at(name).map_err(|why| issues::unknown_revision(&why))?;
    }
    let nodes = question.nodes(&question.state)?;
    let _one = OneAtATime::begin(question, "impact")?;
    let body = revisions
        .impact(&range, &nodes, question.caller.has(Role::Secrets))
        .map_err(|why| issues::unanswerable(&why))?;
    Ok(Answer::json(body.trim_end().to_owned()))
}

/// Keeps a caller from asking again while the answer is being found.
pub(super) struct OneAtATime<'q> {
    question: &'q Question,
    id: (String, &'static str),
}

impl<'q> OneAtATime<'q> {
    pub(super) fn begin(question: &'q Question, what: &'static str) -> Result<Self, Problem> {
        let id = (question.caller.name.clone().unwrap_or_default(), what);
        let mut busy = question.shared.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.insert(id.clone()) { Ok(Self { question, id }) } else { Err(issues::one_at_a_time(what)) }
    }
}

impl Drop for OneAtATime<'_> {
    fn drop(&mut self) {
        self.question.shared.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}
