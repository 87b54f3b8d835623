//! Filters for paths and URLs. They look at texts only and reach no file.

use hierarch_pcore::{Hash, Value};
use minijinja::Error as JinjaError;
use minijinja::value::{Value as JinjaValue, ValueKind};

use super::engine::Engine;
use super::issues;
use super::texts::text_of;
use super::value::{finished, from_jinja};
use crate::expr::functions::percent_encoded;
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("basename", |path: String| path.rsplit('/').next().unwrap_or_default().to_owned());
    engine.add_filter("dirname", |path: String| dirname(&path));
    engine.add_filter("splitext", |path: String| splitext(&path));
    engine.add_filter("normpath", |path: String| normpath(&path));
    engine.add_filter("path_join", path_join);
    engine.add_filter("relpath", relpath);
    engine.add_filter("commonpath", commonpath);
    engine.add_filter("win_basename", |path: String| win_split(&path).1.to_owned());
    engine.add_filter("win_dirname", |path: String| win_split(&path).0.to_owned());
    engine.add_filter("win_splitdrive", |path: String| {
        let at = if path.chars().nth(1) == Some(':') { 2 } else { 0 };
        vec![path[..at].to_owned(), path[at..].to_owned()]
    });
    engine.add_filter("urlencode", urlencode);
    engine.add_filter("urldecode", |text: String| urldecoded(&text));
    engine.add_filter("urlsplit", urlsplit);
}

fn dirname(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) if folder.trim_end_matches('/').is_empty() => "/".repeat(folder.len().max(1)),
        Some((folder, _)) => folder.trim_end_matches('/').to_owned(),
        None => String::new(),
    }
}

fn splitext(path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.trim_start_matches('.');
    match stem.rfind('.') {
        Some(dot) => {
            let at = path.len() - stem.len() + dot;
            vec![path[..at].to_owned(), path[at..].to_owned()]
        }
        None => vec![path.to_owned(), String::new()],
    }
}

fn normpath(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            ("..", None) if absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// Joins parts; one that begins at the root drops those before it.
fn path_join(value: JinjaValue) -> Made {
    let parts: Vec<String> = match from_jinja(&value)? {
        Value::Array(items) => items.iter().map(python::text).collect(),
        other => vec![python::text(&other)],
    };
    let mut path = String::new();
    for part in parts {
        if part.starts_with('/') {
            path = part;
        } else {
            if !path.is_empty() && !path.ends_with('/') {
                path.push('/');
            }
            path.push_str(&part);
        }
    }
    Ok(path.into())
}

fn relpath(path: String, start: Option<String>) -> Made {
    let start = start.ok_or_else(issues::relpath_without_start)?;
    if path.starts_with('/') != start.starts_with('/') {
        return Err(issues::relpath_mixed());
    }
    let split = |path: &str| -> Vec<String> {
        let parts = normpath(path);
        parts.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let (path, start) = (split(&path), split(&start));
    let shared = path.iter().zip(&start).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", start.len() - shared);
    let parts: Vec<&str> = up.chain(path[shared..].iter().map(String::as_str)).collect();
    Ok(if parts.is_empty() { ".".into() } else { parts.join("/").into() })
}

fn commonpath(value: JinjaValue) -> Made {
    let Value::Array(paths) = from_jinja(&value)? else {
        return Err(issues::commonpath_of_no_list());
    };
    let paths: Vec<String> = paths.iter().map(python::text).collect();
    let Some(first) = paths.first() else { return Err(issues::commonpath_of_nothing()) };
    if paths.iter().any(|path| path.starts_with('/') != first.starts_with('/')) {
        return Err(issues::mixed_paths());
    }
    let split = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let mut shared = split(first);
    for path in &paths[1..] {
        let same = split(path).iter().zip(&shared).take_while(|(a, b)| a == b).count();
        shared.truncate(same);
    }
    let root = if first.starts_with('/') { "/" } else { "" };
    Ok(format!("{root}{}", shared.join("/")).into())
}

/// Splits a Windows path at its last separator; that of a drive's root stays.
fn win_split(path: &str) -> (&str, &str) {
    let drive = if path.chars().nth(1) == Some(':') { 2 } else { 0 };
    let Some(at) = path[drive..].rfind(['\\', '/']) else { return path.split_at(drive) };
    let (head, tail) = path.split_at(drive + at + 1);
    let short = head[drive..].trim_end_matches(['\\', '/']);
    (if short.is_empty() { head } else { &head[..drive + short.len()] }, tail)
}

/// Encodes a text, or the pairs of a map as a query.
fn urlencode(value: JinjaValue) -> Made {
    if matches!(value.kind(), ValueKind::String | ValueKind::Number | ValueKind::Bool) {
        return Ok(percent_encoded(&text_of(&value)?, b"/", false).into());
    }
    let encoded = |value: &Value| percent_encoded(&python::text(value), b"", true);
    let pairs: Vec<String> = match from_jinja(&value)? {
        Value::Hash(map) => {
            map.iter().map(|(key, value)| format!("{}={}", encoded(key), encoded(value))).collect()
        }
        Value::Array(items) => items
            .iter()
            .filter_map(Value::as_array)
            .filter_map(|pair| Some(format!("{}={}", encoded(pair.first()?), encoded(pair.get(1)?))))
            .collect(),
        other => return Err(issues::not_urlencoded(&other)),
    };
    Ok(pairs.join("&").into())
}

fn urldecoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let pair = others.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match (first, pair.and_then(|pair| u8::from_str_radix(pair, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &others[2..];
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            (other, _) => bytes.push(*other),
        }
        rest = others;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Splits a URL; with a name, returns that part.
fn urlsplit(url: String, part: Option<String>) -> Made {
    let parts = url_parts(&url);
    match part.filter(|part| !part.is_empty()) {
        None => Ok(finished(parts.into())),
        Some(name) => match parts.get_str(&name) {
            Some(value) => Ok(finished(value.clone())),
            None => Err(issues::unknown_url_part(&name)),
        },
    }
}

fn url_parts(url: &str) -> Hash {
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme, rest),
        _ => ("", rest),
    };
    let (place, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let (login, host) = place.rsplit_once('@').map_or((None, place), |(login, host)| (Some(login), host));
    let (user, password) = match login.map(|login| login.split_once(':').unwrap_or((login, ""))) {
        Some((user, password)) => (Value::from(user), Value::from(password)),
        None => (Value::Undef, Value::Undef),
    };
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => (name, port.parse::<i64>().ok()),
        _ => (host, None),
    };
    let name = name.trim_start_matches('[').trim_end_matches(']').to_lowercase();
    let hostname = if name.is_empty() { Value::Undef } else { name.into() };
    [
        ("fragment", Value::from(fragment)),
        ("hostname", hostname),
        ("netloc", place.into()),
        ("password", password),
        ("path", path.into()),
        ("port", port.map_or(Value::Undef, Value::from)),
        ("query", query.into()),
        ("scheme", scheme.to_lowercase().into()),
        ("username", user),
    ]
    .into_iter()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_split_as_python_splits_them() {
        for (path, wanted) in [("/a/b", "/a"), ("a", ""), ("/a", "/"), ("a/b/", "a/b")] {
            assert_eq!(dirname(path), wanted, "{path}");
        }
        assert_eq!(splitext("a/b.tar.gz"), ["a/b.tar", ".gz"]);
        assert_eq!(splitext("a/.bashrc"), ["a/.bashrc", ""]);
        assert_eq!(normpath("/a/../../b/."), "/b");
        for (path, wanted) in
            [("C:\\a\\b", ("C:\\a", "b")), ("C:\\b", ("C:\\", "b")), ("b", ("", "b")), ("C:b", ("C:", "b"))]
        {
            assert_eq!(win_split(path), wanted, "{path}");
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for (text, wanted) in [("a%20b+c", "a b c"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%c3%bc", "ü")] {
            assert_eq!(urldecoded(text), wanted);
        }
    }
}
