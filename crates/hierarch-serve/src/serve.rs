//! The server: connections in, each request through the same steps, a quiet end.

use std::collections::HashSet;
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{broadcast, mpsc, watch};
use tokio_rustls::TlsAcceptor;

use crate::access::{Caller, Certificate, Role, acceptor, check_host, check_origin};
use crate::http::{self, Reply, Sent};
use crate::log::Line;
use crate::metrics::{Metrics, Now};
use crate::pool::{Pool, Refused};
use crate::problem::Problem;
use crate::program::Program;
use crate::question::Question;
use crate::reload::Reloader;
use crate::route::{self, Route};
use crate::settings::ServerSettings;
use crate::state::State;
use crate::{explorer, issues, puppet, routes, stream};

/// The header of a request may have so many bytes.
const LARGEST_HEADER: usize = 16 << 10;
/// So long the header of a request may take.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// So many connections may be open.
const MOST_CONNECTIONS: usize = 10_000;
/// A connection for events is told now and then that the server lives.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// So many connections for events may be open.
const MOST_LISTENERS: usize = 1_000;

/// Where connections come from.
pub enum Listener {
    /// An address and port.
    Tcp(std::net::TcpListener),
    /// A socket of this machine.
    #[cfg(unix)]
    Unix(std::os::unix::net::UnixListener),
}

/// What the system may tell a running server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Finish what runs and end.
    End,
    /// Read certificates and tokens anew.
    Renew,
}

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) program: Arc<dyn Program>,
    pub(crate) settings: ServerSettings,
    pub(crate) metrics: Metrics,
    /// One reload at a time.
    pub(crate) reloading: Mutex<()>,
    /// Who is being answered something that one asks one at a time.
    pub(crate) busy: Mutex<HashSet<(String, &'static str)>>,
    state: ArcSwap<State>,
    changes: broadcast::Sender<Arc<State>>,
    /// Whether the server is about to end.
    ending: watch::Sender<bool>,
    pool: Pool,
    tokens: ArcSwapOption<crate::access::Tokens>,
    reloader: Mutex<Option<Reloader>>,
    listeners: AtomicUsize,
    /// What no other start of the server has, for tags that are not made of the answer.
    start: String,
}

impl Shared {
    /// Returns the state of now.
    pub(crate) fn state(&self) -> Arc<State> {
        self.state.load_full()
    }

    /// Puts a state in the place of the old one, and tells those who listen.
    pub(crate) fn swap(&self, state: State) {
        let state = Arc::new(state);
        self.state.store(Arc::clone(&state));
        self.metrics.reloads.inc();
        // Nobody has to listen.
        let _ = self.changes.send(state);
    }
}

/// A server that is ready to answer.
pub struct Server {
    shared: Arc<Shared>,
    acceptor: Option<TlsAcceptor>,
}

impl Server {
    /// Reads everything for the first time.
    pub fn new(program: Arc<dyn Program>, settings: ServerSettings) -> Result<Self, String> {
        let acceptor = settings.tls.as_ref().map(acceptor).transpose()?;
        let pool = Pool::start(settings.threads, settings.queue).map_err(|error| error.to_string())?;
        let tokens = ArcSwapOption::new(settings.tokens.clone().map(Arc::new));
        let (changes, _) = broadcast::channel(16);
        let empty = State::empty(program.clock());
        let start = chance(&*program);
        let shared = Arc::new(Shared {
            program,
            settings,
            metrics: Metrics::new(),
            reloading: Mutex::default(),
            busy: Mutex::default(),
            state: ArcSwap::from_pointee(empty),
            changes,
            ending: watch::channel(false).0,
            pool,
            tokens,
            reloader: Mutex::default(),
            listeners: AtomicUsize::new(0),
            start,
        });
        shared.state.store(Arc::new(State::load(&shared, None)));
        let reloader = Reloader::start(&shared).map_err(|error| error.to_string())?;
        *shared.reloader.lock().unwrap_or_else(PoisonError::into_inner) = Some(reloader);
        Ok(Self { shared, acceptor })
    }

    /// Tells how many nodes and keys are known, or why none are.
    pub fn counts(&self) -> Result<(usize, usize), String> {
        let state = self.shared.state();
        if let Some(problem) = state.problem(&self.shared) {
            return Err(problem.detail);
        }
        let nodes = state.nodes().map_err(|problem| problem.detail)?.len();
        let keys = state.keys(&self.shared).map_err(|problem| problem.detail)?.len();
        Ok((nodes, keys))
    }

    /// Answers until it is told to end.
    pub fn run(
        self,
        listener: Listener,
        signals: mpsc::UnboundedReceiver<Signal>,
        renew: impl Fn() -> Result<Option<crate::access::Tokens>, String> + Send + 'static,
    ) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.shared.settings.threads.clamp(1, 4))
            .enable_all()
            .build()?;
        let patience = self.shared.settings.timeout;
        let result = runtime.block_on(self.accept(listener, signals, renew));
        runtime.shutdown_timeout(patience.min(Duration::from_secs(1)));
        result
    }

    async fn accept(
        self,
        listener: Listener,
        mut signals: mpsc::UnboundedReceiver<Signal>,
        renew: impl Fn() -> Result<Option<crate::access::Tokens>, String>,
    ) -> io::Result<()> {
        let listener = Opened::new(listener)?;
        let mut acceptor = self.acceptor.clone();
        let is_ending = self.shared.ending.subscribe();
        let open = Arc::new(AtomicUsize::new(0));
        loop {
            tokio::select! {
                signal = signals.recv() => match signal {
                    Some(Signal::Renew) => self.renew(&mut acceptor, &renew),
                    Some(Signal::End) | None => break,
                },
                connection = listener.accept() => match connection {
                    Ok(_) if open.load(Ordering::Relaxed) >= MOST_CONNECTIONS => {}
                    Ok(connection) => self.start(connection, acceptor.clone(), &is_ending, &open),
                    // A connection that ended before it was accepted, or no free descriptor for a moment.
                    Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
                },
            }
        }
        drop(listener);
        self.shared.ending.send_replace(true);
        let wait = async {
            while open.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(self.shared.settings.timeout, wait).await;
        Ok(())
    }

    fn renew(
        &self,
        tls: &mut Option<TlsAcceptor>,
        tokens: &impl Fn() -> Result<Option<crate::access::Tokens>, String>,
    ) {
        let log = |what: &str| self.shared.program.log(what);
        match self.shared.settings.tls.as_ref().map(acceptor).transpose() {
            Ok(new) => *tls = new,
            Err(why) => log(&format!("certificates stay as they were: {why}")),
        }
        match tokens() {
            Ok(new) => self.shared.tokens.store(new.map(Arc::new)),
            Err(why) => log(&format!("tokens stay as they were: {why}")),
        }
    }

    fn start(
        &self,
        connection: Connection,
        acceptor: Option<TlsAcceptor>,
        is_ending: &watch::Receiver<bool>,
        open: &Arc<AtomicUsize>,
    ) {
        let (shared, is_ending) = (Arc::clone(&self.shared), is_ending.clone());
        let counted = Counted::new(open, &self.shared);
        tokio::spawn(async move {
            let _counted = counted;
            match (connection, acceptor) {
                (Connection::Tcp(stream), Some(acceptor)) => {
                    let Ok(Ok(stream)) = tokio::time::timeout(HEADER_TIME, acceptor.accept(stream)).await
                    else {
                        return;
                    };
                    let shown = stream.get_ref().1.peer_certificates().and_then(|list| list.first());
                    let certificate = shown.and_then(|bytes| Certificate::read(bytes));
                    speak(stream, shared, certificate, is_ending).await;
                }
                (Connection::Tcp(stream), None) => speak(stream, shared, None, is_ending).await,
                #[cfg(unix)]
                (Connection::Unix(stream), _) => speak(stream, shared, None, is_ending).await,
            }
        });
    }
}

/// Counts open connections.
struct Counted {
    open: Arc<AtomicUsize>,
    shared: Arc<Shared>,
}

impl Counted {
    fn new(open: &Arc<AtomicUsize>, shared: &Arc<Shared>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        shared.metrics.connections.inc();
        Self { open: Arc::clone(open), shared: Arc::clone(shared) }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
        self.shared.metrics.connections.dec();
    }
}

enum Opened {
    Tcp(tokio::net::TcpListener),
    #[cfg(unix)]
    Unix(tokio::net::UnixListener),
}

enum Connection {
    Tcp(tokio::net::TcpStream),
    #[cfg(unix)]
    Unix(tokio::net::UnixStream),
}

impl Opened {
    fn new(listener: Listener) -> io::Result<Self> {
        match listener {
            Listener::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                tokio::net::TcpListener::from_std(listener).map(Self::Tcp)
            }
            #[cfg(unix)]
            Listener::Unix(listener) => {
                listener.set_nonblocking(true)?;
                tokio::net::UnixListener::from_std(listener).map(Self::Unix)
            }
        }
    }

    async fn accept(&self) -> io::Result<Connection> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Answers are small and wanted at once.
                stream.set_nodelay(true)?;
                Ok(Connection::Tcp(stream))
            }
            #[cfg(unix)]
            Self::Unix(listener) => Ok(Connection::Unix(listener.accept().await?.0)),
        }
    }
}

async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    shared: Arc<Shared>,
    certificate: Option<Certificate>,
    mut is_ending: watch::Receiver<bool>,
) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(LARGEST_HEADER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(LARGEST_HEADER as u32)
        .max_concurrent_streams(100);
    let service = service_fn(move |request| {
        let (shared, certificate) = (Arc::clone(&shared), certificate.clone());
        async move { Ok::<_, Infallible>(handle(shared, certificate, request).await) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = is_ending.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// What is known of a request before it is answered.
struct Asked {
    route: &'static str,
    name: String,
    id: Option<String>,
}

async fn handle(shared: Arc<Shared>, certificate: Option<Certificate>, request: Request<Incoming>) -> Reply {
    let begin = shared.program.clock();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let state = shared.state();
    let mut asked = Asked { route: "other", name: "-".to_owned(), id: None };
    let reply = match answer(&shared, &state, certificate, request, &mut asked).await {
        Ok(reply) => reply,
        Err(problem) => http::refused(&problem, state.generation),
    };
    let took = shared.program.clock().saturating_sub(begin);
    let status = reply.status().as_u16();
    shared.metrics.count(asked.route, status, took);
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
    asked: &mut Asked,
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
    let question = Question {
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

/// The path of events, whose answer goes on.
pub(crate) const EVENTS: &str = "/api/v1/events";

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
    asked: &mut Asked,
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
    let timeout = shared.settings.timeout;
    match tokio::time::timeout(timeout, shared.pool.ask(work)).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(Refused::Full)) => Err(issues::busy()),
        Ok(Err(Refused::Panicked)) => Err(issues::bug(&chance(&*shared.program))),
        Err(_) => Err(issues::too_slow(timeout.as_secs())),
    }
}

/// Makes a name that nothing else has.
fn chance(program: &dyn Program) -> String {
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
    asked: &mut Asked,
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

/// Tells of changes as long as a client listens.
fn events(shared: &Arc<Shared>) -> Result<Reply, Problem> {
    if shared.listeners.fetch_add(1, Ordering::Relaxed) >= MOST_LISTENERS {
        shared.listeners.fetch_sub(1, Ordering::Relaxed);
        return Err(issues::busy());
    }
    let (sender, receiver) = mpsc::channel(8);
    let mut changes = shared.changes.subscribe();
    let mut is_ending = shared.ending.subscribe();
    let (generation, own) = (shared.state().generation, Arc::downgrade(shared));
    tokio::spawn(async move {
        let hello =
            Bytes::from(format!("retry: 2000\nevent: hello\ndata: {{\"generation\":{generation}}}\n\n"));
        let mut is_open = sender.send(Ok(hello)).await.is_ok();
        while is_open {
            let change = tokio::select! {
                change = tokio::time::timeout(HEARTBEAT, changes.recv()) => change,
                _ = is_ending.changed() => break,
            };
            let text = match change {
                Ok(Ok(state)) => event(&state),
                // Some were missed: the next one tells the number of the state all the same.
                Ok(Err(broadcast::error::RecvError::Lagged(_))) => continue,
                Ok(Err(broadcast::error::RecvError::Closed)) => break,
                Err(_) => ": still here\n\n".to_owned(),
            };
            is_open = sender.send(Ok(Bytes::from(text))).await.is_ok();
        }
        if let Some(shared) = own.upgrade() {
            shared.listeners.fetch_sub(1, Ordering::Relaxed);
        }
    });
    let mut reply = hyper::Response::new(Sent::Parts(receiver));
    http::set(&mut reply, hyper::header::CONTENT_TYPE, "text/event-stream");
    http::set(&mut reply, hyper::header::CACHE_CONTROL, "no-store");
    Ok(reply)
}

/// So many files are named in an event.
const MOST_NAMED: usize = 50;

fn event(state: &State) -> String {
    let files = state.changed.iter().take(MOST_NAMED).map(|path| path.display().to_string());
    let files: Vec<String> = files.map(|file| crate::json::text(&file)).collect();
    let data = format!("{{\"generation\":{},\"files\":[{}]}}", state.generation, files.join(","));
    format!("event: changed\ndata: {data}\n\n")
}

impl Shared {
    /// Returns what no other start of the server has.
    pub(crate) fn start(&self) -> &str {
        &self.start
    }

    /// Makes the changes of an edit visible without waiting for the system to tell of them.
    pub(crate) fn reload_now(self: &Arc<Self>) {
        crate::reload::reload(self);
        self.reload_soon();
    }

    /// Looks for changes without waiting for the system to tell of them.
    pub(crate) fn reload_soon(&self) {
        if let Some(reloader) = &*self.reloader.lock().unwrap_or_else(PoisonError::into_inner) {
            reloader.wake();
        }
    }
}
