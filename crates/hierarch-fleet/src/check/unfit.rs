//! Where the parts of an answer stand that do not fit a type: answers are merged, and their parts come from several files.

use std::collections::BTreeSet;

use hierarch_hiera::eyaml::HIDDEN;
use hierarch_hiera::origin::{Leaf, TracedValue};
use hierarch_pcore::mismatch::describe_parts;
use hierarch_pcore::{Type, Value};

use super::files::Place;

/// A part that does not fit.
pub(super) struct PlacedPart {
    /// Why.
    pub(super) text: String,
    /// The file that it stands in; empty if no file has it.
    pub(super) file: String,
    pub(super) place: Place,
    /// All files that make up the part.
    pub(super) also: BTreeSet<String>,
}

/// Returns the parts of an answer that do not fit, each where it was written.
pub(super) fn unfit_parts(key: &str, wanted: &Type, traced: &TracedValue) -> Vec<PlacedPart> {
    let leaves = traced.leaves();
    let placed = |part: hierarch_pcore::mismatch::UnfitPart| {
        let own: Vec<&Leaf> = leaves.iter().filter(|leaf| is_along(&leaf.path, &part.path)).collect();
        // A part without leaves of its own was lost on the way: the whole answer is where it is missing.
        let own = if own.is_empty() { leaves.iter().collect() } else { own };
        let origin = own.iter().find_map(|leaf| leaf.origin);
        // A type tells of a value, too: how long it is, for instance.
        let is_secret = own.iter().any(|leaf| *leaf.value != leaf.shown || is_sensitive(leaf.value));
        PlacedPart {
            text: if is_secret { without_value(&part.text) } else { part.text },
            file: origin.map_or_else(String::new, |origin| origin.file.to_string()),
            place: origin.map_or((None, None), |origin| (origin.line, origin.column)),
            also: files_of(traced, &own, &part.path),
        }
    };
    describe_parts(key, wanted, traced.plain()).into_iter().map(placed).collect()
}

fn is_sensitive(value: &Value) -> bool {
    matches!(value, Value::Sensitive(_))
}

/// Takes what was found out of the words for a value that does not fit.
fn without_value(words: &str) -> String {
    match words.rsplit_once(", got ") {
        Some((wanted, _)) => format!("{wanted}, got {HIDDEN}"),
        None => words.to_owned(),
    }
}

/// Tells whether one way leads along the other, as far as both go.
fn is_along(path: &[Value], other: &[String]) -> bool {
    path.iter().zip(other).all(|(step, other)| match step.as_str() {
        Some(text) => text == other,
        None => step.to_string() == *other,
    })
}

/// Returns the files of leaves, of what their tokens stand for, and of what took parts of them away.
fn files_of(traced: &TracedValue, leaves: &[&Leaf], path: &[String]) -> BTreeSet<String> {
    let collections = traced.collections();
    let around = collections.iter().filter(|part| is_along(&part.path, path)).flat_map(|part| part.filled);
    let tokens = leaves.iter().flat_map(|leaf| leaf.filled).chain(around);
    let filled = tokens.flat_map(|token| &token.origins).map(|origin| origin.file.to_string());
    let removals = traced.removals();
    let removed = removals.iter().filter(|removal| is_along(&removal.path, path));
    let removed = removed.filter_map(|removal| Some(removal.by?.file.to_string()));
    let own = leaves.iter().filter_map(|leaf| Some(leaf.origin?.file.to_string()));
    own.chain(filled).chain(removed).collect()
}

#[cfg(test)]
mod tests {
    use super::without_value;

    #[test]
    fn words_about_a_secret_end_at_what_is_wanted() {
        for (words, told) in [
            (
                "k expects a String[20] value, got String[8, 8]",
                "k expects a String[20] value, got [decrypted value hidden]",
            ),
            ("k expects size to be 3, got 2", "k expects size to be 3, got [decrypted value hidden]"),
            (
                "k expects a match for Enum['a, got b'], got 'x'",
                "k expects a match for Enum['a, got b'], got [decrypted value hidden]",
            ),
            ("k expects a value for key 'a'", "k expects a value for key 'a'"),
        ] {
            assert_eq!(without_value(words), told);
        }
    }
}
