//! Events: an answer that goes on, and tells of each new state of the files.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hyper::body::Bytes;
use tokio::sync::{broadcast, mpsc};

use crate::http::{self, Reply, ReplyBody};
use crate::issues;
use crate::problem::Problem;
use crate::serve::Shared;
use crate::state::State;

/// The path of events, whose answer goes on.
pub(crate) const EVENTS: &str = "/api/v1/events";
/// A connection for events is told now and then that the server lives.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// So many connections for events may be open.
const MOST_LISTENERS: usize = 1_000;

/// Tells of changes as long as a client listens.
pub(crate) fn events(shared: &Arc<Shared>) -> Result<Reply, Problem> {
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
    let mut reply = hyper::Response::new(ReplyBody::Parts(receiver));
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
