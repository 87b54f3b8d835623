//! Filters for URLs.

use hierarch_pcore::{Hash, Value};

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::Val;
use super::collections::is_list;
use crate::expr::functions::percent_encoded;

pub(super) static FILTERS: &[Function] = &[
    function("urlencode", &["value"], urlencode),
    function("urldecode", &["string"], |renderer, given| {
        let text = given.text_for(0, "replace")?;
        renderer.text(urldecoded(&text))
    }),
    function("urlsplit", &["value", "query?", "alias?"], urlsplit),
];

/// Encodes a text, or the pairs of a map as a query.
fn urlencode(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    let pairs = match renderer.pairs(value)? {
        Some(pairs) => pairs,
        None if is_list(value) => {
            let items = renderer.items(value)?;
            items.iter().map(|pair| super::super::methods::of_pair(renderer, pair)).collect::<Checked<_>>()?
        }
        None => {
            let text = renderer.printed(value)?;
            return renderer.text(percent_encoded(&text, b"/", false));
        }
    };
    let mut parts = Vec::new();
    for (key, value) in pairs {
        let (key, value) = (renderer.printed(&key)?, renderer.printed(&value)?);
        parts.push(format!("{}={}", percent_encoded(&key, b"", true), percent_encoded(&value, b"", true)));
    }
    renderer.joined(&parts, "&")
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
fn urlsplit(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let is_empty = matches!(given.value(0), Val::None | Val::Bool(false) | Val::Int(0));
    let parts = url_parts(&if is_empty { String::new() } else { given.text_for(0, "decode")? });
    let name = given.text_or(renderer, 1, "")?;
    if name.is_empty() {
        return renderer.made(parts.into());
    }
    match parts.get_str(&name) {
        Some(value) => renderer.made(value.clone()),
        None => Err(issues::unknown_url_part(&name)),
    }
}

pub(in crate::template) fn url_parts(url: &str) -> Hash {
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
    fn what_is_no_escape_stays() {
        for (text, wanted) in [("a%20b+c", "a b c"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%c3%bc", "ü")] {
            assert_eq!(urldecoded(text), wanted);
        }
    }
}
