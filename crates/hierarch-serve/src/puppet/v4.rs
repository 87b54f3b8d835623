//! `/puppet/v4/catalog`: the catalog of any node, for those who are named by `--allow-v4`.

use std::sync::Arc;

use hierarch_eval::{Level, Log};
use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;
use serde_json::{Map, Value as Json};

use super::Refusal;
use super::v3::{check, compile_logged};
use crate::access::Caller;
use crate::json;
use crate::question::to_value;
use crate::routes::catalog::{known, uuid};
use crate::serve::Shared;
use crate::state::State;

/// What a request may say.
const FIELDS: &[&str] = &[
    "certname",
    "persistence",
    "environment",
    "facts",
    "trusted_facts",
    "transaction_uuid",
    "job_id",
    "options",
];

/// Compiles the catalog that is asked for.
pub(super) fn catalog(
    shared: &Arc<Shared>,
    state: &State,
    caller: &Caller,
    body: &[u8],
) -> Result<String, Refusal> {
    let allowed = |name: &str| shared.settings.v4_names.iter().any(|own| own == name);
    if !caller.certificate.as_ref().is_some_and(|certificate| allowed(&certificate.name)) {
        let message =
            "Forbidden request: /puppet/v4/catalog (method :post). Please see the server logs for details.";
        return Err(Refusal::new(403, "FORBIDDEN", message));
    }
    let asked = Request::parse(body)?;
    check(shared, state, &asked.environment)?;
    let stored = known(state, &asked.certname);
    let mut node = match asked.facts {
        Some(facts) => {
            NodeFacts { facts, trusted: stored.ok().and_then(|known| known.trusted), environment: None }
        }
        None => stored.map_err(Refusal::from)?,
    };
    if let Some(trusted) = asked.trusted {
        node.trusted = Some(trusted);
    }
    node.environment = Some(asked.environment);
    let uuid = asked.transaction.unwrap_or_else(|| uuid(shared));
    let (catalog, logs) = compile_logged(shared, state, &asked.certname, node, &uuid)?;
    let mut fields = vec![("catalog", catalog)];
    if let Some(least) = asked.logs {
        fields.push(("logs", json::list(logs.iter().filter(|log| log.level >= least).map(log_line))));
    }
    Ok(json::object(fields))
}

/// What is asked for.
#[derive(Debug)]
struct Request {
    certname: String,
    environment: String,
    facts: Option<Hash>,
    trusted: Option<Hash>,
    transaction: Option<String>,
    /// The least level of logs that are wanted; none: no logs are.
    logs: Option<Level>,
}

impl Request {
    fn parse(body: &[u8]) -> Result<Self, Refusal> {
        let bad =
            |why: String| Refusal::new(400, "INVALID_REQUEST_PARAM", format!("Invalid parameter: {why}"));
        let body: Json = serde_json::from_slice(body).map_err(|error| bad(error.to_string()))?;
        let Json::Object(body) = body else { return Err(bad("the body is no object".to_owned())) };
        if let Some(name) = body.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(bad(format!("{name}: disallowed-key")));
        }
        let text = |name: &str| body.get(name).and_then(Json::as_str).map(str::to_owned);
        let required =
            |name: &str| text(name).ok_or_else(|| bad(format!("{name}: missing-required-key, a string")));
        let certname = required("certname")?;
        let environment = required("environment")?;
        let persistence = body.get("persistence").and_then(Json::as_object);
        let persistence = persistence
            .ok_or_else(|| bad("persistence: missing-required-key, {facts, catalog}".to_owned()))?;
        for kind in ["facts", "catalog"] {
            match persistence.get(kind) {
                Some(Json::Bool(false)) => {}
                Some(Json::Bool(true)) => {
                    let why = format!("persistence.{kind}: nothing is stored here; say false");
                    return Err(bad(why));
                }
                _ => return Err(bad(format!("persistence.{kind}: missing-required-key, a boolean"))),
            }
        }
        let options = body.get("options").and_then(Json::as_object);
        Ok(Self {
            certname,
            environment,
            facts: values(&body, "facts").map_err(&bad)?,
            trusted: values(&body, "trusted_facts").map_err(&bad)?,
            transaction: text("transaction_uuid"),
            logs: options.and_then(wanted_logs),
        })
    }
}

fn values(body: &Map<String, Json>, name: &str) -> Result<Option<Hash>, String> {
    match body.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(object)) => match object.get("values").map(to_value) {
            Some(Value::Hash(hash)) => Ok(Some((*hash).clone())),
            _ => Err(format!("{name}.values: missing-required-key, an object")),
        },
        Some(_) => Err(format!("{name}: an object with the key values")),
    }
}

fn wanted_logs(options: &Map<String, Json>) -> Option<Level> {
    if options.get("capture_logs") != Some(&Json::Bool(true)) {
        return None;
    }
    let level = options.get("log_level").and_then(Json::as_str).unwrap_or("warning");
    Some(match level {
        "debug" => Level::Debug,
        "info" => Level::Info,
        "notice" => Level::Notice,
        "err" | "error" => Level::Err,
        _ => Level::Warning,
    })
}

fn log_line(log: &Log) -> String {
    let level = match log.level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Notice => "notice",
        Level::Warning => "warning",
        Level::Err => "err",
        Level::Alert => "alert",
        Level::Emerg => "emerg",
        Level::Crit => "crit",
    };
    json::object([
        ("level", json::text(level)),
        ("message", json::text(&log.message)),
        ("source", json::text(log.scope.as_deref().unwrap_or("Puppet"))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_named() {
        let whole = r#"{"certname":"a","environment":"production","persistence":{"facts":false,"catalog":false},"facts":{"values":{"x":1}},"options":{"capture_logs":true,"log_level":"info"}}"#;
        let request = Request::parse(whole.as_bytes()).expect("a request");
        assert_eq!((request.certname.as_str(), request.logs), ("a", Some(Level::Info)));
        for (body, words) in [
            ("[]", "no object"),
            ("{}", "certname: missing-required-key"),
            (r#"{"certname":"a","environment":"e"}"#, "persistence: missing-required-key"),
            (
                r#"{"certname":"a","environment":"e","persistence":{"facts":true,"catalog":false}}"#,
                "nothing is stored here",
            ),
            (
                r#"{"certname":"a","environment":"e","persistence":{"facts":false,"catalog":false},"facts":{}}"#,
                "facts.values",
            ),
            (r#"{"cert":"a"}"#, "cert: disallowed-key"),
        ] {
            let refusal = Request::parse(body.as_bytes()).expect_err(body);
            assert_eq!(refusal.status, 400);
            assert!(refusal.message.contains(words), "{body}: {}", refusal.message);
        }
    }
}
