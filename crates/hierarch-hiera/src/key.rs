//! Lookup keys: `a.b.'c.d'.0` is the root key `a` and what to dig for in its value.

use hierarch_pcore::{Str, Value};
use hierarch_source::Result;

use crate::issues;

/// One step into a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Segment {
    /// The name of a hash entry.
    Name(Str),
    /// A position in a list, or an integer key of a hash.
    Index(i64),
}

/// A key, taken apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    text: Str,
    root: Str,
    segments: Vec<Segment>,
    module: Option<Str>,
}

/// The key that is never found as data: it configures lookups.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

impl Key {
    /// Takes a key apart.
    ///
    /// ```
    /// use hierarch_hiera::Key;
    ///
    /// let key = Key::new("ntp::servers.0")?;
    /// assert_eq!((key.root(), key.module(), key.segments().len()), ("ntp::servers", Some("ntp"), 1));
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn new(text: &str) -> Result<Self> {
        let mut segments = split(text).ok_or_else(|| issues::key_syntax(text))?;
        let root = match segments.remove(0) {
            Segment::Name(name) => name,
            Segment::Index(_) => return Err(issues::integer_root_key(text)),
        };
        let module = root.find("::").map(|end| module_of(&root, end));
        Ok(Self { text: text.into(), root, segments, module })
    }

    /// Returns the key of the lookup options.
    pub fn lookup_options() -> Self {
        let text = Str::from(LOOKUP_OPTIONS);
        Self { text: text.clone(), root: text, segments: Vec::new(), module: None }
    }

    /// Returns the key as it was written.
    pub fn text(&self) -> &Str {
        &self.text
    }

    /// Returns what is looked up in the data.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Returns the root key as a shared text.
    pub(crate) fn root_text(&self) -> &Str {
        &self.root
    }

    /// Returns what is dug for in the value of the root key.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the module that the key belongs to: what stands before the first `::`.
    pub fn module(&self) -> Option<&str> {
        self.module.as_deref()
    }

    /// Wraps a value so that digging for this key in it finds the value.
    pub(crate) fn undig(&self, value: Value) -> Value {
        self.segments.iter().rev().fold(value, |inner, segment| match segment {
            Segment::Name(name) => Value::hash([(Value::String(name.clone()), inner)].into_iter().collect()),
            Segment::Index(index) => {
                let mut list = vec![Value::Undef; usize::try_from(*index).unwrap_or(0)];
                list.push(inner);
                Value::array(list)
            }
        })
    }
}

/// A key that begins with `::` is its own module name, as in the reference, where the end of the range wraps
/// around. No module has such a name.
fn module_of(root: &Str, end: usize) -> Str {
    if end == 0 { root.clone() } else { root[..end].into() }
}

impl Segment {
    /// Returns the segment as a hash key.
    pub(crate) fn as_value(&self) -> Value {
        match self {
            Self::Name(name) => Value::String(name.clone()),
            Self::Index(index) => Value::Integer(*index),
        }
    }
}

impl std::fmt::Display for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Index(index) => index.fmt(f),
        }
    }
}

/// Splits a key or a variable expression at its dots; nothing if it is malformed.
pub(crate) fn split(text: &str) -> Option<Vec<Segment>> {
    if !text.contains(['\'', '"', '.']) {
        return Some(vec![Segment::Name(text.into())]);
    }
    let mut segments = Vec::new();
    let mut rest = text;
    loop {
        let (segment, after) = next_segment(rest)?;
        segments.push(segment);
        match after.strip_prefix('.') {
            Some(more) => rest = more,
            None if after.is_empty() => return Some(segments),
            None => return None,
        }
    }
}

fn next_segment(text: &str) -> Option<(Segment, &str)> {
    let trimmed = text.trim_start_matches(is_blank);
    if let Some(quote) = trimmed.chars().next().filter(|c| *c == '"' || *c == '\'') {
        let end = trimmed[1..].find(quote).filter(|length| *length > 0)? + 1;
        let after = trimmed[end + 1..].trim_start_matches(is_blank);
        return Some((Segment::Name(trimmed[1..end].into()), after));
    }
    let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
    let name = text[..end].trim_matches(is_blank);
    (end > 0).then(|| (plain_segment(name), &text[end..]))
}

/// Digits are a position. The reference converts a leading colon along with them, which gives 0.
fn plain_segment(name: &str) -> Segment {
    let digits = name.strip_prefix(':').unwrap_or(name);
    let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Segment::Name(name.into());
    }
    if name.starts_with(':') { Segment::Index(0) } else { Segment::Index(name.parse().unwrap_or(i64::MAX)) }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_keys;

    fn check(text: &str, expected: &[&str]) {
        let found = split(text).unwrap_or_default();
        let found: Vec<String> = found
            .iter()
            .map(|segment| match segment {
                Segment::Name(name) => name.to_string(),
                Segment::Index(index) => format!("#{index}"),
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn dots_separate_and_quotes_protect() {
        check("a.b.0", &["a", "b", "#0"]);
        check("a.'b.c'.\"d\"", &["a", "b.c", "d"]);
        check(" a . 'b' .c", &["a", "b", "c"]);
        check("", &[""]);
    }

    #[test]
    fn digits_are_a_position_unless_quoted() {
        check("a.+1.01.-2.:5", &["a", "#1", "#1", "#-2", "#0"]);
        check("a.'1'", &["a", "1"]);
    }

    #[test]
    fn malformed_keys_have_no_segments() {
        for text in ["a..b", ".a", "a.", "a'b'", "'", "a.''"] {
            check(text, &[]);
        }
    }

    #[test]
    fn the_module_is_what_stands_before_the_first_double_colon() {
        let module = |text: &str| Key::new(text).expect("a key").module().map(str::to_owned);
        assert_eq!(module("a::b::c.d"), Some("a".into()));
        assert_eq!(module("a"), None);
        assert_eq!(module("::a"), Some("::a".into()));
    }

    /// A document with keys that are hard to name.
    const DOCUMENT: &str = include_str!("../tests/keys.yaml");

    /// Keys, and what they find in the document.
    const KEYS: &[(&str, &str)] = &[
        (
            "a",
            r#"{"b":{"c":"deep","0":"zero","1":"one"},"l":["x",{"y":"z"},["p","q"]],"d.e":"dotted","":"empty","n":null,"f":false,"t":"text"}"#,
        ),
        ("a.b", r#"{"c":"deep","0":"zero","1":"one"}"#),
        ("a.b.c", r#""deep""#),
        ("a.b.0", r#""zero""#),
        ("a.b.1", "not found"),
        ("a.b.x", "not found"),
        (
            "a.b.c.d",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'd' from key 'a.b.c.d'",
        ),
        ("a.l", r#"["x",{"y":"z"},["p","q"]]"#),
        ("a.l.0", r#""x""#),
        ("a.l.1.y", r#""z""#),
        ("a.l.2.1", r#""q""#),
        ("a.l.5", "not found"),
        ("a.l.-1", "not found"),
        (
            "a.l.x",
            "fails: Data Provider type mismatch: Got Array when a hash-like object was expected to access value using 'x' from key 'a.l.x'",
        ),
        ("a.'d.e'", r#""dotted""#),
        (r#"a."d.e""#, r#""dotted""#),
        ("'a.b'", r#""whole""#),
        (r#""a.b""#, r#""whole""#),
        (
            "'a.b'.c",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'c' from key ''a.b'.c'",
        ),
        ("'a.x.y'.k", r#""v""#),
        ("a.x.y", "not found"),
        ("a.", "fails: Syntax error in key: 'a.'"),
        ("a..b", "fails: Syntax error in key: 'a..b'"),
        (".a", "fails: Syntax error in key: '.a'"),
        ("a.''", "fails: Syntax error in key: 'a.'''"),
        ("a.n", "null"),
        ("a.n.x", "not found"),
        ("a.f", "false"),
        (
            "a.f.x",
            "fails: Data Provider type mismatch: Got FalseClass when a hash-like object was expected to access value using 'x' from key 'a.f.x'",
        ),
        (
            "a.t.0",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using '0' from key 'a.t.0'",
        ),
        (
            "a.t.x",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'x' from key 'a.t.x'",
        ),
        ("l", "[1,2,3]"),
        ("l.0", "1"),
        ("l.3", "not found"),
        (
            "s.x",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'x' from key 's.x'",
        ),
        (
            "s.0",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using '0' from key 's.0'",
        ),
        ("n", "null"),
        ("n.x", "not found"),
        ("1", r#""number""#),
        ("'1'", r#""number""#),
        (
            "'1'.x",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'x' from key ''1'.x'",
        ),
        (r#"q"u"#, r#"fails: Syntax error in key: 'q"u'"#),
        (r#"'q"u'"#, r#""quoted""#),
        ("q'u", "fails: Syntax error in key: 'q'u'"),
        (r#""q'u""#, r#""single""#),
        (" sp", r#""space""#),
        ("' sp'", r#""space""#),
        ("a b", "not found"),
        ("a::b", "not found"),
        ("::a", "not found"),
        ("a.b.c ", r#""deep""#),
        ("'a", "fails: Syntax error in key: ''a'"),
        ("a'", "fails: Syntax error in key: 'a''"),
        ("'a'b", "fails: Syntax error in key: ''a'b'"),
        ("a.'b", "fails: Syntax error in key: 'a.'b'"),
        ("a.b'c'", "fails: Syntax error in key: 'a.b'c''"),
        ("e", "{}"),
        ("e.x", "not found"),
        ("el", "[]"),
        ("el.0", "not found"),
        ("h.a.x", "1"),
        ("h.'a'.x", "1"),
        (r#"h."a".x"#, "1"),
        ("a.l.01", r#"{"y":"z"}"#),
        ("a.l.1.0", "not found"),
        ("A", "not found"),
        ("a.B", "not found"),
        ("''", "fails: Syntax error in key: ''''"),
        ("lookup_options", "not found"),
        ("lookup_options.x", "not found"),
        (
            "a.b.c.0",
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using '0' from key 'a.b.c.0'",
        ),
        ("nope", "not found"),
        ("nope.x", "not found"),
    ];

    #[test]
    fn keys_dig_as_in_puppet() {
        check_keys(DOCUMENT, KEYS);
    }
}
