//! `--ruby-net` and `--ruby-dns`: the network as Ruby of modules may ask it.

mod dns;

use std::collections::BTreeMap;
use std::net::{IpAddr, ToSocketAddrs};
use std::time::Duration;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Network, Page, PageRequest};

use crate::cli::issues;

/// What may be asked.
#[derive(Debug, Default)]
pub(super) struct RubyNetwork {
    /// Whether the real network may be asked.
    pub(super) is_open: bool,
    /// Records that are given, by name in small letters and kind; with them no name server is asked.
    pub(super) given: Option<Records>,
}

/// Records by name and kind.
type Records = BTreeMap<(String, String), Vec<String>>;

/// How long one question may take.
const TIME: Duration = Duration::from_secs(20);
/// How many bytes a page may have.
#[cfg(feature = "fetch")]
const SIZE: u64 = 64 << 20;

/// Reads records: by name a list of addresses, or a map of kinds and lists.
pub(super) fn records(map: &Hash) -> Records {
    let mut all = Records::new();
    let mut add = |name: &str, kind: &str, value: &Value| {
        all.entry((plain(name), kind.to_uppercase())).or_default().extend(texts(value));
    };
    for (name, value) in map {
        let name = name.to_string();
        match value {
            Value::Hash(kinds) => kinds.iter().for_each(|(kind, value)| add(&name, &kind.to_string(), value)),
            addresses => {
                for address in texts(addresses) {
                    let is_old = address.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4());
                    add(&name, if is_old { "A" } else { "AAAA" }, &address.as_str().into());
                    add(&address, "PTR", &name.as_str().into());
                }
            }
        }
    }
    all
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(ToString::to_string).collect(),
        Value::Undef => Vec::new(),
        one => vec![one.to_string()],
    }
}

/// Names are alike whatever their case, and whether or not they end in a dot.
fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_lowercase()
}

impl Network for RubyNetwork {
    fn records(&self, name: &str, kind: &str) -> Result<Vec<String>, String> {
        if let Some(given) = &self.given {
            return Ok(given.get(&(plain(name), kind.to_owned())).cloned().unwrap_or_default());
        }
        match kind {
            "A" | "AAAA" => Ok(addresses(name, kind == "A")),
            _ => dns::ask(name, kind, TIME),
        }
    }

    #[cfg(not(feature = "fetch"))]
    fn page(&self, request: &PageRequest) -> Result<Page, String> {
        let _ = request;
        Err(issues::no_pages(self.is_open))
    }

    #[cfg(feature = "fetch")]
    fn page(&self, request: &PageRequest) -> Result<Page, String> {
        if !self.is_open {
            return Err(issues::no_pages(self.is_open));
        }
        fetch(request).map_err(|error| error.to_string())
    }
}

/// Asks the system, which also looks into its own files; a name it does not find is not a failure.
fn addresses(name: &str, is_old: bool) -> Vec<String> {
    let found = (name, 0).to_socket_addrs().map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    let mut all: Vec<String> = Vec::new();
    for address in found.into_iter().map(|address| address.ip()).filter(|address| address.is_ipv4() == is_old)
    {
        let text = address.to_string();
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// Redirections are left to the script, as Ruby leaves them.
#[cfg(feature = "fetch")]
fn fetch(request: &PageRequest) -> Result<Page, ureq::Error> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(TIME))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false);
    let agent: ureq::Agent = config.build().into();
    let mut asked = ureq::http::Request::builder().method(request.method.as_str()).uri(request.url.as_str());
    for (name, value) in &request.headers {
        asked = asked.header(name.as_str(), value.as_str());
    }
    let mut answer = if request.body.is_empty() {
        agent.run(asked.body(())?)?
    } else {
        agent.run(asked.body(request.body.clone())?)?
    };
    let body = answer.body_mut().with_config().limit(SIZE).read_to_vec()?;
    let headers = answer.headers().iter();
    let headers = headers
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    Ok(Page {
        status: answer.status().as_u16(),
        reason: answer.status().canonical_reason().unwrap_or_default().to_owned(),
        headers: headers.collect(),
        body,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, Value)]) -> RubyNetwork {
        let map: Hash = pairs.iter().map(|(name, value)| (*name, value.clone())).collect();
        RubyNetwork { is_open: false, given: Some(records(&map)) }
    }

    #[test]
    fn records_are_given_by_name_and_kind() {
        let addresses = Value::array(vec!["192.0.2.1".into(), "2001:db8::1".into()]);
        let kinds: Hash = [("txt", Value::from("v=1"))].into_iter().collect();
        let network = given(&[("Web.example.com", addresses), ("example.com.", kinds.into())]);
        assert_eq!(network.records("web.example.com.", "A"), Ok(vec!["192.0.2.1".to_owned()]));
        assert_eq!(network.records("web.example.com", "AAAA"), Ok(vec!["2001:db8::1".to_owned()]));
        assert_eq!(network.records("192.0.2.1", "PTR"), Ok(vec!["Web.example.com".to_owned()]));
        assert_eq!(network.records("example.com", "TXT"), Ok(vec!["v=1".to_owned()]));
        assert_eq!(network.records("nowhere.example.com", "A"), Ok(Vec::new()));
    }

    #[test]
    fn given_records_allow_no_pages() {
        assert!(given(&[]).page(&PageRequest::default()).is_err());
    }
}
