//! `GET /unused`: what may be deleted, as `unused --render-as json` tells it.

use std::sync::Arc;

use hierarch_fleet::{Evidence, Fleet, Search, unused};
use hierarch_source::Overlay;

use super::impact::OneAtATime;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::question::Question;
use crate::route::{Kind, Method, Outcome, Parameter, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/unused",
    summary: "Files, keys and options that nothing needs, and how sure that is",
    role: Role::Read,
    parameters: &[Parameter::text("proof", "static: no code names it; fleet: no node's answer needs it")
        .of(Kind::OneOf(&["static", "fleet"]))],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"format":{"const":"hierarch.unused/1"},"asked":{"type":"integer"},"findings":{"type":"array"},"open_calls":{"type":"array"},"unanswered":{"type":"array"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let is_fleet = question.get("proof") == Some("fleet");
    let body = question.state.remembered(&format!("unused {is_fleet}"), || {
        let _one = OneAtATime::begin(question, "unused")?;
        let site = question.state.site(&question.shared, false)?;
        let nodes = question.state.nodes()?;
        let reopen = |overlay: Overlay| site.over(Arc::new(overlay));
        let proof = if is_fleet { Evidence::Fleet } else { Evidence::Static };
        let fleet = Fleet::new(&site, &nodes);
        let found = unused(&Search { fleet: &fleet, reopen: &reopen, proof, inputs: None });
        let folder = site.environment().folder().map(|folder| folder.display().to_string());
        Ok(found.to_value(&folder.unwrap_or_default()).to_json())
    })?;
    Ok(Answer::json((*body).clone()))
}
