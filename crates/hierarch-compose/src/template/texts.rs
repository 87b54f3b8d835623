//! Filters for texts and paths that Ansible and Jinja2 have and the engine does not.

use std::path::Path;

use minijinja::value::Value as JinjaValue;
use minijinja::{Environment, Error as JinjaError};

use super::value::from_jinja;
use crate::expr::python;

pub(super) fn add(engine: &mut Environment) {
    engine.add_filter("basename", |path: String| path.rsplit('/').next().unwrap_or_default().to_owned());
    engine.add_filter("dirname", |path: String| dirname(&path));
    engine.add_filter("splitext", |path: String| splitext(&path));
    engine.add_filter("quote", |value: JinjaValue| {
        Ok::<_, JinjaError>(quote(&python::text(&from_jinja(&value)?)))
    });
    engine.add_filter("urlencode", |value: String| {
        crate::expr::functions::percent_encoded(&value, b"/", false)
    });
    engine.add_filter("wordcount", |value: String| value.split_whitespace().count());
    engine.add_filter("center", |value: String, width: Option<usize>| center(&value, width.unwrap_or(80)));
    engine.add_filter("truncate", truncate);
    engine.add_filter("normpath", |path: String| normpath(&path));
}

fn dirname(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) if folder.trim_end_matches('/').is_empty() => "/".repeat(folder.len().max(1)),
        Some((folder, _)) => folder.trim_end_matches('/').to_owned(),
        None => String::new(),
    }
}

fn splitext(path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.trim_start_matches('.');
    match stem.rfind('.') {
        Some(dot) => {
            let at = path.len() - stem.len() + dot;
            vec![path[..at].to_owned(), path[at..].to_owned()]
        }
        None => vec![path.to_owned(), String::new()],
    }
}

/// Quotes for a shell, as Python's `shlex.quote` does.
fn quote(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "@%_-+=:,./".contains(c);
    if !text.is_empty() && text.chars().all(safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\"'\"'"))
}

/// No text is centred in more than this.
const WIDEST: usize = 10_000;

fn center(text: &str, width: usize) -> String {
    let free = width.min(WIDEST).saturating_sub(text.chars().count());
    let left = free / 2 + (free & width & 1);
    format!("{}{text}{}", " ".repeat(left), " ".repeat(free - left))
}

/// Cuts a text at a word; Jinja2 lets it be up to five characters too long.
fn truncate(text: String, length: Option<usize>, kill_words: Option<bool>, end: Option<String>) -> String {
    let length = length.unwrap_or(255);
    let end = end.unwrap_or_else(|| "...".into());
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= length + 5 {
        return text;
    }
    let cut: String = letters[..length.saturating_sub(end.chars().count())].iter().collect();
    if kill_words.unwrap_or(false) {
        return cut + &end;
    }
    cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words).to_owned() + &end
}

fn normpath(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            ("..", None) if Path::new(path).is_absolute() => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_split_as_python_splits_them() {
        for (path, wanted) in [("/a/b", "/a"), ("a", ""), ("/a", "/"), ("a/b/", "a/b")] {
            assert_eq!(dirname(path), wanted, "{path}");
        }
        assert_eq!(splitext("a/b.tar.gz"), ["a/b.tar", ".gz"]);
        assert_eq!(splitext("a/.bashrc"), ["a/.bashrc", ""]);
        assert_eq!(normpath("/a/../../b/."), "/b");
    }

    #[test]
    fn shell_quotes_are_put_where_needed() {
        for (text, wanted) in [("a.b", "a.b"), ("a b", "'a b'"), ("", "''"), ("it's", "'it'\"'\"'s'")] {
            assert_eq!(quote(text), wanted);
        }
    }
}
