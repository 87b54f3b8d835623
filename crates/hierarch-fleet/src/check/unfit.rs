//! Where the parts of an answer stand that do not fit a type: answers are merged, and their parts come from several files.

use std::collections::BTreeSet;

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
        PlacedPart {
            text: part.text,
            file: origin.map_or_else(String::new, |origin| origin.file.to_string()),
            place: origin.map_or((None, None), |origin| (origin.line, origin.column)),
            also: files_of(traced, &own, &part.path),
        }
    };
    describe_parts(key, wanted, traced.plain()).into_iter().map(placed).collect()
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
