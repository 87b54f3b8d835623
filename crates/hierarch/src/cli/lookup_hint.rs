//! What is said when a lookup finds nothing: where was looked, and which keys are nearly the same.

use hierarch_hiera::issues;
use hierarch_site::Node;
use hierarch_source::Error;

/// Puppet ends without a word; a person wants to know why.
pub(super) fn hint(node: &Node, keys: &[String], failure: &Error) -> String {
    if failure.code != issues::NOT_FOUND {
        return failure.to_string();
    }
    let hiera = node.environment().hiera();
    let (files, known) = hiera.known_keys();
    let mut near: Vec<(usize, &String)> = Vec::new();
    for key in keys {
        near.extend(
            known.iter().map(|known| (distance(key, known), known)).filter(|(far, _)| *far <= key.len() / 3),
        );
    }
    near.sort();
    let names: Vec<&str> = near.iter().take(3).map(|(_, name)| name.as_str()).collect();
    let levels = keys.first().map_or_else(Vec::new, |key| hiera.session(node.scope()).level_names(key));
    let keys = keys.join(", ");
    let mut hint = match (levels.as_slice(), files) {
        ([], _) => format!("nothing found for {keys}: there is no hiera.yaml with levels here"),
        (levels, 1) => format!("nothing found for {keys} in one file of the levels {}", levels.join(", ")),
        (levels, files) => {
            format!("nothing found for {keys} in {files} files of the levels {}", levels.join(", "))
        }
    };
    if !names.is_empty() {
        hint.push_str(&format!("; did you mean {}?", names.join(", ")));
    }
    hint
}

/// Counts the letters to change, add or remove.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let change = diagonal + usize::from(c != *d);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
