//! `GET /unused`: what may be deleted, as `unused --render-as json` tells it.

use std::collections::BTreeSet;
use std::sync::Arc;

use hierarch_fleet::{Evidence, Fleet, Search, UnusedReport, keys_with_secrets, unused};
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
    let tells_equal_secrets = question.caller.has(Role::Secrets);
    let body = question.state.remembered(&format!("unused {is_fleet} {tells_equal_secrets}"), || {
        let _one = OneAtATime::begin(question, "unused")?;
        let site = question.state.site(&question.shared, false)?;
        let nodes = question.state.nodes()?;
        let reopen = |overlay: Overlay| site.over(Arc::new(overlay));
        let proof = if is_fleet { Evidence::Fleet } else { Evidence::Static };
        let fleet = Fleet::new(&site, &nodes);
        let mut found = unused(&Search { fleet: &fleet, reopen: &reopen, proof, inputs: None });
        if !tells_equal_secrets {
            leave_out_secrets(&fleet, &mut found);
        }
        let folder = site.environment().folder().map(|folder| folder.display().to_string());
        Ok(found.to_value(&folder.unwrap_or_default()).to_json())
    })?;
    Ok(Answer::json((*body).clone()))
}

/// Leaves out what is found about keys that some node gets as a secret: that an entry is redundant would tell what the secret is.
fn leave_out_secrets(fleet: &Fleet, found: &mut UnusedReport) {
    let keys: BTreeSet<String> = found.findings.iter().filter_map(|one| one.path.first().cloned()).collect();
    let secret = keys_with_secrets(fleet, &keys.into_iter().collect::<Vec<_>>());
    found.findings.retain(|one| one.path.first().is_none_or(|key| !secret.contains(key)));
}
