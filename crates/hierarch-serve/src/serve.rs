//! The server: connections in, each request through the same steps, a quiet end.

use std::collections::HashSet;
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{broadcast, mpsc, watch};
use tokio_rustls::TlsAcceptor;

use crate::access::{Certificate, acceptor, certificate_warning};
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::program::Program;
use crate::reload::Reloader;
use crate::request::{chance, handle};
use crate::settings::ServerSettings;
use crate::state::State;

/// The header of a request may have so many bytes.
const LARGEST_HEADER: usize = 16 << 10;
/// So long the header of a request may take.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// So many connections may be open.
const MOST_CONNECTIONS: usize = 10_000;

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
    pub(crate) changes: broadcast::Sender<Arc<State>>,
    /// Whether the server is about to end.
    pub(crate) ending: watch::Sender<bool>,
    pub(crate) pool: Pool,
    pub(crate) tokens: ArcSwapOption<crate::access::Tokens>,
    reloader: Mutex<Option<Reloader>>,
    pub(crate) listeners: AtomicUsize,
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

/// A certificate whose time is over still encrypts, but clients refuse it.
fn warn_of_certificate(program: &dyn Program, settings: &ServerSettings) {
    let now = program.now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    if let Some(warning) = settings.tls.as_ref().and_then(|files| certificate_warning(files, now)) {
        program.log(&warning);
    }
}

impl Server {
    /// Reads everything for the first time.
    pub fn new(program: Arc<dyn Program>, settings: ServerSettings) -> Result<Self, String> {
        let acceptor = settings.tls.as_ref().map(acceptor).transpose()?;
        warn_of_certificate(&*program, &settings);
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
        let listener = OpenListener::new(listener)?;
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
            Ok(new) => {
                *tls = new;
                warn_of_certificate(&*self.shared.program, &self.shared.settings);
            }
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
        let counted = OpenConnection::new(open, &self.shared);
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
struct OpenConnection {
    open: Arc<AtomicUsize>,
    shared: Arc<Shared>,
}

impl OpenConnection {
    fn new(open: &Arc<AtomicUsize>, shared: &Arc<Shared>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        shared.metrics.connections.inc();
        Self { open: Arc::clone(open), shared: Arc::clone(shared) }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
        self.shared.metrics.connections.dec();
    }
}

enum OpenListener {
    Tcp(tokio::net::TcpListener),
    #[cfg(unix)]
    Unix(tokio::net::UnixListener),
}

enum Connection {
    Tcp(tokio::net::TcpStream),
    #[cfg(unix)]
    Unix(tokio::net::UnixStream),
}

impl OpenListener {
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
