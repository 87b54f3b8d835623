//! Under which names the server may be asked, and by pages of which origin.

use std::net::IpAddr;

use hyper::HeaderMap;
use hyper::header::{HOST, ORIGIN};

use crate::issues;
use crate::problem::Problem;
use crate::settings::ServerSettings;

/// Refuses a name that is not the server's: a page of another site may have been told that it leads here.
pub(crate) fn check_host(
    settings: &ServerSettings,
    authority: Option<&str>,
    headers: &HeaderMap,
) -> Result<(), Problem> {
    let host = authority.or_else(|| headers.get(HOST).and_then(|host| host.to_str().ok())).unwrap_or("");
    let name = without_port(host);
    let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let is_own = || settings.names.iter().any(|own| own.eq_ignore_ascii_case(name));
    if is_address || name.eq_ignore_ascii_case("localhost") || is_own() {
        return Ok(());
    }
    Err(issues::wrong_host(host))
}

/// Refuses what a page of another origin sends.
pub(crate) fn check_origin(authority: Option<&str>, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or("?");
    let host = authority.or_else(|| headers.get(HOST).and_then(|host| host.to_str().ok())).unwrap_or("");
    let own = origin.split_once("://").map(|(_, host)| host);
    if own.is_some_and(|own| own.eq_ignore_ascii_case(host)) {
        Ok(())
    } else {
        Err(issues::wrong_origin(origin))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_taken_off_names_and_addresses() {
        for (host, name) in [("a:80", "a"), ("a", "a"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]")] {
            assert_eq!(without_port(host), name);
        }
    }

    #[test]
    fn only_pages_of_our_own_may_send() {
        let headers = |origin: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "localhost:8480".parse().expect("a header"));
            headers.insert(ORIGIN, origin.parse().expect("a header"));
            headers
        };
        assert!(check_origin(None, &headers("http://localhost:8480")).is_ok());
        for origin in ["http://evil.example", "null", "http://localhost:8481"] {
            assert!(check_origin(None, &headers(origin)).is_err(), "{origin}");
        }
        assert!(check_origin(None, &HeaderMap::new()).is_ok());
    }
}
