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
