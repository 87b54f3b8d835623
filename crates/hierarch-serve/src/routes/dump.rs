//! `GET /dump`: all or many keys of a node, as `dump --render-as jsonl` prints them.

use std::sync::Arc;

use hierarch_hiera::{Found, Query};
use hierarch_pcore::{Hash, Value};
use hierarch_site::Node;

use super::rights;
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
    let mut rest = Rest { node: asked.node, keys: keys.into_iter() };
    Ok(Answer {
        // A revision may be another one tomorrow.
        tag: question.get("at").is_none().then(|| question.tag()),
        ..Answer::sliced(JSON_LINES, Box::new(move || rest.slice())).secret_if(question.wants_secrets())
    })
}

/// A slice ends after so many bytes.
const SLICE: usize = 64 << 10;

/// What has not been told yet.
struct Rest {
    node: Arc<Node>,
    keys: std::vec::IntoIter<String>,
}

impl Rest {
    /// Writes the next lines; none when all keys were told.
    fn slice(&mut self) -> Option<String> {
        let (node, keys, mut text) = (&self.node, &mut self.keys, String::new());
        let environment = node.environment();
        node.asking(|lookups| {
            while text.len() < SLICE
                && let Some(key) = keys.next()
            {
                let name = if key.contains('.') { format!("'{key}'") } else { key.clone() };
                let query = Query::new([name.clone()]);
                let session = lookups.session();
                let found =
                    rights::told(session, environment, &query, rights::is_merged(session, &name, None));
                let mut line: Hash = [("node", node.name()), ("key", key.as_str())].into_iter().collect();
                match found {
                    Ok(Found::Value(value)) => line.insert("value", value),
                    Ok(Found::Missing) => continue,
                    Err(error) => line.insert("problem", environment.shown_error(error).to_string().as_str()),
                };
                text.push_str(&Value::hash(line).to_json());
                text.push('\n');
            }
        });
        (!text.is_empty()).then_some(text)
    }
}
