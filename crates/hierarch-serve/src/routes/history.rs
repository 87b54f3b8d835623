//! `GET /history`: the commits in which a resolved value changed, as `history --render-as jsonl` tells them.

use super::rights;
use crate::access::Role;
use crate::answer::{Answer, JSON_LINES};
use crate::issues;
use crate::question::Question;
use crate::route::{KEY, Method, NODE, Outcome, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/history",
    summary: "Each commit that changed a value, with the line that did, a JSON object a line",
    role: Role::Read,
    parameters: &[NODE, KEY],
    body: None,
    media: JSON_LINES,
    schema: r#"{"type":"object","properties":{"commit":{"type":"string"},"date":{"type":"string"},"author":{"type":"string"},"subject":{"type":"string"},"old":{},"new":{},"causes":{"type":"array"},"proof":{"type":["string","null"]},"first":{"type":"boolean"},"cut_off":{"type":"boolean"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let revisions = question.shared.program.revisions().ok_or_else(issues::no_revisions)?;
    let (key, node) = (question.required("key"), question.required("node"));
    question.asked()?;
    let nodes = question.state.nodes()?;
    rights::check_past(question, key, &nodes)?;
    let text = revisions.history(key, node, &nodes).map_err(|why| issues::unanswerable(&why))?;
    Ok(Answer::of(JSON_LINES, text))
}
