//! How Ruby shows patterns: between slashes, or as a group that could stand in another pattern.

use std::fmt::Write;

/// The letters of the options, in the order in which Ruby writes them.
const OPTIONS: [char; 3] = ['m', 'i', 'x'];

/// Returns a pattern as Ruby's `inspect` shows it. The reference has one that is bound to an encoding shown as a group.
pub fn with_slashes(source: &str) -> String {
    if is_bound(source) { format!("/{}/", as_group(source)) } else { format!("/{}/", escaped(source)) }
}

/// Returns a pattern as Ruby's `to_s` shows it: as a group that names all options, those included that the pattern
/// itself sets as a whole.
pub(super) fn as_group(source: &str) -> String {
    let (options, inner) = stripped(source);
    let chosen = |on: bool| (0..3).filter(move |index| options[*index] == on).map(|index| OPTIONS[index]);
    let (on, off): (String, String) = (chosen(true).collect(), chosen(false).collect());
    let dash = if off.is_empty() { "" } else { "-" };
    format!("(?{on}{dash}{off}:{})", escaped(inner))
}

/// Tells whether Ruby binds a pattern to UTF-8: something in it is beyond ASCII, or asks for a property of characters.
pub(super) fn is_bound(source: &str) -> bool {
    if !source.is_ascii() {
        return true;
    }
    let mut escapes = source.split('\\').skip(1);
    while let Some(escape) = escapes.next() {
        match escape.as_bytes().first() {
            Some(b'p' | b'P') => return true,
            Some(b'u') if names_beyond_ascii(&escape[1..]) => return true,
            Some(_) if is_high_byte(escape) => return true,
            // A backslash that is escaped itself: what follows it is not an escape.
            None => drop(escapes.next()),
            _ => {}
        }
    }
    false
}

/// Tells whether what stands after a backslash is a byte beyond ASCII: `xc3`, `303`.
fn is_high_byte(escape: &str) -> bool {
    let byte = match escape.strip_prefix('x') {
        Some(digits) => digits.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()),
        None => escape.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok()),
    };
    byte.is_some_and(|byte| byte > 0x7f)
}

/// Tells whether what stands after `\u` names a character beyond ASCII: `00fc`, `{61 fc}`.
fn names_beyond_ascii(digits: &str) -> bool {
    let codes = match digits.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or_default(),
        None => digits.get(..4).unwrap_or_default(),
    };
    codes.split_ascii_whitespace().any(|code| u32::from_str_radix(code, 16).is_ok_and(|code| code > 0x7f))
}

/// Takes off the options that a pattern sets for the whole of itself, as in `(?i)a` and `(?i:a)`.
fn stripped(source: &str) -> ([bool; 3], &str) {
    let mut options = [false; 3];
    let mut inner = source;
    while let Some((set, rest)) = inner.strip_prefix("(?").and_then(|rest| settings(rest, options)) {
        if let Some(rest) = rest.strip_prefix(')') {
            (options, inner) = (set, rest);
            continue;
        }
        let group = rest.strip_prefix(':').and_then(|rest| rest.strip_suffix(')'));
        // What is left is a pattern unless the last parenthesis closes another group than the first opened.
        return match group {
            Some(group) if crate::check(group).is_ok() => (set, group),
            _ => (options, inner),
        };
    }
    (options, inner)
}

/// Reads letters of options, and after a dash those to switch off.
fn settings(text: &str, mut options: [bool; 3]) -> Option<([bool; 3], &str)> {
    let end = text.find(|c| !OPTIONS.contains(&c) && c != '-')?;
    let (on, off) = text[..end].split_once('-').unwrap_or((&text[..end], ""));
    for (index, letter) in OPTIONS.into_iter().enumerate() {
        options[index] = (options[index] || on.contains(letter)) && !off.contains(letter);
    }
    (!off.contains('-')).then_some((options, &text[end..]))
}

/// Escapes bare slashes and control characters.
fn escaped(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 2);
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                out.push(c);
                out.extend(chars.next());
            }
            '/' => out.push_str("\\/"),
            c if c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{b}' | '\u{c}') => {
                // A string takes all text.
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
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
    fn a_pattern_beyond_ascii_is_shown_as_a_group() {
        for (source, shown) in [
            ("ü", "/(?-mix:ü)/"),
            (r"\u00fc", r"/(?-mix:\u00fc)/"),
            (r"\u{61 fc}", r"/(?-mix:\u{61 fc})/"),
            (r"\u{61}", r"/\u{61}/"),
            (r"\p{Alpha}", r"/(?-mix:\p{Alpha})/"),
            (r"\xc3\274", r"/(?-mix:\xc3\274)/"),
            (r"\x61\141", r"/\x61\141/"),
            (r"\\p", r"/\\p/"),
        ] {
            assert_eq!(with_slashes(source), shown);
        }
    }

    #[test]
    fn options_of_the_whole_pattern_become_those_of_the_group() {
        for (source, shown) in [
            ("a/b", r"(?-mix:a\/b)"),
            ("(?i:a)", "(?i-mx:a)"),
            ("(?i)a", "(?i-mx:a)"),
            ("(?m-i:a)", "(?m-ix:a)"),
            ("(?imx:a)", "(?mix:a)"),
            ("(?i-i:a)", "(?-mix:a)"),
            ("(?:a)", "(?-mix:a)"),
            ("(?:(?i:a))", "(?-mix:(?i:a))"),
            ("(?im:a)|(x)", "(?-mix:(?im:a)|(x))"),
            ("(?=a)", "(?-mix:(?=a))"),
        ] {
            assert_eq!(as_group(source), shown);
        }
    }
}
