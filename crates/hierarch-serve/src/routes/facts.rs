//! `GET /nodes/{node}/facts`: what is known of a node.

use hierarch_pcore::Value;

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::json;
use crate::question::Question;
use crate::route::{Method, NODE, Outcome, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/nodes/{node}/facts",
    summary: "The facts and trusted facts of a node",
    role: Role::Facts,
    parameters: &[NODE],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"node":{"type":"string"},"environment":{"type":"string"},"facts":{"type":"object"},"trusted":{"type":["object","null"]}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let name = question.required("node");
    let nodes = question.state.nodes()?;
    let known = nodes
        .find(name)
        .ok_or_else(|| issues::unknown_node(name, &hierarch_source::nearest(name, nodes.names())))?;
    let known = known.map_err(|error| issues::unusable_node(name, &error.to_string()))?;
    let site = question.state.site(&question.shared, false)?;
    let node = question.state.node(&site, &question.state, name, false)?;
    let trusted = node.scope().variables().iter().find(|(own, _)| own.as_str() == Some("trusted"));
    let trusted = trusted.map_or(Value::Undef, |(_, value)| value.clone());
    Ok(Answer::json(json::object([
        ("node", json::text(name)),
        ("environment", json::text(node.environment().name())),
        ("facts", json::value(&Value::hash(known.facts))?),
        ("trusted", json::value(&trusted)?),
    ])))
}
