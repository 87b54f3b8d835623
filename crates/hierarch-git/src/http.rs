//! Git over HTTP, by the client that also fetches documents.

use std::any::Any;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gix::error::{Error, Result};
use gix_transport::client::blocking_io::http::{GetResponse, Http, PostBodyDataKind, PostResponse};
use ureq::http::{Request, Response};
use ureq::{Agent, Body, ResponseExt};

/// One redirect too many is a failure.
const MOST_REDIRECTS: u32 = 5;

/// A client with bounds on everything that a server sends.
pub(crate) struct Client {
    agent: Agent,
    /// How many bytes may still come.
    left: Arc<Mutex<u64>>,
    redirected: Option<String>,
}

impl Client {
    pub(crate) fn new(time: Duration, size: u64) -> Self {
        let config = Agent::config_builder().timeout_global(Some(time)).max_redirects(MOST_REDIRECTS);
        Self { agent: config.build().into(), left: Arc::new(Mutex::new(size)), redirected: None }
    }

    fn exchange(&self, url: &str, headers: impl IntoIterator<Item = impl AsRef<str>>) -> Exchange {
        let headers = headers.into_iter().filter_map(|header| {
            let (name, value) = header.as_ref().split_once(':')?;
            Some((name.to_owned(), value.trim().to_owned()))
        });
        Exchange {
            agent: self.agent.clone(),
            left: Arc::clone(&self.left),
            url: url.to_owned(),
            headers: headers.collect(),
            question: Vec::new(),
        }
    }
}

impl Http for Client {
    type Headers = Cursor<Vec<u8>>;
    type ResponseBody = Answer;
    type PostBody = Question;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<GetResponse<Self::Headers, Self::ResponseBody>> {
        let exchange = self.exchange(url, headers);
        let response = exchange.get().map_err(Error::from_error)?;
        let there = response.get_uri().to_string();
        // Where the list of branches is, there is the rest.
        let tail = url.strip_prefix(base_url).unwrap_or_default();
        self.redirected = there.strip_suffix(tail).filter(|_| there != url).map(str::to_owned);
        let headers = Cursor::new(header_lines(&response));
        let body = Answer { exchange: None, reader: Some(exchange.body_of(response)) };
        Ok(GetResponse { headers, body })
    }

    fn post(
        &mut self,
        url: &str,
        _: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _: PostBodyDataKind,
    ) -> Result<PostResponse<Self::Headers, Self::ResponseBody, Self::PostBody>> {
        let exchange = Arc::new(Mutex::new(self.exchange(url, headers)));
        // The answer's kind is checked when it is there; what is promised here is what git servers send.
        let headers = Cursor::new(b"content-type: application/x-git-upload-pack-result\n".to_vec());
        let post_body = Question(Arc::clone(&exchange));
        Ok(PostResponse { post_body, headers, body: Answer { exchange: Some(exchange), reader: None } })
    }

    fn configure(&mut self, _: &dyn Any) -> Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.redirected.clone()
    }
}

fn header_lines(response: &Response<Body>) -> Vec<u8> {
    let mut lines = Vec::new();
    for (name, value) in response.headers() {
        lines.extend_from_slice(name.as_str().as_bytes());
        lines.extend_from_slice(b": ");
        lines.extend_from_slice(value.as_bytes());
        lines.push(b'\n');
    }
    lines
}

/// One question and its answer. It is asked when the first byte of the answer is wanted: by then the question is whole.
pub(crate) struct Exchange {
    agent: Agent,
    left: Arc<Mutex<u64>>,
    url: String,
    headers: Vec<(String, String)>,
    question: Vec<u8>,
}

impl Exchange {
    fn get(&self) -> io::Result<Response<Body>> {
        let request = self.headed(Request::get(&self.url)).body(()).map_err(io::Error::other)?;
        self.agent.run(request).map_err(explained)
    }

    fn post(&mut self) -> io::Result<BufReader<BoundedReader>> {
        let body = std::mem::take(&mut self.question);
        let request = self.headed(Request::post(&self.url)).body(body).map_err(io::Error::other)?;
        let response = self.agent.run(request).map_err(explained)?;
        let kind = response.headers().get("content-type").map(|kind| kind.as_bytes().to_vec());
        if kind.as_deref() != Some(b"application/x-git-upload-pack-result") {
            return Err(io::Error::other("the server's answer is not git's"));
        }
        Ok(self.body_of(response))
    }

    fn headed(&self, request: ureq::http::request::Builder) -> ureq::http::request::Builder {
        self.headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    fn body_of(&self, response: Response<Body>) -> BufReader<BoundedReader> {
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        BufReader::new(BoundedReader { reader: Box::new(reader), left: Arc::clone(&self.left) })
    }
}

fn explained(error: ureq::Error) -> io::Error {
    match error {
        ureq::Error::StatusCode(401 | 403) => io::Error::other(
            "the server lets nobody in without a name and a token: https://NAME:TOKEN@host/…",
        ),
        ureq::Error::StatusCode(404 | 410) => io::Error::other("the server has no such repository"),
        other => io::Error::other(other.to_string()),
    }
}

/// A reader that gives no more than all readers of a client together may.
pub(crate) struct BoundedReader {
    reader: Box<dyn Read + Send + Sync>,
    left: Arc<Mutex<u64>>,
}

impl Read for BoundedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let mut left = locked(&self.left);
        *left = left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::other("the repository is larger than --max-fetch allows"))?;
        Ok(count)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is written here is asked.
pub(crate) struct Question(Arc<Mutex<Exchange>>);

impl Write for Question {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).question.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What comes back.
pub(crate) struct Answer {
    /// What is still to be asked.
    exchange: Option<Arc<Mutex<Exchange>>>,
    reader: Option<BufReader<BoundedReader>>,
}

impl Answer {
    fn reader(&mut self) -> io::Result<&mut BufReader<BoundedReader>> {
        if let Some(exchange) = self.exchange.take() {
            self.reader = Some(locked(&exchange).post()?);
        }
        self.reader.as_mut().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl Read for Answer {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader()?.read(buffer)
    }
}

impl BufRead for Answer {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader()?.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Some(reader) = &mut self.reader {
            reader.consume(amount);
        }
    }
}
