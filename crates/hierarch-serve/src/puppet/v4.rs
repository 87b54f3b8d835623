//! `/puppet/v4/catalog`: the catalog of any node, for those who are named by `--allow-v4`.

use std::sync::Arc;

use hierarch_eval::{Level, Log};
use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;
use serde_json::{Map, Value as Json};

use super::Refusal;
use super::schema;
use super::v3::compile_logged;
use crate::access::Caller;
use crate::issues;
use crate::json;
use crate::question::to_value;
use crate::routes::catalog::known;
use crate::serve::Shared;
use crate::state::State;

/// Compiles the catalog that is asked for.
pub(super) fn catalog(
    shared: &Arc<Shared>,
    state: &State,
    caller: &Caller,
    body: &[u8],
) -> Result<String, Refusal> {
    let allowed = |name: &str| shared.settings.v4_names.iter().any(|own| own == name);
    if !caller.certificate.as_ref().is_some_and(|certificate| allowed(&certificate.name)) {
        return Err(Refusal::plain(403, issues::forbidden("/puppet/v4/catalog", "post")));
    }
    let asked = Request::parse(body)?;
    if state.check_environment(shared, &asked.environment).is_err() {
        let place = shared.program.roots().first().map(|root| root.display().to_string());
        let message = issues::no_environment(&asked.environment, &place.unwrap_or_default());
        return Err(Refusal::plain(500, message));
    }
    if asked.keeps_facts {
        keep(shared, &asked)?;
    }
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
    let (catalog, logs) = compile_logged(shared, state, &asked.certname, node)?;
    let failed = |error: hierarch_source::Error| issues::not_compiled(&error.to_string(), &asked.certname);
    let catalog = catalog.map_err(|error| Refusal::plain(500, failed(error)))?;
    let mut fields = vec![("catalog", catalog)];
    if let Some(least) = asked.logs {
        let time = crate::log::rfc3339(shared.program.now());
        fields.push((
            "logs",
            json::list(logs.iter().filter(|log| log.level >= least).map(|log| log_line(log, &time))),
        ));
    }
    Ok(json::object(fields))
}

/// Keeps facts where the nodes come from, before they are used, as Puppet Server does.
fn keep(shared: &Arc<Shared>, asked: &Request) -> Result<(), Refusal> {
    if !shared.program.has_store() {
        return Err(Refusal::plain(400, issues::no_store()));
    }
    let Some(facts) = &asked.facts else { return Ok(()) };
    let facts = NodeFacts {
        facts: facts.clone(),
        trusted: asked.trusted.clone(),
        environment: Some(asked.environment.clone()),
    };
    let kept = shared.program.keep_facts(&asked.certname, &facts);
    kept.map_err(|why| Refusal::plain(500, issues::not_kept(&why)))?;
    shared.reload_soon();
    Ok(())
}

/// What is asked for.
#[derive(Debug)]
struct Request {
    certname: String,
    environment: String,
    facts: Option<Hash>,
    trusted: Option<Hash>,
    /// The facts shall be kept.
    keeps_facts: bool,
    /// The least level of logs that are wanted; none: no logs are.
    logs: Option<Level>,
}

impl Request {
    fn parse(body: &[u8]) -> Result<Self, Refusal> {
        let body: Json = serde_json::from_slice(body)
            .map_err(|error| Refusal::plain(400, format!("Error parsing JSON: {error}")))?;
        let Json::Object(body) = body else {
            return Err(Refusal::plain(400, "Invalid input: (not (map? a-request))"));
        };
        if let Some(complaint) = schema::complaint(&body) {
            return Err(Refusal::plain(400, complaint));
        }
        let text = |name: &str| body.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let wanted =
            |kind: &str| body.get("persistence").and_then(|all| all.get(kind)) == Some(&Json::Bool(true));
        if wanted("catalog") {
            return Err(Refusal::plain(400, issues::catalogs_are_not_kept()));
        }
        let options = body.get("options").and_then(Json::as_object);
        Ok(Self {
            certname: text("certname"),
            environment: text("environment"),
            facts: values(&body, "facts"),
            trusted: values(&body, "trusted_facts"),
            keeps_facts: wanted("facts"),
            logs: options.and_then(wanted_logs),
        })
    }
}

fn values(body: &Map<String, Json>, name: &str) -> Option<Hash> {
    match to_value(body.get(name)?.get("values")?) {
        Value::Hash(hash) => Some((*hash).clone()),
        _ => None,
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

fn log_line(log: &Log, time: &str) -> String {
    // A message of the program names where it comes from instead of a place.
    let scope = log.scope.as_ref().map(|scope| format!("Scope({scope})"));
    let place = log.place.as_ref().filter(|_| scope.is_none());
    let file = place.and_then(|place| place.source.name().map(str::to_owned));
    let line = place.map(|place| place.position().0);
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
        ("source", json::text(&scope.unwrap_or_else(|| "Puppet".to_owned()))),
        ("tags", json::texts([level])),
        ("time", json::text(time)),
        ("file", json::optional(file.as_deref())),
        ("line", line.map_or_else(|| "null".to_owned(), |line| line.to_string())),
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
            ("[]", "map?"),
            ("{", "Error parsing JSON"),
            ("{}", "\"certname\" missing-required-key"),
            (
                r#"{"certname":"a","environment":"e","persistence":{"facts":true,"catalog":true}}"#,
                "catalogs are not stored here",
            ),
        ] {
            let refusal = Request::parse(body.as_bytes()).expect_err(body);
            assert_eq!(refusal.status, 400);
            assert!(refusal.message.contains(words), "{body}: {}", refusal.message);
        }
    }
}
