//! Where operators, words, names, variables and regular expressions end.

use super::number::is_word;
use crate::token::TokenKind;

pub(super) fn operator(first: u8, second: u8, third: u8) -> Option<TokenKind> {
    use TokenKind as K;
    Some(match (first, second) {
        (b'.', _) => K::Dot,
        (b',', _) => K::Comma,
        (b']', _) => K::RightBracket,
        (b')', _) => K::RightParen,
        (b';', _) => K::Semicolon,
        (b'?', _) => K::Question,
        (b'*', _) => K::Star,
        (b'%', _) => K::Percent,
        (b':', _) => K::Colon,
        (b'@', b'@') => K::AtAt,
        (b'@', _) => K::At,
        (b'|', b'>') if third == b'>' => K::ExportedCollectorEnd,
        (b'|', b'>') => K::CollectorEnd,
        (b'|', _) => K::Pipe,
        (b'=', b'=') => K::Equal,
        (b'=', b'>') => K::FatArrow,
        (b'=', b'~') => K::Match,
        (b'=', _) => K::Assign,
        (b'+', b'=') => K::PlusAssign,
        (b'+', b'>') => K::PlusArrow,
        (b'+', _) => K::Plus,
        (b'-', b'>') => K::Before,
        (b'-', b'=') => K::MinusAssign,
        (b'-', _) => K::Minus,
        (b'!', b'=') => K::NotEqual,
        (b'!', b'~') => K::NoMatch,
        (b'!', _) => K::Bang,
        (b'~', b'>') => K::NotifyArrow,
        (b'~', _) => K::Tilde,
        (b'<', b'<') if third == b'|' => K::ExportedCollectorStart,
        (b'<', b'<') => K::ShiftLeft,
        (b'<', b'=') => K::LessEqual,
        (b'<', b'|') => K::CollectorStart,
        (b'<', b'-') => K::After,
        (b'<', b'~') => K::SubscribeArrow,
        (b'<', _) => K::Less,
        (b'>', b'>') => K::ShiftRight,
        (b'>', b'=') => K::GreaterEqual,
        (b'>', _) => K::Greater,
        _ => return None,
    })
}

/// Tells whether a character is a blank: a tab or one of Unicode's space separators.
pub(super) fn is_blank(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// Returns the length of the blank or carriage return here, if there is one.
pub(super) fn blank_or_return(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at)? {
        b' ' | b'\t' | b'\r' => Some(1),
        byte if byte.is_ascii() => None,
        _ => text[at..].chars().next().filter(|&character| is_blank(character)).map(char::len_utf8),
    }
}

/// Finds the end of a bare word, and tells whether it is a name: no hyphen, no segment that starts with `_`.
pub(super) fn bare_word(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut end = start;
    let mut is_name = true;
    loop {
        let first = if bytes[end..].starts_with(b"::") { end + 2 } else { end };
        match bytes.get(first) {
            Some(b'a'..=b'z') => {}
            Some(b'_') => is_name = false,
            _ => return (end, is_name),
        }
        let mut at = first + 1;
        while let Some(&byte) = bytes.get(at).filter(|&&byte| is_word(byte) || byte == b'-') {
            at += 1;
            if byte != b'-' {
                end = at;
            }
        }
        end = end.max(first + 1);
        is_name &= !bytes[first..end].contains(&b'-');
        if at != end || !bytes[end..].starts_with(b"::") {
            return (end, is_name);
        }
    }
}

pub(super) fn type_name_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let first = if bytes[end..].starts_with(b"::") { end + 2 } else { end };
        if !bytes.get(first).is_some_and(u8::is_ascii_uppercase) {
            return end;
        }
        end = word_end(bytes, first);
    }
}

pub(super) fn word_end(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|&&byte| is_word(byte)).count()
}

/// Finds the end of the variable name that starts here, if one does.
pub(super) fn variable_end(bytes: &[u8], start: usize) -> Option<usize> {
    let first = if bytes[start..].starts_with(b"::") { start + 2 } else { start };
    let mut end = word_end(bytes, first);
    if end == first {
        return None;
    }
    while bytes[end..].starts_with(b"::") {
        let next = word_end(bytes, end + 2);
        if next == end + 2 {
            break;
        }
        end = next;
    }
    Some(end)
}

/// Finds the end of a regular expression, behind its closing slash; a slash behind an odd backslash closes nothing.
pub(super) fn regex_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr(b'/', &bytes[at..])? + 1;
        let inner = &bytes[start + 1..at - 1];
        let backslashes = inner.iter().rev().take_while(|&&byte| byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_trees, check_words};

    #[test]
    fn a_bare_word_ends_before_a_hyphen_that_nothing_follows() {
        // The text, how much of it is the word, and whether the word is a name.
        let words = [
            ("abc", "abc", true),
            ("abc def", "abc", true),
            ("a::b::c", "a::b::c", true),
            ("::a", "::a", true),
            ("a::", "a", true),
            ("a::B", "a", true),
            ("a:b", "a", true),
            ("a-b", "a-b", false),
            ("a-", "a", true),
            ("a--b-", "a--b", false),
            ("a-b::c", "a-b::c", false),
            ("_a", "_a", false),
            ("a::_b", "a::_b", false),
            ("a1_2", "a1_2", true),
            ("1a", "", true),
            ("", "", true),
            ("é", "", true),
        ];
        for (text, word, is_name) in words {
            assert_eq!(bare_word(text.as_bytes(), 0), (word.len(), is_name), "{text}");
        }
    }

    #[test]
    fn names_of_types_and_variables_end_where_a_segment_is_not_one() {
        let types = [("Abc", 3), ("A::B", 4), ("A::b", 1), ("A::", 1), ("::A", 3), ("a", 0), ("Ab-c", 2)];
        for (text, end) in types {
            assert_eq!(type_name_end(text.as_bytes(), 0), end, "{text}");
        }
        let variables = [
            ("a", Some(1)),
            ("a::b", Some(4)),
            ("::a", Some(3)),
            ("a::", Some(1)),
            ("A", Some(1)),
            ("1", Some(1)),
            ("", None),
            ("::", None),
            ("-", None),
        ];
        for (text, end) in variables {
            assert_eq!(variable_end(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn a_slash_behind_an_odd_backslash_closes_no_pattern() {
        let patterns = [
            ("/a/", Some(3)),
            ("/a/b/", Some(3)),
            (r"/a\/b/", Some(6)),
            (r"/a\\/b/", Some(5)),
            ("//", Some(2)),
        ];
        for (text, end) in patterns {
            assert_eq!(regex_end(text.as_bytes(), 0), end, "{text}");
        }
        assert_eq!(regex_end(br"/a\/", 0), None);
        assert_eq!(regex_end(b"/", 0), None);
    }

    #[test]
    fn blanks_are_tabs_and_the_separators_of_unicode_but_no_line_breaks() {
        for (text, length) in [(" ", 1), ("\t", 1), ("\r", 1), ("\u{a0}", 2), ("\u{3000}", 3)] {
            assert_eq!(blank_or_return(text, 0), Some(length), "{text:?}");
        }
        for text in ["", "\n", "a", "\u{200b}", "\u{feff}", "\u{2028}"] {
            assert_eq!(blank_or_return(text, 0), None, "{text:?}");
        }
    }

    #[test]
    fn the_longest_operator_wins() {
        use TokenKind as K;
        let operators = [
            ("<<|", K::ExportedCollectorStart),
            ("<< ", K::ShiftLeft),
            ("<| ", K::CollectorStart),
            ("<- ", K::After),
            ("<= ", K::LessEqual),
            ("< -", K::Less),
            ("|>>", K::ExportedCollectorEnd),
            ("|> ", K::CollectorEnd),
            ("=~ ", K::Match),
            ("= ~", K::Assign),
            ("@@ ", K::AtAt),
        ];
        for (text, kind) in operators {
            let [first, second, third] = text.as_bytes() else { panic!("three bytes: {text}") };
            assert_eq!(operator(*first, *second, *third), Some(kind), "{text}");
        }
        assert_eq!(operator(b'a', b' ', b' '), None);
    }

    #[test]
    fn names_and_words() {
        check_trees(&[
            ("a", r#"(qn "a")"#),
            ("a::b", r#"(qn "a::b")"#),
            ("::a", r#"(qn "::a")"#),
            ("a-b", r#""a-b""#),
            ("a::b-c", r#""a::b-c""#),
            ("A", r#"(qr "A")"#),
            ("A::B", r#"(qr "A::B")"#),
            ("::A", r#"(qr "::A")"#),
            ("$a", r#"(var "a")"#),
            ("$::a", r#"(var "::a")"#),
            ("$a::b", r#"(var "a::b")"#),
            ("$_a", r#"(var "_a")"#),
            ("$a::_b", r#"(var "a::_b")"#),
            ("a?{1=>2}", r#"(? (qn "a") [(=> 1 2)])"#),
            ("if::a", r#"(qn "if::a")"#),
            ("a::if", r#"(qn "a::if")"#),
            ("undef", "nil"),
            ("default", "(default)"),
            ("true", "true"),
        ]);
    }

    #[test]
    fn names_that_are_none() {
        check_words(&[
            ("A::", "Illegal class reference (line: 1, column: 3)"),
            ("A::b", "Illegal class reference (line: 1, column: 3)"),
            (
                "a::B",
                "This Name has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (line: 1, column: 1)",
            ),
            (
                "$",
                r"Illegal variable name, The given name '' does not conform to the naming rule /^((::)?[a-z]\w*)*((::)?[a-z_]\w*)$/ (line: 1, column: 1)",
            ),
            (
                "$A",
                r"Illegal variable name, The given name 'A' does not conform to the naming rule /^((::)?[a-z]\w*)*((::)?[a-z_]\w*)$/ (line: 1, column: 1)",
            ),
            ("$a-b", "valid"),
            (
                "$1a",
                "Illegal numeric variable name, The given name '1a' must be a decimal value if it starts with a digit 0-9 (line: 1, column: 1)",
            ),
            (
                "$01",
                "Illegal numeric variable name, The given name '01' must be a decimal value if it starts with a digit 0-9 (line: 1, column: 1)",
            ),
            ("a:::b", "Illegal fully qualified name (line: 1, column: 4)"),
            (":a", "Syntax error at ':' (line: 1, column: 1)"),
        ]);
    }
}
