//! Puppet's catalog endpoints, for agents behind a load balancer: `/puppet/v3/catalog/NODE` and `/puppet/v4/catalog`.
//!
//! Who may ask is as in a stock Puppet Server: v3 the certificate of that very node, v4 nobody who is not named.

mod form;
mod schema;
mod v3;
mod v4;

use std::sync::Arc;

use hyper::body::Bytes;
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};

use crate::access::Caller;
use crate::http::{self, Reply};
use crate::issues;
use crate::json;
use crate::problem::Problem;
use crate::request::in_pool;
use crate::serve::Shared;
use crate::state::State;

const V3: &str = "/puppet/v3/catalog/";
const V4: &str = "/puppet/v4/catalog";

/// Why an agent gets no catalog, as Puppet Server says it (tests/serve/puppetserver.jsonl has what it really answered).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: String,
    /// The kind of issue, in JSON; none: the message is plain text.
    pub(crate) kind: Option<&'static str>,
}

impl Refusal {
    /// A failure while a catalog is made, which agents read as JSON.
    pub(crate) fn failure(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), kind: Some(kind) }
    }

    /// A refusal in plain words.
    pub(crate) fn plain(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), kind: None }
    }

    /// The type and the body that agents read.
    fn body(&self) -> (Option<&'static str>, String) {
        match self.kind {
            Some(kind) => {
                let fields = [("message", json::text(&self.message)), ("issue_kind", json::text(kind))];
                (Some(JSON), json::object(fields))
            }
            // Who is forbidden something is not even told what the words are.
            None => ((self.status != 403).then_some(TEXT), self.message.clone()),
        }
    }
}

const JSON: &str = "application/json;charset=utf-8";
const TEXT: &str = "text/plain;charset=utf-8";

/// A server that cannot be asked is one that the load balancer should pass over.
impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        let kind = match problem.status {
            404 => "RESOURCE_NOT_FOUND",
            400 => "INVALID_REQUEST_PARAM",
            _ => "RUNTIME_ERROR",
        };
        let status = if problem.status == 422 { 500 } else { problem.status };
        Self::failure(status, kind, problem.detail)
    }
}

/// Tells whether a path is one of Puppet Server's.
pub(crate) fn is_of_puppet(path: &str) -> bool {
    path.starts_with("/puppet/") || path.starts_with("/puppet-ca/")
}

/// Returns the name of the route for figures.
pub(crate) fn route(path: &str) -> &'static str {
    match path {
        V4 => V4,
        path if path.starts_with(V3) => "/puppet/v3/catalog/{node}",
        _ => "other",
    }
}

/// Answers an agent.
pub(crate) async fn answer(
    shared: &Arc<Shared>,
    state: &Arc<State>,
    caller: &Caller,
    parts: &Parts,
    body: Bytes,
) -> Result<Reply, Problem> {
    let path = parts.uri.path();
    let (shared, state, caller) = (Arc::clone(shared), Arc::clone(state), caller.clone());
    let query = parts.uri.query().unwrap_or("").to_owned();
    let own = Arc::clone(&shared);
    let is_v4 = path == V4;
    let outcome = match (path.strip_prefix(V3), is_v4) {
        (Some(name), _) if matches!(parts.method, Method::GET | Method::POST) => {
            let name = http::decoded(name, false)?;
            let fields = if parts.method == Method::POST {
                String::from_utf8_lossy(&body).into_owned()
            } else {
                query
            };
            let method = parts.method.as_str().to_lowercase();
            in_pool(&own, move || v3::catalog(&shared, &state, &caller, &name, (&method, &fields))).await?
        }
        (_, true) if parts.method == Method::POST => {
            in_pool(&own, move || v4::catalog(&shared, &state, &caller, &body)).await?
        }
        _ => return Err(issues::not_served(path)),
    };
    let (status, (media, text)) = match outcome {
        Ok(text) => (200, (Some(if is_v4 { crate::answer::JSON } else { JSON }), text)),
        Err(refusal) => (refusal.status, refusal.body()),
    };
    let mut reply = http::whole(Bytes::from(text));
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(media) = media {
        http::set(&mut reply, hyper::header::CONTENT_TYPE, media);
    }
    http::set(&mut reply, hyper::header::CACHE_CONTROL, "no-store");
    http::set(&mut reply, hyper::header::HeaderName::from_static("x-puppet-version"), PUPPET_VERSION);
    Ok(reply)
}

/// The version that agents are told: that of the language which is compiled.
const PUPPET_VERSION: &str = "8.10.0";
