//! From bytes to questions and back: paths, parameters, bodies, headers.

use std::collections::BTreeMap;
use std::io::{self, Write};
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

use crate::answer::{Answer, Slices};
use crate::issues;
use crate::problem::Problem;
use crate::replies::KeptReply;
use crate::route::Parameter;
use crate::state::sum;

/// The largest body of a request.
pub(crate) const LARGEST_BODY: usize = 8 << 20;
/// Shorter bodies are not worth compressing.
const SHORTEST_COMPRESSED: usize = 1024;
/// The number of the state that an answer was made of.
const GENERATION: HeaderName = HeaderName::from_static("hierarch-generation");

/// The body of a response: whole, or one that goes on.
pub(crate) enum ReplyBody {
    Whole(Full<Bytes>),
    /// An error breaks the connection off, so that nobody takes a part for the whole.
    Parts(mpsc::Receiver<io::Result<Bytes>>),
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut *self {
            Self::Whole(body) => {
                let frame = Pin::new(body).poll_frame(context);
                frame.map(|frame| frame.map(|frame| frame.map_err(|never| match never {})))
            }
            Self::Parts(parts) => {
                parts.poll_recv(context).map(|part| part.map(|bytes| bytes.map(Frame::data)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(body) => body.is_end_stream(),
            Self::Parts(_) => false,
        }
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Self::Whole(body) => body.size_hint(),
            Self::Parts(_) => hyper::body::SizeHint::default(),
        }
    }
}

/// A response on its way.
pub(crate) type Reply = Response<ReplyBody>;

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

/// Makes the response of an answer; what follows it is handed back with the response, if it is wanted.
pub(crate) fn answered(answer: Answer, headers: &HeaderMap, generation: u64) -> (Reply, Option<Slices>) {
    let (tag, rest) = (answer.tag, answer.rest);
    let tag = tag.or_else(|| rest.is_none().then(|| format!("\"{:016x}\"", sum(&answer.body))));
    let is_known = tag.as_deref().is_some_and(|tag| is_known(headers, tag)) && answer.status == 200;
    let mut reply = if is_known {
        let mut reply = whole(Bytes::new());
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
        reply
    } else {
        let mut reply = compressed(answer.body.into_bytes(), headers);
        set(&mut reply, CONTENT_TYPE, answer.media);
        *reply.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
        reply
    };
    if let Some(tag) = &tag {
        set(&mut reply, ETAG, tag);
    }
    set(&mut reply, CACHE_CONTROL, if answer.is_secret { "no-store" } else { "no-cache" });
    set(&mut reply, GENERATION, &generation.to_string());
    (reply, rest.filter(|_| !is_known))
}

/// Returns an answer as it is kept.
pub(crate) fn kept(answer: &Answer) -> KeptReply {
    let tag = format!("\"{:016x}\"", sum(&answer.body));
    KeptReply { body: Bytes::from(answer.body.clone()), tag: Bytes::from(tag) }
}

/// Makes the response of an answer that was given before.
pub(crate) fn again(kept: KeptReply, headers: &HeaderMap, generation: u64) -> Reply {
    let is_known = std::str::from_utf8(&kept.tag).is_ok_and(|tag| is_known(headers, tag));
    let mut reply = if is_known {
        let mut reply = whole(Bytes::new());
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
        reply
    } else {
        let mut reply = if kept.body.len() < SHORTEST_COMPRESSED {
            whole(kept.body)
        } else {
            compressed(kept.body.to_vec(), headers)
        };
        set_static(&mut reply, CONTENT_TYPE, crate::answer::JSON);
        reply
    };
    if let Ok(tag) = HeaderValue::from_maybe_shared(kept.tag) {
        reply.headers_mut().insert(ETAG, tag);
    }
    set_static(&mut reply, CACHE_CONTROL, "no-cache");
    reply.headers_mut().insert(GENERATION, HeaderValue::from(generation));
    reply
}

/// Tells whether a client has the answer of a tag already.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let given = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|list| list.split(',')).any(|one| one.trim().trim_start_matches("W/") == tag)
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
    Response::new(ReplyBody::Whole(Full::new(bytes)))
}

/// Sets a header; what cannot stand in one is left out.
pub(crate) fn set(reply: &mut Reply, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        reply.headers_mut().insert(name, value);
    }
}

/// Sets a header to words that are always the same.
fn set_static(reply: &mut Reply, name: HeaderName, text: &'static str) {
    reply.headers_mut().insert(name, HeaderValue::from_static(text));
}

/// Adds what every response has: nothing of ours may be framed, guessed at or joined by scripts of others.
pub(crate) fn guarded(mut reply: Reply) -> Reply {
    let policy =
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'";
    set_static(&mut reply, CONTENT_SECURITY_POLICY, policy);
    set_static(&mut reply, X_CONTENT_TYPE_OPTIONS, "nosniff");
    set_static(&mut reply, X_FRAME_OPTIONS, "DENY");
    set_static(&mut reply, REFERRER_POLICY, "no-referrer");
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
        let answer = |text: &str| Answer::json(text.to_owned());
        let (first, _) = answered(answer("{}"), &HeaderMap::new(), 3);
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(answered(answer("{}"), &headers, 3).0.status(), 304);
        assert_eq!(answered(answer("{1}"), &headers, 3).0.status(), 200);
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

    /// A tag is known in every form that a client may send it in.
    #[test]
    fn tags_are_compared_weakly() {
        let (first, _) = answered(Answer::json("{}".to_owned()), &HeaderMap::new(), 1);
        let tag = first.headers()[ETAG].to_str().expect("a text").to_owned();
        for (given, status) in [
            (tag.clone(), 304),
            (format!("W/{tag}"), 304),
            (format!("\"other\", {tag}"), 304),
            (format!("\"other\",W/{tag} "), 304),
            ("\"other\"".to_owned(), 200),
            (tag.trim_matches('"').to_owned(), 200),
            (String::new(), 200),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, given.parse().expect("a header"));
            let (reply, _) = answered(Answer::json("{}".to_owned()), &headers, 1);
            assert_eq!(reply.status(), status, "{given}");
            // What is kept answers in the same way.
            let kept = again(kept(&Answer::json("{}".to_owned())), &headers, 1);
            assert_eq!(kept.status(), status, "{given}");
            assert_eq!(kept.headers()[ETAG], reply.headers()[ETAG], "{given}");
        }
    }

    #[test]
    fn a_secret_is_kept_by_nobody() {
        let plain = answered(Answer::json("{}".to_owned()), &HeaderMap::new(), 1).0;
        assert_eq!(plain.headers()[CACHE_CONTROL], "no-cache");
        let secret = answered(Answer::json("{}".to_owned()).secret_if(true), &HeaderMap::new(), 1).0;
        assert_eq!(secret.headers()[CACHE_CONTROL], "no-store");
        let problem = refused(&issues::twice("key"), 1);
        assert_eq!(problem.headers()[CACHE_CONTROL], "no-store");
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let reply = refused(&issues::wrong_method("/api/v1/edit", "POST"), 7);
        assert_eq!(
            (reply.status().as_u16(), &reply.headers()[ALLOW]),
            (405, &HeaderValue::from_static("POST"))
        );
        assert_eq!(reply.headers()[CONTENT_TYPE], "application/problem+json");
        assert_eq!(reply.headers()[GENERATION], "7");
        let reply = refused(&issues::who_are_you(), 1);
        assert_eq!(reply.headers()[WWW_AUTHENTICATE], "Bearer");
        let reply = refused(&issues::busy(), 1);
        assert!(reply.headers().contains_key(RETRY_AFTER) && reply.status() == 503);
    }

    #[test]
    fn every_reply_is_guarded_against_pages_of_others() {
        let reply = guarded(whole(Bytes::new()));
        for (name, words) in [
            (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (X_FRAME_OPTIONS, "DENY"),
            (REFERRER_POLICY, "no-referrer"),
        ] {
            let text = reply.headers()[&name].to_str().expect("a text");
            assert!(text.contains(words), "{name}: {text}");
        }
    }

    /// What is long enough is compressed, and is what it was when it is unpacked.
    #[test]
    fn compressed_bodies_are_the_same_bodies() {
        use std::io::Read;
        let text = "value ".repeat(1_000);
        let packed = gzip(text.as_bytes(), Compression::fast()).expect("packed");
        assert!(packed.len() < text.len() / 10, "{} bytes", packed.len());
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).expect("unpacked");
        assert_eq!(unpacked, text);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, "gzip".parse().expect("a header"));
        assert_eq!(compressed(text.into_bytes(), &headers).headers()[CONTENT_ENCODING], "gzip");
        assert!(
            !compressed(vec![b'x'; SHORTEST_COMPRESSED - 1], &headers)
                .headers()
                .contains_key(CONTENT_ENCODING)
        );
    }

    #[test]
    fn addresses_are_decoded_once() {
        for (text, in_query, in_path) in [
            ("a%20b", "a b", "a b"),
            ("a+b", "a b", "a+b"),
            ("a%2Bb", "a+b", "a+b"),
            ("%2525", "%25", "%25"),
            ("%", "%", "%"),
            ("%zz", "%zz", "%zz"),
            ("gr%C3%BC%C3%9Fe", "grüße", "grüße"),
            ("", "", ""),
        ] {
            assert_eq!(decoded(text, true).ok().as_deref(), Some(in_query), "{text}");
            assert_eq!(decoded(text, false).ok().as_deref(), Some(in_path), "{text}");
        }
    }
}
