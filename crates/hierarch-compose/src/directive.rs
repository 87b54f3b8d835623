//! The grammar of directive keys: `+include`, `+*anchor`, `+../relative`, `+/absolute/path`.
//!
//! ```text
//! key       = "+" ["?"] ["include" suffix] ["*" anchor] [dots] {"/" segment}
//! suffix    = word characters and hyphens
//! anchor    = characters that are neither blank nor "/"
//! ```
//! At least one part must be there besides `?`; everything else that begins with `+` is an ordinary key.

use hierarch_source::Result;
use hierarch_source::pointer::escape;

use crate::issues;

/// A directive key, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// `?`: what it refers to may be missing.
    pub optional: bool,
    /// `include`: the value names a file.
    pub include: bool,
    /// The name after `*`.
    pub anchor: Option<String>,
    /// How many dots; 0 for an absolute path.
    pub dots: usize,
    /// The segments of the pointer, escapes undone.
    pub pointer: Vec<String>,
}

/// The key that says how a map meets the one it is merged with.
pub(crate) const STRATEGY: &str = "+%";

/// The key that gives a map a name.
pub(crate) const NAME: &str = "+&";

impl Directive {
    /// Takes a key apart; `None` if it is an ordinary key.
    ///
    /// ```
    /// use hierarch_compose::Directive;
    ///
    /// let directive = Directive::parse("+?../base/a~1b")?.unwrap();
    /// assert!(directive.optional && directive.dots == 2);
    /// assert_eq!(directive.pointer, ["base", "a/b"]);
    /// assert!(Directive::parse("+word")?.is_none());
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn parse(key: &str) -> Result<Option<Self>> {
        let Some(text) = key.strip_prefix('+') else { return Ok(None) };
        if key == STRATEGY || key == NAME {
            return Ok(None);
        }
        let (first, pointer) = match text.find('/') {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let Some(mut directive) = parse_first(first) else { return Ok(None) };
        if !directive.refers() && pointer.is_none() {
            return Ok(None);
        }
        // Only a key that is a directive has a pointer to be wrong.   case: directives/pointer "an invalid escape in a key …"
        if let Some(bad) = invalid_escape(text) {
            return Err(issues::invalid_escape(bad, text));
        }
        if let Some(pointer) = pointer {
            directive.pointer = pointer.split('/').map(unescape).collect();
        }
        directive.anchor = directive.anchor.map(|name| unescape(&name));
        Ok(Some(directive))
    }

    /// Returns the key of a directive that is an absolute path.
    pub(crate) fn absolute_key(&self) -> String {
        let mut key = String::from(if self.optional { "+?" } else { "+" });
        for segment in &self.pointer {
            key.push('/');
            key.push_str(&escape(segment));
        }
        key
    }

    fn refers(&self) -> bool {
        self.include || self.anchor.is_some() || self.dots > 0
    }
}

fn parse_first(text: &str) -> Option<Directive> {
    let (optional, rest) = match text.strip_prefix('?') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (include, rest) = match rest.strip_prefix("include") {
        Some(rest) => (true, rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '-')),
        None => (false, rest),
    };
    let directive = |anchor, dots| Directive { optional, include, anchor, dots, pointer: Vec::new() };
    if let Some(name) = rest.strip_prefix('*') {
        let fits = !name.is_empty() && !name.contains(char::is_whitespace);
        return fits.then(|| directive(Some(name.to_owned()), 0));
    }
    // Dots count only when they are all that is left: `+..x` is not a directive.
    rest.bytes().all(|byte| byte == b'.').then(|| directive(None, rest.len()))
}

/// Splits a JSON pointer without its leading `/`, or says which escape is wrong.
pub(crate) fn parse_pointer(text: &str) -> Result<Vec<String>> {
    match invalid_escape(text) {
        Some(bad) => Err(issues::invalid_escape(bad, text)),
        None => Ok(text.split('/').map(unescape).collect()),
    }
}

fn invalid_escape(text: &str) -> Option<&str> {
    text.match_indices('~').find_map(|(at, _)| {
        let next = text[at + 1..].chars().next();
        let end = at + 1 + next.map_or(0, char::len_utf8);
        (!matches!(next, Some('0' | '1'))).then(|| &text[at..end])
    })
}

fn unescape(segment: &str) -> String {
    hierarch_source::pointer::unescape(segment).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(key: &str) -> Option<Directive> {
        Directive::parse(key).unwrap_or_else(|error| panic!("{key}: {error}"))
    }

    #[test]
    fn ordinary_keys_stay_keys() {
        for key in
            ["a", "+", "+word", "+word/base", "+a..", "+.a", "+..x/a", "+Include", "+!x", "+?", "+%", "+&"]
        {
            assert_eq!(parse(key), None, "{key}");
        }
        for key in ["+include!", "+*", "+*a b", "+word~x", "+&here"] {
            assert_eq!(parse(key), None, "{key}");
        }
    }

    #[test]
    fn every_part_may_stand_alone() {
        for key in ["+/a", "+/", "+.", "+..", "+*n", "+include", "+include-a2", "+includes", "+?/a", "+?*n"] {
            assert!(parse(key).is_some(), "{key}");
        }
    }

    #[test]
    fn parts_are_told_apart() {
        let directive = parse("+?include-db*n/a/0").expect("a directive");
        assert!(directive.optional && directive.include);
        assert_eq!(directive.anchor.as_deref(), Some("n"));
        assert_eq!(directive.pointer, ["a", "0"]);
        assert_eq!(parse("+*b..").and_then(|d| d.anchor).as_deref(), Some("b.."));
        assert_eq!(parse("+.../a").map(|d| d.dots), Some(3));
        assert_eq!(parse("+/a b.c/größe").map(|d| d.pointer), Some(vec!["a b.c".into(), "größe".into()]));
    }

    #[test]
    fn escapes_are_undone_after_splitting() {
        assert_eq!(parse("+/a~1b/~01").map(|d| d.pointer), Some(vec!["a/b".into(), "~1".into()]));
        for (key, bad) in [("+/a~2b", "~2"), ("+/a~", "~")] {
            let error = Directive::parse(key).expect_err("a bad escape");
            assert_eq!(error.message, format!("Found invalid escape {bad} in JSON pointer {}", &key[1..]));
        }
    }
}
