//! `GET /values`: which nodes get which value of a key, as `values --render-as json` tells it.

use hierarch_fleet::{Fleet, values};

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::question::Question;
use crate::route::{AT, KEY, Method, Outcome, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/values",
    summary: "The values of a key over all nodes, grouped, with the exact reason where there is one",
    role: Role::Read,
    parameters: &[KEY, AT, SECRETS],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"format":{"const":"hierarch.values/1"},"key":{"type":"string"},"asked":{"type":"integer"},"groups":{"type":"array"},"missing":{"type":"object"},"unanswered":{"type":"array"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let state = question.state()?;
    let (key, secrets) = (question.required("key"), question.wants_secrets());
    let tells_equal_secrets = question.caller.has(Role::Secrets);
    let id = format!("values {secrets} {tells_equal_secrets} {key}");
    let body = state.remembered(&id, || {
        let site = state.site(&question.shared, secrets)?;
        let nodes = state.nodes()?;
        let compiles = question.shared.settings.compiles;
        let fleet = Fleet { compiles, tells_equal_secrets, ..Fleet::new(&site, &nodes) };
        let folder =
            site.environment().folder().map(|folder| folder.display().to_string()).unwrap_or_default();
        Ok(values(&fleet, key).to_value(&folder).to_json())
    })?;
    Ok(Answer::json((*body).clone()).secret_if(secrets))
}
