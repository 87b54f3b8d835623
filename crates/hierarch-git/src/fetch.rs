//! Fetching a repository from where a URL leads, into a bare one of our own.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use gix::progress::Discard;
use gix::remote::Direction;
use hierarch_source::Result;

use crate::issues;

/// Everything that can be named.
const WANTED: [&str; 3] =
    ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", "+HEAD:refs/hierarch/HEAD"];

/// Fetches all branches and tags of a repository into a folder, in which a bare repository is made if there is none.
pub fn fetch(url: &str, folder: &Path, time: Duration) -> Result<()> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, waits) = channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            if waits.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::SeqCst);
            }
        });
        let fetched = received(url, folder, stop);
        drop(done);
        fetched
    })
    .map_err(|error| issues::unfetched(url, &error))
}

fn received(url: &str, folder: &Path, stop: &AtomicBool) -> std::result::Result<(), String> {
    let repository = match gix::open(folder) {
        Ok(known) => known,
        Err(_) => gix::init_bare(folder).map_err(|error| error.to_string())?,
    };
    let remote = repository.remote_at(url).map_err(|error| error.to_string())?;
    let remote = remote.with_refspecs(WANTED, Direction::Fetch).map_err(|error| error.to_string())?;
    let connection = remote.connect(Direction::Fetch).map_err(|error| error.to_string())?;
    let fetch = connection.prepare_fetch(Discard, gix::remote::ref_map::Options::default());
    fetch.map_err(|error| error.to_string())?.receive(Discard, stop).map_err(|error| error.to_string())?;
    Ok(())
}
