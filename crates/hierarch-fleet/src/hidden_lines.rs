//! Differences of data files without the lines of keys that are secret.

use std::collections::BTreeSet;
use std::ops::Range;

use hierarch_source::{Source, unified};
use hierarch_yaml::{Dialect, DocumentLimits, read};

use crate::issues::{HIDDEN_LINES, OTHER_HIDDEN_LINES};

/// As many lines around a change are shown with it.
const CONTEXT: usize = 3;

/// Returns the difference of two texts of a file, without the lines of some keys. That such a line differs is said.
pub fn diff_without(name: &str, old: &str, new: &str, secret: &BTreeSet<String>) -> String {
    unified::diff(name, &hidden(old, None, secret), &hidden(new, Some(old), secret))
}

/// An entry of a file: its key, and its lines, counted from 0.
type Lines = (String, Range<usize>);

/// Finds the entries of a file; nothing if it is not a map.
fn entries(text: &str) -> Vec<Lines> {
    let source = Source::unnamed(text);
    let Ok(tree) = read(&source, Dialect::Psych, DocumentLimits::default()) else { return Vec::new() };
    let Some(root) = tree.root() else { return Vec::new() };
    let line = |at| tree.source().position(at).line.saturating_sub(1) as usize;
    let count = text.lines().count();
    let mut found: Vec<Lines> = Vec::new();
    for (key, _) in tree.entries(root) {
        let first = line(tree.span(key).start);
        if let Some((_, lines)) = found.last_mut() {
            lines.end = first.max(lines.start + 1);
        }
        found.push((tree.text(key).to_owned(), first..count.max(first + 1)));
    }
    found
}

/// Returns the keys of the old text whose lines a diff would show; a key that the edit brings is known to whoever made it.
pub fn near_keys(old: &str, new: &str) -> BTreeSet<String> {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let from = head.saturating_sub(CONTEXT);
    let to = before.len().saturating_sub(tail).max(head) + CONTEXT + 1;
    let is_near = |(_, lines): &Lines| lines.start < to && lines.end >= from;
    entries(old).into_iter().filter(is_near).map(|(key, _)| key).collect()
}

/// Writes a text without the lines of secret entries. What differs from another version is said to differ.
fn hidden(text: &str, other: Option<&str>, secret: &BTreeSet<String>) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let before = other.map(|other| (entries(other), other.lines().collect::<Vec<_>>()));
    for (key, range) in entries(text).into_iter().filter(|(key, _)| secret.contains(key)) {
        let own: Vec<&str> = text.lines().skip(range.start).take(range.len()).collect();
        let is_same = before.as_ref().is_none_or(|(all, lines)| {
            all.iter().any(|(name, there)| *name == key && lines.get(there.clone()) == Some(&own[..]))
        });
        let mark = if is_same { HIDDEN_LINES } else { OTHER_HIDDEN_LINES };
        for (number, line) in lines.iter_mut().enumerate().take(range.end).skip(range.start) {
            let shown =
                if number == range.start { format!("{key}: {mark}\n") } else { format!("  {mark}\n") };
            *line = shown;
        }
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_secret_keys_are_hidden_and_said_to_differ() {
        let secret = BTreeSet::from(["b".to_owned()]);
        let (old, new) = ("a: 1\nb:\n- S1\n- S2\nc: 3\n", "a: 1\nb:\n- S1\n- S3\nc: 4\n");
        let (before, after) = (hidden(old, None, &secret), hidden(new, Some(old), &secret));
        assert!(!before.contains('S') && !after.contains('S'), "{before}{after}");
        assert_eq!(before.lines().count(), old.lines().count());
        let diff = unified::diff("f", &before, &after);
        assert!(diff.contains("-b: [hidden]") && diff.contains("+b: [another value, hidden]"), "{diff}");
        assert_eq!(hidden(old, Some(old), &secret), before);
        assert!(!hidden(r#"{"a": 1, "b": "S1"}"#, None, &secret).contains("S1"), "one line of JSON");
    }

    #[test]
    fn keys_are_near_by_lines() {
        let old: String = (0..20).map(|number| format!("k{number}: 1\n")).collect();
        let near = near_keys(&old, &old.replace("k10: 1", "k10: 2"));
        assert_eq!(
            near.into_iter().collect::<Vec<_>>(),
            ["k10", "k11", "k12", "k13", "k14", "k6", "k7", "k8", "k9"]
        );
    }
}
