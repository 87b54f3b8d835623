//! Files that are JSON stay JSON: what only YAML can say is not written into them.

use super::super::saving::ChangedFiles;
use super::Stop;
use super::wish::Wish;
use crate::cli::issues;

/// Tells whether a text is a JSON document with something in it.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// Refuses to make something else of a file that was JSON.
pub(super) fn check(changed: &ChangedFiles, wish: &Wish) -> Result<(), Stop> {
    for (path, (old, new)) in changed {
        if !old.as_deref().is_some_and(is_json) {
            continue;
        }
        // YAML 1.1 and 1.2 read it as different numbers, and JSON as none.
        if let Some(spelling) = wish.spellings().find(|spelling| has_leading_zero(spelling)) {
            return Err(issues::number_of_yaml(spelling).into());
        }
        if !is_json(new) {
            return Err(issues::would_not_be_json(path).into());
        }
    }
    Ok(())
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
    fn numbers_with_a_leading_zero_are_found() {
        for (text, wanted) in
            [("0644", true), ("-01", true), ("0", false), ("0.5", false), ("0x1F", false), ("10", false)]
        {
            assert_eq!(has_leading_zero(text), wanted, "{text}");
        }
    }
}
