//! Fetching a repository from where a URL leads, into a bare one of our own.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use gix::progress::Discard;
use gix::protocol::transport::Protocol;
use gix::remote::Direction;
use gix::url::Scheme;
use gix_transport::client::blocking_io::Transport;
use gix_transport::client::blocking_io::http::connect_http;
use hierarch_source::Result;

use crate::address::without_password;
use crate::http::Client;
use crate::issues;

/// Everything that can be named.
const WANTED: [&str; 3] =
    ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", "+HEAD:refs/hierarch/HEAD"];

/// How much a fetch may take.
#[derive(Clone, Copy, Debug)]
pub struct FetchLimits {
    /// How long the whole may take.
    pub time: Duration,
    /// How many bytes a server may send over HTTP.
    pub size: u64,
}

/// Fetches all branches and tags of a repository into a folder, in which a bare repository is made if there is none.
/// Of several that fetch into the same folder, one waits for the other.
pub fn fetch(url: &str, folder: &Path, limits: FetchLimits) -> Result<()> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, waits) = channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            if waits.recv_timeout(limits.time) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::SeqCst);
            }
        });
        let fetched = alone(folder, || received(url, folder, limits, stop));
        drop(done);
        fetched
    })
    .map_err(|error| issues::unfetched(&without_password(url), &error.replace(url, &without_password(url))))
}

/// Works on a folder while nobody else does.
fn alone(
    folder: &Path,
    work: impl FnOnce() -> std::result::Result<(), String>,
) -> std::result::Result<(), String> {
    let unusable = |error: std::io::Error| format!("{} cannot be used: {error}", folder.display());
    fs::create_dir_all(folder.parent().unwrap_or(folder)).map_err(unusable)?;
    let mut name = folder.as_os_str().to_owned();
    name.push(".lock");
    let lock = File::create(name).map_err(unusable)?;
    lock.lock().map_err(unusable)?;
    // Not before: another process may have taken it away to begin anew.
    fs::create_dir_all(folder).map_err(unusable)?;
    work()
}

/// Why something of gix failed, with its causes.
fn told(error: impl std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = error.source();
    }
    text
}

fn received(
    url: &str,
    folder: &Path,
    limits: FetchLimits,
    stop: &AtomicBool,
) -> std::result::Result<(), String> {
    let repository = match gix::open(folder) {
        Ok(known) => known,
        Err(_) => begun(folder)?,
    };
    let remote = repository.remote_at(url).map_err(told)?;
    let remote = remote.with_refspecs(WANTED, Direction::Fetch).map_err(told)?;
    let address = remote.url(Direction::Fetch).cloned().ok_or("there is no URL")?;
    if matches!(address.scheme, Scheme::Http | Scheme::Https) {
        let client = Client::new(limits.time, limits.size);
        let transport = connect_http(client, address, Protocol::V2, false);
        return received_by(&remote, transport, stop);
    }
    let connection = remote.connect(Direction::Fetch).map_err(told)?;
    let fetch = connection.prepare_fetch(Discard, gix::remote::ref_map::Options::default()).map_err(told)?;
    fetch.receive(Discard, stop).map_err(told).map(drop)
}

fn received_by(
    remote: &gix::Remote,
    transport: impl Transport,
    stop: &AtomicBool,
) -> std::result::Result<(), String> {
    let connection = remote.to_connection_with_transport(transport);
    let fetch = connection.prepare_fetch(Discard, gix::remote::ref_map::Options::default()).map_err(told)?;
    fetch.receive(Discard, stop).map_err(told).map(drop)
}

/// Makes the bare repository; what an interrupted beginning left is taken away first.
fn begun(folder: &Path) -> std::result::Result<gix::Repository, String> {
    let unusable = |error: std::io::Error| format!("{} cannot be used: {error}", folder.display());
    fs::remove_dir_all(folder).and_then(|()| fs::create_dir(folder)).map_err(unusable)?;
    gix::init_bare(folder).map_err(told)
}
