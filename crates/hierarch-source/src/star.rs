//! Patterns of names in which `*` stands for any text.

/// Tells whether a pattern matches a whole text.
pub fn matches(pattern: &str, text: &str) -> bool {
    matches_with('*', pattern, text)
}

/// Tells whether a pattern matches a whole text; `wildcard` stands for any text in it.
pub fn matches_with(wildcard: char, pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split(wildcard);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*", "", true),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*[x]*", "File[x]/mode", true),
            // The parts may not share text.
            ("ab*b", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    /// The plainest way to match: each star tries everything.
    fn tried(pattern: &[char], text: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|at| tried(rest, &text[at..])),
            Some((first, rest)) => {
                text.split_first().is_some_and(|(one, more)| one == first && tried(rest, more))
            }
        }
    }

    #[test]
    fn stars_match_what_trying_everything_matches() {
        let mut dice = hierarch_bits::dice::Dice::new(3);
        let mut matched = 0;
        for _ in 0..4_000 {
            let pattern = dice.text(&["a", "b", "é", "*", "*"], 6);
            let text = dice.text(&["a", "b", "é"], 6);
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            let expected = tried(&chars(&pattern), &chars(&text));
            assert_eq!(matches(&pattern, &text), expected, "{pattern} {text}");
            assert_eq!(matches_with('%', &pattern.replace('*', "%"), &text), expected, "{pattern} {text}");
            matched += usize::from(expected);
        }
        assert!(matched > 300, "{matched}");
    }
}
