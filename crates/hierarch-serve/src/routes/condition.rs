//! `GET /where`: the nodes for which an expression is true, as `where --render-as json` tells it.

use hierarch_fleet::{Condition, Fleet, Rights, holds};

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{AT, Kind, Method, Outcome, Parameter, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/where",
    summary: "The nodes for which a Puppet expression over facts and keys is true",
    role: Role::Read,
    parameters: &[
        Parameter::text("expr", "the expression; a bare name with :: means the value of that key")
            .required("profile::web::port == 80"),
        Parameter::text("values", "tell what was looked up, too").of(Kind::Flag),
        AT,
        SECRETS,
    ],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"format":{"const":"hierarch.where/1"},"expression":{"type":"string"},"asked":{"type":"integer"},"count":{"type":"integer"},"nodes":{"type":"array"},"unanswered":{"type":"array"}}}"#,
    run,
};

/// Reads a condition for what its caller may see.
pub(super) fn read(question: &Question, expression: &str) -> Result<Condition, Problem> {
    let rights = Rights { secrets: question.wants_secrets(), facts: question.caller.has(Role::Facts) };
    Condition::parse_for(expression, rights)
        .map_err(|error| Problem { status: 400, ..Problem::from_error(&error) })
}

fn run(question: &Question) -> Outcome {
    let expression = question.required("expr");
    let condition = read(question, expression)?;
    let state = question.state()?;
    let site = state.site(&question.shared, question.wants_secrets())?;
    let nodes = question.nodes(&state)?;
    let fleet = Fleet { compiles: question.shared.settings.compiles, ..Fleet::new(&site, &nodes) };
    let has_values = question.get("values") == Some("true");
    let body = holds(&fleet, &condition).to_value(expression, has_values).to_json();
    Ok(Answer::json(body).secret_if(question.wants_secrets()))
}
