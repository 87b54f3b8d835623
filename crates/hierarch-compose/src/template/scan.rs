//! A template's source, looked through before the engine reads it, without mistaking texts in it for code.
//!
//! Two things are done as Ansible does them: in data, a backslash in a text of `{{ … }}` is a backslash and nothing more, so
//! that `regex_replace('(a)', '\1')` needs no doubling; and `a.b.c | default(1)` is fine even if there is no `a`.

use std::borrow::Cow;

/// What a piece of source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    /// Outside of code, or a comment.
    Outside,
    /// A text in quotes, inside `{{ … }}`.
    Printed,
    /// A text in quotes, inside `{% … %}`.
    Quoted,
    Name,
    Number,
    Mark(u8),
}

type Piece<'s> = (Token, &'s str);

/// Doubles the backslashes in texts of `{{ … }}`; also returns where one was added, in the new source.
pub(super) fn with_backslashes_kept(source: &str) -> (Cow<'_, str>, Vec<usize>) {
    if !source.contains('\\') {
        return (Cow::Borrowed(source), Vec::new());
    }
    let (mut out, mut added) = (String::new(), Vec::new());
    for (token, text) in pieces(source) {
        for c in text.chars() {
            out.push(c);
            if c == '\\' && token == Token::Printed {
                added.push(out.len());
                out.push(c);
            }
        }
    }
    (Cow::Owned(out), added)
}

/// Writes `a.b | default(1)` and `a.b is defined` so that a missing `a` is no error; nothing if there is none of these.
pub(super) fn with_safe_chains(source: &str) -> Option<String> {
    let pieces: Vec<Piece> = pieces(source);
    let mut out = String::new();
    let mut changed = false;
    let mut at = 0;
    while at < pieces.len() {
        let after_dot = at > 0 && matches!(pieces[at - 1].0, Token::Mark(b'.'));
        let chain = if after_dot { None } else { chain(&pieces[at..]) };
        match chain {
            Some((length, written)) if is_excused(&pieces[at + length..]) => {
                out.push_str(&written);
                changed = true;
                at += length;
            }
            _ => {
                out.push_str(pieces[at].1);
                at += 1;
            }
        }
    }
    changed.then_some(out)
}

/// Reads `name.key['key'][0]`; returns how many pieces it has, and how it is written as a call.
fn chain(pieces: &[Piece]) -> Option<(usize, String)> {
    let (Token::Name, root) = pieces.first()? else { return None };
    let mut written = format!("__dig({root}");
    let mut length = 1;
    loop {
        match &pieces[length..] {
            [(Token::Mark(b'.'), _), (Token::Name, key), ..] => {
                written.push_str(&format!(", '{key}'"));
                length += 2;
            }
            [(Token::Mark(b'.'), _), (Token::Number, key), ..] => {
                written.push_str(&format!(", {key}"));
                length += 2;
            }
            [
                (Token::Mark(b'['), _),
                (Token::Name | Token::Number | Token::Printed | Token::Quoted, key),
                (Token::Mark(b']'), _),
                ..,
            ] => {
                written.push_str(&format!(", {key}"));
                length += 3;
            }
            _ => break,
        }
    }
    written.push(')');
    (length > 1).then_some((length, written))
}

/// Tells whether what follows a chain deals with its not being there.
fn is_excused(pieces: &[Piece]) -> bool {
    let mut words = pieces.iter().filter(|(_, text)| !text.trim().is_empty());
    let mut next = || words.next().map(|(_, text)| *text);
    match next() {
        Some("|") => matches!(next(), Some("default" | "d")),
        Some("is") => match next() {
            Some("not") => matches!(next(), Some("defined" | "undefined")),
            word => matches!(word, Some("defined" | "undefined")),
        },
        _ => false,
    }
}

/// Cuts a source into pieces that together are all of it.
fn pieces(source: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = next_code(rest) {
        let (text, code) = rest.split_at(at);
        found.push((Token::Outside, text));
        rest = match &code.as_bytes()[1] {
            b'#' => {
                let (comment, rest) = code.split_at(code.find("#}").map_or(code.len(), |end| end + 2));
                found.push((Token::Outside, comment));
                rest
            }
            b'%' if is_tag(code, "raw") => {
                let (raw, rest) = code.split_at(raw_end(code));
                found.push((Token::Outside, raw));
                rest
            }
            kind => code_pieces(code, *kind == b'{', &mut found),
        };
    }
    found.push((Token::Outside, rest));
    found
}

fn next_code(source: &str) -> Option<usize> {
    source.as_bytes().windows(2).position(|pair| matches!(pair, b"{{" | b"{%" | b"{#"))
}

/// Tells whether a block begins with a word.
fn is_tag(code: &str, word: &str) -> bool {
    let inside = code[2..].trim_start_matches(['-', '+']).trim_start();
    inside.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn raw_end(code: &str) -> usize {
    let mut at = 2;
    while let Some(next) = code[at..].find("{%") {
        at += next;
        if is_tag(&code[at..], "endraw") {
            return code[at..].find("%}").map_or(code.len(), |end| at + end + 2);
        }
        at += 2;
    }
    code.len()
}

/// Cuts one `{{ … }}` or `{% … %}` and returns what follows it.
fn code_pieces<'s>(code: &'s str, printed: bool, found: &mut Vec<Piece<'s>>) -> &'s str {
    let close = if printed { "}}" } else { "%}" };
    found.push((Token::Outside, &code[..2]));
    let mut rest = &code[2..];
    let mut open = 0_usize;
    while let Some(first) = rest.chars().next() {
        if open == 0 && rest.starts_with(close) {
            break;
        }
        let (token, length) = match first {
            '\'' | '"' => (if printed { Token::Printed } else { Token::Quoted }, quoted_length(rest)),
            c if c.is_alphabetic() || c == '_' => {
                (Token::Name, run(rest, |c| c.is_alphanumeric() || c == '_'))
            }
            c if c.is_ascii_digit() => (Token::Number, run(rest, |c| c.is_ascii_digit())),
            c if c.is_ascii() => (Token::Mark(c as u8), 1),
            c => (Token::Mark(0), c.len_utf8()),
        };
        open = match first {
            '{' | '[' | '(' => open + 1,
            '}' | ']' | ')' => open.saturating_sub(1),
            _ => open,
        };
        found.push((token, &rest[..length]));
        rest = &rest[length..];
    }
    rest
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn quoted_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (at, &byte) in text.as_bytes().iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_doubled_in_printed_texts_only() {
        for (source, wanted) in [
            (r"{{ '\1' }}", r"{{ '\\1' }}"),
            (r"{% set x = '\1' %}", r"{% set x = '\1' %}"),
            (r"\1 {# '\1' #}", r"\1 {# '\1' #}"),
            (r"{{ {'a': {'b': '\n'}} }} '\n'", r"{{ {'a': {'b': '\\n'}} }} '\n'"),
            (r"{% raw %}{{ '\n' }}{% endraw %}", r"{% raw %}{{ '\n' }}{% endraw %}"),
            (r"{{ 'it\'s' }}", r"{{ 'it\\'s' }}"),
        ] {
            assert_eq!(with_backslashes_kept(source).0, wanted);
        }
        assert_eq!(with_backslashes_kept(r"{{ '\1' }}").1, [5]);
    }

    #[test]
    fn chains_are_rewritten_where_their_absence_is_dealt_with() {
        let cases = [
            ("{{ a.b.c | default(1) }}", "{{ __dig(a, 'b', 'c') | default(1) }}"),
            ("{{ a['b'][0]|d }}", "{{ __dig(a, 'b', 0)|d }}"),
            ("{% if a.b is not defined %}", "{% if __dig(a, 'b') is not defined %}"),
        ];
        for (source, wanted) in cases {
            assert_eq!(with_safe_chains(source).as_deref(), Some(wanted));
        }
        for source in [
            "{{ a.b }}",
            "{{ a | default(1) }}",
            "{{ 'a.b | default' }}",
            "a.b | default(1)",
            "{{ a.b | upper }}",
        ] {
            assert_eq!(with_safe_chains(source), None, "{source}");
        }
    }

    #[test]
    fn unfinished_code_is_cut_without_harm() {
        for source in ["{{", "{%", "{#", "{{ 'a", "{% raw", "{{ [", "{", "é{{ é }}", "{{ '\\"] {
            let joined: String = pieces(source).iter().map(|(_, text)| *text).collect();
            assert_eq!(joined, source);
        }
    }
}
