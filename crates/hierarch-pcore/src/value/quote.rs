//! Strings as program text, in single quotes where that can be.

use std::fmt::Write;

/// Returns the text as a Puppet string literal.
///
/// ```
/// use hierarch_pcore::value::quoted;
///
/// assert_eq!(quoted("it's"), r"'it\'s'");
/// assert_eq!(quoted("a\tb"), r#""a\tb""#);
/// ```
pub fn quoted(text: &str) -> String {
    if text.bytes().any(|byte| byte < 0x20) { double_quoted(text) } else { single_quoted(text) }
}

/// Returns the text in single quotes.
///
/// A backslash swallows the next character's turn: it is written once before anything, even a quote, and
/// doubled only at the end. That is how the reference prints, whether or not it reads back.
fn single_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    let mut escaped = false;
    for c in text.chars() {
        match c {
            _ if escaped => {
                out.push('\\');
                out.push(c);
                escaped = false;
            }
            '\'' => out.push_str("\\'"),
            '\\' => escaped = true,
            c => out.push(c),
        }
    }
    if escaped {
        out.push('\\');
    }
    out.push('\'');
    out
}

/// Returns the text in double quotes.
pub fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' | '$' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => {
                write!(out, "\\u{{{:X}}}", u32::from(c)).expect("a string takes all text");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_and_quotes_print_as_the_reference_prints_them() {
        for (text, expected) in [
            ("a", "'a'"),
            ("it's", r"'it\'s'"),
            (r"a\b", r"'a\b'"),
            (r"a\\b", r"'a\\b'"),
            (r"a\", r"'a\'"),
            ("a\\\tb", r#""a\\\tb""#),
            ("\u{1}", r#""\u{1}""#),
            ("a\n$x\"", r#""a\n\$x\"""#),
            ("é", "'é'"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
