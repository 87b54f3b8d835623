//! `GET /lookup`: one key of one node.

use std::sync::Arc;

use hierarch_hiera::{Found, Query, Session};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Environment, Node};

use super::rights;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::Problem;
use crate::question::{Question, Subject};
use crate::route::{AT, KEY, Kind, Method, NODE, Outcome, Parameter, Route, SECRETS};
use crate::serve::Shared;

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/lookup",
    summary: "The value of a key for a node; a key that is not found is an answer, too",
    role: Role::Read,
    parameters: &[NODE, KEY, MERGE, DEFAULT, AT, SECRETS],
    body: None,
    media: JSON,
    schema: ANSWER,
    run,
};

/// How values of several levels become one.
pub(super) const MERGE: Parameter =
    Parameter::text("merge", "how values are merged, instead of what lookup_options say")
        .of(Kind::OneOf(&["first", "unique", "hash", "deep"]));

const DEFAULT: Parameter = Parameter::text("default", "the value, a text, where nothing is found");

/// The schema of an answer.
pub(super) const ANSWER: &str = r#"{"type":"object","required":["key","found"],"properties":{"key":{"type":"string"},"found":{"type":"boolean"},"value":{},"strategy":{"type":"string"},"warnings":{"type":"array","items":{"type":"string"}}}}"#;

/// Answers to longer keys are not remembered: nobody has so many of them.
const LONGEST_REMEMBERED: usize = 256;

/// What a node was told about a key: everything but the key itself as JSON, or why there is no answer.
pub(crate) type LookupOutcome = Result<SharedAnswer, Problem>;

/// An answer that nodes share.
#[derive(Clone, Debug)]
pub(crate) struct SharedAnswer {
    /// The value as JSON; none if there is none.
    value: Option<String>,
    strategy: &'static str,
}

fn run(question: &Question) -> Outcome {
    let asked = question.asked()?;
    let default = question.get("default");
    let body = one(question, &asked, question.required("key"), question.get("merge"), default)?;
    Ok(Answer::json(body).secret_if(question.wants_secrets()))
}

/// Answers one key.
pub(super) fn one(
    question: &Question,
    asked: &Subject,
    key: &str,
    merge: Option<&str>,
    default: Option<&str>,
) -> Result<String, Problem> {
    let told = look_up(&question.shared, asked, key, merge, question.wants_secrets());
    let told = (*told).clone().map_err(|problem| problem.below(&folder(&asked.node)))?;
    let value = match (&told.value, default) {
        (Some(value), _) => Some(value.clone()),
        (None, Some(default)) => Some(json::text(default)),
        (None, None) => None,
    };
    let mut fields = vec![("key", json::text(key)), ("found", told.value.is_some().to_string())];
    fields.extend(value.map(|value| ("value", value)));
    fields.push(("strategy", json::text(told.strategy)));
    let warnings = asked.state.warnings(&question.shared);
    if !warnings.is_empty() {
        fields.push(("warnings", json::texts(warnings.iter().map(String::as_str))));
    }
    Ok(json::object(fields))
}

/// Returns the folder of the environment that a node is in.
pub(crate) fn folder(node: &Node) -> String {
    node.environment().folder().map(|folder| folder.display().to_string()).unwrap_or_default()
}

/// Looks a key up, unless a node for which the answer depends on the same things was told it already.
fn look_up(
    shared: &Shared,
    asked: &Subject,
    key: &str,
    merge: Option<&str>,
    secrets: bool,
) -> Arc<LookupOutcome> {
    let environment = asked.node.environment();
    let id = (environment.name().to_owned(), key.to_owned(), merge.map(str::to_owned), secrets);
    let host = asked.node.host();
    let session = environment.hiera().session(&host);
    shared.metrics.asked.inc();
    if !asked.is_known || key.len() > LONGEST_REMEMBERED {
        return Arc::new(find(&session, environment, key, merge));
    }
    let survey = asked.state.survey(id);
    let mut is_new = false;
    let told = survey.ask(&session, |session| {
        is_new = true;
        find(session, environment, key, merge)
    });
    if !is_new {
        shared.metrics.remembered.inc();
    }
    told
}

fn find(session: &Session, environment: &Environment, key: &str, merge: Option<&str>) -> LookupOutcome {
    let query = Query { merge: merge.map(merge_value), ..Query::new([key]) };
    let found = rights::told(session, environment, &query, rights::is_merged(session, key, merge));
    let fail = |error: hierarch_source::Error| Problem::from_error(&environment.shown_error(error));
    let value = match found.map_err(fail)? {
        Found::Value(value) => Some(json::value(&value)?),
        Found::Missing => None,
    };
    let strategy = match merge {
        Some("first") => "first",
        Some("unique") => "unique",
        Some("hash") => "hash",
        Some(_) => "deep",
        None => session.strategy(key).map_err(fail)?.shown_name(),
    };
    Ok(SharedAnswer { value, strategy })
}

/// Returns what the flag `--merge` means.
pub(super) fn merge_value(name: &str) -> Value {
    let mut merge: Hash = [("strategy", name)].into_iter().collect();
    if name == "deep" {
        merge.insert("sort_merged_arrays", false);
        merge.insert("merge_hash_arrays", false);
    }
    Value::hash(merge)
}
