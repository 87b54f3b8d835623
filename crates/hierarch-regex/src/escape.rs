//! Texts as patterns, and patterns between slashes.

use std::fmt::Write;

/// Returns a text with all that has a meaning in a pattern escaped, as Ruby's `Regexp.escape` does.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$'
            | '#' | ' ' => {
                out.extend(['\\', c]);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            c => out.push(c),
        }
    }
    out
}

/// Returns a pattern as Ruby's `inspect` shows it: between slashes, bare slashes and control characters escaped.
pub(super) fn with_slashes(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 2);
    out.push('/');
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                out.push(c);
                out.extend(chars.next());
            }
            '/' => out.push_str("\\/"),
            c if c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{b}' | '\u{c}') => {
                write!(out, "\\x{:02X}", u32::from(c)).expect("a string takes all text");
            }
            c => out.push(c),
        }
    }
    out.push('/');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_are_escaped_once() {
        assert_eq!(with_slashes("a/b"), r"/a\/b/");
        assert_eq!(with_slashes(r"a\/b"), r"/a\/b/");
        assert_eq!(with_slashes("\n"), "/\n/");
    }

    #[test]
    fn escaped_texts_match_themselves() {
        assert_eq!(escaped("a.b-c d\n"), r"a\.b\-c\ d\n");
    }
}
