//! Files that are JSON stay JSON: what only YAML can say is not written into them.

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, Kind, NodeId, Style, read};

use super::super::saving::ChangedFiles;
use super::Stop;
use super::wish::Wish;
use crate::cli::issues;

/// Tells whether a text is a JSON document with something in it.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_read = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    // A number may be larger than any that a program has, and is JSON nevertheless.
    text.trim_start().starts_with(['{', '[']) && (is_read(text) || is_read(&with_small_exponents(text)))
}

/// Returns a text of JSON whose numbers have no exponent beyond one digit.
fn with_small_exponents(text: &str) -> String {
    let (mut made, mut is_text, mut is_escaped) = (String::with_capacity(text.len()), false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_number = !is_text && made.ends_with(|before: char| before.is_ascii_digit());
        is_text ^= letter == '"' && !is_escaped;
        is_escaped = is_text && letter == '\\' && !is_escaped;
        made.push(letter);
        if is_number && matches!(letter, 'e' | 'E') {
            made.extend(letters.next_if(|next| matches!(next, '+' | '-')));
            made.extend(letters.next_if(char::is_ascii_digit).map(|_| '1'));
            while letters.next_if(char::is_ascii_digit).is_some() {}
        }
    }
    made
}

/// Refuses to make something else of a file that was JSON.
pub(super) fn check(changed: &ChangedFiles, wish: &Wish) -> Result<(), Stop> {
    for (path, (old, new)) in changed {
        if !old.as_deref().is_some_and(is_json) {
            continue;
        }
        // YAML 1.1 and 1.2 read it as different numbers, and JSON as none.
        if let Some(number) = wish.spellings().find_map(old_number) {
            return Err(issues::number_of_yaml(&number).into());
        }
        if !is_json(new) {
            return Err(issues::would_not_be_json(path).into());
        }
    }
    Ok(())
}

/// Finds such a number in a new value: it is one, or has one somewhere inside.
fn old_number(spelling: &str) -> Option<String> {
    let tree = read(&Source::unnamed(spelling), Dialect::Core, DocumentLimits::default()).ok()?;
    let nodes = (0..tree.len()).map(NodeId::from_index);
    let plain = nodes.filter(|&node| tree.kind(node) == Kind::Scalar && tree.style(node) == Style::Plain);
    plain.map(|node| tree.text(node)).find(|text| has_leading_zero(text)).map(str::to_owned)
}

fn has_leading_zero(spelling: &str) -> bool {
    let digits = spelling.trim_start_matches(['+', '-']);
    digits.len() > 1
        && digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_from_yaml() {
        for text in ["{\"a\": 1}\n", " [1, 2]", "\u{feff}{}"] {
            assert!(is_json(text), "{text}");
        }
        for text in ["a: 1\n", "{a: 1}", "[1, 0644]", "", "5", "{\"a\": .inf}", "{\"a\": 1} # c"] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn numbers_beyond_all_numbers_are_json() {
        for (text, wanted) in [
            ("{\"e\": 1e400}", true),
            ("[-1E+999, 1e-400, 2]", true),
            ("{\"a\\\"1e400\": \"1e999\"}", true),
            ("[1e]", false),
            ("[1e+]", false),
            ("{\"a\": 0x10, \"e\": 1e400}", false),
            ("{\"e\": 1e400, \"n\": {1: 2}}", false),
        ] {
            assert_eq!(is_json(text), wanted, "{text}");
        }
    }

    #[test]
    fn numbers_inside_of_collections_are_found() {
        for (text, wanted) in [
            ("0644", Some("0644")),
            ("[012]", Some("012")),
            ("{x: 012}", Some("012")),
            ("{\"x\":-07}", Some("-07")),
            ("a: [1, {b: 007}]", Some("007")),
            ("- 1\n- 012\n", Some("012")),
            ("{012: 1}", Some("012")),
            ("[\"012\", '012']", None),
            ("{\"note\": \"call 012 now\"}", None),
            ("[call 012 now]", None),
            ("[1, 0.5, 0]", None),
            ("a [012]", None),
        ] {
            assert_eq!(old_number(text).as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn numbers_with_a_leading_zero_are_found() {
        for (text, wanted) in
            [("0644", true), ("-01", true), ("0", false), ("0.5", false), ("0x1F", false), ("10", false)]
        {
            assert_eq!(has_leading_zero(text), wanted, "{text}");
        }
    }
}
