//! Fetching URLs, within bounds of time and size.

use std::time::Duration;

use crate::cli::issues;
use hierarch_compose::{Fetch, FetchFailure};

/// The world outside.
pub(crate) struct Web {
    /// How long the whole exchange may take, redirects included.
    pub(crate) time: Duration,
    /// How many bytes an answer may have.
    pub(crate) size: u64,
}

/// One redirect too many is a failure.
#[cfg(feature = "fetch")]
const MOST_REDIRECTS: u32 = 5;

#[cfg(not(feature = "fetch"))]
impl Fetch for Web {
    fn fetch(&self, _: &str) -> Result<Vec<u8>, FetchFailure> {
        let _ = (self.time, self.size);
        Err(FetchFailure::Failed(issues::without_fetch()))
    }
}

#[cfg(feature = "fetch")]
impl Fetch for Web {
    fn fetch(&self, url: &str) -> Result<Vec<u8>, FetchFailure> {
        let config = ureq::get(url).config().timeout_global(Some(self.time)).max_redirects(MOST_REDIRECTS);
        let mut response = config.build().call().map_err(|error| explain(&error))?;
        response.body_mut().with_config().limit(self.size).read_to_vec().map_err(|error| explain(&error))
    }
}

#[cfg(feature = "fetch")]
fn explain(error: &ureq::Error) -> FetchFailure {
    match error {
        ureq::Error::StatusCode(status @ (404 | 410)) => FetchFailure::Absent(issues::http_status(*status)),
        ureq::Error::StatusCode(status) => FetchFailure::Failed(issues::http_status(*status)),
        other => FetchFailure::Failed(other.to_string()),
    }
}

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// Answers every request on loopback in its own way, as long as the test listens.
    fn serve(answer: impl Fn(&mut TcpStream, &str) -> std::io::Result<()> + Send + 'static) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/x.yaml", listener.local_addr().expect("an address"));
        let own = url.clone();
        std::thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let _ = stream.read(&mut [0; 4096]);
                // Whoever asked has gone away; so much the better.
                let _ = answer(&mut stream, &own);
            }
        });
        url
    }

    fn fetch(url: &str) -> Result<Vec<u8>, FetchFailure> {
        Web { time: Duration::from_millis(300), size: 10_000 }.fetch(url)
    }

    fn fails(answer: impl Fn(&mut TcpStream, &str) -> std::io::Result<()> + Send + 'static) -> String {
        match fetch(&serve(answer)) {
            Err(FetchFailure::Failed(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    /// Sends something again and again, slowly.
    fn drip(stream: &mut TcpStream, drop: &[u8]) -> std::io::Result<()> {
        loop {
            stream.write_all(drop)?;
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn an_answer_is_what_the_server_says() {
        let url = serve(|stream, _| stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na: 1"));
        assert_eq!(fetch(&url).expect("an answer"), b"a: 1");
    }

    #[test]
    fn an_endless_answer_is_cut_off() {
        let reason = fails(|stream, _| {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
            loop {
                stream.write_all(&[b'#'; 8192])?;
            }
        });
        assert!(reason.contains("limit"), "{reason}");
    }

    #[test]
    fn an_answer_that_is_too_large_is_refused() {
        fails(|stream, _| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n")?;
            stream.write_all(&[b'#'; 10_001])
        });
    }

    #[test]
    fn a_server_that_takes_its_time_is_left() {
        for head in ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n"] {
            let reason = fails(move |stream, _| {
                stream.write_all(head.as_bytes())?;
                drip(stream, b" ")
            });
            assert!(reason.contains("time"), "{head:?}: {reason}");
        }
    }

    #[test]
    fn heads_without_end_are_refused() {
        fails(|stream, _| {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            loop {
                stream.write_all(b"X-More: and more\r\n")?;
            }
        });
    }

    #[test]
    fn redirects_in_a_circle_end() {
        fails(|stream, own| {
            let head = format!("HTTP/1.1 302 Found\r\nLocation: {own}\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(head.as_bytes())
        });
    }

    #[test]
    fn a_redirect_to_a_file_is_not_followed() {
        fails(|stream, _| {
            stream
                .write_all(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n")
        });
    }

    #[test]
    fn what_the_server_does_not_have_is_absent() {
        let url = serve(|stream, _| stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
        assert!(matches!(fetch(&url), Err(FetchFailure::Absent(_))));
    }

    #[test]
    fn nonsense_instead_of_an_answer_is_a_failure() {
        fails(|stream, _| stream.write_all(b"no http at all\r\n\r\n"));
    }
}
