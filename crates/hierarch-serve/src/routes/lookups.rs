//! `POST /lookup`: many keys of a node, or of facts that the question brings along.

use super::lookup::one;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::json;
use crate::question::Question;
use crate::route::{AT, Body, Method, Outcome, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Post,
    path: "/api/v1/lookup",
    summary: "The values of up to 10,000 keys, for a known node or for given facts",
    role: Role::Read,
    parameters: &[AT, SECRETS],
    body: Some(Body {
        schema: r#"{"type":"object","required":["keys"],"properties":{"keys":{"type":"array","items":{"type":"string"},"maxItems":10000},"node":{"type":"string"},"merge":{"enum":["first","unique","hash","deep"]},"facts":{"type":"object"},"trusted":{"type":"object"},"environment":{"type":"string"}}}"#,
        example: r#"{"keys":["profile::web::port","ntp::servers"],"node":"web01.berlin.example.com"}"#,
    }),
    media: JSON,
    schema: LIST,
    run,
};

const LIST: &str = r#"{"type":"array","items":{"type":"object","required":["key","found"],"properties":{"key":{"type":"string"},"found":{"type":"boolean"},"value":{},"strategy":{"type":"string"},"warnings":{"type":"array","items":{"type":"string"}},"problem":{"type":"object"}}}}"#;

/// As many keys may be asked for at once.
const MOST_KEYS: usize = 10_000;

fn run(question: &Question) -> Outcome {
    let body = question.object(&["keys", "node", "merge", "facts", "trusted", "environment"])?;
    let Some(serde_json::Value::Array(keys)) = body.get("keys") else {
        return Err(issues::bad_body("'keys' is a list of texts"));
    };
    if keys.len() > MOST_KEYS {
        return Err(issues::too_many_keys(keys.len(), MOST_KEYS));
    }
    let merge = match body.get("merge") {
        None | Some(serde_json::Value::Null) => None,
        Some(serde_json::Value::String(name))
            if matches!(name.as_str(), "first" | "unique" | "hash" | "deep") =>
        {
            Some(name.as_str())
        }
        Some(_) => return Err(issues::bad_body("'merge' is first, unique, hash or deep")),
    };
    let asked = question.asked_in(&body)?;
    let mut answers = Vec::with_capacity(keys.len());
    for key in keys {
        let key = key.as_str().ok_or_else(|| issues::bad_body("'keys' is a list of texts"))?;
        // One key that cannot be answered does not hide the others.
        let answer = one(question, &asked, key, merge, None).unwrap_or_else(|problem| {
            let fields =
                [("key", json::text(key)), ("found", "false".to_owned()), ("problem", problem.body())];
            json::object(fields)
        });
        answers.push(answer);
    }
    Ok(Answer::json(json::list(answers)).secret_if(question.wants_secrets()))
}
