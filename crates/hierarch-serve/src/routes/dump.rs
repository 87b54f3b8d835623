//! `GET /dump`: all or many keys of a node, as `dump --render-as jsonl` prints them.

use hierarch_hiera::{Found, Query};
use hierarch_pcore::{Hash, Value};

use crate::access::Role;
use crate::answer::{Answer, JSON_LINES};
use crate::question::Question;
use crate::route::{AT, Method, NODE, Outcome, Parameter, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/dump",
    summary: "All keys of a node that match a pattern, a JSON object a line",
    role: Role::Read,
    parameters: &[
        NODE,
        Parameter::text("keys", "a pattern in which * stands for anything; all keys without it")
            .like("profile::web::*"),
        AT,
        SECRETS,
    ],
    body: None,
    media: JSON_LINES,
    schema: r#"{"type":"object","properties":{"node":{"type":"string"},"key":{"type":"string"},"value":{},"problem":{"type":"string"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let asked = question.asked()?;
    let environment = asked.node.environment();
    // What cannot be read is told for the keys that need it.
    let _ = environment.read_data_of(&asked.node);
    let pattern = question.get("keys").unwrap_or("*");
    let mut keys = environment.known_keys();
    keys.retain(|key| hierarch_source::star::matches(pattern, key));
    let mut text = String::new();
    asked.node.asking(|lookups| {
        for key in &keys {
            let name = if key.contains('.') { format!("'{key}'") } else { key.clone() };
            let query = Query::new([name]);
            let session = lookups.session();
            let found = if environment.may_show_secrets() {
                session.search(&query, None)
            } else {
                session.search_shown(&query)
            };
            let mut line: Hash = [("node", asked.node.name()), ("key", key.as_str())].into_iter().collect();
            match found {
                Ok(Found::Value(value)) => line.insert("value", value),
                Ok(Found::Missing) => continue,
                Err(error) => line.insert("problem", environment.shown_error(error).to_string().as_str()),
            };
            text.push_str(&Value::hash(line).to_json());
            text.push('\n');
        }
    });
    Ok(Answer::of(JSON_LINES, text).secret_if(question.wants_secrets()))
}
