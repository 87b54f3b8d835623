//! A request: who asks, what, through the pool or without it, and what is told of it.

use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Method, Request};
use tracing::{Instrument, Span};

use crate::access::{Caller, Certificate, Role, check_host, check_origin};
use crate::events::{EVENTS, events};
use crate::http::{self, Reply};
use crate::log::Line;
use crate::metrics::Now;
use crate::pool::Refusal;
use crate::problem::Problem;
use crate::program::Program;
use crate::question::{Question, Waiting};
use crate::route::{self, Route};
use crate::serve::Shared;
use crate::settings::ServerSettings;
use crate::state::State;
use crate::{explorer, issues, puppet, routes, span, stream};

/// What is known of a request before it is answered.
struct RequestNotes {
    route: &'static str,
    name: String,
    id: Option<String>,
}

/// Answers a request: counted, logged, and never without the headers that browsers need.
pub(crate) async fn handle(
    shared: Arc<Shared>,
    certificate: Option<Certificate>,
    request: Request<Incoming>,
) -> Reply {
    let begin = shared.program.clock();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let state = shared.state();
    let mut asked = RequestNotes { route: "other", name: "-".to_owned(), id: None };
    let span = span::request(method.as_str(), &path, state.generation);
    let answering = answer(&shared, &state, certificate, request, &mut asked).instrument(span.clone());
    let reply = match answering.await {
        Ok(reply) => reply,
        Err(problem) => http::refused(&problem, state.generation),
    };
    let took = shared.program.clock().saturating_sub(begin);
    let status = reply.status().as_u16();
    shared.metrics.count(asked.route, status, took);
    span::end(&span, asked.route, &asked.name, status);
    if let Some(form) = shared.settings.log {
        let line = Line {
            time: shared.program.now(),
            method: method.as_str(),
            path: &path,
            status,
            took,
            name: &asked.name,
            generation: state.generation,
            id: asked.id.as_deref(),
        };
        shared.program.log(&line.write(form));
    }
    http::guarded(reply)
}

async fn answer(
    shared: &Arc<Shared>,
    state: &Arc<State>,
    certificate: Option<Certificate>,
    request: Request<Incoming>,
    asked: &mut RequestNotes,
) -> Result<Reply, Problem> {
    let (parts, incoming) = request.into_parts();
    let settings = &shared.settings;
    let authority = parts.uri.authority().map(hyper::http::uri::Authority::as_str);
    if settings.address.is_some() {
        check_host(settings, authority, &parts.headers)?;
    }
    if parts.method != Method::GET && parts.method != Method::HEAD {
        check_origin(authority, &parts.headers)?;
    }
    let tokens = shared.tokens.load();
    let caller = Caller::find(settings, tokens.as_deref(), &parts.headers, certificate)?;
    drop(tokens);
    if let Some(name) = &caller.name {
        asked.name.clone_from(name);
    }
    let path = parts.uri.path();
    if let Some(reply) = plain(shared, state, &parts.method, path, &parts.headers, asked) {
        return Ok(reply);
    }
    if puppet::is_of_puppet(path) {
        asked.route = puppet::route(path);
        let body = timed(settings, http::body(incoming)).await?;
        return puppet::answer(shared, state, &caller, &parts, body).await;
    }
    if path == EVENTS && parts.method == Method::GET {
        asked.route = EVENTS;
        caller.check(Role::Read)?;
        return events(shared);
    }
    let (route, in_path) = find(&parts.method, path)?;
    asked.route = route.path;
    caller.check(route.role)?;
    let query = parts.uri.query().unwrap_or("");
    let keeps = route.keeps(query);
    if keeps && let Some(kept) = state.replies.find(query) {
        shared.metrics.asked.inc();
        shared.metrics.remembered.inc();
        return Ok(http::again(kept, &parts.headers, state.generation));
    }
    let given = http::parameters(parts.uri.query().unwrap_or(""), &in_path, route.parameters)?;
    if given.get("secrets").is_some_and(|wanted| wanted == "true") {
        caller.check(Role::Secrets)?;
    }
    let body = match route.method {
        route::Method::Get => Bytes::new(),
        route::Method::Post => timed(settings, http::body(incoming)).await?,
    };
    let if_match = parts.headers.get(hyper::header::IF_MATCH);
    let stop = Arc::default();
    let _waiting = Waiting(Arc::clone(&stop));
    let question = Question {
        stop,
        shared: Arc::clone(shared),
        state: Arc::clone(state),
        given,
        body,
        caller,
        if_match: if_match.and_then(|value| value.to_str().ok()).map(str::to_owned),
    };
    let answered = ask(shared, asked, move || (route.run)(&question)).await??;
    if keeps {
        state.replies.keep(query, http::kept(&answered));
    }
    let (reply, slices) = http::answered(answered, &parts.headers, state.generation);
    Ok(match slices {
        Some(slices) => stream::sliced(shared, reply, slices, &parts.headers),
        None => reply,
    })
}

async fn timed<T>(
    settings: &ServerSettings,
    work: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let timeout = tokio::time::timeout(settings.timeout, work).await;
    timeout.unwrap_or_else(|_| Err(issues::too_slow(settings.timeout.as_secs())))
}

/// Asks the pool.
async fn ask<T: Send + 'static>(
    shared: &Arc<Shared>,
    asked: &mut RequestNotes,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let outcome = in_pool(shared, work).await;
    if let Err(problem) = &outcome
        && problem.code == "BUG"
    {
        asked.id = problem.detail.rsplit(' ').next().map(str::to_owned);
    }
    outcome
}

/// Does something in the pool, within the time that a question may take.
pub(crate) async fn in_pool<T: Send + 'static>(
    shared: &Arc<Shared>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (timeout, span) = (shared.settings.timeout, Span::current());
    match tokio::time::timeout(timeout, shared.pool.ask(move || span.in_scope(work))).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(Refusal::Full)) => Err(issues::busy()),
        Ok(Err(Refusal::Panicked)) => Err(issues::bug(&chance(&*shared.program))),
        Err(_) => Err(issues::too_slow(timeout.as_secs())),
    }
}

/// Makes a name that nothing else has.
pub(crate) fn chance(program: &dyn Program) -> String {
    let mut bytes = [0; 8];
    program.random(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

type Found<'p> = (&'static Route, Vec<(&'static str, &'p str)>);

fn find<'p>(method: &Method, path: &'p str) -> Result<Found<'p>, Problem> {
    let mut others = Vec::new();
    for route in routes::ROUTES.iter().copied() {
        let Some(found) = route.matches(path) else { continue };
        if method.as_str() == route.method.word()
            || (method == Method::HEAD && route.method == route::Method::Get)
        {
            return Ok((route, found));
        }
        others.push(route.method.word());
    }
    Err(if others.is_empty() {
        issues::unknown_route(path)
    } else {
        issues::wrong_method(path, &others.join(","))
    })
}

/// Answers what needs no thread: the explorer's files, and whether the server lives.
fn plain(
    shared: &Arc<Shared>,
    state: &Arc<State>,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    asked: &mut RequestNotes,
) -> Option<Reply> {
    if method != Method::GET && method != Method::HEAD {
        return None;
    }
    let text = |body: &str| {
        let answer = crate::answer::Answer::of(crate::answer::TEXT, body.to_owned());
        Some(http::answered(answer, headers, state.generation).0)
    };
    let (route, reply) = match path {
        "/healthz" => ("/healthz", text("ok\n")),
        "/status/v1/simple" => ("/status/v1/simple", text("running")),
        "/readyz" => match state.problem(shared) {
            None => ("/readyz", text("ready\n")),
            Some(problem) => ("/readyz", Some(http::refused(&problem, state.generation))),
        },
        "/metrics" => {
            let (waiting, running) = shared.pool.depth();
            let now = Now {
                waiting,
                running,
                generation: state.generation,
                files: state.file_count(),
                state_age: shared.program.clock().saturating_sub(state.born),
                memory: shared.program.memory(),
            };
            ("/metrics", text(&shared.metrics.text(&now)))
        }
        "/openapi.json" => {
            let answer = crate::answer::Answer::json(crate::openapi::openapi());
            ("/openapi.json", Some(http::answered(answer, headers, state.generation).0))
        }
        path => ("/", explorer::file(path, headers)),
    };
    if reply.is_some() {
        asked.route = route;
    }
    reply
}
