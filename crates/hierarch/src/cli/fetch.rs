//! Fetching URLs, within bounds of time and size.

use std::time::Duration;

use hierarch_compose::{Fetch, Unfetched};

/// The whole exchange, redirects included, may take this long.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A configuration document is never this large.
const SIZE_LIMIT: u64 = 16 << 20;

/// The world outside.
pub(crate) struct Web;

impl Fetch for Web {
    fn fetch(&self, url: &str) -> Result<Vec<u8>, Unfetched> {
        let request = ureq::get(url).config().timeout_global(Some(TIME_LIMIT)).max_redirects(5).build();
        let mut response = request.call().map_err(|error| explain(&error))?;
        response.body_mut().with_config().limit(SIZE_LIMIT).read_to_vec().map_err(|error| explain(&error))
    }
}

fn explain(error: &ureq::Error) -> Unfetched {
    match error {
        ureq::Error::StatusCode(status @ (404 | 410)) => Unfetched::Absent(format!("HTTP Error {status}")),
        ureq::Error::StatusCode(status) => Unfetched::Failed(format!("HTTP Error {status}")),
        other => Unfetched::Failed(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// Answers one request on loopback with a head and then, as long as anybody listens, more of the same.
    fn serve(head: &'static str, body: &'static [u8], endless: bool) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let _ = stream.read(&mut [0; 4096]);
            let mut alive = stream.write_all(head.as_bytes()).is_ok() && stream.write_all(body).is_ok();
            while endless && alive {
                alive = stream.write_all(body).is_ok();
            }
        });
        format!("http://{address}/x.yaml")
    }

    #[test]
    fn an_endless_answer_is_cut_off() {
        let url = serve("HTTP/1.1 200 OK\r\n\r\n", &[b'#'; 8192], true);
        assert!(matches!(Web.fetch(&url), Err(Unfetched::Failed(_))));
    }

    #[test]
    fn what_the_server_does_not_have_is_absent() {
        let url = serve("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", b"", false);
        assert!(matches!(Web.fetch(&url), Err(Unfetched::Absent(_))));
    }

    #[test]
    fn nonsense_instead_of_an_answer_is_a_failure() {
        let url = serve("no http at all\r\n\r\n", b"", false);
        assert!(matches!(Web.fetch(&url), Err(Unfetched::Failed(_))));
    }
}
