//! `URI[…]`: resource identifiers, by text or by their parts.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::build::{Arity, KeyError, Keyed, flattened};
use super::guide::Guide;
use super::{Guard, Kind, Rules, Type};
use crate::convert::{Constructor, ConversionHost};
use crate::value::Uri;
use crate::value::uri::PARTS;
use crate::{Hash, Value, issues, ruby_class};

/// URIs, all or those whose parts fit.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct UriType(Option<Hash>);

impl UriType {
    /// Makes the type of the URIs that have the parts of this one.
    pub fn of(uri: &Uri) -> Self {
        let mut parts = Hash::new();
        let mut put = |name: &str, value: &Option<String>, lower: bool| {
            if let Some(text) = value {
                parts.insert(name, if lower { text.to_lowercase() } else { text.clone() });
            }
        };
        put("scheme", &uri.scheme, true);
        put("userinfo", &uri.userinfo, false);
        put("host", &uri.host.clone().filter(|host| !host.is_empty()), true);
        put("port", &listed_port(uri), false);
        put("path", &uri.path.clone().filter(|path| !path.is_empty()), false);
        put("query", &uri.query, false);
        put("fragment", &uri.fragment, false);
        put("opaque", &uri.opaque, false);
        Self(Some(parts).filter(|parts| !parts.is_empty()))
    }
}

/// A port, as text, unless the web's own.
fn listed_port(uri: &Uri) -> Option<String> {
    let port = uri.effective_port()?;
    let is_own = matches!((uri.scheme.as_deref(), port), (Some("http"), 80) | (Some("https"), 443));
    (!is_own).then(|| port.to_string())
}

impl std::hash::Hash for UriType {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.as_ref().map(Hash::len).hash(state);
    }
}

/// Tells whether a part fits what is wanted of it: a text, a pattern, or a type.
pub(super) fn part_fits(part: &Value, wanted: &Value) -> bool {
    match (part, wanted) {
        (Value::String(text), Value::Regexp(pattern)) => pattern.is_match(text).unwrap_or(false),
        (Value::Type(given), Value::Type(type_)) => type_.has(part) || type_.accepts(given),
        (part, Value::Type(type_)) => type_.has(part),
        (part, wanted) => part.equals(wanted),
    }
}

impl Rules for UriType {
    fn name(&self) -> &'static str {
        "URI"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "URI", parameters: "text, hash or pattern", what: "Resource identifiers" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        self.0.clone().map(Value::from).into_iter().collect()
    }

    fn has(&self, value: &Value, _: &mut Guard) -> bool {
        let Value::Uri(uri) = value else { return false };
        let fits = |(name, wanted): (&Value, &Value)| {
            let part = name.as_str().and_then(|name| uri.part(name)).unwrap_or_default();
            part_fits(&part, wanted)
        };
        self.0.iter().flatten().all(fits)
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        let Kind::Uri(other) = other.kind() else { return false };
        let given = |name: &Value| other.0.as_ref().and_then(|parts| parts.get(name));
        self.0.iter().flatten().all(|(name, wanted)| given(name).is_some_and(|part| part_fits(part, wanted)))
    }

    fn generalized(&self) -> Option<Type> {
        Some(Type::uri())
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        match &flattened(keys)[..] {
            [Value::String(text)] if !text.is_empty() && !has_scheme(text) => {
                Err(issues::uri_parameter(text).into())
            }
            [Value::String(text)] if !text.is_empty() => Ok(Type::from(Self::of(&Uri::parse(text)?)).into()),
            [Value::Hash(parts)]
                if parts.keys().all(|key| key.as_str().is_some_and(|key| PARTS.contains(&key))) =>
            {
                Ok(Type::from(Self(Some((**parts).clone()).filter(|parts| !parts.is_empty()))).into())
            }
            [other] => Err(KeyError::key(0, issues::type_slice_type("URI-Type", ruby_class(other)))),
            keys => Err(KeyError::whole(issues::type_slice_arity("URI-Type", 1, None, keys.len()))),
        }
    }
}

/// Tells whether the reference's pattern of absolute addresses matches: somewhere a scheme stands before a colon.
fn has_scheme(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-+.".contains(c);
    text.match_indices(':').any(|(at, _)| {
        let before = &text[..at];
        let word = before.rfind(|c: char| !is_part(c)).map_or(before, |at| &before[at..]);
        word.chars().any(|c| c.is_ascii_alphabetic())
    })
}

/// `URI.new`: from text, or from named parts.
pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_error",
    locals: &[],
    dispatches: &[
        (&["String[1] uri"], from_text),
        (
            &[
                "Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], Optional[host] => String[1], Optional[port] => Integer[0], Optional[path] => String[1], Optional[query] => String[1], Optional[fragment] => String[1], Optional[opaque] => String[1]}] hash",
            ],
            from_hash,
        ),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn from_text(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    Uri::parse(arguments[0].as_str().unwrap_or_default()).map(|uri| Value::Uri(Arc::new(uri)))
}

fn from_hash(arguments: &[Value], _: &dyn ConversionHost) -> Result<Value> {
    let parts = arguments[0].as_hash().cloned().unwrap_or_default();
    Uri::from_hash(&parts).map(|uri| Value::Uri(Arc::new(uri)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_has, check_prints};

    #[test]
    fn parts_are_matched_by_text_pattern_or_type() {
        check_has("URI['http://a/b']", &["URI('http://a/b')"], &["URI('http://a/c')", "'http://a/b'"]);
        check_has("URI[{scheme => /^http/}]", &["URI('https://x')"], &["URI('ftp://x')"]);
        check_prints(
            "URI['http://a:8080/b']",
            "URI[{'scheme' => 'http', 'host' => 'a', 'port' => '8080', 'path' => '/b'}]",
        );
    }

    #[test]
    fn addresses_and_their_parts() {
        check_facts(&[
            ("URI('http://example.com')", "URI('http://example.com')"),
            ("URI('HTTP://EXAMPLE.com/A')", "URI('http://EXAMPLE.com/A')"),
            ("URI('http://u:p@h:80/p?q#f')", "URI('http://u:p@h/p?q#f')"),
            ("URI('mailto:a@b')", "URI('mailto:a@b')"),
            ("URI('urn:a:b')", "URI('urn:a:b')"),
            ("URI('/path')", "URI('/path')"),
            (
                "URI('')",
                "The function 'new_error' was called with arguments it does not accept. It expects one of:\n  (String[1] uri)\n    rejected: parameter 'uri' expects a String[1] value, got String\n  (Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1], Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1], Optional['fragment'] => String[1], Optional['opaque'] => String[1]}] hash)\n    rejected: parameter 'hash' expects a Struct value, got String",
            ),
            ("URI('a b')", r#"bad URI(is not URI?): "a b""#),
            ("URI('http://[::1]:80/')", "URI('http://[::1]/')"),
            ("URI('http://h:x/')", r#"bad URI(is not URI?): "http://h:x/""#),
            ("URI('%zz')", r#"bad URI(is not URI?): "%zz""#),
            ("URI({scheme => 'http', host => 'h', port => 80, path => '/p'})", "URI('http://h/p')"),
            (
                "URI({scheme => 'http', host => 'h', query => 'q', fragment => 'f', userinfo => 'u'})",
                "URI('http://u@h?q#f')",
            ),
            ("URI({host => 'h'})", "URI('//h')"),
            (
                "URI({nope => 1})",
                "The function 'new_error' was called with arguments it does not accept. It expects one of:\n  (String[1] uri)\n    rejected: parameter 'uri' expects a String value, got Struct\n  (Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1], Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1], Optional['fragment'] => String[1], Optional['opaque'] => String[1]}] hash)\n    rejected: parameter 'hash' unrecognized key 'nope'",
            ),
            ("URI({scheme => '1'})", "bad component(expected scheme component): 1"),
            (
                "URI(1)",
                "The function 'new_error' was called with arguments it does not accept. It expects one of:\n  (String[1] uri)\n    rejected: parameter 'uri' expects a String value, got Integer\n  (Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1], Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1], Optional['fragment'] => String[1], Optional['opaque'] => String[1]}] hash)\n    rejected: parameter 'hash' expects a Struct value, got Integer",
            ),
            ("URI[1]", "URI-Type[] arguments must be types. Got Integer"),
            ("URI['http://a', 'http://b']", "URI-Type[] accepts 1 argument. Got 2"),
            ("URI[{host => 'a'}]", "URI[{'host' => 'a'}]"),
            ("URI[{host => /a/, port => Integer[1]}]", "URI[{'host' => /a/, 'port' => Integer[1]}]"),
            ("URI[{nope => 'a'}]", "URI-Type[] arguments must be types. Got Hash"),
            (
                "URI['a b']",
                "URI-Type parameter has wrong type, expects a match for Pattern[/(?x-mi:\n        ([a-zA-Z][\\-+.a-zA-Z\\d]*):                           (?# 1: scheme)\n        (?:\n           ((?:[\\-_.!~*'()a-zA-Z\\d;?:@&=+$,]|%[a-fA-F\\d]{2})(?:[\\-_.!~*'()a-zA-Z\\d;\\/?:@&=+$,\\[\\]]|%[a-fA-F\\d]{2})*)                    (?# 2: opaque)\n        |\n           (?:(?:\n             \\/\\/(?:\n                 (?:(?:((?:[\\-_.!~*'()a-zA-Z\\d;:&=+$,]|%[a-fA-F\\d]{2})*)@)?        (?# 3: userinfo)\n                   (?:((?:(?:[a-zA-Z0-9\\-.]|%\\h\\h)+|\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[(?:(?:[a-fA-F\\d]{1,4}:)*(?:[a-fA-F\\d]{1,4}|\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})|(?:(?:[a-fA-F\\d]{1,4}:)*[a-fA-F\\d]{1,4})?::(?:(?:[a-fA-F\\d]{1,4}:)*(?:[a-fA-F\\d]{1,4}|\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}))?)\\]))(?::(\\d*))?))? (?# 4: host, 5: port)\n               |\n                 ((?:[\\-_.!~*'()a-zA-Z\\d$,;:@&=+]|%[a-fA-F\\d]{2})+)                 (?# 6: registry)\n               )\n             |\n             (?!\\/\\/))                           (?# XXX: '\\/\\/' is the mark for hostport)\n             (\\/(?:[\\-_.!~*'()a-zA-Z\\d:@&=+$,]|%[a-fA-F\\d]{2})*(?:;(?:[\\-_.!~*'()a-zA-Z\\d:@&=+$,]|%[a-fA-F\\d]{2})*)*(?:\\/(?:[\\-_.!~*'()a-zA-Z\\d:@&=+$,]|%[a-fA-F\\d]{2})*(?:;(?:[\\-_.!~*'()a-zA-Z\\d:@&=+$,]|%[a-fA-F\\d]{2})*)*)*)?                    (?# 7: path)\n           )(?:\\?((?:[\\-_.!~*'()a-zA-Z\\d;\\/?:@&=+$,\\[\\]]|%[a-fA-F\\d]{2})*))?                 (?# 8: query)\n        )\n        (?:\\#((?:[\\-_.!~*'()a-zA-Z\\d;\\/?:@&=+$,\\[\\]]|%[a-fA-F\\d]{2})*))?                  (?# 9: fragment)\n      )/], got 'a b'",
            ),
        ]);
    }

    /// Parts that are given each for itself are checked each for itself.
    #[test]
    fn parts_are_checked_one_by_one() {
        check_facts(&[
            ("URI({scheme => '1', host => 'h'})", "bad component(expected scheme component): 1"),
            ("URI({scheme => 'http', host => 'a b'})", "bad component(expected host component): a b"),
            ("URI({scheme => 'http', host => '[::1]'})", "URI('http://[::1]')"),
            ("URI({scheme => 'http', host => 'h', port => 0})", "URI('http://h:0')"),
            ("URI({scheme => 'http', host => 'h', port => 80})", "URI('http://h')"),
            ("URI({scheme => 'http', host => 'h', port => 99999})", "URI('http://h:99999')"),
            (
                "URI({scheme => 'http', host => 'h', path => 'p'})",
                "bad component(expected absolute path component): p",
            ),
            (
                "URI({scheme => 'http', host => 'h', path => '/a b'})",
                "bad component(expected absolute path component): /a b",
            ),
            ("URI({scheme => 'http', host => 'h', path => '/a%20b'})", "URI('http://h/a%20b')"),
            (
                "URI({scheme => 'http', host => 'h', path => '/a%2'})",
                "bad component(expected absolute path component): /a%2",
            ),
            ("URI({scheme => 'http', host => 'h', query => 'a b'})", "URI('http://h?a%20b')"),
            (
                r#"URI({scheme => 'http', host => 'h', query => 'a=ü&b<>"`'})"#,
                "URI('http://h?a=%C3%BC&b%3C%3E%22%60')",
            ),
            ("URI({scheme => 'http', host => 'h', fragment => 'a b'})", "URI('http://h#a%20b')"),
            (r#"URI({scheme => 'http', host => 'h', fragment => 'a"<>`#'})"#, r#"URI('http://h#a"<>`#')"#),
            (
                "URI({scheme => 'http', host => 'h', userinfo => 'a b'})",
                "bad component(expected userinfo component or user component): a b",
            ),
            ("URI({scheme => 'http', host => 'h', userinfo => 'u:p'})", "URI('http://u:p@h')"),
            ("URI({scheme => 'urn', opaque => 'a:b'})", "URI('urn:a:b')"),
            (
                "URI({scheme => 'urn', opaque => 'a:b', host => 'h'})",
                "can not set opaque with host, port, userinfo or path",
            ),
            ("URI({scheme => 'odd', host => 'h', path => '/p'})", "URI('odd://h/p')"),
            ("URI({path => '/p'})", "URI('/p')"),
            ("URI({path => 'p'})", "URI('p')"),
            ("URI({query => 'p'})", "URI('?p')"),
            ("URI('http://h:99999/')", "URI('http://h:99999/')"),
        ]);
    }
}
