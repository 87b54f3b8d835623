//! `GET /check`: whether data fit the code, as `check --render-as json` tells it.

use hierarch_fleet::{Fleet, check};

use super::impact::OneAtATime;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::question::Question;
use crate::route::{Method, Outcome, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/check",
    summary: "Data that do not fit the code, and what in them is likely not meant",
    role: Role::Read,
    parameters: &[],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"format":{"const":"hierarch.check/1"},"asked":{"type":"integer"},"findings":{"type":"array","items":{"type":"object","properties":{"code":{"type":"string"},"severity":{"enum":["error","warning","note"]},"message":{"type":"string"},"file":{"type":"string"},"line":{"type":["integer","null"]},"column":{"type":["integer","null"]}}}},"left_out":{"type":"array"},"unanswered":{"type":"array"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let body = question.state.remembered("check", || {
        let _one = OneAtATime::begin(question, "check")?;
        let site = question.state.site(&question.shared, false)?;
        let nodes = question.state.nodes()?;
        let fleet = Fleet { compiles: question.shared.settings.compiles, ..Fleet::new(&site, &nodes) };
        let folder = site.environment().folder().map(|folder| folder.display().to_string());
        Ok(check(&fleet, &|_| true).to_value(&folder.unwrap_or_default()).to_json())
    })?;
    Ok(Answer::json((*body).clone()))
}
