//! `GET /origin`: a value, each leaf with its place, as `lookup --origin --render-as json` tells it.

use hierarch_hiera::origin::view::View;
use hierarch_site::Question as Asking;

use super::lookup::{MERGE, folder, merge_value};
use super::rights;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{AT, KEY, Method, NODE, Outcome, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/origin",
    summary: "Where every leaf of a value comes from, what it hides, what was removed",
    role: Role::Read,
    parameters: &[NODE, KEY, MERGE, AT, SECRETS],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"key":{"type":"string"},"value":{},"leaves":{"type":"array"},"collections":{"type":"array"},"removed":{"type":"array"},"lookup_options":{"type":["object","null"]}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let asked = question.asked()?;
    let folder = folder(&asked.node);
    let asking = Asking { merge: question.get("merge").map(merge_value), ..question.required("key").into() };
    rights::check_compared(&asked.node, question.required("key"), question.get("merge"))?;
    let traced = asked.node.asking(|lookups| lookups.trace(&asking)).0;
    let answer = traced.map_err(|error| {
        let is_missing = error.code == hierarch_hiera::issues::NOT_FOUND;
        let problem = Problem::from_error(&error).below(&folder);
        if is_missing { Problem { status: 404, code: "NOT_FOUND".to_owned(), ..problem } } else { problem }
    })?;
    let view = View {
        key: &answer.key,
        traced: &answer.traced,
        options: answer.options.as_ref(),
        shows_secrets: asked.node.environment().may_show_secrets(),
        folder: &format!("{folder}/"),
        is_coloured: false,
    };
    Ok(Answer::json(json::value(&view.relative_data())?).secret_if(question.wants_secrets()))
}
