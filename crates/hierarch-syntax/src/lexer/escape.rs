//! Escape sequences in quoted text and heredocs.

use hierarch_source::Diagnostic;

use crate::issues;

/// Which escape sequences are active.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escapes {
    /// The characters that may follow a backslash, as a string of them.
    active: &'static str,
    /// Whether a backslash before any other character is worth a warning.
    pub(super) warns: bool,
    flags: HeredocFlags,
}

/// The escapes that a heredoc's tag switches on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeredocFlags {
    pub(super) any: bool,
    pub(super) tab: bool,
    pub(super) carriage_return: bool,
    pub(super) newline: bool,
    pub(super) space: bool,
    pub(super) unicode: bool,
    pub(super) line_break: bool,
    pub(super) dollar: bool,
}

/// `"…"`: all escapes, and a warning for any other.
pub(super) const DOUBLE_QUOTED: Escapes = Escapes {
    active: "\\$'\"rntsu\n",
    warns: true,
    flags: HeredocFlags {
        any: true,
        tab: true,
        carriage_return: true,
        newline: true,
        space: true,
        unicode: true,
        line_break: true,
        dollar: true,
    },
};

impl Escapes {
    /// The escapes of a heredoc; none of the inactive ones is worth a warning there.
    pub(super) fn heredoc(flags: HeredocFlags) -> Self {
        Self { active: "", warns: false, flags }
    }

    /// Tells whether a backslash means anything at all.
    pub(super) fn any(self) -> bool {
        self.flags.any
    }

    /// Tells whether `\$` stops an interpolation.
    pub(super) fn dollar(self) -> bool {
        self.flags.dollar
    }

    fn has(self, character: &str) -> bool {
        if !self.active.is_empty() {
            return character == "\r\n" || self.active.contains(character);
        }
        match character {
            "\\" => self.flags.any,
            "t" => self.flags.tab,
            "r" => self.flags.carriage_return,
            "n" => self.flags.newline,
            "s" => self.flags.space,
            "u" => self.flags.unicode,
            "$" => self.flags.dollar,
            "\n" | "\r\n" => self.flags.line_break,
            _ => false,
        }
    }
}

/// A `\u` escape beyond what Unicode has.
#[derive(Debug)]
pub(super) struct NotACharacter;

/// Replaces the escapes in `text`, appending to `out`; warnings go to `warn` in the order of their places.
pub(super) fn unescape(
    text: &str,
    escapes: Escapes,
    out: &mut String,
    mut warn: impl FnMut(Diagnostic),
) -> Result<(), NotACharacter> {
    let mut unicode = None;
    if escapes.has("u") {
        // Replacing one escape may bring forth another (`\u005cn` is a line break), as in the reference.
        while let Some(replaced) = replace_unicode(unicode.as_deref().unwrap_or(text))? {
            unicode = Some(replaced);
        }
    }
    let text = unicode.as_deref().unwrap_or(text);
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escaped = escaped_character(&rest[at + 1..]);
        rest = &rest[at + 1 + escaped.len()..];
        replace_one(escaped, escapes, out, &mut warn);
    }
    out.push_str(rest);
    Ok(())
}

/// Returns what a backslash applies to: one character, or a whole line break; nothing at the end or before a lone `\r`.
fn escaped_character(rest: &str) -> &str {
    if rest.starts_with("\r\n") {
        return &rest[..2];
    }
    match rest.chars().next() {
        None | Some('\r') => "",
        Some(character) => &rest[..character.len_utf8()],
    }
}

fn replace_one(escaped: &str, escapes: Escapes, out: &mut String, warn: &mut impl FnMut(Diagnostic)) {
    if escaped.is_empty() || !escapes.has(escaped) {
        if escapes.warns && !escaped.is_empty() {
            warn(issues::unrecognized_escape(escaped));
        }
        out.push('\\');
        out.push_str(escaped);
        return;
    }
    match escaped {
        "r" => out.push('\r'),
        "n" => out.push('\n'),
        "t" => out.push('\t'),
        "s" => out.push(' '),
        "u" => {
            warn(issues::unicode_escape_kept());
            out.push_str("\\u");
        }
        "\n" | "\r\n" => {}
        other => out.push_str(other),
    }
}

/// Replaces `\uXXXX` and `\u{X…}`; `None` when there was nothing to replace.
fn replace_unicode(text: &str) -> Result<Option<String>, NotACharacter> {
    let mut out = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        at += found;
        let run = text.as_bytes()[at..].iter().take_while(|&&byte| byte == b'\\').count();
        at += run;
        // Only an odd backslash escapes; pairs before it stand for themselves.
        let Some((digits, length)) = (run % 2 == 1).then(|| unicode_digits(&text[at..])).flatten() else {
            continue;
        };
        let code = u32::from_str_radix(digits, 16).map_err(|_| NotACharacter)?;
        let out = out.get_or_insert_with(String::new);
        out.push_str(&text[copied..at - 1]);
        out.push(char::from_u32(code).ok_or(NotACharacter)?);
        at += length;
        copied = at;
    }
    Ok(out.map(|mut out| {
        out.push_str(&text[copied..]);
        out
    }))
}

/// Splits `uXXXX…` or `u{X…}…` into the digits and the length of the whole.
fn unicode_digits(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix('u')?;
    if let Some(braced) = rest.strip_prefix('{') {
        let digits = &braced[..braced.bytes().take_while(u8::is_ascii_hexdigit).count()];
        let closed = braced[digits.len()..].starts_with('}');
        return (closed && (1..=6).contains(&digits.len())).then_some((digits, digits.len() + 3));
    }
    let digits = rest.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some((digits, 5))
}

/// Replaces `\\` and `\'`, the only escapes of single quotes.
pub(super) fn unescape_single_quoted(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escaped = &rest[at + 1..];
        let drop = escaped.starts_with(['\\', '\'']);
        let kept = escaped.chars().next().filter(|_| drop).map_or(0, char::len_utf8);
        if !drop {
            out.push('\\');
        }
        out.push_str(&escaped[..kept]);
        rest = &escaped[kept..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use hierarch_bits::dice::Dice;

    use super::*;

    fn check(text: &str, expected: &str, warnings: usize) {
        let mut out = String::new();
        let mut seen = 0;
        unescape(text, DOUBLE_QUOTED, &mut out, |_| seen += 1).expect("no bad characters");
        assert_eq!((out.as_str(), seen), (expected, warnings), "{text:?}");
    }

    #[test]
    fn double_quotes_know_their_escapes() {
        check(r#"a\n\t\s\r\\\$\'\""#, "a\n\t \r\\$'\"", 0);
        check("a\\\nb\\\r\nc", "abc", 0);
        check(r"\q\é", r"\q\é", 2);
        check("\\\rx", "\\\rx", 0);
    }

    #[test]
    fn unicode_escapes_come_first() {
        check(r"\u0041\u{1F600}\u{42}", "A😀B", 0);
        check(r"\\u0041", r"\u0041", 0);
        check(r"\u005cn", "\n", 0);
        check(r"\u12", r"\u12", 1);
    }

    #[test]
    fn a_code_point_that_is_no_character_is_refused() {
        for text in [r"\u{110000}", r"\uD800"] {
            assert!(unescape(text, DOUBLE_QUOTED, &mut String::new(), |_| {}).is_err(), "{text}");
        }
    }

    #[test]
    fn single_quotes_know_two_escapes() {
        let mut out = String::new();
        unescape_single_quoted(r"a\'b\\c\d\é", &mut out);
        assert_eq!(out, r"a'b\c\d\é");
    }

    /// Writes a text so that it stands in double quotes.
    fn quoted(text: &str) -> String {
        text.chars()
            .map(|character| match character {
                '\\' | '$' | '"' | '\'' => format!("\\{character}"),
                '\n' => "\\n".to_owned(),
                '\r' => "\\r".to_owned(),
                '\t' => "\\t".to_owned(),
                ' ' => "\\s".to_owned(),
                other if other.is_ascii_alphanumeric() => other.to_string(),
                other => format!("\\u{{{:x}}}", u32::from(other)),
            })
            .collect()
    }

    #[test]
    fn what_is_escaped_is_read_as_it_was() {
        const PIECES: &[&str] =
            &["a", "u", "n", "\\", "$", "{", "}", "'", "\"", "\n", "\r", "\t", " ", "é", "😀", "u0041", "0"];
        for seed in 0..500 {
            let text = Dice::new(seed).text(PIECES, 10);
            // A backslash before `u` would be read as an escape once more, which the reference does too.
            if text.contains("\\u") {
                continue;
            }
            check(&quoted(&text), &text, 0);
            let mut single = String::new();
            unescape_single_quoted(&text.replace('\\', "\\\\").replace('\'', "\\'"), &mut single);
            assert_eq!(single, text);
        }
    }

    #[test]
    fn a_heredoc_has_only_the_escapes_of_its_tag() {
        let none = HeredocFlags::default();
        let flags: [(HeredocFlags, &str); 6] = [
            (HeredocFlags { any: true, tab: true, ..none }, "t"),
            (HeredocFlags { any: true, newline: true, ..none }, "n"),
            (HeredocFlags { any: true, carriage_return: true, ..none }, "r"),
            (HeredocFlags { any: true, space: true, ..none }, "s"),
            (HeredocFlags { any: true, unicode: true, ..none }, "u"),
            (HeredocFlags { any: true, dollar: true, ..none }, "$"),
        ];
        for (given, name) in flags {
            for letter in ["t", "n", "r", "s", "u0041", "$"] {
                let text = format!("\\{letter}");
                let mut out = String::new();
                unescape(&text, Escapes::heredoc(given), &mut out, |_| panic!("a heredoc warns of nothing"))
                    .expect("a character");
                assert_eq!(out == text, !letter.starts_with(name), "{name}: {text} gives {out}");
            }
        }
    }
}
