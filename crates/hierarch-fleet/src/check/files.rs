//! What is wrong with a data file by itself, and where in it something stands.

use std::collections::BTreeSet;
use std::sync::Arc;

use hierarch_source::{Error, Source};
use hierarch_yaml::{Dialect, DocumentLimits, Kind, NodeId, Tree, read};

use super::{Finding, Severity};
use crate::file_tree::FileTree;
use crate::ground::Ground;
use crate::issues;

/// Line and column.
pub(crate) type Place = (Option<u32>, Option<u32>);

/// Reads a file as a tree; nothing if it is not YAML.
pub(crate) fn tree(ground: &Ground, file: &str) -> Option<Arc<FileTree>> {
    let is_yaml = [".yaml", ".yml", ".eyaml"].iter().any(|end| file.ends_with(end));
    ground.tree(file, || {
        let text = ground.text(file).filter(|_| is_yaml)?;
        read(&Source::new(file, text), Dialect::Psych, DocumentLimits::default()).ok()
    })
}

pub(crate) fn place(tree: &Tree, node: NodeId) -> Place {
    let position = tree.source().position(tree.span(node).start);
    (Some(position.line), Some(position.column))
}

/// Returns where an error says that a file goes wrong.
fn shown_place(error: &Error) -> Place {
    let position = error.shown_place().map(|place| place.position());
    position.map_or((None, None), |(line, column)| (Some(line), column))
}

/// Checks all files.
pub(super) fn findings(ground: &Ground) -> Vec<Finding> {
    let config = ground.environment.folder().map(|folder| folder.join("hiera.yaml").display().to_string());
    let config = config.unwrap_or_default();
    let broken = |error: &Error| {
        let message = ground.environment.shown_text(&error.to_string());
        at(shown_place(error), &config, "HC203", Severity::Error, message)
    };
    let mut findings: Vec<Finding> = ground.broken.iter().map(broken).collect();
    // What such a manifest declares counts as not there, so it is said why.
    findings.extend(ground.code.broken.iter().map(|(place, why)| {
        at((Some(place.line), None), &place.file, "HC203", Severity::Error, why.clone())
    }));
    for file in &ground.files {
        let mut own = tree(ground, file.path()).map_or_else(Vec::new, |tree| of_tree(&tree, file.path()));
        if let Err(error) = &file.content.entries {
            // Lookups fail on it: that is more than a warning.
            own.iter_mut().for_each(|finding| finding.severity = Severity::Error);
            if !own.iter().any(|finding| finding.code == "HC203") {
                let message = ground.environment.shown_text(&error.to_string());
                own.push(at(shown_place(error), file.path(), "HC203", Severity::Error, message));
            }
        }
        findings.extend(own);
    }
    findings
}

fn at(place: Place, file: &str, code: &'static str, severity: Severity, message: String) -> Finding {
    Finding::warning(file, place, code, message).with_severity(severity)
}

fn of_tree(tree: &Tree, file: &str) -> Vec<Finding> {
    let finding = |code, node: Option<NodeId>, message: String| {
        let place = node.map_or((Some(1), Some(1)), |node| place(tree, node));
        at(place, file, code, Severity::Warning, message)
    };
    let mut findings = Vec::new();
    match tree.roots() {
        [] => findings.push(finding("HC203", None, issues::empty_file())),
        [first, rest @ ..] => {
            if tree.kind(tree.target(*first)) != Kind::Map {
                findings.push(finding("HC203", Some(*first), issues::no_hash()));
            }
            findings.extend(
                rest.first().map(|second| finding("HC202", Some(*second), issues::second_document())),
            );
        }
    }
    for map in (0..tree.len()).map(NodeId::from_index).filter(|node| tree.kind(*node) == Kind::Map) {
        let mut seen = BTreeSet::new();
        for (key, _) in tree.entries(map).filter(|(key, _)| tree.kind(*key) == Kind::Scalar) {
            if !seen.insert(tree.text(key)) && tree.text(key) != "<<" {
                findings.push(finding("HC201", Some(key), issues::duplicate_key(tree.text(key))));
            }
        }
    }
    findings
}

/// Returns where a key stands, or one in its value.
pub(crate) fn key_place(ground: &Ground, file: &str, path: &[&str]) -> Place {
    let found = || {
        let tree = tree(ground, file)?;
        let key = tree.key_at(path)?;
        Some(place(&tree, key))
    };
    found().unwrap_or_default()
}

/// Returns line and column of the first token of a data file that reads a variable.
pub(super) fn token_place(ground: &Ground, file: &str, name: &str) -> Option<Place> {
    token_in(&ground.text(file)?, name)
}

/// Returns line and column of what reads a variable in the text of a hiera.yaml: a token, or the name that is mapped.
pub(crate) fn token_at(text: &str, name: &str) -> Option<Place> {
    token_in(text, name).or_else(|| {
        let is_part = |letter: char| letter.is_alphanumeric() || "_.:".contains(letter);
        first_in(text, |line| {
            line.match_indices(name).map(|(at, _)| at).find(|at| {
                !line[..*at].trim_end_matches("::").ends_with(is_part)
                    && !line[at + name.len()..].starts_with(is_part)
            })
        })
    })
}

/// Finds a token that reads a variable, however it is spelled.
fn token_in(text: &str, name: &str) -> Option<Place> {
    let reads = |token: &str| {
        let token = token.trim();
        let called = token.strip_prefix("scope(").and_then(|rest| rest.strip_suffix(')'));
        let variable = called.map_or(token, |name| name.trim().trim_matches(['\'', '"']));
        variable.strip_prefix("::").unwrap_or(variable) == name
    };
    first_in(text, |line| {
        let tokens = line.match_indices("%{").map(|(at, _)| at);
        tokens.into_iter().find(|at| line[at + 2..].split('}').next().is_some_and(reads))
    })
}

/// Returns line and column of the first place that a search finds in the lines of a text. Comments name no variable.
fn first_in(text: &str, search: impl Fn(&str) -> Option<usize>) -> Option<Place> {
    text.lines().enumerate().find_map(|(number, line)| {
        let line = line.split(" #").next().unwrap_or(line);
        let column = line[..search(line)?].chars().count() + 1;
        Some((u32::try_from(number + 1).ok(), u32::try_from(column).ok()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_in_tokens_and_where_they_are_mapped() {
        for (text, name, data, config) in [
            ("a: x\nb: 'é %{x} end'\n", "x", Some((2, 7)), Some((2, 7))),
            ("a: ENC[PKCS7,xX=]\nb: '%{::x}'\n", "x", Some((2, 5)), Some((2, 5))),
            ("b: \"%{ scope('x') }\"\n", "x", Some((1, 5)), Some((1, 5))),
            ("b: '%{facts.x}'\n", "x", None, None),
            ("b: 1 # %{x}\n", "x", None, None),
            ("mapped_paths: [facts.roles, role, 'r/%{role}.yaml']\n", "facts.roles", None, Some((1, 16))),
            ("mapped_paths: [::x, r, y]\n", "x", None, Some((1, 18))),
            ("paths: [axb.yaml, x.y]\n", "x", None, None),
        ] {
            let place = |place: (u32, u32)| (Some(place.0), Some(place.1));
            assert_eq!(token_in(text, name), data.map(place), "{text}");
            assert_eq!(token_at(text, name), config.map(place), "{text}");
        }
    }
}
