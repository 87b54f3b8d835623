//! `--ruby-net` and `--ruby-dns`: the network as Ruby of modules may ask it.

mod dns;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs};
use std::time::Duration;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Network, Page, PageRequest};

use crate::cli::failure::Failure;
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

/// The kinds of records that scripts can ask for.
const KINDS: &[&str] = &["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"];
/// So many aliases are followed.
const MOST_ALIASES: usize = 16;

/// Reads records: by name a list of addresses, or a map of kinds and lists.
pub(super) fn records(map: &Hash) -> Result<Records, Failure> {
    let mut all = Records::new();
    let mut add = |name: &str, kind: &str, value: &Value| -> Result<(), Failure> {
        let kind = kind.to_uppercase();
        if !KINDS.contains(&kind.as_str()) {
            return Err(issues::bad_record_kind(name, &kind, KINDS));
        }
        let values = texts(value);
        values.iter().try_for_each(|value| check(name, &kind, value))?;
        all.entry((plain(name), kind)).or_default().extend(values);
        Ok(())
    };
    for (name, value) in map {
        let name = name.to_string();
        match value {
            Value::Hash(kinds) => {
                kinds.iter().try_for_each(|(kind, value)| add(&name, &kind.to_string(), value))?;
            }
            addresses => {
                for address in texts(addresses) {
                    let is_old = address.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4());
                    let is_new = address.contains(':');
                    add(&name, if is_old || !is_new { "A" } else { "AAAA" }, &address.as_str().into())?;
                    add(&address, "PTR", &name.as_str().into())?;
                }
            }
        }
    }
    Ok(all)
}

/// Refuses a record that a name server would not give.
fn check(name: &str, kind: &str, value: &str) -> Result<(), Failure> {
    let mut words = value.split_whitespace();
    let mut number = || words.next().is_some_and(|word| word.parse::<u16>().is_ok());
    let (is_good, expected) = match kind {
        "A" => (value.parse::<Ipv4Addr>().is_ok(), "an IPv4 address"),
        "AAAA" => (value.parse::<Ipv6Addr>().is_ok(), "an IPv6 address"),
        "MX" => (number() && words.next().is_some(), "a number and a name, such as `10 mail.example.com`"),
        "SRV" => {
            let numbers = [number(), number(), number()];
            (
                numbers == [true; 3] && words.next().is_some(),
                "three numbers and a name, such as `0 5 443 web`",
            )
        }
        _ => (true, ""),
    };
    if is_good { Ok(()) } else { Err(issues::bad_record(name, kind, value, expected)) }
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
            return Ok(found(given, name, kind));
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

/// Finds records that are given, behind aliases too, as a name server does; this machine has its own name always.
fn found(given: &Records, name: &str, kind: &str) -> Vec<String> {
    let mut name = plain(name);
    for _ in 0..MOST_ALIASES {
        if let Some(records) = given.get(&(name.clone(), kind.to_owned())) {
            return records.clone();
        }
        let alias = given.get(&(name.clone(), "CNAME".to_owned())).and_then(|aliases| aliases.first());
        match (alias, name.as_str(), kind) {
            (Some(alias), ..) => name = plain(alias),
            (None, "localhost", "A") => return vec!["127.0.0.1".to_owned()],
            (None, "localhost", "AAAA") => return vec!["::1".to_owned()],
            _ => break,
        }
    }
    Vec::new()
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
        RubyNetwork { is_open: false, given: Some(records(&map).expect("good records")) }
    }

    #[test]
    fn records_that_no_server_gives_are_refused() {
        let kinds =
            |kind: &str, value: &str| Value::from([(kind, Value::from(value))].into_iter().collect::<Hash>());
        for (value, words) in [
            ("10.0.0.300".into(), "10.0.0.300, which is not an IPv4 address"),
            (kinds("AAAA", "10.0.0.1"), "which is not an IPv6 address"),
            (kinds("MX", "mail"), "which is not a number and a name"),
            (kinds("SRV", "1 2 web"), "which is not three numbers and a name"),
            (kinds("XX", "1"), "records of the kind XX; known are A, AAAA"),
        ] {
            let map: Hash = [("a.example.com", value)].into_iter().collect();
            let failure = records(&map).expect_err("refused").to_string();
            assert!(failure.contains(words), "{failure}");
        }
    }

    #[test]
    fn aliases_are_followed() {
        let alias = |to: &str| Value::from([("CNAME", Value::from(to))].into_iter().collect::<Hash>());
        let ring = [("x", alias("y")), ("y", alias("x"))];
        let network =
            given(&[("b", alias("A.")), ("a", "10.0.0.1".into()), ring[0].clone(), ring[1].clone()]);
        assert_eq!(network.records("b", "A"), Ok(vec!["10.0.0.1".to_owned()]));
        assert_eq!(network.records("x", "A"), Ok(Vec::new()));
        assert_eq!(network.records("localhost", "A"), Ok(vec!["127.0.0.1".to_owned()]));
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
