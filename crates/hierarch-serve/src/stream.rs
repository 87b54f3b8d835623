//! Long answers: a slice is made in the pool when the client has taken the one before, so that neither a thread nor memory
//! waits for a slow client.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::HeaderMap;
use hyper::body::Bytes;
use hyper::header::{CONTENT_ENCODING, VARY};
use tokio::sync::mpsc::{self, Sender};

use crate::answer::Slices;
use crate::http::{self, Reply, ReplyBody};
use crate::problem::Problem;
use crate::request::in_pool;
use crate::serve::Shared;

/// So many slices may wait for the client.
const WAITING: usize = 2;
/// While all threads are busy, a slice is asked for again after this time.
const PAUSE: Duration = Duration::from_millis(20);

/// Puts slices behind the head of a reply.
pub(crate) fn sliced(shared: &Arc<Shared>, reply: Reply, slices: Slices, headers: &HeaderMap) -> Reply {
    let (sender, receiver) = mpsc::channel(WAITING);
    let is_packed = http::reads_gzip(headers);
    let packer = if is_packed {
        Packer::Gzip(Box::new(GzEncoder::new(Vec::new(), Compression::fast())))
    } else {
        Packer::Plain
    };
    tokio::spawn(send(Arc::clone(shared), Arc::new(Mutex::new(slices)), packer, sender));
    let (parts, _) = reply.into_parts();
    let mut reply = Reply::from_parts(parts, ReplyBody::Parts(receiver));
    if is_packed {
        http::set(&mut reply, CONTENT_ENCODING, "gzip");
    }
    http::set(&mut reply, VARY, "accept-encoding");
    reply
}

async fn send(
    shared: Arc<Shared>,
    slices: Arc<Mutex<Slices>>,
    mut packer: Packer,
    sender: Sender<io::Result<Bytes>>,
) {
    loop {
        let part = match next(&shared, &slices).await {
            Ok(Some(slice)) => packer.pack(&slice),
            Ok(None) => {
                // Nobody has to listen any more.
                let _ = sender.send(packer.end()).await;
                return;
            }
            Err(problem) => Err(io::Error::other(problem.detail)),
        };
        let is_broken = part.is_err();
        if sender.send(part).await.is_err() || is_broken {
            return;
        }
    }
}

/// Makes a slice in the pool; a full queue is waited for as long as a question may take.
async fn next(shared: &Arc<Shared>, slices: &Arc<Mutex<Slices>>) -> Result<Option<String>, Problem> {
    let mut waited = Duration::ZERO;
    loop {
        let own = Arc::clone(slices);
        let made = in_pool(shared, move || own.lock().unwrap_or_else(PoisonError::into_inner)()).await;
        match made {
            Err(problem) if problem.code == "BUSY" && waited < shared.settings.timeout => {
                waited += PAUSE;
                tokio::time::sleep(PAUSE).await;
            }
            made => return made,
        }
    }
}

/// Compresses slice by slice, or does not.
enum Packer {
    Plain,
    Gzip(Box<GzEncoder<Vec<u8>>>),
}

impl Packer {
    fn pack(&mut self, slice: &str) -> io::Result<Bytes> {
        match self {
            Self::Plain => Ok(Bytes::copy_from_slice(slice.as_bytes())),
            Self::Gzip(encoder) => {
                encoder.write_all(slice.as_bytes())?;
                encoder.flush()?;
                Ok(Bytes::from(std::mem::take(encoder.get_mut())))
            }
        }
    }

    fn end(self) -> io::Result<Bytes> {
        match self {
            Self::Plain => Ok(Bytes::new()),
            Self::Gzip(encoder) => encoder.finish().map(Bytes::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn slices_are_packed_into_one_stream() {
        let mut packer = Packer::Gzip(Box::new(GzEncoder::new(Vec::new(), Compression::fast())));
        let mut bytes = packer.pack("first\n").expect("packed").to_vec();
        bytes.extend(packer.pack("second\n").expect("packed"));
        bytes.extend(packer.end().expect("packed"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text).expect("a stream");
        assert_eq!(text, "first\nsecond\n");
    }
}
