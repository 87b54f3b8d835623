//! `GET /explain`: how a value was found, as `lookup --explain` tells it.

use hierarch_site::{Explains, Question as Asking};

use super::lookup::{MERGE, folder, merge_value};
use super::rights;
use crate::access::Role;
use crate::answer::{Answer, TEXT};
use crate::json;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{AT, KEY, Kind, Method, NODE, Outcome, Parameter, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/explain",
    summary: "The text of `lookup --explain`, or its tree as JSON",
    role: Role::Read,
    parameters: &[NODE, KEY, STYLE, MERGE, AT, SECRETS],
    body: None,
    media: TEXT,
    schema: r#"{"type":"string"}"#,
    run,
};

const STYLE: Parameter =
    Parameter::text("style", "puppet: the text of `puppet lookup --explain`; tree: JSON")
        .of(Kind::OneOf(&["puppet", "tree"]));

fn run(question: &Question) -> Outcome {
    let asked = question.asked()?;
    let asking = Asking { merge: question.get("merge").map(merge_value), ..question.required("key").into() };
    rights::check_compared(&asked.node, question.required("key"), question.get("merge"))?;
    let explained = asked.node.asking(|lookups| lookups.explain(&asking, Explains::Everything)).0;
    let explained = explained.map_err(|error| Problem::from_error(&error).below(&folder(&asked.node)))?;
    let steps = &explained.steps;
    let answer = if question.get("style") == Some("tree") {
        Answer::json(json::value(&steps.data())?)
    } else {
        let mut text = steps.text();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Answer::of(TEXT, text)
    };
    Ok(answer.secret_if(question.wants_secrets()))
}
