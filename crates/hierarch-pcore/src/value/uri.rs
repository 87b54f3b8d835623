//! Resource identifiers, taken apart as Ruby's URI library takes them.

use std::fmt;
use std::hash::{Hash, Hasher};

use hierarch_source::Result;

use super::Value;
use crate::issues;

/// A URI. Either it has an opaque part (`mailto:a@b`), or a path and maybe a host.
#[derive(Clone, Default, Debug)]
pub struct Uri {
    /// What stands before the first colon, in lower case.
    pub scheme: Option<String>,
    /// What stands before `@`.
    pub userinfo: Option<String>,
    /// The host, `[::1]` with its brackets.
    pub host: Option<String>,
    /// The port, if the text has one.
    pub port: Option<u32>,
    /// The path, maybe empty.
    pub path: Option<String>,
    /// What follows `?`.
    pub query: Option<String>,
    /// What follows `#`.
    pub fragment: Option<String>,
    /// All after the scheme where that does not start with a slash.
    pub opaque: Option<String>,
}

impl Uri {
    /// Returns what two URIs are compared by: scheme and host in lower case, the scheme's port, a path that is not empty.
    fn normal(&self) -> Normal<'_> {
        let path = self.path.as_deref().map(|path| if path.is_empty() { "/" } else { path });
        let host = self.host.as_deref().map(str::to_ascii_lowercase);
        (
            [self.scheme.as_deref(), self.userinfo.as_deref(), path, self.query.as_deref()],
            [self.fragment.as_deref(), self.opaque.as_deref()],
            host,
            self.effective_port(),
        )
    }
}

type Normal<'a> = ([Option<&'a str>; 4], [Option<&'a str>; 2], Option<String>, Option<u32>);

impl PartialEq for Uri {
    fn eq(&self, other: &Self) -> bool {
        self.normal() == other.normal()
    }
}

impl Eq for Uri {}

impl Hash for Uri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normal().hash(state);
    }
}

/// The names of the parts in the order in which they are listed.
pub const PARTS: [&str; 8] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

impl Uri {
    /// Reads a URI.
    pub fn parse(text: &str) -> Result<Self> {
        if !text.is_ascii() {
            return Err(issues::non_ascii_uri(text));
        }
        Self::read(text).ok_or_else(|| issues::bad_uri(text))
    }

    /// Makes a URI of its parts by name.
    pub fn from_hash(parts: &crate::Hash) -> Result<Self> {
        let text = |name: &str| parts.get_str(name).and_then(Value::as_str).map(str::to_owned);
        let uri = Self {
            scheme: text("scheme").map(|scheme| scheme.to_ascii_lowercase()),
            userinfo: text("userinfo"),
            host: text("host"),
            port: parts.get_str("port").and_then(Value::as_integer).and_then(|port| u32::try_from(port).ok()),
            path: text("path").or_else(|| text("opaque").is_none().then(String::new)),
            query: text("query").map(|query| escaped(&query, b"!$%&()*+,-./:;=?@[\\]^_|}~{")),
            fragment: text("fragment").map(|fragment| escaped(&fragment, GRAPHIC)),
            opaque: text("opaque"),
        };
        uri.check_parts(text("path").is_some())?;
        Ok(uri)
    }

    /// Checks parts that were given each for itself, in the order and the words of Ruby's library.
    fn check_parts(&self, has_path: bool) -> Result<()> {
        let check = |what: &str, part: &Option<String>, fits: &dyn Fn(&str) -> bool| match part {
            Some(part) if !fits(part) => Err(issues::bad_uri_component(what, part)),
            _ => Ok(()),
        };
        check("scheme", &self.scheme, &|scheme| split_scheme(&format!("{scheme}:")).0 == Some(scheme))?;
        check("userinfo component or user", &self.userinfo, &|text| consists_of(text, b":"))?;
        check("host", &self.host, &|host| {
            (host.starts_with('[') && host.ends_with(']')) || consists_of(host, b"")
        })?;
        let kind = if self.scheme.is_some() { "absolute path" } else { "relative path" };
        check(kind, &self.path, &|path| {
            let is_rooted = self.scheme.is_none() || path.is_empty() || path.starts_with('/');
            (is_rooted || self.scheme.as_deref() == Some("ftp")) && consists_of(path, b":@/")
        })?;
        let is_hierarchic = self.host.is_some() || self.port.is_some() || self.userinfo.is_some() || has_path;
        if self.opaque.is_some() && is_hierarchic { Err(issues::opaque_with_parts()) } else { Ok(()) }
    }

    /// Returns one part as a value. The port of a known scheme is there even where the text has none.
    pub fn part(&self, name: &str) -> Option<Value> {
        Some(match name {
            "scheme" => self.scheme.clone().into(),
            "userinfo" => self.userinfo.clone().into(),
            "host" => self.host.clone().into(),
            "port" => self.effective_port().map(i64::from).into(),
            "path" => self.path.clone().into(),
            "query" => self.query.clone().into(),
            "fragment" => self.fragment.clone().into(),
            "opaque" => self.opaque.clone().into(),
            _ => return None,
        })
    }

    /// Returns the port, the scheme's own if none is given.
    pub fn effective_port(&self) -> Option<u32> {
        self.port.or_else(|| self.default_port())
    }

    /// Resolves a reference relative to this one.
    #[must_use]
    pub fn join(&self, reference: &Self) -> Self {
        if reference.scheme.is_some() {
            return reference.clone();
        }
        let mut joined =
            Self { scheme: self.scheme.clone(), fragment: reference.fragment.clone(), ..reference.clone() };
        if reference.host.is_some() {
            return joined;
        }
        joined.userinfo.clone_from(&self.userinfo);
        joined.host.clone_from(&self.host);
        joined.port = self.port;
        let (base, path) = (self.path.as_deref().unwrap_or(""), reference.path.as_deref().unwrap_or(""));
        if path.is_empty() {
            joined.path = Some(base.to_owned());
            joined.query = reference.query.clone().or_else(|| self.query.clone());
        } else {
            joined.path = Some(merge_paths(base, path));
        }
        joined
    }

    fn default_port(&self) -> Option<u32> {
        Some(match self.scheme.as_deref()? {
            "http" | "ws" => 80,
            "https" | "wss" => 443,
            "ftp" => 21,
            "ldap" => 389,
            "ldaps" => 636,
            _ => return None,
        })
    }

    fn read(text: &str) -> Option<Self> {
        let (rest, fragment) = split(text, '#');
        let (scheme, rest) = split_scheme(rest);
        let scheme = scheme.map(str::to_ascii_lowercase);
        let fragment = fragment.map(str::to_owned);
        if !text.bytes().all(is_uri_byte) || !escapes_are_whole(text) {
            return None;
        }
        if scheme.is_some() && !rest.starts_with('/') && !rest.is_empty() && !rest.starts_with('?') {
            return Some(Self { scheme, opaque: Some(rest.to_owned()), fragment, ..Self::default() });
        }
        let (rest, query) = split(rest, '?');
        let mut uri = Self { scheme, query: query.map(str::to_owned), fragment, ..Self::default() };
        let path = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                uri.read_authority(&rest[..end])?;
                &rest[end..]
            }
            None => rest,
        };
        let is_ambiguous =
            uri.scheme.is_none() && path.split('/').next().is_some_and(|first| first.contains(':'));
        if path.contains(['[', ']']) || (is_ambiguous && uri.host.is_none()) {
            return None;
        }
        uri.path = Some(path.to_owned());
        Some(uri)
    }

    fn read_authority(&mut self, text: &str) -> Option<()> {
        let (userinfo, host) = match text.rsplit_once('@') {
            Some((userinfo, host)) => (Some(userinfo), host),
            None => (None, text),
        };
        self.userinfo = userinfo.map(str::to_owned);
        let (host, port) = match host.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port),
            _ => (host, ""),
        };
        let bracketed = host.starts_with('[') && host.ends_with(']');
        if !bracketed && host.contains(['[', ']', ':']) {
            return None;
        }
        self.host = Some(host.to_owned());
        if !port.is_empty() {
            self.port = Some(port.parse().ok()?);
        }
        Some(())
    }
}

/// Splits at the first mark; the second part is none without one.
fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(front, rest)| (front, Some(rest)))
}

fn split_scheme(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) =>
        {
            (Some(scheme), rest)
        }
        _ => (None, text),
    }
}

fn is_uri_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}

/// What a fragment may have as it is.
const GRAPHIC: &[u8] = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// Returns a text with what may not stand in a part written as escapes.
fn escaped(text: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes().filter(|byte| !b"\t\r\n".contains(byte)) {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Tells whether a part has nothing but what all parts may have, and these characters.
fn consists_of(text: &str, more: &[u8]) -> bool {
    let fits = |byte: u8| {
        byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=%".contains(&byte) || more.contains(&byte)
    };
    text.bytes().all(fits) && escapes_are_whole(text)
}

fn escapes_are_whole(text: &str) -> bool {
    text.match_indices('%').all(|(at, _)| {
        text.get(at + 1..at + 3).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
    })
}

fn merge_paths(base: &str, reference: &str) -> String {
    let joined = if reference.starts_with('/') {
        reference.to_owned()
    } else {
        format!("{}/{reference}", base.rsplit_once('/').map_or("", |(folder, _)| folder))
    };
    let mut segments: Vec<&str> = Vec::new();
    let parts: Vec<&str> = joined.split('/').skip(1).collect();
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        match *part {
            "." | ".." => {
                if *part == ".." {
                    segments.pop();
                }
                if last {
                    segments.push("");
                }
            }
            part => segments.push(part),
        }
    }
    format!("/{}", segments.join("/"))
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(opaque) = &self.opaque {
            f.write_str(opaque)?;
        } else {
            if let Some(host) = &self.host {
                f.write_str("//")?;
                if let Some(userinfo) = &self.userinfo {
                    write!(f, "{userinfo}@")?;
                }
                f.write_str(host)?;
                if let Some(port) = self.port.filter(|port| Some(*port) != self.default_port()) {
                    write!(f, ":{port}")?;
                }
            }
            // Only ftp has a path where none is given.
            let is_ftp = self.scheme.as_deref() == Some("ftp") && self.host.is_some();
            let path = self.path.as_deref().unwrap_or("");
            f.write_str(if is_ftp && path.is_empty() { "/" } else { path })?;
            if let Some(query) = &self.query {
                write!(f, "?{query}")?;
            }
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_ports_are_dropped() {
        for (text, expected) in [
            ("http://u:p@H:80/p?q#f", "http://u:p@H/p?q#f"),
            ("HTTP://a", "http://a"),
            ("http://a:443", "http://a:443"),
            ("https://a:443/", "https://a/"),
            ("mailto:a@b", "mailto:a@b"),
            ("file:///x", "file:///x"),
            ("urn:a:b?x#y", "urn:a:b?x#y"),
            ("", ""),
        ] {
            assert_eq!(Uri::parse(text).expect(text).to_string(), expected);
        }
        for text in ["http://a b", "http://[::1", "http://a:xx/", "http://é", "%zz"] {
            assert!(Uri::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn references_resolve_against_a_base() {
        let base = Uri::parse("http://a/b/c/d?q").expect("a base");
        for (reference, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//h", "http://h"),
            ("../g", "http://a/b/g"),
            ("?y", "http://a/b/c/d?y"),
            ("..", "http://a/b/"),
            ("ftp://x/y", "ftp://x/y"),
        ] {
            assert_eq!(base.join(&Uri::parse(reference).expect(reference)).to_string(), expected);
        }
    }
}
