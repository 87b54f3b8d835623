//! From bytes to questions and back: paths, parameters, bodies, headers.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll};

use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderName, HeaderValue, IF_NONE_MATCH, REFERRER_POLICY, RETRY_AFTER, VARY, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{HeaderMap, Response, StatusCode};
use percent_encoding::percent_decode_str;
use tokio::sync::mpsc;

use crate::answer::Answer;
use crate::issues;
use crate::problem::Problem;
use crate::route::Parameter;
use crate::state::sum;

/// The largest body of a request.
pub(crate) const LARGEST_BODY: usize = 8 << 20;
/// Shorter bodies are not worth compressing.
const SHORTEST_COMPRESSED: usize = 1024;
/// The number of the state that an answer was made of.
const GENERATION: HeaderName = HeaderName::from_static("hierarch-generation");

/// The body of a response: whole, or one that goes on.
pub(crate) enum Sent {
    Whole(Full<Bytes>),
    Events(mpsc::Receiver<Bytes>),
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Self::Whole(body) => Pin::new(body).poll_frame(context),
            Self::Events(events) => {
                events.poll_recv(context).map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(body) => body.is_end_stream(),
            Self::Events(_) => false,
        }
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Self::Whole(body) => body.size_hint(),
            Self::Events(_) => hyper::body::SizeHint::default(),
        }
    }
}

/// A response on its way.
pub(crate) type Reply = Response<Sent>;

/// Reads the parameters of a query: each at most once, and only those that are known.
pub(crate) fn parameters(
    query: &str,
    in_path: &[(&'static str, &str)],
    known: &'static [Parameter],
) -> Result<BTreeMap<&'static str, String>, Problem> {
    let mut given = BTreeMap::new();
    for (name, text) in in_path {
        given.insert(*name, decoded(text, false)?);
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, text) = (decoded(name, true)?, decoded(text, true)?);
        let parameter = known.iter().find(|parameter| parameter.name == name);
        let parameter = parameter.ok_or_else(|| issues::unknown_parameter(&name, known))?;
        if let Some(expected) = parameter.kind.complaint(&text) {
            return Err(issues::bad_parameter(&name, &text, &expected));
        }
        if given.insert(parameter.name, text).is_some() {
            return Err(issues::twice(&name));
        }
    }
    for parameter in known.iter().filter(|parameter| parameter.is_required) {
        if given.get(parameter.name).is_none_or(String::is_empty) {
            return Err(issues::missing_parameter(parameter.name, parameter.about));
        }
    }
    Ok(given)
}

/// Takes percent signs out of a part of an address; in a query a plus is a blank.
pub(crate) fn decoded(text: &str, is_query: bool) -> Result<String, Problem> {
    let text = if is_query { text.replace('+', " ") } else { text.to_owned() };
    let decoded = percent_decode_str(&text).decode_utf8().map_err(|_| issues::bad_encoding("the address"))?;
    if decoded.contains('\0') { Err(issues::bad_encoding("the address")) } else { Ok(decoded.into_owned()) }
}

/// Reads a body that is not too large.
pub(crate) async fn body(incoming: Incoming) -> Result<Bytes, Problem> {
    match Limited::new(incoming, LARGEST_BODY).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            Err(issues::body_too_large(LARGEST_BODY))
        }
        Err(error) => Err(issues::bad_body(&error.to_string())),
    }
}

/// Makes the response of an answer.
pub(crate) fn answered(answer: Answer, headers: &HeaderMap, generation: u64) -> Reply {
    let tag = answer.tag.unwrap_or_else(|| format!("\"{:016x}\"", sum(&answer.body)));
    let is_known = headers.get_all(IF_NONE_MATCH).iter().any(|value| {
        value
            .to_str()
            .is_ok_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
    });
    let mut reply = if is_known && answer.status == 200 {
        let mut reply = whole(Bytes::new());
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
        reply
    } else {
        let mut reply = compressed(answer.body.into_bytes(), headers);
        set(&mut reply, CONTENT_TYPE, answer.media);
        *reply.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
        reply
    };
    set(&mut reply, ETAG, &tag);
    set(&mut reply, CACHE_CONTROL, if answer.is_secret { "no-store" } else { "no-cache" });
    set(&mut reply, GENERATION, &generation.to_string());
    reply
}

/// Makes the response of a problem.
pub(crate) fn refused(problem: &Problem, generation: u64) -> Reply {
    let mut reply = whole(Bytes::from(problem.body()));
    *reply.status_mut() = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    set(&mut reply, CONTENT_TYPE, "application/problem+json");
    set(&mut reply, CACHE_CONTROL, "no-store");
    set(&mut reply, GENERATION, &generation.to_string());
    if let Some(seconds) = problem.retry_after {
        set(&mut reply, RETRY_AFTER, &seconds.to_string());
    }
    if problem.challenge {
        set(&mut reply, WWW_AUTHENTICATE, "Bearer");
    }
    if problem.status == 405 {
        let allowed = problem.detail.rsplit(' ').next().unwrap_or_default();
        set(&mut reply, ALLOW, allowed);
    }
    reply
}

/// Makes a response of bytes.
pub(crate) fn whole(bytes: Bytes) -> Reply {
    Response::new(Sent::Whole(Full::new(bytes)))
}

/// Sets a header; what cannot stand in one is left out.
pub(crate) fn set(reply: &mut Reply, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        reply.headers_mut().insert(name, value);
    }
}

/// Adds what every response has: nothing of ours may be framed, guessed at or joined by scripts of others.
pub(crate) fn guarded(mut reply: Reply) -> Reply {
    let policy =
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'";
    set(&mut reply, CONTENT_SECURITY_POLICY, policy);
    set(&mut reply, X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(&mut reply, X_FRAME_OPTIONS, "DENY");
    set(&mut reply, REFERRER_POLICY, "no-referrer");
    reply
}

/// Tells whether a client reads compressed bodies.
pub(crate) fn reads_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|list| list.split(',')).any(|one| {
        let (kind, quality) = one.split_once(';').unwrap_or((one, ""));
        matches!(kind.trim(), "gzip" | "*") && !matches!(quality.trim(), "q=0" | "q=0.0")
    })
}

fn compressed(bytes: Vec<u8>, headers: &HeaderMap) -> Reply {
    if bytes.len() < SHORTEST_COMPRESSED || !reads_gzip(headers) {
        return whole(Bytes::from(bytes));
    }
    let mut reply = match gzip(&bytes, Compression::fast()) {
        Some(packed) => {
            let mut reply = whole(Bytes::from(packed));
            set(&mut reply, CONTENT_ENCODING, "gzip");
            reply
        }
        None => whole(Bytes::from(bytes)),
    };
    set(&mut reply, VARY, "accept-encoding");
    reply
}

/// Compresses bytes.
pub(crate) fn gzip(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{AT, KEY, Kind, NODE};

    const KNOWN: &[Parameter] = &[NODE, KEY, AT, Parameter::text("limit", "").of(Kind::Number)];

    fn read(query: &str) -> Result<BTreeMap<&'static str, String>, String> {
        parameters(query, &[], KNOWN).map_err(|problem| problem.detail)
    }

    #[test]
    fn parameters_are_decoded() {
        let given = read("node=web%2001&key=a%3A%3Ab+c&limit=3").expect("parameters");
        assert_eq!(
            (given["node"].as_str(), given["key"].as_str(), given["limit"].as_str()),
            ("web 01", "a::b c", "3")
        );
    }

    #[test]
    fn bad_parameters_are_named() {
        for (query, words) in [
            ("node=a&key=b&nod=c", "there is no parameter 'nod' here; did you mean 'node'?"),
            ("node=a&key=b&key=c", "'key' is given twice"),
            ("node=a", "the parameter 'key' is missing"),
            ("node=&key=b", "the parameter 'node' is missing"),
            ("node=a&key=b&limit=x", "the parameter 'limit' is 'x'; expected is a number"),
            ("node=%ff&key=b", "not UTF-8"),
            ("node=%00&key=b", "not UTF-8"),
        ] {
            let problem = read(query).expect_err(query);
            assert!(problem.contains(words), "{query}: {problem}");
        }
    }

    #[test]
    fn known_answers_are_not_sent_again() {
        let answer = Answer::json("{}".to_owned());
        let first = answered(answer.clone(), &HeaderMap::new(), 3);
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(answered(answer, &headers, 3).status(), 304);
        assert_eq!(answered(Answer::json("{1}".to_owned()), &headers, 3).status(), 200);
        assert_eq!(first.headers()[GENERATION], "3");
    }

    #[test]
    fn compression_is_for_those_who_read_it() {
        let mut headers = HeaderMap::new();
        for (accepted, is_read) in [("gzip, br", true), ("br", false), ("gzip;q=0", false), ("*", true)] {
            headers.insert(ACCEPT_ENCODING, accepted.parse().expect("a header"));
            assert_eq!(reads_gzip(&headers), is_read, "{accepted}");
        }
    }
}
