//! Patterns as Ruby 3.3 takes them: what they match, and how malformed ones are refused. All answers are Ruby's own.

use hierarch_regex::issues::PROBLEM;
use hierarch_regex::{Regexp, check};

/// A pattern, a text, and the match with its groups, if there is one.
type Match = (&'static str, &'static str, Option<&'static [Option<&'static str>]>);

const MATCHES: &[Match] = &[
    ("[]a]+", "x]a]", Some(&[Some("]a]")])),
    ("[^]a]+", "]xy]", Some(&[Some("xy")])),
    ("[a-c&&[^b]]+", "abcac", Some(&[Some("a")])),
    ("[\\w&&[^\\d]]+", "12ab3", Some(&[Some("ab")])),
    ("[a-]+", "b-a-", Some(&[Some("-a-")])),
    ("[\\]\\\\]+", "a\\]b", Some(&[Some("\\]")])),
    ("[[:digit:][:space:]]+", "a1 2b", Some(&[Some("1 2")])),
    ("[^[:alpha:]]+", "ab12c", Some(&[Some("12")])),
    ("[\\h]+", "xyzBEEF", Some(&[Some("BEEF")])),
    ("[\\b]", "a\x08c", Some(&[Some("\x08")])),
    ("[\u{00E0}-\u{00FC}]+", "a\u{00E9}\u{00FC}z", Some(&[Some("\u{00E9}\u{00FC}")])),
    ("(?i)[\u{00E0}-\u{00FC}]+", "\u{00C9}\u{00DC}", None),
    ("(?i)stra\u{00DF}e", "STRASSE", Some(&[Some("STRASSE")])),
    ("(?i)\u{00C9}", "\u{00E9}", Some(&[Some("\u{00E9}")])),
    ("(?i:a)b", "Ab", Some(&[Some("Ab")])),
    ("(?i:a)b", "AB", None),
    ("a(?i)b|c", "aC", Some(&[Some("aC")])),
    ("(?m)a.b", "a\nb", Some(&[Some("a\nb")])),
    ("a.b", "a\nb", None),
    ("(?x) a b # c", "ab", Some(&[Some("ab")])),
    ("(?-x: )", "a b", Some(&[Some(" ")])),
    ("(?<y>\\d+)-(?<m>\\d+)", "on 2026-11", Some(&[Some("2026-11"), Some("2026"), Some("11")])),
    ("(?<a>.)(.)", "xy", Some(&[Some("xy"), Some("x")])),
    ("(a)|(b)", "b", Some(&[Some("b"), None, Some("b")])),
    ("(?:a(b)?)+", "aba", Some(&[Some("aba"), Some("b")])),
    ("(?>a+)ab", "aaab", None),
    ("a++b", "aab", Some(&[Some("aab")])),
    ("a(?=b)", "acab", Some(&[Some("a")])),
    ("a(?!b)", "abac", Some(&[Some("a")])),
    ("(?<=a)b", "bab", Some(&[Some("b")])),
    ("(?<!a)b", "abcb", Some(&[Some("b")])),
    ("(?<=ab|c)d", "cd", Some(&[Some("d")])),
    ("(.)\\1", "abba", Some(&[Some("bb"), Some("b")])),
    ("(?<q>['\"]).*?\\k<q>", "x \"y'\" z", Some(&[Some("\"y'\""), Some("\"")])),
    ("\\A(?<p>\\((?:[^()]|\\g<p>)*\\))\\z", "(a(b)c)", Some(&[Some("(a(b)c)"), Some("(a(b)c)")])),
    ("\\Ab", "a\nb", None),
    ("b\\Z", "ab\n", Some(&[Some("b")])),
    ("b\\z", "ab\n", None),
    ("^b", "a\nb", Some(&[Some("b")])),
    ("a$", "a\nb", Some(&[Some("a")])),
    ("\\bword\\b", "a word.", Some(&[Some("word")])),
    ("\\Bb", "ab b", Some(&[Some("b")])),
    ("\\R", "a\r\nb", Some(&[Some("\r\n")])),
    ("\\X", "e\u{0301}x", Some(&[Some("e\u{0301}")])),
    ("a{2}", "aaa", Some(&[Some("aa")])),
    ("a{,2}", "aaa", Some(&[Some("aa")])),
    ("a{2,}?", "aaa", Some(&[Some("aa")])),
    ("a{", "xa{", Some(&[Some("a{")])),
    ("x{,}", "x{,}", Some(&[Some("x{,}")])),
    ("\\x41\\u{0042}\\u{43}", "ABC", Some(&[Some("ABC")])),
    ("\\101", "A", Some(&[Some("A")])),
    ("\\p{Lu}+", "ab\u{00C9}F", Some(&[Some("\u{00C9}F")])),
    ("\\P{Lu}+", "ABcd", Some(&[Some("cd")])),
    ("\\p{^Lu}+", "ABcd", Some(&[Some("cd")])),
    ("(a)?(?(1)b|c)", "ab", Some(&[Some("ab"), Some("a")])),
    ("\\K", "a", Some(&[Some("")])),
    ("a\\Kb", "ab", Some(&[Some("b")])),
    ("(?~b)", "aab", Some(&[Some("aa")])),
    ("\\H+", "f g", Some(&[Some(" g")])),
];

const MALFORMED: &[(&str, &str)] = &[
    ("(", "end pattern with unmatched parenthesis"),
    (")", "unmatched close parenthesis"),
    ("[", "premature end of char-class"),
    ("[a", "premature end of char-class"),
    ("[]", "empty char-class"),
    ("*", "target of repeat operator is not specified"),
    ("+a", "target of repeat operator is not specified"),
    ("?", "target of repeat operator is not specified"),
    ("(?<n>", "end pattern with unmatched parenthesis"),
    ("(?<1>a)", "invalid group name <1>"),
    ("(?<>a)", "group name is empty"),
    ("\\k<x>", "undefined name <x> reference"),
    ("\\g<x>", "undefined name <x> reference"),
    ("(?<a>.)\\1", "numbered backref/call is not allowed. (use name)"),
    ("[z-a]", "empty range in char class"),
    ("[[:nope:]]", "invalid POSIX bracket type"),
    ("\\p{Nope}", "invalid character property name {Nope}"),
    ("\\x", "invalid hex escape"),
    ("\\u{110000}", "invalid Unicode range"),
    ("\\u12", "invalid Unicode escape"),
    ("(?z)", "undefined group option"),
    ("(?<=a*)b", "invalid pattern in look-behind"),
    ("(?<!a+)", "invalid pattern in look-behind"),
    ("a\\", "too short escape sequence"),
    ("[\\", "too short escape sequence"),
    ("(?", "end pattern in group"),
    ("(?#", "end pattern in group"),
    ("(?i", "end pattern in group"),
    ("(?i:a", "end pattern with unmatched parenthesis"),
    ("\\2", "invalid backref number/name"),
    ("(?(1)a|b)", "invalid backref number/name"),
    ("[a-\\d]", "char-class value at end of range"),
    ("\\c", "too short control escape"),
    ("\\C-", "too short control escape"),
];

#[test]
fn patterns_match_what_they_match_in_ruby() {
    let mut different = Vec::new();
    for (pattern, text, expected) in MATCHES {
        let regexp = match Regexp::new(*pattern) {
            Ok(regexp) => regexp,
            Err(error) => {
                different.push(format!("{pattern:?}: {error}"));
                continue;
            }
        };
        let captures = regexp.captures(text).expect("few steps");
        let found: Option<Vec<Option<&str>>> =
            captures.map(|captures| (0..captures.len()).map(|group| captures.text(text, group)).collect());
        if found.as_deref() != *expected {
            different.push(format!("{pattern:?} on {text:?}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn malformed_patterns_are_refused_in_rubys_words() {
    for (pattern, problem) in MALFORMED {
        let error = check(pattern).expect_err(pattern);
        assert_eq!(error.message, format!("{problem}: /{pattern}/"));
        assert_eq!(error.details(PROBLEM).collect::<Vec<_>>(), [*problem], "{pattern}");
        assert!(Regexp::new(*pattern).is_err(), "{pattern}");
    }
}

#[test]
fn odd_patterns_are_well_formed() {
    for pattern in ["a**", "a{,2}", "a{", "{", "}", "]", "a{1}{2}", "(?<=(a))b"] {
        assert!(check(pattern).is_ok() && Regexp::new(pattern).is_ok(), "{pattern}");
    }
}

#[test]
fn a_pattern_is_shown_and_compared_by_its_source() {
    let of = |source: &str| Regexp::new(source).expect(source);
    assert_eq!(of("a/b").with_slashes(), r"/a\/b/");
    assert!(of("a") == of("a") && of("a") != of("(?:a)"));
    assert!(Regexp::escaped("a.b*[c]").expect("any text").is_match("xa.b*[c]y").expect("few steps"));
    assert_eq!((of("(?<x>a)(?<y>b)").names().len(), of("(a)(b)").group_count()), (2, 2));
}

/// Patterns put together by chance, texts, and what Ruby finds: the match and its groups (`~` where one took no part), `no`, or
/// `fails: ` and its words. A line break is written `⏎`, a carriage return `␍`.
const RANDOM: &str = include_str!("random.tsv");

#[test]
fn patterns_by_chance_match_what_they_match_in_ruby() {
    let mut different = Vec::new();
    for line in RANDOM.lines() {
        let plain = |text: &str| text.replace('⏎', "\n").replace('␍', "\r");
        let [pattern, text, expected] =
            line.split('\t').map(plain).collect::<Vec<_>>().try_into().expect(line);
        let found = match Regexp::new(pattern.as_str()) {
            Ok(regexp) => match regexp.captures(&text).expect("few steps") {
                Some(captures) => {
                    let group = |group| captures.text(&text, group).unwrap_or("~").to_owned();
                    (0..captures.len()).map(group).collect::<Vec<_>>().join("|")
                }
                None => "no".to_owned(),
            },
            Err(error) => format!("fails: {}", error.details(PROBLEM).collect::<String>()),
        };
        if found != expected {
            different.push(format!("{pattern:?} on {text:?}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(different.is_empty(), "{} are wrong:\n{}", different.len(), different.join("\n"));
}
